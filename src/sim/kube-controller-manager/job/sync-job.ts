// Models kubernetes/pkg/controller/job/job_controller.go (syncJob) as steps between the API server's answers
import { objectKey } from "../../api/http.ts";
import { parseRfc3339, rfc3339 } from "../../api/time.ts";
import type { Condition, Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type Enqueue, isSuccess as answeredWell, messageOf, type Plan } from "../controller.ts";
import { claimPlan, createPodCall, creationEvents, deletePodCall, deletionEvents, isNamespaceTerminating } from "../pod-control.ts";
import { isPodReady } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { slowStartBatches } from "../slow-start.ts";
import { type BackoffRecord, NO_BACKOFF } from "./backoff.ts";
import { ensureCondition, newCondition } from "./conditions.ts";
import { completion, evaluate, isTracked, type Standing, TRACKING_FINALIZER } from "./evaluate.ts";
import { manage } from "./manage.ts";
import { countReleased, enactFinished, heldUids, track, type Tracking } from "./track.ts";
import { isFinished, isManagedElsewhere, type Job } from "./types.ts";

/** Changes of Pods are gathered for so long. */
export const SYNC_BATCH: Micros = 1_000_000;

/** The back-off of each Job's failed Pods, by the Job's key. */
export type JobMemory = Readonly<Record<string, BackoffRecord>>;

interface Managing {
  readonly step: "manage";
  readonly standing: Standing;
  /** With a verdict its active Pods go; otherwise Pods are made or removed. */
  readonly what: "finish" | "remove" | "create";
  readonly pods: readonly Pod[];
  readonly patched: number;
}

interface Following {
  readonly step: "flush" | "release" | "finish";
  readonly tracking: Tracking;
  readonly pods: readonly Pod[];
  readonly backoff: BackoffRecord;
  readonly error?: string;
}

export type JobWork = Managing | Following | { readonly step: "orphans" };

type JobPlan = Plan<JobWork, JobMemory>;

const nameOf = (object: { readonly metadata: { readonly name?: string } }): string => object.metadata.name ?? "";

/** A patch that takes the tracking finalizer off a Pod. */
export function releaseCall(pod: Pod): ApiCall {
  // Simplified: upstream sends a strategic merge patch with $deleteFromPrimitiveList.
  const finalizers = (pod.metadata.finalizers ?? []).filter((entry) => entry !== TRACKING_FINALIZER);
  return { method: "PATCH", path: objectPath(pod), contentType: "application/merge-patch+json", body: { metadata: { finalizers: finalizers.length === 0 ? null : finalizers, uid: pod.metadata.uid } }, subject: subjectOf(pod) };
}

function forget(memory: JobMemory, key: string): JobPlan {
  if (memory[key] === undefined) return {};
  const { [key]: _, ...rest } = memory;
  return { memory: rest };
}

/** One sync of a Job that is known and not finished. */
export function syncJob(key: string, view: View<JobMemory>): JobPlan {
  const job = view.get<Job>("jobs", key);
  if (!job || isFinished(job) || isManagedElsewhere(job)) return forget(view.memory, key);
  const claims = claimPlan(job, job.spec.selector, key, view, { finalizer: TRACKING_FINALIZER });
  if (claims) return claims;
  const standing = evaluate(job, view.byIndex<Pod>("podsByOwner", job.metadata.uid ?? ""), view.memory[key] ?? NO_BACKOFF, view.now);
  if (standing.finished) {
    if (standing.active.length === 0) return afterManaging(standing, { active: 0, ready: 0, terminating: standing.terminating }, standing.finished, [], undefined, view);
    return removal(standing, "finish", standing.active, `the Job is over: ${standing.finished.reason ?? ""}`);
  }
  const again = deadline(key, standing.job, view.now);
  if (job.metadata.deletionTimestamp !== undefined) return { ...settle(standing, standing.active.length, view), enqueue: again };
  const plan = managed(key, standing, view);
  return { ...plan, enqueue: [...(plan.enqueue ?? []), ...again] };
}

function managed(key: string, standing: Standing, view: View<JobMemory>): JobPlan {
  const { job } = standing;
  const { remove, create, after, wanted } = manage(standing, view.now);
  if (remove.length > 0) return removal(standing, "remove", remove, job.spec.suspend ? "the Job is suspended" : "more Pods are active than the Job wants");
  if (create.length === 0) {
    const plan = settle(standing, standing.active.length, view);
    if (after === undefined) return plan;
    // Said when it is seen, which is when the status changes, not at every look while it waits.
    const notes = plan.batches === undefined ? [] : [waitNote(standing), ...(plan.notes ?? [])];
    return { ...plan, notes, enqueue: [{ key, after: Math.max(after, SYNC_BATCH) }] };
  }
  let offset = 0;
  const batches = slowStartBatches(create.length).map((size) => create.slice(offset, (offset += size)).map(createPodCall));
  const note: Note = { text: `job-controller creates ${create.length} Pod${create.length === 1 ? "" : "s"} of Job ${nameOf(job)}`, why: `${standing.succeeded} succeeded, ${standing.active.length} active, ${wanted} wanted`, level: "basic", subject: subjectOf(job) };
  return { batches, notes: [note], next: { step: "manage", standing, what: "create", pods: create, patched: 0 } };
}

