// Models kubernetes/pkg/controller/daemon/daemon_controller.go (updateDaemonSetStatus)
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Micros } from "../../kernel/types.ts";
import { isPodAvailable, isPodReady } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { type DaemonSet, type DaemonSetStatus, isUpdated, type Placement } from "./placement.ts";

/** Counts nodes by the first Pod on each. A sync that did not act on the present generation does not say so (`observes`). */
export function statusOf(ds: DaemonSet, hash: string, places: readonly Placement[], observes: boolean, now: Micros): DaemonSetStatus {
  const wanted = places.filter((place) => place.shouldRun);
  const firsts = wanted.flatMap((place) => place.pods.slice(0, 1));
  const numberAvailable = firsts.filter((pod) => isPodAvailable(pod, ds.spec.minReadySeconds ?? 0, now)).length;
  return {
    currentNumberScheduled: firsts.length,
    numberMisscheduled: places.filter(({ node, shouldRun, pods }) => node !== undefined && !shouldRun && pods.length > 0).length,
    desiredNumberScheduled: wanted.length,
    numberReady: firsts.filter(isPodReady).length,
    observedGeneration: (observes ? ds.metadata.generation : ds.status?.observedGeneration) ?? 0,
    updatedNumberScheduled: firsts.filter((pod) => isUpdated(pod, ds, hash)).length,
    numberAvailable,
    numberUnavailable: wanted.length - numberAvailable,
  };
}

const COUNTS = ["currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady", "updatedNumberScheduled", "numberAvailable", "numberUnavailable"] as const;

export const sameStatus = ({ metadata, status: old }: DaemonSet, status: DaemonSetStatus): boolean => COUNTS.every((field) => (status[field] ?? 0) === (old?.[field] ?? 0)) && (old?.observedGeneration ?? 0) >= (metadata.generation ?? 0);

/** Zeros that the API leaves out are not sent; what the controller does not count stays. */
export function statusCall(ds: DaemonSet, { observedGeneration = 0, updatedNumberScheduled = 0, numberAvailable = 0, numberUnavailable = 0, ...counts }: DaemonSetStatus): ApiCall {
  const { collisionCount, conditions } = ds.status ?? {};
  const status = {
    ...counts,
    ...(observedGeneration === 0 ? {} : { observedGeneration }), ...(updatedNumberScheduled === 0 ? {} : { updatedNumberScheduled }),
    ...(numberAvailable === 0 ? {} : { numberAvailable }), ...(numberUnavailable === 0 ? {} : { numberUnavailable }),
    ...(collisionCount === undefined ? {} : { collisionCount }), ...(conditions === undefined ? {} : { conditions }),
  };
  return { method: "PUT", path: `${objectPath(ds)}/status`, body: { ...ds, status }, subject: subjectOf(ds) };
}
