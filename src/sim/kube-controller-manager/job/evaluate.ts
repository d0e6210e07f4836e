// Models kubernetes/pkg/controller/job/job_controller.go (syncJob): where a Job stands, and whether that ends it
import { parseRfc3339, rfc3339 } from "../../api/time.ts";
import type { Condition, Pod } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { isPodActive, isPodReady, isPodTerminal } from "../pods.ts";
import { type BackoffRecord, finishedTime, newBackoffRecord } from "./backoff.ts";
import { newCondition, trueCondition } from "./conditions.ts";
import { absoluteFailures, indexesOf, isIndexFailed, validIndex } from "./indexed.ts";
import { hasIndex, type Intervals, intervalsOf, mergeIntervals, parseIntervals, totalOf } from "./intervals.ts";
import { failJobMessage, isPodFailed, matchPodFailurePolicy } from "./pod-failure-policy.ts";
import { matchSuccessPolicy } from "./success-policy.ts";
import { hasBackoffLimitPerIndex, isIndexed, type Job, type JobStatus } from "./types.ts";

/** Holds a Pod until the Job's status has counted it. */
export const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";

export const isTracked = (pod: Pod): boolean => pod.metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;

/** What a sync found. Plain data. */
export interface Standing {
  /** With the status as it will be written. */
  readonly job: Job;
  /** The status as it was read. */
  readonly old: JobStatus;
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly backoff: BackoffRecord;
  /** The condition that ends the Job: SuccessCriteriaMet, FailureTarget, or what follows them. */
  readonly finished?: Condition;
  readonly previousIndexes: Intervals;
  readonly succeededIndexes: Intervals;
  readonly failedIndexes?: Intervals;
  /** Failed Pods whose finalizer stays until their index has its next Pod, by index. */
  readonly delayed: readonly Pod[];
}

/** Ended Pods that no status knows of yet. */
function newFinished(job: Job, pods: readonly Pod[]): { readonly succeeded: readonly Pod[]; readonly failed: readonly Pod[] } {
  const uncounted = job.status?.uncountedTerminatedPods ?? {};
  const valid = pods.filter((pod) => isTracked(pod) && (!isIndexed(job) || validIndex(pod, job) !== undefined));
  return {
    succeeded: valid.filter((pod) => pod.status?.phase === "Succeeded" && !uncounted.succeeded?.includes(pod.metadata.uid ?? "")),
    failed: valid.filter((pod) => isPodFailed(pod, job) && !uncounted.failed?.includes(pod.metadata.uid ?? "")),
  };
}

/** Containers that were restarted in place count as failures too. */
function pastBackoffLimitOnFailure(job: Job, pods: readonly Pod[]): boolean {
  if (job.spec.template.spec?.restartPolicy !== "OnFailure") return false;
  const restarts = pods
    .filter((pod) => pod.status?.phase === "Running" || pod.status?.phase === "Pending")
    .flatMap((pod) => [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])])
    .reduce((sum, status) => sum + status.restartCount, 0);
  const limit = job.spec.backoffLimit ?? 6;
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function isPastDeadline(job: Job, now: Micros): boolean {
  const { activeDeadlineSeconds, suspend } = job.spec;
  const started = parseRfc3339(job.status?.startTime ?? "");
  return activeDeadlineSeconds !== undefined && !suspend && !Number.isNaN(started) && now - started >= activeDeadlineSeconds * 1_000_000;
}

function earlierVerdict(job: Job, pods: readonly Pod[], now: Micros): Condition | undefined {
  const success = trueCondition(job.status?.conditions, "SuccessCriteriaMet");
  if (success) return success;
  const target = trueCondition(job.status?.conditions, "FailureTarget");
  if (target) return newCondition("Failed", "True", target.reason ?? "", target.message ?? "", now);
  const message = failJobMessage(job, pods);
  return message === undefined ? undefined : newCondition("FailureTarget", "True", "PodFailurePolicy", message, now);
}