function waitNote({ job, backoff }: Standing): Note {
  const { failures } = backoff;
  return { text: `job-controller waits with a new Pod for Job ${nameOf(job)}: ${failures} ${failures === 1 ? "has" : "have"} failed in a row`, why: `10 s after the end of the first, twice as long each time; with more than ${job.spec.backoffLimit ?? 6} the Job is given up`, level: "basic", subject: subjectOf(job) };
}

function removal(standing: Standing, what: "finish" | "remove", pods: readonly Pod[], why: string): JobPlan {
  const { job } = standing;
  const note: Note = { text: `job-controller deletes ${pods.length} Pod${pods.length === 1 ? "" : "s"} of Job ${nameOf(job)}`, why, level: "basic", subject: subjectOf(job) };
  // Pods that are too many are not to be counted: they are let go first.
  const patches = what === "remove" ? pods.filter(isTracked).map(releaseCall) : [];
  return { batches: [patches, pods.map(deletePodCall)], notes: [note], next: { step: "manage", standing, what, pods, patched: patches.length } };
}

/** The Job's deadline: look again then. */
function deadline(key: string, job: Job, now: Micros): readonly Enqueue[] {
  const { activeDeadlineSeconds, suspend } = job.spec;
  const started = parseRfc3339(job.status?.startTime ?? "");
  if (activeDeadlineSeconds === undefined || suspend || Number.isNaN(started)) return [];
  return [{ key, after: Math.max(1, started + activeDeadlineSeconds * 1_000_000 - now) }];
}

/** Nothing was made or removed. */
const settle = (standing: Standing, active: number, view: View<JobMemory>): JobPlan => afterManaging(standing, { active, ready: standing.ready, terminating: standing.terminating }, undefined, [], undefined, view);

function onManaged(data: Managing, answers: readonly Answer[], view: View<JobMemory>): JobPlan {
  const { standing, pods } = data;
  const active = standing.active.length;
  if (data.what === "create") {
    const made = answers.filter(answeredWell).length;
    const failed = answers.find((answer) => answer.sent && !answeredWell(answer) && !isNamespaceTerminating(answer));
    const counts = { active: active + made, ready: standing.ready, terminating: standing.terminating };
    return afterManaging(standing, counts, undefined, creationEvents(standing.job, answers), failed && messageOf(failed), view);
  }
  const deletes = answers.slice(data.patched);
  const gone = (answer: Answer | undefined): boolean => answer !== undefined && (answeredWell(answer) || answer.status === 404);
  const removed = pods.filter((_, i) => gone(deletes[i]));
  const failed = answers.find((answer) => answer.sent && !gone(answer));
  const counts = { active: active - removed.length, ready: standing.ready - removed.filter(isPodReady).length, terminating: standing.terminating + removed.length };
  // While Pods may be left the Job is not declared finished.
  const finished = data.what === "finish" && removed.length === active ? standing.finished : undefined;
  return afterManaging(standing, counts, finished, deletionEvents(standing.job, pods.map(nameOf), deletes), failed && messageOf(failed), view);
}

/** Success, suspension, then the status that counts what has ended. */
function afterManaging(standing: Standing, counts: { readonly active: number; readonly ready: number; readonly terminating: number }, verdict: Condition | undefined, events: readonly EventToRecord[], error: string | undefined, view: View<JobMemory>): JobPlan {
  const finished = verdict ?? (standing.finished ? undefined : completion(standing, counts.active, view.now));
  const suspended = finished || standing.finished || standing.job.metadata.deletionTimestamp !== undefined ? { job: standing.job, events: [] } : suspension(standing.job, view.now);
  const old = view.get<Job>("jobs", objectKey(standing.job))?.status ?? {};
  const changed = suspended.job !== standing.job || counts.active !== (old.active ?? 0) || counts.ready !== old.ready || counts.terminating !== old.terminating;
  const tracking = track({ ...standing, job: suspended.job }, counts, finished, changed, view.now);
  const work: Following = { step: "flush", tracking, pods: standing.pods, backoff: standing.backoff, ...(error === undefined ? {} : { error }) };
  const told = [...events, ...suspended.events];
  const plan = tracking.needsFlush ? flush(work) : release(work);
  return told.length === 0 ? plan : { ...plan, events: [...told, ...(plan.events ?? [])] };
}

