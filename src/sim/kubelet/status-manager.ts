// Models kubernetes/pkg/kubelet/status/status_manager.go
import type { HttpResponse } from "../api/http.ts";
import { rfc3339 } from "../api/time.ts";
import type { ContainerStatus, Pod, PodStatus } from "../api/types.ts";
import type { Message } from "../kernel/types.ts";
import { condition, containersReady, podReady } from "./conditions.ts";
import { deepEqual } from "./deep-equal.ts";
import { isTerminalPhase } from "./pod-status.ts";
import type { StatusEntry } from "./state.ts";
import { mergePodStatus, statusPatch, withTransitionTimes } from "./status-patch.ts";
import { isMirrorPod, isStaticPod, mirrorOf, podPath, podRef, type Turn } from "./turn.ts";

/** The status manager's next move is due. */
export interface StatusTimer extends Message {
  readonly type: "kubelet.status";
}

/** The full pass of syncBatch: what failed is tried again. */
const BATCH_PERIOD = 10_000_000;

/** Takes a new status; it is written to the API server if it differs from the last one. */
export function setPodStatus(turn: Turn, pod: Pod, status: PodStatus, options: { readonly force?: boolean; readonly finished?: boolean } = {}): void {
  const uid = pod.metadata.uid ?? "";
  const entry = turn.state.statuses.get(uid);
  const next = withTransitionTimes(status, entry?.status ?? pod.status, rfc3339(turn.wall()));
  if (entry && !options.force && deepEqual(entry.status, next)) return;
  const updated: StatusEntry = { status: next, version: (entry?.version ?? 0) + 1, sent: entry?.sent ?? 0, finished: (entry?.finished ?? false) || (options.finished ?? false), heldBack: entry?.heldBack ?? false };
  turn.set({ statuses: turn.state.statuses.set(uid, updated) });
  enqueue(turn, uid);
}

function enqueue(turn: Turn, uid: string): void {
  if (!turn.state.statusQueue.includes(uid)) turn.set({ statusQueue: [...turn.state.statusQueue, uid] });
  if (turn.state.statusSync === undefined) next(turn, "kubelet.status-get");
}

/** The worker says that nothing of the Pod runs any more: a terminal phase held back may be written now. */
export function releaseHeldBack(turn: Turn, uid: string): void {
  const entry = turn.state.statuses.get(uid);
  if (!entry?.heldBack) return;
  turn.set({ statuses: turn.state.statuses.set(uid, { ...entry, version: entry.version + 1 }) });
  enqueue(turn, uid);
}

function next(turn: Turn, segment: string): void {
  const [uid] = turn.state.statusQueue;
  const entry = uid === undefined ? undefined : turn.state.statuses.get(uid);
  if (uid === undefined) return;
  turn.set({ statusQueue: turn.state.statusQueue.slice(1) });
  if (!entry || entry.sent >= entry.version || !canBeWritten(turn, uid)) return next(turn, segment);
  turn.set({ statusSync: { uid, version: entry.version, step: "delay", request: -1, status: entry.status } });
  turn.ctx.after(turn.ctx.latency(segment, `${uid} ${turn.now}`), { type: "kubelet.status" } satisfies StatusTimer);
}

/** A static Pod's status goes to its mirror: without one there is nothing to write to. */
function canBeWritten(turn: Turn, uid: string): boolean {
  const pod = turn.worker(uid)?.pod;
  return pod === undefined || !isStaticPod(pod) || mirrorOf(turn, pod) !== undefined;
}

function done(turn: Turn): void {
  turn.set({ statusSync: undefined });
  next(turn, "kubelet.status-get");
}

export function onStatusTimer(turn: Turn): void {
  const sync = turn.state.statusSync;
  const worker = sync && turn.worker(sync.uid);
  if (!sync) return next(turn, "kubelet.status-get");
  if (!worker) return done(turn);
  if (sync.step === "delay") {
    const request = turn.api({ method: "GET", path: podPath(worker.pod), subject: podRef(worker.pod) }, { for: "status" });
    turn.set({ statusSync: { ...sync, step: "GET", request } });
    return;
  }
  if (sync.step === "merge" && sync.pod) patch(turn, sync.pod);
}

