// Models kubernetes/pkg/controller/job/job_controller.go (syncJob, manageJob) as steps between the API server's answers
import { objectKey } from "../../api/http.ts";
import { labelSelectorAsSelector } from "../../api/labels.ts";
import { parseRfc3339 } from "../../api/time.ts";
import type { Condition, Pod } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type Enqueue, isSuccess as answeredWell, messageOf } from "../controller.ts";
import { aggregate, claimAnswered, type Claiming, nextClaim, startClaim } from "../controller-ref.ts";
import { creationsObserved, deletionsObserved, expectCreations, expectDeletions, satisfied } from "../expectations.ts";
import { createPodCall, creationEvents, deletePodCall, deletionEvents, isNamespaceTerminating } from "../pod-control.ts";
import { isPodReady } from "../pods.ts";
import { subjectOf } from "../resources.ts";
import { slowStartBatches } from "../slow-start.ts";
import { NO_BACKOFF } from "./backoff.ts";
import { completion, evaluate, isTracked, type Standing, TRACKING_FINALIZER } from "./evaluate.ts";
import { begin, followed } from "./flush.ts";
import { manage } from "./manage.ts";
import { suspension } from "./suspension.ts";
import { hasBackoffLimitPerIndex, isFinished, isManagedElsewhere, type Job } from "./types.ts";
import { type Counts, type JobMemory, type JobPlan, type JobWork, letGo, type Managing, nameOf, podKey, SYNC_BATCH, withoutBackoff } from "./work.ts";

/** One sync of a Job. */
export function syncJob(key: string, view: View<JobMemory>): JobPlan {
  const { memory } = view;
  const job = view.get<Job>("jobs", key);
  if (!job) return { memory: { backoff: memory.backoff.delete(key), expectations: memory.expectations.delete(key), released: memory.released.delete(key) } };
  if (isManagedElsewhere(job)) return {};
  if (isFinished(job)) return { memory: withoutBackoff(memory, key) };
  const selector = labelSelectorAsSelector(job.spec.selector);
  if (typeof selector === "string") return { error: `couldn't convert Job selector: ${selector}` };
  const owned = view.byIndex<Pod>("podsByOwner", job.metadata.uid ?? "");
  const orphans = view.byIndex<Pod>("podsByOwner", `orphan/${job.metadata.namespace ?? ""}`);
  return claim({ step: "claim", claiming: startClaim(job, selector, owned, orphans, TRACKING_FINALIZER), satisfied: satisfied(memory.expectations, key, view.now) }, key, view);
}

/** Asks for the next Pod that is taken or let go; then the Job is looked at. */
function claim(data: { readonly step: "claim"; readonly claiming: Claiming; readonly satisfied: boolean }, key: string, view: View<JobMemory>): JobPlan {
  const call = nextClaim(data.claiming);
  if (call !== undefined) return { batches: [[call]], next: data };
  const error = aggregate(data.claiming.errors);
  if (error !== undefined) return { error };
  const job = data.claiming.owner as Job;
  const gone = new Set(view.memory.released.get(key));
  return act(key, evaluate(job, (data.claiming.claimed as readonly Pod[]).map((pod) => held(job, pod, gone)), view.memory.backoff.get(key) ?? NO_BACKOFF, view.now), data.satisfied, view);
}

/** A Pod as it is by now, whatever the cache says: adopted ones are held, those that were let go are not. */
function held(job: Job, pod: Pod, gone: ReadonlySet<string>): Pod {
  const { metadata } = pod;
  const adopted = !metadata.ownerReferences?.some((reference) => reference.uid === job.metadata.uid);
  const released = gone.has(metadata.uid ?? "");
  if (isTracked(pod) ? !released : !adopted) return pod;
  const others = (metadata.finalizers ?? []).filter((entry) => entry !== TRACKING_FINALIZER);
  return { ...pod, metadata: { ...metadata, finalizers: released ? others : [...others, TRACKING_FINALIZER] } };
}

/** Ends a Job that is over, else makes or removes Pods. */
function act(key: string, standing: Standing, satisfied: boolean, view: View<JobMemory>): JobPlan {
  const { job, active } = standing;
  const counts: Counts = { active: active.length, ready: standing.ready, terminating: standing.terminating };
  const work: Managing = { step: "create", standing, satisfied, pods: [], batches: [], counts };
  if (standing.finished) {
    if (active.length === 0) return settle(work, satisfied ? standing.finished : undefined, [], view);
    return { ...removal({ ...work, step: "finish-active", pods: active }, `the Job is over: ${standing.finished.reason ?? ""}`), batches: [active.map(deletePodCall)] };
  }
  const again = deadline(key, job, view.now);
  const plan = !satisfied || job.metadata.deletionTimestamp !== undefined ? settle(work, undefined, [], view) : managed(key, work, view);
  return { ...plan, enqueue: [...(plan.enqueue ?? []), ...again] };
}

