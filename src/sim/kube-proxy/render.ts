import { inCIDR } from "./cidr.ts";
import { iptablesTables, type ProxyOptions } from "./iptables.ts";
import { iptablesSave } from "./iptables-save.ts";
import type { PortRules, ProxyMode } from "./messages.ts";
import { nftList } from "./nft-list.ts";
import { nftTable } from "./nftables.ts";

/** The rules of a node as `iptables-save` or `nft list table ip kube-proxy` shows them. */
export function renderRules(ports: readonly PortRules[], mode: ProxyMode, options: ProxyOptions): readonly string[] {
  const contains = (cidr: string): boolean => inCIDR(options.nodeIP, cidr);
  return mode === "iptables" ? iptablesSave(iptablesTables(ports, options, contains)) : nftList(nftTable(ports, options, contains));
}
