import { f64, i32, u16, u8 } from "./column.ts";
import { type ComponentId, type EventNumber, LEVELS, type Level, type LogLine, MAIL_KINDS, type MailId, type MailKind, NOTE_KINDS, type NoteKind, OUTCOMES, type Outcome, PROTOCOLS, type Protocol, type Revision } from "./model.ts";

export const NEVER = -1;

/** Deduplicated strings; row values refer to them by index. Index 0 is the empty string. */
export class Strings {
  readonly list: string[] = [""];
  private readonly index = new Map<string, number>([["", 0]]);

  id(text: string): number {
    let id = this.index.get(text);
    if (id === undefined) {
      id = this.list.length;
      this.list.push(text);
      this.index.set(text, id);
    }
    return id;
  }

  text(id: number): string {
    return this.list[id] ?? "";
  }
}

/** Every message, timer and input of a run: who sent what to whom, when, because of what, and what became of it. */
export class MailTable {
  sentAt = f64();
  dueAt = f64();
  /** Simulated time of cancellation, or NEVER. */
  cancelledAt = f64();
  /** Event in which it was handled, or NEVER. */
  event = i32();
  /** Mail whose handling sent this one, or NEVER for an input. */
  cause = i32();
  from = u16();
  to = u16();
  kind = u8();
  protocol = u8();
  level = u8();
  outcome = u8();
  verb = i32();
  subject = i32();
  status = i32();
  fault = i32();
}

/** Every delivery, in order. `firstMail` and `firstNote` are the table lengths before it was handled. */
export class EventTable {
  at = f64();
  mail = i32();
  firstMail = i32();
  firstNote = i32();
  hash = i32();
}

/** What components said about what they did: the sentences a learner reads, and their details. */
export class NoteTable {
  event = i32();
  at = f64();
  component = u16();
  kind = u8();
  level = u8();
  text = i32();
  why = i32();
  /** The component's live line from here on; 0 = unchanged. */
  status = i32();
  subject = i32();
}

export interface HopView {
  readonly id: MailId;
  readonly kind: MailKind;
  readonly sentAt: number;
  readonly dueAt: number;
  readonly cancelledAt: number;
  readonly event: EventNumber;
  readonly cause: MailId;
  readonly from: ComponentId;
  readonly to: ComponentId;
  readonly protocol: Protocol;
  readonly level: Level;
  readonly outcome: Outcome;
  readonly verb: string;
  readonly subject: string;
  readonly status: number;
  readonly fault: string;
}

export interface NoteView {
  readonly id: number;
  readonly event: EventNumber;
  readonly at: number;
  readonly component: ComponentId;
  readonly kind: NoteKind;
  readonly level: Level;
  readonly text: string;
  readonly why: string;
  readonly status: string;
  readonly subject: string;
}

/**
 * The recording of a run: append-only columns. The kernel writes it; worker, page, command line and exporters read it.
 * `payloads` and `noteData` stay where the simulation runs; revisions and logs are small and travel to the page.
 */
export class Trace {
  readonly strings: Strings;
  readonly components: ComponentId[];
  readonly machines: string[];
  readonly mail: MailTable;
  readonly events: EventTable;
  readonly notes: NoteTable;
  payloads: unknown[] = [];
  noteData: unknown[] = [];
  /** Note id to revision, in order of `revisionNotes`. */
  revisions: Revision[] = [];
  revisionNotes: number[] = [];
  logs: LogLine[] = [];
  logNotes: number[] = [];

  constructor(strings = new Strings(), components: ComponentId[] = [], machines: string[] = []) {
    this.strings = strings;
    this.components = components;
    this.machines = machines;
    this.mail = new MailTable();
    this.events = new EventTable();
    this.notes = new NoteTable();
  }

  get eventCount(): number {
    return this.events.at.length;
  }
  get mailCount(): number {
    return this.mail.sentAt.length;
  }
  get noteCount(): number {
    return this.notes.at.length;
  }

  /** Simulated time of the last event; 0 for an empty run. */
  get end(): number {
    return this.eventCount === 0 ? 0 : this.events.at.get(this.eventCount - 1);
  }

  hop(id: MailId): HopView {
    const m = this.mail;
    return {
      id,
      kind: MAIL_KINDS[m.kind.get(id)] ?? "hop",
      sentAt: m.sentAt.get(id),
      dueAt: m.dueAt.get(id),
      cancelledAt: m.cancelledAt.get(id),
      event: m.event.get(id),
      cause: m.cause.get(id),
      from: this.components[m.from.get(id)] ?? "",
      to: this.components[m.to.get(id)] ?? "",
      protocol: PROTOCOLS[m.protocol.get(id)] ?? "local",
      level: LEVELS[m.level.get(id)] ?? "source",
      outcome: OUTCOMES[m.outcome.get(id)] ?? "in flight",
      verb: this.strings.text(m.verb.get(id)),
      subject: this.strings.text(m.subject.get(id)),
      status: m.status.get(id),
      fault: this.strings.text(m.fault.get(id)),
    };
  }

  note(id: number): NoteView {
    const n = this.notes;
    return {
      id,
      event: n.event.get(id),
      at: n.at.get(id),
      component: this.components[n.component.get(id)] ?? "",
      kind: NOTE_KINDS[n.kind.get(id)] ?? "step",
      level: LEVELS[n.level.get(id)] ?? "source",
      text: this.strings.text(n.text.get(id)),
      why: this.strings.text(n.why.get(id)),
      status: this.strings.text(n.status.get(id)),
      subject: this.strings.text(n.subject.get(id)),
    };
  }

  /** Number of events at or before `t`: binary search. */
  eventsUntil(t: number): number {
    return upperBound(this.events.at.view(), t);
  }
}

/** First index whose value is greater than `value`, in an ascending array. */
export function upperBound(sorted: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
