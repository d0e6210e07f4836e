import { upperBound } from "../trace/trace.ts";

export const AXES = ["story", "true", "steps"] as const;
export type AxisKind = (typeof AXES)[number];

/** Seconds on screen for one unit of an axis, at speed 1. */
export const SECONDS_PER_UNIT: Readonly<Record<AxisKind, number>> = { story: 0.3, true: 1, steps: 0.6 };

/** A gap in which simulated time runs this much faster than in the median segment is hatched and labelled. */
const COMPRESSED = 100;
/** Ten microseconds: gaps below it get about equal widths. */
const STORY_BASE = 10;

/** On the story axis a repetition takes at most this much, however long ago the last one was. */
const QUIET_WEIGHT = 1.5;

/** A stretch of the axis where much time takes little room. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly x0: number;
  readonly x1: number;
}

/** Maps simulated time (microseconds) to axis units and back: monotone, exact at breakpoints, linear between. */
export interface Axis {
  readonly kind: AxisKind;
  /** Total units. */
  readonly length: number;
  readonly end: number;
  readonly gaps: readonly Gap[];
  toX(t: number): number;
  /** Integer microseconds. */
  toT(x: number): number;
}

/** Width of a gap of `gap` microseconds on the story axis: 1 us -> 1.04, 1 ms -> 3.0, 1 s -> 6.0. */
export function storyWeight(gap: number): number {
  return 1 + Math.log10(1 + gap / STORY_BASE);
}

const WEIGHT: Readonly<Record<AxisKind, (gap: number) => number>> = {
  story: storyWeight,
  true: (gap) => gap / 1e6,
  steps: () => 1,
};

/** Ascending times, in microseconds, without repetitions. */
export function uniqueSorted(times: Iterable<number>): Float64Array {
  const sorted = Float64Array.from(times).sort();
  let count = 0;
  for (let i = 0; i < sorted.length; i++) {
    const value = sorted[i] as number;
    if (i === 0 || value !== sorted[count - 1]) sorted[count++] = value;
  }
  return sorted.slice(0, count);
}

/**
 * Builds an axis over `breakpoints` (ascending, unique). Gaps starting at a time in `expanded` get ten times the room;
 * on the story axis those that end at a time in `quiet` get little.
 */
export function buildAxis(kind: AxisKind, breakpoints: Float64Array, expanded: ReadonlySet<number> = new Set(), quiet: ReadonlySet<number> = new Set()): Axis {
  const times = breakpoints.length < 2 ? Float64Array.of(breakpoints[0] ?? 0, (breakpoints[0] ?? 0) + 1) : breakpoints;
  const xs = new Float64Array(times.length);
  const weight = WEIGHT[kind];
  for (let i = 1; i < times.length; i++) {
    const from = times[i - 1] as number;
    const full = weight((times[i] as number) - from);
    const width = kind === "story" && quiet.has(times[i] as number) ? Math.min(QUIET_WEIGHT, full) : full;
    xs[i] = (xs[i - 1] as number) + (kind !== "true" && expanded.has(from) ? width * 10 : width);
  }
  return {
    kind,
    length: xs[xs.length - 1] as number,
    end: times[times.length - 1] as number,
    gaps: kind === "true" ? [] : compressedGaps(times, xs),
    toX: (t) => interpolate(times, xs, t),
    toT: (x) => Math.round(interpolate(xs, times, x)),
  };
}

function interpolate(from: Float64Array, to: Float64Array, value: number): number {
  const last = from.length - 1;
  if (value <= (from[0] as number)) return to[0] as number;
  if (value >= (from[last] as number)) return to[last] as number;
  const i = upperBound(from, value) - 1;
  const a = from[i] as number;
  const b = from[i + 1] as number;
  const p = to[i] as number;
  return p + (((to[i + 1] as number) - p) * (value - a)) / (b - a);
}

function compressedGaps(times: Float64Array, xs: Float64Array): Gap[] {
  const rates: number[] = [];
  for (let i = 1; i < times.length; i++) rates.push(((times[i] as number) - (times[i - 1] as number)) / ((xs[i] as number) - (xs[i - 1] as number)));
  const median = rates.toSorted((a, b) => a - b)[rates.length >> 1] ?? 0;
  const gaps: Gap[] = [];
  rates.forEach((rate, i) => {
    if (rate > median * COMPRESSED && rate > 1000) gaps.push({ from: times[i] as number, to: times[i + 1] as number, x0: xs[i] as number, x1: xs[i + 1] as number });
  });
  return gaps;
}
