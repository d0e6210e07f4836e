// Models kubernetes/pkg/scheduler/schedule_one.go (scheduleOnePod, schedulingCycle, handleSchedulingFailure)
import type { Pod } from "../api/types.ts";
import type { Ctx } from "../kernel/types.ts";
import { isFailure, startBinding } from "./binding-cycle.ts";
import { queueContext, withNominated } from "./cache-events.ts";
import { type Batching, nextBatch, signatureOf } from "./batch.ts";
import { deallocateClaim } from "./claim-binder.ts";
import { defaultProfile, profileFor } from "./config/load.ts";
import type { Decision } from "./decision.ts";
import { recordEvent } from "./events.ts";
import { klog } from "./klog.ts";
import { podKey } from "./node-info.ts";
import { startPreemption } from "./preemption-executor.ts";
import { addUnschedulable, done, pop, type QueuedPod } from "./queue.ts";
import { schedulePod } from "./schedule-pod.ts";
import { type ActiveCycle, after, currentPod, nameOf, remember, type SchedulerState, statusLine, subjectOf } from "./scheduler-state.ts";
import { setPod } from "./snapshot.ts";
import { patchStatus } from "./status-patch.ts";

/** Starts an attempt if a Pod waits and none is being scheduled. */
export function wake(state: SchedulerState, ctx: Ctx, segment: "scheduler.saw-to-attempt" | "scheduler.next-attempt" = "scheduler.saw-to-attempt"): SchedulerState {
  if (state.awake || state.standby || state.cycle || (state.queue.activeQ.length === 0 && state.queue.podBackoffQ.length === 0)) return state;
  // A cache that is not filled yet would reject Pods for nodes it does not know.
  if (state.informers.some((informer) => informer.resourceVersion === "")) return state;
  after(ctx, segment, "attempt", { type: "scheduler.attempt" });
  return { ...state, awake: true };
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** The first step: take the next Pod and decide on the cache as it is now. Its result is shown step by step. */
export function attempt(state: SchedulerState, ctx: Ctx): SchedulerState {
  const popped = pop(state.queue);
  const idle = { ...state, awake: false };
  if (!popped || state.cycle) return idle;
  const queued = popped.next;
  const { pod } = queued;
  // skipPodSchedule: one that is going, or that is on its way to a node already.
  if (state.assumed.some((p) => podKey(p) === queued.key)) return wake({ ...idle, cycles: state.cycles + 1, queue: done(popped.queue, queued.key) }, ctx, "scheduler.next-attempt");
  if (pod.metadata.deletionTimestamp) return wake(skipDeleted({ ...idle, cycles: state.cycles + 1, queue: done(popped.queue, queued.key) }, pod, ctx), ctx, "scheduler.next-attempt");
  const profile = profileFor(state.queue.config, pod) ?? defaultProfile;
  const count = state.cycles + 1;
  const batching: Batching = { batch: state.batches[profile.schedulerName], signature: signatureOf(pod, profile), count, now: ctx.now };
  const decision = schedulePod(state.snapshot, pod, profile, state.nextStartNodeIndex, ctx.rand(`preemption-offset/${queued.key}`, queued.attempts), batching);
  const batches = batching.signature === undefined && batching.batch === undefined ? state.batches : { ...state.batches, [profile.schedulerName]: nextBatch(batching, decision) };
  ctx.explain({
    text: `kube-scheduler takes ${nameOf(pod)} from activeQ: attempt ${queued.attempts}`,
    why: "one Pod at a time: the highest priority first, then who waits longest",
    status: `scheduling ${nameOf(pod)}`,
    subject: subjectOf(pod),
  });
  klog(ctx, "schedule_one.go:123", `"Attempting to schedule pod" pod="${nameOf(pod)}"`, subjectOf(pod));
  after(ctx, "scheduler.filter", queued.key, { type: "scheduler.step", pod: queued.key });
  return { ...idle, cycles: count, batches, queue: popped.queue, cycle: { queued, step: "filter", startedAt: ctx.now, decision }, nextStartNodeIndex: decision.nextStartNodeIndex };
}

function skipDeleted(state: SchedulerState, pod: Pod, ctx: Ctx): SchedulerState {
  const note = `skip schedule deleting pod: ${nameOf(pod)}`;
  return { ...state, events: recordEvent(ctx, state.events, { pod, type: "Warning", reason: "FailedScheduling", action: "Scheduling", note }) };
}

function explainFilter(ctx: Ctx, { queued, decision }: ActiveCycle): void {
  const out = decision.numNodes - decision.feasible.length;
  const plugins = [...new Set(decision.rejected.map((r) => r.plugin))];
  ctx.explain({
    text: `kube-scheduler filters ${count(decision.numNodes, "node")} for ${nameOf(queued.pod)}: ${out} out, ${decision.feasible.length} left`,
    why: plugins.length > 0 ? `rejected by ${plugins.join(", ")}` : out === 0 ? "every filter plugin lets every node pass" : decision.message,
    subject: subjectOf(queued.pod),
    level: "basic",
    kind: "decision",
    data: decision,
  });
}

function explainScore(ctx: Ctx, { queued, decision }: ActiveCycle): void {
  const best = decision.totals.find((t) => t.node === decision.node);
  const plugins = decision.scores.filter((s) => !s.skipped).map((s) => s.plugin);
  ctx.explain({
    text: best
      ? `kube-scheduler scores ${count(decision.totals.length, "node")} for ${nameOf(queued.pod)}: ${decision.node} wins with ${best.total} points`
      : `kube-scheduler takes ${decision.node} for ${nameOf(queued.pod)}: the only node that fits needs no score`,
    why: decision.ties.length > 1 ? `${decision.ties.length} nodes share the best total; the first in the heap wins` : best ? `the sum of weight times score of ${plugins.join(", ")}` : "scoring only compares",
    subject: subjectOf(queued.pod),
    level: "basic",
    kind: "decision",
    data: decision,
  });
}

/** The next step of the cycle: filter, score, reserve; or the failure. */
export function stepCycle(state: SchedulerState, key: string, ctx: Ctx): SchedulerState {
  const { cycle } = state;
  if (!cycle || cycle.queued.key !== key) return state;
  const { decision } = cycle;
  if (cycle.step === "filter") {
    explainFilter(ctx, cycle);
    if (decision.outcome !== "scheduled") return wake(fail({ ...state, cycle: null, attempts: attemptsWith(state, cycle) }, cycle.queued, decision, ctx), ctx, "scheduler.next-attempt");
    after(ctx, "scheduler.score", key, { type: "scheduler.step", pod: key });
    return { ...state, cycle: { ...cycle, step: "score" } };
  }
  if (cycle.step === "score") {
    explainScore(ctx, cycle);
    after(ctx, "scheduler.reserve", key, { type: "scheduler.step", pod: key });
    return { ...state, cycle: { ...cycle, step: "reserve" } };
  }
  return wake(reserve({ ...state, cycle: null, attempts: attemptsWith(state, cycle) }, cycle, ctx), ctx, "scheduler.next-attempt");
}

const attemptsWith = (state: SchedulerState, { queued, startedAt, decision }: ActiveCycle) => remember(state.attempts, { at: startedAt, attempt: queued.attempts, decision });

/** Assume: the Pod counts on its node from here on, before anyone else knows. */
function reserve(state: SchedulerState, { queued, decision }: ActiveCycle, ctx: Ctx): SchedulerState {
  // One that was deleted meanwhile is assumed all the same: its Binding will fail.
  const pod = currentPod(state, queued.pod) ?? queued.pod;
  if (pod.spec.nodeName) return fail(state, queued, { ...decision, outcome: "error", node: "", message: `pod ${queued.key}(${nameOf(pod)}) is in the cache, so can't be assumed`, unschedulablePlugins: [], clearsNomination: true }, ctx);
  const assumed: Pod = { ...pod, spec: { ...pod.spec, nodeName: decision.node } };
  ctx.explain({
    text: `kube-scheduler assumes ${nameOf(pod)} on ${decision.node}`,
    why: "the next Pod must see these resources as taken, though nothing is written yet",
    subject: subjectOf(pod),
    status: statusLine(state),
  });
  const snapshot = { ...setPod(state.snapshot, assumed), nominated: state.snapshot.nominated.filter((p) => podKey(p) !== queued.key) };
  const started = startBinding({ ...state, snapshot, assumed: [...state.assumed, assumed] }, { ...queued, pod }, decision, ctx);
  return isFailure(started) ? fail(started.state, started.queued, started.decision, ctx) : started;
}

/** What the scheduler has decided about the Pod's promised node; undefined to leave it as it is. */
const nominationOf = ({ clearsNomination, preemption }: Decision): string | undefined => (clearsNomination ? "" : preemption?.node);

/** handleSchedulingFailure: back into the queue, an event, the PodScheduled condition, and perhaps a preemption. */
export function fail(state: SchedulerState, queued: QueuedPod, decision: Decision, ctx: Ctx): SchedulerState {
  const cached = state.informers[0]?.store.get(nameOf(queued.pod)) as Pod | undefined;
  const waits = cached !== undefined && !cached.spec.nodeName;
  // Another Pod of that name: there is nothing to say about it.
  if (waits && podKey(cached) !== queued.key) return { ...state, queue: done(state.queue, queued.key) };
  const pod = waits ? cached : queued.pod;
  const nomination = nominationOf(decision);
  const error = decision.outcome === "error";
  const context = queueContext(state, ctx.now);
  const busy = decision.preemption ? { ...context, preempting: [...context.preempting, queued.key] } : context;
  const queue = waits ? addUnschedulable(state.queue, queued, pod, decision.unschedulablePlugins, busy) : done(state.queue, queued.key);
  ctx.explain({
    text: error ? `kube-scheduler could not place ${nameOf(pod)}: an error` : `kube-scheduler finds no node for ${nameOf(pod)}`,
    why: decision.message,
    subject: subjectOf(pod),
    level: "basic",
    kind: "decision",
    data: decision,
    status: statusLine({ ...state, queue }),
  });
  klog(ctx, "schedule_one.go:1239", error ? `"Error scheduling pod; retrying" err="${decision.message}" pod="${nameOf(pod)}"` : `"Unable to schedule pod; no fit; waiting" pod="${nameOf(pod)}" err="${decision.message}"`, subjectOf(pod));
  const events = recordEvent(ctx, state.events, { pod, type: "Warning", reason: "FailedScheduling", action: "Scheduling", note: decision.message });
  const condition = { type: "PodScheduled", status: "False", reason: error ? "SchedulerError" : "Unschedulable", message: decision.message };
  patchStatus(ctx, pod, { condition, ...(nomination === undefined ? {} : { nominatedNodeName: nomination }) });
  const next = { ...state, queue, events };
  if (decision.deallocates) deallocateClaim(decision.deallocates, ctx);
  const told = withNominated(next, pod, waits ? nomination : "");
  return decision.preemption ? startPreemption(told, pod, decision.preemption, ctx) : told;
}
