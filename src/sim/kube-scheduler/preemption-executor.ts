// Models kubernetes/pkg/scheduler/framework/preemption/executor.go
import { rfc3339 } from "../api/time.ts";
import type { Pod } from "../api/types.ts";
import type { HttpResponse } from "../api/http.ts";
import { apiRequest } from "../client-go/api-client.ts";
import type { Ctx } from "../kernel/types.ts";
import type { PreemptionResult } from "./decision.ts";
import { recordEvent } from "./events.ts";
import { podKey, priorityOf } from "./node-info.ts";
import { activate } from "./queue.ts";
import { client, currentPod, type Eviction, nameOf, podPath, type Preemption, schedulerNameOf, type SchedulerState, subjectOf } from "./scheduler-state.ts";
import { getNode } from "./snapshot.ts";

const PATCH = "application/strategic-merge-patch+json";

function evict(ctx: Ctx, preemptor: Pod, victim: Pod): Eviction {
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "PreemptionByScheduler",
    message: `${schedulerNameOf(preemptor)}: preempting to accommodate a higher priority pod`,
    lastProbeTime: null,
    lastTransitionTime: rfc3339(ctx.now),
    ...(victim.metadata.generation === undefined ? {} : { observedGeneration: victim.metadata.generation }),
  };
  const body = { status: { conditions: [condition] } };
  const request = apiRequest(ctx, client, { method: "PATCH", path: `${podPath(victim)}/status`, contentType: PATCH, body, subject: subjectOf(victim) });
  return { victim, step: "condition", request };
}

/** Lower-priority Pods that were promised the same node lose the promise. */
function clearNominations(state: SchedulerState, preemptor: Pod, node: string, ctx: Ctx): SchedulerState {
  const losers = state.snapshot.nominated.filter((p) => p.status?.nominatedNodeName === node && priorityOf(p) < priorityOf(preemptor));
  if (losers.length === 0) return state;
  for (const pod of losers) apiRequest(ctx, client, { method: "PATCH", path: `${podPath(pod)}/status`, contentType: PATCH, body: { status: { nominatedNodeName: null } }, subject: subjectOf(pod) });
  return { ...state, snapshot: { ...state.snapshot, nominated: state.snapshot.nominated.filter((p) => !losers.includes(p)) } };
}

// Simplified: upstream takes a victim that still waits in Permit or PreBind back in memory, without the API server.
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
  const cleared = clearNominations(state, preemptor, result.node, ctx);
  const last = victims.at(-1);
  if (!last) return cleared;
  const first = victims.slice(0, -1).map((victim) => evict(ctx, preemptor, victim));
  const preemption: Preemption = first.length > 0 ? { preemptor, node: result.node, evictions: first, last } : { preemptor, node: result.node, evictions: [evict(ctx, preemptor, last)], last: null };
  return { ...cleared, preemptions: [...cleared.preemptions, preemption] };
}

/** One victim is dealt with: on to the last one, or done. */
function finished(state: SchedulerState, at: number, preemption: Preemption, eviction: Eviction, ctx: Ctx): SchedulerState {
  const evictions = preemption.evictions.filter((e) => e !== eviction);
  if (evictions.length > 0) return { ...state, preemptions: state.preemptions.with(at, { ...preemption, evictions }) };
  if (preemption.last === null) return { ...state, preemptions: state.preemptions.toSpliced(at, 1) };
  return { ...state, preemptions: state.preemptions.with(at, { ...preemption, evictions: [evict(ctx, preemption.preemptor, preemption.last)], last: null }) };
}

/** The answer to a condition PATCH or to a DELETE of a victim; undefined if the message is neither. */
export function onPreemptionResponse(state: SchedulerState, request: number, response: HttpResponse | undefined, ctx: Ctx): SchedulerState | undefined {
  const at = state.preemptions.findIndex((p) => p.evictions.some((e) => e.request === request));
  const preemption = state.preemptions[at];
  const eviction = preemption?.evictions.find((e) => e.request === request);
  if (!preemption || !eviction) return undefined;
  const { victim } = eviction;
  if (response?.status === 404) return finished(state, at, preemption, eviction, ctx);
  // It failed: the preemptor is tried again at once.
  if (!response || response.status >= 400) return { ...state, preemptions: state.preemptions.toSpliced(at, 1), queue: activate(state.queue, podKey(preemption.preemptor)) };
  if (eviction.step === "condition") {
    const again = apiRequest(ctx, client, { method: "DELETE", path: podPath(victim), body: { kind: "DeleteOptions", apiVersion: "v1" }, subject: subjectOf(victim) });
    const evictions = preemption.evictions.map((e): Eviction => (e === eviction ? { victim, step: "delete", request: again } : e));
    return { ...state, preemptions: state.preemptions.with(at, { ...preemption, evictions }) };
  }
  const note = `Preempted by pod ${podKey(preemption.preemptor)} on node ${preemption.node}`;
  const events = recordEvent(ctx, state.events, { pod: currentPod(state, victim) ?? victim, related: preemption.preemptor, type: "Normal", reason: "Preempted", action: "Preempting", note });
  return finished({ ...state, events }, at, preemption, eviction, ctx);
}
