// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/top and pkg/metricsutil/metrics_printer.go
import { goDuration } from "../api/duration.ts";
import { addQuantity, compareQuantity, milliValue, value } from "../api/quantity.ts";
import { MINUTE, parseRfc3339 } from "../api/time.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { DISCOVERY } from "../client-go/discovery.ts";
import { onlySubcommands } from "./help-commands.ts";
import { command, type Process } from "./process.ts";
import { align } from "./tabwriter.ts";

type Amounts = Readonly<Record<string, string>>;
interface Metrics extends KubeObject {
  readonly usage?: Amounts;
  readonly containers?: readonly { readonly name: string; readonly usage: Amounts }[];
}

const API = "/apis/metrics.k8s.io/v1beta1";
const CREATION_DELAY = 2 * MINUTE;

/** The aggregated API is there when discovery tells of its one supported version. */
function requireApi(p: Process): void {
  const found = ["/api", "/apis"].map((path) => p.must({ method: "GET", path, accept: DISCOVERY, subject: path }));
  const groups = (found[1] as { readonly items?: readonly KubeObject[]; readonly groups?: readonly { readonly name: string }[] } | undefined) ?? {};
  const named = (groups.items ?? []).some(({ metadata }) => metadata.name === "metrics.k8s.io") || (groups.groups ?? []).some(({ name }) => name === "metrics.k8s.io");
  if (!named) p.fail("error: Metrics API not available");
}

function selectors(p: Process): Readonly<Record<string, string>> {
  const { selector, fieldSelector } = p.options;
  return { ...(selector === "" ? {} : { labelSelector: selector }), ...(fieldSelector === "" ? {} : { fieldSelector }) };
}

function read(p: Process, collection: string, name: string): readonly Metrics[] {
  if (name !== "") return [p.must({ method: "GET", path: `${collection}/${name}`, subject: `${collection}/${name}` }) as Metrics];
  return (p.must({ method: "GET", path: collection, query: selectors(p), subject: collection }) as { readonly items: readonly Metrics[] }).items;
}

const measured = (p: Process): readonly string[] => ["cpu", "memory", ...(p.on("show-swap") ? ["swap"] : [])];
const shown = (resource: string, amount: string | undefined): string => (resource === "cpu" ? `${milliValue(amount)}m` : `${Math.floor(value(amount) / 1_048_576)}Mi`);
const sumOf = (usages: readonly Amounts[], resources: readonly string[]): Amounts => Object.fromEntries(resources.map((resource) => [resource, usages.reduce((total, usage) => addQuantity(total, usage[resource] ?? "0"), "0")]));

/** By what --sort-by names, the most first; otherwise by name. */
function inOrder<T>(p: Process, items: readonly T[], usage: (item: T) => Amounts, name: (item: T) => string): readonly T[] {
  const by = p.flag("sort-by");
  return [...items].sort((a, b) => (by === "" ? (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0) : compareQuantity(usage(b)[by], usage(a)[by])));
}

function printRows(p: Process, heads: readonly string[], rows: readonly (readonly string[])[]): void {
  p.print(align([...(p.options.noHeaders ? [] : [heads]), ...rows].map((row) => `${row.map((cell) => `${cell}\t`).join("")}\n`).join(""), 3));
}

function topPods(p: Process, name: string): void {
  const { allNamespaces } = p.options;
  const resources = measured(p);
  const metrics = read(p, allNamespaces ? `${API}/pods` : `${API}/namespaces/${p.namespace}/pods`, name);
  if (metrics.length === 0) return noMetrics(p, name);
  const usageOf = ({ containers = [] }: Metrics): Amounts => sumOf(containers.map(({ usage }) => usage), resources);
  const sorted = inOrder(p, metrics, usageOf, ({ metadata }) => (allNamespaces ? `${metadata.namespace ?? ""}/` : "") + (metadata.name ?? ""));
  const cells = (usage: Amounts): readonly string[] => resources.map((resource) => shown(resource, usage[resource]));
  const containers = p.on("containers");
  const place = ({ metadata }: Metrics): readonly string[] => [...(allNamespaces ? [metadata.namespace ?? ""] : []), metadata.name ?? ""];
  const rows = sorted.flatMap((one): readonly (readonly string[])[] => (containers ? inOrder(p, one.containers ?? [], ({ usage }) => usage, (container) => container.name).map((container) => [...place(one), container.name, ...cells(container.usage)]) : [[...place(one), ...cells(usageOf(one))]]));
  const heads = [...(allNamespaces ? ["NAMESPACE"] : []), ...(containers ? ["POD"] : []), "NAME", "CPU(cores)", "MEMORY(bytes)", ...(p.on("show-swap") ? ["SWAP(bytes)"] : [])];
  if (!p.on("sum")) return printRows(p, heads, rows);
  // Without headers upstream counts three columns, whatever there are.
  const width = p.options.noHeaders ? 2 + resources.length - 1 : heads.length;
  const blank = (count: number): readonly string[] => Array.from({ length: count }, () => "");
  printRows(p, heads, [...rows, [...blank(width - 2), "________", "________"], [...blank(width - 2), ...cells(sumOf(metrics.map(usageOf), resources))]]);
}

