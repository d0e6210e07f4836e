// Models kubernetes/pkg/controller/job/job_controller.go (manageJob): which Pods a Job makes and removes
import type { Pod } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { podFromTemplate } from "../pod-control.ts";
import { isPodTerminal } from "../pods.ts";
import { activePodsOrder } from "../replicaset/ranking.ts";
import { finishedTime, remainingBackoff } from "./backoff.ts";
import { type Standing, TRACKING_FINALIZER } from "./evaluate.ts";
import { absoluteFailures, COMPLETION_INDEX, duplicates, failureAnnotations, generateNameOf, indexesOf, indexOfPod, withIndexVariable } from "./indexed.ts";
import { firstPending, type Intervals, intervalsOf, mergeIntervals } from "./intervals.ts";
import { hasBackoffLimitPerIndex, isIndexed, type Job, onlyReplaceFailedPods } from "./types.ts";

/** At most so many creations or deletions in one sync. */
const BURST = 500;

export interface Management {
  readonly remove: readonly Pod[];
  readonly create: readonly Pod[];
  /** Look again after so long: a replacement waits for its back-off. */
  readonly after?: Micros;
  readonly wanted: number;
}

function wantedActive({ job, active, succeeded }: Standing): number {
  const parallelism = job.spec.parallelism ?? 1;
  const { completions } = job.spec;
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

function toRemove(job: Job, active: readonly Pod[], atLeast: number): readonly Pod[] {
  const { surplus, left } = isIndexed(job) ? duplicates(active, job.spec.completions ?? 0) : { surplus: [], left: active };
  if (surplus.length >= atLeast) return surplus;
  const ordered = [...left].sort(activePodsOrder);
  return [...surplus, ...ordered.slice(0, atLeast - surplus.length)];
}

/** What must be done to have as many active Pods as the Job wants. */
export function manage(standing: Standing, now: Micros): Management {
  const { job, active } = standing;
  if (job.spec.suspend) return { remove: toRemove(job, active, active.length), create: [], wanted: 0 };
  const wanted = wantedActive(standing);
  const remove = toRemove(job, active, Math.max(0, active.length - wanted)).slice(0, BURST);
  if (remove.length > 0) return { remove, create: [], wanted };
  const terminating = onlyReplaceFailedPods(job) ? standing.terminating : 0;
  const diff = Math.min(wanted - terminating - active.length, BURST);
  if (diff <= 0) return { remove: [], create: [], wanted };
  const perIndex = hasBackoffLimitPerIndex(job);
  const wait = perIndex ? 0 : remainingBackoff(standing.backoff.failures, now - standing.backoff.lastFailure);
  if (wait > 0) return { remove: [], create: [], after: wait, wanted };
  const template = trackedPod(job);
  if (!isIndexed(job)) return { remove: [], create: Array.from({ length: diff }, () => template), wanted };
  const pending = firstPending(takenIndexes(standing), job.spec.completions ?? 0, diff);
  const waits = new Map(pending.map((index) => [index, perIndex ? indexBackoff(standing, index, now) : 0]));
  const ready = pending.filter((index) => waits.get(index) === 0);
  if (ready.length === 0 && pending.length > 0) return { remove: [], create: [], after: Math.min(...waits.values()), wanted };
  return { remove: [], create: ready.map((index) => indexedPod(standing, template, index)), wanted };
}

function takenIndexes({ job, pods, active, succeededIndexes, failedIndexes = [] }: Standing): Intervals {
  const terminating = onlyReplaceFailedPods(job) ? pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined && !isPodTerminal(pod)) : [];
  return mergeIntervals(mergeIntervals(succeededIndexes, failedIndexes), intervalsOf(indexesOf([...active, ...terminating])));
}

function indexBackoff({ delayed }: Standing, index: number, now: Micros): Micros {
  const last = delayed.find((pod) => indexOfPod(pod) === index);
  return last ? remainingBackoff(absoluteFailures(last) + 1, now - finishedTime(last)) : 0;
}

function trackedPod(job: Job): Pod {
  const pod = podFromTemplate(job, job.spec.template);
  const finalizers = pod.metadata.finalizers ?? [];
  return finalizers.includes(TRACKING_FINALIZER) ? pod : { ...pod, metadata: { ...pod.metadata, finalizers: [...finalizers, TRACKING_FINALIZER] } };
}

function indexedPod({ job, delayed }: Standing, template: Pod, index: number): Pod {
  const entry = { [COMPLETION_INDEX]: String(index) };
  const failures = hasBackoffLimitPerIndex(job) ? failureAnnotations(job, delayed.find((pod) => indexOfPod(pod) === index)) : {};
  const { metadata } = template;
  return {
    ...template,
    metadata: { ...metadata, generateName: generateNameOf(job, index), labels: { ...metadata.labels, ...entry }, annotations: { ...metadata.annotations, ...entry, ...failures } },
    spec: { ...withIndexVariable(template.spec), hostname: `${job.metadata.name ?? ""}-${index}` },
  };
}