function patch(turn: Turn, current: Pod): void {
  const sync = turn.state.statusSync;
  const entry = sync && turn.state.statuses.get(sync.uid);
  if (!sync || !entry) return done(turn);
  const phase = turn.worker(sync.uid)?.phase;
  const { status, heldBack } = mergePodStatus(current.status, sync.status, phase === "syncing" || phase === "terminating");
  turn.set({ statuses: turn.state.statuses.set(sync.uid, { ...entry, heldBack }) });
  const body = statusPatch(current, current.status, status);
  if (body === undefined) return written(turn, current);
  turn.explain(`The kubelet writes the status of ${current.metadata.name ?? ""}: ${summary(status)}`, current, { level: "basic", why: "Each change of a status is sent at once: GET, then PATCH of the status subresource" });
  const request = turn.api({ method: "PATCH", path: `${podPath(current)}/status`, contentType: "application/strategic-merge-patch+json", body, subject: podRef(current), level: "basic" }, { for: "status" });
  turn.set({ statusSync: { ...sync, step: "PATCH", request } });
}

function summary(status: PodStatus): string {
  const ready = status.conditions?.find((entry) => entry.type === "Ready")?.status === "True";
  const sandbox = status.conditions?.find((entry) => entry.type === "PodReadyToStartContainers")?.status === "True";
  return `phase ${status.phase ?? "Pending"}, ${ready ? "ready" : sandbox ? "not ready" : "no sandbox"}`;
}

export function onStatusResponse(turn: Turn, response: HttpResponse): void {
  const sync = turn.state.statusSync;
  if (!sync || response.request !== sync.request) return;
  const pod = response.body as Pod;
  if (sync.step === "GET") {
    if (response.status === 404 || (response.status === 200 && pod.metadata.uid !== sync.uid && !isMirrorPod(pod))) return forget(turn, sync.uid);
    if (response.status !== 200) return retryLater(turn, sync.uid);
    turn.set({ statusSync: { ...sync, step: "merge", pod, request: -1 } });
    turn.ctx.after(turn.ctx.latency("kubelet.status-patch", `${sync.uid} ${turn.now}`), { type: "kubelet.status" } satisfies StatusTimer);
    return;
  }
  if (sync.step === "PATCH") {
    if (response.status === 404) return forget(turn, sync.uid);
    if (response.status !== 200) return retryLater(turn, sync.uid);
    return written(turn, pod);
  }
  if (sync.step === "DELETE") forget(turn, sync.uid);
}

/** A mirror Pod that has just been made has no status yet: the next full pass writes it. */
export function statusOfNewMirror(turn: Turn, uid: string): void {
  const entry = turn.state.statuses.get(uid);
  if (entry) turn.set({ statuses: turn.state.statuses.set(uid, { ...entry, sent: 0 }) });
  const at = turn.nextTick("statusBatch", BATCH_PERIOD, turn.now + 1);
  turn.ctx.after(at - turn.now, { type: "kubelet.statusBatch" });
}

export function onStatusBatch(turn: Turn): void {
  for (const [uid, entry] of turn.state.statuses.sorted()) if (entry.sent < entry.version) enqueue(turn, uid);
}

/** The API server cannot be reached: the next full pass tries again. */
export function onStatusError(turn: Turn): void {
  const sync = turn.state.statusSync;
  if (sync) retryLater(turn, sync.uid);
}

function retryLater(turn: Turn, uid: string): void {
  turn.set({ statusQueue: [...turn.state.statusQueue.filter((other) => other !== uid), uid] });
  turn.set({ statusSync: undefined });
  turn.ctx.after(BATCH_PERIOD, { type: "kubelet.status" } satisfies StatusTimer);
}

