import type { LatencyTable } from "../kernel/types.ts";

const lab = "facts/api.md 4 and 7: 93 % of the lab's fsyncs took under 1 ms; a loop write p50 1.9, p90 3.2, p99 11.9 ms";

/** Of a transaction as the API server sees it (median 2.1 ms): two gRPC hops, propose, MsgApp, the follower's fsync, MsgAppResp, apply. */
export const etcd: Readonly<Record<string, LatencyTable>> = {
  /** fdatasync of the write-ahead log. */
  "etcd.wal-fsync": { min: 350, median: 950, p90: 1700, max: 6000, source: lab },
  /** gRPC decoding, checks and the raft loop before an entry leaves the leader. */
  "etcd.propose": { min: 120, median: 250, p90: 500, max: 1500, source: lab },
  /** Applying a committed entry to the MVCC store and waking the waiting client and the watchers. */
  "etcd.apply": { min: 150, median: 400, p90: 800, max: 2500, source: lab },
  /** Looking a key up after the ReadIndex round. */
  "etcd.range": { min: 50, median: 100, p90: 250, max: 900, source: "etcd v3.6 op-guide/performance: linearizable read 0.7 ms" },
};
