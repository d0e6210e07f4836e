// Models kubernetes-sigs/metrics-server/{cmd/metrics-server,pkg/server,pkg/scraper}
import type { HttpResponse, WatchSpec } from "../api/http.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { objectsOf, type World } from "../api/world.ts";
import { API_SERVER, type ApiClient } from "../client-go/api-client.ts";
import { emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import type { AggregatedRequest, AggregatedResponse } from "../kube-apiserver/messages.ts";
import type { Component, Ctx, Message, Micros, StartMessage } from "../kernel/types.ts";
import { containerKey, serve } from "./api.ts";
import type { ResourceMetricsRequest, ResourceMetricsResponse } from "./messages.ts";
import { forget, NO_SERIES, RESOLUTION, type Series, store } from "./storage.ts";

const ID = "metrics-server";
const FIRST_SCRAPE: Micros = 2_000_000;
const CLIENT: ApiClient = { userAgent: "metrics-server/v0.8.0", credential: { kind: "service-account-token", name: "system:serviceaccount:kube-system:metrics-server", groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"] } };
const RESOURCES: readonly (readonly [string, string, string])[] = [["pods", "Pod", "/api/v1/pods"], ["nodes", "Node", "/api/v1/nodes"]];

export interface MetricsServerState {
  readonly informers: readonly Informer[];
  readonly containers: Series;
  readonly machines: Series;
}

interface ScrapeMessage extends Message {
  readonly type: "metrics-server.scrape";
}

/** A world has a metrics-server when the API that it serves is registered. */
export const hasMetricsServer = (world: World): boolean => world.objects.some((object) => object.kind === "APIService" && object.metadata.name === "v1beta1.metrics.k8s.io");

export const metricsServerWatches = (): WatchSpec[] => RESOURCES.map(([resource, , path]) => ({ component: ID, resource, path }));

/** Asks every kubelet at once, every 15 s. */
function scrape(state: MetricsServerState, ctx: Ctx): MetricsServerState {
  ctx.after(RESOLUTION, { type: "metrics-server.scrape" } satisfies ScrapeMessage);
  for (const node of state.informers[1]?.store.sortedValues() ?? []) {
    const name = node.metadata.name ?? "";
    ctx.send(`kubelet@${name}`, { type: "resource-metrics.request" } satisfies ResourceMetricsRequest, { protocol: "HTTPS", latency: ctx.latency("link.lan", `scrape ${name} ${ctx.now}`), verb: "GET /metrics/resource", subject: `node/${name}`, level: "source" });
  }
  return state;
}

function scraped(state: MetricsServerState, { at, node, containers }: ResourceMetricsResponse, ctx: Ctx): MetricsServerState {
  const name = ctx.from.slice("kubelet@".length);
  const points = containers.map(({ namespace, pod, container, startedAt, cpu, memory }) => [containerKey(namespace, pod, container), { at, startedAt, cpu, memory }] as const);
  const seen = new Set(points.map(([key]) => key));
  const here = new Set((state.informers[0]?.store.sortedValues() ?? []).flatMap((pod) => ((pod as unknown as Pod).spec.nodeName === name ? [`${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`] : [])));
  const gone = [...state.containers.last.keys()].filter((key) => !seen.has(key) && here.has(key.slice(0, key.lastIndexOf("/"))));
  ctx.explain({ text: `metrics-server stores what ${points.length} containers on ${name} have used`, why: "counters of processor time: the usage is their growth since the scrape before", level: "source", status: "scraping every 15 s" });
  return { ...state, containers: store(forget(state.containers, gone), points), machines: store(state.machines, [[name, { at, startedAt: -1, cpu: node.cpu, memory: node.memory }]]) };
}

function answerRequest(state: MetricsServerState, request: AggregatedRequest, ctx: Ctx): MetricsServerState {
  const [pods, nodes] = state.informers;
  const { status, body } = serve(request, { pods: (pods?.store.sortedValues() ?? []) as unknown as readonly Pod[], nodes: nodes?.store.sortedValues() ?? [], containers: state.containers, machines: state.machines }, ctx.now);
  ctx.send(ctx.from, { type: "aggregated.response", request: ctx.mail, status, body } satisfies AggregatedResponse, { protocol: "HTTPS", latency: ctx.latency("link.lan", `metrics ${ctx.mail}`), verb: "answer", status });
  return state;
}

function start(state: MetricsServerState, { cold }: StartMessage, ctx: Ctx): MetricsServerState {
  ctx.after(FIRST_SCRAPE, { type: "metrics-server.scrape" } satisfies ScrapeMessage);
  return cold ? { informers: metricsServerWatches().map((watch) => startInformer(ctx, CLIENT, emptyInformer(watch))), containers: NO_SERIES, machines: NO_SERIES } : state;
}

function step(state: MetricsServerState, message: Message, ctx: Ctx): MetricsServerState {
  switch (message.type) {
    case "start": return start(state, message as StartMessage, ctx);
    case "metrics-server.scrape": return scrape(state, ctx);
    case "resource-metrics.response": return scraped(state, message as ResourceMetricsResponse, ctx);
    case "aggregated.request": return answerRequest(state, message as AggregatedRequest, ctx);
    default: {
      let next = state;
      for (const [i, informer] of state.informers.entries()) {
        const stepped = stepInformer(ctx, CLIENT, informer, message as HttpResponse);
        if (stepped) next = { ...next, informers: next.informers.with(i, stepped.informer) };
      }
      return next;
    }
  }
}

/** The add-on that serves metrics.k8s.io from the kubelets' numbers. Simplified: a process of the control plane's machine; upstream it runs in a Pod. */
export const createMetricsServer = ({ world, machine }: { readonly world: World; readonly machine: string }): Component<MetricsServerState> => ({
  id: ID,
  machine,
  connections: [API_SERVER],
  init: () => ({ informers: metricsServerWatches().map((watch, i) => syncedInformer(watch, objectsOf<KubeObject>(world, RESOURCES[i]?.[1] ?? ""), world.resourceVersion)), containers: NO_SERIES, machines: NO_SERIES }),
  step,
});
