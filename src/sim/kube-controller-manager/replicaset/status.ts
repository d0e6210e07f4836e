// Models kubernetes/pkg/controller/replicaset/replica_set_utils.go
import { rfc3339 } from "../../api/time.ts";
import type { Condition, Pod, ReplicaSet } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { isPodAvailable, isPodReady } from "../pods.ts";

export type ReplicaSetStatus = NonNullable<ReplicaSet["status"]>;

export interface Failure {
  readonly reason: "FailedCreate" | "FailedDelete";
  readonly message: string;
}

type Labels = readonly (readonly [string, string])[];

const fullyLabeled = (labels: Labels, pod: Pod): boolean => labels.every(([key, value]) => pod.metadata.labels?.[key] === value);

function conditionsOf(rs: ReplicaSet, failure: Failure | undefined, now: Micros): readonly Condition[] {
  const old = rs.status?.conditions ?? [];
  const current = old.find((entry) => entry.type === "ReplicaFailure");
  if (!failure) return current ? old.filter((entry) => entry !== current) : old;
  // An existing failure is not rewritten at each attempt.
  if (current) return old;
  return [...old, { type: "ReplicaFailure", status: "True", lastTransitionTime: rfc3339(now), reason: failure.reason, message: failure.message }];
}

const nonZero = (key: string, value: number): Readonly<Record<string, number>> => (value === 0 ? {} : { [key]: value });

/** Counts of the active Pods that the ReplicaSet owns, and of those that are terminating. Zero counts are left out, as on the wire, but `replicas`. */
export function calculateStatus(rs: ReplicaSet, pods: readonly Pod[], terminating: number, failure: Failure | undefined, now: Micros): ReplicaSetStatus {
  const minReady = rs.spec.minReadySeconds ?? 0;
  const labels = Object.entries(rs.spec.template?.metadata?.labels ?? {});
  const conditions = conditionsOf(rs, failure, now);
  let [labeled, ready, available] = [0, 0, 0];
  // One pass: this runs over all Pods whenever one of them changes.
  for (const pod of pods) {
    if (fullyLabeled(labels, pod)) labeled++;
    if (!isPodReady(pod)) continue;
    ready++;
    if (isPodAvailable(pod, minReady, now)) available++;
  }
  return {
    replicas: pods.length,
    ...nonZero("fullyLabeledReplicas", labeled),
    ...nonZero("readyReplicas", ready),
    ...nonZero("availableReplicas", available),
    // ReplicationControllers have no such field.
    ...(rs.kind === "ReplicationController" ? {} : { terminatingReplicas: terminating }),
    observedGeneration: rs.metadata.generation ?? 0,
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

const FIELDS = ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas"] as const;

/** Nothing to write: the counts are the same, and the generation they were counted for. */
export const sameStatus = ({ metadata, status: old }: ReplicaSet, next: ReplicaSetStatus): boolean =>
  FIELDS.every((field) => (old?.[field] ?? 0) === (next[field] ?? 0)) && old?.terminatingReplicas === next.terminatingReplicas && (metadata.generation ?? 0) === (old?.observedGeneration ?? 0) && (old?.conditions ?? []).length === (next.conditions ?? []).length;
