// Models kubernetes/pkg/proxy/nftables/proxier.go: the table "kube-proxy" that a full sync leaves behind
import { base32, sha256 } from "../api/sha256.ts";
import { portId, type ProxyOptions } from "./iptables.ts";
import type { EndpointRule, PortRules } from "./messages.ts";
import { BASE_CHAINS, BASE_SETS } from "./nftables-base.ts";
import { destinations, endpointText, isExternallyAccessible } from "./service-rules.ts";

const NAME_LENGTH_MAX = 240;
const MARK = "0x4000";

export interface NftRule {
  readonly rule: string;
  readonly comment?: string;
}

export interface NftChain {
  readonly name: string;
  /** "filter hook input priority 0" of a chain that the kernel calls. */
  readonly base?: string;
  readonly comment?: string;
  readonly rules: NftRule[];
}

export interface NftSet {
  readonly kind: "set" | "map";
  readonly name: string;
  readonly type: string;
  readonly comment?: string;
  /** Seconds that an element stays, of a set that packets fill. */
  readonly timeout?: number;
  readonly elements: { readonly key: string; readonly value?: string; readonly comment?: string }[];
}

export interface NftTable {
  readonly sets: Map<string, NftSet>;
  readonly chains: Map<string, NftChain>;
}

function hashed(name: string): string {
  const text = `${base32(sha256(name)).slice(0, 8)}-${name}`;
  return text.length > NAME_LENGTH_MAX ? `${text.slice(0, NAME_LENGTH_MAX - 3)}...` : text;
}

/** "P4ZYZVCF-testing/service/tcp/http" */
export const chainBase = (service: string, protocol: string, port: string): string => hashed(`${service}/${protocol}/${port}`);
/** "JO2XBXZR-testing/service/tcp/http__10.180.0.1/80" */
export const endpointBase = (service: string, protocol: string, port: string, endpoint: EndpointRule): string => hashed(`${service}/${protocol}/${port}__${endpoint.ip.replaceAll(":", ".")}/${endpoint.port}`);

function element(table: NftTable, set: string, key: string, value?: string, comment?: string): void {
  const elements = table.sets.get(set)?.elements;
  if (elements === undefined || elements.some((entry) => entry.key === key)) return;
  elements.push({ key, ...(value === undefined ? {} : { value }), ...(comment === undefined ? {} : { comment }) });
}

function chain(table: NftTable, name: string): NftRule[] {
  const known = table.chains.get(name);
  if (known !== undefined) return known.rules;
  const made: NftChain = { name, rules: [] };
  table.chains.set(name, made);
  return made.rules;
}

/** Addresses of a port in the verdict maps. */
function elements(table: NftTable, rules: PortRules, base: string): void {
  const protocol = rules.protocol.toLowerCase();
  const key = (address: string): string => `${address} . ${protocol} . ${rules.port}`;
  const verdict = (found: readonly EndpointRule[] | "reject" | "drop"): string => (found === "reject" ? "goto reject-chain" : "drop");
  const internal = destinations(rules, rules.internalLocal);
  const external = destinations(rules, rules.externalLocal);
  element(table, "cluster-ips", rules.clusterIP);
  if (typeof internal === "string") element(table, "no-endpoint-services", key(rules.clusterIP), verdict(internal), portId(rules));
  else element(table, "service-ips", key(rules.clusterIP), `goto ${rules.internalLocal ? "local" : "service"}-${base}`);
  for (const address of [...rules.externalIPs, ...rules.loadBalancerIPs]) {
    if (rules.hasEndpoints) element(table, "service-ips", key(address), `goto external-${base}`);
    if (typeof external === "string") element(table, "no-endpoint-services", key(address), verdict(external), portId(rules));
  }
  if (rules.sourceRanges.length > 0) for (const address of rules.loadBalancerIPs) element(table, "firewall-ips", key(address), `goto firewall-${base}`);
  if (rules.nodePort === undefined) return;
  if (rules.hasEndpoints) element(table, "service-nodeports", `${protocol} . ${rules.nodePort}`, `goto external-${base}`);
  if (typeof external === "string") element(table, "no-endpoint-nodeports", `${protocol} . ${rules.nodePort}`, verdict(external), portId(rules));
}

