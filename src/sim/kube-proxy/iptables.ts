// Models kubernetes/pkg/proxy/iptables/proxier.go: the lines that go to iptables-restore
import { base32, sha256 } from "../api/sha256.ts";
import type { EndpointRule, PortRules } from "./messages.ts";
import { destinations, endpointText, isExternallyAccessible, probability } from "./service-rules.ts";

const SUFFIX_LENGTH = 16;
/** Above so many endpoints the lines carry no comments, and chains that nobody needs are removed only now and then. */
export const LARGE_CLUSTER_ENDPOINTS = 1000;
const MARK = "0x4000";

/** What the node and its kube-proxy's configuration add to the Services. */
export interface ProxyOptions {
  /** Addresses of the cluster's Pods: what comes from elsewhere is given the node's address. */
  readonly clusterCIDR: string;
  readonly nodeIP: string;
  readonly serviceCIDR: string;
  readonly localhostNodePorts: boolean;
  readonly randomFully: boolean;
}

/** First 16 characters of base32(sha256(text)). */
export const chainSuffix = (text: string): string => base32(sha256(text)).slice(0, SUFFIX_LENGTH);

/** "default/web:http" */
export const portId = (rules: PortRules): string => (rules.portName === "" ? rules.service : `${rules.service}:${rules.portName}`);

/** One table as it is written: its chains, and its rules in the order in which they were made. */
export interface IptablesTable {
  readonly chains: string[];
  readonly rules: string[];
}

interface Names {
  readonly id: string;
  readonly protocol: string;
  readonly suffix: string;
  readonly large: boolean;
}

const sepChain = ({ id, protocol }: Names, endpoint: EndpointRule): string => `KUBE-SEP-${chainSuffix(`${id}${protocol}${endpointText(endpoint)}`)}`;
const quoted = (text: string): string => (/[^\w./:-]/.test(text) ? `"${text}"` : text);
const comment = (text: string): string => `-m comment --comment ${quoted(text)}`;
const match = (protocol: string): string => `-m ${protocol} -p ${protocol}`;

function toEndpoints(nat: IptablesTable, names: Names, chain: string, rules: PortRules, list: readonly EndpointRule[]): void {
  nat.chains.push(chain);
  const about = (endpoint: EndpointRule): string => (names.large ? "" : ` ${comment(`${names.id} -> ${endpointText(endpoint)}`)}`);
  if (rules.affinitySeconds !== undefined) for (const endpoint of list) nat.rules.push(`-A ${chain}${about(endpoint)} -m recent --name ${sepChain(names, endpoint)} --rcheck --seconds ${rules.affinitySeconds} --reap -j ${sepChain(names, endpoint)}`);
  for (const [i, endpoint] of list.entries()) nat.rules.push(`-A ${chain}${about(endpoint)}${i < list.length - 1 ? ` -m statistic --mode random --probability ${probability(list.length - i)}` : ""} -j ${sepChain(names, endpoint)}`);
}

