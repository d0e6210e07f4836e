import type { LatencyTable } from "../kernel/types.ts";

const loopback = "measured on one machine (oracle/README.md); a data centre's round trip adds up to some 100 us (etcd op-guide)";

export const links: Readonly<Record<string, LatencyTable>> = {
  /** A client's request or the answer to it, one way. */
  "link.apiserver": { min: 60, median: 120, p90: 300, max: 900, source: loopback },
  /** A watch event from the watch cache to a client. */
  "link.watch": { min: 100, median: 250, p90: 600, max: 1500, source: loopback },
  /** Between etcd members, one way. */
  "link.etcd-peer": { min: 80, median: 150, p90: 300, max: 900, source: loopback },
  /** API server to its etcd member, one way. */
  "link.etcd": { min: 50, median: 100, p90: 200, max: 600, source: loopback },
  /** A local socket: kubelet to containerd. */
  "link.unix": { min: 30, median: 60, p90: 150, max: 400, source: "assumption: a local gRPC round trip is about 0.1 ms" },
  /** Packets between two machines of the cluster, one way. */
  "link.lan": { min: 80, median: 200, p90: 400, max: 1200, source: "assumption: same data centre, some 100 us (etcd op-guide)" },
  /** Packets within one machine: bridge and veth. */
  "link.host": { min: 15, median: 40, p90: 80, max: 200, source: "assumption" },
  /** From a user outside to the cluster, one way. */
  "link.internet": { min: 5000, median: 12000, p90: 30000, max: 90000, source: "assumption: a user some 1000 km away" },
};
