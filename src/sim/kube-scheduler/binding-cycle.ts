// Models kubernetes/pkg/scheduler/schedule_one.go (runBindingCycle, bind, handleBindingCycleError)
import type { HttpResponse } from "../api/http.ts";
import { type Micros, SECOND } from "../api/time.ts";
import type { Pod, Status } from "../api/types.ts";
import { apiRequest } from "../client-go/api-client.ts";
import type { Ctx } from "../kernel/types.ts";
import { forget } from "./cache-events.ts";
import { defaultProfile, profileFor } from "./config/load.ts";
import type { Decision } from "./decision.ts";
import { recordEvent } from "./events.ts";
import { klog } from "./klog.ts";
import { bindingFor } from "./plugins/default-binder.ts";
import { done, move, type QueuedPod } from "./queue.ts";
import { after, type BindingCycle, client, currentPod, nameOf, podPath, preempting, type SchedulerState, subjectOf } from "./scheduler-state.ts";
import { bindVolumes, volumesBound } from "./volume-binder.ts";

// How often VolumeBinding looks while it waits.
const VOLUME_POLL: Micros = SECOND;

const bindTimeout = (state: SchedulerState, pod: Pod): Micros => (profileFor(state.queue.config, pod) ?? defaultProfile).args.bindTimeoutSeconds * SECOND;
const replace = (state: SchedulerState, binding: BindingCycle): SchedulerState => ({ ...state, bindings: state.bindings.map((b) => (b.queued.key === binding.queued.key ? binding : b)) });
const drop = (state: SchedulerState, key: string): SchedulerState => ({ ...state, bindings: state.bindings.filter((b) => b.queued.key !== key) });
const bindingOf = (state: SchedulerState, key: string): BindingCycle | undefined => state.bindings.find((b) => b.queued.key === key);

/** NominatedNodeNameForExpectation: tells others where the Pod will go while PreBind takes its time. */
function nominate(pod: Pod, node: string, ctx: Ctx): void {
  if (pod.status?.nominatedNodeName === node) return;
  apiRequest(ctx, client, { method: "PATCH", path: `${podPath(pod)}/status`, contentType: "application/strategic-merge-patch+json", body: { status: { nominatedNodeName: node } }, subject: subjectOf(pod) });
}

/** The binding cycle begins; the scheduling of the next Pod does not wait for it. */
export function startBinding(state: SchedulerState, queued: QueuedPod, decision: Decision, ctx: Ctx): SchedulerState {
  const { pod } = queued;
  const waits = bindVolumes(state, pod, decision.node, ctx);
  const binding: BindingCycle = { queued, node: decision.node, step: waits ? "waiting for volumes" : "bind", startedAt: ctx.now, decision, request: -1 };
  if (waits) {
    nominate(pod, decision.node, ctx);
    ctx.after(VOLUME_POLL, { type: "scheduler.volumes", pod: queued.key });
  } else after(ctx, "scheduler.bind", queued.key, { type: "scheduler.bind", pod: queued.key });
  // From here on a failure is an error, which is tried again whatever happened meanwhile.
  return { ...state, bindings: [...state.bindings, binding], queue: done(state.queue, queued.key) };
}

/** VolumeBinding's PreBind looks once a second whether the claims are bound. */
export function checkVolumes(state: SchedulerState, key: string, ctx: Ctx): SchedulerState | BindingFailure {
  const binding = bindingOf(state, key);
  if (!binding || binding.step !== "waiting for volumes") return state;
  if (!currentPod(state, binding.queued.pod)) return drop(forget({ ...state, queue: done(state.queue, key) }, binding.queued.pod), key);
  if (volumesBound(state, binding.queued.pod)) {
    after(ctx, "scheduler.bind", key, { type: "scheduler.bind", pod: key });
    return replace(state, { ...binding, step: "bind" });
  }
  if (ctx.now - binding.startedAt >= bindTimeout(state, binding.queued.pod)) return rejected(state, binding, 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded', ctx);
  ctx.after(VOLUME_POLL, { type: "scheduler.volumes", pod: key });
  return state;
}

/** Posts the Binding: the scheduler's whole output. */
export function postBinding(state: SchedulerState, key: string, ctx: Ctx): SchedulerState {
  const binding = bindingOf(state, key);
  if (!binding || binding.step !== "bind" || binding.request !== -1) return state;
  const { pod } = binding.queued;
  ctx.explain({
    text: `kube-scheduler posts a Binding of ${nameOf(pod)} to ${binding.node}`,
    why: "it writes through the API server, never to etcd or to the node",
    subject: subjectOf(pod),
    level: "basic",
  });
  const request = apiRequest(ctx, client, { method: "POST", path: `${podPath(pod)}/binding`, body: bindingFor(pod, binding.node), subject: `binding/${nameOf(pod)}`, level: "basic" });
  return replace(state, { ...binding, request });
}

export interface BindingFailure {
  readonly state: SchedulerState;
  readonly queued: QueuedPod;
  readonly decision: Decision;
}

export const isFailure = (result: SchedulerState | BindingFailure): result is BindingFailure => "decision" in result;

/** What became of the Binding that mail `request` carried; undefined if it carried none. A failure is for the caller to handle. */
export function onBindingResponse(state: SchedulerState, request: number, response: HttpResponse | undefined, ctx: Ctx): SchedulerState | BindingFailure | undefined {
  const binding = state.bindings.find((b) => b.request === request);
  if (!binding) return undefined;
  const { queued } = binding;
  if (response && response.status < 300) {
    const rest = drop(state, queued.key);
    return bound({ ...rest, queue: done(rest.queue, queued.key) }, binding, ctx);
  }
  const status = response?.body as Status | undefined;
  const text = status?.message ?? `Post "https://kube-apiserver:6443${podPath(queued.pod)}/binding": dial tcp: connect: connection refused`;
  return rejected(state, binding, `running Bind plugin "DefaultBinder": ${text}`, ctx);
}

/** handleBindingCycleError: the room is free again, which may help others as if a Pod had been deleted. */
function rejected(state: SchedulerState, { queued, node, decision }: BindingCycle, text: string, ctx: Ctx): BindingFailure {
  const { pod } = queued;
  const undone = forget(drop(state, queued.key), pod);
  const freed = { ...pod, spec: { ...pod.spec, nodeName: node } };
  const queue = move(undone.queue, { resource: "AssignedPod", change: "delete", object: freed }, undone.snapshot.listers, ctx.now, preempting(undone));
  const failure: Decision = { ...decision, outcome: "error", node: "", message: `binding rejected: ${text}`, unschedulablePlugins: [] };
  return { state: { ...undone, queue }, queued, decision: failure };
}

function bound(state: SchedulerState, { queued, node, decision }: BindingCycle, ctx: Ctx): SchedulerState {
  const pod = currentPod(state, queued.pod) ?? queued.pod;
  const evaluated = decision.feasible.length + decision.rejected.length;
  ctx.explain({
    text: `kube-scheduler has ${nameOf(pod)} bound to ${node}`,
    why: "the API server set spec.nodeName; the kubelet there sees the Pod through its own watch",
    subject: subjectOf(pod),
  });
  klog(ctx, "schedule_one.go:481", `"Successfully bound pod to node" pod="${nameOf(pod)}" node="${node}" evaluatedNodes=${evaluated} feasibleNodes=${decision.feasible.length}`, subjectOf(pod));
  return { ...state, events: recordEvent(ctx, state.events, { pod, type: "Normal", reason: "Scheduled", action: "Binding", note: decision.message }) };
}
