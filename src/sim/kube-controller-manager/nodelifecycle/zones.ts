// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go: disruption of zones and its rate limits
import type { Node } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { conditionOf } from "../pods.ts";

export type ZoneState = "Initial" | "Normal" | "PartialDisruption" | "FullDisruption";

const UNHEALTHY_PERCENT = 55;
const LARGE_CLUSTER = 50;
/** 0.1 and 0.01 nodes a second. */
export const NORMAL_INTERVAL: Micros = 10_000_000;
const SECONDARY_INTERVAL: Micros = 100_000_000;

/** GetZoneKey: region and zone together; nodes without labels share one zone. */
export function zoneOf(node: Node): string {
  const labels = node.metadata.labels ?? {};
  const region = labels["topology.kubernetes.io/region"] ?? labels["failure-domain.beta.kubernetes.io/region"] ?? "";
  const zone = labels["topology.kubernetes.io/zone"] ?? labels["failure-domain.beta.kubernetes.io/zone"] ?? "";
  return region === "" && zone === "" ? "" : `${region}:${zone}`;
}

/** Whether a node says nothing about its zone's health. */
export const isExcluded = (node: Node): boolean => node.metadata.labels?.["node.kubernetes.io/exclude-disruption"] !== undefined;

export const readyStatus = (node: Node): string | undefined => conditionOf(node, "Ready")?.status;

/** ComputeZoneState: full when no node is ready, partial from 55 % and more than two that are not. */
export function zoneState(statuses: readonly string[]): ZoneState {
  const ready = statuses.filter((status) => status === "True").length;
  const notReady = statuses.length - ready;
  if (ready === 0 && notReady > 0) return "FullDisruption";
  return notReady > 2 && notReady * 100 >= UNHEALTHY_PERCENT * statuses.length ? "PartialDisruption" : "Normal";
}

/** Microseconds between two NoExecute taints in a zone; undefined: none at all. */
export function taintInterval(state: ZoneState, size: number): Micros | undefined {
  if (state !== "PartialDisruption") return NORMAL_INTERVAL;
  return size > LARGE_CLUSTER ? SECONDARY_INTERVAL : undefined;
}
