// Models kubernetes/pkg/kubelet/pod_workers.go
import type { Pod } from "../api/types.ts";
import type { Message, Micros } from "../kernel/types.ts";
import { effectiveGracePeriod } from "./grace.ts";
import { armRelist, newerThan, requestRelist } from "./pleg.ts";
import { isTerminalPhase } from "./pod-status.ts";
import type { FlowName, SyncRun, Worker } from "./state.ts";
import { holdForSyncLoop, syncLoopSleeps } from "./runtime-state.ts";
import { releaseHeldBack } from "./status-manager.ts";
import type { Outcome, UpdateOptions } from "./step.ts";
import { isStaticPod, type Turn } from "./turn.ts";

/** The sync ticker finds this Pod in the work queue. */
export interface RequeueTimer extends Message {
  readonly type: "kubelet.requeue";
  readonly uid: string;
}
export interface WorkerStart extends Message {
  readonly type: "kubelet.worker";
  readonly uid: string;
}

/** An update of a Pod that waits for the sync loop. */
export interface HeldUpdate extends Message {
  readonly type: "kubelet.update";
  readonly uid: string;
  readonly options: UpdateOptions;
}

const SECOND: Micros = 1_000_000;
export const RESYNC: Micros = 60 * SECOND;
export const ERROR_BACKOFF: Micros = 10 * SECOND;
export const NETWORK_BACKOFF: Micros = SECOND;
/** The sync loop looks at the work queue once a second. */
export const SYNC_PERIOD: Micros = SECOND;

export function newWorker(pod: Pod): Worker {
  return {
    uid: pod.metadata.uid ?? "", key: `${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`, pod, inConfig: true, phase: "syncing", pending: false, working: false,
    waiting: undefined, lastSync: Number.NEGATIVE_INFINITY, grace: 0, verdict: undefined, run: undefined, runs: 0, failures: {}, kills: {}, volumes: {}, volumesPopulated: false, requeueTimer: -1, podIP: pod.status?.podIP ?? "", settled: false, deadlineArmed: false,
  };
}

/** Something about the Pod may have changed: merges with what waits; moves the worker towards its end when the Pod must end. */
export function updatePod(turn: Turn, uid: string, options: UpdateOptions = {}): void {
  const worker = turn.worker(uid);
  if (!worker || worker.phase === "finished") return;
  if (syncLoopSleeps(turn)) {
    const held: HeldUpdate = { type: "kubelet.update", uid, options };
    return holdForSyncLoop(turn, held);
  }
  const { pod } = worker;
  let phase = worker.phase;
  let became = false;
  if (phase === "syncing" && (pod.metadata.deletionTimestamp !== undefined || isTerminalPhase(pod.status?.phase) || options.kill)) {
    phase = "terminating";
    became = true;
  }
  let grace = worker.grace;
  if (phase === "terminating") grace = effectiveGracePeriod(pod, options.grace ?? (options.kill && !isStaticPod(pod) ? 1 : undefined), worker.grace);
  turn.update(uid, { phase, grace, pending: true, ...(options.verdict === undefined ? {} : { verdict: options.verdict }) });
  if (became) turn.explain(`The Pod worker of ${pod.metadata.name ?? ""} turns to ending it, grace ${grace} s`, pod, { level: "basic" });
  if (became && worker.run) turn.engine.cancelRun(turn, uid);
  if (turn.worker(uid)?.working) return;
  turn.update(uid, { working: true });
  if (options.delay !== undefined) turn.ctx.after(options.delay, { type: "kubelet.worker", uid } satisfies WorkerStart);
  else startSync(turn, uid);
}

