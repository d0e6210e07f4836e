// Models kubernetes/pkg/scheduler/framework/types.go (NodeInfo, PodInfo)
import { milliValue, value } from "../api/quantity.ts";
import type { Affinity, Container, Node, Pod, PodAffinityTerm, Quantity, ResourceList } from "../api/types.ts";
import { compileSelector, matchesSelector, type Selector } from "./selector.ts";

// pkg/scheduler/util/pod_resources.go: what a container without a request is taken to use when nodes are compared.
export const DEFAULT_MILLI_CPU_REQUEST = 100;
export const DEFAULT_MEMORY_REQUEST = 200 * 1024 * 1024;

/** Amounts by resource name: millicores for cpu, units for all else. */
export type Amounts = Readonly<Record<string, number>>;
type MutableAmounts = Record<string, number>;

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
export const amount = (amounts: Amounts, name: string): number => amounts[name] ?? 0;

const quantityOf = (name: string, quantity: Quantity): number => (name === "cpu" ? milliValue(quantity) : value(quantity));

export function amountsOf(list: ResourceList | undefined): MutableAmounts {
  const amounts: MutableAmounts = {};
  if (list) for (const name of Object.keys(list)) amounts[name] = quantityOf(name, list[name] ?? 0);
  return amounts;
}

function add(to: MutableAmounts, from: Amounts, sign = 1): void {
  for (const name of Object.keys(from)) to[name] = (to[name] ?? 0) + sign * amount(from, name);
}

function max(to: MutableAmounts, from: Amounts): void {
  for (const name of Object.keys(from)) to[name] = Math.max(to[name] ?? amount(from, name), amount(from, name));
}

const isSidecar = (container: Container): boolean => container.restartPolicy === "Always";

/** During an in-place resize the larger of spec, allocated and actual counts (KEP-1287). */
function containerRequests(pod: Pod, container: Container, useStatus: boolean, nonMissing: Amounts): MutableAmounts {
  let requests = amountsOf(container.resources?.requests);
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const status = useStatus && statuses.length > 0 ? statuses.find((s) => s.name === container.name) : undefined;
  if (status?.resources) {
    const infeasible = (pod.status?.conditions ?? []).some((c) => c.type === "PodResizePending" && c.reason === "Infeasible");
    if (infeasible) requests = {};
    max(requests, amountsOf(status.resources.requests));
    max(requests, amountsOf(status.allocatedResources));
  }
  for (const name of Object.keys(nonMissing)) requests[name] ??= amount(nonMissing, name);
  return requests;
}

// component-helpers/resource: the resources that spec.resources of a Pod (not of a container) may name.
const isPodLevelResource = (name: string): boolean => name === "cpu" || name === "memory" || name.startsWith("hugepages-");

const podLevelRequests = (pod: Pod): readonly string[] => Object.keys(pod.spec.resources?.requests ?? {}).filter(isPodLevelResource);

/**
 * Models component-helpers/resource/helpers.go PodRequests: what the Pod needs at its most demanding moment.
 * `nonMissing` stands in for what a container does not ask for.
 */
export function podRequests(pod: Pod, nonMissing: Amounts): MutableAmounts {
  const requests: MutableAmounts = {};
  for (const container of pod.spec.containers ?? []) add(requests, containerRequests(pod, container, true, nonMissing));
  const sidecars: MutableAmounts = {};
  const init: MutableAmounts = {};
  for (const container of pod.spec.initContainers ?? []) {
    const own = containerRequests(pod, container, isSidecar(container), nonMissing);
    if (isSidecar(container)) {
      add(requests, own);
      add(sidecars, own);
      max(init, sidecars);
    } else {
      add(own, sidecars);
      max(init, own);
    }
  }
  max(requests, init);
  for (const name of podLevelRequests(pod)) requests[name] = quantityOf(name, pod.spec.resources?.requests?.[name] ?? 0);
  add(requests, amountsOf(pod.spec.overhead));
  return requests;
}

export const NON_ZERO_DEFAULTS: Amounts = { cpu: DEFAULT_MILLI_CPU_REQUEST, memory: DEFAULT_MEMORY_REQUEST };
const NO_AMOUNTS: Amounts = {};

/** With Pod-level requests only what no container asks for at all gets a default. */
function nonZeroDefaults(pod: Pod, requests: Amounts): Amounts {
  if (podLevelRequests(pod).length === 0) return NON_ZERO_DEFAULTS;
  return Object.fromEntries(Object.entries(NON_ZERO_DEFAULTS).filter(([name]) => requests[name] === undefined));
}

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
    add(requested, info.requests);
    nonZeroCPU += info.nonZeroCPU;
    nonZeroMemory += info.nonZeroMemory;
  }
  return { name: node.metadata.name ?? "", node, pods, allocatable: amountsOf(node.status?.allocatable), requested, nonZeroCPU, nonZeroMemory };
}

export function addPod(info: NodeInfo, pod: PodInfo): NodeInfo {
  const requested = { ...info.requested };
  add(requested, pod.requests);
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
  add(requested, pod.requests, -1);
  return {
    ...info,
    pods: info.pods.filter((_, i) => i !== index),
    requested,
    nonZeroCPU: info.nonZeroCPU - pod.nonZeroCPU,
    nonZeroMemory: info.nonZeroMemory - pod.nonZeroMemory,
  };
}
