// Models kubernetes/pkg/controller/job/job_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { labelSelectorAsSelector, matches } from "../../api/labels.ts";
import { parseRfc3339 } from "../../api/time.ts";
import type { Pod } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import { byController, type View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, watchesOf } from "../controller.ts";
import { creationsObserved, deletionsObserved } from "../expectations.ts";
import { adoptersOf } from "../pod-control.ts";
import { controllerOf } from "../pods.ts";
import { isTracked } from "./evaluate.ts";
import { resumeJob, syncJob } from "./sync-job.ts";
import { isFinished, isManagedElsewhere, type Job } from "./types.ts";
import { type JobMemory, type JobPlan, type JobWork, letGo, NO_MEMORY, podKey, releaseSeen, SYNC_BATCH, withoutBackoff } from "./work.ts";

const ID = "job-controller";
const RESOURCES = ["jobs", "pods"] as const;
/** Keys of Pods that are held for a Job that counts no more: upstream's second queue. No namespace is called so. */
const ORPHAN = "pod:";

const batched = (key: string): Enqueue => ({ key, after: SYNC_BATCH });
const orphan = (pod: Pod): Enqueue => ({ key: ORPHAN + podKey(pod) });

/** enqueueLabelSelector: Pods that a finished or deleted Job may still hold. */
function heldPods(job: Job, view: View<JobMemory>): readonly Enqueue[] {
  const selector = labelSelectorAsSelector(job.spec.selector);
  if (typeof selector === "string") return [];
  const pods = [...view.byIndex<Pod>("podsByOwner", job.metadata.uid ?? ""), ...view.byIndex<Pod>("podsByOwner", `orphan/${job.metadata.namespace ?? ""}`)];
  return pods.filter((pod) => isTracked(pod) && matches(selector, pod.metadata.labels)).map(orphan);
}

function onJob(change: Change, view: View<JobMemory>): Handled<JobMemory> {
  const job = change.object as Job;
  const key = objectKey(job);
  if (change.type === "delete") return { keys: [{ key }, ...heldPods(job, view)], memory: withoutBackoff(view.memory, key) };
  if (change.type === "add") return { keys: [{ key }] };
  // Pods are let go before a Job is finished; this is for those that were missed.
  if (isFinished(job)) return { keys: heldPods(job, view) };
  const old = change.old as Job;
  // Status updates only follow what Pods did.
  const first = old.metadata.generation === job.metadata.generation ? batched(key) : { key };
  const seconds = job.spec.activeDeadlineSeconds;
  const started = parseRfc3339(job.status?.startTime ?? "");
  if (seconds === undefined || seconds === old.spec.activeDeadlineSeconds || Number.isNaN(started)) return { keys: [first] };
  return { keys: [first, { key, after: Math.max(0, started + seconds * 1_000_000 - view.now) }] };
}

/** The Job that manages a Pod, if it is the one that is known by that name. */
function jobOf(pod: Pod, view: View<JobMemory>): Job | undefined {
  const owner = controllerOf(pod);
  const job = owner?.kind === "Job" ? view.get<Job>("jobs", `${pod.metadata.namespace ?? ""}/${owner.name}`) : undefined;
  return job?.metadata.uid === owner?.uid ? job : undefined;
}

/** A Pod that goes: its Job makes another, or nobody will count it and it is let go. */
function onGoing(pod: Pod, final: boolean, view: View<JobMemory>): Handled<JobMemory> {
  const job = jobOf(pod, view);
  if (job === undefined || (isFinished(job) && controllerOf(pod) !== undefined)) return isTracked(pod) && (controllerOf(pod) === undefined || controllerOf(pod)?.kind === "Job") ? { keys: [orphan(pod)] } : {};
  const key = objectKey(job);
  const memory = { ...view.memory, expectations: deletionsObserved(view.memory.expectations, key, [podKey(pod)]) };
  return { keys: [batched(key)], memory: final || !isTracked(pod) ? releaseSeen(memory, key, [pod.metadata.uid ?? ""]) : memory };
}

const sameLabels = (a: Pod, b: Pod): boolean => {
  const [x, y] = [a.metadata.labels ?? {}, b.metadata.labels ?? {}];
  return Object.keys(x).length === Object.keys(y).length && Object.keys(x).every((name) => x[name] === y[name]);
};

function onPod(change: Change, view: View<JobMemory>): Handled<JobMemory> {
  const pod = change.object as Pod;
  if (change.type === "delete" || pod.metadata.deletionTimestamp !== undefined) return onGoing(pod, change.type === "delete", view);
  const old = change.type === "update" ? (change.old as Pod) : undefined;
  const moved = old !== undefined && controllerOf(old)?.uid !== controllerOf(pod)?.uid;
  const before = moved ? jobOf(old, view) : undefined;
  const job = jobOf(pod, view);
  let { memory } = view;
  for (const owner of [before, job]) if (owner !== undefined && old !== undefined && !isTracked(pod)) memory = releaseSeen(memory, objectKey(owner), [pod.metadata.uid ?? ""]);
  if (job !== undefined && old === undefined) memory = { ...memory, expectations: creationsObserved(memory.expectations, objectKey(job)) };
  const keys: Enqueue[] = [before, job].flatMap((owner) => (owner === undefined ? [] : [batched(objectKey(owner))]));
  if (controllerOf(pod) === undefined) {
    if (isTracked(pod)) keys.push(orphan(pod));
    if (old === undefined || moved || !sameLabels(old, pod)) keys.push(...adoptersOf(pod, view.list<Job>("jobs")).map(({ key }) => batched(key)));
  }
  return { keys, memory };
}

/** Lets a Pod go that no Job will count. */
function syncOrphan(key: string, view: View<JobMemory>): JobPlan {
  const pod = view.get<Pod>("pods", key);
  if (!pod || !isTracked(pod)) return {};
  const owner = controllerOf(pod);
  if (owner !== undefined && (owner.kind !== "Job" || owner.apiVersion !== "batch/v1")) return {};
  const job = jobOf(pod, view);
  if (job && (!isFinished(job) || isManagedElsewhere(job))) return {};
  return { batches: [[letGo(pod)]], next: { step: "orphan" } };
}

/** Runs Pods until enough of them have succeeded, each counted exactly once. */
export const createJobController = (config: ControllerConfig): Component<ControllerState<JobWork, JobMemory>> =>
  createController<JobWork, JobMemory>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      indexers: { podsByOwner: byController("pods") },
      workers: 5,
      retryBase: 1_000_000,
      retryMax: 60_000_000,
      latency: "controller.sync",
      consistent: RESOURCES,
      memory: NO_MEMORY,
      handle: (change, resource, view) => (resource === "jobs" ? onJob(change, view) : onPod(change, view)),
      sync: (key, view) => (key.startsWith(ORPHAN) ? syncOrphan(key.slice(ORPHAN.length), view) : syncJob(key, view)),
      resume: resumeJob,
    },
    config,
  );

export const jobWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
