// Models coredns with its kubernetes plugin, as kubeadm deploys it
import { publicAddress } from "../api/public-names.ts";
import { objectKey, streamOf, type WatchSpec } from "../api/http.ts";
import type { EndpointSlice, KubeObject } from "../api/types.ts";
import { objectsOf, type World } from "../api/world.ts";
import { API_SERVER, type ApiClient } from "../client-go/api-client.ts";
import { emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, Ctx, Message, Micros, StartMessage } from "../kernel/types.ts";
import type { DnsAnswer, TrafficResponse } from "../api/traffic.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { RelayedRequest } from "./messages.ts";
import { answerName, TTL, type Zone } from "./records.ts";

export interface CoreDNSConfig {
  readonly world: World;
}

export interface CoreDNSState {
  readonly informers: readonly Informer[];
  /** Slices by Service, then by their own key. */
  readonly byService: PMap<PMap<KubeObject>>;
  readonly queries: number;
  readonly negative: number;
  /** Names outside that the plugin cache holds, until when. */
  readonly cached: PMap<{ readonly answer: DnsAnswer; readonly until: Micros }>;
  /** The last questions, newest last. */
  readonly log: readonly { readonly at: Micros; readonly client: string; readonly question: string; readonly rcode: string }[];
  readonly silent: boolean;
}