/** Takes up the pending update; its sync begins once the cache is newer than the last sync. */
export function startSync(turn: Turn, uid: string): void {
  const worker = turn.worker(uid);
  if (!worker || worker.run || worker.waiting) return;
  if (!worker.pending || worker.phase === "finished") {
    turn.update(uid, { working: false });
    return;
  }
  const flow: FlowName = worker.phase === "syncing" ? "syncPod" : worker.phase === "terminating" ? "syncTerminatingPod" : "syncTerminatedPod";
  turn.ctx.cancel(worker.requeueTimer);
  turn.update(uid, { pending: false, requeueTimer: -1, waiting: { pod: worker.pod, flow } });
  if (newerThan(turn, uid, worker.lastSync)) return beginSync(turn, uid);
  if (!turn.state.cacheWaiters.includes(uid)) turn.set({ cacheWaiters: [...turn.state.cacheWaiters, uid] });
  armRelist(turn);
}

function beginSync(turn: Turn, uid: string): void {
  const worker = turn.worker(uid);
  if (!worker?.waiting) return;
  const { waiting } = worker;
  const runtime = turn.state.cache.get(uid)?.pod;
  const run: SyncRun = { n: worker.runs + 1, flow: waiting.flow, step: 0, pod: waiting.pod, runtime, actions: undefined, sandboxId: runtime?.sandboxes[0]?.id ?? "", podIP: worker.podIP, toStart: [], start: undefined, toKill: [], sandboxesToStop: [], results: [], volumesSince: 0, timer: -1 };
  turn.update(uid, { waiting: undefined, runs: run.n, run });
  turn.engine.advance(turn, uid);
}

export function wakeCacheWaiters(turn: Turn): void {
  const waiters = turn.state.cacheWaiters;
  if (waiters.length === 0) return;
  const ready = waiters.filter((uid) => newerThan(turn, uid, turn.worker(uid)?.lastSync ?? 0));
  turn.set({ cacheWaiters: turn.state.cacheWaiters.filter((uid) => !ready.includes(uid)) });
  for (const uid of ready) beginSync(turn, uid);
  if (turn.state.cacheWaiters.length > 0) armRelist(turn);
}

/** The end of a sync: moves on to the next phase, or queues the next sync. */
export function completeSync(turn: Turn, uid: string, outcome: Outcome): void {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!worker || !run) return;
  turn.update(uid, { run: undefined, lastSync: turn.now });
  if (run.flow === "syncPod" && outcome.error === "" && !outcome.cancelled && !outcome.terminal && run.results.length > 0) requestRelist(turn, uid);
  if (outcome.cancelled) {
    // An update is already waiting.
  } else if (outcome.error !== "") requeueAfterError(turn, worker, outcome);
  else if (run.flow === "syncTerminatedPod") {
    turn.update(uid, { phase: "finished", working: false });
    return;
  } else if (run.flow === "syncTerminatingPod") {
    turn.update(uid, { phase: "terminated", pending: true });
    releaseHeldBack(turn, uid);
  } else if (outcome.terminal) turn.update(uid, { phase: "terminating", grace: effectiveGracePeriod(worker.pod, undefined, worker.grace), pending: true });
  else requeue(turn, uid, RESYNC);
  if (turn.worker(uid)?.pending) startSync(turn, uid);
  else turn.update(uid, { working: false });
}

function requeueAfterError(turn: Turn, worker: Worker, outcome: Outcome): void {
  let delay = ERROR_BACKOFF;
  if (outcome.error.includes("network is not ready")) delay = NETWORK_BACKOFF;
  else if (outcome.backoffUntil !== undefined) delay = Math.min(RESYNC, Math.max(0, outcome.backoffUntil - turn.now));
  requeue(turn, worker.uid, delay);
}

/** `delay` is stretched by a factor in [1, 1.5), and the sync ticker comes only once a second. */
export function requeue(turn: Turn, uid: string, delay: Micros): void {
  const worker = turn.worker(uid);
  if (!worker) return;
  turn.ctx.cancel(worker.requeueTimer);
  const jitter = turn.ctx.rand(`requeue/${uid}`, worker.runs) % 1000;
  const due = turn.now + delay + Math.floor((delay * jitter) / 2000);
  const at = turn.nextTick("sync", SYNC_PERIOD, due + 1);
  turn.update(uid, { requeueTimer: turn.ctx.after(at - turn.now, { type: "kubelet.requeue", uid } satisfies RequeueTimer) });
}
