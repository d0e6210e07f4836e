// Models kubernetes/pkg/kubelet/kubelet.go HandlePodAdditions, HandlePodUpdates, HandlePodRemoves and pkg/kubelet/config
import type { Pod } from "../api/types.ts";
import type { Change } from "../client-go/informer.ts";
import type { Message } from "../kernel/types.ts";
import { canAdmitPod } from "./admission.ts";
import { armContainerGC, goingOf } from "./container-gc.ts";
import { watchLocalStorage } from "./local-storage.ts";
import { dropBackoff } from "./backoff.ts";
import { deepEqual } from "./deep-equal.ts";
import type { NodeVerdict } from "./eviction.ts";
import { isTerminalPhase } from "./pod-status.ts";
import { newWorker, updatePod } from "./pod-workers.ts";
import { handleResize, resourcesChanged, retryResizes, revertResize, updatePodFromAllocation } from "./resize.ts";
import { holdForSyncLoop, syncLoopSleeps } from "./runtime-state.ts";
import { setPodStatus } from "./status-manager.ts";
import { isMirrorPod, isStaticPod, podRef, type Turn } from "./turn.ts";
import { addPodVolumes } from "./volume-manager.ts";

/** The merged configuration reaches the sync loop. */
export interface ConfigTimer extends Message {
  readonly type: "kubelet.config";
  readonly key: string;
  readonly uid: string;
}

export function onPodChange(turn: Turn, change: Change): void {
  const pod = change.object as Pod;
  const uid = pod.metadata.uid ?? "";
  const key = `${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`;
  if (isMirrorPod(pod)) return turn.engine.mirrorChanged(turn, pod, change.type);
  if (change.type === "delete") return remove(turn, pod);
  const worker = turn.worker(uid);
  if (!worker) {
    turn.ctx.after(turn.ctx.latency("kubelet.config", uid), { type: "kubelet.config", key, uid } satisfies ConfigTimer);
    return;
  }
  const old = worker.pod;
  const resized = resourcesChanged(pod, old);
  turn.update(uid, { pod: resized ? updatePodFromAllocation(pod, old) : pod });
  if (resized && worker.phase === "syncing" && !syncLoopSleeps(turn)) handleResize(turn, uid, pod);
  else if (worker.resize?.pending) revertResize(turn, uid);
  const specChanged = old.spec !== pod.spec && !deepEqual(old.spec, pod.spec);
  const metaChanged = !deepEqual(old.metadata.labels, pod.metadata.labels) || !deepEqual(old.metadata.annotations, pod.metadata.annotations);
  const deleting = old.metadata.deletionTimestamp !== pod.metadata.deletionTimestamp || old.metadata.deletionGracePeriodSeconds !== pod.metadata.deletionGracePeriodSeconds;
  // A change of nothing but the status is RECONCILE: no sync.
  if (!specChanged && !metaChanged && !deleting) return;
  turn.explain(`The kubelet's sync loop gets ${deleting ? "DELETE" : "UPDATE"} for ${pod.metadata.name ?? ""}`, pod, { level: deleting ? "basic" : "operator", ...(deleting ? { why: "A graceful deletion arrives as an update: the object has a deletionTimestamp" } : {}) });
  updatePod(turn, uid);
}

function remove(turn: Turn, pod: Pod): void {
  const uid = pod.metadata.uid ?? "";
  const worker = turn.worker(uid);
  if (!worker) return;
  turn.update(uid, { inConfig: false });
  turn.explain(`The kubelet's sync loop gets REMOVE for ${pod.metadata.name ?? ""}`, pod);
  turn.set({ statuses: turn.state.statuses.delete(uid), crashLoop: dropBackoff(turn.state.crashLoop, `${uid}/`) });
  if (worker.phase === "finished") {
    cleanUp(turn, uid);
    return;
  }
  // Deleted by force: what still runs here is ended without anybody to report to.
  updatePod(turn, uid, { kill: true });
}

/** Simplified: upstream leaves these to container GC too; but a static Pod may come back under the same uid. */
function removeAtOnce(turn: Turn, pod: Pod, uid: string): void {
  for (const cri of goingOf(turn.state.cache.get(uid)?.pod ?? { uid, namespace: "", name: "", containers: [], sandboxes: [] }, true)) turn.cri(cri, { for: "remove" }, podRef(pod), "source");
}

/** Housekeeping: the worker of a finished Pod that is gone. Its containers are left to container GC. */
export function cleanUp(turn: Turn, uid: string): void {
  const worker = turn.worker(uid);
  if (!worker) return;
  if (isStaticPod(worker.pod)) removeAtOnce(turn, worker.pod, uid);
  else armContainerGC(turn);
  turn.ctx.cancel(worker.requeueTimer);
  turn.set({ workers: turn.state.workers.delete(uid), ...(isStaticPod(worker.pod) ? { statuses: turn.state.statuses.delete(uid) } : {}) });
  retryResizes(turn);
}

export function onConfig(turn: Turn, message: ConfigTimer): void {
  const pod = turn.state.pods.store.get(message.key) as Pod | undefined;
  const { uid } = message;
  if (syncLoopSleeps(turn)) return holdForSyncLoop(turn, message);
  if (!pod || pod.metadata.uid !== uid || turn.worker(uid)) return;
  admitPod(turn, pod);
}

/** HandlePodAdditions for one Pod. */
export function admitPod(turn: Turn, pod: Pod): void {
  const uid = pod.metadata.uid ?? "";
  turn.set({ workers: turn.state.workers.set(uid, newWorker(pod)) });
  if (!isStaticPod(pod)) turn.explain(`The kubelet's sync loop gets ADD for ${pod.metadata.name ?? ""}`, pod, { level: "basic", why: "Its watch asks for Pods with spec.nodeName of this node: the binding made this one appear" });
  if (isTerminalPhase(pod.status?.phase) || pod.metadata.deletionTimestamp !== undefined) return updatePod(turn, uid, { delay: turn.ctx.latency("kubelet.worker-start", uid) });
  const refusal = canAdmitPod(turn, pod);
  if (refusal) return reject(turn, pod, refusal);
  turn.explain(`The node admits ${pod.metadata.name ?? ""}: resources and node conditions allow it`, pod);
  watchLocalStorage(turn, pod);
  addPodVolumes(turn, uid);
  updatePod(turn, uid, { delay: turn.ctx.latency("kubelet.worker-start", uid) });
}

function reject(turn: Turn, pod: Pod, verdict: NodeVerdict): void {
  turn.event(pod, "Warning", verdict.reason, verdict.message);
  turn.explain(`The node refuses ${pod.metadata.name ?? ""}: ${verdict.reason}`, pod, { level: "basic", why: verdict.message });
  const uid = pod.metadata.uid ?? "";
  turn.update(uid, { phase: "finished" });
  setPodStatus(turn, pod, { ...pod.status, phase: "Failed", reason: verdict.reason, message: `Pod was rejected: ${verdict.message}`, qosClass: pod.status?.qosClass ?? "BestEffort" });
}

