// Models kubernetes/pkg/controller/job/job_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { parseRfc3339, rfc3339 } from "../../api/time.ts";
import type { Condition, KubeObject, LabelSelector, Pod, PodTemplateSpec } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import { byController, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { createPodCall, creationEvents, deletePodCall, deletionEvents, isNamespaceTerminating, podFromTemplate } from "../pod-control.ts";
import { controllerOf, isPodActive, isPodReady, isPodTerminal } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { slowStartBatches } from "../slow-start.ts";
import { remainingBackoff } from "./backoff.ts";
import { formatIndexes, nextIndexes, succeededIndexes } from "./indexed.ts";

const ID = "job-controller";
const RESOURCES = ["jobs", "pods"] as const;
const BURST = 500;

export interface Job extends KubeObject {
  readonly spec: {
    readonly parallelism?: number;
    readonly completions?: number;
    readonly activeDeadlineSeconds?: number;
    readonly backoffLimit?: number;
    readonly selector?: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly ttlSecondsAfterFinished?: number;
    readonly completionMode?: string;
    readonly suspend?: boolean;
    readonly podReplacementPolicy?: string;
  };
  readonly status?: {
    readonly active?: number;
    readonly ready?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly terminating?: number;
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly completedIndexes?: string;
    readonly conditions?: readonly Condition[];
    readonly uncountedTerminatedPods?: Readonly<Record<string, unknown>>;
  };
}

type JobStatus = NonNullable<Job["status"]>;
type SyncData = { readonly step: "create" | "delete"; readonly job: Job; readonly names: readonly string[] } | { readonly step: "status"; readonly events: readonly EventToRecord[]; readonly job: Job };

interface Outcome {
  readonly type: "Complete" | "Failed";
  readonly reason: string;
  readonly message: string;
}

const isTrue = (job: Job, type: string): boolean => job.status?.conditions?.some((entry) => entry.type === type && entry.status === "True") ?? false;
export const isFinished = (job: Job): boolean => isTrue(job, "Complete") || isTrue(job, "Failed");

interface Counts {
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  readonly terminating: number;
}

/**
 * Finished Pods are counted where they stand; the status never counts back when one is removed.
 * Simplified: upstream holds each Pod by the finalizer batch.kubernetes.io/job-tracking until it is counted.
 */
function countPods(job: Job, pods: readonly Pod[]): Counts {
  const ended = (phase: string): number => pods.filter((pod) => pod.status?.phase === phase).length;
  return {
    pods,
    active: pods.filter(isPodActive),
    succeeded: Math.max(job.status?.succeeded ?? 0, ended("Succeeded")),
    failed: Math.max(job.status?.failed ?? 0, ended("Failed")),
    terminating: pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined && !isPodTerminal(pod)).length,
  };
}

