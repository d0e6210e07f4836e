// Models kubernetes/api/discovery/aggregated_v2.json and pkg/kubeapiserver/default_storage_factory_builder.go
import type { CustomVersion } from "../apiextensions/types.ts";
import { RESOURCES } from "./resources.generated.ts";

export interface ApiResource {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural, as in paths and RBAC. */
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly subresources: readonly string[];
  readonly categories: readonly string[];
  /** Only POST is served (reviews, bindings). */
  readonly createOnly: boolean;
  /** "/registry/minions": namespace and name follow. */
  readonly etcdPrefix: string;
  /** Of a custom resource, as the server knows it. */
  readonly custom?: CustomVersion;
}

const PREFIXES: ReadonlyMap<string, string> = new Map([
  ["nodes", "minions"], ["services", "services/specs"], ["endpoints", "services/endpoints"], ["replicationcontrollers", "controllers"],
  ["ingresses", "ingress"], ["customresourcedefinitions", "apiextensions.k8s.io/customresourcedefinitions"], ["apiservices", "apiregistration.k8s.io/apiservices"],
]);

export const groupOf = (apiVersion: string): string => (apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "");
export const versionOf = (apiVersion: string): string => apiVersion.split("/").at(-1) ?? "";

const items = (text: string | undefined): readonly string[] => (text === undefined || text === "-" ? [] : text.split(","));

function readResources(): ApiResource[] {
  const out: ApiResource[] = [];
  let apiVersion = "";
  for (const line of RESOURCES.split("\n")) {
    if (line.startsWith("=")) {
      apiVersion = line.slice(1);
      continue;
    }
    const [resource = "", kind = "", scope, shortNames, subresources, categories, mode] = line.split(" ");
    out.push({
      group: groupOf(apiVersion), version: versionOf(apiVersion), apiVersion, kind, resource, singular: kind.toLowerCase(),
      shortNames: items(shortNames), namespaced: scope === "n", subresources: items(subresources), categories: items(categories),
      createOnly: mode === "create-only", etcdPrefix: `/registry/${PREFIXES.get(resource) ?? resource}`,
    });
  }
  return out;
}

/** Every built-in resource, in discovery order. */
export const API_RESOURCES: readonly ApiResource[] = readResources();

const byKind = new Map(API_RESOURCES.map((r) => [`${r.apiVersion}/${r.kind}`, r] as const));
const byName = new Map(API_RESOURCES.map((r) => [`${r.apiVersion}/${r.resource}`, r] as const));

export const resourceForKind = (apiVersion: string, kind: string): ApiResource | undefined => byKind.get(`${apiVersion}/${kind}`);
export const resourceForPath = (apiVersion: string, resource: string): ApiResource | undefined => byName.get(`${apiVersion}/${resource}`);

/** What kubectl understands as a type: plural, singular, short name or kind, with an optional ".group" or ".version.group". First match in discovery order. */
export function findResource(text: string, resources: readonly ApiResource[] = API_RESOURCES): ApiResource | undefined {
  const wanted = text.toLowerCase();
  const dot = wanted.indexOf(".");
  const name = dot < 0 ? wanted : wanted.slice(0, dot);
  const suffix = dot < 0 ? "" : wanted.slice(dot + 1);
  const named = resources.filter((r) => r.resource === name || r.singular === name || r.shortNames.includes(name));
  // A short name is looked up by its group alone: "hpa.v1.autoscaling" is the preferred version.
  const short = named[0]?.shortNames.includes(name) === true && named[0].resource !== name;
  const group = short && /^v\d+(?:(?:alpha|beta)\d+)?\./.test(suffix) ? suffix.slice(suffix.indexOf(".") + 1) : undefined;
  if (group !== undefined) return named.find((r) => r.group === group);
  return named.find((r) => suffix === "" || r.group === suffix || `${r.version}.${r.group}` === suffix || (r.group === "" && r.version === suffix));
}

const ALL_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
/** The verbs that discovery names. */
export const verbsOf = (api: ApiResource): readonly string[] => (api.createOnly ? ["create"] : api.resource === "componentstatuses" || api.group === "metrics.k8s.io" ? ["get", "list"] : api.resource === "namespaces" ? ALL_VERBS.filter((verb) => verb !== "deletecollection") : ALL_VERBS);

/** etcd key of an object: "/registry/pods/default/web". */
export const etcdKey = (resource: ApiResource, namespace: string | undefined, name: string): string =>
  resource.namespaced ? `${resource.etcdPrefix}/${namespace ?? ""}/${name}` : `${resource.etcdPrefix}/${name}`;
