// Models kubernetes/pkg/kubelet/nodeshutdown/{nodeshutdown_manager,nodeshutdown_manager_linux}.go
import type { Pod } from "../api/types.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Message, Micros } from "../kernel/types.ts";
import { isTerminalPhase } from "./pod-status.ts";
import type { NodeVerdict } from "./eviction.ts";
import type { Turn } from "./turn.ts";

export interface ShutdownTimer extends Message {
  readonly type: "kubelet.shutdown";
}

/** Pods from this priority on (below the next group's) have so many seconds. */
export interface ShutdownGroup {
  readonly priority: number;
  readonly seconds: number;
  readonly uids: readonly string[];
}

/** A shutdown of the machine that the kubelet holds up. */
export interface Shutdown {
  /** Those that are still to come; the first is being ended. */
  readonly groups: readonly ShutdownGroup[];
  readonly until: Micros;
}

const SECOND: Micros = 1_000_000;
/** podAttachAndMountRetryInterval: how often it looks whether all volumes are unmounted. */
const POLL: Micros = 300_000;
const SYSTEM_CRITICAL = 2_000_000_000;
const MESSAGE = "Pod was terminated in response to imminent node shutdown.";
const VERDICT: NodeVerdict = { reason: "Terminated", message: MESSAGE, disrupts: true, keepsSuccess: true };

export const SHUTTING_DOWN = "node is shutting down";

/** Refuses Pods while the node is shutting down. */
export const admitDuringShutdown = (turn: Turn): NodeVerdict | undefined => (turn.state.shutdown === undefined ? undefined : { reason: "NodeShutdown", message: "Pod was rejected as the node is shutting down." });

/** What the two grace periods come to; none if there is nothing to wait for. */
export function shutdownGroups(requested: Micros, critical: Micros): readonly Omit<ShutdownGroup, "uids">[] {
  if (requested === 0 || critical > requested) return [];
  return [{ priority: 0, seconds: Math.floor((requested - critical) / SECOND) }, { priority: SYSTEM_CRITICAL, seconds: Math.floor(critical / SECOND) }];
}

/** A Pod belongs to the highest group whose priority it reaches; below all, to the first. */
export function groupByPriority(groups: readonly Omit<ShutdownGroup, "uids">[], pods: readonly Pod[]): readonly ShutdownGroup[] {
  const indexOf = (pod: Pod): number => Math.max(0, groups.findLastIndex(({ priority }) => priority <= (pod.spec.priority ?? 0)));
  return groups.map((group, i) => ({ ...group, uids: pods.filter((pod) => indexOf(pod) === i).map(({ metadata }) => metadata.uid ?? "") }));
}

/** logind's PrepareForShutdown, or its being cancelled. */
export function onPrepareForShutdown(turn: Turn, { on, params }: FaultMessage): void {
  const { node } = turn.config;
  const object = turn.state.node.store.get(node.name);
  if (!on) {
    if (turn.state.shutdown === undefined) return;
    turn.set({ shutdown: undefined });
    if (object) turn.event(object, "Normal", "NodeShutdown", "Shutdown manager detected shutdown cancellation");
    turn.engine.nodeStatusChanged(turn);
    return;
  }
  const groups = shutdownGroups(Number(params["gracePeriod"] ?? 0) * SECOND, Number(params["gracePeriodCritical"] ?? 0) * SECOND);
  if (groups.length === 0) return;
  if (object) turn.event(object, "Normal", "NodeShutdown", "Shutdown manager detected shutdown event");
  const active = turn.state.workers.values().filter(({ phase, pod }) => (phase === "syncing" || phase === "terminating") && !isTerminalPhase(pod.status?.phase)).map(({ pod }) => pod);
  turn.explain(`${node.name} is told to shut down: the kubelet holds it up and ends its Pods first`, undefined, { level: "basic", status: "shutting down", why: "It holds an inhibitor lock of systemd-logind: the machine goes off when the kubelet lets go of it, or when the time is over" });
  turn.set({ shutdown: { groups: groupByPriority(groups, active), until: 0 } });
  turn.engine.reportNodeStatus(turn);
  nextGroup(turn);
}

function nextGroup(turn: Turn): void {
  const { shutdown } = turn.state;
  if (shutdown === undefined) return;
  // A group without Pods is not waited for.
  const [group, ...later] = shutdown.groups.filter(({ uids }) => uids.length > 0);
  if (group === undefined) {
    turn.set({ shutdown: { groups: [], until: 0 } });
    turn.explain(`All Pods of ${turn.config.node.name} have ended or had their time: the kubelet lets the machine go off`, undefined, { level: "basic", status: "shutting down" });
    return;
  }
  turn.set({ shutdown: { groups: [group, ...later], until: turn.now + group.seconds * SECOND } });
  turn.explain(`The kubelet ends the ${group.uids.length} ${group.priority >= SYSTEM_CRITICAL ? "critical Pod" : "Pod"}${group.uids.length === 1 ? "" : "s"} of ${turn.config.node.name} within ${group.seconds} s`, undefined, { level: "basic", why: "Critical Pods come last: others may need them until their end" });
  for (const uid of group.uids) {
    const pod = turn.worker(uid)?.pod;
    if (pod) turn.engine.updatePod(turn, uid, { kill: true, verdict: VERDICT, grace: Math.min(group.seconds, pod.spec.terminationGracePeriodSeconds ?? group.seconds) });
  }
  turn.ctx.after(POLL, { type: "kubelet.shutdown" } satisfies ShutdownTimer);
}

/** Looks whether the group is over. */
export function onShutdownTimer(turn: Turn): void {
  const { shutdown } = turn.state;
  const [group, ...later] = shutdown?.groups ?? [];
  if (shutdown === undefined || group === undefined) return;
  const over = group.uids.every((uid) => (turn.worker(uid)?.phase ?? "finished") === "finished");
  if (!over && turn.now < shutdown.until) {
    turn.ctx.after(Math.min(POLL, shutdown.until - turn.now), { type: "kubelet.shutdown" } satisfies ShutdownTimer);
    return;
  }
  turn.set({ shutdown: { groups: later, until: 0 } });
  nextGroup(turn);
}
