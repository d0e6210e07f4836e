import { LEVELS, MAIL_KINDS, NOTE_KINDS, OUTCOMES, PROTOCOLS } from "../../trace/model.ts";
import { NEVER, type Trace } from "../../trace/trace.ts";
import type { Level, Link, MailId, Message, Micros, Note } from "./types.ts";

export const KIND = { hop: MAIL_KINDS.indexOf("hop"), timer: MAIL_KINDS.indexOf("timer"), input: MAIL_KINDS.indexOf("input") };
export const OUTCOME = { inFlight: 0, delivered: OUTCOMES.indexOf("delivered"), cancelled: OUTCOMES.indexOf("cancelled"), refused: OUTCOMES.indexOf("refused"), lost: OUTCOMES.indexOf("lost") };
const LEVEL_INDEX: Record<Level, number> = { basic: LEVELS.indexOf("basic"), operator: LEVELS.indexOf("operator"), source: LEVELS.indexOf("source") };
const PROTOCOL_INDEX = Object.fromEntries(PROTOCOLS.map((name, index) => [name, index])) as Record<string, number>;
const NOTE_KIND_INDEX = Object.fromEntries(NOTE_KINDS.map((name, index) => [name, index])) as Record<string, number>;

/** A row of the mails, in flight or lost at once. Returns its id. */
export function recordMail(trace: Trace, kind: number, cause: MailId, from: number, to: number, now: Micros, due: Micros, message: Message, link: Link, fault: string, lost: boolean): MailId {
  const { mail, strings } = trace;
  const id = mail.sentAt.length;
  mail.sentAt.push(now);
  mail.dueAt.push(due);
  mail.cancelledAt.push(NEVER);
  mail.event.push(NEVER);
  mail.cause.push(cause);
  mail.from.push(from);
  mail.to.push(to);
  mail.kind.push(kind);
  mail.protocol.push(PROTOCOL_INDEX[link.protocol] ?? 0);
  mail.level.push(LEVEL_INDEX[link.level ?? "operator"]);
  mail.outcome.push(lost ? OUTCOME.lost : OUTCOME.inFlight);
  mail.verb.push(strings.id(link.verb));
  mail.subject.push(link.subject === undefined ? 0 : strings.id(link.subject));
  mail.status.push(link.status ?? 0);
  mail.fault.push(fault === "" ? 0 : strings.id(fault));
  trace.payloads.push(message);
  return id;
}

/** A row of the notes, with what it carries. */
export function recordNote(trace: Trace, component: number, event: number, now: Micros, note: Note): void {
  const { notes, strings } = trace;
  const id = notes.at.length;
  const kind = NOTE_KIND_INDEX[note.kind ?? "step"] ?? 0;
  notes.event.push(event);
  notes.at.push(now);
  notes.component.push(component);
  notes.kind.push(kind);
  notes.level.push(LEVEL_INDEX[note.level ?? "operator"]);
  notes.text.push(strings.id(note.text));
  notes.why.push(note.why === undefined ? 0 : strings.id(note.why));
  notes.status.push(note.status === undefined ? 0 : strings.id(note.status));
  notes.subject.push(note.subject === undefined ? 0 : strings.id(note.subject));
  trace.noteData.push(note.data);
  if (note.revision) {
    trace.revisions.push(note.revision);
    trace.revisionNotes.push(id);
  }
  if (note.log) {
    trace.logs.push(note.log);
    trace.logNotes.push(id);
  }
}