/** Why there is nothing: no Pods, young Pods, or a broken pipeline. */
function noMetrics(p: Process, name: string): void {
  const { allNamespaces } = p.options;
  const pods = allNamespaces ? "/api/v1/pods" : `/api/v1/namespaces/${p.namespace}/pods`;
  const { items } = p.must({ method: "GET", path: pods, query: name === "" ? selectors(p) : { fieldSelector: `metadata.name=${name}` }, subject: "list pods" }) as { readonly items: readonly Pod[] };
  for (const { metadata } of items) {
    const age = p.now - parseRfc3339(metadata.creationTimestamp ?? "");
    if (age > CREATION_DELAY) return p.fail(`error: Metrics not available for pod ${metadata.namespace ?? ""}/${metadata.name ?? ""}, age: ${goDuration(age)}`);
  }
  if (items.length > 0) return p.fail("error: metrics not available yet");
  p.printError(allNamespaces ? "No resources found" : `No resources found in ${p.namespace} namespace.`);
}

interface NodeStatus {
  readonly allocatable?: Amounts;
  readonly capacity?: Amounts;
  readonly nodeInfo?: { readonly swap?: { readonly capacity?: number } };
}

function topNodes(p: Process, name: string): void {
  const metrics = read(p, `${API}/nodes`, name);
  if (metrics.length === 0) return p.fail("error: metrics not available yet");
  const nodes = name === "" ? (p.must({ method: "GET", path: "/api/v1/nodes", query: selectors(p), subject: "list nodes" }) as { readonly items: readonly KubeObject[] }).items : [p.must({ method: "GET", path: `/api/v1/nodes/${name}`, subject: `node/${name}` }) as KubeObject];
  const resources = measured(p);
  const swapOf = (node: KubeObject | undefined): number | undefined => ((node?.status ?? {}) as NodeStatus).nodeInfo?.swap?.capacity;
  const available = (node: KubeObject | undefined): Amounts => {
    const { allocatable = {}, capacity = {} } = (node?.status ?? {}) as NodeStatus;
    const swap = swapOf(node);
    return { ...(p.on("show-capacity") ? capacity : allocatable), ...(swap === undefined ? {} : { swap: String(swap) }) };
  };
  const cells = (usage: Amounts, node: KubeObject | undefined): readonly string[] => resources.flatMap((resource) => {
    if (resource === "swap" && swapOf(node) === undefined) return ["<unknown>", "<unknown>"];
    const whole = available(node)[resource];
    return whole === undefined ? [shown(resource, usage[resource])] : [shown(resource, usage[resource]), `${milliValue(whole) === 0 ? 0 : Math.trunc((milliValue(usage[resource]) / milliValue(whole)) * 100)}%`];
  });
  const rows = inOrder(p, metrics, ({ usage = {} }) => usage, ({ metadata }) => metadata.name ?? "").map(({ metadata, usage = {} }) => [metadata.name ?? "", ...cells(usage, nodes.find((node) => node.metadata.name === metadata.name))]);
  const missing = nodes.filter((node) => !metrics.some(({ metadata }) => metadata.name === node.metadata.name)).map((node) => [node.metadata.name ?? "", ...resources.flatMap(() => ["<unknown>", "<unknown>"])]);
  printRows(p, ["NAME", "CPU(cores)", "CPU(%)", "MEMORY(bytes)", "MEMORY(%)", ...(p.on("show-swap") ? ["SWAP(bytes)", "SWAP(%)"] : [])], [...rows, ...missing]);
}

/** kubectl top pod|node */
export const top = command(["top"], (p) => {
  const { path, args, selector, fieldSelector } = p.options;
  if (path === "top") return onlySubcommands(p);
  const [, name = "", more] = args;
  const nodes = path === "top node";
  if (more !== undefined) return p.fail(`error: ${nodes ? "node" : "pod"} [NAME | -l label]\nSee 'kubectl ${path} -h' for help and examples`);
  if (!["", "cpu", "memory"].includes(p.flag("sort-by"))) return p.fail("error: --sort-by accepts only cpu or memory");
  if (name !== "" && (selector !== "" || fieldSelector !== "")) return p.fail(`error: only one of NAME or ${nodes ? "--" : ""}selector can be provided`);
  requireApi(p);
  if (nodes) topNodes(p, name);
  else topPods(p, name);
});
