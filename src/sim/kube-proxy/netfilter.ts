// Models the Linux kernel under kube-proxy: netfilter's NAT rules, conntrack, and routing to Pods
import { isPublicAddress } from "../api/public-names.ts";
import type { TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { KubeObject } from "../api/types.ts";
import { objectsOf, type World, type WorldNode } from "../api/world.ts";
import type { DnsResponseMessage } from "../coredns/messages.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, Ctx, MailId, Message, Micros, NetErrorMessage, Protocol, StartMessage } from "../kernel/types.ts";
import { zoneOfNode } from "./kube-proxy.ts";
import type { NetlinkPoliciesMessage, PodPolicy } from "../network-policy/messages.ts";
import type { EndpointRule, NetlinkRulesMessage, PortRules, ServiceRules } from "./messages.ts";
import { inCIDR, policyDrop } from "./policy-verdict.ts";
import { indexSlices, rulesFor } from "./rule-cache.ts";

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

interface Lookup {
  readonly dns: MailId;
  readonly timer: MailId;
  readonly mail: MailId;
  readonly client: string;
  readonly request: TrafficRequest;
}

export interface NetfilterState {
  /** Rules in force, by Service. */
  readonly rules: PMap<ServiceRules>;
  /** "10.96.0.10:80/TCP" and "node:30080/TCP" to the port's rules. */
  readonly dispatch: PMap<PortRules>;
  readonly conntrack: readonly ConntrackEntry[];
  /** Session affinity: "client|service:port" to the endpoint it was given, and when. */
  readonly recent: PMap<{ readonly endpoint: EndpointRule; readonly at: Micros }>;
  readonly lookups: readonly Lookup[];
  /** Of this node's isolated Pods, by address. */
  readonly policies: Readonly<Record<string, PodPolicy>>;
}

// Connections that nobody answered are forgotten like SYN_SENT entries are.
const UNANSWERED: Micros = 120_000_000;
/** musl's resolver gives up after 5 s in all, as resolv.conf's default has it. */
const RESOLVER_TIMEOUT: Micros = 5_000_000;
const TWO_POW_32 = 4_294_967_296;

const protocolOf = (request: TrafficRequest): string => (request.protocol === "UDP" ? "UDP" : "TCP");
const hopProtocol = (request: TrafficRequest): Protocol => (request.protocol === "UDP" ? "DNS" : request.protocol);

function keysOf(port: PortRules): readonly string[] {
  const addresses = [port.clusterIP, ...port.externalIPs].map((address) => `${address}:${port.port}/${port.protocol}`);
  return port.nodePort === undefined ? addresses : [...addresses, `node:${port.nodePort}/${port.protocol}`];
}

function install(state: NetfilterState, changes: NetlinkRulesMessage["changes"], full: boolean): NetfilterState {
  let rules = full ? PMap.empty<ServiceRules>() : state.rules;
  let dispatch = full ? PMap.empty<PortRules>() : state.dispatch;
  for (const { key, rules: next } of changes) {
    for (const port of rules.get(key)?.ports ?? []) for (const address of keysOf(port)) dispatch = dispatch.delete(address);
    rules = next === undefined ? rules.delete(key) : rules.set(key, next);
    for (const port of next?.ports ?? []) for (const address of keysOf(port)) dispatch = dispatch.set(address, port);
  }
  return { ...state, rules, dispatch };
}

/** The endpoint that a chain of `statistic` rules picks: one draw a rule. */
export function pickEndpoint(chain: readonly EndpointRule[], draw: (i: number) => number): EndpointRule | undefined {
  return chain.find((entry, i) => entry.probability === undefined || draw(i) / TWO_POW_32 < Number(entry.probability));
}

const EMPTY: NetfilterState = { rules: PMap.empty(), dispatch: PMap.empty(), conntrack: [], recent: PMap.empty(), lookups: [], policies: {} };

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
      return install(EMPTY, changes, true);
    },
    step(state, message, ctx) {
      switch (message.type) {
        case "start":
          // A node that boots has no rules until kube-proxy writes them.
          return (message as StartMessage).cold ? EMPTY : state;
        case "netlink.rules":
          return kernel.rules(state, message as NetlinkRulesMessage, ctx);
        case "netlink.policies":
          return { ...state, policies: (message as NetlinkPoliciesMessage).pods };
        case "traffic.request":
          return kernel.request(state, message as TrafficRequest, ctx.mail, ctx.from, ctx);
        case "traffic.response":
          return kernel.response(state, (message as TrafficResponse).request, message as TrafficResponse, ctx);
        case "net.error":
          return kernel.response(state, (message as NetErrorMessage).hop, { type: "traffic.response", request: 0, status: 0, error: "connection refused" }, ctx);
        case "netfilter.unresolved":
        case "dns.response":
          return kernel.resolved(state, message as unknown as DnsResponseMessage, ctx);
        default:
          return state;
      }
    },
  };
}

