import type { LatencyTable } from "../kernel/types.ts";

const measured = (what: string): string => `facts/timeline-measured.json "${what}", less the etcd transaction of about 2.1 ms (latencies/etcd.ts)`;
const recorded = "facts/api.md 7 and facts/timeline-measured.json (requests of the example run)";

/** What the API server itself needs for one request, without etcd and the wire. Named "apiserver.<class>" (pipeline.ts costClass). */
export const apiserver: Readonly<Record<string, LatencyTable>> = {
  "apiserver.create.pods": { min: 700, median: 1480, p90: 2600, max: 3000, source: measured("POST pods received -> 201") },
  "apiserver.create": { min: 400, median: 850, p90: 1500, max: 3500, source: measured("DEPLOYMENT: ReplicaSet POST received -> 201") },
  "apiserver.create.bindings": { min: 400, median: 890, p90: 3500, max: 4500, source: measured("POST binding received -> 201") },
  "apiserver.token": { min: 2000, median: 3300, p90: 4500, max: 6500, source: recorded },
  "apiserver.update": { min: 250, median: 550, p90: 1200, max: 2200, source: measured("EndpointSlice write") },
  "apiserver.patch": { min: 800, median: 2100, p90: 4800, max: 6200, source: measured("status Running PATCH received -> done") },
  "apiserver.delete": { min: 1000, median: 2650, p90: 5000, max: 7500, source: measured("DELETE received -> done") },
  "apiserver.get": { min: 400, median: 980, p90: 1900, max: 3200, source: `GET pod (404) 1.58 ms in facts/timeline-measured.json, less the ReadIndex round` },
  "apiserver.list": { min: 800, median: 2500, p90: 5400, max: 9000, source: "facts/api.md 7: list of 200 pods 5.4 ms" },
  "apiserver.watch": { min: 300, median: 600, p90: 1200, max: 2500, source: "assumption: opening a stream on the watch cache" },
  "apiserver.other": { min: 500, median: 1500, p90: 3000, max: 9000, source: "facts/recordings: GET /openapi/v3 2-8 ms at the client" },
  /** Filters before the handler; what they take is taken from the request's cost above. */
  "apiserver.filter.request-info": { min: 1, median: 2, p90: 5, max: 20, source: "assumption: splitting a path" },
  "apiserver.filter.authentication": { min: 4, median: 12, p90: 30, max: 90, source: "assumption: a certificate's chain was verified with the connection; a cached token is a map lookup" },
  "apiserver.filter.audit": { min: 1, median: 4, p90: 10, max: 30, source: "assumption: no policy file" },
  "apiserver.filter.priority-and-fairness": { min: 3, median: 10, p90: 25, max: 80, source: "assumption: eleven flow schemas in order" },
  "apiserver.filter.authorization": { min: 5, median: 20, p90: 50, max: 150, source: "assumption: some fifty bindings and their rules in memory" },
  /** From the watch cache's update to the event on a client's wire: dispatch, encoding. */
  "apiserver.watch-dispatch": { min: 100, median: 440, p90: 1200, max: 1500, source: 'facts/timeline-measured.json "POST 201 -> scheduler saw the pod", less link.watch' },
  /** A webhook's program deciding and answering, with the way back. */
  "webhook.review": { min: 1500, median: 3000, p90: 8000, max: 25000, source: "assumption: a small HTTPS server in the cluster" },
};
