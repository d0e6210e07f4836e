import type { Action, LinkRule, WorldView } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { type FaultParam, text } from "./fault.ts";
import { nodeOf } from "./node-of.ts";

export const MACHINE_PARAM: FaultParam = { name: "node", label: "Machine (node, etcd-0, workstation; empty: the newest Pod's node)", default: "" };

/** One rule for what leaves a machine and one for what reaches it; what stays on it is not concerned. Rules are named by the parameter, so that the end finds them. */
export function machineLinks(id: string, params: FaultParams, view: WorldView, effect: Pick<LinkRule, "delay" | "lossPercent">): readonly Action[] {
  const machine = nodeOf(params, view);
  const rule = `${id}/${text(params, "node")}`;
  if (!view.components.some((component) => view.machineOf(component) === machine)) return [];
  return [
    { type: "link", rule: { id: rule, from: `machine:${machine}`, ...effect } },
    { type: "link", rule: { id: rule, to: `machine:${machine}`, ...effect } },
  ];
}

export const mendLinks = (id: string, params: FaultParams): readonly Action[] => [{ type: "unlink", id: `${id}/${text(params, "node")}` }];