function managed(key: string, work: Managing, view: View<JobMemory>): JobPlan {
  const { standing } = work;
  const { job } = standing;
  const { remove, create, after, wanted } = manage(standing, view.now);
  const { memory } = view;
  if (remove.length > 0) {
    const expecting = { memory: { ...memory, expectations: expectDeletions(memory.expectations, key, remove.map(podKey), view.now) } };
    // Pods that are too many are not to be counted: they are let go first.
    const next: Managing = { ...work, step: "unfinalize", pods: remove };
    return { ...expecting, ...removal(next, job.spec.suspend ? "the Job is suspended" : "more Pods are active than the Job wants"), batches: [remove.filter(isTracked).map(letGo)] };
  }
  if (create.length === 0) {
    const plan = settle(work, undefined, [], view);
    return after === undefined ? plan : { ...plan, notes: [waiting(standing, after), ...(plan.notes ?? [])], enqueue: [{ key, after: Math.max(after, SYNC_BATCH) }] };
  }
  const note: Note = { text: `job-controller creates ${create.length} Pod${create.length === 1 ? "" : "s"} of Job ${nameOf(job)}`, why: `${standing.succeeded} succeeded, ${standing.active.length} active, ${wanted} wanted`, level: "basic", subject: subjectOf(job) };
  const counts = { ...work.counts, active: work.counts.active + create.length };
  return { ...createBatch({ ...work, pods: create, batches: slowStartBatches(create.length), counts }), notes: [note], memory: { ...memory, expectations: expectCreations(memory.expectations, key, create.length, view.now) } };
}

/** Says how long a replacement is put off. */
function waiting({ job, backoff }: Standing, after: Micros): Note {
  const why = hasBackoffLimitPerIndex(job) ? "each index waits by itself: 10 s after its first failure, twice as long after each further one, at most 10 min" : `${backoff.failures} Pod${backoff.failures === 1 ? " has" : "s have"} failed since the last success: 10 s from the last failure, twice as long with each further one, at most 10 min`;
  return { text: `job-controller waits ${(Math.ceil(after / 100_000) / 10).toFixed(1)} s before it replaces a failed Pod of Job ${nameOf(job)}`, why, level: "basic", status: "backing off", subject: subjectOf(job) };
}

function createBatch(work: Managing): JobPlan {
  const [size = 0] = work.batches;
  return { batches: [work.pods.slice(0, size).map(createPodCall)], next: work };
}

function removal(next: Managing, why: string): JobPlan {
  const { job } = next.standing;
  const count = next.pods.length;
  return { notes: [{ text: `job-controller deletes ${count} Pod${count === 1 ? "" : "s"} of Job ${nameOf(job)}`, why, level: "basic", subject: subjectOf(job) }], next };
}

/** The Job's deadline: look again then. */
function deadline(key: string, job: Job, now: Micros): readonly Enqueue[] {
  const { activeDeadlineSeconds, suspend } = job.spec;
  const started = parseRfc3339(job.status?.startTime ?? "");
  if (activeDeadlineSeconds === undefined || suspend || Number.isNaN(started)) return [];
  return [{ key, after: Math.max(1, started + activeDeadlineSeconds * 1_000_000 - now) }];
}

const isFine = (answer: Answer | undefined): boolean => answer !== undefined && (answeredWell(answer) || answer.status === 404);
const firstError = (answers: readonly Answer[]): string | undefined => {
  const failed = answers.find((answer) => answer.sent && !isFine(answer));
  return failed && messageOf(failed);
};

/** deleteJobPods: what could be let go is deleted; what is gone already counts as removed. */
function onUnfinalized(key: string, work: Managing, answers: readonly Answer[], view: View<JobMemory>): JobPlan {
  let asked = 0;
  const results = work.pods.map((pod) => (isTracked(pod) ? answers[asked++] : undefined));
  const pods = work.pods.filter((_, i) => results[i] === undefined || answeredWell(results[i]));
  const others = work.pods.filter((pod) => !pods.includes(pod));
  const gone = results.filter((answer) => answer !== undefined && answer.status === 404).length;
  const error = firstError(answers);
  const counts = { ...work.counts, active: work.counts.active - gone, terminating: work.counts.terminating + gone };
  const next: Managing = { ...work, step: "remove", pods, counts, ...(error === undefined ? {} : { error }) };
  const memory = { ...view.memory, expectations: deletionsObserved(view.memory.expectations, key, others.map(podKey)) };
  return { batches: [pods.map(deletePodCall)], next, memory };
}

