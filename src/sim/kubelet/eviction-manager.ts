// Models kubernetes/pkg/kubelet/eviction/eviction_manager.go synchronize, for memory.available
import type { Node, Pod } from "../api/types.ts";
import type { Message, Micros } from "../kernel/types.ts";
import type { NodeMemory, NodeOutOfMemory } from "../process/messages.ts";
import { evictionMessage, isCriticalPod, rankForEviction } from "./eviction.ts";
import { isTerminalPhase } from "./pod-status.ts";
import type { Worker } from "./state.ts";
import type { Turn } from "./turn.ts";

export interface EvictionTimer extends Message {
  readonly type: "kubelet.eviction";
}

/** What the eviction manager remembers between its passes. */
export interface EvictionState {
  /** The last measurement; undefined while memory is plenty. */
  readonly memory?: NodeMemory;
  /** When memory was last seen below the threshold. */
  readonly pressureAt?: Micros;
  /** The Pod whose cleaning up is awaited, and until when. */
  readonly cleaning?: { readonly uid: string; readonly until: Micros };
  /** The armed pass; 0 for none. */
  readonly at: Micros;
}

const SECOND: Micros = 1_000_000;
const MIB = 1_048_576;
/** evictionHard memory.available<100Mi */
const THRESHOLD = "100Mi";
const THRESHOLD_BYTES = 100 * MIB;
const MONITORING_INTERVAL: Micros = 10 * SECOND;
/** evictionPressureTransitionPeriod: a condition stays for so long after it was last seen. */
const TRANSITION_PERIOD: Micros = 300 * SECOND;
const CLEANUP_TIMEOUT: Micros = 30 * SECOND;
const CLEANUP_POLL: Micros = SECOND;

const set = (turn: Turn, change: Partial<EvictionState>): void => turn.set({ eviction: { ...turn.state.eviction, ...change } });

function arm(turn: Turn, at: Micros): void {
  if (turn.state.eviction.at > turn.now && turn.state.eviction.at <= at) return;
  set(turn, { at });
  turn.ctx.after(at - turn.now, { type: "kubelet.eviction" } satisfies EvictionTimer);
}

/** Whether the node's memory is, or was within the last five minutes, short. */
export const underMemoryPressure = (turn: Turn): boolean => turn.state.eviction.pressureAt !== undefined && turn.now - turn.state.eviction.pressureAt < TRANSITION_PERIOD;

/**
 * Memory has become short, or is so no more: the next pass will see it. Simplified: upstream measures every 10 s whether or
 * not anything can have changed; here the kernel says when memory is short, and the passes are at those very instants.
 */
export function onNodeMemory(turn: Turn, message: NodeMemory): void {
  set(turn, { memory: message });
  if (turn.state.eviction.cleaning === undefined) arm(turn, turn.nextTick("eviction", MONITORING_INTERVAL, turn.now + 1));
}

/** The kernel's log says that it killed for want of memory on the whole node. */
export function onNodeOutOfMemory(turn: Turn, { process, pid }: NodeOutOfMemory): void {
  const node = turn.state.node.store.get(turn.config.node.name);
  if (node) turn.event(node, "Warning", "SystemOOM", `System OOM encountered, victim process: ${process}, pid: ${pid}`);
}

const active = ({ phase, pod }: Worker): boolean => phase === "syncing" && !isTerminalPhase(pod.status?.phase);

/** One pass of the manager. */
export function onEvictionTimer(turn: Turn): void {
  if (turn.state.eviction.at !== turn.now) return;
  set(turn, { at: 0 });
  const { cleaning, memory } = turn.state.eviction;
  if (cleaning !== undefined) {
    const worker = turn.worker(cleaning.uid);
    if (worker && worker.phase !== "finished" && turn.now < cleaning.until) return arm(turn, turn.now + CLEANUP_POLL);
    const { cleaning: _, ...rest } = turn.state.eviction;
    turn.set({ eviction: rest });
  }
  const was = underMemoryPressure(turn);
  if (memory === undefined || memory.available >= THRESHOLD_BYTES) {
    if (turn.state.eviction.pressureAt === undefined) return;
    if (was) return arm(turn, turn.nextTick("eviction", MONITORING_INTERVAL, turn.state.eviction.pressureAt + TRANSITION_PERIOD + 1));
    const { pressureAt: _, ...rest } = turn.state.eviction;
    turn.set({ eviction: rest });
    turn.explain(`${turn.config.node.name} has had enough memory for 5 minutes: the condition MemoryPressure ends`, undefined, { level: "basic" });
    turn.engine.nodeStatusChanged(turn);
    return;
  }
  set(turn, { pressureAt: turn.now });
  if (!was) turn.engine.nodeStatusChanged(turn);
  reclaim(turn, memory);
}

function reclaim(turn: Turn, memory: NodeMemory): void {
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  if (node) turn.event(node, "Warning", "EvictionThresholdMet", "Attempting to reclaim memory");
  const bytes = (uid: string): number => memory.containers.filter((entry) => entry.uid === uid).reduce((sum, entry) => sum + entry.bytes, 0);
  const pods = turn.state.workers.values().filter(active).map(({ uid, pod }) => ({ pod, usage: bytes(uid) }));
  const victim = rankForEviction(pods, "memory").find(({ pod }) => !isCriticalPod(pod))?.pod;
  turn.explain(`${turn.config.node.name} has ${Math.max(0, Math.floor(memory.available / MIB))} MiB of memory left: ${victim === undefined ? "nothing can be evicted" : `the kubelet evicts ${victim.metadata.name ?? ""}`}`, victim, {
    level: "basic", status: "evicting", why: "Below the threshold of 100Mi one Pod is ended in a pass: first those above their request, of these the lowest priority, of these the one furthest above",
  });
  if (victim === undefined) return arm(turn, turn.nextTick("eviction", MONITORING_INTERVAL, turn.now + 1));
  evict(turn, victim, memory);
}

function evict(turn: Turn, pod: Pod, memory: NodeMemory): void {
  const uid = pod.metadata.uid ?? "";
  const usage = Object.fromEntries(memory.containers.filter((entry) => entry.uid === uid).map(({ container, bytes }) => [container, `${Math.ceil(bytes / 1024)}Ki`]));
  const message = evictionMessage(pod, "memory.available", THRESHOLD, `${Math.max(0, Math.floor(memory.available / 1024))}Ki`, usage);
  turn.event(pod, "Warning", "Evicted", message);
  set(turn, { cleaning: { uid, until: turn.now + CLEANUP_TIMEOUT } });
  turn.engine.updatePod(turn, uid, { kill: true, verdict: { reason: "Evicted", message, disrupts: true } });
  arm(turn, turn.now + CLEANUP_POLL);
}
