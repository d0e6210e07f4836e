import type { TraceIndex } from "../../../trace/trace-index.ts";

export interface AttemptRef {
  /** The note that carries the decision. */
  readonly note: number;
  readonly at: number;
  readonly text: string;
  readonly outcome: "scheduled" | "failed" | "under way";
}

export interface PodAttempts {
  /** "pod/default/web". */
  readonly subject: string;
  /** Oldest first. */
  readonly attempts: readonly AttemptRef[];
}

/** The sentence with which an attempt begins; its decision is told again by the one with which it ends. */
const BEGINS = / filters \d+ nodes? for /;
const FAILS = / finds no node for /;

/** All attempts up to a time, by Pod; the Pod tried last comes first. */
export function attemptsIn(index: TraceIndex, component: string, now: number): PodAttempts[] {
  const pods = new Map<string, AttemptRef[]>();
  for (const id of index.notesUntil(component, now)) {
    const note = index.trace.note(id);
    if (note.kind !== "decision") continue;
    const attempts = pods.get(note.subject) ?? [];
    // Moved to the end: the map keeps the order of the last attempt.
    pods.delete(note.subject);
    pods.set(note.subject, attempts);
    const open = attempts.at(-1)?.outcome === "under way";
    const outcome = BEGINS.test(note.text) ? "under way" : FAILS.test(note.text) ? "failed" : "scheduled";
    if (open) attempts.pop();
    attempts.push({ note: id, at: note.at, text: note.text, outcome });
  }
  return [...pods].reverse().map(([subject, attempts]) => ({ subject, attempts }));
}
