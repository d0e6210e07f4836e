// Models kubernetes/pkg/quota/v1/evaluator/core and staging/src/k8s.io/apiserver/pkg/quota/v1: what objects charge to a ResourceQuota
import { labelSelectorAsSelector, matches } from "./labels.ts";
import { podLimits, podRequests } from "./pod-resources.ts";
import { computePodQOS } from "./qos.ts";
import { addQuantity, compareQuantity, quantityFromValue, toQuantity, value } from "./quantity.ts";
import { type Micros, parseRfc3339, SECOND } from "./time.ts";
import type { KubeObject, Pod, Quantity, ResourceList, Service } from "./types.ts";
import { isExtendedResourceName, isHugePageResourceName } from "./validation/resources.ts";

interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface ResourceQuota extends KubeObject {
  readonly spec?: { readonly hard?: ResourceList; readonly scopes?: readonly string[]; readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] } };
  readonly status?: { readonly hard?: ResourceList; readonly used?: ResourceList };
}

const POD_RESOURCES = new Set([
  "count/pods", "pods", "cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory", "requests.ephemeral-storage", "limits.cpu", "limits.memory", "limits.ephemeral-storage",
]);
const PREFIXED = ["cpu", "memory", "ephemeral-storage"];
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const CLASS_SUFFIX = ".storageclass.storage.k8s.io/";
const CLAIM_RESOURCES = ["persistentvolumeclaims", "requests.storage"];
const SERVICE_RESOURCES = new Set(["count/services", "services", "services.nodeports", "services.loadbalancers"]);
const COUNTED = new Set(["configmaps", "secrets", "replicationcontrollers", "resourcequotas"]);

/** "count/deployments.apps", "count/pods". */
export const countName = (group: string, resource: string): string => `count/${group === "" ? resource : `${resource}.${group}`}`;

/** The names under which one container or Pod counts. */
export function computeUsage(requests: ResourceList, limits: ResourceList): Record<string, Quantity> {
  const usage: Record<string, Quantity> = { pods: "1" };
  for (const name of PREFIXED) {
    const request = requests[name];
    const limit = limits[name];
    if (request !== undefined) Object.assign(usage, { [name]: request, [`requests.${name}`]: request });
    if (limit !== undefined) usage[`limits.${name}`] = limit;
  }
  for (const [name, request] of Object.entries(requests)) {
    if (isHugePageResourceName(name)) usage[name] = request;
    if (isHugePageResourceName(name) || isExtendedResourceName(name)) usage[`requests.${name}`] = request;
  }
  return usage;
}

