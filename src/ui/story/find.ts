import type { Evidence, HopPattern, NotePattern } from "../../content/evidence.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import type { HopView, NoteView } from "../../trace/trace.ts";

/** Something found in a run: what to pin, and when it is. */
export interface Found {
  readonly kind: "hop" | "note";
  readonly id: number;
  /** For a message the time it arrives. */
  readonly at: number;
  readonly sentAt: number;
}

const isComponent = (pattern: string | undefined, component: string): boolean => pattern === undefined || component === pattern || (pattern.endsWith("@") && component.startsWith(pattern));

function hopMatches(hop: HopView, pattern: HopPattern): boolean {
  return (
    isComponent(pattern.from, hop.from) &&
    isComponent(pattern.to, hop.to) &&
    (pattern.protocol === undefined || hop.protocol === pattern.protocol) &&
    (pattern.verb === undefined || hop.verb.startsWith(pattern.verb)) &&
    (pattern.subject === undefined || hop.subject.includes(pattern.subject)) &&
    (pattern.status === undefined || hop.status === pattern.status)
  );
}

function noteMatches(note: NoteView, pattern: NotePattern): boolean {
  const text = pattern.text?.toLowerCase();
  return (
    note.text !== "" &&
    note.kind !== "log" &&
    isComponent(pattern.component, note.component) &&
    (pattern.kind === undefined || note.kind === pattern.kind) &&
    (pattern.subject === undefined || note.subject.includes(pattern.subject)) &&
    (text === undefined || note.text.toLowerCase().includes(text) || note.why.toLowerCase().includes(text))
  );
}

/** The first thing at or after `from` that matches; `only` narrows it further, to one Pod for instance. */
export function find(index: TraceIndex, evidence: Evidence, from = Number.NEGATIVE_INFINITY, only?: (subject: string, id: number) => boolean): Found | undefined {
  const { trace } = index;
  if ("hop" in evidence) {
    for (const id of index.hopsBetween(from - 1, Number.POSITIVE_INFINITY)) {
      const hop = trace.hop(id);
      if (hopMatches(hop, evidence.hop) && (only === undefined || only(hop.subject, id))) return { kind: "hop", id, at: hop.dueAt, sentAt: hop.sentAt };
    }
    return undefined;
  }
  for (let id = 0; id < trace.noteCount; id++) {
    if (trace.notes.at.get(id) < from) continue;
    const note = trace.note(id);
    if (noteMatches(note, evidence.note) && (only === undefined || only(note.subject, id))) return { kind: "note", id, at: note.at, sentAt: note.at };
  }
  return undefined;
}

const CACHE = new WeakMap<TraceIndex, Map<Evidence, Found | undefined>>();

/** The first of several kinds of evidence that the run holds. Remembered, as panels ask anew whenever they are drawn. */
export function findFirst(index: TraceIndex, evidence: readonly Evidence[]): Found | undefined {
  let known = CACHE.get(index);
  if (!known) CACHE.set(index, (known = new Map()));
  for (const one of evidence) {
    if (!known.has(one)) known.set(one, find(index, one));
    const found = known.get(one);
    if (found) return found;
  }
  return undefined;
}
