import { OUTCOMES } from "../../trace/model.ts";
import { NEVER, Trace, upperBound } from "../../trace/trace.ts";

const IN_FLIGHT = OUTCOMES.indexOf("in flight");
const LOST = OUTCOMES.indexOf("lost");

/**
 * The trace as it stood after its first `count` events, which are those at or before time `t`: a copy of the prefix of
 * every column, with what happened later to its mails undone. Payloads, objects and strings are shared.
 */
export function tracePrefix(trace: Trace, count: number, t: number): Trace {
  const whole = count >= trace.eventCount;
  const mails = whole ? trace.mailCount : trace.events.firstMail.get(count);
  const notes = whole ? trace.noteCount : trace.events.firstNote.get(count);
  const copy = new Trace(trace.strings, trace.components, trace.machines);
  for (const key of Object.keys(trace.mail) as (keyof Trace["mail"])[]) (copy.mail[key] as unknown) = trace.mail[key].prefix(mails);
  for (const key of Object.keys(trace.events) as (keyof Trace["events"])[]) (copy.events[key] as unknown) = trace.events[key].prefix(count);
  for (const key of Object.keys(trace.notes) as (keyof Trace["notes"])[]) (copy.notes[key] as unknown) = trace.notes[key].prefix(notes);
  copy.payloads = trace.payloads.slice(0, mails);
  copy.noteData = trace.noteData.slice(0, notes);
  const revisions = upperBound(trace.revisionNotes, notes - 1);
  copy.revisionNotes = trace.revisionNotes.slice(0, revisions);
  copy.revisions = trace.revisions.slice(0, revisions);
  const logs = upperBound(trace.logNotes, notes - 1);
  copy.logNotes = trace.logNotes.slice(0, logs);
  copy.logs = trace.logs.slice(0, logs);
  undoLater(copy, count, t);
  return copy;
}

function undoLater({ mail, mailCount }: Trace, count: number, t: number): void {
  for (let id = 0; id < mailCount; id++) {
    const outcome = mail.outcome.get(id);
    if (outcome === IN_FLIGHT) continue;
    // Handled or refused in a later event; cancelled or lost with its connection later; or lost at a dead machine later (a broken link loses at once).
    const gaveUp = mail.cancelledAt.get(id);
    const later = gaveUp !== NEVER ? gaveUp > t : outcome === LOST ? mail.dueAt.get(id) > t && mail.fault.get(id) === 0 : mail.event.get(id) >= count;
    if (!later) continue;
    mail.outcome.set(id, IN_FLIGHT);
    mail.event.set(id, NEVER);
    mail.cancelledAt.set(id, NEVER);
  }
}
