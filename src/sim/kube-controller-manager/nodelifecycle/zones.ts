// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go: disruption of zones and its rate limits
import type { Node } from "../../api/types.ts";
import { conditionOf } from "../pods.ts";

export type ZoneState = "Normal" | "PartialDisruption" | "FullDisruption";

const UNHEALTHY_PERCENT = 55;
const LARGE_CLUSTER = 50;

/** Region and zone together; nodes without labels share one zone. */
export const zoneOf = (node: Node): string => `${node.metadata.labels?.["topology.kubernetes.io/region"] ?? ""}:${node.metadata.labels?.["topology.kubernetes.io/zone"] ?? ""}`;

export const readyStatus = (node: Node): string => conditionOf(node, "Ready")?.status ?? "Unknown";

/** ComputeZoneState: full when no node is ready, partial from 55 % and more than two that are not. */
export function zoneState(ready: number, notReady: number): ZoneState {
  if (ready === 0 && notReady > 0) return "FullDisruption";
  return notReady > 2 && notReady * 100 >= UNHEALTHY_PERCENT * (notReady + ready) ? "PartialDisruption" : "Normal";
}

export function zoneStates(nodes: readonly Node[]): ReadonlyMap<string, { readonly state: ZoneState; readonly size: number }> {
  const counts = new Map<string, { ready: number; notReady: number }>();
  for (const node of nodes) {
    const count = counts.get(zoneOf(node)) ?? { ready: 0, notReady: 0 };
    if (readyStatus(node) === "True") count.ready++;
    else count.notReady++;
    counts.set(zoneOf(node), count);
  }
  return new Map([...counts].map(([zone, { ready, notReady }]) => [zone, { state: zoneState(ready, notReady), size: ready + notReady }]));
}

/** Microseconds between two NoExecute taints in a zone; undefined: none at all. 0.1 a second, 0.01 in a large disrupted zone. */
export function taintInterval(state: ZoneState, size: number): number | undefined {
  if (state !== "PartialDisruption") return 10_000_000;
  return size > LARGE_CLUSTER ? 100_000_000 : undefined;
}
