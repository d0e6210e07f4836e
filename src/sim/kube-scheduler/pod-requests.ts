// Models kubernetes/staging/src/k8s.io/component-helpers/resource/helpers.go (PodRequests) and pkg/scheduler/util/pod_resources.go
import { isRestartableInitContainer, isSupportedPodLevelResource } from "../api/pod-resources.ts";
import { milliValue, value } from "../api/quantity.ts";
import type { Container, Pod, Quantity, ResourceList } from "../api/types.ts";

// What a container without a request is taken to use when nodes are compared.
const DEFAULT_MILLI_CPU_REQUEST = 100;
const DEFAULT_MEMORY_REQUEST = 200 * 1024 * 1024;

/** Amounts by resource name: millicores for cpu, units for all else. */
export type Amounts = Readonly<Record<string, number>>;
export type MutableAmounts = Record<string, number>;

export const amount = (amounts: Amounts, name: string): number => amounts[name] ?? 0;

const quantityOf = (name: string, quantity: Quantity): number => (name === "cpu" ? milliValue(quantity) : value(quantity));

export function amountsOf(list: ResourceList | undefined): MutableAmounts {
  const amounts: MutableAmounts = {};
  if (list) for (const name of Object.keys(list)) amounts[name] = quantityOf(name, list[name] ?? 0);
  return amounts;
}

export function addAmounts(to: MutableAmounts, from: Amounts, sign = 1): void {
  for (const name of Object.keys(from)) to[name] = (to[name] ?? 0) + sign * amount(from, name);
}

function max(to: MutableAmounts, from: Amounts): void {
  for (const name of Object.keys(from)) to[name] = Math.max(to[name] ?? amount(from, name), amount(from, name));
}

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

const podLevelRequests = (pod: Pod): readonly string[] => Object.keys(pod.spec.resources?.requests ?? {}).filter(isSupportedPodLevelResource);

/**
 * Models component-helpers/resource/helpers.go PodRequests: what the Pod needs at its most demanding moment.
 * `nonMissing` stands in for what a container does not ask for.
 */
export function podRequests(pod: Pod, nonMissing: Amounts): MutableAmounts {
  const requests: MutableAmounts = {};
  for (const container of pod.spec.containers ?? []) addAmounts(requests, containerRequests(pod, container, true, nonMissing));
  const sidecars: MutableAmounts = {};
  const init: MutableAmounts = {};
  for (const container of pod.spec.initContainers ?? []) {
    const own = containerRequests(pod, container, isRestartableInitContainer(container), nonMissing);
    if (isRestartableInitContainer(container)) {
      addAmounts(requests, own);
      addAmounts(sidecars, own);
      max(init, sidecars);
    } else {
      addAmounts(own, sidecars);
      max(init, own);
    }
  }
  max(requests, init);
  for (const name of podLevelRequests(pod)) requests[name] = quantityOf(name, pod.spec.resources?.requests?.[name] ?? 0);
  addAmounts(requests, amountsOf(pod.spec.overhead));
  return requests;
}

export const NON_ZERO_DEFAULTS: Amounts = { cpu: DEFAULT_MILLI_CPU_REQUEST, memory: DEFAULT_MEMORY_REQUEST };
export const NO_AMOUNTS: Amounts = {};

/** With Pod-level requests only what no container asks for at all gets a default. */
export function nonZeroDefaults(pod: Pod, requests: Amounts): Amounts {
  if (podLevelRequests(pod).length === 0) return NON_ZERO_DEFAULTS;
  return Object.fromEntries(Object.entries(NON_ZERO_DEFAULTS).filter(([name]) => requests[name] === undefined));
}
