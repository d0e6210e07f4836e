// Models kubernetes/pkg/kubelet/config/{file,common}.go, pod/mirror_client.go, kubelet.go tryReconcileMirrorPods and kubelet_pods.go (orphaned mirror Pods)
import { applyDefaults } from "../api/defaulting/apply-defaults.ts";
import { readStream } from "../api/go-yaml/document-stream.ts";
import { hexId } from "../api/ids.ts";
import { rfc3339 } from "../api/time.ts";
import type { Pod } from "../api/types.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Message, Micros } from "../kernel/types.ts";
import { admitPod } from "./config-loop.ts";
import { updatePod } from "./pod-workers.ts";
import type { Worker } from "./state.ts";
import { statusOfNewMirror } from "./status-manager.ts";
import type { StepResult } from "./step.ts";
import { isMirrorPod, isStaticPod, mirrorOf, MIRROR_ANNOTATION, podPath, podRef, type Turn } from "./turn.ts";

export interface HousekeepingTimer extends Message {
  readonly type: "kubelet.housekeeping";
}

/** housekeepingPeriod */
const HOUSEKEEPING_PERIOD: Micros = 2_000_000;
const HASH_ANNOTATION = "kubernetes.io/config.hash";
const SEEN_ANNOTATION = "kubernetes.io/config.seen";
const SOURCE_ANNOTATION = "kubernetes.io/config.source";

/** The Pod that a file stands for; undefined if it holds none. Simplified: its uid hashes the file's text, upstream's the decoded object. */
function podOfFile(turn: Turn, path: string, text: string): Pod | undefined {
  const value = readStream(text).documents[0]?.value as Pod | null | undefined;
  if (value?.kind !== "Pod" || !value.metadata?.name) return undefined;
  const { node } = turn.config;
  const uid = hexId(turn.config.world.seed, `static/${text}/host:${node.name}file:${path}`, 32);
  const metadata = { ...value.metadata, uid, name: `${value.metadata.name}-${node.name.toLowerCase()}`, namespace: value.metadata.namespace ?? "default", annotations: { ...value.metadata.annotations, [HASH_ANNOTATION]: uid, [SEEN_ANNOTATION]: rfc3339(turn.wall()), [SOURCE_ANNOTATION]: "file" } };
  const tolerations = [...(value.spec.tolerations ?? []), { operator: "Exists", effect: "NoExecute" }];
  return applyDefaults({ ...value, metadata, spec: { ...value.spec, nodeName: node.name, tolerations }, status: { phase: "Pending" } } as Pod);
}

/** inotify on staticPodPath: a manifest was written (an empty text is one that is removed). */
export function onManifestFile(turn: Turn, fault: FaultMessage): void {
  const path = String(fault.params["path"] ?? "");
  const before = turn.state.staticPods.get(path);
  const pod = fault.on ? podOfFile(turn, path, String(fault.params["manifest"] ?? "")) : undefined;
  turn.set({ staticPods: pod === undefined ? turn.state.staticPods.delete(path) : turn.state.staticPods.set(path, pod) });
  if (before && before.metadata.uid !== pod?.metadata.uid) removeStaticPod(turn, before);
  if (pod && before?.metadata.uid !== pod.metadata.uid) addStaticPod(turn, pod);
  else if (fault.on && !pod) turn.explain(`${path} holds no Pod: the kubelet skips it`, undefined, { level: "basic" });
}

function addStaticPod(turn: Turn, pod: Pod): void {
  // One that was removed a moment ago has to end first; housekeeping tries again.
  if (turn.worker(pod.metadata.uid ?? "")) return armHousekeeping(turn);
  turn.explain(`The kubelet finds the static Pod ${pod.metadata.name ?? ""} in its manifest directory`, pod, { level: "basic", why: "It runs without the API server's doing; the API gets a read-only mirror of it" });
  admitPod(turn, pod);
}

function removeStaticPod(turn: Turn, pod: Pod): void {
  const uid = pod.metadata.uid ?? "";
  turn.update(uid, { inConfig: false });
  turn.explain(`The manifest of ${pod.metadata.name ?? ""} is gone: the kubelet ends the static Pod`, pod, { level: "basic" });
  updatePod(turn, uid, { kill: true });
  armHousekeeping(turn);
}

/** After a start of the kubelet: its files are still there. */
export function startStaticPods(turn: Turn): void {
  for (const [, pod] of turn.state.staticPods.sorted()) addStaticPod(turn, pod);
}

/** A mirror Pod came, changed or went: its static Pod is synced, which repairs it. */
export function onMirrorChange(turn: Turn, pod: Pod, type: "add" | "update" | "delete"): void {
  const worker = workerOf(turn, pod);
  if (!worker) return type === "delete" ? undefined : armHousekeeping(turn);
  if (type === "add") statusOfNewMirror(turn, worker.uid);
  updatePod(turn, worker.uid);
}

