// Models kubernetes-sigs/metrics-server/pkg/storage/{pod,node,types}.go: usage between the last two scrapes
import type { Micros } from "../api/time.ts";
import { PMap } from "../kernel/pmap.ts";

/** Counters at one moment: processor time in microseconds since `startedAt`, memory in bytes. */
export interface Point {
  readonly at: Micros;
  readonly startedAt: Micros;
  readonly cpu: Micros;
  readonly memory: number;
}

export interface Usage {
  readonly at: Micros;
  readonly window: Micros;
  /** Billionths of a core. */
  readonly cpuNano: number;
  readonly memory: number;
}

export interface Series {
  readonly last: PMap<Point>;
  readonly before: PMap<Point>;
}

export const NO_SERIES: Series = { last: PMap.empty(), before: PMap.empty() };

/** --metric-resolution, and the least age of a container whose start counts as its first point. */
export const RESOLUTION: Micros = 15_000_000;
const FRESH: Micros = 10_000_000;

/** Takes in one scrape's points. A counter that went back, or a container that was started anew, begins again. */
export function store(series: Series, points: readonly (readonly [string, Point])[]): Series {
  let { last, before } = series;
  for (const [key, point] of points) {
    const previous = last.get(key);
    const age = point.at - point.startedAt;
    if (age >= FRESH && age < RESOLUTION) before = before.set(key, { ...point, at: point.startedAt, cpu: 0 });
    else if (previous !== undefined && point.startedAt < previous.at && previous.at < point.at && previous.cpu <= point.cpu) before = before.set(key, previous);
    else before = before.delete(key);
    last = last.set(key, point);
  }
  return { last, before };
}

/** Forgets what the last scrape of its node no longer showed. */
export const forget = ({ last, before }: Series, keys: readonly string[]): Series => keys.reduce<Series>((series, key) => ({ last: series.last.delete(key), before: series.before.delete(key) }), { last, before });

/** The mean between the last two points; undefined while there is but one. */
export function usageOf({ last, before }: Series, key: string): Usage | undefined {
  const [now, then] = [last.get(key), before.get(key)];
  if (now === undefined || then === undefined || now.at <= then.at) return undefined;
  const window = now.at - then.at;
  return { at: now.at, window, cpuNano: Math.ceil(((now.cpu - then.cpu) * 1_000_000_000) / window), memory: now.memory };
}
