// Models kubernetes/pkg/scheduler/schedule_one.go (runBindingCycle, bind, handleBindingCycleError)
import type { HttpResponse } from "../api/http.ts";
import { type Micros, SECOND } from "../api/time.ts";
import type { KubeObject, Pod, Status } from "../api/types.ts";
import { apiRequest } from "../client-go/api-client.ts";
import type { Ctx } from "../kernel/types.ts";
import { forget, queueContext } from "./cache-events.ts";
import { claimWork, onClaimAnswer, reserveClaims, unreserveClaims, writeClaim, type Writing } from "./claim-binder.ts";
import { defaultProfile, profileFor } from "./config/load.ts";
import type { Decision } from "./decision.ts";
import { recordEvent } from "./events.ts";
import { klog } from "./klog.ts";
import { bindingFor } from "./plugins/default-binder.ts";
import { done, move, type QueuedPod } from "./queue.ts";
import { after, type BindingCycle, client, currentPod, isCancellable, nameOf, podPath, type SchedulerState, subjectOf } from "./scheduler-state.ts";
import { patchStatus } from "./status-patch.ts";
import { assumeVolumes, revertVolumes, volumesBound, writeNext, written } from "./volume-binder.ts";

// How often VolumeBinding looks while it waits.
const VOLUME_POLL: Micros = SECOND;

const bindTimeout = (state: SchedulerState, pod: Pod): Micros => (profileFor(state.queue.config, pod) ?? defaultProfile).args.bindTimeoutSeconds * SECOND;
const replace = (state: SchedulerState, binding: BindingCycle): SchedulerState => ({ ...state, bindings: state.bindings.map((b) => (b.queued.key === binding.queued.key ? binding : b)) });
const drop = (state: SchedulerState, key: string): SchedulerState => ({ ...state, bindings: state.bindings.filter((b) => b.queued.key !== key) });
const bindingOf = (state: SchedulerState, key: string): BindingCycle | undefined => state.bindings.find((b) => b.queued.key === key);

/** The binding cycle begins; the scheduling of the next Pod does not wait for it. */
export function startBinding(state: SchedulerState, queued: QueuedPod, decision: Decision, ctx: Ctx): SchedulerState | BindingFailure {
  const { pod } = queued;
  const { state: assumed, work } = assumeVolumes(reserveClaims(state, decision), pod, decision.node, ctx);
  const claims = claimWork(pod, decision);
  // NominatedNodeNameForExpectation: tells others where the Pod will go while PreBind takes its time.
  if (work || claims) patchStatus(ctx, pod, { nominatedNodeName: decision.node });
  const request = work ? (writeNext(work, ctx) ?? -1) : -1;
  const binding: BindingCycle = { queued, node: decision.node, step: "writing volumes", startedAt: ctx.now, decision, volumes: work, claims, request };
  // From here on a failure is an error, which is tried again whatever happened meanwhile.
  const started = { ...assumed, bindings: [...assumed.bindings, binding], queue: done(assumed.queue, queued.key) };
  return work ? started : volumesDone(started, binding, ctx);
}

const preBindFailed = (state: SchedulerState, binding: BindingCycle, text: string, ctx: Ctx): BindingFailure =>
  rejected(state, binding, `running PreBind plugin "${binding.step === "writing claims" ? "DynamicResources" : "VolumeBinding"}": ${text}`, ctx);

/** VolumeBinding's PreBind is over: the ResourceClaims are next. */
const volumesDone = (state: SchedulerState, binding: BindingCycle, ctx: Ctx): SchedulerState | BindingFailure => claimsWritten(state, { ...binding, step: "writing claims" }, binding.claims && writeClaim(binding.claims, binding.queued.pod, ctx), ctx);

/** On to the next request about a ResourceClaim; after the last to the Binding. */
function claimsWritten(state: SchedulerState, binding: BindingCycle, next: Writing | string | null | undefined, ctx: Ctx): SchedulerState | BindingFailure {
  if (typeof next === "string") return preBindFailed(state, binding, next, ctx);
  if (next) return replace(state, { ...binding, claims: next.work, request: next.request });
  const { key } = binding.queued;
  after(ctx, "scheduler.bind", key, { type: "scheduler.bind", pod: key });
  return replace(state, { ...binding, step: "bind", request: -1 });
}

