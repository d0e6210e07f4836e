import type { ComponentId, WorldView } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { type Fault, text } from "./fault.ts";

function onNode(params: FaultParams, view: WorldView): readonly ComponentId[] {
  const node = text(params, "node");
  return view.components.filter((id) => view.machineOf(id) === node);
}

export const nodeCrash = {
  id: "node.crash",
  title: "A node loses power",
  group: "node",
  symptom: "The node is NotReady after some 50 s; its Pods are evicted 300 s later and stay Terminating",
  command: "kubectl get nodes",
  fix: "Start the machine again, or delete the Node object so that its Pods can be replaced.",
  params: [{ name: "node", label: "Node", default: "worker-node-03" }],
  begin: (params, view) => onNode(params, view).map((component) => ({ type: "stop", component, how: "machine" })),
  end: (params, view) => onNode(params, view).map((component) => ({ type: "start", component })),
} satisfies Fault;
