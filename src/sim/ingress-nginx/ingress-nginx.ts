// Models kubernetes/ingress-nginx: the controller that turns Ingresses into nginx's configuration, and the nginx beside it
import { objectKey, type WatchSpec } from "../api/http.ts";
import type { TrafficResponse } from "../api/traffic.ts";
import type { KubeObject, Service } from "../api/types.ts";
import { objectsOf, type World } from "../api/world.ts";
import { API_SERVER, type ApiClient, apiRequest } from "../client-go/api-client.ts";
import { type EventRecorder, newRecorder, recordEvent } from "../client-go/event-recorder.ts";
import { emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import type { RelayedRequest } from "../coredns/messages.ts";
import type { Component, Ctx, Message, Micros, NetErrorMessage, StartMessage } from "../kernel/types.ts";
import { answered, begin, type Proxied, timedOut } from "./proxy.ts";
import { type Ingress, isOurs, type Location, locationsOf } from "./rules.ts";

const ID = "ingress-nginx";
/** sync-rate-limit 0.3: at most one new configuration in so long. */
const SYNC_PERIOD: Micros = 3_333_333;
/** Addresses are written into statuses this often. */
const STATUS_PERIOD: Micros = 60_000_000;
const PUBLISHED = "ingress-nginx/ingress-nginx-controller";
const CLIENT: ApiClient = { userAgent: "nginx-ingress-controller/v1.14.0 (linux/amd64) ingress-nginx/", credential: { kind: "service-account-token", name: "system:serviceaccount:ingress-nginx:ingress-nginx", groups: ["system:serviceaccounts", "system:serviceaccounts:ingress-nginx", "system:authenticated"] } };
const WATCHED: readonly (readonly [string, string, string])[] = [["ingresses", "Ingress", "/apis/networking.k8s.io/v1/ingresses"], ["ingressclasses", "IngressClass", "/apis/networking.k8s.io/v1/ingressclasses"], ["services", "Service", "/api/v1/services"], ["endpointslices", "EndpointSlice", "/apis/discovery.k8s.io/v1/endpointslices"]];

/** What nginx works by: Ingresses from the last reload, endpoints from the last sync. */
export interface NginxConfig {
  readonly locations: readonly Location[];
  readonly ingresses: readonly Ingress[];
  /** "default/web:80" to "10.244.1.5:8080". */
  readonly upstreams: Readonly<Record<string, readonly string[]>>;
}

export interface IngressNginxState {
  readonly informers: readonly Informer[];
  readonly recorder: EventRecorder;
  readonly config: NginxConfig;
  readonly reloads: number;
  readonly lastSync: Micros;
  readonly scheduled: boolean;
  readonly open: readonly Proxied[];
  readonly requests: number;
  /** Answers by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** For round robin. */
  readonly turn: number;
}

interface Timer extends Message {
  readonly type: "ingress-nginx.sync" | "ingress-nginx.status" | "ingress-nginx.timeout";
  readonly mail?: number;
}

/** A world has the controller when its Deployment is there. */
export const hasIngressNginx = (world: World): boolean => world.objects.some(({ kind, metadata }) => kind === "Deployment" && metadata.namespace === "ingress-nginx");

export const ingressNginxWatches = (): WatchSpec[] => WATCHED.map(([resource, , path]) => ({ component: ID, resource, path }));

const NO_CONFIG: NginxConfig = { locations: [], ingresses: [], upstreams: {} };

/** Component ingress-nginx: the program in the Pods of the controller. Simplified: its replicas are one program. */
export function createIngressNginx({ world }: { readonly world: World }): Component<IngressNginxState> {
  const watches = ingressNginxWatches();
  const none = { recorder: newRecorder("nginx-ingress-controller"), config: NO_CONFIG, reloads: 0, lastSync: -SYNC_PERIOD, scheduled: false, open: [], requests: 0, answers: {}, turn: 0 };
  return {
    id: ID,
    machine: world.nodes[1]?.name ?? world.nodes[0]?.name ?? "",
    connections: [API_SERVER],
    init: () => {
      const informers = watches.map((watch, i) => syncedInformer(watch, objectsOf<KubeObject>(world, WATCHED[i]?.[1] ?? ""), world.resourceVersion));
      return { informers, ...none, config: configOf(informers) };
    },
    step(state, message, ctx) {
      switch (message.type) {
        case "start":
          ctx.after(STATUS_PERIOD, { type: "ingress-nginx.status" } satisfies Timer);
          return (message as StartMessage).cold ? { informers: watches.map((watch) => startInformer(ctx, CLIENT, emptyInformer(watch))), ...none } : state;
        case "traffic.relayed": return begin(state, message as RelayedRequest, ctx);
        case "traffic.response": return answered(state, message as TrafficResponse, ctx);
        case "net.error": return (message as NetErrorMessage).peer === API_SERVER ? watched(state, message, ctx) : answered(state, { type: "traffic.response", request: (message as NetErrorMessage).hop, status: 0, error: "connection refused" }, ctx);
        case "ingress-nginx.timeout": return timedOut(state, (message as Timer).mail ?? -1, ctx);
        case "ingress-nginx.sync": return sync({ ...state, scheduled: false }, ctx);
        case "ingress-nginx.status":
          ctx.after(STATUS_PERIOD, { type: "ingress-nginx.status" } satisfies Timer);
          return writeStatuses(state, ctx);
        default: return watched(state, message, ctx);
      }
    },
  };
}

function watched(state: IngressNginxState, message: Message, ctx: Ctx): IngressNginxState {
  let next = state;
  for (const [i, informer] of state.informers.entries()) {
    const stepped = stepInformer(ctx, CLIENT, informer, message);
    if (!stepped) continue;
    next = { ...next, informers: next.informers.with(i, stepped.informer) };
    if (i !== 0) continue;
    for (const change of stepped.changes) {
      const ingress = change.object as Ingress;
      if (change.type !== "delete" && isOurs(ingress, classesOf(next)) && (change.type === "add" || JSON.stringify((change.old as Ingress).spec) !== JSON.stringify(ingress.spec))) next = { ...next, recorder: recordEvent(ctx, CLIENT, next.recorder, { object: ingress, type: "Normal", reason: "Sync", message: "Scheduled for sync" }).recorder };
    }
  }
  if (next === state || next.scheduled) return next;
  ctx.after(Math.max(0, next.lastSync + SYNC_PERIOD - ctx.now), { type: "ingress-nginx.sync" } satisfies Timer);
  return { ...next, scheduled: true };
}

const classesOf = ({ informers }: Pick<IngressNginxState, "informers">): readonly KubeObject[] => informers[1]?.store.sortedValues() ?? [];
const oursOf = (state: Pick<IngressNginxState, "informers">): readonly Ingress[] => ((state.informers[0]?.store.sortedValues() ?? []) as unknown as readonly Ingress[]).filter((ingress) => isOurs(ingress, classesOf(state)));

interface Slice extends KubeObject {
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
  readonly endpoints?: readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean } }[] | null;
}

