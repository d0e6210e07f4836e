// Models kubernetes/pkg/kubelet/allocation/allocation_manager.go, kuberuntime_manager.go (computePodResizeAction, doPodResizeAction) and events/resize.go
import type { Condition, Container, Node, Pod, ResourceRequirements } from "../api/types.ts";
import { milliValue, value } from "../api/quantity.ts";
import { rfc3339 } from "../api/time.ts";
import type { CriResponse, RuntimePod } from "../cri/messages.ts";
import type { Message, Micros } from "../kernel/types.ts";
import { roomFor } from "./admission.ts";
import { makePodCgroup } from "./cgroups.ts";
import { containerResources } from "./cm.ts";
import { condition } from "./conditions.ts";
import { deepEqual } from "./deep-equal.ts";
import { findContainer } from "./restart-rules.ts";
import type { StepResult } from "./step.ts";
import { podRef, RUNTIME_DOWN, type Turn } from "./turn.ts";

/** Where an in-place resize of a Pod stands. */
export interface Resize {
  /** What the API server says, while the node cannot give it. */
  readonly desired?: Pod;
  readonly pending?: Condition;
  readonly inProgress?: Condition;
  /** Resources of running containers that are not yet what was allocated, by name: as they are now. */
  readonly actuated: Readonly<Record<string, ResourceRequirements>>;
}

export interface ResizeTimer extends Message {
  readonly type: "kubelet.retryResizes";
}

/** What waits for room is looked at again after this time, and whenever a Pod ends. */
const RETRY_DELAY: Micros = 180_000_000;
export const NO_RESIZE: Resize = { actuated: {} };

