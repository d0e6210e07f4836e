// Models kubernetes/pkg/controller/cronjob/cronjob_controllerv2.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import type { Indexer, View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, watchesOf } from "../controller.ts";
import { controllerOf } from "../pods.ts";
import { parseSchedule } from "./schedule.ts";
import { type CronWork, type GivenUp, resumeCronJob, syncCronJob } from "./sync-cronjob.ts";
import { loadZone, UTC } from "./time-zones.ts";
import type { CronJob } from "./types.ts";
import { untilNextTick } from "./utils.ts";

const ID = "cronjob-controller";
const RESOURCES = ["cronjobs", "jobs"] as const;

/** getJobsToBeReconciled: by the controller's name, whatever its kind and uid. */
const byOwnerName: Indexer = {
  resource: "jobs",
  values: (job) => {
    const owner = controllerOf(job);
    return owner === undefined ? [] : [`${job.metadata.namespace ?? ""}/${owner.name}`];
  },
};

/** resolveControllerRef: the CronJob that a Job says controls it, if it is that one. */
function ownerKey(job: KubeObject, view: View): readonly Enqueue[] {
  const owner = controllerOf(job);
  const cronJob = owner?.kind === "CronJob" ? view.get<CronJob>("cronjobs", `${job.metadata.namespace ?? ""}/${owner.name}`) : undefined;
  return cronJob === undefined || cronJob.metadata.uid !== owner?.uid ? [] : [{ key: objectKey(cronJob) }];
}

/** A new schedule only moves the next look; all other changes ask for one at once. */
function onCronJob(change: Change, view: View): Handled<GivenUp> {
  const cronJob = change.object as CronJob;
  const key = objectKey(cronJob);
  const old = change.type === "update" ? (change.old as CronJob).spec : cronJob.spec;
  const { spec } = cronJob;
  if (old.schedule === spec.schedule && old.timeZone === spec.timeZone) return { keys: [{ key }] };
  const schedule = parseSchedule(spec.schedule, loadZone(spec.timeZone ?? "") ?? UTC);
  return schedule === undefined ? {} : { keys: [{ key, after: untilNextTick(cronJob, view.now, schedule) }] };
}

function onJob(change: Change, view: View): Handled<GivenUp> {
  const moved = change.type === "update" && controllerOf(change.old)?.uid !== controllerOf(change.object)?.uid;
  return { keys: [...(moved ? ownerKey(change.old, view) : []), ...ownerKey(change.object, view)] };
}

/** Starts Jobs by a schedule. */
export const createCronJobController = (config: ControllerConfig): Component<ControllerState<CronWork, GivenUp>> =>
  createController<CronWork, GivenUp>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      indexers: { jobsByOwnerName: byOwnerName },
      workers: 5,
      latency: "controller.sync",
      memory: {},
      handle: (change, resource, view) => (resource === "cronjobs" ? onCronJob(change, view) : onJob(change, view)),
      sync: syncCronJob,
      resume: resumeCronJob,
    },
    config,
  );

export const cronJobWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
