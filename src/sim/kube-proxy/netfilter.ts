// Models the Linux kernel under kube-proxy: netfilter's NAT rules, conntrack, and routing to Pods
import { isPublicAddress, publicAddress } from "../api/public-names.ts";
import type { TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { KubeObject } from "../api/types.ts";
import { objectsOf, type World, type WorldNode } from "../api/world.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, Ctx, MailId, Micros, NetErrorMessage, Protocol, StartMessage } from "../kernel/types.ts";
import type { NetlinkPoliciesMessage, PodPolicy } from "../network-policy/messages.ts";
import { inCIDR } from "./cidr.ts";
import type { ProxyOptions } from "./iptables.ts";
import { install, NO_RULES, type NodeView, route, type RuleSet } from "./dispatch.ts";
import { proxyModeOf, zoneOfNode } from "./kube-proxy.ts";
import type { NetlinkRulesMessage } from "./messages.ts";
import { policyDrop } from "./policy-verdict.ts";
import { indexSlices, rulesFor } from "./rule-cache.ts";
import { endpointText } from "./service-rules.ts";

export interface NetfilterConfig {
  readonly world: World;
  readonly node: WorldNode;
}

/** One connection that was translated: later packets of it follow the entry, not the rules. */
export interface ConntrackEntry {
  /** The request as it came in. */
  readonly mail: MailId;
  readonly forwarded: MailId;
  readonly client: string;
  readonly protocol: Protocol;
  readonly from: string;
  readonly to: string;
  readonly endpoint: string;
  readonly since: Micros;
}

/** A UDP socket that sends again goes where its first packet went. */
export interface UdpFlow {
  readonly to: string;
  readonly endpoint: { readonly ip: string; readonly port: number };
  readonly at: Micros;
}

export interface NetfilterState extends RuleSet {
  readonly conntrack: readonly ConntrackEntry[];
  /** By "10.244.1.5:40123>10.96.0.10:53". */
  readonly flows: PMap<UdpFlow>;
  /** Refused and dropped by the rules, since the start. */
  readonly refused: number;
  readonly dropped: number;
  /** What kube-proxy's configuration adds to the rules. */
  readonly options: ProxyOptions;
  /** Of this node's isolated Pods, by address. */
  readonly policies: Readonly<Record<string, PodPolicy>>;
}

// Connections that nobody answered are forgotten like SYN_SENT entries are.
const UNANSWERED: Micros = 120_000_000;
/** nf_conntrack_udp_timeout_stream */
const UDP_STREAM: Micros = 120_000_000;
/** KubeProxyConfiguration healthzBindAddress. */
const HEALTHZ_PORT = 10_256;

const hopProtocol = (request: TrafficRequest): Protocol => (request.dns !== undefined ? "DNS" : request.protocol === "UDP" ? "TCP" : request.protocol);
const verbOf = (request: TrafficRequest): string => (request.dns === undefined ? (request.method ?? request.protocol) : `${request.dns.qtype} ${request.dns.name}`);

const empty = (world: World, node: WorldNode): NetfilterState => ({ ...NO_RULES, conntrack: [], flows: PMap.empty(), refused: 0, dropped: 0, options: { clusterCIDR: world.podCIDR, serviceCIDR: world.serviceCIDR, nodeIP: node.address, localhostNodePorts: true, randomFully: true }, policies: {} });

/** The node's kernel: translates new connections by the rules in force and carries packets to Pods. */
export function createNetfilter(config: NetfilterConfig): Component<NetfilterState> {
  const { world, node } = config;
  const kernel = new NodeKernel(world, node);
  return {
    id: `netfilter@${node.name}`,
    machine: node.name,
    init: () => {
      const services = PMap.from(objectsOf<KubeObject>(world, "Service").map((object) => [`${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`, object] as const));
      const slices = indexSlices(objectsOf<KubeObject>(world, "EndpointSlice"));
      const changes = services.sorted().map(([key]) => {
        const rules = rulesFor(key, services, slices, node.name, zoneOfNode(world, node));
        return rules === undefined ? { key } : { key, rules };
      });
      return { ...empty(world, node), ...install(NO_RULES, { changes, full: true, mode: proxyModeOf(world) }) };
    },
    step(state, message, ctx) {
      switch (message.type) {
        case "start":
          // A node that boots has no rules until kube-proxy writes them.
          return (message as StartMessage).cold ? empty(world, node) : state;
        case "netlink.rules":
          return kernel.rules(state, message as NetlinkRulesMessage, ctx);
        case "netlink.policies":
          return { ...state, policies: (message as NetlinkPoliciesMessage).pods };
        case "traffic.request":
          return kernel.request(state, message as TrafficRequest, ctx.mail, ctx.from, ctx);
        case "traffic.response":
          return kernel.response(state, (message as TrafficResponse).request, message as TrafficResponse, ctx);
        case "net.error":
          return kernel.response(state, (message as NetErrorMessage).hop, { type: "traffic.response", request: 0, status: 0, error: "connection refused", why: "nothing answers at that address" }, ctx);
        default:
          return state;
      }
    },
  };
}

class NodeKernel {
  private readonly node: WorldNode;
  private readonly nodes: readonly WorldNode[];
  private readonly view: NodeView;
  /** Whether the network plugin enforces NetworkPolicies. */
  private readonly enforced: boolean;

  constructor(world: World, node: WorldNode) {
    this.enforced = objectsOf(world, "ClusterRole").some((object) => object.metadata.name === "calico-node");
    this.node = node;
    this.nodes = world.nodes;
    this.view = { address: node.address, clusterCIDR: world.podCIDR, serviceCIDR: world.serviceCIDR };
  }

  rules(state: NetfilterState, message: NetlinkRulesMessage, ctx: Ctx): NetfilterState {
    const next = { ...state, ...install(state, message) };
    ctx.explain({ text: `The kernel of ${this.node.name} now has ${next.rules.size} Services in its rules`, why: "kube-proxy's new rules are in force for new connections; conntrack keeps old ones", level: "source" });
    return next.flows.size === 0 ? next : this.cleanFlows(next, ctx);
  }

  /** Models pkg/proxy/conntrack/cleanup.go: UDP flows to endpoints that do not serve any more are forgotten, once others do. */
  private cleanFlows(state: NetfilterState, ctx: Ctx): NetfilterState {
    const stale = state.flows.sorted().filter(([, { to, endpoint }]) => {
      const serving = state.dispatch.get(`${to}/UDP`)?.rules.serving ?? [];
      return serving.length > 0 && !serving.includes(endpointText(endpoint));
    });
    if (stale.length === 0) return state;
    ctx.explain({ text: `kube-proxy removes ${stale.length} stale UDP connections from conntrack`, why: "their endpoint does not serve any more, and UDP has no end that the kernel could see", level: "operator" });
    return { ...state, flows: stale.reduce((flows, [key]) => flows.delete(key), state.flows) };
  }

  request(state: NetfilterState, request: TrafficRequest, mail: MailId, client: string, ctx: Ctx): NetfilterState {
    const named = this.resolved(request);
    if (named === undefined) {
      this.answer(ctx, client, mail, request, { status: 0, error: "no such host" });
      return state;
    }
    if (named !== request) return this.request(state, named, mail, client, ctx);
    if (request.toIP === this.node.address && (request.toPort === HEALTHZ_PORT || this.isHealthPort(state, request.toPort))) return this.toProxy(state, request, mail, client, ctx);
    const flowKey = request.protocol === "UDP" && request.fromPort !== undefined ? `${request.fromIP}:${request.fromPort}>${request.toIP}:${request.toPort}` : "";
    const flow = flowKey === "" ? undefined : state.flows.get(flowKey);
    if (flow && ctx.now - flow.at < UDP_STREAM) return this.forward({ ...state, flows: state.flows.set(flowKey, { ...flow, at: ctx.now }) }, request, { ...request, toIP: flow.endpoint.ip, toPort: flow.endpoint.port }, mail, client, ctx);
    const way = route(state, { ...request, protocol: request.protocol === "UDP" ? "UDP" : "TCP" }, this.view, ctx.now, (i) => ctx.rand(`statistic/${mail}`, i));
    switch (way.to) {
      case "address": return this.forward(state, request, request, mail, client, ctx);
      case "drop":
        ctx.explain({ text: `The kernel of ${this.node.name} drops a connection to ${request.toIP}:${request.toPort}`, why: way.why, level: "operator", status: "dropping" });
        return { ...state, dropped: state.dropped + 1 };
      case "reject":
        this.answer(ctx, client, mail, request, { status: 0, error: "connection refused", why: `the rules of ${this.node.name} say: ${way.why}` });
        return { ...state, refused: state.refused + 1 };
      case "endpoint": {
        const { endpoint, masquerade, set } = way;
        const flows = flowKey === "" ? state.flows : state.flows.set(flowKey, { to: `${request.toIP}:${request.toPort}`, endpoint, at: ctx.now });
        const service = state.dispatch.get(`${request.toIP === this.node.address ? "node" : request.toIP}:${request.toPort}/${request.protocol === "UDP" ? "UDP" : "TCP"}`)?.rules.service;
        return this.forward({ ...state, ...set, flows }, request, { ...request, toIP: endpoint.ip, toPort: endpoint.port, ...(masquerade ? { fromIP: this.node.address } : {}) }, mail, client, ctx, service);
      }
    }
  }

  /** Simplified: a name that reaches the node itself (the kubelet's probes) is answered by the public DNS at once; processes in containers ask the cluster's. */
  private resolved(request: TrafficRequest): TrafficRequest | undefined {
    if (/^[\d.]+$|:/.test(request.toIP)) return request;
    const address = publicAddress(request.toIP);
    return address === undefined ? undefined : { ...request, toIP: address };
  }

  private isHealthPort(state: NetfilterState, port: number): boolean {
    return port >= 30_000 && state.rules.sortedValues().some(({ ports }) => ports.some((entry) => entry.healthCheckNodePort === port));
  }

  /** healthz, and the health check node ports of Services, are kube-proxy's own. */
  private toProxy(state: NetfilterState, request: TrafficRequest, mail: MailId, client: string, ctx: Ctx): NetfilterState {
    const forwarded = ctx.send(`kube-proxy@${this.node.name}`, request, { protocol: "HTTP", latency: ctx.latency("link.host", `${mail} out`), verb: `GET ${request.path ?? "/"}`, subject: `${request.toIP}:${request.toPort}` });
    return this.tracked(state, request, request, mail, forwarded, client, ctx);
  }

  /** Routes a packet: this node's bridge, another node's Pod network, or nowhere. */
  private forward(state: NetfilterState, original: TrafficRequest, request: TrafficRequest, mail: MailId, client: string, ctx: Ctx, service?: string): NetfilterState {
    const target = this.nodes.find((node) => node.address === request.toIP || inCIDR(request.toIP, node.podCIDR));
    if (!target && isPublicAddress(request.toIP)) return this.isDropped(state, request, ctx) ? { ...state, dropped: state.dropped + 1 } : this.leave(state, request, mail, client, ctx);
    // Another address that no node has leaves by the default route and is never answered.
    if (!target) return state;
    const local = target.name === this.node.name;
    if (this.isDropped(state, request, ctx)) return { ...state, dropped: state.dropped + 1 };
    // Where policies are enforced the other node's kernel looks at the packet too. Another node's own port goes through that node's rules; a Pod's address does not.
    const to = !local && (this.enforced || request.toIP === target.address) ? `netfilter@${target.name}` : `process@${target.name}`;
    const forwarded = ctx.send(to, request, { protocol: hopProtocol(request), latency: ctx.latency(local ? "link.host" : "link.lan", `${mail} out`), verb: verbOf(request), subject: service === undefined ? `${request.toIP}:${request.toPort}` : `service/${service}`, ...(request.dns === undefined ? {} : { level: "source" as const }) });
    return this.tracked(state, original, request, mail, forwarded, client, ctx);
  }

  /** A packet that a policy does not allow is thrown away in silence: the client waits until it gives up. */
  private isDropped(state: NetfilterState, request: TrafficRequest, ctx: Ctx): boolean {
    const drop = policyDrop(state.policies, request, this.node.address);
    if (!drop) return false;
    ctx.explain({ text: `The kernel of ${this.node.name} drops ${request.fromIP} → ${request.toIP}:${request.toPort}`, why: `${drop.pod} is isolated for ${drop.direction} and none of its NetworkPolicies allows this`, level: "basic", subject: `pod/${drop.pod}` });
    return true;
  }

  /** Out of the cluster: with the node's address, so that answers find back (ipMasq of the bridge plugin). */
  private leave(state: NetfilterState, request: TrafficRequest, mail: MailId, client: string, ctx: Ctx): NetfilterState {
    const forwarded = ctx.send("internet", { ...request, fromIP: this.node.address }, { protocol: hopProtocol(request), latency: ctx.latency("link.internet", `${mail} out`), verb: verbOf(request), subject: `${request.host ?? request.toIP}:${request.toPort}` });
    return this.tracked(state, request, request, mail, forwarded, client, ctx);
  }

  private tracked(state: NetfilterState, original: TrafficRequest, request: TrafficRequest, mail: MailId, forwarded: MailId, client: string, ctx: Ctx): NetfilterState {
    const entry: ConntrackEntry = { mail, forwarded, client, protocol: hopProtocol(request), from: original.fromIP, to: `${original.toIP}:${original.toPort}`, endpoint: `${request.toIP}:${request.toPort}`, since: ctx.now };
    return { ...state, conntrack: [...state.conntrack.filter((old) => ctx.now - old.since < UNANSWERED), entry] };
  }

  response(state: NetfilterState, forwarded: MailId, response: TrafficResponse, ctx: Ctx): NetfilterState {
    const entry = state.conntrack.find((candidate) => candidate.forwarded === forwarded);
    if (!entry) return state;
    // A client inside lives on this machine though its component does not.
    const back = inCIDR(entry.from, this.node.podCIDR) || entry.client.endsWith(`@${this.node.name}`) ? "link.host" : entry.client === "users" ? "link.internet" : "link.lan";
    ctx.send(entry.client, { ...response, request: entry.mail }, { protocol: entry.protocol, latency: ctx.latency(back, `${entry.mail} back`), verb: response.dns?.rcode ?? (response.error === undefined ? "answer" : "RST"), status: response.status, subject: entry.to, ...(response.dns === undefined ? {} : { level: "source" as const }) });
    return { ...state, conntrack: state.conntrack.filter((candidate) => candidate !== entry) };
  }

  private answer(ctx: Ctx, client: string, mail: MailId, request: TrafficRequest, answer: Omit<TrafficResponse, "type" | "request">): void {
    ctx.send(client, { type: "traffic.response", request: mail, ...answer } satisfies TrafficResponse, { protocol: hopProtocol(request), latency: ctx.latency("link.host", `${mail} refused`), verb: "REJECT", status: answer.status, subject: `${request.toIP}:${request.toPort}` });
  }
}
