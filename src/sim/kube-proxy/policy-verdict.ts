// Models the kernel's policy chains: whether a packet may leave or reach a Pod
import type { TrafficRequest } from "../api/traffic.ts";
import { inCIDR } from "./cidr.ts";
import type { PodPolicy, PolicyPort, PolicyRule } from "../network-policy/messages.ts";

const allowsPort = ({ protocol, from, to, byAddress }: PolicyPort, sent: string, toIP: string, port: number): boolean => {
  if (protocol !== sent) return false;
  if (byAddress) return byAddress[toIP] === port;
  return from === undefined || (port >= from && port <= (to ?? from));
};

function allows({ peers, ports }: PolicyRule, peer: string, protocol: string, toIP: string, port: number): boolean {
  const known = peers === undefined || peers.some((one) => ("ips" in one ? one.ips.includes(peer) : inCIDR(peer, one.cidr) && !one.except.some((hole) => inCIDR(peer, hole))));
  return known && (ports === undefined || ports.some((one) => allowsPort(one, protocol, toIP, port)));
}

/** Why a connection is dropped: the isolated Pod and the direction; undefined if it may pass. After translation: policies see Pods, not Services. */
export function policyDrop(policies: Readonly<Record<string, PodPolicy>>, { fromIP, toIP, toPort, protocol }: Pick<TrafficRequest, "fromIP" | "toIP" | "toPort" | "protocol">, nodeAddress: string): { readonly pod: string; readonly direction: "ingress" | "egress" } | undefined {
  const sent = protocol === "UDP" ? "UDP" : "TCP";
  const source = policies[fromIP];
  if (source?.egress && !source.egress.some((rule) => allows(rule, toIP, sent, toIP, toPort))) return { pod: source.pod, direction: "egress" };
  const target = policies[toIP];
  // A Pod's own node may always reach it: probes come from there.
  if (target?.ingress && fromIP !== nodeAddress && fromIP !== toIP && !target.ingress.some((rule) => allows(rule, fromIP, sent, toIP, toPort))) return { pod: target.pod, direction: "ingress" };
  return undefined;
}
