// Models kubernetes/pkg/controller/ttlafterfinished/ttlafterfinished_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { parseRfc3339 } from "../../api/time.ts";
import type { Component, Micros } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { isFinished, type Job } from "../job/types.ts";
import { objectPath, subjectOf } from "../resources.ts";

const ID = "ttl-after-finished-controller";
const RESOURCES = ["jobs"] as const;

/** When a Job is to be deleted, in simulated microseconds; undefined while it runs, goes already, or may stay. */
export function expiryOf(job: Job): Micros | undefined {
  const { ttlSecondsAfterFinished } = job.spec;
  if (ttlSecondsAfterFinished === undefined || job.metadata.deletionTimestamp !== undefined || !isFinished(job)) return undefined;
  const end = job.status?.conditions?.find((entry) => (entry.type === "Complete" || entry.type === "Failed") && entry.status === "True");
  const at = parseRfc3339(end?.lastTransitionTime ?? "");
  return Number.isNaN(at) ? undefined : at + ttlSecondsAfterFinished * 1_000_000;
}

interface Checked {
  readonly step: "checked" | "deleted";
}

function sync(key: string, view: View): Plan<Checked> {
  const job = view.get<Job>("jobs", key);
  const expiry = job && expiryOf(job);
  if (!job || expiry === undefined) return {};
  if (expiry > view.now) return { enqueue: [{ key, after: expiry - view.now }] };
  // The cache may be old: the server is asked once more.
  return { batches: [[{ method: "GET", path: objectPath(job), subject: subjectOf(job) }]], next: { step: "checked" } };
}

/** Deletes finished Jobs, and their Pods first, when their time is over. */
export const createTTLAfterFinishedController = (config: ControllerConfig): Component<ControllerState<Checked>> =>
  createController<Checked, unknown>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      workers: 5,
      latency: "controller.sync",
      memory: undefined,
      handle(change) {
        const job = change.object as Job;
        return change.type !== "delete" && expiryOf(job) !== undefined ? { keys: [{ key: objectKey(job) }] } : {};
      },
      sync,
      resume(key, { step }, [answer], view) {
        if (!answer || answer.status === 404) return {};
        if (!isSuccess(answer)) return { error: messageOf(answer) };
        if (step === "deleted") return {};
        const job = answer.body as Job;
        const expiry = expiryOf(job);
        if (expiry === undefined) return {};
        if (expiry > view.now) return { enqueue: [{ key, after: expiry - view.now }] };
        const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground", preconditions: { uid: job.metadata.uid } };
        const note = { text: `ttl-after-finished-controller deletes Job ${job.metadata.name ?? ""}`, why: `it finished ${job.spec.ttlSecondsAfterFinished ?? 0} s ago, as long as its ttlSecondsAfterFinished says`, level: "basic" as const, subject: subjectOf(job) };
        return { batches: [[{ method: "DELETE", path: objectPath(job), body, subject: subjectOf(job) }]], notes: [note], next: { step: "deleted" } };
      },
    },
    config,
  );

export const ttlAfterFinishedWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
