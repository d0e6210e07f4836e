import type { LatencyTable } from "../kernel/types.ts";

const measured = "facts/timeline-measured.json, less one watch hop (250 us) and one request hop (120 us)";

/** From taking a key from the queue to sending the first request, and pauses inside a sync. Integer microseconds. */
export const controllers: Readonly<Record<string, LatencyTable>> = {
  /** "Ready PATCH done -> last EndpointSlice write received": 1.93 ms (up to 5.27). */
  "endpointslice.sync": { min: 300, median: 1560, p90: 2900, max: 4800, source: measured },
  "endpoint.sync": { min: 300, median: 1700, p90: 3000, max: 4800, source: "exampleRun of facts/timeline-measured.json: some 0.2 ms after the slice's write" },
  /** "Deployment 201 -> ReplicaSet POST received": 1.01 ms (up to 1.27). */
  "deployment.sync": { min: 200, median: 640, p90: 830, max: 900, source: measured },
  /** Status only: the rest of "last pod Ready patched -> last Deployment status write done". */
  "deployment.status": { min: 1000, median: 6000, p90: 9000, max: 12000, source: "facts/timeline-measured.json, difference of DEPLOYMENT segments" },
  /** "ReplicaSet 201 -> first pod POST received": 1.08 ms (0.22 to 3.23). */
  "replicaset.sync": { min: 100, median: 710, p90: 2500, max: 2860, source: measured },
  /** "first pod POST -> second pod POST received": 7.47 ms (4.01 to 14.39), of which the POST itself takes 3.6. */
  "replicaset.next-batch": { min: 300, median: 3650, p90: 5000, max: 10000, source: "facts/timeline-measured.json, DEPLOYMENT segments" },
  /** "last pod Ready patched -> last ReplicaSet status write done": 7.65 ms (5.41 to 15.43), of which the write takes 2.8. */
  "replicaset.status": { min: 2300, median: 4500, p90: 9000, max: 11500, source: "facts/timeline-measured.json, DEPLOYMENT segments" },
  /** Any other controller, from key to request. */
  "controller.sync": { min: 200, median: 900, p90: 2500, max: 5000, source: "assumption: like the measured controllers" },
  /** From an owner's or item's change to the garbage collector's request; upstream asks the server about item and owner first. */
  "garbagecollector.sync": { min: 1000, median: 5000, p90: 12000, max: 25000, source: "oracle/controllers.json gc-background: Deployment gone -> ReplicaSet gone 12 ms -> Pods terminating 6 ms" },
  /** Monitor loop of the node lifecycle controller, from tick to request. */
  "nodelifecycle.sync": { min: 100, median: 400, p90: 900, max: 2000, source: "assumption" },
};
