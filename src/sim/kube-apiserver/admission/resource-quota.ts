// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go
import { addQuantity, canonicalQuantity, compareQuantity, subQuantity, toQuantity } from "../../api/quantity.ts";
import { computeUsage, matchingResources, type ResourceQuota, scopesMatch, usageOf } from "../../api/quota.ts";
import type { Container, KubeObject, Pod, ResourceList, Status } from "../../api/types.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid } from "./attributes.ts";

/** Which evaluator counts an object. */
type Kind = "pod" | "claim" | "other";
const kindOf = ({ group, resource }: AdmissionAttributes): Kind => (group !== "" ? "other" : resource === "pods" ? "pod" : resource === "persistentvolumeclaims" ? "claim" : "other");

/** Naming one of these in a quota obliges every container to say how much it wants. */
const CONSTRAINED = ["cpu", "limits.cpu", "limits.memory", "memory", "requests.cpu", "requests.memory"];

const sortedKeys = (list: ResourceList): string[] => Object.keys(list).sort((a, b) => (a < b ? -1 : 1));
const pretty = (list: ResourceList, names: readonly string[]): string => names.map((name) => `${name}=${canonicalQuantity(list[name] ?? 0)}`).join(",");

// Simplified: upstream's evaluator has a clock here too, and a Pod beyond its grace period charges nothing when it is changed.
const BEFORE_ANY_DELETION = Number.NEGATIVE_INFINITY;

const charges = (object: KubeObject, { group, resource }: AdmissionAttributes): ResourceList => usageOf(object, group, resource, BEFORE_ANY_DELETION);

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
function interestingQuotas(object: KubeObject, attrs: AdmissionAttributes, usage: ResourceList): readonly Charge[] | Status {
  const { oldObject, group, resource } = attrs;
  const old = attrs.operation === "UPDATE" && oldObject !== undefined ? charges(oldObject, attrs) : undefined;
  const found: Charge[] = [];
  for (const quota of attrs.list("resourcequotas", attrs.namespace) as readonly ResourceQuota[]) {
    const restricted = matchingResources(sortedKeys(quota.status?.hard ?? {}), group, resource);
    if (restricted.length === 0 || !scopesMatch(quota, object, group, resource)) continue;
    const unmet = kindOf(attrs) === "pod" ? missingConstraints(object as Pod, restricted) : undefined;
    if (unmet !== undefined) return forbid(attrs, object, `failed quota: ${quota.metadata.name ?? ""}: ${unmet}`);
    if (restricted.some((name) => quota.status?.used?.[name] === undefined)) return forbid(attrs, object, `status unknown for quota: ${quota.metadata.name ?? ""}, resources: ${restricted.join(",")}`);
    // A quota that did not count the object before is charged all of it.
    const counted = old !== undefined && oldObject !== undefined && scopesMatch(quota, oldObject, group, resource);
    found.push({ quota, requested: counted ? increase(usage, old) : positive(usage) });
  }
  return found;
}

/** The quotas as they must be written when the request goes through, or the refusal. Unchanged quotas are left out. */
export function checkQuotas(object: KubeObject, attrs: AdmissionAttributes): readonly KubeObject[] | Status {
  const usage = charges(object, attrs);
  const interesting = interestingQuotas(object, attrs, usage);
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