function suspension(job: Job, now: Micros): { readonly job: Job; readonly events: readonly EventToRecord[] } {
  const conditions = job.status?.conditions ?? [];
  const next = ensureCondition(conditions, job.spec.suspend ? newCondition("Suspended", "True", "JobSuspended", "Job suspended", now) : newCondition("Suspended", "False", "JobResumed", "Job resumed", now));
  if (next === conditions) return { job, events: [] };
  const { startTime: _started, ...status } = job.status ?? {};
  const event: EventToRecord = { object: job, type: "Normal", reason: job.spec.suspend ? "Suspended" : "Resumed", message: job.spec.suspend ? "Job suspended" : "Job resumed" };
  return { job: { ...job, status: { ...status, ...(job.spec.suspend ? {} : { startTime: rfc3339(now) }), conditions: next } }, events: [event] };
}

const statusCall = (job: Job): ApiCall => ({ method: "PUT", path: `${objectPath(job)}/status`, body: job, subject: subjectOf(job) });

function flush(work: Following): JobPlan {
  const { job } = work.tracking;
  const { active = 0, succeeded = 0, failed = 0 } = job.status ?? {};
  const note: Note = { text: `job-controller writes status of ${nameOf(job)}: ${active} active, ${succeeded} succeeded, ${failed} failed`, why: "counts of its Pods changed", subject: subjectOf(job) };
  return { batches: [[statusCall(job)]], notes: [note], next: { ...work, step: "flush" } };
}

function release(work: Following): JobPlan {
  const calls = work.tracking.release.map(releaseCall);
  return calls.length === 0 ? finish(work, []) : { batches: [calls], next: { ...work, step: "release" } };
}

/** Pods that were let go become counts; with the last of them the Job ends. */
function finish(work: Following, released: readonly Pod[]): JobPlan {
  const { tracking } = work;
  const gone = new Set(released.map((pod) => pod.metadata.uid));
  const status = tracking.job.status ?? {};
  const counted = countReleased(status, heldUids(work.pods.filter((pod) => !gone.has(pod.metadata.uid))));
  const job: Job = counted === status ? tracking.job : { ...tracking.job, status: counted };
  const last = work.error === undefined ? enactFinished(job, tracking) : job;
  if (last === tracking.job) return done(work.error);
  return { batches: [[statusCall(last)]], next: { ...work, step: "finish", tracking: { ...tracking, job: last } } };
}

const done = (error: string | undefined): JobPlan => (error === undefined ? {} : { error });

function finishedEvents(job: Job, finished: Condition | undefined): readonly EventToRecord[] {
  if (!finished || !isFinished(job)) return [];
  if (finished.type === "Failed") return [{ object: job, type: "Warning", reason: finished.reason ?? "", message: finished.message ?? "" }];
  const { completions } = job.spec;
  const many: EventToRecord[] = completions !== undefined && (job.status?.succeeded ?? 0) > completions ? [{ object: job, type: "Warning", reason: "TooManySucceededPods", message: "Too many succeeded pods running after completion count reached" }] : [];
  return [...many, { object: job, type: "Normal", reason: "Completed", message: "Job completed" }];
}

/** Goes on with what the server answered. */
export function resumeJob(key: string, work: JobWork, answers: readonly Answer[], view: View<JobMemory>): JobPlan {
  const failed = answers.find((answer) => answer.sent && !answeredWell(answer) && answer.status !== 404);
  switch (work.step) {
    case "orphans":
      return done(failed && messageOf(failed));
    case "manage":
      return onManaged(work, answers, view);
    case "flush": {
      const stored = answers[0];
      if (!stored || !answeredWell(stored)) return stored?.status === 404 ? {} : { error: messageOf(stored ?? { status: 0, sent: false }) };
      const next: Following = { ...work, tracking: { ...work.tracking, job: stored.body as Job } };
      const plan = release(next);
      return work.backoff.failures === 0 ? { ...forget(view.memory, key), ...plan } : { memory: { ...view.memory, [key]: work.backoff }, ...plan };
    }
    case "release": {
      const released = work.tracking.release.filter((_, i) => {
        const answer = answers[i];
        return answer !== undefined && (answeredWell(answer) || answer.status === 404);
      });
      return finish(failed ? { ...work, error: work.error ?? messageOf(failed) } : work, released);
    }
    case "finish": {
      if (failed) return { error: messageOf(failed) };
      const { job, finished } = work.tracking;
      const note: Note[] = isFinished(job) && finished ? [{ text: `job-controller: Job ${nameOf(job)} is ${finished.type === "Complete" ? "complete" : "failed"}`, why: finished.message ?? "", level: "basic", subject: subjectOf(job) }] : [];
      return { ...done(work.error), events: finishedEvents(job, finished), notes: note };
    }
  }
}