const ID = "coredns";
/** kubeadm's Corefile: `cache 30`, not for cluster.local. */
const CACHE: Micros = 30_000_000;
const MAX_LOG = 40;
const EMPTY = { queries: 0, negative: 0, cached: PMap.empty<{ readonly answer: DnsAnswer; readonly until: Micros }>(), log: [], silent: false };
const CLIENT: ApiClient = { userAgent: "coredns/1.13.1 (linux/amd64)", credential: { kind: "service-account-token", name: "system:serviceaccount:kube-system:coredns", groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"] } };

export const coreDNSWatches = (): WatchSpec[] => [
  { component: ID, resource: "services", path: "/api/v1/services" },
  { component: ID, resource: "endpointslices", path: "/apis/discovery.k8s.io/v1/endpointslices" },
  { component: ID, resource: "namespaces", path: "/api/v1/namespaces" },
];
const KINDS = ["Service", "EndpointSlice", "Namespace"];

const serviceOf = (slice: KubeObject): string => `${slice.metadata.namespace ?? ""}/${slice.metadata.labels?.["kubernetes.io/service-name"] ?? ""}`;

function indexed(index: CoreDNSState["byService"], slice: KubeObject, gone: boolean): CoreDNSState["byService"] {
  const old = index.get(serviceOf(slice)) ?? PMap.empty<KubeObject>();
  return index.set(serviceOf(slice), gone ? old.delete(objectKey(slice)) : old.set(objectKey(slice), slice));
}

/** The program in the Pods behind the Service kube-dns. Simplified: its replicas share one cache of the API and one of names outside. */
export function createCoreDNS(config: CoreDNSConfig): Component<CoreDNSState> {
  const { world } = config;
  const watches = coreDNSWatches();
  const streams = watches.map(streamOf);
  return {
    id: ID,
    machine: world.nodes[0]?.name ?? "control-plane",
    connections: [API_SERVER],
    init: () => ({
      informers: watches.map((watch, i) => syncedInformer(watch, objectsOf<KubeObject>(world, KINDS[i] ?? ""), world.resourceVersion)),
      byService: objectsOf<KubeObject>(world, "EndpointSlice").reduce((index, slice) => indexed(index, slice, false), PMap.empty<PMap<KubeObject>>()),
      ...EMPTY,
    }),
    step(state, message, ctx) {
      if (message.type === "traffic.relayed") return state.silent ? state : answer(state, message as RelayedRequest, world, ctx);
      if (message.type === "fault") return (message as FaultMessage).id === "dns.down" ? { ...state, silent: (message as FaultMessage).on } : state;
      if (message.type === "start") return (message as StartMessage).cold ? { informers: watches.map((watch) => startInformer(ctx, CLIENT, emptyInformer(watch))), byService: PMap.empty(), ...EMPTY } : state;
      return informersStep(state, message, streams, ctx);
    },
  };
}

function informersStep(state: CoreDNSState, message: Message, streams: readonly string[], ctx: Ctx): CoreDNSState {
  const only = message.type === "watch.event" ? streams.indexOf((message as unknown as { stream: string }).stream) : -1;
  let next = state;
  for (let i = 0; i < state.informers.length; i++) {
    if (only >= 0 && only !== i) continue;
    const informer = state.informers[i];
    const stepped = informer && stepInformer(ctx, CLIENT, informer, message);
    if (!stepped) continue;
    const byService = i === 1 ? stepped.changes.reduce((index, change) => indexed(index, change.object, change.type === "delete"), next.byService) : next.byService;
    next = { ...next, informers: next.informers.with(i, stepped.informer), byService };
  }
  return next;
}

/** The Corefile's last plugins: what is not the cluster's comes from the cache, or from the resolvers of the node. */
function forwarded(state: CoreDNSState, name: string, qtype: string, now: Micros): { readonly answer: DnsAnswer; readonly hit: boolean } {
  const known = state.cached.get(`${qtype} ${name}`);
  if (known && known.until > now) return { answer: { ...known.answer, ttl: Math.max(1, Math.ceil((known.until - now) / 1_000_000)) }, hit: true };
  const address = qtype === "SRV" || qtype === "PTR" ? undefined : publicAddress(name);
  return { answer: { rcode: address === undefined ? "NXDOMAIN" : "NOERROR", addresses: address !== undefined && qtype === "A" ? [address] : [], ttl: TTL }, hit: false };
}

/** Plugin loadbalance: addresses in another order each time. */
function rotated(addresses: readonly string[], by: number): readonly string[] {
  const start = addresses.length < 2 ? 0 : by % addresses.length;
  return [...addresses.slice(start), ...addresses.slice(0, start)];
}

function answer(state: CoreDNSState, relayed: RelayedRequest, world: World, ctx: Ctx): CoreDNSState {
  const question = relayed.request.dns;
  if (question === undefined) return state;
  const [services, , namespaces] = state.informers;
  const zone: Zone = {
    domain: world.clusterDomain,
    services: services?.store ?? PMap.empty<KubeObject>(),
    slicesOf: (key) => (state.byService.get(key)?.sorted() ?? []).map((entry) => entry[1]) as unknown as readonly EndpointSlice[],
    hasNamespace: (name) => namespaces?.store.has(name) ?? false,
  };
  const own = answerName(zone, question);
  const outside = own === "outside" ? forwarded(state, question.name, question.qtype, ctx.now) : undefined;
  const found: DnsAnswer = own === "outside" ? (outside?.answer ?? { rcode: "SERVFAIL", addresses: [], ttl: 0 }) : { ...own, addresses: rotated(own.addresses, ctx.rand(`rotate/${ctx.mail}`, 0)), ttl: TTL };
  // A name that leads outside is followed there before the answer is given.
  const followed = found.cname !== undefined && found.addresses.length === 0 && question.qtype === "A" ? publicAddress(found.cname) : undefined;
  const dns = followed === undefined ? found : { ...found, addresses: [followed] };
  const away = (outside !== undefined && !outside.hit) || followed !== undefined ? ctx.latency("link.internet", `dns ${ctx.mail}`) : 0;
  const text = `${question.qtype} ${question.name}`;
  ctx.send(relayed.carrier, { type: "traffic.response", request: relayed.mail, status: 0, servedBy: relayed.servedBy, dns } satisfies TrafficResponse, { protocol: "DNS", latency: ctx.latency("link.lan", `dns ${ctx.mail}`) + ctx.latency("coredns.answer", `${ctx.mail}`) + away, verb: dns.rcode, subject: question.name, level: "source" });
  const said = dns.addresses.join(", ") || dns.ptr || dns.srv?.map((record) => `${record.port} ${record.target}`).join(", ") || (dns.rcode === "NOERROR" ? "no record of that type" : dns.rcode);
  ctx.explain({ text: `CoreDNS answers ${text}: ${said}`, why: own === "outside" ? (outside?.hit ? "no name of the cluster: the answer of the node's resolvers is kept for 30 s" : "no name of the cluster: forwarded to the node's resolvers") : dns.rcode === "NOERROR" ? "it watches Services and EndpointSlices" : "no Service of that name, or a headless one without ready Pods", level: "source", status: `${state.queries + 1} questions` });
  const cached = outside !== undefined && !outside.hit ? state.cached.set(`${question.qtype} ${question.name}`, { answer: dns, until: ctx.now + CACHE }) : state.cached;
  return { ...state, queries: state.queries + 1, negative: state.negative + (dns.rcode === "NXDOMAIN" ? 1 : 0), cached, log: [...state.log.slice(1 - MAX_LOG), { at: ctx.now, client: relayed.request.fromIP, question: text, rcode: dns.rcode === "NOERROR" && said.startsWith("no record") ? "NODATA" : dns.rcode }] };
}