const all = (pod: Pod): readonly Container[] => [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
const resourcesOf = (pod: Pod, name: string): ResourceRequirements => all(pod).find((container) => container.name === name)?.resources ?? {};

/** The Pod with the resources that the node has allocated to it. */
export function updatePodFromAllocation(desired: Pod, allocated: Pod): Pod {
  if (!resourcesChanged(desired, allocated)) return desired;
  const back = (container: Container): Container => ({ ...container, resources: resourcesOf(allocated, container.name) });
  return { ...desired, spec: { ...desired.spec, containers: desired.spec.containers.map(back), ...(desired.spec.initContainers === undefined ? {} : { initContainers: desired.spec.initContainers.map(back) }) } };
}

export const resourcesChanged = (a: Pod, b: Pod): boolean => a.spec !== b.spec && all(a).some(({ name, resources = {} }) => !deepEqual(resources, resourcesOf(b, name)));

/** {"containers":[{"name":...,"resources":{...}}],"generation":2} */
function summary(pod: Pod, generation: number, error: string): string {
  const list = (containers: readonly Container[]): unknown => containers.map(({ name, resources = {} }) => ({ name, resources: { ...(resources.limits === undefined ? {} : { limits: sorted(resources.limits) }), ...(resources.requests === undefined ? {} : { requests: sorted(resources.requests) }) } }));
  const inits = pod.spec.initContainers ?? [];
  return JSON.stringify({ ...(inits.length === 0 ? {} : { initContainers: list(inits) }), containers: list(pod.spec.containers), generation, ...(error === "" ? {} : { error }) });
}

const sorted = (resources: Readonly<Record<string, unknown>>): unknown => Object.fromEntries(Object.entries(resources).sort(([a], [b]) => (a < b ? -1 : 1)));

function put(turn: Turn, uid: string, change: Partial<Resize>): void {
  const resize = turn.worker(uid)?.resize ?? NO_RESIZE;
  turn.update(uid, { resize: { ...resize, ...change } });
}

/** The API server's Pod asks for other resources: allocates them if the node has room, else keeps it in mind. */
export function handleResize(turn: Turn, uid: string, desired: Pod): void {
  const worker = turn.worker(uid);
  if (!worker) return;
  const generation = desired.metadata.generation ?? 0;
  const refusal = roomFor(turn, desired);
  if (refusal === undefined) return allocate(turn, uid, desired, generation);
  const before = worker.resize?.pending;
  const pending: Condition = { ...condition(desired, "PodResizePending", { status: "True", reason: "Deferred", message: refusal.message }), lastTransitionTime: before?.lastTransitionTime ?? rfc3339(turn.wall()) };
  put(turn, uid, { desired, pending });
  if (before?.observedGeneration === generation) return;
  turn.event(desired, "Warning", "ResizeDeferred", `Pod resize Deferred: ${summary(desired, generation, refusal.message)}`);
  turn.explain(`The node has no room for the new resources of ${desired.metadata.name ?? ""}: the resize is deferred`, desired, { level: "basic", why: refusal.message });
  turn.ctx.after(RETRY_DELAY, { type: "kubelet.retryResizes" } satisfies ResizeTimer);
  turn.engine.updatePod(turn, uid);
}

function allocate(turn: Turn, uid: string, desired: Pod, generation: number): void {
  const worker = turn.worker(uid);
  if (!worker) return;
  const { actuated, pending: _, desired: __ } = worker.resize ?? NO_RESIZE;
  const behind: Record<string, ResourceRequirements> = { ...actuated };
  for (const { name, resources = {} } of all(desired)) {
    const now = actuated[name] ?? resourcesOf(worker.pod, name);
    if (deepEqual(now, resources)) delete behind[name];
    else behind[name] = now;
  }
  const inProgress: Condition = { ...condition(desired, "PodResizeInProgress", { status: "True" }), lastTransitionTime: rfc3339(turn.wall()) };
  turn.update(uid, { pod: desired, resize: { actuated: behind, inProgress } });
  turn.event(desired, "Normal", "ResizeStarted", `Pod resize started: ${summary(desired, generation, "")}`);
  turn.explain(`The node gives ${desired.metadata.name ?? ""} its new resources; the next sync writes them into the cgroups`, desired, { level: "basic" });
  turn.engine.updatePod(turn, uid);
}

/** A resize that was taken back before the node had room for it. */
export function revertResize(turn: Turn, uid: string): void {
  const resize = turn.worker(uid)?.resize;
  if (resize?.pending) turn.update(uid, { resize: { actuated: resize.actuated, ...(resize.inProgress === undefined ? {} : { inProgress: resize.inProgress }) } });
}

export function retryResizes(turn: Turn): void {
  for (const [uid, worker] of turn.state.workers.sorted()) if (worker.resize?.desired) handleResize(turn, uid, worker.resize.desired);
}

const running = (runtime: RuntimePod | undefined, name: string): boolean => findContainer(runtime, name)?.state === "running";
const behindIn = (resize: Resize | undefined, runtime: RuntimePod | undefined): readonly string[] => (resize === undefined ? [] : Object.keys(resize.actuated).filter((name) => running(runtime, name)));

/** At the top of a sync: all is written and seen, so the resize is over. */
export function completeResize(turn: Turn, uid: string, runtime: RuntimePod | undefined): void {
  const worker = turn.worker(uid);
  const { resize } = worker ?? {};
  if (!worker || !resize?.inProgress || behindIn(resize, runtime).length > 0) return;
  const generation = resize.inProgress.observedGeneration ?? 0;
  const { inProgress: _, ...rest } = resize;
  turn.update(uid, { resize: { ...rest, actuated: {} } });
  turn.event(worker.pod, "Normal", "ResizeCompleted", `Pod resize completed: ${summary(worker.pod, generation, "")}`);
  turn.explain(`The resize of ${worker.pod.metadata.name ?? ""} is complete`, worker.pod, { level: "basic" });
}

export const resizeConditions = (resize: Resize | undefined): readonly Condition[] => (resize === undefined ? [] : [resize.pending, resize.inProgress].filter((entry) => entry !== undefined));

const changedIn = (a: ResourceRequirements, b: ResourceRequirements, resource: string): boolean => (["requests", "limits"] as const).some((kind) => milliValue(a[kind]?.[resource]) !== milliValue(b[kind]?.[resource]) || value(a[kind]?.[resource]) !== value(b[kind]?.[resource]));

/** A container that is made anew has the allocated resources from its start. */
export function startsWithAllocated(turn: Turn, uid: string, name: string): void {
  const resize = turn.worker(uid)?.resize;
  if (resize?.actuated[name] === undefined) return;
  const { [name]: _, ...actuated } = resize.actuated;
  put(turn, uid, { actuated });
}

/** Running containers whose resizePolicy asks for a restart. */
export function mustRestart(pod: Pod, resize: Resize | undefined, name: string): boolean {
  const now = resize?.actuated[name];
  const container = all(pod).find((candidate) => candidate.name === name);
  if (now === undefined || !container) return false;
  return ["cpu", "memory"].some((resource) => changedIn(now, container.resources ?? {}, resource) && container.resizePolicy?.some((policy) => policy.resourceName === resource && policy.restartPolicy === "RestartContainer") === true);
}

/** A step of SyncPod: memory before CPU, the Pod's cgroup around its containers'. */
export function resizeContainers(turn: Turn, uid: string): StepResult {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!worker || !run) return { error: "", cancelled: true };
  const started = new Set(run.toStart.map(({ container }) => container));
  const [name] = behindIn(worker.resize, run.runtime).filter((candidate) => !started.has(candidate));
  const container = all(worker.pod).find((candidate) => candidate.name === name);
  const status = name === undefined ? undefined : findContainer(run.runtime, name);
  if (!container || !status) return "next";
  makePodCgroup(turn, worker.pod);
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  const resources = containerResources(worker.pod, container, value(node?.status?.capacity?.["memory"]) || 8_000_000_000);
  turn.explain(`The kubelet writes the new limits of ${container.name} into its cgroup`, worker.pod, { level: "basic", why: "The process goes on: nothing is restarted" });
  turn.cri({ call: "UpdateContainerResources", containerId: status.id, resources }, { for: "run", uid, n: run.n }, podRef(worker.pod), "basic");
  return "wait";
}

export function containerResized(turn: Turn, uid: string, message: Message): StepResult {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!worker || !run) return { error: "", cancelled: true };
  const error = message.type === "net.error" ? RUNTIME_DOWN() : (message as CriResponse).error;
  if (error !== undefined) {
    const generation = worker.resize?.inProgress?.observedGeneration ?? 0;
    turn.event(worker.pod, "Warning", "ResizeError", `Pod resize error: ${summary(worker.pod, generation, error)}`);
    return { error };
  }
  const started = new Set(run.toStart.map(({ container }) => container));
  const [name = "", ...rest] = behindIn(worker.resize, run.runtime).filter((candidate) => !started.has(candidate));
  const { [name]: _, ...actuated } = worker.resize?.actuated ?? {};
  put(turn, uid, { actuated });
  turn.run(uid, { results: [...run.results, { action: "ResizePodInPlace", target: name }] });
  return rest.length === 0 ? "next" : resizeContainers(turn, uid);
}
