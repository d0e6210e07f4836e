import { NEVER, type Trace } from "../../trace/trace.ts";
import { combineHash, structuralHash } from "./hash.ts";
import { LEVEL_INDEX, NOTE_KIND_INDEX, OUTCOME, PROTOCOL_INDEX } from "./codes.ts";
import type { Link, MailId, Message, Micros, Note } from "./types.ts";

interface Posted {
  readonly kind: number;
  readonly cause: MailId;
  readonly from: number;
  readonly to: number;
  readonly now: Micros;
  readonly due: Micros;
  readonly message: Message;
  readonly link: Link;
  /** The rule that touched it; "" for none. */
  readonly fault: string;
  readonly lost: boolean;
}

/** Adds a mail to the trace's columns and returns its id. */
export function recordMail({ mail, strings, payloads }: Trace, { kind, cause, from, to, now, due, message, link, fault, lost }: Posted): MailId {
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
  payloads.push(message);
  return id;
}

/** Adds a note with what it carries. */
export function recordNote({ notes, strings, noteData, revisions, revisionNotes, logs, logNotes }: Trace, component: number, event: number, now: Micros, note: Note): void {
  const id = notes.at.length;
  notes.event.push(event);
  notes.at.push(now);
  notes.component.push(component);
  notes.kind.push(NOTE_KIND_INDEX[note.kind ?? "step"] ?? 0);
  notes.level.push(LEVEL_INDEX[note.level ?? "operator"]);
  notes.text.push(strings.id(note.text));
  notes.why.push(note.why === undefined ? 0 : strings.id(note.why));
  notes.status.push(note.status === undefined ? 0 : strings.id(note.status));
  notes.subject.push(note.subject === undefined ? 0 : strings.id(note.subject));
  noteData.push(note.data);
  if (note.revision) {
    revisions.push(note.revision);
    revisionNotes.push(id);
  }
  if (note.log) {
    logs.push(note.log);
    logNotes.push(id);
  }
}

/** A hash of everything up to an event: its time, who handled what, the state that came of it (if it is another), and what was sent. */
export function hashOfEvent({ events, mail }: Trace, event: number, component: number, message: Message, changed: unknown): number {
  let hash = event === 0 ? 0 : events.hash.get(event - 1);
  hash = combineHash(hash, events.at.get(event) % 0x7fffffff);
  hash = combineHash(hash, component);
  hash = combineHash(hash, structuralHash(message));
  hash = combineHash(hash, changed === undefined ? 0 : structuralHash(changed));
  for (let id = events.firstMail.get(event); id < mail.sentAt.length; id++) hash = combineHash(hash, combineHash(mail.to.get(id), mail.dueAt.get(id) % 0x7fffffff));
  return hash | 0;
}
