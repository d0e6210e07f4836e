// Models kubernetes/plugin/pkg/admission/limitranger/admission.go
import { podLimits, podRequests } from "../../api/pod-resources.ts";
import { canonicalQuantity, compareQuantity, milliValue } from "../../api/quantity.ts";
import type { Container, KubeObject, Pod, Quantity, ResourceList } from "../../api/types.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid } from "./attributes.ts";

interface LimitRangeItem {
  readonly type: string;
  readonly min?: ResourceList;
  readonly max?: ResourceList;
  readonly default?: ResourceList;
  readonly defaultRequest?: ResourceList;
  readonly maxLimitRequestRatio?: ResourceList;
}

const ANNOTATION = "kubernetes.io/limit-ranger";

const items = (limitRange: KubeObject): readonly LimitRangeItem[] => (limitRange.spec as { readonly limits?: readonly LimitRangeItem[] } | undefined)?.limits ?? [];
const sorted = (list: ResourceList | undefined): [string, Quantity][] => Object.entries(list ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

/** Fills what a container leaves out and says so in an annotation. */
function fillContainer(container: Container, limits: ResourceList, requests: ResourceList, what: string, notes: string[]): Container {
  const fill = (have: ResourceList | undefined, defaults: ResourceList, word: string): ResourceList => {
    const missing = sorted(defaults).filter(([name]) => !Object.hasOwn(have ?? {}, name));
    if (missing.length > 0) notes.push(`${missing.map(([name]) => name).join(", ")} ${word} for ${what} ${container.name}`);
    return { ...have, ...Object.fromEntries(missing) };
  };
  const before = notes.length;
  // Upstream notes requests before limits.
  const filledRequests = fill(container.resources?.requests, requests, "request");
  const filledLimits = fill(container.resources?.limits, limits, "limit");
  return notes.length === before ? container : { ...container, resources: { ...container.resources, ...(Object.keys(filledLimits).length > 0 ? { limits: filledLimits } : {}), ...(Object.keys(filledRequests).length > 0 ? { requests: filledRequests } : {}) } };
}

function mutatePod(pod: Pod, limitRange: KubeObject): Pod {
  const container = items(limitRange).filter((item) => item.type === "Container");
  const limits = Object.assign({}, ...container.map((item) => item.default ?? {})) as ResourceList;
  const requests = Object.assign({}, ...container.map((item) => item.defaultRequest ?? {})) as ResourceList;
  const notes: string[] = [];
  const containers = pod.spec.containers.map((c) => fillContainer(c, limits, requests, "container", notes));
  const initContainers = pod.spec.initContainers?.map((c) => fillContainer(c, limits, requests, "init container", notes));
  if (notes.length === 0) return pod;
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, [ANNOTATION]: `LimitRanger plugin set: ${notes.join("; ")}` } },
    spec: { ...pod.spec, containers, ...(initContainers === undefined ? {} : { initContainers }) },
  };
}

function minError(type: string, name: string, enforced: Quantity, requests: ResourceList, limits: ResourceList): string | undefined {
  const head = `minimum ${name} usage per ${type} is ${canonicalQuantity(enforced)}`;
  const request = requests[name];
  const limit = limits[name];
  if (request === undefined) return `${head}.  No request is specified`;
  if (compareQuantity(request, enforced) < 0) return `${head}, but request is ${canonicalQuantity(request)}`;
  return limit !== undefined && compareQuantity(limit, enforced) < 0 ? `${head}, but limit is ${canonicalQuantity(limit)}` : undefined;
}

function maxError(type: string, name: string, enforced: Quantity, requests: ResourceList, limits: ResourceList): string | undefined {
  const head = `maximum ${name} usage per ${type} is ${canonicalQuantity(enforced)}`;
  const request = requests[name];
  const limit = limits[name];
  if (limit === undefined) return `${head}.  No limit is specified`;
  if (compareQuantity(limit, enforced) > 0) return `${head}, but limit is ${canonicalQuantity(limit)}`;
  return request !== undefined && compareQuantity(request, enforced) > 0 ? `${head}, but request is ${canonicalQuantity(request)}` : undefined;
}

