// Models kubernetes/pkg/controller/job/backoff_utils.go
import { parseRfc3339 } from "../../api/time.ts";
import type { Pod } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";

export const DEFAULT_POD_BACKOFF: Micros = 10_000_000;
export const MAX_POD_BACKOFF: Micros = 600_000_000;

/** Failures since the last success, and when the last of them was. */
export interface BackoffRecord {
  readonly failures: number;
  readonly lastFailure: Micros;
}

export const NO_BACKOFF: BackoffRecord = { failures: 0, lastFailure: 0 };

/** The wait after so many failures since the last success: doubling with each of them. */
export function podBackoff(failures: number, base: Micros = DEFAULT_POD_BACKOFF, max: Micros = MAX_POD_BACKOFF): Micros {
  if (failures === 0) return 0;
  let backoff = base;
  for (let i = 1; i < failures && backoff < max; i++) backoff *= 2;
  return Math.min(backoff, max);
}

/** How long a replacement Pod must still wait, counted from the last failure. */
export const remainingBackoff = (failures: number, sinceLastFailure: Micros, base: Micros = DEFAULT_POD_BACKOFF, max: Micros = MAX_POD_BACKOFF): Micros => Math.max(0, podBackoff(failures, base, max) - sinceLastFailure);

const latest = (times: readonly Micros[]): Micros | undefined => {
  const known = times.filter((at) => !Number.isNaN(at));
  return known.length === 0 ? undefined : Math.max(...known);
};

/** When the last container ended; undefined while one of them has not. Of init containers only sidecars count: they end last. */
function containersFinished(pod: Pod): Micros | undefined {
  const sidecars = new Set(pod.spec.initContainers?.filter((container) => container.restartPolicy === "Always").map((container) => container.name));
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? []).filter((status) => sidecars.has(status.name))];
  const ends = statuses.map((status) => parseRfc3339(status.state?.terminated?.finishedAt ?? ""));
  return ends.some(Number.isNaN) ? undefined : latest(ends);
}

/** When a Pod ended: by its containers, else by its Ready condition, its deletion, or its creation. */
export function finishedTime(pod: Pod): Micros {
  const byContainers = containersFinished(pod);
  if (byContainers !== undefined) return byContainers;
  const ready = pod.status?.conditions?.find((entry) => entry.type === "Ready");
  const byCondition = ready?.status === "False" ? latest([parseRfc3339(ready.lastTransitionTime ?? "")]) : undefined;
  if (byCondition !== undefined) return byCondition;
  const byDeletion = latest([parseRfc3339(pod.metadata.deletionTimestamp ?? "")]);
  if (byDeletion !== undefined) return byDeletion - (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1_000_000;
  return parseRfc3339(pod.metadata.creationTimestamp ?? "") || 0;
}

/** The record after Pods ended that it does not know of yet. */
export function newBackoffRecord(old: BackoffRecord, succeeded: readonly Pod[], failed: readonly Pod[]): BackoffRecord {
  const ends = failed.map(finishedTime);
  const success = latest(succeeded.map(finishedTime));
  if (success === undefined) return ends.length === 0 ? old : { failures: old.failures + ends.length, lastFailure: Math.max(...ends) };
  const since = ends.filter((at) => at > success);
  return since.length === 0 ? NO_BACKOFF : { failures: since.length, lastFailure: Math.max(...since) };
}