function failure(job: Job, pods: readonly Pod[], failed: number, now: Micros): Condition | undefined {
  const fail = (reason: string, message: string): Condition => newCondition("FailureTarget", "True", reason, message, now);
  if (failed > (job.spec.backoffLimit ?? 6) || pastBackoffLimitOnFailure(job, pods)) return fail("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  return isPastDeadline(job, now) ? fail("DeadlineExceeded", "Job was active longer than specified deadline") : undefined;
}

function indexFailure(job: Job, failed: number, succeeded: number, now: Micros): Condition | undefined {
  const fail = (reason: string, message: string): Condition => newCondition("FailureTarget", "True", reason, message, now);
  if (job.spec.maxFailedIndexes !== undefined && failed > job.spec.maxFailedIndexes) return fail("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes");
  return failed > 0 && failed + succeeded >= (job.spec.completions ?? 0) ? fail("FailedIndexes", "Job has failed indexes") : undefined;
}

/** The last failed Pod of each index that has no new Pod yet and may get one. */
function delayedPods(job: Job, pods: readonly Pod[], active: readonly Pod[], done: Intervals): readonly Pod[] {
  const running = new Set(indexesOf(active));
  const last = new Map<number, Pod>();
  for (const pod of pods) {
    const index = validIndex(pod, job);
    if (index === undefined || !isTracked(pod) || !isPodFailed(pod, job) || hasIndex(done, index) || running.has(index)) continue;
    const known = last.get(index);
    if (!known || (absoluteFailures(known) <= absoluteFailures(pod) && finishedTime(pod) >= finishedTime(known))) last.set(index, pod);
  }
  return [...last.values()];
}

/** Counts the Pods of a Job and decides whether it has ended. `known` is the back-off remembered of it. */
export function evaluate(job: Job, pods: readonly Pod[], known: BackoffRecord, now: Micros): Standing {
  const active = pods.filter(isPodActive);
  const fresh = newFinished(job, pods);
  const uncounted = job.status?.uncountedTerminatedPods ?? {};
  const counted = fresh.failed.filter((pod) => matchPodFailurePolicy(job.spec.podFailurePolicy, pod).counts).length;
  const failed = (job.status?.failed ?? 0) + counted + (uncounted.failed?.length ?? 0);
  const startTime = job.status?.startTime ?? (job.spec.suspend ? undefined : rfc3339(now));
  const started: Job = { ...job, status: { ...job.status, ...(startTime === undefined ? {} : { startTime }), uncountedTerminatedPods: uncounted } };
  const base = {
    job: started,
    old: job.status ?? {},
    pods,
    active,
    ready: active.filter(isPodReady).length,
    terminating: pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined && !isPodTerminal(pod)).length,
    failed,
    backoff: newBackoffRecord(known, fresh.succeeded, fresh.failed),
  };
  const verdict = earlierVerdict(started, pods, now) ?? failure(started, pods, failed, now);
  if (!isIndexed(job)) {
    const succeeded = (job.status?.succeeded ?? 0) + fresh.succeeded.length + (uncounted.succeeded?.length ?? 0);
    return { ...base, succeeded, previousIndexes: [], succeededIndexes: [], delayed: [], ...(verdict ? { finished: verdict } : {}) };
  }
  return { ...base, ...evaluateIndexes(started, pods, active, verdict, now) };
}

type IndexStanding = Pick<Standing, "succeeded" | "previousIndexes" | "succeededIndexes" | "failedIndexes" | "delayed" | "finished">;

function evaluateIndexes(job: Job, pods: readonly Pod[], active: readonly Pod[], verdict: Condition | undefined, now: Micros): IndexStanding {
  const completions = job.spec.completions ?? 0;
  const tracked = pods.filter((pod) => isTracked(pod) && validIndex(pod, job) !== undefined);
  const previousIndexes = parseIntervals(job.status?.completedIndexes, completions);
  const succeededIndexes = mergeIntervals(previousIndexes, intervalsOf(indexesOf(tracked.filter((pod) => pod.status?.phase === "Succeeded"))));
  const failedIndexes = hasBackoffLimitPerIndex(job) ? mergeIntervals(parseIntervals(job.status?.failedIndexes, completions), intervalsOf(indexesOf(tracked.filter((pod) => isIndexFailed(job, pod))))) : undefined;
  const succeeded = totalOf(succeededIndexes);
  const byIndex = verdict ?? (failedIndexes ? indexFailure(job, totalOf(failedIndexes), succeeded, now) : undefined);
  const matched = byIndex ? undefined : matchSuccessPolicy(job.spec.successPolicy, completions, succeededIndexes);
  const finished = byIndex ?? (matched === undefined ? undefined : newCondition("SuccessCriteriaMet", "True", "SuccessPolicy", matched, now));
  return {
    succeeded,
    previousIndexes,
    succeededIndexes,
    ...(failedIndexes ? { failedIndexes } : {}),
    delayed: failedIndexes ? delayedPods(job, pods, active, mergeIntervals(succeededIndexes, failedIndexes)) : [],
    ...(finished ? { finished } : {}),
  };
}

/** The condition of enough successes; undefined while it has not enough or Pods are still active. */
export function completion({ job, succeeded }: Standing, active: number, now: Micros): Condition | undefined {
  const { completions } = job.spec;
  const enough = completions === undefined ? succeeded > 0 : succeeded >= completions;
  return enough && active === 0 ? newCondition("SuccessCriteriaMet", "True", "CompletionsReached", "Reached expected number of succeeded pods", now) : undefined;
}

export const isSuccess = (condition: Condition | undefined): boolean => condition?.type === "SuccessCriteriaMet" || condition?.type === "Complete";
