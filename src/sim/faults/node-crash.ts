import type { ComponentId, WorldView } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { type Fault, text } from "./fault.ts";
import { nodeOf } from "./node-of.ts";

export function onNode(params: FaultParams, view: WorldView): readonly ComponentId[] {
  const node = nodeOf(params, view);
  return view.components.filter((id) => view.machineOf(id) === node);
}

/** Without a name the fault struck the node of a Pod that may have moved since: every machine that is down comes back. */
export function healed(params: FaultParams, view: WorldView): readonly ComponentId[] {
  return text(params, "node") === "" ? view.components.filter((id) => id.includes("@")) : onNode(params, view);
}

export const nodeCrash = {
  id: "node.crash",
  title: "A node loses power",
  group: "node",
  symptom: "The node is NotReady after some 50 s; its Pods are evicted 300 s later and stay Terminating",
  command: "kubectl get nodes",
  fix: "Start the machine again, or delete the Node object so that its Pods can be replaced.",
  params: [{ name: "node", label: "Node (empty: the newest Pod's)", default: "" }],
  begin: (params, view) => onNode(params, view).map((component) => ({ type: "stop", component, how: "machine" })),
  end: (params, view) => healed(params, view).map((component) => ({ type: "start", component })),
} satisfies Fault;
