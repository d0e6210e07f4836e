// Models kubernetes/pkg/proxy/iptables/proxier.go and pkg/proxy/runner: changes in, rules out, at most once in minSyncPeriod
import { type WatchSpec, streamOf } from "../api/http.ts";
import { objectKey } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import type { World, WorldNode } from "../api/world.ts";
import { nodeNamed, objectsOf } from "../api/world.ts";
import { API_SERVER, type ApiClient } from "../client-go/api-client.ts";
import { emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import type { Component, Ctx, MailId, Message, Micros, StartMessage } from "../kernel/types.ts";
import { answerHealth } from "./health.ts";
import type { TrafficRequest } from "../api/traffic.ts";
import type { NetlinkRulesMessage, ProxyMode } from "./messages.ts";
import { changed, dropSlice, indexSlices, putSlice, rulesFor, serviceOfSlice, type SliceIndex } from "./rule-cache.ts";

/** Between the end of a sync and the next one (KubeProxyConfiguration minSyncPeriod). */
export const MIN_SYNC_PERIOD: Micros = 1_000_000;
/** Every rule is written again after so long (pkg/proxy/util FullSyncPeriod). */
const FULL_SYNC_PERIOD: Micros = 3_600_000_000;

export interface KubeProxyConfig {
  readonly world: World;
  readonly node: WorldNode;
}

export interface KubeProxyState {
  readonly mode: ProxyMode;
  readonly services: Informer;
  readonly slices: Informer;
  readonly byService: SliceIndex;
  /** Services whose rules are out of date. */
  readonly dirty: readonly string[];
  readonly lastSync: Micros;
  /** The sync that waits for minSyncPeriod, or -1. */
  readonly timer: MailId;
  /** A sync is being written. */
  readonly writing: boolean;
  /** Everything must be written: after a restart, or when the last time is an hour ago. */
  readonly full: boolean;
  readonly lastFullSync: Micros;
  readonly ready: boolean;
  readonly syncs: number;
  readonly fullSyncs: number;
}

const NEVER: Micros = -1_000_000_000;

interface SyncMessage {
  readonly type: "kube-proxy.sync" | "kube-proxy.written" | "kube-proxy.hour";
}

const idOf = (node: WorldNode): string => `kube-proxy@${node.name}`;

/** kubeadm leaves `mode` in the ConfigMap kube-proxy empty, which means iptables; a cluster may say otherwise there. */
export function proxyModeOf(world: World): ProxyMode {
  const config = objectsOf(world, "ConfigMap").find(({ metadata }) => metadata.namespace === "kube-system" && metadata.name === "kube-proxy") as { readonly data?: Readonly<Record<string, string>> } | undefined;
  return /^mode: "?nftables"?\s*$/m.test(config?.data?.["config.conf"] ?? "") ? "nftables" : "iptables";
}

/** Simplified: upstream's watches leave out headless Services by a label selector. */
export const kubeProxyWatches = (node: WorldNode): WatchSpec[] => [
  { component: idOf(node), resource: "services", path: "/api/v1/services" },
  { component: idOf(node), resource: "endpointslices", path: "/apis/discovery.k8s.io/v1/endpointslices" },
];

const CLIENT: ApiClient = { userAgent: "kube-proxy/v1.36.2 (linux/amd64) kubernetes/$Format", credential: { kind: "service-account-token", name: "system:serviceaccount:kube-system:kube-proxy", groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"] } };

/** Simplified: upstream watches its Node and writes every rule again when the zone's label changes. */
export const zoneOfNode = (world: World, node: WorldNode): string => nodeNamed(world, node.name)?.metadata.labels?.["topology.kubernetes.io/zone"] ?? "";

/** Turns Services and EndpointSlices into the packet rules of its node. No packet passes through it. */
export function createKubeProxy(config: KubeProxyConfig): Component<KubeProxyState> {
  const { world, node } = config;
  const [serviceWatch, sliceWatch] = kubeProxyWatches(node) as [WatchSpec, WatchSpec];
  const sliceStream = streamOf(sliceWatch);
  const proxy = new Proxier(node, zoneOfNode(world, node));
  return {
    id: idOf(node),
    machine: node.name,
    connections: [API_SERVER],
    init: () => ({
      mode: proxyModeOf(world),
      services: syncedInformer(serviceWatch, objectsOf<KubeObject>(world, "Service"), world.resourceVersion),
      slices: syncedInformer(sliceWatch, objectsOf<KubeObject>(world, "EndpointSlice"), world.resourceVersion),
      byService: indexSlices(objectsOf<KubeObject>(world, "EndpointSlice")),
      dirty: [],
      lastSync: NEVER,
      timer: -1,
      writing: false,
      full: false,
      lastFullSync: 0,
      ready: true,
      syncs: 0,
      fullSyncs: 0,
    }),
    step(state, message, ctx) {
      switch (message.type) {
        case "start":
          ctx.after(FULL_SYNC_PERIOD, { type: "kube-proxy.hour" } satisfies SyncMessage);
          if (!(message as StartMessage).cold) return state;
          return { ...state, services: startInformer(ctx, CLIENT, emptyInformer(serviceWatch)), slices: startInformer(ctx, CLIENT, emptyInformer(sliceWatch)), byService: indexSlices([]), dirty: [], timer: -1, writing: false, full: true, ready: false, lastSync: NEVER };
        case "kube-proxy.sync":
          return proxy.sync({ ...state, timer: -1, full: state.full || ctx.now - state.lastFullSync >= FULL_SYNC_PERIOD }, ctx);
        case "kube-proxy.hour":
          return proxy.hour(state, ctx);
        case "kube-proxy.written":
          return proxy.written(state, ctx);
        case "traffic.request":
          return answerHealth(state, message as TrafficRequest, ctx);
        default:
          return proxy.informers(state, message, sliceStream, ctx);
      }
    },
  };
}

class Proxier {
  private readonly node: WorldNode;
  private readonly zone: string;

  constructor(node: WorldNode, zone: string) {
    this.node = node;
    this.zone = zone;
  }

  informers(state: KubeProxyState, message: Message, sliceStream: string, ctx: Ctx): KubeProxyState {
    let next = state;
    const isSlice = message.type === "watch.event" && (message as unknown as { stream: string }).stream === sliceStream;
    const services = isSlice ? undefined : stepInformer(ctx, CLIENT, state.services, message);
    if (services) next = { ...next, services: services.informer, dirty: withKeys(next.dirty, services.changes.filter(changed).map((change) => objectKey(change.object))) };
    const slices = stepInformer(ctx, CLIENT, state.slices, message);
    if (slices) {
      const byService = slices.changes.reduce((index, change) => (change.type === "delete" ? dropSlice(index, change.object) : putSlice(index, change.object)), next.byService);
      next = { ...next, slices: slices.informer, byService, dirty: withKeys(next.dirty, slices.changes.filter(changed).map((change) => serviceOfSlice(change.object)).filter((key) => key !== "")) };
    }
    if (!services && !slices) return state;
    // Nothing is written before both caches are filled.
    if (!next.ready && next.services.resourceVersion !== "" && next.slices.resourceVersion !== "") next = { ...next, ready: true };
    return this.schedule(next, ctx);
  }

  /** BoundedFrequencyRunner: at once if the last sync ended minSyncPeriod ago, else when that has passed. */
  schedule(state: KubeProxyState, ctx: Ctx): KubeProxyState {
    if (!state.ready || state.writing || state.timer >= 0 || (state.dirty.length === 0 && !state.full)) return state;
    const wait = state.lastSync + MIN_SYNC_PERIOD - ctx.now;
    if (wait <= 0) return this.sync(state, ctx);
    return { ...state, timer: ctx.after(wait, { type: "kube-proxy.sync" } satisfies SyncMessage) };
  }

  /** The tool has ended: from here minSyncPeriod counts. */
  written(state: KubeProxyState, ctx: Ctx): KubeProxyState {
    return this.schedule({ ...state, writing: false, lastSync: ctx.now }, ctx);
  }

  /** An hour without a sync: everything is written again. */
  hour(state: KubeProxyState, ctx: Ctx): KubeProxyState {
    const left = Math.max(0, state.lastSync) + FULL_SYNC_PERIOD - ctx.now;
    ctx.after(left > 0 ? left : FULL_SYNC_PERIOD, { type: "kube-proxy.hour" } satisfies SyncMessage);
    return left > 0 ? state : this.schedule({ ...state, full: true }, ctx);
  }

  sync(state: KubeProxyState, ctx: Ctx): KubeProxyState {
    if (!state.ready || state.writing) return state;
    const keys = state.full ? state.services.store.sorted().map((entry) => entry[0]) : [...state.dirty].sort();
    const changes = keys.map((key) => {
      const rules = rulesFor(key, state.services.store, state.byService, this.node.name, this.zone);
      return rules === undefined ? { key } : { key, rules };
    });
    const took = ctx.latency("kube-proxy.sync", `${this.node.name} ${state.syncs}`);
    const message: NetlinkRulesMessage = { type: "netlink.rules", mode: state.mode, full: state.full, changes };
    ctx.send(`netfilter@${this.node.name}`, message, { protocol: "netlink", latency: took, verb: state.mode === "iptables" ? "iptables-restore" : "nft", subject: keys.length === 1 ? `service/${keys[0] ?? ""}` : `${keys.length} services` });
    ctx.after(took, { type: "kube-proxy.written" } satisfies SyncMessage);
    this.explain(state, changes, ctx);
    return { ...state, dirty: [], full: false, writing: true, syncs: state.syncs + 1, ...(state.full ? { lastFullSync: ctx.now, fullSyncs: state.fullSyncs + 1 } : {}) };
  }

  private explain(state: KubeProxyState, changes: NetlinkRulesMessage["changes"], ctx: Ctx): void {
    const first = changes[0];
    const endpoints = first?.rules?.ports.reduce((sum, port) => sum + port.reachable.length, 0) ?? 0;
    const local = first?.rules?.ports.some((port) => port.reachable.some((endpoint) => endpoint.local)) ?? false;
    const what = changes.length === 1 ? `${first?.key ?? ""}: ${first?.rules ? `${endpoints} endpoint${endpoints === 1 ? "" : "s"}` : "removed"}` : `${changes.length} Services`;
    ctx.explain({
      text: `kube-proxy on ${this.node.name} writes rules for ${what}`,
      why: state.full ? "every rule is written: kube-proxy has just started, or an hour has passed" : state.lastSync === NEVER || ctx.now - state.lastSync > MIN_SYNC_PERIOD ? "a Service or its EndpointSlice changed" : "changes waited for minSyncPeriod (1 s) since the last sync",
      // Ten nodes do the same: the one that has the Pod tells the story.
      level: local ? "basic" : "source",
      status: "syncing rules",
      ...(first === undefined ? {} : { subject: `service/${first.key}` }),
    });
  }
}

const withKeys = (dirty: readonly string[], keys: readonly string[]): readonly string[] => {
  const fresh = keys.filter((key, i) => !dirty.includes(key) && keys.indexOf(key) === i);
  return fresh.length === 0 ? dirty : [...dirty, ...fresh];
};

