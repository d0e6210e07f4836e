// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go and pkg/quota/v1/evaluator/core
import { labelSelectorAsSelector, matches } from "../../api/labels.ts";
import { podLimits, podRequests } from "../../api/pod-resources.ts";
import { addQuantity, canonicalQuantity, compareQuantity, subQuantity, toQuantity } from "../../api/quantity.ts";
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
  const ports = String((service.spec.ports ?? []).length);
  if (service.spec.type === "NodePort") usage["services.nodeports"] = ports;
  if (service.spec.type === "LoadBalancer") {
    usage["services.loadbalancers"] = "1";
    if (service.spec.allocateLoadBalancerNodePorts !== false) usage["services.nodeports"] = ports;
  }
  return usage;
}

function claimUsage(claim: KubeObject): ResourceList {
  const spec = (claim.spec ?? {}) as { readonly storageClassName?: string; readonly resources?: { readonly requests?: ResourceList } };
  const storage = spec.resources?.requests?.["storage"];
  const usage: Record<string, Quantity> = { "count/persistentvolumeclaims": "1", persistentvolumeclaims: "1" };
  if (storage !== undefined) usage["requests.storage"] = storage;
  if (!spec.storageClassName) return usage;
  const prefix = `${spec.storageClassName}.storageclass.storage.k8s.io`;
  return { ...usage, [`${prefix}/persistentvolumeclaims`]: "1", ...(storage === undefined ? {} : { [`${prefix}/requests.storage`]: storage }) };
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

function matchingResources(hard: ResourceList, usage: ResourceList, isPod: boolean): string[] {
  return sortedKeys(hard).filter((name) => {
    if (!isPod) return Object.hasOwn(usage, name);
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

function scopesMatch(quota: ResourceQuota, object: KubeObject, isPod: boolean): boolean {
  const scopes = [...(quota.spec?.scopes ?? []).map((scopeName): ScopeRequirement => ({ scopeName, operator: "Exists" })), ...(quota.spec?.scopeSelector?.matchExpressions ?? [])];
  return scopes.every((scope) => isPod && matchesScope(object as Pod, scope));
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

function delta(usage: ResourceList, old: ResourceList | undefined): ResourceList {
  if (!old) return usage;
  const left = Object.entries(usage).map(([name, q]) => [name, subQuantity(q, old[name])] as const);
  return Object.fromEntries(left.filter(([, q]) => toQuantity(q).nano > 0n));
}

/** The quotas as they must be written when the request goes through, or the refusal. Unchanged quotas are left out. */
export function checkQuotas(object: KubeObject, attrs: AdmissionAttributes): readonly KubeObject[] | Status {
  const isPod = attrs.group === "" && attrs.resource === "pods";
  const usage = quotaUsage(object, attrs.group, attrs.resource);
  const old = attrs.operation === "UPDATE" && attrs.oldObject ? quotaUsage(attrs.oldObject, attrs.group, attrs.resource) : undefined;
  const requested = delta(usage, old);
  const charged: KubeObject[] = [];
  const interesting: ResourceQuota[] = [];
  for (const quota of attrs.list("resourcequotas", attrs.namespace) as readonly ResourceQuota[]) {
    const restricted = matchingResources(quota.status?.hard ?? {}, usage, isPod);
    if (restricted.length === 0 || !scopesMatch(quota, object, isPod)) continue;
    const unmet = isPod ? missingConstraints(object as Pod, restricted) : undefined;
    if (unmet !== undefined) return forbid(attrs, object, `failed quota: ${quota.metadata.name ?? ""}: ${unmet}`);
    if (restricted.some((name) => quota.status?.used?.[name] === undefined)) return forbid(attrs, object, `status unknown for quota: ${quota.metadata.name ?? ""}, resources: ${restricted.join(",")}`);
    interesting.push(quota);
  }
  for (const quota of interesting) {
    const hard = quota.status?.hard ?? {};
    const used = quota.status?.used ?? {};
    const names = sortedKeys(hard).filter((name) => requested[name] !== undefined && toQuantity(requested[name]).nano !== 0n);
    const over = names.filter((name) => compareQuantity(addQuantity(used[name], requested[name]), hard[name]) > 0);
    if (over.length > 0) return forbid(attrs, object, `exceeded quota: ${quota.metadata.name ?? ""}, requested: ${pretty(requested, over)}, used: ${pretty(used, over)}, limited: ${pretty(hard, over)}`);
    if (names.length === 0) continue;
    charged.push({ ...quota, status: { ...quota.status, used: { ...used, ...Object.fromEntries(names.map((name) => [name, addQuantity(used[name], requested[name])])) } } } as KubeObject);
  }
  return charged;
}

/** Charged last, so that a request refused elsewhere costs nothing. `checkQuotas` gives the objects to write. */
export const resourceQuota = {
  name: "ResourceQuota",

  handles({ group, resource, subresource, namespace, operation }) {
    if (namespace === "" || subresource !== "" || (resource === "events" && group !== "apps")) return false;
    if (operation === "CREATE") return true;
    return operation === "UPDATE" && group === "" && (resource === "services" || resource === "persistentvolumeclaims");
  },

  validate(object, attrs) {
    const result = checkQuotas(object, attrs);
    return "code" in result ? (result as Status) : undefined;
  },
} satisfies AdmissionPlugin;
