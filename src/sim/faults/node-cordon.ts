import type { Node } from "../api/types.ts";
import type { Action, WorldView } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { etcdMembers } from "./etcd-members.ts";
import { type Fault, text } from "./fault.ts";
import { nodeOf } from "./node-of.ts";
import { typed } from "./typed.ts";

/** Without a name: every node that was cordoned while the run lasted, as its taint's time says. */
function cordoned(view: WorldView): readonly string[] {
  const [member] = etcdMembers(view);
  return [...(member?.store.keys.entries() ?? [])].flatMap(([key, { value }]) => {
    const { metadata, spec } = value as Node;
    const taint = key.startsWith("/registry/minions/") && spec?.unschedulable ? spec.taints?.find((candidate) => candidate.key === "node.kubernetes.io/unschedulable") : undefined;
    return (taint as { readonly timeAdded?: string } | undefined)?.timeAdded === undefined ? [] : [metadata.name ?? ""];
  });
}

/** The command that takes back a cordon or a drain. */
export function uncordon(params: FaultParams, view: WorldView): readonly Action[] {
  const found = text(params, "node") === "" ? cordoned(view) : [];
  const nodes = found.length > 0 ? found : [nodeOf(params, view)];
  return nodes[0] === "" ? [] : [typed(view.now, 0, "uncordon", ...nodes)];
}

export const nodeCordon = {
  id: "node.cordon",
  title: "A node is cordoned",
  group: "node",
  symptom: "The node is Ready,SchedulingDisabled; its Pods run on, new ones go elsewhere or stay Pending: 1 node(s) were unschedulable",
  command: "kubectl get nodes",
  fix: "kubectl uncordon NODE: waiting Pods are tried again at once.",
  params: [{ name: "node", label: "Node (empty: the newest Pod's)", default: "" }],
  begin: (params, view) => {
    const node = nodeOf(params, view);
    return node === "" ? [] : [typed(view.now, 1, "cordon", node)];
  },
  end: uncordon,
} satisfies Fault;
