import type { LatencyTable } from "../kernel/types.ts";

const start = 'facts/timeline-measured.json "kubectl start -> POST pods received" 96.37 ms (85.41 .. 130.49), split by the points of GET';

/** What the kubectl process does between its requests. */
export const kubectl: Readonly<Record<string, LatencyTable>> = {
  /** exec, dynamic linking, Go runtime, command tree, flags. */
  "kubectl.start": { min: 76000, median: 85000, p90: 110000, max: 114000, source: start },
  /** Reading kubeconfig and manifest, setting up TLS. */
  "kubectl.prepare": { min: 2000, median: 3060, p90: 4500, max: 5500, source: start },
  /** From the OpenAPI answer to the GET: decoding, mapping, local checks. */
  "kubectl.before-get": { min: 1500, median: 2150, p90: 3500, max: 4500, source: start },
  /** From the GET's answer to the write: the annotation, or the three-way merge. */
  "kubectl.before-write": { min: 1300, median: 2120, p90: 3000, max: 3800, source: 'facts/timeline-measured.json "GET pod (404) done" -2.36 ms before POST received' },
  /** Printing, closing connections, leaving. */
  "kubectl.exit": { min: 5000, median: 9400, p90: 14000, max: 22000, source: 'facts/timeline-measured.json "kubectl apply exits" 13.33 ms after POST received' },
};
