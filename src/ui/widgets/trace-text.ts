import { LEVELS, type Level, type MailId } from "../../trace/model.ts";
import type { HopView, NoteView, Trace } from "../../trace/trace.ts";
import { subjectText } from "../../content/words.ts";

/** True for what came from outside: the input itself, and the message by which the kernel hands it to a component. */
export function fromUser(hop: HopView): boolean {
  return hop.kind === "input" || hop.from === "world";
}

/** True for what travels between two components; false for timers, inputs and a component's messages to itself. */
export function travels(hop: HopView): boolean {
  return hop.kind === "hop" && hop.from !== hop.to && hop.from !== "world";
}

/** One mail as a sentence: the actor first. */
export function hopSentence(hop: HopView): string {
  const subject = hop.subject === "" ? "" : subjectText(hop.subject);
  const what = [hop.verb, subject].filter((part) => part !== "").join(" ");
  if (fromUser(hop)) return `You: ${what === "" ? hop.to : what}`;
  if (hop.kind === "timer" || hop.from === hop.to) return `${hop.to} goes on by itself${what === "" ? "" : `: ${what}`}`;
  if (hop.protocol === "watch") return `${hop.from} streams ${what} to ${hop.to}`;
  // An answer's verb is often its status.
  if (hop.verb === String(hop.status)) return `${hop.from} answers ${hop.to}: ${hop.status}${subject === "" ? "" : ` for ${subject}`}`;
  if (hop.status > 0) return `${hop.from} answers ${hop.to}: ${what}, ${hop.status}`;
  return `${hop.from} sends ${what} to ${hop.to}`;
}

/** True for what went wrong on the way or was refused: HTTP from 400 on, any other protocol's status but 0. */
export function failedHop(hop: HopView): boolean {
  if (hop.outcome === "lost" || hop.outcome === "refused") return true;
  return hop.protocol === "HTTPS" || hop.protocol === "HTTP" || hop.protocol === "watch" ? hop.status >= 400 : hop.status > 0;
}

/** Ids of the notes that a component wrote while it handled the mail. */
export function notesOfMail(trace: Trace, mail: MailId): number[] {
  const event = trace.mail.event.get(mail);
  if (event < 0) return [];
  const from = trace.events.firstNote.get(event);
  const to = event + 1 < trace.eventCount ? trace.events.firstNote.get(event + 1) : trace.noteCount;
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

/** The sentence that tells best what the receiver did: the one of the lowest detail level, logs aside. */
export function bestNote(trace: Trace, mail: MailId): NoteView | undefined {
  let best: NoteView | undefined;
  for (const id of notesOfMail(trace, mail)) {
    const note = trace.note(id);
    if (note.kind === "log" || note.kind === "output" || note.text === "") continue;
    if (!best || LEVELS.indexOf(note.level) < LEVELS.indexOf(best.level)) best = note;
  }
  return best;
}

/** Mail that was being handled when the note was written; -1 if there is none. */
export function mailOfNote(trace: Trace, note: number): MailId {
  const event = trace.notes.event.get(note);
  return event < 0 || event >= trace.eventCount ? -1 : trace.events.mail.get(event);
}

/** True if something of `level` is shown to a reader who asked for `detail`. */
export function shownAt(level: Level, detail: Level): boolean {
  return LEVELS.indexOf(level) <= LEVELS.indexOf(detail);
}
