// Models kubernetes/pkg/scheduler/framework/preemption/executor.go
import type { HttpResponse } from "../api/http.ts";
import type { Pod } from "../api/types.ts";
import { apiRequest } from "../client-go/api-client.ts";
import type { Ctx, MailId } from "../kernel/types.ts";
import { queueContext } from "./cache-events.ts";
import type { PreemptionResult } from "./decision.ts";
import { recordEvent } from "./events.ts";
import { podKey, priorityOf } from "./node-info.ts";
import { activate } from "./queue.ts";
import { client, currentPod, type Eviction, isCancellable, nameOf, podPath, type Preemption, type SchedulerMessage, schedulerNameOf, type SchedulerState, subjectOf } from "./scheduler-state.ts";
import { getNode } from "./snapshot.ts";
import { patchStatus } from "./status-patch.ts";

const remove = (ctx: Ctx, victim: Pod): MailId => apiRequest(ctx, client, { method: "DELETE", path: podPath(victim), body: { kind: "DeleteOptions", apiVersion: "v1" }, subject: subjectOf(victim) });

/** A victim whose status says already why it goes is deleted at once. */
function evict(ctx: Ctx, preemptor: Pod, victim: Pod): Eviction {
  const message = `${schedulerNameOf(preemptor)}: preempting to accommodate a higher priority pod`;
  const request = patchStatus(ctx, victim, { condition: { type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler", message } });
  return request === undefined ? { victim, step: "delete", request: remove(ctx, victim) } : { victim, step: "condition", request };
}

/** Lower-priority Pods that were promised the same node lose the promise; the scheduler's own record follows when it sees them changed. */
function clearNominations(state: SchedulerState, preemptor: Pod, node: string, ctx: Ctx): void {
  for (const promised of state.snapshot.nominated) {
    if (promised.status?.nominatedNodeName !== node || priorityOf(promised) >= priorityOf(preemptor)) continue;
    patchStatus(ctx, promised, { nominatedNodeName: "" });
  }
}

const noteOf = (preemptor: Pod, node: string): string => `Preempted by pod ${podKey(preemptor)} on node ${node}`;

function preempted(state: SchedulerState, preemptor: Pod, victim: Pod, note: string, ctx: Ctx): SchedulerState {
  return { ...state, events: recordEvent(ctx, state.events, { pod: victim, related: preemptor, type: "Normal", reason: "Preempted", action: "Preempting", note }) };
}

const inMemory = (state: SchedulerState, victim: Pod): boolean => state.bindings.some((b) => b.queued.key === podKey(victim) && isCancellable(b));

/** A victim whose volumes are still being bound was never bound itself: its binding cycle is stopped, the API server is not asked. */
function cancel(state: SchedulerState, preemptor: Pod, victim: Pod, node: string, ctx: Ctx): SchedulerState {
  ctx.after(0, { type: "scheduler.cancel", pod: podKey(victim) } satisfies SchedulerMessage);
  return preempted(state, preemptor, victim, `${noteOf(preemptor, node)} (in kube-scheduler memory).`, ctx);
}

/** Deals with some victims at once: those in memory are done with, the others are asked to leave. */
function preempt(state: SchedulerState, preemptor: Pod, victims: readonly Pod[], node: string, ctx: Ctx): { readonly state: SchedulerState; readonly evictions: readonly Eviction[] } {
  let next = state;
  const evictions: Eviction[] = [];
  for (const victim of victims) {
    if (inMemory(next, victim)) next = cancel(next, preemptor, victim, node, ctx);
    else evictions.push(evict(ctx, preemptor, victim));
  }
  return { state: next, evictions };
}

/** All victims but the last are gone: the last one's deletion is what wakes the preemptor. */
function preemptLast(state: SchedulerState, preemption: Preemption, ctx: Ctx): SchedulerState {
  const { preemptor, node, last } = preemption;
  const { state: next, evictions } = preempt(state, preemptor, last === null ? [] : [last], node, ctx);
  return evictions.length === 0 ? next : { ...next, preemptions: [...next.preemptions, { preemptor, node, evictions, last: null }] };
}

/** Evicts the chosen Pods: each gets a condition, then is deleted with its own grace period, then an event tells why. */
export function startPreemption(state: SchedulerState, preemptor: Pod, result: PreemptionResult, ctx: Ctx): SchedulerState {
  const onNode = getNode(state.snapshot, result.node)?.pods ?? [];
  const chosen = result.victims.flatMap((v) => onNode.find((p) => p.key === v.uid)?.pod ?? []);
  const victims = chosen.filter((pod) => !pod.metadata.deletionTimestamp);
  ctx.explain({
    text: `kube-scheduler preempts ${victims.length} Pod${victims.length === 1 ? "" : "s"} on ${result.node} for ${nameOf(preemptor)}`,
    why: `of lower priority: ${chosen.map(nameOf).join(", ")}; the Pod is nominated to the node and waits until they are gone`,
    subject: subjectOf(preemptor),
    level: "basic",
  });
  clearNominations(state, preemptor, result.node, ctx);
  const last = victims.at(-1) ?? null;
  if (last === null) return state;
  const { state: begun, evictions } = preempt(state, preemptor, victims.slice(0, -1), result.node, ctx);
  const preemption: Preemption = { preemptor, node: result.node, evictions, last };
  return evictions.length > 0 ? { ...begun, preemptions: [...begun.preemptions, preemption] } : preemptLast(begun, preemption, ctx);
}

/** One victim is dealt with: on to the last one, or done. */
function finished(state: SchedulerState, at: number, preemption: Preemption, eviction: Eviction, ctx: Ctx): SchedulerState {
  const evictions = preemption.evictions.filter((e) => e !== eviction);
  if (evictions.length > 0) return { ...state, preemptions: state.preemptions.with(at, { ...preemption, evictions }) };
  return preemptLast({ ...state, preemptions: state.preemptions.toSpliced(at, 1) }, preemption, ctx);
}

/** The answer to a condition PATCH or to a DELETE of a victim; undefined if the message is neither. */
export function onPreemptionResponse(state: SchedulerState, request: number, response: HttpResponse | undefined, ctx: Ctx): SchedulerState | undefined {
  const at = state.preemptions.findIndex((p) => p.evictions.some((e) => e.request === request));
  const preemption = state.preemptions[at];
  const eviction = preemption?.evictions.find((e) => e.request === request);
  if (!preemption || !eviction) return undefined;
  const { victim } = eviction;
  const { preemptor, node } = preemption;
  if (response?.status === 404) return finished(state, at, preemption, eviction, ctx);
  // It failed: the preemptor is tried again at once.
  if (!response || response.status >= 400) {
    const ended = { ...state, preemptions: state.preemptions.toSpliced(at, 1) };
    return { ...ended, queue: activate(ended.queue, preemptor, queueContext(ended, ctx.now)) };
  }
  if (eviction.step === "condition") {
    const evictions = preemption.evictions.map((e): Eviction => (e === eviction ? { victim, step: "delete", request: remove(ctx, victim) } : e));
    return { ...state, preemptions: state.preemptions.with(at, { ...preemption, evictions }) };
  }
  return finished(preempted(state, preemptor, currentPod(state, victim) ?? victim, noteOf(preemptor, node), ctx), at, preemption, eviction, ctx);
}
