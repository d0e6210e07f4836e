// Models kubernetes/pkg/scheduler/framework/preemption/executor.go
import type { Pod } from "../api/types.ts";
import type { HttpResponse } from "../api/http.ts";
import { apiRequest } from "../client-go/api-client.ts";
import type { Ctx } from "../kernel/types.ts";
import type { PreemptionResult } from "./decision.ts";
import { recordEvent } from "./events.ts";
import { podKey, priorityOf } from "./node-info.ts";
import { client, currentPod, nameOf, podPath, type Preemption, SCHEDULER_NAME, type SchedulerState, subjectOf } from "./scheduler-state.ts";
import { getNode } from "./snapshot.ts";
import { rfc3339 } from "../api/time.ts";

// Simplified: upstream asks all victims but the last at once and keeps the preemptor gated meanwhile.
function ask(ctx: Ctx, preemption: Omit<Preemption, "step" | "request">): Preemption | undefined {
  const [victim] = preemption.victims;
  if (!victim) return undefined;
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "PreemptionByScheduler",
    message: `${SCHEDULER_NAME}: preempting to accommodate a higher priority pod`,
    lastProbeTime: null,
    lastTransitionTime: rfc3339(ctx.now),
    ...(victim.metadata.generation === undefined ? {} : { observedGeneration: victim.metadata.generation }),
  };
  const request = apiRequest(ctx, client, { method: "PATCH", path: `${podPath(victim)}/status`, contentType: "application/strategic-merge-patch+json", body: { status: { conditions: [condition] } }, subject: subjectOf(victim) });
  return { ...preemption, step: "condition", request };
}

/** Lower-priority Pods that were promised the same node lose the promise. */
function clearNominations(state: SchedulerState, preemptor: Pod, node: string, ctx: Ctx): SchedulerState {
  const losers = state.snapshot.nominated.filter((p) => p.status?.nominatedNodeName === node && priorityOf(p) < priorityOf(preemptor));
  if (losers.length === 0) return state;
  for (const pod of losers) apiRequest(ctx, client, { method: "PATCH", path: `${podPath(pod)}/status`, contentType: "application/strategic-merge-patch+json", body: { status: { nominatedNodeName: null } }, subject: subjectOf(pod) });
  return { ...state, snapshot: { ...state.snapshot, nominated: state.snapshot.nominated.filter((p) => !losers.includes(p)) } };
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
  const cleared = clearNominations(state, preemptor, result.node, ctx);
  const preemption = ask(ctx, { preemptor, node: result.node, victims });
  return preemption ? { ...cleared, preemptions: [...cleared.preemptions, preemption] } : cleared;
}

/** The answer to a condition PATCH or to a DELETE of a victim; undefined if the message is neither. */
export function onPreemptionResponse(state: SchedulerState, request: number, response: HttpResponse | undefined, ctx: Ctx): SchedulerState | undefined {
  const at = state.preemptions.findIndex((p) => p.request === request);
  const preemption = state.preemptions[at];
  const victim = preemption?.victims[0];
  if (!preemption || !victim) return undefined;
  const drop = (): SchedulerState => ({ ...state, preemptions: state.preemptions.filter((_, i) => i !== at) });
  const put = (next: Preemption | undefined, base: SchedulerState = state): SchedulerState => (next ? { ...base, preemptions: state.preemptions.with(at, next) } : { ...base, preemptions: state.preemptions.filter((_, i) => i !== at) });
  const rest = { preemptor: preemption.preemptor, node: preemption.node, victims: preemption.victims.slice(1) };
  if (response?.status === 404) return put(ask(ctx, rest));
  // Upstream gives up and tries the Pod again later.
  if (!response || response.status >= 400) return drop();
  if (preemption.step === "condition") {
    const again = apiRequest(ctx, client, { method: "DELETE", path: podPath(victim), body: { kind: "DeleteOptions", apiVersion: "v1" }, subject: subjectOf(victim) });
    return put({ ...preemption, step: "delete", request: again });
  }
  const note = `Preempted by pod ${podKey(preemption.preemptor)} on node ${preemption.node}`;
  const events = recordEvent(ctx, state.events, { pod: currentPod(state, victim) ?? victim, related: preemption.preemptor, type: "Normal", reason: "Preempted", action: "Preempting", note });
  return put(ask(ctx, rest), { ...state, events });
}
