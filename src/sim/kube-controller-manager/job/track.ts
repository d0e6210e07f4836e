// Models kubernetes/pkg/controller/job/job_controller.go (trackJobStatusAndRemoveFinalizers): counting ended Pods once each
import type { Condition, Pod } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { ensureCondition, newCondition, trueCondition } from "./conditions.ts";
import { isSuccess, isTracked, type Standing } from "./evaluate.ts";
import { indexOfPod, validIndex } from "./indexed.ts";
import { formatIntervals, hasIndex, intervalsOf, mergeIntervals, totalOf } from "./intervals.ts";
import { isPodFailed, matchPodFailurePolicy } from "./pod-failure-policy.ts";
import { isIndexed, type Job, type JobStatus, type UncountedTerminatedPods } from "./types.ts";

/** At most so many Pods wait to be counted in a status. */
const MAX_UNCOUNTED = 500;

/** What remains of a sync once Pods were made or removed. Plain data. */
export interface Tracking {
  readonly job: Job;
  readonly needsFlush: boolean;
  /** Pods whose finalizer may go, once the status that counts them is written. */
  readonly release: readonly Pod[];
  readonly capped: boolean;
  /** What ends the Job: Complete or Failed. */
  readonly finished?: Condition;
  readonly terminating: number;
}

const uidOf = (pod: Pod): string => pod.metadata.uid ?? "";

/** Pods without the finalizer are gone for good: their uids become counts. The same status when nothing changes. */
export function countReleased(status: JobStatus, held: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const still: UncountedTerminatedPods = { succeeded: succeeded.filter((uid) => held.has(uid)), failed: failed.filter((uid) => held.has(uid)) };
  const [successes, failures] = [succeeded.length - (still.succeeded?.length ?? 0), failed.length - (still.failed?.length ?? 0)];
  if (successes + failures === 0) return status;
  return { ...withCounts(status, { succeeded: (status.succeeded ?? 0) + successes, failed: (status.failed ?? 0) + failures }), uncountedTerminatedPods: withoutEmpty(still) };
}

const withoutEmpty = ({ succeeded = [], failed = [] }: UncountedTerminatedPods): UncountedTerminatedPods => ({ ...(succeeded.length > 0 ? { succeeded } : {}), ...(failed.length > 0 ? { failed } : {}) });

/** Zero counts are left out. */
export function withCounts(status: JobStatus, counts: Readonly<Partial<Record<"active" | "succeeded" | "failed", number>>>): JobStatus {
  const next: Record<string, unknown> = { ...status };
  for (const [name, value] of Object.entries(counts)) {
    if (value === 0) delete next[name];
    else next[name] = value;
  }
  return next;
}

export const heldUids = (pods: readonly Pod[]): ReadonlySet<string> => new Set(pods.filter(isTracked).map(uidOf));

interface Counting {
  readonly release: Pod[];
  readonly uncounted: { succeeded: string[]; failed: string[] };
  readonly newIndexes: number[];
  capped: boolean;
}

function mayRelease(standing: Standing, finished: Condition | undefined, pod: Pod): boolean {
  if (standing.job.metadata.deletionTimestamp !== undefined || finished !== undefined || pod.status?.phase === "Succeeded") return true;
  return isPodFailed(pod, standing.job) && !standing.delayed.some((entry) => uidOf(entry) === uidOf(pod));
}

