// Models kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go
import { tolerates } from "../../api/tolerations.ts";
import { type Plugin, success, unresolvable } from "../framework.ts";

export const UNSCHEDULABLE_TAINT = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" } as const;

/** Keeps Pods off a cordoned node (`kubectl cordon` sets spec.unschedulable). */
export const nodeUnschedulable = {
  name: "NodeUnschedulable",

  filter(cycle, { node }) {
    if (!node.spec?.unschedulable) return success;
    // The node lifecycle controller mirrors spec.unschedulable as a taint. A Pod that tolerates the taint must
    // pass here too, or DaemonSet Pods could never be placed on a cordoned node.
    if (tolerates(cycle.pod.spec.tolerations ?? [], UNSCHEDULABLE_TAINT)) return success;
    return unresolvable("node(s) were unschedulable");
  },
} satisfies Plugin;
