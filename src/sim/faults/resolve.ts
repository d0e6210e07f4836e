import type { Action, Input, Message, Micros, WorldView } from "../kernel/types.ts";
import type { FaultParams, RunInput } from "../scenarios/recipe.ts";
import type { Fault } from "./fault.ts";
import { nodeOf } from "./node-of.ts";
import { completeParams } from "./params.ts";
import { faultById } from "./registry.ts";
import { type KubectlRun, SESSIONS_AT_ONCE } from "./typed.ts";

/** An entry of the kernel's input log. A fault with an end is two of them. */
export type SimInput =
  | { readonly at: Micros; readonly type: "command"; readonly argv: readonly string[]; readonly files: Readonly<Record<string, string>>; readonly session: number; readonly env?: Readonly<Record<string, string>> }
  | { readonly at: Micros; readonly type: "edited"; readonly session: number; readonly text?: string }
  | { readonly at: Micros; readonly type: "fault.begin" | "fault.later" | "fault.end"; readonly id: string; readonly params: FaultParams };

/**
 * The input log that the kernel runs: in order of time; at one instant in the order given, with ends of faults first
 * (a fault that follows another at once finds a healed world).
 */
export function expandInputs(inputs: readonly RunInput[]): SimInput[] {
  const expanded: SimInput[] = [];
  for (const input of inputs) {
    if (input.type === "command") {
      const before = expanded.filter((other) => other.type === "command" && other.at === input.at).length;
      expanded.push({ ...input, session: input.at * SESSIONS_AT_ONCE + before });
      continue;
    }
    if (input.type === "edited") {
      expanded.push(input);
      continue;
    }
    const { at, id, params } = input;
    const until = input.until ?? ownEnd(input);
    expanded.push({ at, type: "fault.begin", id, params });
    const due = later(id, params, at);
    if (due !== undefined && (until === undefined || due < until)) expanded.push({ at: due, type: "fault.later", id, params });
    if (until !== undefined) expanded.push({ at: until, type: "fault.end", id, params });
  }
  const rank = (input: SimInput): number => (input.type === "fault.end" ? 0 : 1);
  return expanded.sort((a, b) => a.at - b.at || rank(a) - rank(b));
}

/** When a fault ends that lasts as long as one of its parameters says; undefined for one that lasts until somebody mends it. */
function ownEnd({ at, id, params }: Extract<RunInput, { type: "fault" }>): Micros | undefined {
  const fault = faultById(id);
  return fault?.lasts === undefined ? undefined : at + Number(completeParams(fault, params)[fault.lasts]) * 1_000_000;
}

/** When more of a fault follows of itself. */
function later(id: string, params: FaultParams, at: Micros): Micros | undefined {
  const fault: Fault | undefined = faultById(id);
  const after = fault?.later?.after(completeParams(fault, params)) ?? 0;
  return after > 0 ? at + after : undefined;
}

/** "image=nginx:1.27, node=worker-node-03": what was chosen; empty texts and whole files are left out. */
function describe(params: FaultParams): string {
  const chosen = Object.entries(params).filter(([, value]) => value !== "" && !String(value).includes("\n"));
  return chosen.length === 0 ? "" : ` (${chosen.map(([name, value]) => `${name}=${value}`).join(", ")})`;
}

/** `told`: the parameters as they came out. */
function mark(fault: Fault, params: FaultParams, told: FaultParams, begins: boolean, acts: boolean): Action {
  const why = !acts ? `Nothing in this cluster answers to it${describe(told)}.` : begins ? `${fault.title}${describe(told)}.` : "What was broken works again; recovery is up to the components.";
  return { type: "note", note: { text: `Fault ${fault.id} ${begins ? "begins" : "ends"}: ${fault.title}.`, why, level: "basic", kind: "step", data: { fault: fault.id, params, on: begins } } };
}

/** What an input does to the world. Pure: the same input in the same world gives the same actions. */
export function resolveInput(input: Input, view: WorldView): readonly Action[] {
  const known = input as SimInput;
  switch (known.type) {
    case "command": {
      const message: KubectlRun = { type: "kubectl.run", argv: known.argv, files: known.files, session: known.session, ...(known.env === undefined ? {} : { env: known.env }) };
      return [{ type: "deliver", to: "kubectl", message, verb: `kubectl ${known.argv.join(" ")}` }];
    }
    case "edited":
      return [{ type: "deliver", to: "kubectl", message: { ...known, type: "kubectl.edited" } as Message, verb: "closes the editor" }];
    case "fault.later": {
      const fault = faultById(known.id);
      return fault?.later?.act(completeParams(fault, known.params), view) ?? [];
    }
    case "fault.begin":
    case "fault.end": {
      const fault = faultById(known.id);
      if (!fault) return [{ type: "note", note: { text: `There is no fault ${known.id}.`, level: "basic" } }];
      const params = completeParams(fault, known.params);
      const begins = known.type === "fault.begin";
      const actions = begins ? fault.begin(params, view) : fault.end(params, view);
      const told = begins && fault.oneNode === true ? { ...params, node: nodeOf(params, view) } : params;
      return [mark(fault, params, told, begins, actions.length > 0), ...actions];
    }
    default:
      return [];
  }
}
