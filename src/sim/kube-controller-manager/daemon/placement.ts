// Models kubernetes/pkg/controller/daemon/{daemon_controller.go,util/daemonset_util.go}: which Pods a DaemonSet has where
import { labelSelectorAsSelector, matches } from "../../api/labels.ts";
import type { Condition, IntOrString, KubeObject, LabelSelector, Node, Pod, PodTemplateSpec } from "../../api/types.ts";
import type { View } from "../caches.ts";
import { REVISION_LABEL } from "../history/controller-history.ts";
import { isPodTerminal } from "../pods.ts";
import { nodeShouldRun } from "./node-eligibility.ts";

/** Counts changes of the template; older than revisions, and kept on the DaemonSet and its Pods. */
const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";
export const GENERATION_LABEL = "pod-template-generation";

export interface DaemonSetStatus {
  readonly currentNumberScheduled?: number;
  readonly numberMisscheduled?: number;
  readonly desiredNumberScheduled?: number;
  readonly numberReady?: number;
  readonly observedGeneration?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly numberUnavailable?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly Condition[];
}

export interface DaemonSet extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString } };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
  };
  readonly status?: DaemonSetStatus;
}

/** A node, or the name of one that is no more, and the daemon Pods on it or pinned to it, in the order of podByCreationTimestampAndPhase. */
export interface Placement {
  readonly name: string;
  readonly node: Node | undefined;
  readonly shouldRun: boolean;
  readonly shouldContinue: boolean;
  readonly pods: readonly Pod[];
}

/** GetTargetNodeName: the node that a Pod runs on or is pinned to; undefined when it says none. */
export function nodeOfPod({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const fields = (spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).flatMap((term) => term.matchFields ?? []);
  const values = fields.find(({ key, operator }) => key === "metadata.name" && operator === "In")?.values;
  return values?.length === 1 ? values[0] : undefined;
}

const created = (pod: Pod): string => pod.metadata.creationTimestamp ?? "";
const nameOf = (pod: Pod): string => pod.metadata.name ?? "";

/** Bound ones first, then the oldest; of those made in the same second the name decides. */
function byCreationAndPhase(a: Pod, b: Pod): number {
  if (Boolean(a.spec.nodeName) !== Boolean(b.spec.nodeName)) return a.spec.nodeName ? -1 : 1;
  if (created(a) !== created(b)) return created(a) < created(b) ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

/** Pods of the set as the cache has them, with those that this sync has adopted. */
export function daemonPods(ds: DaemonSet, adopted: readonly Pod[], view: View<unknown>): readonly Pod[] {
  const selector = labelSelectorAsSelector(ds.spec.selector);
  const owned = view.byIndex<Pod>("podsByOwner", ds.metadata.uid ?? "").filter((pod) => typeof selector !== "string" && matches(selector, pod.metadata.labels));
  return [...owned, ...adopted.filter((pod) => !owned.some((other) => other.metadata.uid === pod.metadata.uid))];
}

/** All nodes in the order of their names, then those that are no more but have Pods. Pods that have ended and are being deleted concern nobody. */
export function placementsOf(ds: DaemonSet, pods: readonly Pod[], view: View<unknown>): readonly Placement[] {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = nodeOfPod(pod);
    if (node === undefined || (isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined)) continue;
    const list = byNode.get(node);
    if (list === undefined) byNode.set(node, [pod]);
    else list.push(pod);
  }
  const nodes = view.list<Node>("nodes");
  const places = nodes.map((node): Placement => {
    const name = node.metadata.name ?? "";
    const here = byNode.get(name) ?? [];
    byNode.delete(name);
    return { name, node, ...nodeShouldRun(ds.spec.template.spec, node), pods: here.sort(byCreationAndPhase) };
  });
  return [...places, ...[...byNode].map(([name, here]): Placement => ({ name, node: undefined, shouldRun: false, shouldContinue: false, pods: here.sort(byCreationAndPhase) }))];
}

/** GetTemplateGeneration; what is no number counts for nothing. */
export function templateGeneration({ metadata }: DaemonSet): string | undefined {
  const text = metadata.annotations?.[TEMPLATE_GENERATION] ?? "";
  return /^[+-]?\d+$/.test(text) ? String(Number(text)) : undefined;
}

export const isUpdated = (pod: Pod, ds: DaemonSet, hash: string): boolean => {
  const generation = templateGeneration(ds);
  return pod.metadata.labels?.[REVISION_LABEL] === hash || (generation !== undefined && pod.metadata.labels?.[GENERATION_LABEL] === generation);
};