/** QuotaV1Pod: neither finished nor terminating beyond its grace period. */
export function isPodCharged(pod: Pod, now: Micros): boolean {
  if (pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed") return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  return deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined || now <= parseRfc3339(deletionTimestamp) + deletionGracePeriodSeconds * SECOND;
}

function serviceUsage({ spec }: Service): ResourceList {
  const declared = spec.ports ?? [];
  const usage = { "count/services": "1", services: "1", "services.nodeports": "0", "services.loadbalancers": "0" };
  if (spec.type === "NodePort") return { ...usage, "services.nodeports": String(declared.length) };
  if (spec.type !== "LoadBalancer") return usage;
  const nodePorts = spec.allocateLoadBalancerNodePorts === false ? declared.filter((port) => (port.nodePort ?? 0) !== 0).length : declared.length;
  return { ...usage, "services.loadbalancers": "1", "services.nodeports": String(nodePorts) };
}

interface ClaimShape {
  readonly spec?: { readonly storageClassName?: string; readonly volumeAttributesClassName?: string; readonly resources?: { readonly requests?: ResourceList } };
  readonly status?: { readonly allocatedResources?: ResourceList; readonly currentVolumeAttributesClassName?: string; readonly modifyVolumeStatus?: { readonly targetVolumeAttributesClassName?: string } };
}

/** Whole bytes; an expansion under way counts as large as it will be. */
function storageOf({ spec, status }: ClaimShape): Quantity | undefined {
  const asked = spec?.resources?.requests?.["storage"];
  const allocated = status?.allocatedResources?.["storage"];
  const counted = asked !== undefined && allocated !== undefined && compareQuantity(allocated, asked) > 0 ? allocated : asked;
  return counted === undefined || toQuantity(counted).nano % 1_000_000_000n === 0n ? counted : quantityFromValue(value(counted), toQuantity(counted).format);
}

function claimUsage(claim: KubeObject): ResourceList {
  const storage = storageOf(claim as ClaimShape);
  const usage: Record<string, Quantity> = { "count/persistentvolumeclaims": "1", persistentvolumeclaims: "1" };
  if (storage !== undefined) usage["requests.storage"] = storage;
  const className = claim.metadata.annotations?.[CLASS_ANNOTATION] ?? (claim as ClaimShape).spec?.storageClassName ?? "";
  if (className === "") return usage;
  return { ...usage, [`${className}${CLASS_SUFFIX}persistentvolumeclaims`]: "1", ...(storage === undefined ? {} : { [`${className}${CLASS_SUFFIX}requests.storage`]: storage }) };
}

/** What an object charges, under every name it counts by. */
export function usageOf(object: KubeObject, group: string, resource: string, now: Micros): ResourceList {
  if (group === "" && resource === "pods") {
    const pod = object as Pod;
    return { "count/pods": "1", ...(isPodCharged(pod, now) ? computeUsage(podRequests(pod.spec), podLimits(pod.spec)) : {}) };
  }
  if (group === "" && resource === "services") return serviceUsage(object as Service);
  if (group === "" && resource === "persistentvolumeclaims") return claimUsage(object);
  const counted = { [countName(group, resource)]: "1" };
  return group === "" && COUNTED.has(resource) ? { ...counted, [resource]: "1" } : counted;
}

/** MatchingResources: the names of a quota that objects of this kind are charged to. */
export function matchingResources(names: readonly string[], group: string, resource: string): readonly string[] {
  if (group === "" && resource === "pods") return names.filter((name) => POD_RESOURCES.has(name) || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-") || (name.startsWith("requests.") && isExtendedResourceName(name.slice("requests.".length))));
  if (group === "" && resource === "services") return names.filter((name) => SERVICE_RESOURCES.has(name));
  if (group === "" && resource === "persistentvolumeclaims") return names.filter((name) => name === "count/persistentvolumeclaims" || CLAIM_RESOURCES.some((entry) => name === entry || name.endsWith(CLASS_SUFFIX + entry)));
  return names.filter((name) => name === countName(group, resource) || (group === "" && COUNTED.has(resource) && name === resource));
}

export const isActiveDeadlineSet = (pod: Pod): boolean => pod.spec.activeDeadlineSeconds !== undefined && pod.spec.activeDeadlineSeconds >= 0;

function crossNamespace(pod: Pod): boolean {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((a) => [
    ...(a?.requiredDuringSchedulingIgnoredDuringExecution ?? []), ...(a?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((t) => t.podAffinityTerm),
  ]);
  return terms.some((t) => (t.namespaces ?? []).length > 0 || t.namespaceSelector !== undefined);
}

function podMatchesScope(pod: Pod, { scopeName, operator, values }: ScopeRequirement): boolean {
  switch (scopeName) {
    case "Terminating": return isActiveDeadlineSet(pod);
    case "NotTerminating": return !isActiveDeadlineSet(pod);
    case "BestEffort": return computePodQOS(pod.spec) === "BestEffort";
    case "NotBestEffort": return computePodQOS(pod.spec) !== "BestEffort";
    case "CrossNamespacePodAffinity": return crossNamespace(pod);
    case "PriorityClass": {
      const name = pod.spec.priorityClassName ?? "";
      if (operator === "Exists") return name !== "";
      const requirements = labelSelectorAsSelector({ matchExpressions: [{ key: "PriorityClass", operator, ...(values === undefined ? {} : { values }) }] });
      return typeof requirements !== "string" && matches(requirements, name === "" ? {} : { PriorityClass: name });
    }
    default: return false;
  }
}

/** A claim in a VolumeAttributesClass, or on its way into one. */
function claimMatchesScope({ spec, status }: ClaimShape, { scopeName, operator, values = [] }: ScopeRequirement): boolean {
  if (scopeName !== "VolumeAttributesClass") return false;
  const names = [spec?.volumeAttributesClassName ?? "", status?.currentVolumeAttributesClassName ?? "", status?.modifyVolumeStatus?.targetVolumeAttributesClassName ?? ""].filter((name) => name !== "");
  if (operator === "Exists") return names.length > 0;
  if (operator === "DoesNotExist") return names.length === 0;
  return operator === "In" ? names.some((name) => values.includes(name)) : !names.some((name) => values.includes(name));
}

/** Only Pods and claims know scopes; a quota with scopes counts nothing else. */
export function scopesMatch(quota: ResourceQuota, object: KubeObject, group: string, resource: string): boolean {
  const scopes = [...(quota.spec?.scopes ?? []).map((scopeName): ScopeRequirement => ({ scopeName, operator: "Exists" })), ...(quota.spec?.scopeSelector?.matchExpressions ?? [])];
  return scopes.every((scope) => group === "" && (resource === "pods" ? podMatchesScope(object as Pod, scope) : resource === "persistentvolumeclaims" && claimMatchesScope(object as ClaimShape, scope)));
}

/** Objects of one kind in the quota's namespace. */
export interface Charged {
  readonly group: string;
  readonly resource: string;
  readonly objects: readonly KubeObject[];
}

/** CalculateUsage: the sum of what these objects charge, for the names in the quota's spec that they can be charged to. */
export function calculateUsage(quota: ResourceQuota, kinds: readonly Charged[], now: Micros): ResourceList {
  const names = Object.keys(quota.spec?.hard ?? {});
  const used: Record<string, Quantity> = {};
  for (const { group, resource, objects } of kinds) {
    const tracked = matchingResources(names, group, resource);
    if (tracked.length === 0) continue;
    for (const name of tracked) used[name] ??= "0";
    for (const object of objects) {
      if (!scopesMatch(quota, object, group, resource)) continue;
      const usage = usageOf(object, group, resource, now);
      for (const name of tracked) if (usage[name] !== undefined) used[name] = addQuantity(used[name], usage[name]);
    }
  }
  return used;
}
