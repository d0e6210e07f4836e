import type { Simulation } from "../kernel/simulation.ts";
import type { Micros } from "../api/time.ts";
import { LEVELS } from "../../trace/model.ts";

const OPERATOR = LEVELS.indexOf("operator");
const GAP: Micros = 1_000_000;

const clock = (at: Micros): string => {
  const text = String(at).padStart(7, "0");
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
};

/**
 * A run as text that a reviewer can read: each sentence and each write to the store down to operator detail, one a
 * line, a blank line where a second or more passes. What is background (heartbeats) is only counted.
 */
export function readableTrace(sim: Simulation): string {
  const { trace } = sim;
  const revisions = new Map(trace.revisionNotes.map((note, i) => [note, trace.revisions[i]]));
  const lines: string[] = [];
  let before = 0;
  let background = 0;
  for (let id = 0; id < trace.noteCount; id++) {
    const note = trace.note(id);
    const revision = revisions.get(id);
    const written = revision && !revision.key.startsWith("/registry/leases/") ? ` [${revision.verb} ${revision.key}]` : "";
    if (LEVELS.indexOf(note.level) > OPERATOR || note.kind === "log" || (note.text === "" && written === "")) {
      background++;
      continue;
    }
    if (note.at - before >= GAP) lines.push("");
    lines.push(`${clock(note.at)} ${note.component}: ${note.text}${written}`);
    before = note.at;
  }
  lines.push("", `${trace.eventCount} events, ${trace.mailCount} mails, ${trace.revisions.length} revisions, ${background} further notes`);
  return `${lines.join("\n")}\n`;
}
