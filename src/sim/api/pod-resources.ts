// Models kubernetes/staging/src/k8s.io/component-helpers/resource/helpers.go
import { addQuantity, compareQuantity, toQuantity } from "./quantity.ts";
import type { Container, PodSpec, Quantity, ResourceList } from "./types.ts";

type Mutable = Record<string, Quantity>;
const NONE: ResourceList = {};

export const isRestartableInitContainer = (container: Container): boolean => container.restartPolicy === "Always";
export const isSupportedPodLevelResource = (name: string): boolean => name === "cpu" || name === "memory" || name.startsWith("hugepages-");

/** Sum of two resource lists. */
export function addResources(a: ResourceList, b: ResourceList): ResourceList {
  const out: Mutable = { ...a };
  for (const [name, quantity] of Object.entries(b)) out[name] = Object.hasOwn(out, name) ? addQuantity(out[name], quantity) : quantity;
  return out;
}

/** Larger of each resource. */
export function maxResources(a: ResourceList, b: ResourceList): ResourceList {
  const out: Mutable = { ...a };
  for (const [name, quantity] of Object.entries(b)) if (!Object.hasOwn(out, name) || compareQuantity(quantity, out[name]) > 0) out[name] = quantity;
  return out;
}

function aggregate(spec: PodSpec, of: (container: Container) => ResourceList): ResourceList {
  let total = NONE;
  for (const container of spec.containers) total = addResources(total, of(container));
  let sidecars = NONE;
  let initMax = NONE;
  // Sidecars that started earlier keep running beside every later init container.
  for (const container of spec.initContainers ?? []) {
    if (isRestartableInitContainer(container)) {
      total = addResources(total, of(container));
      sidecars = addResources(sidecars, of(container));
      initMax = maxResources(initMax, sidecars);
    } else initMax = maxResources(initMax, addResources(of(container), sidecars));
  }
  return maxResources(total, initMax);
}

export const aggregateContainerRequests = (spec: PodSpec): ResourceList => aggregate(spec, (c) => c.resources?.requests ?? NONE);
export const aggregateContainerLimits = (spec: PodSpec): ResourceList => aggregate(spec, (c) => c.resources?.limits ?? NONE);

const podLevel = (list: ResourceList | undefined): ResourceList => Object.fromEntries(Object.entries(list ?? NONE).filter(([name]) => isSupportedPodLevelResource(name)));

export interface PodResourcesOptions {
  readonly excludeOverhead?: boolean;
  readonly skipPodLevel?: boolean;
}

/** What a Pod needs on a node: containers, sidecars, the largest init step, pod-level resources, overhead. */
export function podRequests(spec: PodSpec, options: PodResourcesOptions = {}): ResourceList {
  let total = aggregateContainerRequests(spec);
  if (!options.skipPodLevel) total = { ...total, ...podLevel(spec.resources?.requests) };
  return options.excludeOverhead || !spec.overhead ? total : addResources(total, spec.overhead);
}

export function podLimits(spec: PodSpec, options: PodResourcesOptions = {}): ResourceList {
  let total = aggregateContainerLimits(spec);
  if (!options.skipPodLevel) total = { ...total, ...podLevel(spec.resources?.limits) };
  if (options.excludeOverhead || !spec.overhead) return total;
  // Overhead never creates a limit, it only widens one.
  const limited = Object.entries(spec.overhead).filter(([name]) => toQuantity(total[name]).nano !== 0n);
  return addResources(total, Object.fromEntries(limited));
}
