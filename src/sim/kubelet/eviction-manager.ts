// Models kubernetes/pkg/kubelet/eviction/eviction_manager.go synchronize
import { quantityFromValue } from "../api/quantity.ts";
import type { Node, Pod } from "../api/types.ts";
import type { Message, Micros } from "../kernel/types.ts";
import type { ContainerUsage, Level, NodeOutOfMemory, NodeShort, NodeWatch, SummaryRequest, SummaryResponse } from "../process/messages.ts";
import { collectContainers } from "./container-gc.ts";
import { byEvictionPriority, conditionOfSignal, firstObserved, mergeThresholds, observe, type Observations, thresholdKey, thresholdsMet, thresholdText } from "./eviction-thresholds.ts";
import { evictionMessage, isCriticalPod, localStorageEviction, type NodeVerdict, rankForEviction, resourceOfSignal } from "./eviction.ts";
import { armImageGC, deleteUnusedImages } from "./image-gc.ts";
import type { Threshold } from "./kubelet-configuration.ts";
import { localUsage, volumeStatsAt } from "./local-storage.ts";
import { rotateLogs } from "./log-rotation.ts";
import { isTerminalPhase } from "./pod-status.ts";
import type { Worker } from "./state.ts";
import type { Turn } from "./turn.ts";

export interface EvictionTimer extends Message {
  readonly type: "kubelet.eviction";
}

/** What the eviction manager remembers between its passes. */
export interface EvictionState {
  /** What the kernel says is short; passes go on as long. */
  readonly short: readonly string[];
  /** Of thresholds that are met: since when. */
  readonly firstObserved: Readonly<Record<string, Micros>>;
  /** Keys of those met for as long as they must be, and not yet resolved. */
  readonly met: readonly string[];
  /** When each condition was last seen. */
  readonly lastObserved: Readonly<Record<string, Micros>>;
  readonly conditions: readonly string[];
  /** Of the settled world: their cause lies before time 0. */
  readonly given: readonly string[];
  /** The Pods whose cleaning up is awaited, and until when. */
  readonly cleaning?: { readonly uids: readonly string[]; readonly until: Micros };
  /** Answers awaited while node-level resources are reclaimed. */
  readonly reclaiming?: number;
  /** By Pod: when its volumes, which hold too much, will have been counted. */
  readonly counted: Readonly<Record<string, Micros>>;
  /** A summary is being read. */
  readonly reading: boolean;
  /** The armed pass; 0 for none. */
  readonly at: Micros;
}

export const NO_EVICTION: EvictionState = { short: [], firstObserved: {}, met: [], lastObserved: {}, conditions: [], given: [], counted: {}, reading: false, at: 0 };

const SECOND: Micros = 1_000_000;
const MONITORING_INTERVAL: Micros = 10 * SECOND;
const CLEANUP_TIMEOUT: Micros = 30 * SECOND;
const CLEANUP_POLL: Micros = SECOND;
/** immediateEvictionGracePeriodSeconds */
const IMMEDIATE = 1;

const set = (turn: Turn, change: Partial<EvictionState>): void => turn.set({ eviction: { ...turn.state.eviction, ...change } });

function arm(turn: Turn, at: Micros): void {
  const armed = turn.state.eviction.at;
  if (armed > turn.now && armed <= at) return;
  set(turn, { at });
  turn.ctx.after(at - turn.now, { type: "kubelet.eviction" } satisfies EvictionTimer);
}

/** MemoryPressure, DiskPressure, PIDPressure: those that are, or were within the last five minutes. */
export const pressures = ({ state: { eviction } }: Turn): readonly string[] => (eviction.given.length === 0 ? eviction.conditions : [...eviction.given, ...eviction.conditions.filter((type) => !eviction.given.includes(type))]);

/** Something has become short, or is so no more: the next pass will see it. */
export function onNodeShort(turn: Turn, { short, over, logs }: NodeShort): void {
  const counted: Record<string, Micros> = {};
  for (const { uid, what } of over) {
    const worker = turn.worker(uid);
    // What emptyDirs hold is counted only now and then.
    if (worker && !what.startsWith("/")) counted[uid] = turn.state.eviction.counted[uid] ?? volumeStatsAt(turn, worker.pod, turn.now);
  }
  set(turn, { short, counted });
  if (short.includes("disk")) armImageGC(turn);
  if (logs.length > 0) rotateLogs(turn, logs);
  if (cleaningUp(turn)) return;
  for (const at of Object.values(counted)) if (at > turn.now) arm(turn, turn.nextTick("eviction", MONITORING_INTERVAL, at));
  if (short.length > 0 || over.some(({ what }) => what.startsWith("/"))) arm(turn, turn.nextTick("eviction", MONITORING_INTERVAL, turn.now + 1));
}

