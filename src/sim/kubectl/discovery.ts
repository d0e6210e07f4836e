// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/{apiresources,version,clusterinfo}
import { type ApiResource, API_RESOURCES, verbsOf } from "../api/schema/resources.ts";
import { customOf, DISCOVERY } from "../client-go/discovery.ts";
import { dump } from "./cluster-info-dump.ts";
import { indented } from "./go-json.ts";
import { command, type Process } from "./process.ts";
import { unmatched } from "./printers.ts";
import { printYaml } from "./yaml.ts";
import { formatTable } from "../api/tabwriter.ts";

/** Discovery, always asked for anew. What it says of built-in types is compiled in; custom resources are read from the answer. */
function discover(p: Process): readonly ApiResource[] {
  const [, groups] = ["/api", "/apis"].map((path) => p.must({ method: "GET", path, query: { timeout: "32s" }, accept: DISCOVERY, subject: path }));
  const discovered = customOf(groups);
  p.turn.session = { ...p.turn.session, discovered, fresh: true };
  return [...API_RESOURCES, ...discovered];
}

const noArguments = (p: Process, name: string): void => {
  if (p.options.args.length > 0) p.fail(`error: ${name === "api-versions" || name === "version" ? `extra arguments: ${"["}${p.options.args.join(" ")}]` : `unexpected arguments: [${p.options.args.join(" ")}]`}\nSee 'kubectl ${name} -h' for help and examples`);
};

function matching(p: Process, all: readonly ApiResource[]): readonly ApiResource[] {
  const group = p.options.flags["api-group"]?.at(-1);
  const verbs = p.flags("verbs");
  const categories = p.flags("categories");
  const preferred = all.filter((api) => all.find((other) => other.group === api.group && other.resource === api.resource) === api);
  const found = preferred.filter((api) => (group === undefined || api.group === group) && (!p.given("namespaced") || api.namespaced === p.on("namespaced")) && verbs.every((verb) => verbsOf(api).includes(verb)) && categories.every((category) => api.categories.includes(category)));
  const key = (api: ApiResource): string => (p.flag("sort-by") === "name" ? api.resource : p.flag("sort-by") === "kind" ? api.kind : `${api.group} ${api.resource}`);
  return [...found].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

const asObject = (api: ApiResource): object => ({ name: api.resource, singularName: api.singular, namespaced: api.namespaced, ...(api.group === "" ? {} : { group: api.group }), version: api.version, kind: api.kind, verbs: verbsOf(api), ...(api.shortNames.length > 0 ? { shortNames: api.shortNames } : {}), ...(api.categories.length > 0 ? { categories: api.categories } : {}) });

/** kubectl api-resources */
export const apiResources = command(["api-resources"], (p) => {
  noArguments(p, "api-resources");
  if (!["", "name", "kind"].includes(p.flag("sort-by"))) return p.fail("error: --sort-by accepts only name or kind");
  const { output } = p.options;
  if (!["", "wide", "name", "json", "yaml"].includes(output)) return p.fail(unmatched(output, ["json", "kyaml", "name", "wide", "yaml"]));
  const found = matching(p, discover(p));
  if (output === "name") return found.forEach((api) => p.print(api.group === "" ? api.resource : `${api.resource}.${api.group}`));
  const list = { kind: "APIResourceList", apiVersion: "v1", groupVersion: "", resources: found.map(asObject) };
  if (output === "json") return p.print(indented(list));
  if (output === "yaml") return p.print(printYaml(list));
  const wide = output === "wide";
  const columns = ["NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND", "VERBS", "CATEGORIES"].slice(0, wide ? 7 : 5).map((name) => ({ name, priority: 0 }));
  p.print(formatTable(columns, found.map((api) => [api.resource, api.shortNames.join(","), api.apiVersion, String(api.namespaced), api.kind, verbsOf(api).join(","), api.categories.join(",")].slice(0, columns.length)), true, !p.options.noHeaders));
});

/** kubectl api-versions */
export const apiVersions = command(["api-versions"], (p) => {
  noArguments(p, "api-versions");
  const versions = [...new Set(discover(p).map(({ apiVersion }) => apiVersion))].sort();
  p.print(versions.join("\n"));
});

const CLIENT = { major: "1", minor: "36", gitVersion: "v1.36.3", gitCommit: "0f29094e5b73085e3802ecc1298ecae13866bfe6", gitTreeState: "clean", buildDate: "2026-07-22T18:10:35Z", goVersion: "go1.26.5", compiler: "gc", platform: "linux/amd64" };
const KUSTOMIZE = "v5.8.1";

/** kubectl version */
export const version = command(["version"], (p) => {
  noArguments(p, "version");
  const { output } = p.options;
  if (!["", "json", "yaml"].includes(output)) return p.fail("error: --output must be 'yaml' or 'json'");
  const clientOnly = p.on("client");
  const server = clientOnly ? undefined : (p.must({ method: "GET", path: "/version", query: { timeout: "32s" }, subject: "/version" }) as { readonly gitVersion?: string });
  const all = { clientVersion: CLIENT, kustomizeVersion: KUSTOMIZE, ...(server === undefined ? {} : { serverVersion: server }) };
  if (output === "yaml") return p.print(`${printYaml(all)}\n`);
  if (output === "json") return p.print(`${JSON.stringify(all, null, 2)}\n`);
  p.print(`Client Version: ${CLIENT.gitVersion}\nKustomize Version: ${KUSTOMIZE}${server === undefined ? "" : `\nServer Version: ${server.gitVersion ?? ""}`}`);
});

interface Labelled {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly port: number }[] };
}

/** kubectl cluster-info: the control plane, and the Services of kube-system that say they belong to it. */
export const clusterInfo = command(["cluster-info"], (p) => {
  if (p.options.args[0] === "dump") return dump(p);
  const server = `https://${p.turn.config.server}`;
  p.print(`Kubernetes control plane is running at ${server}`);
  const { items } = p.must({ method: "GET", path: "/api/v1/namespaces/kube-system/services", query: { labelSelector: "kubernetes.io/cluster-service=true" }, subject: "list services" }) as { readonly items: readonly Labelled[] };
  for (const { metadata, spec } of items) {
    const port = spec?.ports?.[0];
    const name = `${metadata.name}${port?.name === undefined ? "" : `:${port.name}`}`;
    p.print(`${metadata.labels?.["kubernetes.io/name"] ?? metadata.name} is running at ${server}/api/v1/namespaces/${metadata.namespace}/services/${name}/proxy`);
  }
  p.print("\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.");
});
