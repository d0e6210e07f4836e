// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/top and pkg/metricsutil/metrics_printer.go
import { addQuantity, compareQuantity, milliValue, value } from "../api/quantity.ts";
import { humanDuration } from "../api/duration.ts";
import { parseRfc3339 } from "../api/time.ts";
import type { KubeObject, ResourceList } from "../api/types.ts";
import { customOf, DISCOVERY } from "../client-go/discovery.ts";
import { onlySubcommands } from "./help-commands.ts";
import { command, type Process } from "./process.ts";

interface Metrics extends KubeObject {
  readonly usage?: ResourceList;
  readonly containers?: readonly { readonly name: string; readonly usage: ResourceList }[];
}

const BASE = "/apis/metrics.k8s.io/v1beta1";
const MIN_WIDTH = 6;
const PADDING = 3;
/** A Pod older than this should have been measured. */
const CREATION_DELAY = 120_000_000;

const cpu = (usage: ResourceList | undefined): string => `${milliValue(usage?.["cpu"])}m`;
const memory = (usage: ResourceList | undefined): string => `${Math.trunc(value(usage?.["memory"]) / 1_048_576)}Mi`;
const percent = (used: ResourceList | undefined, available: ResourceList | undefined, resource: string): string => {
  const all = milliValue(available?.[resource]);
  return `${all === 0 ? 0 : Math.trunc((milliValue(used?.[resource]) / all) * 100)}%`;
};

/** Every cell ends in a tab, the last one too: all are padded. */
function table(p: Process, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = p.on("no-headers") ? rows : [header, ...rows];
  const widths = header.map((_, i) => Math.max(MIN_WIDTH, ...lines.map((line) => (line[i] ?? "").length + PADDING)));
  p.printRaw(lines.map((line) => `${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("")}\n`).join(""));
}

function sum(usages: readonly ResourceList[]): ResourceList {
  return usages.reduce<ResourceList>((total, usage) => ({ cpu: addQuantity(total["cpu"], usage["cpu"]), memory: addQuantity(total["memory"], usage["memory"]) }), { cpu: "0", memory: "0" });
}

const usageOf = (item: Metrics): ResourceList => item.usage ?? sum((item.containers ?? []).map(({ usage }) => usage));

/** By what --sort-by names, the most first; else by namespace and name. */
function sorted<T>(p: Process, items: readonly T[], usage: (item: T) => ResourceList, name: (item: T) => string): readonly T[] {
  const by = p.flag("sort-by");
  const named = (a: T, b: T): number => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0);
  return [...items].sort((a, b) => (by === "cpu" || by === "memory" ? compareQuantity(usage(b)[by], usage(a)[by]) : named(a, b)));
}

function metricsOf(p: Process, path: string, name: string | undefined, subject: string): readonly Metrics[] {
  const selector = p.flag("selector");
  const fields = p.flag("field-selector");
  const query = { ...(selector === "" ? {} : { labelSelector: selector }), ...(fields === "" ? {} : { fieldSelector: fields }) };
  if (name !== undefined) return [p.must({ method: "GET", path: `${path}/${name}`, subject }) as Metrics];
  return (p.must({ method: "GET", path, ...(Object.keys(query).length === 0 ? {} : { query }), subject }) as { readonly items: readonly Metrics[] }).items;
}

function noPods(p: Process, name: string | undefined): void {
  const path = p.on("all-namespaces") ? "/api/v1/pods" : `/api/v1/namespaces/${p.namespace}/pods`;
  const selector = p.flag("selector");
  const body = p.must({ method: "GET", path: name === undefined ? path : `${path}/${name}`, ...(selector === "" ? {} : { query: { labelSelector: selector } }), subject: "pods" });
  const pods = name === undefined ? (body as { readonly items: readonly KubeObject[] }).items : [body as KubeObject];
  const old = pods.map((pod) => ({ pod, age: p.turn.ctx.now - parseRfc3339(pod.metadata.creationTimestamp ?? "") })).find(({ age }) => age > CREATION_DELAY);
  if (old) return p.fail(`error: Metrics not available for pod ${old.pod.metadata.namespace ?? ""}/${old.pod.metadata.name ?? ""}, age: ${humanDuration(old.age)}`);
  if (pods.length > 0) return p.fail("error: metrics not available yet");
  p.printError(p.on("all-namespaces") ? "No resources found" : `No resources found in ${p.namespace} namespace.`);
}

