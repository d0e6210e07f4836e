import type { Level } from "../trace/model.ts";
import { upperBound } from "../trace/trace.ts";
import type { TraceIndex } from "../trace/trace-index.ts";
import { timesOf } from "./steps.ts";

/** How the times of another run are laid over those of the run shown. */
export const ALIGNMENTS = ["time", "step", "event"] as const;
export type Alignment = (typeof ALIGNMENTS)[number];

/** The first note of a run that says the same as the chosen one of the other. */
function sameNote(other: TraceIndex, detail: Level, text: string, component: string): number | undefined {
  for (const id of other.steps(detail)) {
    const note = other.trace.note(id);
    if (note.text === text && note.component === component) return note.at;
  }
  return undefined;
}

/**
 * Where a moment of run A is drawn on the axis of run B. "step": the n-th step of one stands over the n-th of the other,
 * and the time between two steps is stretched; "event": both are laid over each other at what `note` of B says, if A says it too.
 */
export function alignment(a: TraceIndex, b: TraceIndex, detail: Level, by: Alignment, note: number): (t: number) => number {
  if (by === "event" && note >= 0) {
    const chosen = b.trace.note(note);
    const at = sameNote(a, detail, chosen.text, chosen.component);
    return at === undefined ? (t) => t : (t) => t + chosen.at - at;
  }
  if (by !== "step") return (t) => t;
  const timesA = timesOf(a, a.steps(detail));
  const timesB = timesOf(b, b.steps(detail));
  const last = timesB.length - 1;
  if (last < 0 || timesA.length === 0) return (t) => t;
  return (t) => {
    const i = upperBound(timesA, t) - 1;
    if (i < 0) return t;
    if (i >= last) return (timesB[last] ?? t) + t - (timesA[Math.min(i, timesA.length - 1)] ?? t);
    const from = timesA[i] ?? t;
    const width = (timesA[i + 1] ?? from) - from;
    const start = timesB[i] ?? t;
    const share = width <= 0 ? 0 : Math.min(1, (t - from) / width);
    return Math.round(start + share * ((timesB[i + 1] ?? start) - start));
  };
}