function external(table: NftTable, rules: PortRules, base: string, { clusterCIDR }: ProxyOptions): void {
  const list = chain(table, `external-${base}`);
  if (!rules.externalLocal) list.push({ rule: `mark set mark or ${MARK}`, comment: "masquerade" });
  else {
    list.push({ rule: `ip saddr ${clusterCIDR} goto service-${base}`, comment: "short-circuit pod traffic" });
    list.push({ rule: `fib saddr type local mark set mark or ${MARK}`, comment: "masquerade local traffic" });
    list.push({ rule: `fib saddr type local goto service-${base}`, comment: "short-circuit local traffic" });
  }
  if (typeof destinations(rules, rules.externalLocal) !== "string") list.push({ rule: `goto ${rules.externalLocal ? "local" : "service"}-${base}` });
}

/** How a chain picks an endpoint: at once, or by a chain for each that remembers the client. */
function pick(table: NftTable, rules: PortRules, name: string, list: readonly EndpointRule[], endpointName: (endpoint: EndpointRule) => string): void {
  const target = chain(table, name);
  if (rules.affinitySeconds === undefined) {
    target.push({ rule: `meta l4proto ${rules.protocol.toLowerCase()} dnat ip addr . port to numgen random mod ${list.length} map { ${list.map((endpoint, i) => `${i} : ${endpoint.ip} . ${endpoint.port}`).join(" , ")} }` });
    return;
  }
  for (const endpoint of list) target.push({ rule: `ip saddr @affinity-${endpointName(endpoint)} goto endpoint-${endpointName(endpoint)}` });
  target.push({ rule: `numgen random mod ${list.length} vmap { ${list.map((endpoint, i) => `${i} : goto endpoint-${endpointName(endpoint)}`).join(" , ")} }` });
}

function servicePort(table: NftTable, rules: PortRules, options: ProxyOptions, contains: (cidr: string) => boolean): void {
  const protocol = rules.protocol.toLowerCase();
  const base = chainBase(rules.service, protocol, rules.portName);
  const endpointName = (endpoint: EndpointRule): string => endpointBase(rules.service, protocol, rules.portName, endpoint);
  for (const { ip, port, local } of rules.reachable) if (local) element(table, "hairpin-connections", `${ip} . ${ip} . ${protocol} . ${port}`);
  elements(table, rules, base);
  if (rules.hasEndpoints && isExternallyAccessible(rules)) external(table, rules, base, options);
  if (rules.loadBalancerIPs.length > 0 && rules.sourceRanges.length > 0) {
    const sources = [...rules.sourceRanges, ...(rules.sourceRanges.some(contains) ? rules.loadBalancerIPs : [])];
    chain(table, `firewall-${base}`).push({ rule: `ip saddr != { ${sources.join(" , ")} } drop` });
  }
  if (rules.cluster.length > 0) pick(table, rules, `service-${base}`, rules.cluster, endpointName);
  if (rules.local.length > 0) pick(table, rules, `local-${base}`, rules.local, endpointName);
  if (rules.affinitySeconds === undefined) return;
  for (const endpoint of rules.reachable) {
    const name = endpointName(endpoint);
    table.sets.set(`affinity-${name}`, { kind: "set", name: `affinity-${name}`, type: "ipv4_addr", timeout: rules.affinitySeconds, elements: [] });
    chain(table, `endpoint-${name}`).push({ rule: `update @affinity-${name} { ip saddr }` }, { rule: `meta l4proto ${protocol} dnat to ${endpointText(endpoint)}` });
  }
}

/** The whole table after a full sync of these ports. `contains`: whether a CIDR holds the node's address. */
export function nftTable(ports: readonly PortRules[], options: ProxyOptions, contains: (cidr: string) => boolean): NftTable {
  const fill = (text: string): string => text.replace("$PODS", options.clusterCIDR).replace("$SERVICES", options.serviceCIDR);
  const table: NftTable = {
    sets: new Map(BASE_SETS.map(([kind, name, type, comment]) => [name, { kind, name, type, comment, elements: [] }])),
    chains: new Map(BASE_CHAINS.map(({ rules, ...rest }) => [rest.name, { ...rest, rules: rules.map(({ rule, ...more }) => ({ rule: fill(rule), ...more })) }])),
  };
  element(table, "nodeport-ips", options.nodeIP);
  for (const port of ports) servicePort(table, port, options, contains);
  return table;
}
