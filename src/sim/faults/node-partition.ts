import type { Action } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { type Fault, text } from "./fault.ts";
import { nodeOf } from "./node-of.ts";

const ruleOf = (params: FaultParams): string => `node.partition/${text(params, "node")}`;

export const nodePartition = {
  id: "node.partition",
  title: "A node is cut off from the network",
  group: "node",
  symptom: "The node is NotReady after some 50 s, its Pods are evicted 300 s later and stay Terminating; their containers run on all the while, unseen",
  command: "kubectl describe node",
  fix: "Mend the network: the kubelet connects again, kills what was evicted meanwhile and reports the rest.",
  params: [{ name: "node", label: "Node (empty: the newest Pod's)", default: "" }],
  begin: (params, view): readonly Action[] => {
    const node = nodeOf(params, view);
    if (!view.components.some((id) => view.machineOf(id) === node)) return [];
    return [
      { type: "link", rule: { id: ruleOf(params), from: `machine:${node}`, cut: true } },
      { type: "link", rule: { id: ruleOf(params), to: `machine:${node}`, cut: true } },
    ];
  },
  end: (params): readonly Action[] => [{ type: "unlink", id: ruleOf(params) }],
} satisfies Fault;