function ratioError(type: string, name: string, enforced: Quantity, requests: ResourceList, limits: ResourceList): string | undefined {
  const head = `${name} max limit to request ratio per ${type} is ${canonicalQuantity(enforced)}`;
  const request = milliValue(requests[name]);
  const limit = milliValue(limits[name]);
  if (request === 0) return `${head}, but no request is specified or request is 0`;
  if (limit === 0) return `${head}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  return ratio * 1000 > milliValue(enforced) ? `${head}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

function boundErrors(item: LimitRangeItem, requests: ResourceList, limits: ResourceList): string[] {
  return [
    ...sorted(item.min).map(([name, q]) => minError(item.type, name, q, requests, limits)),
    ...sorted(item.max).map(([name, q]) => maxError(item.type, name, q, requests, limits)),
    ...sorted(item.maxLimitRequestRatio).map(([name, q]) => ratioError(item.type, name, q, requests, limits)),
  ].filter((error) => error !== undefined);
}

function podErrors(pod: Pod, limitRange: KubeObject): string[] {
  return items(limitRange).flatMap((item) => {
    if (item.type === "Container") return [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].flatMap((c) => boundErrors(item, c.resources?.requests ?? {}, c.resources?.limits ?? {}));
    if (item.type !== "Pod") return [];
    return boundErrors(item, podRequests(pod.spec, { excludeOverhead: true }), podLimits(pod.spec, { excludeOverhead: true }));
  });
}

function claimErrors(claim: KubeObject, limitRange: KubeObject): string[] {
  const requests = (claim.spec as { readonly resources?: { readonly requests?: ResourceList } } | undefined)?.resources?.requests ?? {};
  return items(limitRange).filter((item) => item.type === "PersistentVolumeClaim").flatMap((item) => [
    ...sorted(item.min).map(([name, q]) => minError(item.type, name, q, requests, {})),
    ...sorted(item.max).map(([name, q]) => {
      const request = requests[name];
      const head = `maximum ${name} usage per ${item.type} is ${canonicalQuantity(q)}`;
      if (request === undefined) return `${head}.  No request is specified`;
      return compareQuantity(request, q) > 0 ? `${head}, but request is ${canonicalQuantity(request)}` : undefined;
    }),
  ].filter((error) => error !== undefined));
}

/** Simplified: upstream's list of several errors comes in random (map) order; here it is sorted by resource. */
const aggregate = (errors: readonly string[]): string => {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? "") : `[${distinct.join(", ")}]`;
};

const ranges = (attrs: AdmissionAttributes): readonly KubeObject[] => attrs.list("limitranges", attrs.namespace);

/** Fills resources a container leaves out, then refuses what is outside the namespace's bounds. */
export const limitRanger = {
  name: "LimitRanger",

  handles({ group, resource, subresource, operation, oldObject }) {
    if (group !== "" || oldObject?.metadata.deletionTimestamp !== undefined) return false;
    if (resource === "pods" && subresource === "resize") return operation === "UPDATE";
    if (subresource !== "") return false;
    return (resource === "pods" && operation === "CREATE") || (resource === "persistentvolumeclaims" && (operation === "CREATE" || operation === "UPDATE"));
  },

  admit(object, attrs) {
    return attrs.resource === "pods" ? ranges(attrs).reduce<KubeObject>((pod, range) => mutatePod(pod as Pod, range), object) : object;
  },

  validate(object, attrs) {
    for (const range of ranges(attrs)) {
      const errors = attrs.resource === "pods" ? podErrors(object as Pod, range) : claimErrors(object, range);
      if (errors.length > 0) return forbid(attrs, object, aggregate(errors));
    }
    return undefined;
  },
} satisfies AdmissionPlugin;
