// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go and pkg/quota/v1/evaluator/core
import { labelSelectorAsSelector, matches } from "../../api/labels.ts";
import { podLimits, podRequests } from "../../api/pod-resources.ts";
import { addQuantity, canonicalQuantity, compareQuantity, quantityFromValue, subQuantity, toQuantity, value } from "../../api/quantity.ts";
import { computePodQOS } from "../../api/qos.ts";
import type { Container, KubeObject, Pod, Quantity, ResourceList, Service, Status } from "../../api/types.ts";
import { isExtendedResourceName, isHugePageResourceName } from "../../api/validation/resources.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid } from "./attributes.ts";

interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}
interface ResourceQuota extends KubeObject {
  readonly spec?: { readonly hard?: ResourceList; readonly scopes?: readonly string[]; readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] } };
  readonly status?: { readonly hard?: ResourceList; readonly used?: ResourceList };
}

/** Which evaluator counts an object. */
type Kind = "pod" | "claim" | "other";
const kindOf = ({ group, resource }: AdmissionAttributes): Kind => (group !== "" ? "other" : resource === "pods" ? "pod" : resource === "persistentvolumeclaims" ? "claim" : "other");

const POD_RESOURCES = new Set([
  "count/pods", "pods", "cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory", "requests.ephemeral-storage", "limits.cpu", "limits.memory", "limits.ephemeral-storage",
]);
/** Naming one of these in a quota obliges every container to say how much it wants. */
const CONSTRAINED = ["cpu", "limits.cpu", "limits.memory", "memory", "requests.cpu", "requests.memory"];
const PREFIXED = ["cpu", "memory", "ephemeral-storage"];

const sortedKeys = (list: ResourceList): string[] => Object.keys(list).sort((a, b) => (a < b ? -1 : 1));
const pretty = (list: ResourceList, names: readonly string[]): string => names.map((name) => `${name}=${canonicalQuantity(list[name] ?? 0)}`).join(",");

/** The names under which one container or Pod counts. */
function computeUsage(requests: ResourceList, limits: ResourceList): Record<string, Quantity> {
  const usage: Record<string, Quantity> = { pods: "1" };
  for (const name of PREFIXED) {
    const request = requests[name];
    const limit = limits[name];
    if (request !== undefined) {
      usage[name] = request;
      usage[`requests.${name}`] = request;
    }
    if (limit !== undefined) usage[`limits.${name}`] = limit;
  }
  for (const [name, request] of Object.entries(requests)) {
    if (isHugePageResourceName(name)) usage[name] = request;
    if (isHugePageResourceName(name) || isExtendedResourceName(name)) usage[`requests.${name}`] = request;
  }
  return usage;
}

