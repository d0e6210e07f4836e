// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/discovery and pkg/controlplane's own documents
import { base64EncodeBytes } from "../api/base64.ts";
import { API_RESOURCES, type ApiResource, verbsOf } from "../api/schema/resources.ts";
import { sha256 } from "../api/sha256.ts";

interface Subresource {
  readonly subresource: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
}

const SUBRESOURCE_VERBS: Readonly<Record<string, readonly string[]>> = {
  binding: ["create"], eviction: ["create"], token: ["create"], log: ["get"], finalize: ["update"], attach: ["create", "get"], exec: ["create", "get"], portforward: ["create", "get"],
  proxy: ["create", "delete", "get", "patch", "update"],
};
const SUBRESOURCE_KINDS: Readonly<Record<string, readonly [string, string, string]>> = {
  scale: ["autoscaling", "v1", "Scale"], binding: ["", "v1", "Binding"], eviction: ["policy", "v1", "Eviction"], token: ["authentication.k8s.io", "v1", "TokenRequest"],
  attach: ["", "v1", "PodAttachOptions"], exec: ["", "v1", "PodExecOptions"], portforward: ["", "v1", "PodPortForwardOptions"],
};

/** The kind that a subresource speaks, where it is not its resource's own. */
export function subresourceKind(kind: string, subresource: string): { readonly group: string; readonly version: string; readonly kind: string } | undefined {
  if (subresource === "proxy") return { group: "", version: "v1", kind: `${kind}ProxyOptions` };
  const known = SUBRESOURCE_KINDS[subresource];
  return known === undefined ? undefined : { group: known[0], version: known[1], kind: known[2] };
}

function subresourcesOf(api: ApiResource): readonly Subresource[] {
  return api.subresources.map((subresource) => {
    const kind = subresourceKind(api.kind, subresource) ?? { group: api.group, version: api.version, kind: api.kind };
    return { subresource, kind, verbs: SUBRESOURCE_VERBS[subresource] ?? ["get", "patch", "update"] };
  });
}

const aggregatedResource = (api: ApiResource): object => {
  const subresources = subresourcesOf(api).map(({ subresource, kind, verbs }) => ({ subresource, responseKind: kind, verbs }));
  return {
    resource: api.resource, responseKind: { group: api.group, version: api.version, kind: api.kind }, scope: api.namespaced ? "Namespaced" : "Cluster", singularResource: api.singular, verbs: verbsOf(api),
    ...(api.shortNames.length === 0 ? {} : { shortNames: api.shortNames }), ...(api.categories.length === 0 ? {} : { categories: api.categories }), ...(subresources.length === 0 ? {} : { subresources }),
  };
};

/** StorageVersionHash: kinds that are stored under another group or version than the one they are asked in. */
const STORED_AS: Readonly<Record<string, string>> = { "events.k8s.io/v1/Event": "/v1/Event", "autoscaling/v1/HorizontalPodAutoscaler": "autoscaling/v2/HorizontalPodAutoscaler", ...Object.fromEntries(["admissionregistration.k8s.io MutatingAdmissionPolicy", "admissionregistration.k8s.io MutatingAdmissionPolicyBinding", "apiextensions.k8s.io CustomResourceDefinition"].map((text) => [text.replace(" ", "/v1/"), text.replace(" ", "/v1beta1/")])) };

/** What changes when objects are stored in another version: eight bytes of a SHA-256, in base64. */
function storageVersionHash({ group, version, kind, custom }: ApiResource): string {
  const own = `${group}/${custom === undefined ? version : custom.storage.name}/${kind}`;
  return base64EncodeBytes(sha256(STORED_AS[own] ?? own).slice(0, 8));
}

function listResources(api: ApiResource): readonly object[] {
  const { resource, singular, namespaced, kind, shortNames, categories } = api;
  const own = { name: resource, singularName: singular, namespaced, kind, verbs: verbsOf(api), ...(shortNames.length === 0 ? {} : { shortNames }), ...(categories.length === 0 ? {} : { categories }), ...(api.createOnly || kind === "ComponentStatus" ? {} : { storageVersionHash: storageVersionHash(api) }) };
  const others = subresourcesOf(api).map(({ subresource, kind: of, verbs }) => ({
    name: `${resource}/${subresource}`, singularName: "", namespaced, ...(of.group === api.group && of.version === api.version ? {} : { group: of.group, version: of.version }), kind: of.kind, verbs,
  }));
  return [own, ...others];
}

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
const versionsOf = (all: readonly ApiResource[], group: string): readonly string[] => unique(all.filter((api) => api.group === group).map(({ version }) => version));

function groupOf(all: readonly ApiResource[], group: string): object {
  const versions = versionsOf(all, group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

/** Of a group whose server does not answer the versions are named, as stale. */
const aggregated = (all: readonly ApiResource[], groups: readonly string[], stale: readonly string[]): object => ({
  kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {},
  items: [...stale.map((groupVersion) => ({ metadata: { name: groupVersion.split("/")[0], creationTimestamp: null }, versions: [{ version: groupVersion.split("/")[1], freshness: "Stale" }] })), ...groups.map((name) => ({ metadata: { ...(name === "" ? {} : { name }), creationTimestamp: null }, versions: versionsOf(all, name).map((version) => ({ version, resources: all.filter((api) => api.group === name && api.version === version).map(aggregatedResource), freshness: "Current" })) }))],
});

function documentOf(path: string, all: readonly ApiResource[], whole: boolean, stale: readonly string[]): object | undefined {
  const groups = unique(all.map(({ group }) => group).filter((group) => group !== ""));
  if (path === "/api") return whole ? aggregated(all, [""], []) : { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "" }] };
  if (path === "/apis") return whole ? aggregated(all, groups, stale) : { kind: "APIGroupList", apiVersion: "v1", groups: groups.map((group) => groupOf(all, group)) };
  const [, root, first = "", second] = path.split("/");
  if (root === "apis" && second === undefined) return groups.includes(first) ? { kind: "APIGroup", apiVersion: "v1", ...groupOf(all, first) } : undefined;
  const groupVersion = root === "apis" ? `${first}/${second ?? ""}` : first;
  const resources = all.filter(({ apiVersion }) => apiVersion === groupVersion);
  return resources.length === 0 ? undefined : { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources: resources.flatMap(listResources) };
}

const built = new WeakMap<readonly ApiResource[], Map<string, object | undefined>>();

/** A discovery document for what is served now; undefined for an unknown group or version. `whole` is the aggregated form. */
export function discoveryDocument(path: string, custom: readonly ApiResource[], whole: boolean, stale: readonly string[] = []): object | undefined {
  let documents = built.get(custom);
  if (documents === undefined) {
    documents = new Map();
    built.set(custom, documents);
  }
  const key = `${path} ${whole} ${stale.join()}`;
  if (!documents.has(key)) documents.set(key, documentOf(path, [...API_RESOURCES, ...custom], whole, stale));
  return documents.get(key);
}
