import type { LatencyTable } from "../kernel/types.ts";

/** The data path and who programs it. Integer microseconds. */
export const network: Readonly<Record<string, LatencyTable>> = {
  /** One partial sync: rules are built, the tool is run, the kernel commits. */
  "kube-proxy.sync": { min: 4000, median: 12000, p90: 40000, max: 200000, source: "assumption: iptables-restore with some tens of Services; kubeproxy_sync_proxy_rules_duration has buckets from 1 ms" },
  "coredns.answer": { min: 50, median: 150, p90: 500, max: 2000, source: "assumption: an answer from memory" },
};
