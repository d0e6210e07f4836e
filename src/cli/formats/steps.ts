import { formatTable } from "../../sim/api/tabwriter.ts";
import { LEVELS, type Level } from "../../trace/model.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { lengthText, seconds, secondsText } from "../time-text.ts";

export interface StepRow {
  readonly at: number;
  readonly component: string;
  readonly subject: string;
  readonly text: string;
  readonly why: string;
  readonly level: Level;
}

export function stepRows(index: TraceIndex, level: Level): readonly StepRow[] {
  return Array.from(index.steps(level), (id) => {
    const { at, component, subject, text, why, level: of } = index.trace.note(id);
    return { at: seconds(at), component, subject, text, why, level: of };
  });
}

export const isLevel = (text: string): text is Level => (LEVELS as readonly string[]).includes(text);

/** The run as a table: when each step happened, how long after the one before, who and what. */
export function summary(index: TraceIndex, level: Level): string {
  let before = 0;
  const rows = Array.from(index.steps(level), (id, i) => {
    const { at, component, text } = index.trace.note(id);
    const row = [String(i + 1), secondsText(at), lengthText(at - before), component, text];
    before = at;
    return row;
  });
  return formatTable(["STEP", "AT (S)", "AFTER", "COMPONENT", "WHAT HAPPENS"].map((name) => ({ name, priority: 0 })), rows, false);
}