const cleaningUp = ({ state: { eviction } }: Turn): boolean => eviction.cleaning !== undefined || eviction.reclaiming !== undefined;

/** The kernel's log says that it killed for want of memory on the whole node. */
export function onNodeOutOfMemory(turn: Turn, { process, pid }: NodeOutOfMemory): void {
  const node = turn.state.node.store.get(turn.config.node.name);
  if (node) turn.event(node, "Warning", "SystemOOM", `System OOM encountered, victim process: ${process}, pid: ${pid}`);
}

function readSummary(turn: Turn, why: "pass" | "reclaimed", first = false): void {
  set(turn, { reading: true });
  const mail = turn.ctx.send(`process@${turn.config.node.name}`, { type: "process.summary.request", ...(first ? { first } : {}) } satisfies SummaryRequest, { protocol: "disk", latency: 300, verb: "stats", level: "source" });
  turn.expect(mail, { for: "summary", why });
}

const RESOURCES: Readonly<Record<string, Level["resource"]>> = { "memory.available": "memory", "nodefs.available": "disk", "imagefs.available": "disk", "nodefs.inodesFree": "inodes", "imagefs.inodesFree": "inodes", "pid.available": "pids" };

/** Where the kernel has to tell of more than it does for any kubelet. */
export function watchNode(turn: Turn): void {
  const { thresholds, imageGCHighThresholdPercent: high } = turn.kubelet;
  const levels = thresholds.flatMap(({ signal, value, minReclaim }): readonly Level[] => {
    const resource = RESOURCES[signal];
    const parts = [value, ...(minReclaim === undefined ? [] : [minReclaim])];
    return resource === undefined ? [] : [{ resource, quantity: parts.reduce((all, part) => all + ("quantity" in part ? part.quantity : 0), 0), percentage: parts.reduce((all, part) => all + ("percentage" in part ? part.percentage : 0), 0) }];
  });
  turn.ctx.send(`process@${turn.config.node.name}`, { type: "node.watch", levels: [...levels, { resource: "disk", quantity: 0, percentage: (101 - high) / 100 }] } satisfies NodeWatch, { protocol: "disk", latency: 100, verb: "watch", level: "source" });
}

/** The kubelet has started: it knows nothing yet. */
export const startEviction = (turn: Turn): void => readSummary(turn, "pass", true);

/** One pass of the manager is due, or a look whether what was evicted is gone. */
export function onEvictionTimer(turn: Turn): void {
  const { at, cleaning, reading, reclaiming } = turn.state.eviction;
  if (at !== turn.now) return;
  set(turn, { at: 0 });
  if (cleaning !== undefined) {
    const ending = cleaning.uids.some((uid) => (turn.worker(uid)?.phase ?? "finished") !== "finished");
    if (ending && turn.now < cleaning.until) return arm(turn, turn.now + CLEANUP_POLL);
    const { cleaning: _, ...rest } = turn.state.eviction;
    turn.set({ eviction: rest });
  }
  if (!reading && reclaiming === undefined) readSummary(turn, "pass");
}

/** Of a Pod that the manager may end. Simplified: upstream may choose one again that is being ended. */
const active = ({ phase, pod }: Worker): boolean => phase === "syncing" && !isTerminalPhase(pod.status?.phase);

const activePods = (turn: Turn): readonly Worker[] => turn.state.workers.values().filter(active);

