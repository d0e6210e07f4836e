// Models kubernetes/pkg/controller/job/job_controller.go and tracking_utils.go: what is remembered between syncs and within one
import type { KubeObject, Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Micros } from "../../kernel/types.ts";
import type { Plan } from "../controller.ts";
import type { Claiming } from "../controller-ref.ts";
import { type Expectations, NO_EXPECTATIONS } from "../expectations.ts";
import { objectPath, subjectOf } from "../resources.ts";
import type { BackoffRecord } from "./backoff.ts";
import { type Standing, TRACKING_FINALIZER } from "./evaluate.ts";
import type { Tracking } from "./track.ts";

/** Changes of Pods are gathered for so long. */
export const SYNC_BATCH: Micros = 1_000_000;

/** What outlives a sync, by the Job's key. */
export interface JobMemory {
  /** The back-off of failed Pods. */
  readonly backoff: PMap<BackoffRecord>;
  readonly expectations: Expectations;
  /** uids of Pods that were let go, until the cache shows it. */
  readonly released: PMap<readonly string[]>;
}

export const NO_MEMORY: JobMemory = { backoff: PMap.empty(), expectations: NO_EXPECTATIONS, released: PMap.empty() };

export interface Counts {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
}

/** Pods are made or removed. */
export interface Managing {
  readonly step: "finish-active" | "unfinalize" | "remove" | "create";
  readonly standing: Standing;
  readonly satisfied: boolean;
  readonly pods: readonly Pod[];
  /** Sizes of the batches that are still to be made. */
  readonly batches: readonly number[];
  readonly counts: Counts;
  readonly error?: string;
}

/** The status is written. */
export interface Following {
  readonly step: "flush" | "release" | "partial" | "finish";
  readonly tracking: Tracking;
  readonly standing: Standing;
  /** What went wrong while Pods were made or removed: told when all else is done. */
  readonly error?: string;
}

/** Where a sync stands between two answers. Plain data. */
export type JobWork = { readonly step: "claim"; readonly claiming: Claiming; readonly satisfied: boolean } | Managing | Following | { readonly step: "orphan" };

export type JobPlan = Plan<JobWork, JobMemory>;

export const nameOf = (object: KubeObject): string => object.metadata.name ?? "";
export const podKey = (pod: Pod): string => `${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`;

/** Takes the tracking finalizer off a Pod. */
export const letGo = (pod: Pod): ApiCall => ({ method: "PATCH", path: objectPath(pod), contentType: "application/strategic-merge-patch+json", body: { metadata: { "$deleteFromPrimitiveList/finalizers": [TRACKING_FINALIZER] } }, subject: subjectOf(pod) });

/** Nothing is known of a Job any more but the Pods it waits for. */
export const withoutBackoff = (memory: JobMemory, key: string): JobMemory => (memory.backoff.has(key) ? { ...memory, backoff: memory.backoff.delete(key) } : memory);

/** finalizerRemovalObserved: the cache shows, or the server said, that a Pod is not held. */
export function releaseSeen(memory: JobMemory, key: string, uids: readonly string[]): JobMemory {
  const known = memory.released.get(key);
  if (known === undefined || !uids.some((uid) => known.includes(uid))) return memory;
  const left = known.filter((uid) => !uids.includes(uid));
  return { ...memory, released: left.length === 0 ? memory.released.delete(key) : memory.released.set(key, left) };
}

export const releaseExpected = (memory: JobMemory, key: string, uids: readonly string[]): JobMemory => ({ ...memory, released: memory.released.set(key, [...(memory.released.get(key) ?? []), ...uids]) });
