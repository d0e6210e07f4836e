// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/discovery and pkg/controlplane's own documents
import { API_RESOURCES, type ApiResource, verbsOf } from "../api/schema/resources.ts";

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

function listResources(api: ApiResource): readonly object[] {
  const { resource, singular, namespaced, kind, shortNames, categories } = api;
  const own = { name: resource, singularName: singular, namespaced, kind, verbs: verbsOf(api), ...(shortNames.length === 0 ? {} : { shortNames }), ...(categories.length === 0 ? {} : { categories }) };
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

const aggregated = (all: readonly ApiResource[], groups: readonly string[]): object => ({
  kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {},
  items: groups.map((name) => ({ metadata: { ...(name === "" ? {} : { name }), creationTimestamp: null }, versions: versionsOf(all, name).map((version) => ({ version, resources: all.filter((api) => api.group === name && api.version === version).map(aggregatedResource), freshness: "Current" })) })),
});

function documentOf(path: string, all: readonly ApiResource[], whole: boolean): object | undefined {
  const groups = unique(all.map(({ group }) => group).filter((group) => group !== ""));
  if (path === "/api") return whole ? aggregated(all, [""]) : { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "" }] };
  if (path === "/apis") return whole ? aggregated(all, groups) : { kind: "APIGroupList", apiVersion: "v1", groups: groups.map((group) => groupOf(all, group)) };
  const [, root, first = "", second] = path.split("/");
  if (root === "apis" && second === undefined) return groups.includes(first) ? { kind: "APIGroup", apiVersion: "v1", ...groupOf(all, first) } : undefined;
  const groupVersion = root === "apis" ? `${first}/${second ?? ""}` : first;
  const resources = all.filter(({ apiVersion }) => apiVersion === groupVersion);
  return resources.length === 0 ? undefined : { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources: resources.flatMap(listResources) };
}

const built = new WeakMap<readonly ApiResource[], Map<string, object | undefined>>();

/** A discovery document for what is served now; undefined for an unknown group or version. `whole` is the aggregated form. Simplified: storageVersionHash is left out. */
export function discoveryDocument(path: string, custom: readonly ApiResource[], whole: boolean): object | undefined {
  let documents = built.get(custom);
  if (documents === undefined) {
    documents = new Map();
    built.set(custom, documents);
  }
  const key = `${path} ${whole}`;
  if (!documents.has(key)) documents.set(key, documentOf(path, [...API_RESOURCES, ...custom], whole));
  return documents.get(key);
}
