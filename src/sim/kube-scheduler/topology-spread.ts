// Models kubernetes/pkg/scheduler/framework/plugins/podtopologyspread/common.go and plugins/helper/spread.go
import { tolerates } from "../api/tolerations.ts";
import type { Node, Pod, TopologySpreadConstraint } from "../api/types.ts";
import type { SchedulerArgs } from "./args.ts";
import { getFrom, type Listers } from "./listers.ts";
import { labelsOf, namespaceOf, type NodeInfo } from "./node-info.ts";
import { requiredNodeAffinityMatches } from "./node-selector.ts";
import { addRequirements, compileSelector, isEmptySelector, matchesSelector, type Selector, selectorFromSet } from "./selector.ts";

export const HOSTNAME = "kubernetes.io/hostname";
export type WhenUnsatisfiable = "DoNotSchedule" | "ScheduleAnyway";

/** A spread constraint with its defaults filled in and its selector compiled. */
export interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: Selector;
  readonly minDomains: number;
  readonly honorNodeAffinity: boolean;
  readonly honorTaints: boolean;
}

// What a Pod without constraints of its own gets if a Service or a controller selects it (defaultingType: System).
const SYSTEM_DEFAULTS: readonly TopologySpreadConstraint[] = [
  { maxSkew: 3, topologyKey: HOSTNAME, whenUnsatisfiable: "ScheduleAnyway" },
  { maxSkew: 5, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" },
];

/** True if the system's constraints apply: the Pod has none of its own and the profile names no others. */
export const isSystemDefaulted = (pod: Pod, args: SchedulerArgs): boolean => (pod.spec.topologySpreadConstraints ?? []).length === 0 && args.defaultConstraints === undefined;

function compile(constraint: TopologySpreadConstraint, pod: Pod): Constraint {
  const labels = labelsOf(pod);
  const keys = (constraint.matchLabelKeys ?? []).flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]] as const]));
  return {
    maxSkew: constraint.maxSkew,
    topologyKey: constraint.topologyKey,
    selector: addRequirements(compileSelector(constraint.labelSelector), selectorFromSet(Object.fromEntries(keys))),
    minDomains: constraint.minDomains ?? 1,
    honorNodeAffinity: (constraint.nodeAffinityPolicy ?? "Honor") === "Honor",
    honorTaints: constraint.nodeTaintsPolicy === "Honor",
  };
}

/** helper.DefaultSelector: what the Services and the controller of a Pod select it by. */
export function defaultSelector(pod: Pod, listers: Listers): Selector {
  const namespace = namespaceOf(pod);
  const merged: Record<string, string> = {};
  for (const service of listers.services) {
    const selector = service.spec.selector;
    if ((service.metadata.namespace ?? "") !== namespace || !selector) continue;
    if (matchesSelector(selectorFromSet(selector), labelsOf(pod))) Object.assign(merged, selector);
  }
  const owner = (pod.metadata.ownerReferences ?? []).find((o) => o.controller);
  if (owner?.apiVersion === "v1" && owner.kind === "ReplicationController") {
    Object.assign(merged, getFrom(listers.replicationControllers, namespace, owner.name)?.spec.selector);
    return selectorFromSet(merged);
  }
  const own = selectorFromSet(merged);
  if (owner?.apiVersion !== "apps/v1" || (owner.kind !== "ReplicaSet" && owner.kind !== "StatefulSet")) return own;
  const controller = getFrom(owner.kind === "ReplicaSet" ? listers.replicaSets : listers.statefulSets, namespace, owner.name);
  return controller ? addRequirements(own, compileSelector(controller.spec.selector)) : own;
}

/** The Pod's own constraints of one kind, or the profile's default ones if it has none at all. */
export function constraintsOf(pod: Pod, listers: Listers, when: WhenUnsatisfiable, args: SchedulerArgs): Constraint[] {
  const own = pod.spec.topologySpreadConstraints ?? [];
  if (own.length > 0) return own.filter((c) => c.whenUnsatisfiable === when).map((c) => compile(c, pod));
  const defaults = (args.defaultConstraints ?? SYSTEM_DEFAULTS).filter((c) => c.whenUnsatisfiable === when);
  if (defaults.length === 0) return [];
  const selector = defaultSelector(pod, listers);
  return isEmptySelector(selector) ? [] : defaults.map((c) => ({ ...compile(c, pod), selector }));
}

export const hasAllKeys = (node: Node, constraints: readonly Constraint[]): boolean => constraints.every((c) => labelsOf(node)[c.topologyKey] !== undefined);

/** matchNodeInclusionPolicies: does the node belong to the domains at all? */
export function nodeCounts(constraint: Constraint, pod: Pod, node: Node): boolean {
  if (constraint.honorNodeAffinity && !requiredNodeAffinityMatches(pod, node)) return false;
  if (!constraint.honorTaints) return true;
  return !(node.spec?.taints ?? []).some((t) => (t.effect === "NoSchedule" || t.effect === "NoExecute") && !tolerates(pod.spec.tolerations, t));
}

/** Pods of a namespace on a node that match and are not terminating. An empty selector counts none, as upstream. */
export function countMatching(info: NodeInfo, selector: Selector, namespace: string): number {
  if (isEmptySelector(selector)) return 0;
  let count = 0;
  for (const { pod } of info.pods) {
    if (!pod.metadata.deletionTimestamp && namespaceOf(pod) === namespace && matchesSelector(selector, labelsOf(pod))) count += 1;
  }
  return count;
}
