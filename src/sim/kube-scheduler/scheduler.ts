// Models kubernetes/cmd/kube-scheduler/app/server.go and pkg/scheduler/scheduler.go
import type { HttpResponse, WatchSpec } from "../api/http.ts";
import { SECOND } from "../api/time.ts";
import type { KubeObject, Node, Pod } from "../api/types.ts";
import { objectsOf, type World } from "../api/world.ts";
import { API_SERVER } from "../client-go/api-client.ts";
import { emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import type { Component, Ctx, Message, NetErrorMessage, StartMessage } from "../kernel/types.ts";
import { type BindingFailure, cancelBinding, checkVolumes, isFailure, onBindingResponse, postBinding } from "./binding-cycle.ts";
import { onChange, queueContext } from "./cache-events.ts";
import { defaultConfig, profileFor } from "./config/load.ts";
import type { SchedulerConfig } from "./config/types.ts";
import { onSeriesAnswer, SERIES_FINISH, tendSeries } from "./events.ts";
import { listersOf } from "./listers.ts";
import { onPreemptionResponse } from "./preemption-executor.ts";
import { add, emptyQueue, flushBackoff, flushUnschedulable, UNSCHEDULABLE_FLUSH_PERIOD } from "./queue.ts";
import { client, type SchedulerMessage, type SchedulerState } from "./scheduler-state.ts";
import { attempt, fail, stepCycle, wake } from "./scheduling-cycle.ts";
import { emptySnapshot, snapshotOf } from "./snapshot.ts";

const SCHEDULER = "kube-scheduler";

// Pods come first: `currentPod` reads that informer. Resource, kind, collection path.
const RESOURCES: readonly (readonly [string, string, string])[] = [
  ["pods", "Pod", "/api/v1/pods"],
  ["nodes", "Node", "/api/v1/nodes"],
  ["namespaces", "Namespace", "/api/v1/namespaces"],
  ["services", "Service", "/api/v1/services"],
  ["replicationcontrollers", "ReplicationController", "/api/v1/replicationcontrollers"],
  ["replicasets", "ReplicaSet", "/apis/apps/v1/replicasets"],
  ["statefulsets", "StatefulSet", "/apis/apps/v1/statefulsets"],
  ["persistentvolumeclaims", "PersistentVolumeClaim", "/api/v1/persistentvolumeclaims"],
  ["persistentvolumes", "PersistentVolume", "/api/v1/persistentvolumes"],
  ["storageclasses", "StorageClass", "/apis/storage.k8s.io/v1/storageclasses"],
  ["csinodes", "CSINode", "/apis/storage.k8s.io/v1/csinodes"],
  ["csidrivers", "CSIDriver", "/apis/storage.k8s.io/v1/csidrivers"],
  ["csistoragecapacities", "CSIStorageCapacity", "/apis/storage.k8s.io/v1/csistoragecapacities"],
  ["volumeattachments", "VolumeAttachment", "/apis/storage.k8s.io/v1/volumeattachments"],
  ["poddisruptionbudgets", "PodDisruptionBudget", "/apis/policy/v1/poddisruptionbudgets"],
  ["resourceclaims", "ResourceClaim", "/apis/resource.k8s.io/v1/resourceclaims"],
  ["resourceslices", "ResourceSlice", "/apis/resource.k8s.io/v1/resourceslices"],
  ["deviceclasses", "DeviceClass", "/apis/resource.k8s.io/v1/deviceclasses"],
];

/** newPodInformer: finished Pods take no room; one that finishes is seen as deleted. */
const UNFINISHED = "status.phase!=Succeeded,status.phase!=Failed";

/** The scheduler's watches. */
export function schedulerWatches(id = SCHEDULER): WatchSpec[] {
  return RESOURCES.map(([resource, kind, path]) => ({ component: id, resource, path, ...(kind === "Pod" ? { fieldSelector: UNFINISHED } : {}) }));
}

const isFinished = (object: KubeObject): boolean => ["Succeeded", "Failed"].includes((object as Pod).status?.phase ?? "");

const EMPTY: Omit<SchedulerState, "informers" | "queue"> = {
  snapshot: emptySnapshot,
  assumed: [],
  cycle: null,
  bindings: [],
  preemptions: [],
  nextStartNodeIndex: 0,
  cycles: 0,
  batches: {},
  attempts: [],
  events: [],
  awake: false,
  standby: false,
  backoffTick: -1,
  unschedulableTick: -1,
  seriesTick: -1,
};

const waits = (config: SchedulerConfig, pod: Pod): boolean => !pod.spec.nodeName && profileFor(config, pod) !== undefined;

function settled(world: World, id: string, config: SchedulerConfig): SchedulerState {
  const cached = (kind: string): readonly KubeObject[] => (kind === "Pod" ? objectsOf<KubeObject>(world, kind).filter((pod) => !isFinished(pod)) : objectsOf<KubeObject>(world, kind));
  const informers = schedulerWatches(id).map((watch, i) => syncedInformer(watch, cached(RESOURCES[i]?.[1] ?? ""), world.resourceVersion));
  const pods = cached("Pod") as readonly Pod[];
  const listers = listersOf(world.objects);
  const queue = pods.filter((pod) => waits(config, pod)).reduce((q, pod) => add(q, pod, { listers, preempting: [], now: 0 }), emptyQueue(config));
  return { ...EMPTY, informers, queue, snapshot: snapshotOf(objectsOf<Node>(world, "Node"), pods, listers) };
}

/** Sets the timers that upstream's queue runs all the time, only while there is something to look at. */
function armTicks(state: SchedulerState, ctx: Ctx): SchedulerState {
  const { podBackoffQ, podErrorBackoffQ, unschedulablePods } = state.queue;
  let next = state;
  if (next.backoffTick < 0 && podBackoffQ.length + podErrorBackoffQ.length > 0) {
    const at = (Math.floor(ctx.now / SECOND) + 1) * SECOND;
    ctx.after(at - ctx.now, { type: "scheduler.flush-backoff" } satisfies SchedulerMessage);
    next = { ...next, backoffTick: at };
  }
  if (next.unschedulableTick < 0 && unschedulablePods.some((q) => q.gated === "")) {
    const at = (Math.floor(ctx.now / UNSCHEDULABLE_FLUSH_PERIOD) + 1) * UNSCHEDULABLE_FLUSH_PERIOD;
    ctx.after(at - ctx.now, { type: "scheduler.flush-unschedulable" } satisfies SchedulerMessage);
    next = { ...next, unschedulableTick: at };
  }
  if (next.seriesTick < 0 && next.events.length > 0) {
    const at = (Math.floor(ctx.now / SERIES_FINISH) + 1) * SERIES_FINISH;
    ctx.after(at - ctx.now, { type: "scheduler.series" } satisfies SchedulerMessage);
    next = { ...next, seriesTick: at };
  }
  return next;
}

function stepInformers(state: SchedulerState, message: Message, ctx: Ctx): SchedulerState {
  let next = state;
  for (const [i, informer] of state.informers.entries()) {
    const handled = stepInformer(ctx, client, informer, message);
    if (!handled) continue;
    if (handled.informer !== informer) next = { ...next, informers: next.informers.with(i, handled.informer) };
    for (const change of handled.changes) next = onChange(next, change, ctx);
    // A broken connection concerns all informers; anything else is one informer's own.
    if (message.type !== "net.closed") break;
  }
  return wake(next, ctx);
}

/** A failed binding cycle puts its Pod back into the queue. */
const settle = (result: SchedulerState | BindingFailure, ctx: Ctx): SchedulerState => (isFailure(result) ? wake(fail(result.state, result.queued, result.decision, ctx), ctx) : result);

/** The answer, or the failure to get one, to a request of a binding cycle or a preemption. */
function onAnswer(state: SchedulerState, request: number, response: HttpResponse | undefined, ctx: Ctx): SchedulerState | undefined {
  const preempted = onPreemptionResponse(state, request, response, ctx);
  if (preempted) return wake(preempted, ctx);
  const bound = onBindingResponse(state, request, response, ctx);
  if (!bound || isFailure(bound)) return bound && settle(bound, ctx);
  return bound.queue === state.queue ? bound : wake(bound, ctx);
}

/** Requests without an answer fail when the API server's process stops. */
function onClosed(state: SchedulerState, ctx: Ctx): SchedulerState {
  const open = [...state.preemptions.flatMap((p) => p.evictions.map((e) => e.request)), ...state.bindings.map((b) => b.request)].filter((id) => id >= 0);
  return open.reduce((s, id) => onAnswer(s, id, undefined, ctx) ?? s, state);
}

function start(state: SchedulerState, message: StartMessage, ctx: Ctx, id: string): SchedulerState {
  if (!message.cold) return wake(state, ctx);
  ctx.explain({ text: "kube-scheduler starts with empty caches and lists everything it needs", why: "its queue and its cache were in memory; what matters is stored in etcd", status: "listing", level: "basic" });
  const informers: Informer[] = schedulerWatches(id).map((watch) => startInformer(ctx, client, emptyInformer(watch)));
  return { ...EMPTY, standby: state.standby, informers, queue: emptyQueue(state.queue.config) };
}

function dispatch(state: SchedulerState, message: Message, ctx: Ctx, id: string): SchedulerState {
  const own = message as SchedulerMessage | StartMessage;
  switch (own.type) {
    case "start":
      return start(state, own, ctx, id);
    case "scheduler.attempt":
      return attempt(state, ctx);
    case "scheduler.step":
      return stepCycle(state, own.pod, ctx);
    case "scheduler.bind":
      return postBinding(state, own.pod, ctx);
    case "scheduler.volumes":
      return settle(checkVolumes(state, own.pod, ctx), ctx);
    case "scheduler.cancel":
      return settle(cancelBinding(state, own.pod, ctx), ctx);
    case "scheduler.flush-backoff":
      return wake({ ...state, backoffTick: -1, queue: flushBackoff(state.queue, queueContext(state, ctx.now)) }, ctx);
    case "scheduler.flush-unschedulable":
      return wake({ ...state, unschedulableTick: -1, queue: flushUnschedulable(state.queue, queueContext(state, ctx.now)) }, ctx);
    case "scheduler.series":
      return { ...state, seriesTick: -1, events: tendSeries(ctx, state.events) };
    default:
      return external(state, message, ctx);
  }
}

function external(state: SchedulerState, message: Message, ctx: Ctx): SchedulerState {
  if (message.type === "http.response") {
    const response = message as HttpResponse;
    const answered = onAnswer(state, response.request, response, ctx);
    if (answered) return answered;
    if (onSeriesAnswer(ctx, state.events, response.request, response.status)) return state;
  }
  if (message.type === "net.error") {
    const answered = onAnswer(state, (message as NetErrorMessage).hop, undefined, ctx);
    if (answered) return answered;
  }
  return stepInformers(message.type === "net.closed" ? onClosed(state, ctx) : state, message, ctx);
}

/** The machine that the control plane's processes run on. */
function controlPlaneMachine(world: World): string {
  const nodes = objectsOf<Node>(world, "Node");
  const found = nodes.find((n) => n.metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined) ?? nodes[0];
  return found?.metadata.name ?? "control-plane";
}

/** One of several processes of kube-scheduler. */
export interface SchedulerProcess {
  readonly world: World;
  /** "kube-scheduler" when absent. */
  readonly id?: string;
  readonly machine?: string;
  /** kube-scheduler's defaults when absent. */
  readonly config?: SchedulerConfig;
}

/**
 * kube-scheduler: watches for Pods without a node, decides one at a time, and posts a Binding for each. Its state is
 * memory only.
 */
export function createScheduler({ world, id = SCHEDULER, machine = controlPlaneMachine(world), config = defaultConfig }: SchedulerProcess): Component<SchedulerState> {
  return {
    id,
    machine,
    connections: [API_SERVER],
    init: () => settled(world, id, config),
    step(state, message, ctx) {
      const next = dispatch(state, message, ctx, id);
      return next === state ? state : armTicks(next, ctx);
    },
  };
}

/** The leader has changed: the new one goes to work on what its cache holds, one that lost the lease starts anew with nothing. */
export const lead = (state: SchedulerState, ctx: Ctx): SchedulerState => armTicks(wake({ ...state, standby: false }, ctx), ctx);

export const restart = (state: SchedulerState, ctx: Ctx, id: string): SchedulerState => start({ ...state, standby: true }, { type: "start", cold: true }, ctx, id);