class NodeKernel {
  private readonly node: WorldNode;
  private readonly nodes: readonly WorldNode[];
  private readonly dnsAddress: string;
  /** Whether the network plugin enforces NetworkPolicies. */
  private readonly enforced: boolean;

  constructor(world: World, node: WorldNode) {
    this.dnsAddress = world.dnsServiceIP;
    this.enforced = world.objects.some((object) => object.kind === "ClusterRole" && object.metadata.name === "calico-node");
    this.node = node;
    this.nodes = world.nodes;
  }

  rules(state: NetfilterState, message: NetlinkRulesMessage, ctx: Ctx): NetfilterState {
    const next = install(state, message.changes, message.full);
    ctx.explain({ text: `The kernel of ${this.node.name} now has ${next.rules.size} Services in its rules`, why: "kube-proxy's new rules are in force for new connections; conntrack keeps old ones", level: "source" });
    return next;
  }

  request(state: NetfilterState, request: TrafficRequest, mail: MailId, client: string, ctx: Ctx): NetfilterState {
    if (!/^[\d.]+$|:/.test(request.toIP)) return this.lookup(state, request, mail, client, ctx);
    const protocol = protocolOf(request);
    const own = request.toIP === this.node.address;
    const rule = state.dispatch.get(own ? `node:${request.toPort}/${protocol}` : `${request.toIP}:${request.toPort}/${protocol}`);
    if (!rule) return this.forward(state, request, request, mail, client, ctx);
    const outside = own || rule.externalIPs.includes(request.toIP);
    const verdict = outside ? rule.externalVerdict : rule.internalVerdict;
    if (verdict === "drop") {
      ctx.explain({ text: `The kernel of ${this.node.name} drops a connection to ${rule.service}`, why: "the traffic policy is Local and this node has no endpoint", level: "source", subject: `service/${rule.service}` });
      return state;
    }
    const chain = outside ? rule.external : rule.internal;
    const { endpoint, state: picked } = this.pick(state, rule, chain, request, mail, ctx);
    if (!endpoint) {
      this.answer(ctx, client, mail, request, { status: 0, error: "connection refused", body: "no endpoints" });
      return picked;
    }
    const translated = { ...request, toIP: endpoint.ip, toPort: endpoint.port, ...(outside && rule.masquerade ? { fromIP: this.node.address } : {}) };
    return this.forward(picked, request, translated, mail, client, ctx, rule.service);
  }

  private pick(state: NetfilterState, rule: PortRules, chain: readonly EndpointRule[], request: TrafficRequest, mail: MailId, ctx: Ctx): { endpoint: EndpointRule | undefined; state: NetfilterState } {
    const key = `${request.fromIP}|${rule.service}:${rule.port}`;
    if (rule.affinitySeconds !== undefined) {
      const known = state.recent.get(key);
      const still = known && ctx.now - known.at < rule.affinitySeconds * 1_000_000 ? chain.find((entry) => entry.ip === known.endpoint.ip && entry.port === known.endpoint.port) : undefined;
      if (still) return { endpoint: still, state: { ...state, recent: state.recent.set(key, { endpoint: still, at: ctx.now }) } };
    }
    const endpoint = pickEndpoint(chain, (i) => ctx.rand(`statistic/${mail}`, i));
    if (!endpoint || rule.affinitySeconds === undefined) return { endpoint, state };
    return { endpoint, state: { ...state, recent: state.recent.set(key, { endpoint, at: ctx.now }) } };
  }

  /** Routes a packet: this node's bridge, another node's Pod network, or nowhere. */
  private forward(state: NetfilterState, original: TrafficRequest, request: TrafficRequest, mail: MailId, client: string, ctx: Ctx, service?: string): NetfilterState {
    const target = this.nodes.find((node) => node.address === request.toIP || inCIDR(request.toIP, node.podCIDR));
    if (!target && isPublicAddress(request.toIP)) return this.dropped(state, request, ctx) ? state : this.leave(state, request, mail, client, ctx);
    // Another address that no node has leaves by the default route and is never answered.
    if (!target) return state;
    const local = target.name === this.node.name;
    if (this.dropped(state, request, ctx)) return state;
    // Where policies are enforced the other node's kernel looks at the packet too. Another node's own port goes through that node's rules; a Pod's address does not.
    const to = !local && (this.enforced || request.toIP === target.address) ? `netfilter@${target.name}` : `process@${target.name}`;
    const forwarded = ctx.send(to, request, { protocol: hopProtocol(request), latency: ctx.latency(local ? "link.host" : "link.lan", `${mail} out`), verb: request.method ?? request.protocol, subject: service === undefined ? `${request.toIP}:${request.toPort}` : `service/${service}` });
    const entry: ConntrackEntry = { mail, forwarded, client, protocol: hopProtocol(request), from: request.fromIP, to: `${original.toIP}:${original.toPort}`, endpoint: `${request.toIP}:${request.toPort}`, since: ctx.now };
    return { ...state, conntrack: [...state.conntrack.filter((old) => ctx.now - old.since < UNANSWERED), entry] };
  }

