import type { Pod } from "../api/types.ts";
import type { WorldView } from "../kernel/types.ts";
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