const workerOf = (turn: Turn, mirror: Pod): Worker | undefined => {
  const key = podRef(mirror);
  return turn.state.workers.values().find((worker) => isStaticPod(worker.pod) && podRef(worker.pod) === key);
};

/** The worker behind a Pod of the API, which for a mirror Pod is its static Pod's. */
export const workerByApiUid = (turn: Turn, uid: string): Worker | undefined => turn.worker(uid) ?? turn.state.workers.values().find((worker) => isStaticPod(worker.pod) && mirrorOf(turn, worker.pod)?.metadata.uid === uid);

/** A step of SyncPod: makes the mirror Pod, or removes one that is being deleted or is another's. */
export function reconcileMirror(turn: Turn, uid: string): StepResult {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!worker || !run) return { error: "", cancelled: true };
  if (!isStaticPod(worker.pod)) return "next";
  const mirror = mirrorOf(turn, worker.pod);
  if (mirror === undefined) {
    createMirror(turn, worker);
    return "wait";
  }
  if (mirror.metadata.deletionTimestamp === undefined && mirror.metadata.annotations?.[MIRROR_ANNOTATION] === worker.uid) return "next";
  turn.explain(`The mirror of ${mirror.metadata.name ?? ""} is no more what it should be: the kubelet replaces it`, mirror, { level: "basic", why: "Deleting a mirror Pod does not touch the static Pod" });
  deleteMirror(turn, mirror, { for: "run", uid, n: run.n });
  return "wait";
}

/** The answer to the deletion or the creation of the mirror. */
export function mirrorReconciled(turn: Turn, uid: string, message: Message): StepResult {
  const worker = turn.worker(uid);
  const deleted = message.type === "http.response" && (message as Message & { body?: { kind?: string; spec?: unknown } }).body?.spec !== undefined && turn.state.mirrorDeleted === uid;
  if (!worker || !deleted) return "next";
  turn.set({ mirrorDeleted: "" });
  createMirror(turn, worker);
  return "wait";
}

function createMirror(turn: Turn, worker: Worker): void {
  const { pod } = worker;
  const node = turn.state.node.store.get(turn.config.node.name);
  const { uid: _, ...metadata } = pod.metadata;
  const body = { ...pod, metadata: { ...metadata, annotations: { ...metadata.annotations, [MIRROR_ANNOTATION]: worker.uid }, ownerReferences: [{ apiVersion: "v1", kind: "Node", name: turn.config.node.name, uid: node?.metadata.uid ?? "", controller: true }] } };
  turn.api({ method: "POST", path: `/api/v1/namespaces/${pod.metadata.namespace ?? "default"}/pods`, body, subject: podRef(pod), level: "basic" }, { for: "run", uid: worker.uid, n: worker.run?.n ?? 0 });
}

function deleteMirror(turn: Turn, mirror: Pod, pending: Parameters<Turn["api"]>[1]): void {
  if (pending.for === "run") turn.set({ mirrorDeleted: pending.uid });
  turn.api({ method: "DELETE", path: podPath(mirror), body: { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0, preconditions: { uid: mirror.metadata.uid } }, subject: podRef(mirror), level: "basic" }, pending);
}

function armHousekeeping(turn: Turn): void {
  if (turn.state.housekeepingAt > turn.now) return;
  const at = turn.nextTick("housekeeping", HOUSEKEEPING_PERIOD, turn.now + 1);
  turn.set({ housekeepingAt: at });
  turn.ctx.after(at - turn.now, { type: "kubelet.housekeeping" } satisfies HousekeepingTimer);
}

/** Mirrors without a static Pod are deleted once nothing of it runs; static Pods that had to wait are added. */
export function onHousekeeping(turn: Turn): void {
  const here = new Set(turn.state.staticPods.values().map(podRef));
  let again = false;
  for (const [, object] of turn.state.pods.store.sorted()) {
    const mirror = object as Pod;
    if (!isMirrorPod(mirror) || here.has(podRef(mirror))) continue;
    const ending = workerOf(turn, mirror);
    if (ending && ending.phase !== "terminated" && ending.phase !== "finished") again = true;
    else deleteMirror(turn, mirror, { for: "remove" });
  }
  for (const [, pod] of turn.state.staticPods.sorted()) {
    if (!turn.worker(pod.metadata.uid ?? "")) admitPod(turn, pod);
    else if (turn.worker(pod.metadata.uid ?? "")?.inConfig === false) again = true;
  }
  if (again) armHousekeeping(turn);
}
