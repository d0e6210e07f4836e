// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go: tryUpdateNodeHealth
import { parseRfc3339, rfc3339 } from "../../api/time.ts";
import type { Condition, Lease, Node, Pod } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { conditionOf } from "../pods.ts";

/** What was last seen of a node, and when by this controller's clock. */
export interface Health {
  readonly probe: Micros;
  readonly renewTime: string;
  readonly heartbeat: string;
}

export const MONITOR_PERIOD: Micros = 5_000_000;
export const MONITOR_GRACE: Micros = 50_000_000;
const STARTUP_GRACE: Micros = 60_000_000;
const WATCHED = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/** A newer lease or a changed heartbeat counts as a sign of life now. The same object when nothing is new. */
export function observe(old: Health | undefined, node: Node, lease: Lease | undefined, now: Micros): Health {
  const renewTime = lease?.spec?.renewTime ?? "";
  const heartbeat = conditionOf(node, "Ready")?.lastHeartbeatTime ?? "";
  if (old === undefined) return { probe: now, renewTime, heartbeat };
  const renewed = renewTime !== old.renewTime && (old.renewTime === "" || parseRfc3339(renewTime) > parseRfc3339(old.renewTime));
  const beat = heartbeat !== old.heartbeat && conditionOf(node, "Ready")?.reason !== "NodeStatusUnknown";
  return renewed || beat ? { probe: now, renewTime, heartbeat } : old;
}

export function isSilent(health: Health, node: Node, now: Micros): boolean {
  const grace = conditionOf(node, "Ready") === undefined ? STARTUP_GRACE : MONITOR_GRACE;
  return now > health.probe + grace;
}

/** The node's conditions when nothing was heard for too long; the same list when they say so already. */
export function unknownConditions(node: Node, now: Micros): readonly Condition[] {
  const old = node.status?.conditions ?? [];
  const at = rfc3339(now);
  let changed = false;
  const next = [...old];
  for (const type of WATCHED) {
    const index = next.findIndex((entry) => entry.type === type);
    const current = next[index];
    if (current?.status === "Unknown") continue;
    changed = true;
    if (current) next[index] = { ...current, status: "Unknown", reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status.", lastTransitionTime: at };
    else next.push({ type, status: "Unknown", reason: "NodeStatusNeverUpdated", message: "Kubelet never posted node status.", lastHeartbeatTime: node.metadata.creationTimestamp ?? null, lastTransitionTime: at });
  }
  return changed ? next : old;
}

/** The Pod's status with Ready False; undefined when it has no Ready condition or is not ready anyhow. */
export function notReadyStatus(pod: Pod, now: Micros): Pod["status"] | undefined {
  const conditions = pod.status?.conditions ?? [];
  const index = conditions.findIndex((entry) => entry.type === "Ready");
  const ready = conditions[index];
  if (!ready || ready.status === "False") return undefined;
  return { ...pod.status, conditions: conditions.with(index, { ...ready, status: "False", lastTransitionTime: rfc3339(now) }) };
}