function topPods(p: Process): void {
  const [, name] = p.options.args;
  const all = p.on("all-namespaces");
  const items = metricsOf(p, all ? `${BASE}/pods` : `${BASE}/namespaces/${p.namespace}/pods`, name, "pod metrics");
  if (items.length === 0) return noPods(p, name);
  const lead = (item: Metrics): readonly string[] => (all ? [item.metadata.namespace ?? ""] : []);
  const pods = sorted(p, items, usageOf, (item) => `${all ? (item.metadata.namespace ?? "") : ""} ${item.metadata.name ?? ""}`);
  const containers = p.on("containers");
  const rows = pods.flatMap((item) => {
    if (!containers) return [[...lead(item), item.metadata.name ?? "", cpu(usageOf(item)), memory(usageOf(item))]];
    return sorted(p, item.containers ?? [], ({ usage }) => usage, (entry) => entry.name).map((entry) => [...lead(item), item.metadata.name ?? "", entry.name, cpu(entry.usage), memory(entry.usage)]);
  });
  const header = [...(all ? ["NAMESPACE"] : []), ...(containers ? ["POD"] : []), "NAME", "CPU(cores)", "MEMORY(bytes)"];
  const blank = (count: number): string[] => Array.from({ length: count }, () => "");
  const total = sum(pods.map(usageOf));
  const totals = p.on("sum") ? [[...blank(header.length - 2), "________", "________"], [...blank(header.length - 2), cpu(total), memory(total)]] : [];
  table(p, header, [...rows, ...totals]);
}

function topNodes(p: Process): void {
  const [, name] = p.options.args;
  const metrics = metricsOf(p, `${BASE}/nodes`, name, "node metrics");
  if (metrics.length === 0) return p.fail("error: metrics not available yet");
  const selector = p.flag("selector");
  const body = p.must({ method: "GET", path: name === undefined ? "/api/v1/nodes" : `/api/v1/nodes/${name}`, ...(selector === "" ? {} : { query: { labelSelector: selector } }), subject: "nodes" });
  const nodes = name === undefined ? (body as { readonly items: readonly KubeObject[] }).items : [body as KubeObject];
  const which = p.on("show-capacity") ? "capacity" : "allocatable";
  const available = new Map(nodes.map((node) => [node.metadata.name ?? "", (node.status as Readonly<Record<string, ResourceList | undefined>> | undefined)?.[which]]));
  const rows = sorted(p, metrics, usageOf, (item) => item.metadata.name ?? "").map((item) => {
    const all = available.get(item.metadata.name ?? "");
    return [item.metadata.name ?? "", cpu(item.usage), percent(item.usage, all, "cpu"), memory(item.usage), percent(item.usage, all, "memory")];
  });
  const measured = new Set(metrics.map((item) => item.metadata.name ?? ""));
  const missing = [...available.keys()].filter((node) => !measured.has(node)).map((node) => [node, "<unknown>", "<unknown>", "<unknown>", "<unknown>"]);
  table(p, ["NAME", "CPU(cores)", "CPU(%)", "MEMORY(bytes)", "MEMORY(%)"], [...rows, ...missing]);
}

/** kubectl top pod, top node: what metrics-server has measured, where there is one. */
export const top = command(["top"], (p) => {
  if (p.options.path === "top") return onlySubcommands(p);
  const [, groups] = ["/api", "/apis"].map((path) => p.must({ method: "GET", path, accept: DISCOVERY, subject: path }));
  if (!customOf(groups).some(({ group, version }) => group === "metrics.k8s.io" && version === "v1beta1")) return p.fail("error: Metrics API not available");
  return p.options.path === "top node" ? topNodes(p) : topPods(p);
});