function forget(turn: Turn, uid: string): void {
  const entry = turn.state.statuses.get(uid);
  if (entry) turn.set({ statuses: turn.state.statuses.set(uid, { ...entry, sent: entry.version }) });
  done(turn);
}

function written(turn: Turn, pod: Pod): void {
  const sync = turn.state.statusSync;
  const entry = sync && turn.state.statuses.get(sync.uid);
  if (!sync || !entry) return done(turn);
  turn.set({ statuses: turn.state.statuses.set(sync.uid, { ...entry, sent: sync.version }) });
  if (pod.metadata.deletionTimestamp === undefined || isMirrorPod(pod) || !isTerminalPhase(pod.status?.phase) || !entry.finished) {
    if (entry.version > sync.version && !turn.state.statusQueue.includes(sync.uid)) turn.set({ statusQueue: [...turn.state.statusQueue, sync.uid] });
    return done(turn);
  }
  turn.explain(`The kubelet deletes ${pod.metadata.name ?? ""} for good: grace 0, with its uid as precondition`, pod, { level: "basic", why: "Only when nothing of the Pod is left on the node may its object vanish" });
  const request = turn.api({ method: "DELETE", path: podPath(pod), body: { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } }, subject: podRef(pod), level: "basic" }, { for: "status" });
  turn.set({ statusSync: { ...sync, step: "DELETE", request } });
}

function changeContainer(turn: Turn, pod: Pod, containerId: string, change: Partial<ContainerStatus>): void {
  const uid = pod.metadata.uid ?? "";
  const entry = turn.state.statuses.get(uid);
  if (!entry) return;
  const edit = (statuses: readonly ContainerStatus[] | undefined): readonly ContainerStatus[] | undefined => statuses?.map((status) => (status.containerID === `containerd://${containerId}` ? { ...status, ...change } : status));
  const containerStatuses = edit(entry.status.containerStatuses) ?? [];
  const init = edit(entry.status.initContainerStatuses);
  const all = [...(init ?? []), ...containerStatuses];
  const phase = entry.status.phase ?? "Pending";
  const conditions = (entry.status.conditions ?? []).map((existing) => {
    if (existing.type === "Ready") return condition(pod, "Ready", podReady(pod, entry.status.conditions ?? [], all, phase));
    return existing.type === "ContainersReady" ? condition(pod, "ContainersReady", containersReady(pod, all, phase)) : existing;
  });
  setPodStatus(turn, pod, { ...entry.status, conditions: change.ready === undefined ? (entry.status.conditions ?? []) : conditions, containerStatuses, ...(init === undefined ? {} : { initContainerStatuses: init }) });
}

export const setContainerReadiness = (turn: Turn, pod: Pod, containerId: string, ready: boolean): void => changeContainer(turn, pod, containerId, { ready });
export const setContainerStartup = (turn: Turn, pod: Pod, containerId: string, started: boolean): void => changeContainer(turn, pod, containerId, { started });

/** Nothing of the Pod is left on the node: its status is final, and it may be deleted. */
export function terminatePod(turn: Turn, pod: Pod): void {
  const status = turn.state.statuses.get(pod.metadata.uid ?? "")?.status ?? pod.status ?? {};
  const lost = { terminated: { exitCode: 137, reason: "ContainerStatusUnknown", message: "The container could not be located when the pod was terminated" } };
  const initialized = (pod.spec.initContainers?.length ?? 0) === 0 || (status.containerStatuses ?? []).some((entry) => entry.lastState?.terminated || !entry.state?.waiting);
  const containerStatuses = (status.containerStatuses ?? []).map((entry) => (entry.state?.terminated || !initialized ? entry : { ...entry, state: lost }));
  const phase = isTerminalPhase(status.phase) ? status.phase : "Failed";
  setPodStatus(turn, pod, { ...status, ...(phase === undefined ? {} : { phase }), containerStatuses }, { force: true, finished: true });
}