/** VolumeBinding's PreBind looks once a second whether the claims are bound. */
export function checkVolumes(state: SchedulerState, key: string, ctx: Ctx): SchedulerState | BindingFailure {
  const binding = bindingOf(state, key);
  if (!binding || binding.step !== "waiting for volumes" || !binding.volumes) return state;
  const bound = volumesBound(state, binding.queued.pod, binding.node, binding.volumes);
  if (typeof bound === "string") return preBindFailed(state, binding, `binding volumes: ${bound}`, ctx);
  if (bound) return volumesDone(state, binding, ctx);
  if (ctx.now - binding.startedAt >= bindTimeout(state, binding.queued.pod)) return preBindFailed(state, binding, "binding volumes: context deadline exceeded", ctx);
  ctx.after(VOLUME_POLL, { type: "scheduler.volumes", pod: key });
  return state;
}

/** A Pod of higher priority wants the room of one that PreBind still works for. */
export function cancelBinding(state: SchedulerState, key: string, ctx: Ctx): SchedulerState | BindingFailure {
  const binding = bindingOf(state, key);
  return binding && isCancellable(binding) ? preBindFailed(state, binding, "preempted by DefaultPreemption", ctx) : state;
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

const refusal = (response: HttpResponse | undefined, method: string, path: string): string => (response?.body as Status | undefined)?.message ?? `${method} "https://kube-apiserver:6443${path}": dial tcp: connect: connection refused`;

/** A volume or claim is written: on to the next, then to waiting. */
function onVolumeWritten(state: SchedulerState, binding: BindingCycle, response: HttpResponse | undefined, ctx: Ctx): SchedulerState | BindingFailure {
  const { volumes, queued } = binding;
  if (!volumes) return state;
  if (!response || response.status >= 300) return preBindFailed(state, binding, refusal(response, "Put", "/api/v1"), ctx);
  const work = written(volumes, response.body as KubeObject | undefined);
  const request = writeNext(work, ctx);
  if (request !== undefined) return replace(state, { ...binding, volumes: work, request });
  ctx.after(VOLUME_POLL, { type: "scheduler.volumes", pod: queued.key });
  return replace(state, { ...binding, volumes: work, step: "waiting for volumes", startedAt: ctx.now, request: -1 });
}

function onClaimWritten(state: SchedulerState, binding: BindingCycle, response: HttpResponse | undefined, ctx: Ctx): SchedulerState | BindingFailure {
  if (!binding.claims) return state;
  const answered = onClaimAnswer(state, binding.claims, binding.queued.pod, response, (method, path) => refusal(response, method, path), ctx);
  return claimsWritten(answered.state, { ...binding, claims: answered.work }, answered.next, ctx);
}

/** What became of the request that a binding cycle waits for; undefined if `request` is none of them. A failure is for the caller to handle. */
export function onBindingResponse(state: SchedulerState, request: number, response: HttpResponse | undefined, ctx: Ctx): SchedulerState | BindingFailure | undefined {
  const binding = state.bindings.find((b) => b.request === request);
  if (!binding) return undefined;
  if (binding.step === "writing claims") return onClaimWritten(state, binding, response, ctx);
  if (binding.step !== "bind") return onVolumeWritten(state, binding, response, ctx);
  if (response && response.status < 300) return bound(drop(state, binding.queued.key), binding, ctx);
  return rejected(state, binding, `running Bind plugin "DefaultBinder": ${refusal(response, "Post", `${podPath(binding.queued.pod)}/binding`)}`, ctx);
}

/** handleBindingCycleError: the room is free again, which may help others as if a Pod had been deleted; what was promised is withdrawn. */
function rejected(state: SchedulerState, { queued, node, decision, volumes, claims }: BindingCycle, text: string, ctx: Ctx): BindingFailure {
  const { pod } = queued;
  const undone = unreserveClaims(revertVolumes(forget(drop(state, queued.key), pod), volumes), pod, decision, claims, ctx);
  const freed = { ...pod, spec: { ...pod.spec, nodeName: node } };
  const queue = move(undone.queue, { resource: "AssignedPod", change: "delete", object: freed }, queueContext(undone, ctx.now));
  const failure: Decision = { ...decision, outcome: "error", node: "", message: text, unschedulablePlugins: [], clearsNomination: true };
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