/** Addresses of a port: what is caught in KUBE-SERVICES and KUBE-NODEPORTS, and what is refused in the filter table. */
function catches(filter: IptablesTable, nat: IptablesTable, names: Names, rules: PortRules, options: ProxyOptions): void {
  const { id, protocol, suffix } = names;
  const to = (address: string): string => `${match(protocol)} -d ${address} --dport ${rules.port}`;
  const refuse = (chain: string, verdict: "reject" | "drop", where: string): number => filter.rules.push(`-A ${chain} ${comment(`${id} has no ${verdict === "reject" ? "" : "local "}endpoints`)} ${where} -j ${verdict.toUpperCase()}`);
  const internal = destinations(rules, rules.internalLocal);
  const external = destinations(rules, rules.externalLocal);
  const firewalled = rules.hasEndpoints && rules.loadBalancerIPs.length > 0 && rules.sourceRanges.length > 0;
  if (typeof internal === "string") refuse("KUBE-SERVICES", internal, to(rules.clusterIP));
  else nat.rules.push(`-A KUBE-SERVICES ${comment(`${id} cluster IP`)} ${to(rules.clusterIP)} -j ${rules.internalLocal ? "KUBE-SVL-" : "KUBE-SVC-"}${suffix}`);
  const outside = (addresses: readonly string[], what: string, chain: string): void => {
    for (const address of addresses) {
      if (rules.hasEndpoints) nat.rules.push(`-A KUBE-SERVICES ${comment(`${id} ${what} IP`)} ${to(address)} -j ${chain}${suffix}`);
      if (typeof external === "string") refuse("KUBE-EXTERNAL-SERVICES", external, to(address));
    }
  };
  outside(rules.externalIPs, "external", "KUBE-EXT-");
  outside(rules.loadBalancerIPs, "loadbalancer", firewalled ? "KUBE-FW-" : "KUBE-EXT-");
  if (firewalled) for (const address of rules.loadBalancerIPs) filter.rules.push(`-A KUBE-PROXY-FIREWALL ${comment(`${id} traffic not accepted by KUBE-FW-${suffix}`)} ${to(address)} -j DROP`);
  if (rules.nodePort !== undefined) {
    if (rules.hasEndpoints && options.localhostNodePorts) nat.rules.push(`-A KUBE-NODEPORTS ${comment(id)} ${match(protocol)} -d 127.0.0.0/8 --dport ${rules.nodePort} -m nfacct --nfacct-name localhost_nps_accepted_pkts -j KUBE-EXT-${suffix}`);
    if (rules.hasEndpoints) nat.rules.push(`-A KUBE-NODEPORTS ${comment(id)} ${match(protocol)} --dport ${rules.nodePort} -j KUBE-EXT-${suffix}`);
    if (typeof external === "string") refuse("KUBE-EXTERNAL-SERVICES", external, `-m addrtype --dst-type LOCAL ${match(protocol)} --dport ${rules.nodePort}`);
  }
  if (rules.healthCheckNodePort !== undefined) filter.rules.push(`-A KUBE-NODEPORTS ${comment(`${id} health check node port`)} ${match("tcp")} --dport ${rules.healthCheckNodePort} -j ACCEPT`);
}

function externalChain(nat: IptablesTable, { id, suffix }: Names, rules: PortRules, { clusterCIDR }: ProxyOptions): void {
  const chain = `KUBE-EXT-${suffix}`;
  nat.chains.push(chain);
  if (!rules.externalLocal) nat.rules.push(`-A ${chain} ${comment(`masquerade traffic for ${id} external destinations`)} -j KUBE-MARK-MASQ`);
  else {
    nat.rules.push(`-A ${chain} ${comment(`pod traffic for ${id} external destinations`)} -s ${clusterCIDR} -j KUBE-SVC-${suffix}`);
    nat.rules.push(`-A ${chain} ${comment(`masquerade LOCAL traffic for ${id} external destinations`)} -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ`);
    nat.rules.push(`-A ${chain} ${comment(`route LOCAL traffic for ${id} external destinations`)} -m addrtype --src-type LOCAL -j KUBE-SVC-${suffix}`);
  }
  if (typeof destinations(rules, rules.externalLocal) !== "string") nat.rules.push(`-A ${chain} -j ${rules.externalLocal ? "KUBE-SVL-" : "KUBE-SVC-"}${suffix}`);
}

function firewallChain(nat: IptablesTable, { id, suffix }: Names, rules: PortRules, allowFromNode: boolean): void {
  const chain = `KUBE-FW-${suffix}`;
  nat.chains.push(chain);
  for (const source of [...rules.sourceRanges, ...(allowFromNode ? rules.loadBalancerIPs : [])]) nat.rules.push(`-A ${chain} ${comment(`${id} loadbalancer IP`)} -s ${source} -j KUBE-EXT-${suffix}`);
  nat.rules.push(`-A ${chain} ${comment(`other traffic to ${id} will be dropped by KUBE-PROXY-FIREWALL`)}`);
}