export function onSummary(turn: Turn, summary: SummaryResponse, why: "pass" | "reclaimed"): void {
  set(turn, { reading: false });
  const seen = observe(summary);
  const { thresholds } = turn.kubelet;
  if (why === "reclaimed") return reclaimed(turn, summary, seen);
  const { eviction } = turn.state;
  const unresolved = thresholdsMet(thresholds.filter((threshold) => eviction.met.includes(thresholdKey(threshold))), seen, true);
  const met = mergeThresholds(thresholdsMet(thresholds, seen, false), unresolved);
  const since = firstObserved(met, eviction.firstObserved, turn.now);
  observeConditions(turn, met);
  const acting = met.filter((threshold) => turn.now - (since[thresholdKey(threshold)] ?? turn.now) >= threshold.gracePeriod);
  set(turn, { firstObserved: since, met: acting.map(thresholdKey) });
  const ended = activePods(turn).filter((worker) => endForLocalStorage(turn, worker, summary)).map(({ uid }) => uid);
  if (ended.length > 0) return awaitCleanup(turn, ended);
  const [first] = byEvictionPriority(acting);
  if (first === undefined) return rest(turn);
  const resource = resourceOfSignal(first.signal);
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  if (node) turn.event(node, "Warning", "EvictionThresholdMet", `Attempting to reclaim ${resource}`);
  if (first.signal.startsWith("nodefs") || first.signal.startsWith("imagefs")) return reclaimNodeLevel(turn, first, seen);
  evictOne(turn, first, summary, seen);
}

function observeConditions(turn: Turn, met: readonly Threshold[]): void {
  const { eviction } = turn.state;
  const now = [...new Set(met.map(({ signal }) => conditionOfSignal(signal)))];
  const lastObserved = { ...eviction.lastObserved, ...Object.fromEntries(now.map((type) => [type, turn.now])) };
  const conditions = Object.keys(lastObserved).filter((type) => turn.now - (lastObserved[type] ?? 0) < turn.kubelet.evictionPressureTransitionPeriod).sort();
  set(turn, { lastObserved, conditions });
  for (const type of conditions.filter((one) => !eviction.conditions.includes(one))) turn.explain(`${turn.config.node.name} is short: condition ${type}`, undefined, { level: "basic", why: `Below ${met.filter(({ signal }) => conditionOfSignal(signal) === type).map(({ signal }) => signal).join(" and ")}; it stays for 5 minutes after it was last seen` });
  for (const type of eviction.conditions.filter((one) => !conditions.includes(one))) turn.explain(`${turn.config.node.name} has had enough for 5 minutes: the condition ${type} ends`, undefined, { level: "basic" });
  if (conditions.join() !== eviction.conditions.join()) turn.engine.nodeStatusChanged(turn);
}

/** Nothing is to be done: the next pass, if there is to be one, comes 10 s later. */
function rest(turn: Turn): void {
  const { short, conditions, counted, lastObserved, met, firstObserved: since } = turn.state.eviction;
  if (short.length > 0 || met.length > 0 || Object.keys(since).length > 0) return arm(turn, turn.now + MONITORING_INTERVAL);
  const next = [...conditions.map((type) => (lastObserved[type] ?? 0) + turn.kubelet.evictionPressureTransitionPeriod), ...Object.values(counted).filter((at) => at > turn.now)];
  if (next.length > 0) arm(turn, turn.nextTick("eviction", MONITORING_INTERVAL, Math.max(turn.now + 1, Math.min(...next))));
}

/** Dead containers and unused images go before any Pod does. */
function reclaimNodeLevel(turn: Turn, threshold: Threshold, seen: Observations): void {
  const { quantity, available } = thresholdText(threshold, seen);
  turn.explain(`${turn.config.node.name} reclaims what no running Pod needs: dead containers and unused images`, undefined, { level: "basic", status: "reclaiming", why: `${threshold.signal} is ${available}, its threshold ${quantity}` });
  set(turn, { reclaiming: collectContainers(turn, true, "reclaim") + deleteUnusedImages(turn) });
  if (turn.state.eviction.reclaiming === 0) readSummary(turn, "reclaimed");
}

/** One of the calls has been answered; `more` have been sent instead. */
export function onReclaimed(turn: Turn, more = 0): void {
  const { reclaiming } = turn.state.eviction;
  if (reclaiming === undefined) return;
  set(turn, { reclaiming: reclaiming - 1 + more });
  if (reclaiming - 1 + more === 0) readSummary(turn, "reclaimed");
}

