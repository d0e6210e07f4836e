// Models kubernetes/pkg/scheduler/framework/plugins/nodedeclaredfeatures/nodedeclaredfeatures.go
import type { Pod } from "../../api/types.ts";
import { type Plugin, skip, type StateKey, success, unresolvable } from "../framework.ts";

const requiredKey: StateKey<readonly string[]> = { name: "PreFilterNodeDeclaredFeatures" };

/** component-helpers/nodedeclaredfeatures/features: what a node must say that it can do before such a Pod may go there. */
export function requiredFeatures(pod: Pod): string[] {
  const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])];
  const features: string[] = [];
  if (containers.some((c) => (c.restartPolicyRules ?? []).some((rule) => rule.action === "RestartAllContainers"))) features.push("RestartAllContainersOnContainerExits");
  if (pod.spec.hostNetwork && pod.spec.hostUsers === false) features.push("UserNamespacesHostNetworkSupport");
  return features;
}

/** Keeps Pods that need a new feature off nodes whose kubelet does not declare it. */
export const nodeDeclaredFeatures = {
  name: "NodeDeclaredFeatures",

  preFilter(cycle) {
    const features = requiredFeatures(cycle.pod);
    if (features.length === 0) return { status: skip };
    cycle.state.write(requiredKey, features);
    return { status: success };
  },

  filter(cycle, { node }) {
    const declared = node.status?.declaredFeatures ?? [];
    const met = (cycle.state.read(requiredKey) ?? []).every((feature) => declared.includes(feature));
    return met ? success : unresolvable("node(s) didn't match Pod's required features");
  },
} satisfies Plugin;