function servicePort(filter: IptablesTable, nat: IptablesTable, rules: PortRules, options: ProxyOptions, large: boolean, contains: (cidr: string) => boolean): void {
  const id = portId(rules);
  const protocol = rules.protocol.toLowerCase();
  const names: Names = { id, protocol, suffix: chainSuffix(id + protocol), large };
  catches(filter, nat, names, rules, options);
  if (typeof destinations(rules, rules.internalLocal) !== "string") nat.rules.push(`-A ${rules.internalLocal ? "KUBE-SVL-" : "KUBE-SVC-"}${names.suffix} ${comment(`${id} cluster IP`)} ${match(protocol)} -d ${rules.clusterIP} --dport ${rules.port} ! -s ${options.clusterCIDR} -j KUBE-MARK-MASQ`);
  if (rules.hasEndpoints && isExternallyAccessible(rules)) externalChain(nat, names, rules, options);
  if (rules.hasEndpoints && rules.loadBalancerIPs.length > 0 && rules.sourceRanges.length > 0) firewallChain(nat, names, rules, rules.sourceRanges.some(contains));
  if (rules.cluster.length > 0) toEndpoints(nat, names, `KUBE-SVC-${names.suffix}`, rules, rules.cluster);
  if (rules.local.length > 0) toEndpoints(nat, names, `KUBE-SVL-${names.suffix}`, rules, rules.local);
  const about = large ? "" : ` ${comment(id)}`;
  for (const endpoint of rules.reachable) {
    const chain = sepChain(names, endpoint);
    nat.chains.push(chain);
    nat.rules.push(`-A ${chain}${about} -s ${endpoint.ip} -j KUBE-MARK-MASQ`);
    nat.rules.push(`-A ${chain}${about}${rules.affinitySeconds === undefined ? "" : ` -m recent --name ${chain} --set`} ${match(protocol)} -j DNAT --to-destination ${endpointText(endpoint)}`);
  }
}

function commonRules(filter: IptablesTable, nat: IptablesTable, options: ProxyOptions): void {
  nat.rules.push(`-A KUBE-POSTROUTING -m mark ! --mark ${MARK}/${MARK} -j RETURN`, `-A KUBE-POSTROUTING -j MARK --xor-mark ${MARK}`);
  nat.rules.push(`-A KUBE-POSTROUTING ${comment("kubernetes service traffic requiring SNAT")} -j MASQUERADE${options.randomFully ? " --random-fully" : ""}`);
  nat.rules.push(`-A KUBE-MARK-MASQ -j MARK --or-mark ${MARK}`);
  if (!options.localhostNodePorts) return;
  filter.chains.push("KUBE-FIREWALL");
  filter.rules.push(`-A KUBE-FIREWALL ${comment("block incoming localnet connections")} -d 127.0.0.0/8 ! -s 127.0.0.0/8 -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP`);
}

/** Every chain and rule that a full sync of these ports leaves behind. `contains`: whether a CIDR holds the node's address. */
export function iptablesTables(ports: readonly PortRules[], options: ProxyOptions, contains: (cidr: string) => boolean): { readonly filter: IptablesTable; readonly nat: IptablesTable } {
  const filter: IptablesTable = { chains: ["KUBE-SERVICES", "KUBE-EXTERNAL-SERVICES", "KUBE-FORWARD", "KUBE-NODEPORTS", "KUBE-PROXY-FIREWALL"], rules: [] };
  const nat: IptablesTable = { chains: ["KUBE-SERVICES", "KUBE-NODEPORTS", "KUBE-POSTROUTING", "KUBE-MARK-MASQ"], rules: [] };
  commonRules(filter, nat, options);
  const large = ports.reduce((sum, port) => sum + port.serving.length, 0) > LARGE_CLUSTER_ENDPOINTS;
  for (const port of ports) servicePort(filter, nat, port, options, large, contains);
  nat.rules.push(`-A KUBE-SERVICES ${comment("kubernetes service nodeports; NOTE: this must be the last rule in this chain")} -m addrtype --dst-type LOCAL${options.localhostNodePorts ? "" : " ! -d 127.0.0.0/8"} -j KUBE-NODEPORTS`);
  filter.rules.push("-A KUBE-FORWARD -m conntrack --ctstate INVALID -m nfacct --nfacct-name ct_state_invalid_dropped_pkts -j DROP");
  filter.rules.push(`-A KUBE-FORWARD ${comment("kubernetes forwarding rules")} -m mark --mark ${MARK}/${MARK} -j ACCEPT`);
  filter.rules.push(`-A KUBE-FORWARD ${comment("kubernetes forwarding conntrack rule")} -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT`);
  return { filter, nat };
}
