import { NEVER } from "../trace/trace.ts";
import type { TraceIndex } from "../trace/trace-index.ts";
import { type Axis, type AxisKind, buildAxis, uniqueSorted } from "./axis.ts";

/** Times of steps (note ids), in microseconds. */
export function timesOf(index: TraceIndex, steps: Int32Array): Float64Array {
  const { at } = index.trace.notes;
  return Float64Array.from(steps, (note) => at.get(note));
}

/** The mail whose handling led to a note, or NEVER. */
export function mailOfNote(index: TraceIndex, note: number): number {
  const event = index.trace.notes.event.get(note);
  return event < 0 ? NEVER : index.trace.events.mail.get(event);
}

/** The hop to show for a step: the message that arrived, or, for a timer, nothing. */
export function hopOfNote(index: TraceIndex, note: number): number {
  const { mail } = index.trace;
  const id = mailOfNote(index, note);
  return id >= 0 && mail.kind.get(id) === 0 && mail.from.get(id) !== mail.to.get(id) ? id : NEVER;
}

/**
 * The axis over a run: its breakpoints are the steps at the detail level and the sending of the hops that led to
 * them, so that each of those hops has room to be seen travelling.
 */
export function axisOf(kind: AxisKind, index: TraceIndex, steps: Int32Array, until: number, expanded: ReadonlySet<number>): Axis {
  const { trace } = index;
  const times: number[] = [0];
  const quiet = kind === "story" ? repetitions(index, steps) : new Set<number>();
  for (const note of steps) {
    const at = trace.notes.at.get(note);
    times.push(at);
    const hop = kind === "steps" || quiet.has(at) ? NEVER : hopOfNote(index, note);
    if (hop >= 0) times.push(trace.mail.sentAt.get(hop));
  }
  if (kind !== "steps") times.push(until);
  return buildAxis(kind, uniqueSorted(times), expanded, quiet);
}

/** What was said this often is no news any more: a user's hundredth request, a probe that succeeds again. */
const NEWS = 3;

/** Times at which nothing was said that had not been said before, by the same component in the same words. */
function repetitions(index: TraceIndex, steps: Int32Array): Set<number> {
  const { notes } = index.trace;
  const said = new Map<string, number>();
  const quiet = new Set<number>();
  const news = new Set<number>();
  for (const note of steps) {
    const key = `${notes.component.get(note)}/${notes.text.get(note)}`;
    const count = (said.get(key) ?? 0) + 1;
    said.set(key, count);
    (count > NEWS ? quiet : news).add(notes.at.get(note));
  }
  for (const at of news) quiet.delete(at);
  return quiet;
}
