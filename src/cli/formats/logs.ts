import type { Trace } from "../../trace/trace.ts";
import { seconds, secondsText } from "../time-text.ts";

export interface LogRow {
  readonly at: number;
  readonly source: string;
  readonly line: string;
}

/** Lines that components and containers wrote, in order; what kubectl printed is not among them. */
export function logRows(trace: Trace): readonly LogRow[] {
  return trace.logs.flatMap((log, i) => {
    const note = trace.note(trace.logNotes[i] ?? 0);
    return note.kind === "log" ? [{ at: seconds(note.at), source: log.source, line: log.line }] : [];
  });
}

export const logText = (rows: readonly LogRow[]): string => rows.map((row) => `${secondsText(Math.round(row.at * 1_000_000))} ${row.source}: ${row.line}\n`).join("");