function podUsage(pod: Pod): ResourceList {
  const counted: Record<string, Quantity> = { "count/pods": "1" };
  if (pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed") return counted;
  return { ...counted, ...computeUsage(podRequests(pod.spec), podLimits(pod.spec)) };
}

function serviceUsage(service: Service): ResourceList {
  const usage: Record<string, Quantity> = { "count/services": "1", services: "1", "services.nodeports": "0", "services.loadbalancers": "0" };
  const declared = service.spec.ports ?? [];
  const ports = String(declared.length);
  if (service.spec.type === "NodePort") usage["services.nodeports"] = ports;
  if (service.spec.type === "LoadBalancer") {
    usage["services.loadbalancers"] = "1";
    // Node ports are not allocated yet: what is meant counts.
    usage["services.nodeports"] = service.spec.allocateLoadBalancerNodePorts === false ? String(declared.filter((port) => (port.nodePort ?? 0) !== 0).length) : ports;
  }
  return usage;
}

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const CLASS_SUFFIX = ".storageclass.storage.k8s.io/";
const CLAIM_RESOURCES = ["persistentvolumeclaims", "requests.storage"];

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

const COUNTED = new Set(["configmaps", "secrets", "replicationcontrollers", "resourcequotas"]);

/** What an object charges. */
export function quotaUsage(object: KubeObject, group: string, resource: string): ResourceList {
  if (group === "" && resource === "pods") return podUsage(object as Pod);
  if (group === "" && resource === "services") return serviceUsage(object as Service);
  if (group === "" && resource === "persistentvolumeclaims") return claimUsage(object);
  const counted = { [`count/${group === "" ? resource : `${resource}.${group}`}`]: "1" };
  return group === "" && COUNTED.has(resource) ? { ...counted, [resource]: "1" } : counted;
}

function matchingResources(hard: ResourceList, usage: ResourceList, kind: Kind): string[] {
  return sortedKeys(hard).filter((name) => {
    if (kind === "claim") return Object.hasOwn(usage, name) || CLAIM_RESOURCES.some((resource) => name === resource || name.endsWith(CLASS_SUFFIX + resource));
    if (kind !== "pod") return Object.hasOwn(usage, name);
    return POD_RESOURCES.has(name) || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-") || (name.startsWith("requests.") && isExtendedResourceName(name.slice("requests.".length)));
  });
}

const isTerminating = (pod: Pod): boolean => pod.spec.activeDeadlineSeconds !== undefined && pod.spec.activeDeadlineSeconds >= 0;

function crossNamespace(pod: Pod): boolean {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((a) => [
    ...(a?.requiredDuringSchedulingIgnoredDuringExecution ?? []), ...(a?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((t) => t.podAffinityTerm),
  ]);
  return terms.some((t) => (t.namespaces ?? []).length > 0 || t.namespaceSelector !== undefined);
}

function matchesScope(pod: Pod, { scopeName, operator, values }: ScopeRequirement): boolean {
  switch (scopeName) {
    case "Terminating":
      return isTerminating(pod);
    case "NotTerminating":
      return !isTerminating(pod);
    case "BestEffort":
      return computePodQOS(pod.spec) === "BestEffort";
    case "NotBestEffort":
      return computePodQOS(pod.spec) !== "BestEffort";
    case "CrossNamespacePodAffinity":
      return crossNamespace(pod);
    case "PriorityClass": {
      const name = pod.spec.priorityClassName ?? "";
      if (operator === "Exists") return name !== "";
      const requirements = labelSelectorAsSelector({ matchExpressions: [{ key: "PriorityClass", operator, ...(values === undefined ? {} : { values }) }] });
      return typeof requirements !== "string" && matches(requirements, name === "" ? {} : { PriorityClass: name });
    }
    default:
      return false;
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

function scopesMatch(quota: ResourceQuota, object: KubeObject, kind: Kind): boolean {
  const scopes = [...(quota.spec?.scopes ?? []).map((scopeName): ScopeRequirement => ({ scopeName, operator: "Exists" })), ...(quota.spec?.scopeSelector?.matchExpressions ?? [])];
  return scopes.every((scope) => (kind === "pod" ? matchesScope(object as Pod, scope) : kind === "claim" && claimMatchesScope(object as ClaimShape, scope)));
}

function missingConstraints(pod: Pod, required: readonly string[]): string | undefined {
  const levels = Object.keys({ ...pod.spec.resources?.requests, ...pod.spec.resources?.limits });
  if (levels.length > 0) return undefined;
  const unnamed = (container: Container, resource: string): boolean => !Object.hasOwn(computeUsage(container.resources?.requests ?? {}, container.resources?.limits ?? {}), resource);
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  const parts = CONSTRAINED.filter((resource) => required.includes(resource)).flatMap((resource) => {
    const names = [...new Set(containers.filter((c) => unnamed(c, resource)).map((c) => c.name))].sort((a, b) => (a < b ? -1 : 1));
    return names.length === 0 ? [] : [`${resource} for: ${names.join(",")}`];
  });
  return parts.length === 0 ? undefined : `must specify ${parts.join("; ")}`;
}

const positive = (usage: ResourceList): ResourceList => Object.fromEntries(Object.entries(usage).filter(([, q]) => toQuantity(q).nano > 0n));

/** What an update asks for more than before; nothing is given back here, the quota controller counts again. */
const increase = (usage: ResourceList, old: ResourceList): ResourceList => positive(Object.fromEntries(Object.entries(usage).map(([name, q]) => [name, subQuantity(q, old[name])])));

interface Charge {
  readonly quota: ResourceQuota;
  readonly requested: ResourceList;
}

/** The quotas that the request counts for, each with what it is charged; or the refusal of a request that says too little. */
function interestingQuotas(object: KubeObject, attrs: AdmissionAttributes, kind: Kind, usage: ResourceList): readonly Charge[] | Status {
  const { oldObject } = attrs;
  const old = attrs.operation === "UPDATE" && oldObject !== undefined ? quotaUsage(oldObject, attrs.group, attrs.resource) : undefined;
  const found: Charge[] = [];
  for (const quota of attrs.list("resourcequotas", attrs.namespace) as readonly ResourceQuota[]) {
    const restricted = matchingResources(quota.status?.hard ?? {}, usage, kind);
    if (restricted.length === 0 || !scopesMatch(quota, object, kind)) continue;
    const unmet = kind === "pod" ? missingConstraints(object as Pod, restricted) : undefined;
    if (unmet !== undefined) return forbid(attrs, object, `failed quota: ${quota.metadata.name ?? ""}: ${unmet}`);
    if (restricted.some((name) => quota.status?.used?.[name] === undefined)) return forbid(attrs, object, `status unknown for quota: ${quota.metadata.name ?? ""}, resources: ${restricted.join(",")}`);
    // A quota that did not count the object before is charged all of it.
    const counted = old !== undefined && oldObject !== undefined && scopesMatch(quota, oldObject, kind);
    found.push({ quota, requested: counted ? increase(usage, old) : positive(usage) });
  }
  return found;
}

/** The quotas as they must be written when the request goes through, or the refusal. Unchanged quotas are left out. */
export function checkQuotas(object: KubeObject, attrs: AdmissionAttributes): readonly KubeObject[] | Status {
  const usage = quotaUsage(object, attrs.group, attrs.resource);
  const interesting = interestingQuotas(object, attrs, kindOf(attrs), usage);
  if ("code" in interesting) return interesting as Status;
  const negative = sortedKeys(usage).filter((name) => toQuantity(usage[name]).nano < 0n);
  if (negative.length > 0) return forbid(attrs, object, `quota usage is negative for resource(s): ${negative.join(",")}`);
  const charged: KubeObject[] = [];
  for (const { quota, requested } of interesting as readonly Charge[]) {
    const hard = quota.status?.hard ?? {};
    const used = quota.status?.used ?? {};
    const names = sortedKeys(hard).filter((name) => requested[name] !== undefined);
    const over = names.filter((name) => compareQuantity(addQuantity(used[name], requested[name]), hard[name]) > 0);
    if (over.length > 0 && attrs.subresource !== "status") return forbid(attrs, object, `exceeded quota: ${quota.metadata.name ?? ""}, requested: ${pretty(requested, over)}, used: ${pretty(used, over)}, limited: ${pretty(hard, over)}`);
    if (names.length === 0) continue;
    charged.push({ ...quota, status: { ...quota.status, used: { ...used, ...Object.fromEntries(names.map((name) => [name, addQuantity(used[name], requested[name])])) } } } as KubeObject);
  }
  return charged;
}

/** Charged last, so that a request refused elsewhere costs nothing. `checkQuotas` gives the objects to write. */
export const resourceQuota = {
  name: "ResourceQuota",

  handles(attrs) {
    const { group, resource, subresource, namespace, operation, oldObject } = attrs;
    if (namespace === "" || operation === "DELETE" || operation === "CONNECT" || (resource === "events" && group !== "apps")) return false;
    const kind = kindOf(attrs);
    if (kind === "pod" && subresource === "resize") return operation === "UPDATE";
    if (kind === "claim" && subresource === "status") return operation === "UPDATE";
    if (subresource !== "") return false;
    if (operation === "CREATE") return true;
    if (kind === "pod") return oldObject !== undefined;
    return kind === "claim" || (group === "" && resource === "services");
  },

  validate(object, attrs) {
    const result = checkQuotas(object, attrs);
    return "code" in result ? (result as Status) : undefined;
  },
} satisfies AdmissionPlugin;