function onDeleted(key: string, work: Managing, answers: readonly Answer[], view: View<JobMemory>): JobPlan {
  const { standing, pods, counts } = work;
  const removed = pods.filter((_, i) => isFine(answers[i])).length;
  const error = work.error ?? firstError(answers);
  const left: Managing = { ...work, counts: { active: counts.active - removed, ready: counts.ready - pods.filter(isPodReady).length, terminating: counts.terminating + removed }, ...(error === undefined ? {} : { error }) };
  // While Pods may be left the Job is not declared finished.
  const verdict = work.step === "finish-active" && removed === pods.length && work.satisfied ? standing.finished : undefined;
  const plan = settle(left, verdict, deletionEvents(standing.job, pods.map(nameOf), answers), view);
  if (work.step === "finish-active") return plan;
  const unseen = pods.filter((_, i) => !answeredWell(answers[i] ?? { status: 0, sent: false })).map(podKey);
  return unseen.length === 0 ? plan : withMemory(plan, (memory) => ({ ...memory, expectations: deletionsObserved(memory.expectations, key, unseen) }), view);
}

const withMemory = (plan: JobPlan, change: (memory: JobMemory) => JobMemory, view: View<JobMemory>): JobPlan => ({ ...plan, memory: change(plan.memory ?? view.memory) });

/** In a namespace that is going every creation fails: that is no error, and the Pod stays counted. */
const isCreated = (answer: Answer): boolean => answeredWell(answer) || isNamespaceTerminating(answer);

function onCreated(key: string, work: Managing, answers: readonly Answer[], view: View<JobMemory>): JobPlan {
  const [size = 0, ...batches] = work.batches;
  const pods = work.pods.slice(size);
  const events = creationEvents(work.standing.job, answers);
  const bad = answers.filter((answer) => answer.sent && !isCreated(answer));
  const [first] = bad;
  if (first === undefined && batches.length > 0) return { ...createBatch({ ...work, pods, batches }), events };
  // After a failure what was not tried yet is left for a later sync.
  const missing = bad.length + (first === undefined ? 0 : pods.length);
  const error = first === undefined ? undefined : messageOf(first);
  const left: Managing = { ...work, counts: { ...work.counts, active: work.counts.active - missing }, ...(error === undefined ? {} : { error }) };
  const plan = settle(left, undefined, events, view);
  return missing === 0 ? plan : withMemory(plan, (memory) => ({ ...memory, expectations: creationsObserved(memory.expectations, key, missing) }), view);
}

/** Success or suspension, then the status that counts what has ended. */
function settle(work: Managing, verdict: Condition | undefined, events: readonly EventToRecord[], view: View<JobMemory>): JobPlan {
  const { standing, counts } = work;
  const manages = work.satisfied && standing.job.metadata.deletionTimestamp === undefined;
  const finished = standing.finished ? verdict : completion(standing, counts.active, view.now);
  const suspended = finished || standing.finished || !manages ? { job: standing.job, events: [] } : suspension(standing.job, view.now);
  const { old } = standing;
  const changed = suspended.job !== standing.job || counts.active !== (old.active ?? 0) || counts.ready !== old.ready || counts.terminating !== old.terminating;
  const plan = begin(objectKey(standing.job), { ...standing, job: suspended.job }, { counts, finished, changed, error: work.error }, view);
  const told = [...events, ...suspended.events];
  return told.length === 0 ? plan : { ...plan, events: [...told, ...(plan.events ?? [])] };
}

/** Goes on with what the server answered. */
export function resumeJob(key: string, work: JobWork, answers: readonly Answer[], view: View<JobMemory>): JobPlan {
  switch (work.step) {
    case "orphan": {
      const error = firstError(answers);
      return error === undefined ? {} : { error };
    }
    case "claim":
      return claim({ ...work, claiming: claimAnswered(work.claiming, answers[0]) }, key, view);
    case "unfinalize":
      return onUnfinalized(key, work, answers, view);
    case "remove":
    case "finish-active":
      return onDeleted(key, work, answers, view);
    case "create":
      return onCreated(key, work, answers, view);
    default:
      return followed(key, work, answers, view);
  }
}
