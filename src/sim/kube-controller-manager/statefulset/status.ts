// Models kubernetes/pkg/controller/statefulset/{stateful_set_control,stateful_set_utils}.go: the status of a StatefulSet
import type { Pod } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { isAvailable, isCreated, isRunningAndReady, isTerminating, replicasOf, revisionOf, type StatefulSet } from "./identity.ts";

export type StatefulSetStatus = NonNullable<StatefulSet["status"]>;

export interface Revisions {
  readonly current: string;
  readonly update: string;
  readonly collisions: number;
}

/** updateStatus: counts of the Pods that were there when the sync began; what it made itself is counted by the next. */
export function statusOf(set: StatefulSet, pods: readonly Pod[], { current, update, collisions }: Revisions, now: Micros): StatefulSetStatus {
  const created = pods.filter(isCreated);
  const ready = pods.filter(isRunningAndReady);
  const live = created.filter((pod) => !isTerminating(pod));
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: created.length,
    readyReplicas: ready.length,
    currentReplicas: live.filter((pod) => revisionOf(pod) === current).length,
    updatedReplicas: live.filter((pod) => revisionOf(pod) === update).length,
    availableReplicas: ready.filter((pod) => isAvailable(set, pod, now)).length,
    currentRevision: current,
    updateRevision: update,
    collisionCount: collisions,
  };
}

/** completeRollingUpdate: once all Pods are of the update revision and ready, it is the current one. */
export function completed(set: StatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const wanted = replicasOf(set);
  const done = set.spec.updateStrategy?.type === "RollingUpdate" && status.updatedReplicas === wanted && status.readyReplicas === wanted && status.replicas === wanted;
  return done ? { ...status, currentReplicas: wanted, ...(status.updateRevision === undefined ? {} : { currentRevision: status.updateRevision }) } : status;
}

const COUNTS = ["replicas", "currentReplicas", "readyReplicas", "updatedReplicas", "availableReplicas"] as const;

/** inconsistentStatus: whether a write is due. */
export const isInconsistent = ({ status: old }: StatefulSet, status: StatefulSetStatus): boolean =>
  (status.observedGeneration ?? 0) > (old?.observedGeneration ?? 0) || COUNTS.some((field) => (status[field] ?? 0) !== (old?.[field] ?? 0)) || status.currentRevision !== (old?.currentRevision ?? "") || status.updateRevision !== (old?.updateRevision ?? "");

/** As it is sent: counts of zero are left out, but for the two that never are. */
export function serialized({ readyReplicas = 0, currentReplicas = 0, updatedReplicas = 0, ...status }: StatefulSetStatus): StatefulSetStatus {
  return { ...status, ...(readyReplicas === 0 ? {} : { readyReplicas }), ...(currentReplicas === 0 ? {} : { currentReplicas }), ...(updatedReplicas === 0 ? {} : { updatedReplicas }) };
}
