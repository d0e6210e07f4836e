// Models kubernetes/pkg/proxy/nftables/proxier.go setupNFTables: what is there without any Service. $PODS and $SERVICES are the cluster's CIDRs
import type { NftChain, NftSet } from "./nftables.ts";

const DESTINATION = "ipv4_addr . inet_proto . inet_service";

export const BASE_SETS: readonly (readonly [NftSet["kind"], string, string, string])[] = [
  ["set", "cluster-ips", "ipv4_addr", "Active ClusterIPs"],
  ["set", "nodeport-ips", "ipv4_addr", "IPs that accept NodePort traffic"],
  ["set", "hairpin-connections", `ipv4_addr . ${DESTINATION}`, "service hairpin connections"],
  ["map", "firewall-ips", `${DESTINATION} : verdict`, "destinations that are subject to LoadBalancerSourceRanges"],
  ["map", "no-endpoint-nodeports", "inet_proto . inet_service : verdict", "vmap to drop or reject packets to service nodeports with no endpoints"],
  ["map", "no-endpoint-services", `${DESTINATION} : verdict`, "vmap to drop or reject packets to services with no endpoints"],
  ["map", "service-ips", `${DESTINATION} : verdict`, "ClusterIP, ExternalIP and LoadBalancer IP traffic"],
  ["map", "service-nodeports", "inet_proto . inet_service : verdict", "NodePort traffic"],
];

const base = (name: string, type: string, ...rules: string[]): NftChain => ({ name, base: type, rules: rules.map((rule) => ({ rule })) });
const plain = (name: string, ...rules: NftChain["rules"]): NftChain => ({ name, rules });

export const BASE_CHAINS: readonly NftChain[] = [
  plain("cluster-ips-check", { rule: "ip daddr @cluster-ips reject", comment: "Reject traffic to invalid ports of ClusterIPs" }, { rule: "ip daddr { $SERVICES } drop", comment: "Drop traffic to unallocated ClusterIPs" }),
  base("filter-prerouting-pre-dnat", "filter hook prerouting priority -110", "ct state new jump firewall-check"),
  base("filter-output-pre-dnat", "filter hook output priority -110", "ct state new jump firewall-check"),
  base("filter-forward", "filter hook forward priority 0", "ct state new jump service-endpoints-check", "ct state new jump cluster-ips-check"),
  base("filter-input", "filter hook input priority 0", "ct state new jump nodeport-endpoints-check", "ct state new jump service-endpoints-check"),
  base("filter-output", "filter hook output priority 0", "ct state new jump service-endpoints-check", "ct state new jump cluster-ips-check"),
  plain("firewall-check", { rule: "ip daddr . meta l4proto . th dport vmap @firewall-ips" }),
  plain("masquerading", { rule: "mark and 0x4000 != 0 mark set mark xor 0x4000 masquerade fully-random" }, { rule: "ct status dnat ip saddr . ip daddr . meta l4proto . th dport @hairpin-connections masquerade fully-random" }),
  base("nat-output", "nat hook output priority -100", "jump services"),
  base("nat-postrouting", "nat hook postrouting priority 100", "jump masquerading"),
  base("nat-prerouting", "nat hook prerouting priority -100", "jump services"),
  plain("nodeport-endpoints-check", { rule: "ip daddr @nodeport-ips meta l4proto . th dport vmap @no-endpoint-nodeports" }),
  { name: "reject-chain", comment: "helper for @no-endpoint-services / @no-endpoint-nodeports", rules: [{ rule: "reject" }] },
  plain("services", { rule: "ip daddr @cluster-ips ip saddr != $PODS mark set mark or 0x4000", comment: "masquerade clusterIP traffic from outside cluster" }, { rule: "ip daddr . meta l4proto . th dport vmap @service-ips" }, { rule: "ip daddr @nodeport-ips meta l4proto . th dport vmap @service-nodeports" }),
  plain("service-endpoints-check", { rule: "ip daddr . meta l4proto . th dport vmap @no-endpoint-services" }),
];
