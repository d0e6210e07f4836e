import { NOTE_KINDS } from "../../trace/model.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";

const GATE = NOTE_KINDS.indexOf("gate");

/** The gates of the API server's handler chain, in order, and how their notes are recognised. */
export const GATES: readonly { readonly name: string; readonly match: RegExp }[] = [
  { name: "authentication", match: /authenticat/i },
  { name: "audit", match: /audit/i },
  { name: "priority and fairness", match: /fairness|priority level|flow schema/i },
  { name: "authorization", match: /authoriz/i },
  { name: "decoding, defaulting", match: /decod|default/i },
  { name: "mutating admission", match: /mutat/i },
  { name: "validation", match: /^(?!.*admission).*validat/i },
  { name: "validating admission", match: /validat/i },
  { name: "storage", match: /stor|etcd|registry/i },
];

export interface GateState {
  /** Index of the gate the last request stands at, -1 if none was seen. */
  readonly at: number;
  /** It was stopped there. */
  readonly stopped: boolean;
}

const LOOK_BACK = 40;

/** Where in the chain the request is that the API server spoke of last, at `t`. */
export function gateAt(index: TraceIndex, t: number): GateState {
  const notes = index.notesUntil("kube-apiserver", t);
  for (let i = notes.length - 1; i >= Math.max(0, notes.length - LOOK_BACK); i--) {
    const id = notes[i] as number;
    if (index.trace.notes.kind.get(id) !== GATE) continue;
    const { text, status } = index.trace.note(id);
    const at = GATES.findIndex((gate) => gate.match.test(text) || gate.match.test(status));
    // The audit log tells of every answer; who gave it is told by the gate that did.
    if (at >= 0) return { at, stopped: GATES[at]?.name !== "audit" && /\b(40[0-9]|422|429|den|reject|forbid|refus)/i.test(text) };
  }
  return { at: -1, stopped: false };
}
