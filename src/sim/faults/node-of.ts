import type { Pod } from "../api/types.ts";
import type { ComponentId, WorldView } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { etcdMembers } from "./etcd-members.ts";
import { text } from "./fault.ts";

/** The node that a fault names, or the one that holds the Pod created last; if no Pod has a node, the last one. */
export function nodeOf(params: FaultParams, view: WorldView): string {
  const named = text(params, "node");
  const [member] = etcdMembers(view);
  if (named !== "" || member === undefined) return named;
  let newest = -1;
  let node = view.components.findLast((id) => id.startsWith("kubelet@"))?.slice("kubelet@".length) ?? "";
  for (const [key, { createRevision, value }] of member.store.keys.entries()) {
    const bound = key.startsWith("/registry/pods/") ? (value as Pod).spec.nodeName : undefined;
    if (bound === undefined || createRevision < newest) continue;
    newest = createRevision;
    node = bound;
  }
  return node;
}

type Targets = (params: FaultParams, view: WorldView) => readonly ComponentId[];

/** Components of these kinds on the node that is struck. */
export const struckNode = (...kinds: readonly string[]): Targets => (params, view) => {
  const node = nodeOf(params, view);
  return kinds.map((kind) => `${kind}@${node}`).filter((id) => view.components.includes(id));
};

/** Without a name the fault struck the node of a Pod that may have moved since: every node hears that it is over. */
export const healedNodes = (...kinds: readonly string[]): Targets => (params, view) => view.components.filter((id) => kinds.some((kind) => id.startsWith(`${kind}@`)) && (text(params, "node") === "" || id.endsWith(`@${text(params, "node")}`)));

/** All that runs on the machine that is struck. */
export function onMachine(params: FaultParams, view: WorldView): readonly ComponentId[] {
  const node = nodeOf(params, view);
  return view.components.filter((id) => view.machineOf(id) === node);
}

/** Likewise every machine that is a node comes back, with all that runs on it: the one that was struck may have been the control plane's. */
export const healedMachines: Targets = (params, view) => {
  if (text(params, "node") !== "") return onMachine(params, view);
  const nodes = new Set(view.components.filter((id) => id.includes("@")).map((id) => id.slice(id.indexOf("@") + 1)));
  return view.components.filter((id) => nodes.has(view.machineOf(id)));
};