function outcomeOf(job: Job, counts: Counts, now: Micros): Outcome | undefined {
  const { completions, backoffLimit, activeDeadlineSeconds } = job.spec;
  if (counts.failed > (backoffLimit ?? 6)) return { type: "Failed", reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" };
  const started = parseRfc3339(job.status?.startTime ?? "");
  if (activeDeadlineSeconds !== undefined && !Number.isNaN(started) && now - started >= activeDeadlineSeconds * 1_000_000) return { type: "Failed", reason: "DeadlineExceeded", message: "Job was active longer than specified deadline" };
  const done = completions === undefined ? counts.succeeded > 0 && counts.active.length === 0 : counts.succeeded >= completions && counts.active.length === 0;
  return done || (completions !== undefined && counts.succeeded >= completions) ? { type: "Complete", reason: "CompletionsReached", message: "Reached expected number of succeeded pods" } : undefined;
}

function sync(key: string, view: View): Plan<SyncData> {
  const job = view.get<Job>("jobs", key);
  if (!job || job.metadata.deletionTimestamp !== undefined) return {};
  if (isFinished(job)) return {};
  const counts = countPods(job, view.byIndex<Pod>("podsByOwner", job.metadata.uid ?? ""));
  const outcome = outcomeOf(job, counts, view.now);
  if (outcome || job.spec.suspend) {
    if (counts.active.length > 0) return remove(job, counts.active, outcome ? `the Job is over: ${outcome.reason}` : "the Job is suspended");
    return writeStatus(job, counts, outcome, view);
  }
  return manage(job, counts, key, view);
}

function manage(job: Job, counts: Counts, key: string, view: View): Plan<SyncData> {
  const parallelism = job.spec.parallelism ?? 1;
  const { completions } = job.spec;
  const wanted = completions === undefined ? (counts.succeeded > 0 ? Math.min(counts.active.length, parallelism) : parallelism) : Math.min(parallelism, completions - counts.succeeded);
  const terminating = job.spec.podReplacementPolicy === "Failed" ? counts.terminating : 0;
  const diff = wanted - counts.active.length - terminating;
  if (diff < 0 && counts.active.length > wanted) return remove(job, counts.active.slice(0, counts.active.length - wanted), "parallelism is lower than the number of active Pods");
  const status = writeStatus(job, counts, undefined, view);
  // The start time is written before the first Pod is made.
  if (diff <= 0 || job.status?.startTime === undefined) return status;
  const wait = backoffOf(counts, view.now);
  if (wait > 0) return { ...status, enqueue: [...(status.enqueue ?? []), { key, after: wait }] };
  const count = Math.min(diff, BURST);
  const template = podFromTemplate(job, job.spec.template);
  const indexes = job.spec.completionMode === "Indexed" ? nextIndexes(counts.pods, completions ?? 0, count) : undefined;
  const pods = indexes ? indexes.map((index) => indexedPod(job, template, index)) : Array.from({ length: count }, () => template);
  if (pods.length === 0) return status;
  const sizes = slowStartBatches(pods.length);
  let offset = 0;
  const batches = sizes.map((size) => pods.slice(offset, (offset += size)).map(createPodCall));
  const note: Note = { text: `job-controller creates ${pods.length} Pod${pods.length === 1 ? "" : "s"} of Job ${job.metadata.name ?? ""}`, why: `${counts.succeeded} succeeded, ${counts.active.length} active, ${wanted} wanted`, level: "basic", subject: subjectOf(job) };
  return { batches, notes: [note], next: { step: "create", job, names: [] } };
}

/** Waits after failures: counted from the last failed Pod's end, doubling from 10 s to 10 min. */
function backoffOf(counts: Counts, now: Micros): Micros {
  const ends = counts.pods.filter((pod) => pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded").map((pod) => ({ failed: pod.status?.phase === "Failed", at: endOf(pod) }));
  const lastSuccess = ends.filter((end) => !end.failed).reduce((max, end) => Math.max(max, end.at), Number.NEGATIVE_INFINITY);
  const failures = ends.filter((end) => end.failed && end.at > lastSuccess);
  if (failures.length === 0) return 0;
  return remainingBackoff(failures.length, now - failures.reduce((max, end) => Math.max(max, end.at), 0));
}

function endOf(pod: Pod): Micros {
  const ends = (pod.status?.containerStatuses ?? []).map((status) => parseRfc3339(status.state?.terminated?.finishedAt ?? "")).filter((at) => !Number.isNaN(at));
  return ends.length > 0 ? Math.max(...ends) : (parseRfc3339(pod.metadata.creationTimestamp ?? "") || 0);
}

function indexedPod(job: Job, template: Pod, index: number): Pod {
  const name = job.metadata.name ?? "";
  const entry = { "batch.kubernetes.io/job-completion-index": String(index) };
  const variable = { name: "JOB_COMPLETION_INDEX", value: String(index) };
  return {
    ...template,
    metadata: { ...template.metadata, generateName: `${name}-${index}-`, labels: { ...template.metadata.labels, ...entry }, annotations: { ...template.metadata.annotations, ...entry } },
    // Simplified: upstream reads the variable from the annotation through the downward API.
    spec: { ...template.spec, hostname: `${name}-${index}`, containers: template.spec.containers.map((container) => ({ ...container, env: [...(container.env ?? []), variable] })) },
  };
}

function remove(job: Job, pods: readonly Pod[], why: string): Plan<SyncData> {
  const note: Note = { text: `job-controller deletes ${pods.length} Pods of Job ${job.metadata.name ?? ""}`, why, level: "basic", subject: subjectOf(job) };
  return { batches: [pods.map(deletePodCall)], notes: [note], next: { step: "delete", job, names: pods.map((pod) => pod.metadata.name ?? "") } };
}

function conditionsAfter(job: Job, counts: Counts, outcome: Outcome | undefined, now: Micros): readonly Condition[] {
  const list = job.status?.conditions ?? [];
  const condition = (type: string, status: string, reason: string, message: string): Condition => ({ type, status, lastProbeTime: rfc3339(now), lastTransitionTime: rfc3339(now), reason, message });
  const has = (type: string): boolean => list.some((entry) => entry.type === type && entry.status === "True");
  const result = [...list];
  if (outcome) {
    const early = outcome.type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
    if (!has(early)) result.push(condition(early, "True", outcome.reason, outcome.message));
    // The terminal condition waits until no Pod is terminating.
    if (counts.terminating === 0 && counts.active.length === 0) result.push(condition(outcome.type, "True", outcome.reason, outcome.message));
    return result;
  }
  const suspended = result.findIndex((entry) => entry.type === "Suspended");
  if (job.spec.suspend && !has("Suspended")) return [...result.filter((_, i) => i !== suspended), condition("Suspended", "True", "JobSuspended", "Job suspended")];
  if (!job.spec.suspend && has("Suspended")) return result.with(suspended, condition("Suspended", "False", "JobResumed", "Job resumed"));
  return list;
}

function writeStatus(job: Job, counts: Counts, outcome: Outcome | undefined, view: View): Plan<SyncData> {
  const old = job.status ?? {};
  const conditions = conditionsAfter(job, counts, outcome, view.now);
  const ended = conditions.some((entry) => entry.type === "Complete" && entry.status === "True");
  const startTime = old.startTime ?? (job.spec.suspend ? undefined : rfc3339(view.now));
  const completed = job.spec.completionMode === "Indexed" ? formatIndexes(succeededIndexes(counts.pods)) : "";
  const count = (key: "active" | "succeeded" | "failed", value: number): Partial<JobStatus> => (value === 0 ? {} : { [key]: value });
  const status: JobStatus = {
    ...(conditions.length === 0 ? {} : { conditions }),
    ...(startTime === undefined ? {} : { startTime }),
    ...(ended ? { completionTime: old.completionTime ?? rfc3339(view.now) } : {}),
    ...count("active", counts.active.length),
    ...count("succeeded", counts.succeeded),
    ...count("failed", counts.failed),
    ...(completed === "" ? {} : { completedIndexes: completed }),
    terminating: counts.terminating,
    ready: counts.active.filter(isPodReady).length,
    uncountedTerminatedPods: {},
  };
  const fields = ["active", "succeeded", "failed", "terminating", "ready"] as const;
  const key = objectKey(job);
  const deadline = job.spec.activeDeadlineSeconds;
  const again = deadline !== undefined && startTime !== undefined && !outcome ? { enqueue: [{ key, after: Math.max(0, parseRfc3339(startTime) + deadline * 1_000_000 - view.now) + 1 }] } : {};
  if (conditions === old.conditions || (conditions.length === 0 && old.conditions === undefined)) if (fields.every((field) => (old[field] ?? 0) === (status[field] ?? 0)) && old.startTime === startTime && (old.completedIndexes ?? "") === completed) return old.startTime === undefined ? again : {};
  const events: EventToRecord[] = [];
  const added = conditions.filter((entry) => !old.conditions?.includes(entry));
  for (const entry of added) {
    if (entry.type === "Complete") events.push({ object: job, type: "Normal", reason: "Completed", message: "Job completed" });
    if (entry.type === "Failed") events.push({ object: job, type: "Warning", reason: entry.reason ?? "", message: entry.message ?? "" });
    if (entry.type === "Suspended") events.push({ object: job, type: "Normal", reason: entry.status === "True" ? "Suspended" : "Resumed", message: entry.message ?? "" });
  }
  return { ...(old.startTime === undefined ? again : {}), batches: [[{ method: "PUT", path: `${objectPath(job)}/status`, body: { ...job, status }, subject: subjectOf(job) }]], next: { step: "status", events, job } };
}

function resume(_key: string, data: SyncData, answers: readonly Answer[]): Plan<SyncData> {
  const failed = answers.find((answer) => answer.sent && !isSuccess(answer) && answer.status !== 404);
  if (data.step === "status") return failed ? { error: messageOf(failed) } : { events: data.events };
  const events = data.step === "create" ? creationEvents(data.job, answers) : deletionEvents(data.job, data.names, answers);
  return failed && !isNamespaceTerminating(failed) ? { events, error: messageOf(failed) } : { events };
}

/** Runs Pods to completion, again after failures, until enough have succeeded. */
export const createJobController = (config: ControllerConfig): Component<ControllerState<SyncData>> =>
  createController<SyncData, unknown>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      indexers: { podsByOwner: byController("pods") },
      workers: 5,
      retryBase: 1_000_000,
      retryMax: 60_000_000,
      latency: "controller.sync",
      memory: undefined,
      handle(change, resource) {
        if (resource === "jobs") return change.type === "delete" ? {} : { keys: [{ key: objectKey(change.object) }] };
        const owner = controllerOf(change.object);
        return owner?.kind === "Job" ? { keys: [{ key: `${change.object.metadata.namespace ?? ""}/${owner.name}` }] } : {};
      },
      sync,
      resume,
    },
    config,
  );

export const jobWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
