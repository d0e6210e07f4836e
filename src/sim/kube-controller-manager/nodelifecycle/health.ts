// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go: tryUpdateNodeHealth
import { parseRfc3339, rfc3339 } from "../../api/time.ts";
import type { Condition, Lease, Node } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { conditionOf } from "../pods.ts";

/** What was last seen of a node, and when by this controller's clock. */
export interface Health {
  readonly probe: Micros;
  /** The Ready condition that was seen; undefined when there was none. */
  readonly ready: Condition | undefined;
  /** renewTime of the lease that was counted; undefined when none was since the last heartbeat. */
  readonly renewTime: string | undefined;
}

export interface Observation {
  readonly health: Health;
  /** The Ready condition as the node had it, and as it is after this look. */
  readonly observed: string;
  readonly current: Condition | undefined;
  /** The node with conditions that must be written; undefined when nothing must. */
  readonly unheard: Node | undefined;
}

export const MONITOR_PERIOD: Micros = 5_000_000;
const MONITOR_GRACE: Micros = 50_000_000;
const STARTUP_GRACE: Micros = 60_000_000;
const WATCHED = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

const createdAt = (node: Node): Micros => (node.metadata.creationTimestamp === undefined ? 0 : parseRfc3339(node.metadata.creationTimestamp));

/** What is known of the node after its Ready condition was read. A heartbeat forgets the lease: the next look counts it anew. */
function heardOf(old: Health | undefined, node: Node, ready: Condition | undefined, now: Micros): Health {
  if (ready === undefined) return old ? (old.ready === undefined ? old : { ...old, ready }) : { probe: createdAt(node), ready, renewTime: undefined };
  if (old?.ready === undefined || (old.ready.lastHeartbeatTime ?? null) !== (ready.lastHeartbeatTime ?? null)) return { probe: now, ready, renewTime: undefined };
  return old;
}

/** How long a node may be silent: longer while it has never said how it is (--node-monitor-grace-period, --node-startup-grace-period). */
export const graceOf = ({ ready }: Health): Micros => (ready === undefined ? STARTUP_GRACE : MONITOR_GRACE);

/** The last microsecond of the silence that is forgiven: the first look after it finds the node Unknown. */
export const graceEnd = (health: Health): Micros => health.probe + graceOf(health);

/** One look at a node's signs of life. A newer lease or a changed heartbeat counts as one now. */
export function observe(old: Health | undefined, node: Node, lease: Lease | undefined, now: Micros): Observation {
  const ready = conditionOf(node, "Ready");
  const observed = ready?.status ?? "Unknown";
  let health = heardOf(old, node, ready, now);
  const renewTime = lease?.spec?.renewTime;
  if (renewTime !== undefined && (old?.renewTime === undefined || parseRfc3339(old.renewTime) < parseRfc3339(renewTime))) health = { ...health, probe: now, renewTime };
  if (now <= graceEnd(health)) return { health, observed, current: ready, unheard: undefined };
  const conditions = unknownConditions(node, now);
  const current = conditions.find((entry) => entry.type === "Ready");
  return { health, observed, current, unheard: current === ready ? undefined : { ...node, status: { ...node.status, conditions } } };
}

/** What the passes before the story have seen, the last of them at `pass`: a lease that was renewed since is news to the next one. */
export function settledHealth(node: Node, lease: Lease | undefined, pass: Micros): Health {
  const ready = conditionOf(node, "Ready");
  const renewTime = lease?.spec?.renewTime;
  if (renewTime === undefined || parseRfc3339(renewTime) > pass) return { probe: pass, ready, renewTime: undefined };
  return { probe: parseRfc3339(renewTime) > pass - MONITOR_PERIOD ? pass : pass - MONITOR_PERIOD, ready, renewTime };
}

/** What is known once the server has stored the conditions of `unheard`. */
export const afterUpdate = (health: Health, current: Condition | undefined, lease: Lease | undefined): Health => ({ probe: health.probe, ready: current, renewTime: lease?.spec?.renewTime });

/** The node's conditions when nothing was heard for too long. */
function unknownConditions(node: Node, now: Micros): readonly Condition[] {
  const at = rfc3339(now);
  const next = [...(node.status?.conditions ?? [])];
  for (const type of WATCHED) {
    const index = next.findIndex((entry) => entry.type === type);
    const current = next[index];
    if (current?.status === "Unknown") continue;
    if (current) next[index] = { ...current, status: "Unknown", reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status.", lastTransitionTime: at };
    else next.push({ type, status: "Unknown", reason: "NodeStatusNeverUpdated", message: "Kubelet never posted node status.", lastHeartbeatTime: node.metadata.creationTimestamp ?? null, lastTransitionTime: at });
  }
  return next;
}
