import type { LatencyTable } from "../kernel/types.ts";

const measured = "facts/timeline-measured.json (20 runs, kube-scheduler v1.36.2, one machine)";

export const scheduler: Readonly<Record<string, LatencyTable>> = {
  "scheduler.saw-to-attempt": { min: 120, median: 140, p90: 260, max: 1440, source: `${measured}: scheduler saw -> scheduling attempt` },
  /** Another Pod waits already: the loop goes on at once. */
  "scheduler.next-attempt": { min: 20, median: 40, p90: 80, max: 200, source: "assumption: one turn of the scheduling loop" },
  // Attempt -> binding attempt takes 0.26 ms (0.20 to 0.49); its parts are in proportion to upstream's extension point metrics.
  "scheduler.filter": { min: 90, median: 120, p90: 190, max: 230, source: `${measured}: scheduling attempt -> binding attempt, a share` },
  "scheduler.score": { min: 80, median: 100, p90: 150, max: 180, source: `${measured}: scheduling attempt -> binding attempt, a share` },
  "scheduler.reserve": { min: 30, median: 40, p90: 60, max: 80, source: `${measured}: scheduling attempt -> binding attempt, a share` },
  "scheduler.bind": { min: 130, median: 260, p90: 2790, max: 3000, source: `${measured}: binding attempt -> POST binding received, less the link` },
  "scheduler.event": { min: 100, median: 300, p90: 900, max: 3000, source: "assumption: the event broadcaster works on its own goroutine" },
};
