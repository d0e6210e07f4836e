// Models kubernetes-sigs/metrics-server/pkg/api/{pod,node,install}.go
import { goDuration } from "../api/duration.ts";
import { matches, parseSelector } from "../api/labels.ts";
import { formatQuantity } from "../api/quantity.ts";
import { newBadRequest, newNotFound } from "../api/status-errors.ts";
import { type Micros, rfc3339 } from "../api/time.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import type { AggregatedRequest } from "../kube-apiserver/messages.ts";
import { type Series, type Usage, usageOf } from "./storage.ts";

const VERSION = "metrics.k8s.io/v1beta1";

export interface Caches {
  readonly pods: readonly Pod[];
  readonly nodes: readonly KubeObject[];
  readonly containers: Series;
  readonly machines: Series;
}

const quantities = ({ cpuNano, memory }: Usage): Readonly<Record<string, string>> => ({
  cpu: formatQuantity({ nano: BigInt(cpuNano), format: "DecimalSI" }),
  memory: formatQuantity({ nano: BigInt(memory) * 1_000_000_000n, format: "BinarySI" }),
});

const head = (kind: string, { metadata }: KubeObject, now: Micros): Pick<KubeObject, "apiVersion" | "kind" | "metadata"> => ({
  apiVersion: VERSION, kind, metadata: { name: metadata.name ?? "", ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }), creationTimestamp: rfc3339(now), ...(metadata.labels === undefined ? {} : { labels: metadata.labels }) },
});

/** Key of a container's counters. */
export const containerKey = (namespace: string, pod: string, container: string): string => `${namespace}/${pod}/${container}`;

/** A running Pod is shown when all of its containers that the last scrape saw were measured: those that do not run are not among them. */
function podMetrics(pod: Pod, series: Series, now: Micros): KubeObject | undefined {
  if (pod.status?.phase !== "Running") return undefined;
  const sidecars = (pod.spec.initContainers ?? []).filter((container) => container.restartPolicy === "Always");
  const keyOf = (name: string): string => containerKey(pod.metadata.namespace ?? "", pod.metadata.name ?? "", name);
  const usages = [...pod.spec.containers, ...sidecars].filter(({ name }) => series.last.has(keyOf(name))).map(({ name }) => ({ name, usage: usageOf(series, keyOf(name)) }));
  const earliest = usages.reduce<Usage | undefined>((least, { usage }) => (usage !== undefined && (least === undefined || usage.at < least.at) ? usage : least), undefined);
  if (earliest === undefined || usages.some(({ usage }) => usage === undefined)) return undefined;
  const containers = usages.flatMap(({ name, usage }) => (usage === undefined ? [] : [{ name, usage: quantities(usage) }]));
  return { ...head("PodMetrics", pod, now), timestamp: rfc3339(earliest.at), window: goDuration(earliest.window - (earliest.window % 1000)), containers } as unknown as KubeObject;
}

function nodeMetrics(node: KubeObject, series: Series, now: Micros): KubeObject | undefined {
  const usage = usageOf(series, node.metadata.name ?? "");
  return usage === undefined ? undefined : ({ ...head("NodeMetrics", node, now), timestamp: rfc3339(usage.at), window: goDuration(usage.window - (usage.window % 1000)), usage: quantities(usage) } as unknown as KubeObject);
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const fail = (status: { readonly code?: number }): Reply => ({ status: status.code ?? 500, body: status });
const listOf = (kind: string, items: readonly KubeObject[]): Reply => ({ status: 200, body: { kind: `${kind}List`, apiVersion: VERSION, metadata: {}, items } });

/** Answers GET of metrics.k8s.io/v1beta1: pods and nodes, one or many, by label selector. */
export function serve({ path, query, method }: AggregatedRequest, caches: Caches, now: Micros): Reply {
  const parts = path.split("/").slice(4);
  const namespace = parts[0] === "namespaces" ? (parts[1] ?? "") : "";
  const [resource, name] = parts[0] === "namespaces" ? parts.slice(2) : parts;
  if (method !== "GET" || (resource !== "pods" && resource !== "nodes")) return fail(newNotFound({ group: "metrics.k8s.io", resource: resource ?? "" }, name ?? ""));
  const selector = parseSelector(query["labelSelector"] ?? "");
  if (typeof selector === "string") return fail(newBadRequest(selector));
  const shown = (object: KubeObject): KubeObject | undefined => (resource === "pods" ? podMetrics(object as Pod, caches.containers, now) : nodeMetrics(object, caches.machines, now));
  const all: readonly KubeObject[] = resource === "pods" ? caches.pods.filter((pod) => namespace === "" || pod.metadata.namespace === namespace) : caches.nodes;
  if (name !== undefined) {
    const found = all.find((object) => object.metadata.name === name);
    const one = found && shown(found);
    return one ? { status: 200, body: one } : fail(newNotFound({ group: "metrics.k8s.io", resource: resource === "pods" ? "podmetrics" : "nodemetrics" }, namespace === "" ? name : `${namespace}/${name}`));
  }
  return listOf(resource === "pods" ? "PodMetrics" : "NodeMetrics", all.filter((object) => matches(selector, object.metadata.labels)).flatMap((object) => shown(object) ?? []));
}
