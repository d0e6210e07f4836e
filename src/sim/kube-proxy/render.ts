// Models kubernetes/pkg/proxy/{iptables,nftables}/proxier.go: the rules as the tools print them
import type { EndpointRule, PortRules, ServiceRules } from "./messages.ts";
import { base32, sha256 } from "../api/sha256.ts";

const SUFFIX_LENGTH = 16;

/** First 16 characters of base32(sha256(text)). */
export const chainSuffix = (text: string): string => base32(sha256(text)).slice(0, SUFFIX_LENGTH);

const portId = (rules: PortRules): string => (rules.portName === "" ? rules.service : `${rules.service}:${rules.portName}`);
const proto = (rules: PortRules): string => rules.protocol.toLowerCase();

function iptablesPort(rules: PortRules): string[] {
  const id = portId(rules);
  const service = `KUBE-SVC-${chainSuffix(id + proto(rules))}`;
  const endpoint = (entry: EndpointRule): string => `KUBE-SEP-${chainSuffix(`${id}${proto(rules)}${entry.ip}:${entry.port}`)}`;
  const match = `-d ${rules.clusterIP}/32 -p ${proto(rules)} -m comment --comment "${id} cluster IP" -m ${proto(rules)} --dport ${rules.port}`;
  if (rules.internalVerdict === "reject") return [`-A KUBE-SERVICES -d ${rules.clusterIP}/32 -p ${proto(rules)} -m comment --comment "${id} has no endpoints" -m ${proto(rules)} --dport ${rules.port} -j REJECT --reject-with icmp-port-unreachable`];
  if (rules.internalVerdict === "drop") return [`-A KUBE-SERVICES -d ${rules.clusterIP}/32 -p ${proto(rules)} -m comment --comment "${id} has no local endpoints" -m ${proto(rules)} --dport ${rules.port} -j DROP`];
  const lines = [`-A KUBE-SERVICES ${match} -j ${service}`];
  if (rules.nodePort !== undefined) lines.push(`-A KUBE-NODEPORTS -p ${proto(rules)} -m comment --comment "${id}" -m ${proto(rules)} --dport ${rules.nodePort} -j KUBE-EXT-${chainSuffix(id + proto(rules))}`);
  for (const entry of rules.internal) {
    const statistic = entry.probability === undefined ? "" : ` -m statistic --mode random --probability ${entry.probability}`;
    lines.push(`-A ${service} -m comment --comment "${id} -> ${entry.ip}:${entry.port}"${statistic} -j ${endpoint(entry)}`);
  }
  for (const entry of rules.internal) {
    lines.push(`-A ${endpoint(entry)} -s ${entry.ip}/32 -m comment --comment "${id}" -j KUBE-MARK-MASQ`);
    lines.push(`-A ${endpoint(entry)} -p ${proto(rules)} -m comment --comment "${id}" -m ${proto(rules)} -j DNAT --to-destination ${entry.ip}:${entry.port}`);
  }
  return lines;
}

function nftablesPort(rules: PortRules): string[] {
  const [namespace = "", name = ""] = rules.service.split("/");
  const chain = `service-${chainSuffix(portId(rules) + proto(rules)).slice(0, 8)}-${namespace}/${name}/${proto(rules)}/${rules.portName}`;
  if (rules.internalVerdict !== "accept") return [`add element ip kube-proxy no-endpoint-services { ${rules.clusterIP} . ${proto(rules)} . ${rules.port} comment "${portId(rules)}" : ${rules.internalVerdict === "reject" ? "goto reject-chain" : "drop"} }`];
  const targets = rules.internal.map((entry, i) => `${i} : goto endpoint-${chainSuffix(`${portId(rules)}${proto(rules)}${entry.ip}:${entry.port}`).slice(0, 8)}-${namespace}/${name}/${proto(rules)}/${rules.portName}__${entry.ip}/${entry.port}`);
  return [`add element ip kube-proxy service-ips { ${rules.clusterIP} . ${proto(rules)} . ${rules.port} : goto ${chain} }`, `add rule ip kube-proxy ${chain} numgen random mod ${rules.internal.length} vmap { ${targets.join(" , ")} }`];
}

/** The rules of a Service as `iptables-save` or `nft list ruleset` would show them. */
export const renderRules = (rules: ServiceRules, mode: "iptables" | "nftables"): readonly string[] => rules.ports.flatMap((port) => (mode === "iptables" ? iptablesPort(port) : nftablesPort(port)));