function reclaimed(turn: Turn, summary: SummaryResponse, seen: Observations): void {
  const { reclaiming: _, ...state } = turn.state.eviction;
  turn.set({ eviction: state });
  const { thresholds } = turn.kubelet;
  if (thresholdsMet(thresholds, seen, true).length === 0) {
    turn.explain(`${turn.config.node.name} has room again: no Pod need be evicted`, undefined, { level: "basic", status: "idle" });
    return rest(turn);
  }
  const [first] = byEvictionPriority(thresholds.filter((threshold) => state.met.includes(thresholdKey(threshold))));
  if (first === undefined) return rest(turn);
  evictOne(turn, first, summary, seen);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** What a Pod takes of the resource that is short. */
function usageOf(pod: Pod, resource: string, { containers, volumes }: SummaryResponse): number {
  const own = containers.filter(({ uid }) => uid === pod.metadata.uid);
  const local = volumes.filter(({ uid, volume }) => uid === pod.metadata.uid && pod.spec.volumes?.find(({ name }) => name === volume)?.emptyDir !== undefined);
  switch (resource) {
    case "memory": return sum(own.map(({ memory }) => memory));
    case "pids": return sum(own.map(({ processes }) => processes));
    case "inodes": return sum([...own, ...local].map(({ inodes }) => inodes));
    default: return sum([...own.map(({ rootfs, logs }) => rootfs + logs), ...local.map(({ bytes }) => bytes)]);
  }
}

/** As the message names it; of inodes and processes nothing is said. */
function containerUsage({ memory, rootfs, logs }: ContainerUsage, resource: string): string | undefined {
  if (resource !== "memory" && resource !== "ephemeral-storage") return undefined;
  return quantityFromValue(resource === "memory" ? memory : rootfs + logs, "BinarySI");
}

function evictOne(turn: Turn, threshold: Threshold, summary: SummaryResponse, seen: Observations): void {
  const resource = resourceOfSignal(threshold.signal);
  const pods = activePods(turn).map(({ pod }) => ({ pod, usage: usageOf(pod, resource, summary) }));
  const victim = rankForEviction(pods, resource).find(({ pod }) => !isCriticalPod(pod))?.pod;
  const { quantity, available } = thresholdText(threshold, seen);
  turn.explain(`${turn.config.node.name} has ${available} of ${threshold.signal} left: ${victim === undefined ? "nothing can be evicted" : `the kubelet evicts ${victim.metadata.name ?? ""}`}`, victim, {
    level: "basic", status: "evicting", why: resource === "pids" ? `Below ${quantity} one Pod is ended in a pass: the lowest priority first, of these the one with most processes` : `Below ${quantity} one Pod is ended in a pass: first those above their request, of these the lowest priority, of these the one furthest above`,
  });
  if (victim === undefined) return rest(turn);
  const named = new Map(summary.containers.filter(({ uid }) => uid === victim.metadata.uid).map((entry) => [entry.container, containerUsage(entry, resource)]));
  const usage = Object.fromEntries([...named].flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])));
  const message = evictionMessage(victim, threshold.signal, quantity, available, usage);
  const grace = threshold.gracePeriod === 0 ? IMMEDIATE : Math.min(turn.kubelet.evictionMaxPodGracePeriod, victim.spec.terminationGracePeriodSeconds ?? 0);
  evict(turn, victim, { reason: "Evicted", message, disrupts: true }, grace);
  awaitCleanup(turn, [victim.metadata.uid ?? ""]);
}

/** An emptyDir's sizeLimit, or a limit of ephemeral-storage. */
function endForLocalStorage(turn: Turn, { pod }: Worker, summary: SummaryResponse): boolean {
  const { volumes, containers } = localUsage(pod, summary);
  const verdict = localStorageEviction(pod, (turn.state.eviction.counted[pod.metadata.uid ?? ""] ?? 0) > turn.now ? {} : volumes, containers);
  if (verdict === undefined || isCriticalPod(pod)) return false;
  turn.explain(`${pod.metadata.name ?? ""} holds more on the node's disk than it may: the kubelet evicts it`, pod, { level: "basic", status: "evicting", why: verdict.message });
  evict(turn, pod, verdict, IMMEDIATE);
  return true;
}

function evict(turn: Turn, pod: Pod, verdict: NodeVerdict, grace: number): void {
  turn.event(pod, "Warning", "Evicted", verdict.message);
  turn.engine.updatePod(turn, pod.metadata.uid ?? "", { kill: true, verdict, grace });
}

function awaitCleanup(turn: Turn, uids: readonly string[]): void {
  set(turn, { cleaning: { uids, until: turn.now + CLEANUP_TIMEOUT }, at: 0 });
  arm(turn, turn.now + CLEANUP_POLL);
}
