// Models kubernetes/pkg/controller/job/job_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { Pod } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import { byController, type View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, type Plan, watchesOf } from "../controller.ts";
import { adoptersOf } from "../pod-control.ts";
import { controllerOf } from "../pods.ts";
import { isTracked } from "./evaluate.ts";
import { type JobMemory, type JobWork, releaseCall, resumeJob, SYNC_BATCH, syncJob } from "./sync-job.ts";
import { isFinished, isManagedElsewhere, type Job } from "./types.ts";

const ID = "job-controller";
const RESOURCES = ["jobs", "pods"] as const;
/** Keys of Pods that are held for a Job that counts no more. No namespace is called so. */
const ORPHAN = "pod:";

const batched = (key: string): Handled<JobMemory> => ({ keys: [{ key, after: SYNC_BATCH }] });
const orphan = (pod: Pod): Enqueue => ({ key: ORPHAN + objectKey(pod) });

function onJob(change: Change, view: View<JobMemory>): Handled<JobMemory> {
  const job = change.object as Job;
  const key = objectKey(job);
  if (change.type === "delete" || isFinished(job)) {
    const held = view.byIndex<Pod>("podsByOwner", job.metadata.uid ?? "").filter(isTracked);
    return { keys: [{ key }, ...held.map(orphan)] };
  }
  // Status updates only follow what Pods did.
  return change.type === "update" && change.old.metadata.generation === job.metadata.generation ? batched(key) : { keys: [{ key }] };
}

/** The Job that manages a Pod, if it is the one that is known by that name. */
function jobOf(pod: Pod, view: View<JobMemory>): Job | undefined {
  const owner = controllerOf(pod);
  const job = owner?.kind === "Job" ? view.get<Job>("jobs", `${pod.metadata.namespace ?? ""}/${owner.name}`) : undefined;
  return job?.metadata.uid === owner?.uid ? job : undefined;
}

function onPod(change: Change, view: View<JobMemory>): Handled<JobMemory> {
  const pod = change.object as Pod;
  const job = jobOf(pod, view);
  const goes = change.type === "delete" || pod.metadata.deletionTimestamp !== undefined;
  if (controllerOf(pod) === undefined && change.type !== "delete") {
    const adopters = adoptersOf(pod, view.list<Job>("jobs").filter((entry) => !isFinished(entry)));
    if (adopters.length > 0) return { keys: adopters.map(({ key }) => ({ key, after: SYNC_BATCH })) };
  }
  if (job && !(goes && isFinished(job))) return batched(objectKey(job));
  return isTracked(pod) && change.type !== "delete" && (goes || controllerOf(pod) === undefined) ? { keys: [orphan(pod)] } : {};
}

/** Lets a Pod go that no Job will count. */
function syncOrphan(key: string, view: View<JobMemory>): Plan<JobWork, JobMemory> {
  const pod = view.get<Pod>("pods", key);
  const job = pod && jobOf(pod, view);
  if (!pod || !isTracked(pod) || (job && (!isFinished(job) || isManagedElsewhere(job)))) return {};
  return { batches: [[releaseCall(pod)]], next: { step: "orphans" } };
}

/**
 * Runs Pods until enough of them have succeeded, each counted exactly once.
 * Simplified: no PodGroups.
 */
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
      memory: {},
      handle: (change, resource, view) => (resource === "jobs" ? onJob(change, view) : onPod(change, view)),
      sync: (key, view) => (key.startsWith(ORPHAN) ? syncOrphan(key.slice(ORPHAN.length), view) : syncJob(key, view)),
      resume: resumeJob,
    },
    config,
  );

export const jobWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
