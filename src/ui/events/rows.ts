import { hopSentence } from "./sentences.ts";
import { familyOf } from "../theme/components.ts";
import { LEVELS, type Level } from "../../trace/model.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import type { Filter, Searchable } from "./filter.ts";

/** One line of the list. Its text is made only when it is searched or drawn. */
export interface Row {
  readonly kind: "note" | "hop";
  readonly id: number;
  readonly at: number;
}

/** What a row says and can be found by. */
export function searchable(index: TraceIndex, row: Row): Searchable {
  const { trace } = index;
  if (row.kind === "hop") {
    const hop = trace.hop(row.id);
    return { text: hopSentence(hop), component: hop.to, peer: hop.from, verb: hop.verb, object: hop.subject, lane: familyOf(hop.to), status: hop.status, outcome: hop.outcome };
  }
  const note = trace.note(row.id);
  const event = note.event;
  const mail = event >= 0 ? trace.events.mail.get(event) : -1;
  const hop = mail >= 0 ? trace.hop(mail) : undefined;
  return { text: note.text, component: note.component, peer: "", verb: hop?.verb ?? "", object: note.subject !== "" ? note.subject : (hop?.subject ?? ""), lane: familyOf(note.component), status: hop?.status ?? 0, outcome: hop?.outcome ?? "" };
}

/** Steps, and messages if wanted, in order of time, as far as the filter lets them through. */
export function rowsOf(index: TraceIndex, steps: Int32Array, detail: Level, messages: boolean, filter: Filter | undefined): Row[] {
  const { trace } = index;
  const rows: Row[] = Array.from(steps, (id) => ({ kind: "note", id, at: trace.notes.at.get(id) }));
  if (messages) {
    const limit = LEVELS.indexOf(detail);
    for (const id of index.hopsBetween(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)) if (trace.mail.level.get(id) <= limit) rows.push({ kind: "hop", id, at: trace.mail.sentAt.get(id) });
    rows.sort((a, b) => a.at - b.at || (a.kind === b.kind ? a.id - b.id : a.kind === "note" ? -1 : 1));
  }
  return filter ? rows.filter((row) => filter(searchable(index, row))) : rows;
}

/** The last row at or before `t`; -1 if all are later. */
export function rowAt(rows: readonly Row[], t: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.at ?? 0) <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
