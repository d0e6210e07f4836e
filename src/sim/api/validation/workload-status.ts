// Models the ValidateXStatus functions of kubernetes/pkg/apis/apps/validation/validation.go and ValidateReplicationControllerStatus of pkg/apis/core/validation
import { type FieldError, invalid } from "../field-error.ts";
import type { KubeObject } from "../types.ts";
import { json, nonnegatives, number } from "./helpers.ts";

interface Counts {
  /** Never negative, in upstream's order. */
  readonly counts: readonly string[];
  /** Not more than all replicas. */
  readonly parts: readonly string[];
  readonly ready?: string;
  /** Whether the count of hash collisions may only grow. */
  readonly collisions?: true;
}

const REPLICAS: Counts = {
  counts: ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration", "terminatingReplicas"], parts: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"], ready: "readyReplicas",
};
const KINDS: Readonly<Record<string, Counts>> = {
  Deployment: {
    counts: ["observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas", "terminatingReplicas", "collisionCount"],
    parts: ["updatedReplicas", "readyReplicas", "availableReplicas"], ready: "readyReplicas", collisions: true,
  },
  ReplicaSet: REPLICAS,
  ReplicationController: REPLICAS,
  StatefulSet: {
    counts: ["replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas", "observedGeneration", "collisionCount"],
    parts: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"], ready: "status.readyReplicas", collisions: true,
  },
  DaemonSet: {
    counts: ["currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady", "observedGeneration", "updatedNumberScheduled", "numberAvailable", "numberUnavailable", "collisionCount"], parts: [], collisions: true,
  },
};

/** What a controller may say about its Pods. */
export function validateWorkloadStatus(object: KubeObject, old: KubeObject): FieldError[] {
  const kind = KINDS[object.kind];
  if (kind === undefined) return [];
  const status = json(object.status);
  const count = (key: string): number => number(status[key]) ?? 0;
  const errors = nonnegatives(status, "status", kind.counts);
  for (const key of kind.parts) if (count(key) > count("replicas")) errors.push(invalid(`status.${key}`, count(key), "cannot be greater than status.replicas"));
  if (kind.ready !== undefined && count("availableReplicas") > count("readyReplicas")) errors.push(invalid("status.availableReplicas", count("availableReplicas"), `cannot be greater than ${kind.ready}`));
  const before = number(json(old.status)["collisionCount"]);
  if (kind.collisions && before !== undefined && count("collisionCount") < before) errors.push(invalid("status.collisionCount", count("collisionCount"), "cannot be decremented"));
  return errors;
}
