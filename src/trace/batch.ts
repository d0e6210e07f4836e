import type { Column } from "./column.ts";
import type { LogLine, Revision } from "./model.ts";
import type { EventTable, MailTable, NoteTable, Trace } from "./trace.ts";

type Columns = Readonly<Record<string, Float64Array | Int32Array | Uint16Array | Uint8Array>>;

/** New rows of a trace on their way to the page. Mail rows from `mailFrom` on are sent again: their outcome may have changed. */
export interface TraceBatch {
  readonly stringsFrom: number;
  readonly strings: readonly string[];
  readonly components: readonly string[];
  readonly machines: readonly string[];
  readonly mailFrom: number;
  readonly mail: Columns;
  readonly events: Columns;
  readonly notes: Columns;
  readonly revisions: readonly Revision[];
  readonly revisionNotes: readonly number[];
  readonly logs: readonly LogLine[];
  readonly logNotes: readonly number[];
}

/** How far a trace has been sent. */
export interface BatchCursor {
  readonly strings: number;
  readonly settledMail: number;
  readonly events: number;
  readonly notes: number;
  readonly revisions: number;
  readonly logs: number;
}

export const START_CURSOR: BatchCursor = { strings: 0, settledMail: 0, events: 0, notes: 0, revisions: 0, logs: 0 };

type AnyColumn = Column<Float64Array> | Column<Int32Array> | Column<Uint16Array> | Column<Uint8Array>;

function slice(table: MailTable | EventTable | NoteTable, from: number): Columns {
  return Object.fromEntries(Object.entries(table).map(([name, column]) => [name, (column as AnyColumn).view().slice(from)]));
}

function extend(table: MailTable | EventTable | NoteTable, columns: Columns, from: number): void {
  for (const [name, column] of Object.entries(table) as [string, AnyColumn][]) {
    const rows = columns[name];
    if (rows === undefined) continue;
    column.length = from;
    column.append(rows as never);
  }
}

/** The first mail that is still in flight: rows before it never change again. */
function firstPending(trace: Trace, from: number): number {
  const outcome = trace.mail.outcome.view();
  let id = from;
  while (id < outcome.length && outcome[id] !== 0) id++;
  return id;
}

/** What has come since `cursor`. Revisions' objects are shared here and copied by postMessage. */
export function takeBatch(trace: Trace, cursor: BatchCursor): { batch: TraceBatch; cursor: BatchCursor; transfer: ArrayBuffer[] } {
  const batch: TraceBatch = {
    stringsFrom: cursor.strings,
    strings: trace.strings.list.slice(cursor.strings),
    components: trace.components,
    machines: trace.machines,
    mailFrom: cursor.settledMail,
    mail: slice(trace.mail, cursor.settledMail),
    events: slice(trace.events, cursor.events),
    notes: slice(trace.notes, cursor.notes),
    revisions: trace.revisions.slice(cursor.revisions),
    revisionNotes: trace.revisionNotes.slice(cursor.revisions),
    logs: trace.logs.slice(cursor.logs),
    logNotes: trace.logNotes.slice(cursor.logs),
  };
  const next: BatchCursor = {
    strings: trace.strings.list.length,
    settledMail: firstPending(trace, cursor.settledMail),
    events: trace.eventCount,
    notes: trace.noteCount,
    revisions: trace.revisions.length,
    logs: trace.logs.length,
  };
  const transfer = [batch.mail, batch.events, batch.notes].flatMap((columns) => Object.values(columns).map((column) => column.buffer as ArrayBuffer));
  return { batch, cursor: next, transfer };
}

/** Adds a received batch to the page's copy of the trace. */
export function applyBatch(trace: Trace, batch: TraceBatch): void {
  trace.strings.list.length = batch.stringsFrom;
  trace.strings.list.push(...batch.strings);
  if (trace.components.length === 0) {
    trace.components.push(...batch.components);
    trace.machines.push(...batch.machines);
  }
  extend(trace.mail, batch.mail, batch.mailFrom);
  extend(trace.events, batch.events, trace.eventCount);
  extend(trace.notes, batch.notes, trace.noteCount);
  trace.revisions.push(...batch.revisions);
  trace.revisionNotes.push(...batch.revisionNotes);
  trace.logs.push(...batch.logs);
  trace.logNotes.push(...batch.logNotes);
}
