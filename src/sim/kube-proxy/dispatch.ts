// Models what the kernel does with a new connection by kube-proxy's rules: the way through the chains
import { inCIDR } from "./cidr.ts";
import type { EndpointRule, NetlinkRulesMessage, PortRules, ProxyMode, ServiceRules } from "./messages.ts";
import { destinations, probability } from "./service-rules.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Micros } from "../kernel/types.ts";

export type Entry = "cluster" | "external" | "balancer" | "node-port";

/** Where an address of a Service leads. */
export interface Destination {
  readonly rules: PortRules;
  readonly entry: Entry;
}

/** The rules in force, and what they know of clients. */
export interface RuleSet {
  readonly mode: ProxyMode;
  readonly rules: PMap<ServiceRules>;
  /** "10.96.0.10:80/TCP" and "node:30080/TCP" to the port. */
  readonly dispatch: PMap<Destination>;
  /** ClusterIPs that some Service has; nftables refuses other ports of them. */
  readonly clusterIPs: PMap<number>;
  /** Session affinity: "client|service:port" to the endpoint it was given, and when. */
  readonly recent: PMap<{ readonly endpoint: EndpointRule; readonly at: Micros }>;
}

export const NO_RULES: RuleSet = { mode: "iptables", rules: PMap.empty(), dispatch: PMap.empty(), clusterIPs: PMap.empty(), recent: PMap.empty() };

const TWO_POW_32 = 4_294_967_296;
const SECOND: Micros = 1_000_000;

function addressesOf(port: PortRules): readonly (readonly [string, Entry])[] {
  const at = (address: string, entry: Entry) => [`${address}:${port.port}/${port.protocol}`, entry] as const;
  return [at(port.clusterIP, "cluster"), ...port.externalIPs.map((address) => at(address, "external")), ...port.loadBalancerIPs.map((address) => at(address, "balancer")), ...(port.nodePort === undefined ? [] : [[`node:${port.nodePort}/${port.protocol}`, "node-port"] as const])];
}

/** Puts kube-proxy's changes in force. */
export function install(set: RuleSet, { changes, full, mode }: Pick<NetlinkRulesMessage, "changes" | "full" | "mode">): RuleSet {
  let { rules, dispatch, clusterIPs } = full ? NO_RULES : set;
  for (const { key, rules: next } of changes) {
    for (const port of rules.get(key)?.ports ?? []) {
      for (const [address] of addressesOf(port)) dispatch = dispatch.delete(address);
      clusterIPs = clusterIPs.delete(port.clusterIP);
    }
    rules = next === undefined ? rules.delete(key) : rules.set(key, next);
    for (const port of next?.ports ?? []) {
      for (const [address, entry] of addressesOf(port)) dispatch = dispatch.set(address, { rules: port, entry });
      clusterIPs = clusterIPs.set(port.clusterIP, 1);
    }
  }
  return { mode, rules, dispatch, clusterIPs, recent: set.recent };
}

/** The endpoint that a chain of `statistic` rules picks, one draw a rule (`numgen random` gives the same shares). */
export function pickEndpoint(chain: readonly EndpointRule[], draw: (i: number) => number): EndpointRule | undefined {
  return chain.find((_, i) => i === chain.length - 1 || draw(i) / TWO_POW_32 < Number(probability(chain.length - i)));
}

export type Route =
  | { readonly to: "endpoint"; readonly endpoint: EndpointRule; readonly masquerade: boolean; readonly set: RuleSet }
  | { readonly to: "reject" | "drop"; readonly why: string }
  /** No rule: the packet goes on to the address that it has. */
  | { readonly to: "address" };

export interface Packet {
  readonly fromIP: string;
  readonly toIP: string;
  readonly toPort: number;
  readonly protocol: "TCP" | "UDP";
}

export interface NodeView {
  readonly address: string;
  readonly clusterCIDR: string;
  readonly serviceCIDR: string;
}

/** Which chain a packet ends in: clients of a Local policy that are the cluster's own are let past it. */
function chainFor({ rules, entry }: Destination, packet: Packet, node: NodeView): { readonly chain: readonly EndpointRule[] | "reject" | "drop"; readonly masquerade: boolean } {
  const inside = inCIDR(packet.fromIP, node.clusterCIDR);
  if (entry === "cluster") return { chain: destinations(rules, rules.internalLocal), masquerade: !inside };
  const own = packet.fromIP === node.address;
  if (!rules.externalLocal) return { chain: destinations(rules, false), masquerade: true };
  if (rules.hasEndpoints && (inside || own)) return { chain: rules.cluster.length === 0 ? "drop" : rules.cluster, masquerade: own };
  return { chain: destinations(rules, true), masquerade: false };
}

/** The way of a new connection's first packet. `draw` gives one random number of 32 bits a rule. */
export function route(set: RuleSet, packet: Packet, node: NodeView, now: Micros, draw: (i: number) => number): Route {
  const own = packet.toIP === node.address;
  const found = set.dispatch.get(`${own ? "node" : packet.toIP}:${packet.toPort}/${packet.protocol}`);
  if (found === undefined) {
    // iptables lets both go by: nobody has such an address, and nobody answers.
    if (set.mode === "nftables" && set.clusterIPs.has(packet.toIP)) return { to: "reject", why: `no Service has port ${packet.toPort} at ${packet.toIP}` };
    if (set.mode === "nftables" && inCIDR(packet.toIP, node.serviceCIDR)) return { to: "drop", why: `no Service has the address ${packet.toIP}` };
    return { to: "address" };
  }
  const { rules, entry } = found;
  if (entry === "balancer" && rules.sourceRanges.length > 0 && !rules.sourceRanges.some((range) => inCIDR(packet.fromIP, range))) return { to: "drop", why: `${packet.fromIP} is in none of the loadBalancerSourceRanges of ${rules.service}` };
  const { chain, masquerade } = chainFor(found, packet, node);
  if (chain === "reject") return { to: "reject", why: `${rules.service} has no endpoints` };
  if (chain === "drop") return { to: "drop", why: `${rules.service} has no local endpoints: its traffic policy is Local, and its Pods are on other nodes` };
  const { endpoint, set: after } = pick(set, rules, chain, packet, now, draw);
  return endpoint === undefined ? { to: "reject", why: `${rules.service} has no endpoints` } : { to: "endpoint", endpoint, masquerade: masquerade || endpoint.ip === packet.fromIP, set: after };
}

function pick(set: RuleSet, rules: PortRules, chain: readonly EndpointRule[], packet: Packet, now: Micros, draw: (i: number) => number): { readonly endpoint: EndpointRule | undefined; readonly set: RuleSet } {
  if (rules.affinitySeconds === undefined) return { endpoint: pickEndpoint(chain, draw), set };
  const key = `${packet.fromIP}|${rules.service}:${rules.port}`;
  const known = set.recent.get(key);
  const still = known && now - known.at < rules.affinitySeconds * SECOND ? chain.find((entry) => entry.ip === known.endpoint.ip && entry.port === known.endpoint.port) : undefined;
  const endpoint = still ?? pickEndpoint(chain, draw);
  return { endpoint, set: endpoint === undefined ? set : { ...set, recent: set.recent.set(key, { endpoint, at: now }) } };
}
