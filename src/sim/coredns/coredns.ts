// Models coredns with its kubernetes plugin, as kubeadm deploys it
import { publicAddress } from "../api/public-names.ts";
import { objectKey, streamOf, type WatchSpec } from "../api/http.ts";
import type { EndpointSlice, KubeObject } from "../api/types.ts";
import { objectsOf, type World } from "../api/world.ts";
import { API_SERVER, type ApiClient } from "../client-go/api-client.ts";
import { emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, Ctx, Message, StartMessage } from "../kernel/types.ts";
import type { DnsRequestMessage, DnsResponseMessage } from "./messages.ts";
import { type Answer, answerName, searchNames, type Zone } from "./records.ts";

export interface CoreDNSConfig {
  readonly world: World;
}

export interface CoreDNSState {
  readonly informers: readonly Informer[];
  /** Slices by Service, then by their own key. */
  readonly byService: PMap<PMap<KubeObject>>;
  readonly queries: number;
}

const ID = "coredns";
const TTL = 5;
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

/** The cluster's names. Simplified: upstream runs two replicas behind the Service kube-dns; here one server beside the control plane. */
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
      queries: 0,
    }),
    step(state, message, ctx) {
      if (message.type === "dns.request") return answer(state, message as DnsRequestMessage, world, ctx);
      if (message.type === "start") return (message as StartMessage).cold ? { informers: watches.map((watch) => startInformer(ctx, CLIENT, emptyInformer(watch))), byService: PMap.empty(), queries: 0 } : state;
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

function answer(state: CoreDNSState, request: DnsRequestMessage, world: World, ctx: Ctx): CoreDNSState {
  const [services, , namespaces] = state.informers;
  const zone: Zone = {
    domain: world.clusterDomain,
    services: services?.store ?? PMap.empty<KubeObject>(),
    slicesOf: (key) => (state.byService.get(key)?.sorted() ?? []).map((entry) => entry[1]) as unknown as readonly EndpointSlice[],
    hasNamespace: (name) => namespaces?.store.has(name) ?? false,
  };
  // Simplified: a resolver sends one question for each name of its search list; here the server walks the list.
  const names = request.namespace === undefined ? [request.name.replace(/\.$/, "")] : searchNames(request.name, request.namespace, world.clusterDomain);
  let found: Answer | undefined;
  let tried = 0;
  for (const name of names) {
    const result = answerName(zone, name, request.qtype);
    tried++;
    if (!result.found) continue;
    found = result;
    break;
  }
  // The Corefile's last plugin: what is not the cluster's goes to the resolvers of the node.
  const outside = found === undefined && request.qtype !== "SRV" ? publicAddress(request.name) : undefined;
  if (outside !== undefined) found = { found: true, addresses: request.qtype === "A" ? [outside] : [] };
  const response: DnsResponseMessage = {
    type: "dns.response",
    request: ctx.mail,
    rcode: found ? "NOERROR" : "NXDOMAIN",
    addresses: found?.addresses ?? [],
    ...(found?.srv === undefined ? {} : { srv: found.srv }),
    ...(found?.cname === undefined ? {} : { cname: found.cname }),
    name: names[tried - 1] ?? request.name,
    tried,
    ttl: TTL,
  };
  ctx.send(ctx.from, response, { protocol: "DNS", latency: ctx.latency("link.lan", `dns ${ctx.mail}`) + ctx.latency("coredns.answer", `${ctx.mail}`), verb: response.rcode, subject: request.name, level: "source" });
  ctx.explain({ text: `CoreDNS answers ${request.qtype} ${request.name}: ${found ? found.addresses.join(", ") || found.cname || "no address" : "NXDOMAIN"}`, why: outside !== undefined ? "no name of the cluster: forwarded to the node's resolvers" : found ? "it watches Services and EndpointSlices" : "no Service of that name, or a headless one without ready Pods", level: "source" });
  return { ...state, queries: state.queries + 1 };
}
