// Models kubernetes/pkg/scheduler/framework/plugins/noderesources/fit.go
import type { SchedulerArgs } from "../args.ts";
import { type Plugin, type StateKey, type Status, success, unresolvable, unschedulable } from "../framework.ts";
import type { NodeInfo } from "../node-info.ts";
import { type Amounts, amount, NON_ZERO_DEFAULTS, podRequests } from "../pod-requests.ts";
import { isScalar, resourceUse, scoreByStrategy } from "../resource-allocation.ts";

export interface Insufficient {
  readonly reason: string;
  /** Even an empty node of this size would be too small. */
  readonly unresolvable: boolean;
  readonly detail: string;
}

const requestsKey: StateKey<Amounts> = { name: "PreScoreNodeResourcesFit" };
const NATIVE = ["cpu", "memory", "ephemeral-storage"];

function isIgnored(name: string, args: Pick<SchedulerArgs, "ignoredResources" | "ignoredResourceGroups">): boolean {
  // Only extended resources (vendor/name, not kubernetes.io/name) can be left to an extender.
  return name.includes("/") && !name.includes("kubernetes.io/") && (args.ignoredResources.includes(name) || args.ignoredResourceGroups.includes(name.split("/")[0] ?? ""));
}

/** What is missing on a node for these requests: Pod count first, then cpu, memory, ephemeral-storage, others by name. */
export function insufficientResources(requests: Amounts, node: NodeInfo, args: Pick<SchedulerArgs, "ignoredResources" | "ignoredResourceGroups">): Insufficient[] {
  const missing: Insufficient[] = [];
  if (node.pods.length + 1 > amount(node.allocatable, "pods")) missing.push({ reason: "Too many pods", unresolvable: false, detail: `pods ${node.pods.length} + 1 > ${amount(node.allocatable, "pods")}` });
  const scalars = Object.keys(requests).filter((name) => isScalar(name) && !isIgnored(name, args)).sort();
  for (const name of [...NATIVE, ...scalars]) {
    const wanted = amount(requests, name);
    const allocatable = amount(node.allocatable, name);
    const requested = amount(node.requested, name);
    if (wanted > 0 && wanted > allocatable - requested) missing.push({ reason: `Insufficient ${name}`, unresolvable: wanted > allocatable, detail: `${name} asks ${wanted} > ${allocatable} - ${requested} = ${allocatable - requested}` });
  }
  return missing;
}

/** Does the Pod fit into what is left of the node? And: prefers the emptier node. */
export const nodeResourcesFit = {
  name: "NodeResourcesFit",

  preFilter: () => ({ status: success }),

  filter(cycle, node): Status {
    const missing = insufficientResources(cycle.podInfo.requests, node, cycle.args);
    if (missing.length === 0) return success;
    const reasons = missing.map((m) => m.reason);
    return { ...(missing.some((m) => m.unresolvable) ? unresolvable(...reasons) : unschedulable(...reasons)), detail: missing.map((m) => m.detail).join("; ") };
  },

  preScore(cycle) {
    cycle.state.write(requestsKey, podRequests(cycle.pod, NON_ZERO_DEFAULTS));
    return success;
  },

  score(cycle, node) {
    const strategy = cycle.args.scoringStrategy;
    const requests = cycle.state.read(requestsKey) ?? cycle.podInfo.requests;
    const scored = scoreByStrategy(strategy, resourceUse(strategy.resources, requests, node, "nonZero"));
    const asked = ["cpu", "memory"].every((name) => amount(requests, name) === amount(cycle.podInfo.requests, name));
    return asked ? scored : { ...scored, inputs: { ...scored.inputs, "a container that asks for none counts with": `cpu ${amount(NON_ZERO_DEFAULTS, "cpu")}, memory ${amount(NON_ZERO_DEFAULTS, "memory")}` } };
  },
} satisfies Plugin;
