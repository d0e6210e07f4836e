import { broken, type Invariant, type SoakRun } from "./invariant.ts";

const HOP = 0;
const INPUT = 2;
const NEVER = -1;
const DELIVERED = 1;

function whatIsWrong({ trace }: SoakRun, id: number): string | undefined {
  const { mail, events } = trace;
  const cause = mail.cause.get(id);
  const kind = mail.kind.get(id);
  const sentAt = mail.sentAt.get(id);
  if (kind === INPUT || (sentAt === 0 && kind !== HOP && trace.strings.text(mail.verb.get(id)) === "start")) return cause === NEVER ? undefined : "is an input and has a cause";
  if (cause < 0 || cause >= id) return `has the cause ${cause}, which is no earlier message`;
  const event = mail.event.get(cause);
  if (event < 0) return `is caused by message ${cause}, which nobody handled`;
  if (events.at.get(event) > sentAt) return `is sent before its cause, message ${cause}, is handled at ${events.at.get(event)} us`;
  if (trace.payloads[id] === undefined) return "has no content";
  return undefined;
}

function arrival({ trace }: SoakRun, id: number): string | undefined {
  const { mail, events } = trace;
  const event = mail.event.get(id);
  if (mail.dueAt.get(id) < mail.sentAt.get(id)) return "is due before it is sent";
  if (event < 0) return mail.outcome.get(id) === DELIVERED ? "is delivered in no event" : undefined;
  // What waited to be given up on a silent link arrives when the link is mended: before it was due.
  return events.at.get(event) < (mail.fault.get(id) === 0 ? mail.dueAt.get(id) : mail.sentAt.get(id)) ? `is handled at ${events.at.get(event)} us, too early` : undefined;
}

/** Every message is sent because of one that was handled before, back to what the user typed or to the beginning. */
export const causes: Invariant = {
  id: "causes",
  says: "every message has a cause that precedes it",
  check(run) {
    const { trace } = run;
    const found: string[] = [];
    for (let id = 0; id < trace.mailCount; id++) {
      const wrong = whatIsWrong(run, id) ?? arrival(run, id);
      if (wrong === undefined) continue;
      const { from, to, verb, subject, sentAt } = trace.hop(id);
      found.push(broken(sentAt, `message ${id} (${from} to ${to}: ${verb} ${subject})`, wrong));
    }
    return found;
  },
};

/** Time never runs backwards, and what is said is said in an event of its own time. */
export const time: Invariant = {
  id: "time",
  says: "time never runs backwards",
  check({ trace }) {
    const { events, notes } = trace;
    const found: string[] = [];
    for (let event = 1; event < trace.eventCount; event++) {
      if (events.at.get(event) < events.at.get(event - 1)) found.push(broken(events.at.get(event), `event ${event}`, `comes after one at ${events.at.get(event - 1)} us`));
    }
    for (let note = 0; note < trace.noteCount; note++) {
      if (events.at.get(notes.event.get(note)) !== notes.at.get(note)) found.push(broken(notes.at.get(note), `note ${note}`, "was said at another time than its event"));
    }
    return found;
  },
};