function countPods(standing: Standing, finished: Condition | undefined, status: JobStatus): Counting {
  const { job } = standing;
  const indexed = isIndexed(job);
  const known = { succeeded: status.uncountedTerminatedPods?.succeeded ?? [], failed: status.uncountedTerminatedPods?.failed ?? [] };
  const counting: Counting = { release: [], uncounted: { succeeded: [...known.succeeded], failed: [...known.failed] }, newIndexes: [], capped: false };
  const { uncounted, newIndexes, release } = counting;
  const pods = indexed ? [...standing.pods].sort((a, b) => (indexOfPod(a) ?? -1) - (indexOfPod(b) ?? -1)) : standing.pods;
  for (const pod of pods) {
    if (!isTracked(pod) || !mayRelease(standing, finished, pod)) continue;
    release.push(pod);
    const index = validIndex(pod, job);
    if (pod.status?.phase === "Succeeded" && !known.failed.includes(uidOf(pod))) {
      if (indexed && index !== undefined && !hasIndex(standing.previousIndexes, index)) newIndexes.push(index);
      if (!indexed && !known.succeeded.includes(uidOf(pod))) uncounted.succeeded.push(uidOf(pod));
    } else if (isPodFailed(pod, job) || (finished !== undefined && !isSuccess(finished))) {
      // Once the Job has failed every Pod that is left has failed with it.
      const counts = matchPodFailurePolicy(job.spec.podFailurePolicy, pod).counts;
      if (counts && !known.failed.includes(uidOf(pod)) && (!indexed || index !== undefined)) uncounted.failed.push(uidOf(pod));
    }
    if (newIndexes.length + uncounted.succeeded.length + uncounted.failed.length >= MAX_UNCOUNTED) {
      counting.capped = true;
      break;
    }
  }
  return counting;
}

function indexFields(standing: Standing, status: JobStatus, newIndexes: readonly number[]): JobStatus {
  if (!isIndexed(standing.job)) return status;
  const indexes = mergeIntervals(standing.succeededIndexes, intervalsOf(newIndexes));
  const { completedIndexes: _completed, failedIndexes: _failed, ...rest } = withCounts(status, { succeeded: totalOf(indexes) });
  const completed = formatIntervals(indexes);
  const failed = standing.failedIndexes === undefined ? undefined : formatIntervals(standing.failedIndexes);
  return { ...rest, ...(completed === "" ? {} : { completedIndexes: completed }), ...(failed === undefined ? {} : { failedIndexes: failed }) };
}

const sameIndexes = (a: JobStatus, b: JobStatus): boolean => (a.completedIndexes ?? "") === (b.completedIndexes ?? "") && a.failedIndexes === b.failedIndexes;

/** The status that counts what has ended, and which Pods it lets go. */
export function track(standing: Standing, counts: { readonly active: number; readonly ready: number; readonly terminating: number }, finished: Condition | undefined, changed: boolean, now: Micros): Tracking {
  const old = standing.job.status ?? {};
  const cleaned = countReleased(old, heldUids(standing.pods));
  const { release, uncounted, newIndexes, capped } = countPods(standing, finished, cleaned);
  let status: JobStatus = { ...indexFields(standing, cleaned, newIndexes), uncountedTerminatedPods: withoutEmpty(uncounted) };
  let needsFlush = changed || cleaned !== old || !sameIndexes(old, status) || newIndexes.length > 0;
  needsFlush ||= uncounted.succeeded.length > (cleaned.uncountedTerminatedPods?.succeeded?.length ?? 0) || uncounted.failed.length > (cleaned.uncountedTerminatedPods?.failed?.length ?? 0);
  status = { ...withCounts(status, { active: counts.active }), ready: counts.ready, terminating: counts.terminating };
  let last = finished;
  const early = finished?.type === "FailureTarget" || finished?.type === "SuccessCriteriaMet";
  if (finished && early) {
    if (!trueCondition(status.conditions, finished.type)) {
      status = { ...status, conditions: ensureCondition(status.conditions ?? [], finished) };
      needsFlush = true;
    }
    last = newCondition(finished.type === "FailureTarget" ? "Failed" : "Complete", "True", finished.reason ?? "", finished.message ?? "", now);
  }
  return { job: { ...standing.job, status }, needsFlush, release, capped, terminating: counts.terminating, ...(last ? { finished: last } : {}) };
}

/** The Job with its last condition; the same Job while Pods are uncounted or still terminating. */
export function enactFinished(job: Job, { finished, capped, terminating }: Tracking, now: Micros): Job {
  const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
  if (!finished || capped || succeeded.length + failed.length > 0 || terminating > 0) return job;
  const conditions = ensureCondition(job.status?.conditions ?? [], newCondition(finished.type, finished.status, finished.reason ?? "", finished.message ?? "", now));
  return { ...job, status: { ...job.status, conditions, ...(finished.type === "Complete" ? { completionTime: finished.lastTransitionTime ?? "" } : {}) } };
}
