// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go: conditions as taints
import { rfc3339 } from "../../api/time.ts";
import type { Node, Taint } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Micros } from "../../kernel/types.ts";
import { conditionOf } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";

export const NOT_READY = "node.kubernetes.io/not-ready";
export const UNREACHABLE = "node.kubernetes.io/unreachable";
const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

/** Condition type and status to taint key. */
const CONDITION_TAINTS: readonly (readonly [type: string, status: string, key: string])[] = [
  ["Ready", "False", NOT_READY],
  ["Ready", "Unknown", UNREACHABLE],
  ["MemoryPressure", "True", "node.kubernetes.io/memory-pressure"],
  ["DiskPressure", "True", "node.kubernetes.io/disk-pressure"],
  ["NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"],
  ["PIDPressure", "True", "node.kubernetes.io/pid-pressure"],
];
const MANAGED = new Set([...CONDITION_TAINTS.map((row) => row[2]), UNSCHEDULABLE]);

/** The NoSchedule taints that a node's conditions and cordon call for. */
export function wantedNoSchedule(node: Node): readonly string[] {
  const keys = CONDITION_TAINTS.filter(([type, status]) => conditionOf(node, type)?.status === status).map((row) => row[2]);
  return node.spec?.unschedulable ? [...keys, UNSCHEDULABLE] : keys;
}

/** The node's taints with its NoSchedule ones brought in line; undefined when nothing differs. */
export function withNoSchedule(node: Node, now: Micros): readonly Taint[] | undefined {
  const taints = node.spec?.taints ?? [];
  const wanted = wantedNoSchedule(node);
  const kept = taints.filter((taint) => taint.effect !== "NoSchedule" || !MANAGED.has(taint.key) || wanted.includes(taint.key));
  const missing = wanted.filter((key) => !taints.some((taint) => taint.effect === "NoSchedule" && taint.key === key));
  if (missing.length === 0 && kept.length === taints.length) return undefined;
  return [...kept, ...missing.map((key): Taint => ({ key, effect: "NoSchedule", timeAdded: rfc3339(now) }))];
}

export const hasNoExecute = (node: Node, key: string): boolean => node.spec?.taints?.some((taint) => taint.effect === "NoExecute" && taint.key === key) ?? false;

/** The node's taints with exactly this one of the two NoExecute taints, or neither; undefined when nothing differs. */
export function withNoExecute(node: Node, key: string | undefined, now: Micros): readonly Taint[] | undefined {
  const taints = node.spec?.taints ?? [];
  const kept = taints.filter((taint) => taint.effect !== "NoExecute" || (taint.key !== NOT_READY && taint.key !== UNREACHABLE) || taint.key === key);
  if (key === undefined || hasNoExecute(node, key)) return kept.length === taints.length ? undefined : kept;
  return [...kept, { key, effect: "NoExecute", timeAdded: rfc3339(now) }];
}

export const patchTaints = (node: Node, taints: readonly Taint[]): ApiCall => ({
  method: "PATCH",
  path: objectPath(node),
  contentType: "application/strategic-merge-patch+json",
  body: { spec: { taints: taints.length === 0 ? null : taints } },
  subject: subjectOf(node),
});
