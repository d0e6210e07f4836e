import { LEVELS } from "../model.ts";
import type { Trace } from "../trace.ts";
import { causingHop, isForeground } from "./causing-hop.ts";

/** Chrome's trace event format (opens in Perfetto): machines are processes, components threads, hops slices with arrows. */
export function chromeTrace(trace: Trace): unknown {
  const machines = [...new Set(trace.machines)];
  const where = (component: string): { pid: number; tid: number } => {
    const tid = trace.components.indexOf(component);
    return { pid: machines.indexOf(trace.machines[tid] ?? "") + 1, tid: tid + 1 };
  };
  const events: unknown[] = [];
  machines.forEach((machine, i) => events.push({ ph: "M", name: "process_name", pid: i + 1, args: { name: machine || "world" } }));
  for (const component of trace.components) events.push({ ph: "M", name: "thread_name", ...where(component), args: { name: component } });
  for (let id = 0; id < trace.mailCount; id++) {
    const hop = trace.hop(id);
    if (hop.kind !== "hop" || !isForeground(trace, id)) continue;
    const args = { to: hop.to, subject: hop.subject, status: hop.status, outcome: hop.outcome, cause: causingHop(trace, id) };
    events.push({ ph: "X", cat: hop.protocol, name: `${hop.verb}${hop.subject === "" ? "" : ` ${hop.subject}`}`, ts: hop.sentAt, dur: hop.dueAt - hop.sentAt, ...where(hop.from), args });
    if (hop.outcome !== "delivered") continue;
    events.push({ ph: "s", cat: "hop", name: "hop", id, ts: hop.sentAt, ...where(hop.from) });
    events.push({ ph: "f", bp: "e", cat: "hop", name: "hop", id, ts: hop.dueAt, ...where(hop.to) });
  }
  const operator = LEVELS.indexOf("operator");
  for (let id = 0; id < trace.noteCount; id++) {
    if (trace.notes.level.get(id) > operator || trace.notes.text.get(id) === 0) continue;
    const note = trace.note(id);
    events.push({ ph: "i", s: "t", cat: note.kind, name: note.text, ts: note.at, ...where(note.component), args: { why: note.why } });
  }
  return { displayTimeUnit: "ms", traceEvents: events };
}