/** Addresses of ready endpoints behind a Service's port: nginx goes to Pods itself, not by the ClusterIP. */
function endpoints(informers: readonly Informer[], { service, port }: Location): readonly string[] {
  const object = informers[2]?.store.get(service) as Service | undefined;
  const entry = object?.spec.ports?.find((candidate) => candidate.name === port || String(candidate.port) === port);
  if (!object || !entry) return [];
  const slices = (informers[3]?.store.sortedValues() ?? []) as unknown as readonly Slice[];
  return slices
    .filter(({ metadata }) => `${metadata.namespace ?? ""}/${metadata.labels?.["kubernetes.io/service-name"] ?? ""}` === service)
    .flatMap((slice) => (slice.ports ?? []).filter(({ name }) => (name ?? "") === (entry.name ?? "")).flatMap(({ port: number }) => (slice.endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false).map(({ addresses }) => `${addresses[0] ?? ""}:${number ?? 0}`)))
    .sort();
}

function configOf(informers: readonly Informer[]): NginxConfig {
  const ingresses = oursOf({ informers });
  const locations = locationsOf(ingresses);
  return { ingresses, locations, upstreams: Object.fromEntries(locations.map((location) => [`${location.service}:${location.port}`, endpoints(informers, location)])) };
}

/** A new configuration: nginx is reloaded when hosts or paths changed, endpoints are taken over without. */
function sync(state: IngressNginxState, ctx: Ctx): IngressNginxState {
  const config = configOf(state.informers);
  const reload = JSON.stringify(config.locations) !== JSON.stringify(state.config.locations);
  const moved = JSON.stringify(config.upstreams) !== JSON.stringify(state.config.upstreams);
  if (!reload && !moved) return { ...state, config, lastSync: ctx.now };
  ctx.explain({ text: reload ? `ingress-nginx reloads nginx with ${config.locations.length} paths` : "ingress-nginx takes over changed endpoints", why: reload ? "an Ingress changed: hosts and paths are in nginx.conf" : "endpoints are kept outside nginx.conf: no reload", level: "basic", status: `${config.locations.length} paths` });
  return { ...state, config, lastSync: ctx.now, reloads: state.reloads + (reload ? 1 : 0) };
}

/** Each Ingress gets the addresses of the Service before the controller. */
function writeStatuses(state: IngressNginxState, ctx: Ctx): IngressNginxState {
  const published = (state.informers[2]?.store.get(PUBLISHED) as Service | undefined)?.status?.loadBalancer?.ingress?.map(({ ip }) => ({ ip: ip ?? "" })) ?? [];
  for (const ingress of oursOf(state)) {
    const have = (ingress.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip ?? "").join();
    if (have === published.map(({ ip }) => ip).join()) continue;
    ctx.explain({ text: `ingress-nginx writes its address into Ingress ${objectKey(ingress)}`, why: "once a minute the statuses are compared with the address of its own Service", level: "basic", subject: `ingress/${objectKey(ingress)}` });
    apiRequest(ctx, CLIENT, { method: "PATCH", path: `/apis/networking.k8s.io/v1/namespaces/${ingress.metadata.namespace ?? ""}/ingresses/${ingress.metadata.name ?? ""}/status`, contentType: "application/merge-patch+json", body: { status: { loadBalancer: { ingress: published } } }, subject: `ingress/${objectKey(ingress)}`, level: "operator" });
  }
  return state;
}
