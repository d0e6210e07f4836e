// Models kubernetes/pkg/scheduler/framework/types.go (NodeInfo, PodInfo)
import type { Affinity, Node, Pod, PodAffinityTerm } from "../api/types.ts";
import { addAmounts, amount, type Amounts, amountsOf, type MutableAmounts, NO_AMOUNTS, nonZeroDefaults, podRequests } from "./pod-requests.ts";
import { compileSelector, matchesSelector, type Selector } from "./selector.ts";

export interface AffinityTerm {
  readonly namespaces: readonly string[];
  readonly namespaceSelector: Selector;
  readonly selector: Selector;
  readonly topologyKey: string;
}

export interface WeightedAffinityTerm extends AffinityTerm {
  readonly weight: number;
}

/** A Pod with what the plugins derive from it, computed once. */
export interface PodInfo {
  readonly pod: Pod;
  readonly key: string;
  readonly requests: Amounts;
  /** cpu and memory with defaults for containers that ask for none: used to compare nodes, not to fit. */
  readonly nonZeroCPU: number;
  readonly nonZeroMemory: number;
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly WeightedAffinityTerm[];
  readonly preferredAntiAffinity: readonly WeightedAffinityTerm[];
}

/** A node with the Pods on it (assumed ones included). Immutable: `addPod` and `removePod` give a new one. */
export interface NodeInfo {
  readonly name: string;
  readonly node: Node;
  readonly pods: readonly PodInfo[];
  readonly allocatable: Amounts;
  readonly requested: Amounts;
  readonly nonZeroCPU: number;
  readonly nonZeroMemory: number;
}

export const podKey = (pod: Pod): string => pod.metadata.uid ?? `${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`;
export const namespaceOf = (pod: Pod): string => pod.metadata.namespace ?? "";
export const priorityOf = (pod: Pod): number => pod.spec.priority ?? 0;
export const labelsOf = (object: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }): Readonly<Record<string, string>> => object.metadata.labels ?? {};
function affinityTerm(pod: Pod, term: PodAffinityTerm): AffinityTerm {
  const own = (term.namespaces ?? []).length === 0 && !term.namespaceSelector;
  return {
    namespaces: own ? [namespaceOf(pod)] : (term.namespaces ?? []),
    namespaceSelector: compileSelector(term.namespaceSelector),
    selector: compileSelector(term.labelSelector),
    topologyKey: term.topologyKey,
  };
}

const requiredTerms = (pod: Pod, affinity: Affinity["podAffinity"]): AffinityTerm[] =>
  (affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) => affinityTerm(pod, term));
const preferredTerms = (pod: Pod, affinity: Affinity["podAffinity"]): WeightedAffinityTerm[] =>
  (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((t) => ({ ...affinityTerm(pod, t.podAffinityTerm), weight: t.weight }));

/** AffinityTerm.Matches: `namespaceLabels` are those of the Namespace that `pod` lives in. */
export function termMatches(term: AffinityTerm, pod: Pod, namespaceLabels: Readonly<Record<string, string>>): boolean {
  if (!term.namespaces.includes(namespaceOf(pod)) && !matchesSelector(term.namespaceSelector, namespaceLabels)) return false;
  return matchesSelector(term.selector, labelsOf(pod));
}

// Pods are immutable, so what is derived from one can be kept for as long as the Pod lives.
const podInfos = new WeakMap<Pod, PodInfo>();

export function podInfoOf(pod: Pod): PodInfo {
  const known = podInfos.get(pod);
  if (known) return known;
  const requests = podRequests(pod, NO_AMOUNTS);
  const nonZero = podRequests(pod, nonZeroDefaults(pod, requests));
  const info: PodInfo = {
    pod,
    key: podKey(pod),
    requests,
    nonZeroCPU: amount(nonZero, "cpu"),
    nonZeroMemory: amount(nonZero, "memory"),
    requiredAffinity: requiredTerms(pod, pod.spec.affinity?.podAffinity),
    requiredAntiAffinity: requiredTerms(pod, pod.spec.affinity?.podAntiAffinity),
    preferredAffinity: preferredTerms(pod, pod.spec.affinity?.podAffinity),
    preferredAntiAffinity: preferredTerms(pod, pod.spec.affinity?.podAntiAffinity),
  };
  podInfos.set(pod, info);
  return info;
}

export const hasAffinity = (info: PodInfo): boolean =>
  info.requiredAffinity.length + info.requiredAntiAffinity.length + info.preferredAffinity.length + info.preferredAntiAffinity.length > 0;

export function nodeInfoOf(node: Node, pods: readonly PodInfo[]): NodeInfo {
  const requested: MutableAmounts = {};
  let nonZeroCPU = 0;
  let nonZeroMemory = 0;
  for (const info of pods) {
    addAmounts(requested, info.requests);
    nonZeroCPU += info.nonZeroCPU;
    nonZeroMemory += info.nonZeroMemory;
  }
  return { name: node.metadata.name ?? "", node, pods, allocatable: amountsOf(node.status?.allocatable), requested, nonZeroCPU, nonZeroMemory };
}

export function addPod(info: NodeInfo, pod: PodInfo): NodeInfo {
  const requested = { ...info.requested };
  addAmounts(requested, pod.requests);
  return {
    ...info,
    pods: [...info.pods, pod],
    requested,
    nonZeroCPU: info.nonZeroCPU + pod.nonZeroCPU,
    nonZeroMemory: info.nonZeroMemory + pod.nonZeroMemory,
  };
}

/** The node without the Pod of that key; the same reference if it is not there. */
export function removePod(info: NodeInfo, key: string): NodeInfo {
  const index = info.pods.findIndex((p) => p.key === key);
  const pod = info.pods[index];
  if (!pod) return info;
  const requested = { ...info.requested };
  addAmounts(requested, pod.requests, -1);
  return {
    ...info,
    pods: info.pods.filter((_, i) => i !== index),
    requested,
    nonZeroCPU: info.nonZeroCPU - pod.nonZeroCPU,
    nonZeroMemory: info.nonZeroMemory - pod.nonZeroMemory,
  };
}