  /** A packet that a policy does not allow is thrown away in silence: the client waits until it gives up. */
  private dropped(state: NetfilterState, request: TrafficRequest, ctx: Ctx): boolean {
    const drop = policyDrop(state.policies, request, this.node.address);
    if (!drop) return false;
    ctx.explain({ text: `The kernel of ${this.node.name} drops ${request.fromIP} → ${request.toIP}:${request.toPort}`, why: `${drop.pod} is isolated for ${drop.direction} and none of its NetworkPolicies allows this`, level: "basic", subject: `pod/${drop.pod}` });
    return true;
  }

  /** Out of the cluster: with the node's address, so that answers find back (ipMasq of the bridge plugin). */
  private leave(state: NetfilterState, request: TrafficRequest, mail: MailId, client: string, ctx: Ctx): NetfilterState {
    const forwarded = ctx.send("internet", { ...request, fromIP: this.node.address }, { protocol: hopProtocol(request), latency: ctx.latency("link.internet", `${mail} out`), verb: request.method ?? request.protocol, subject: `${request.host ?? request.toIP}:${request.toPort}` });
    const entry: ConntrackEntry = { mail, forwarded, client, protocol: hopProtocol(request), from: request.fromIP, to: `${request.toIP}:${request.toPort}`, endpoint: `${request.toIP}:${request.toPort}`, since: ctx.now };
    return { ...state, conntrack: [...state.conntrack.filter((old) => ctx.now - old.since < UNANSWERED), entry] };
  }

  response(state: NetfilterState, forwarded: MailId, response: TrafficResponse, ctx: Ctx): NetfilterState {
    const entry = state.conntrack.find((candidate) => candidate.forwarded === forwarded);
    if (!entry) return state;
    // A client inside lives on this machine though its component does not.
    const back = inCIDR(entry.from, this.node.podCIDR) || entry.client.endsWith(`@${this.node.name}`) ? "link.host" : entry.client === "users" ? "link.internet" : "link.lan";
    ctx.send(entry.client, { ...response, request: entry.mail }, { protocol: entry.protocol, latency: ctx.latency(back, `${entry.mail} back`), verb: response.error === undefined ? "answer" : "RST", status: response.status, subject: entry.to });
    return { ...state, conntrack: state.conntrack.filter((candidate) => candidate !== entry) };
  }

  private answer(ctx: Ctx, client: string, mail: MailId, request: TrafficRequest, answer: Omit<TrafficResponse, "type" | "request">): void {
    ctx.send(client, { type: "traffic.response", request: mail, ...answer } satisfies TrafficResponse, { protocol: hopProtocol(request), latency: ctx.latency("link.host", `${mail} refused`), verb: "REJECT", status: answer.status, subject: `${request.toIP}:${request.toPort}` });
  }

  /** Simplified: a process resolves names itself; here the node asks for it when an address is still a name. */
  private lookup(state: NetfilterState, request: TrafficRequest, mail: MailId, client: string, ctx: Ctx): NetfilterState {
    // The question itself must be allowed to leave.
    if (this.dropped(state, { ...request, protocol: "UDP", toIP: this.dnsAddress, toPort: 53 }, ctx)) return state;
    const dns = ctx.send("coredns", { type: "dns.request", name: request.toIP, qtype: "A", client: `netfilter@${this.node.name}`, namespace: "default" } as Message, { protocol: "DNS", latency: ctx.latency("link.lan", `${mail} dns`), verb: `A ${request.toIP}` });
    const timer = ctx.after(RESOLVER_TIMEOUT, { type: "netfilter.unresolved", request: dns, addresses: [] } as Message);
    return { ...state, lookups: [...state.lookups, { dns, timer, mail, client, request }] };
  }

  /** The name server's answer, or that none came. */
  resolved(state: NetfilterState, answer: Pick<DnsResponseMessage, "request" | "addresses">, ctx: Ctx): NetfilterState {
    const lookup = state.lookups.find((entry) => entry.dns === answer.request);
    if (!lookup) return state;
    ctx.cancel(lookup.timer);
    const next = { ...state, lookups: state.lookups.filter((entry) => entry !== lookup) };
    const address = answer.addresses[ctx.rand(`address/${lookup.mail}`, 0) % Math.max(1, answer.addresses.length)];
    if (address === undefined) {
      this.answer(ctx, lookup.client, lookup.mail, lookup.request, { status: 0, error: "no such host" });
      return next;
    }
    return this.request(next, { ...lookup.request, toIP: address }, lookup.mail, lookup.client, ctx);
  }
}
