// Models kubernetes/pkg/controller/deployment/{progress,sync}.go: the Deployment's status and conditions
import { parseRfc3339, rfc3339 } from "../../api/time.ts";
import type { Condition, Deployment, ReplicaSet } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { maxUnavailable, replicasOf, sumReplicas } from "./rolling.ts";

export type DeploymentStatus = NonNullable<Deployment["status"]>;

export const condition = (type: string, status: string, reason: string, message: string, now: Micros): Condition => ({ type, status, lastUpdateTime: rfc3339(now), lastTransitionTime: rfc3339(now), reason, message });

export const getCondition = (status: DeploymentStatus | undefined, type: string): Condition | undefined => status?.conditions?.find((entry) => entry.type === type);

export const removeCondition = (status: DeploymentStatus, type: string): DeploymentStatus => (getCondition(status, type) ? { ...status, conditions: (status.conditions ?? []).filter((entry) => entry.type !== type) } : status);

/** SetDeploymentCondition: same status and reason change nothing; otherwise the condition moves to the end of the list. */
export function setCondition(status: DeploymentStatus, next: Condition): DeploymentStatus {
  const old = getCondition(status, next.type);
  if (old && old.status === next.status && old.reason === next.reason) return status;
  const kept = old && old.status === next.status ? { ...next, lastTransitionTime: old.lastTransitionTime ?? null } : next;
  return { ...status, conditions: [...(status.conditions ?? []).filter((entry) => entry.type !== next.type), kept] };
}

// MaxInt32 stands for "no deadline".
const NO_DEADLINE = 2_147_483_647;
export const hasProgressDeadline = (d: Deployment): boolean => d.spec.progressDeadlineSeconds !== undefined && d.spec.progressDeadlineSeconds !== NO_DEADLINE;

const sum = (sets: readonly ReplicaSet[], field: "replicas" | "readyReplicas" | "availableReplicas"): number => sets.reduce((total, rs) => total + (rs.status?.[field] ?? 0), 0);

const nonZero = <K extends string>(key: K, value: number): { readonly [P in K]?: number } => (value === 0 ? {} : ({ [key]: value } as { readonly [P in K]?: number }));

/** calculateStatus: counts over all ReplicaSets and the Available condition. Zero counts are left out, as on the wire. */
export function calculateStatus(d: Deployment, all: readonly ReplicaSet[], newRS: ReplicaSet | undefined, now: Micros): DeploymentStatus {
  const available = sum(all, "availableReplicas");
  const terminating = terminatingReplicas(all);
  const status: DeploymentStatus = {
    ...(d.metadata.generation === undefined ? {} : { observedGeneration: d.metadata.generation }),
    ...nonZero("replicas", sum(all, "replicas")),
    ...nonZero("updatedReplicas", newRS?.status?.replicas ?? 0),
    ...nonZero("readyReplicas", sum(all, "readyReplicas")),
    ...nonZero("availableReplicas", available),
    ...nonZero("unavailableReplicas", Math.max(0, sumReplicas(all) - available)),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(d.status?.collisionCount === undefined ? {} : { collisionCount: d.status.collisionCount }),
    ...(d.status?.conditions === undefined ? {} : { conditions: d.status.conditions }),
  };
  const enough = available >= replicasOf(d) - maxUnavailable(d);
  return setCondition(status, enough ? condition("Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.", now) : condition("Available", "False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.", now));
}

export function isComplete(d: Deployment, status: DeploymentStatus | undefined): boolean {
  const desired = replicasOf(d);
  return (status?.updatedReplicas ?? 0) === desired && (status?.replicas ?? 0) === desired && (status?.availableReplicas ?? 0) === desired && (status?.observedGeneration ?? 0) >= (d.metadata.generation ?? 0);
}

function isProgressing(d: Deployment, next: DeploymentStatus): boolean {
  const old = d.status;
  const oldLeft = (old?.replicas ?? 0) - (old?.updatedReplicas ?? 0);
  const newLeft = (next.replicas ?? 0) - (next.updatedReplicas ?? 0);
  return (next.updatedReplicas ?? 0) > (old?.updatedReplicas ?? 0) || newLeft < oldLeft || (next.readyReplicas ?? 0) > (old?.readyReplicas ?? 0) || (next.availableReplicas ?? 0) > (old?.availableReplicas ?? 0);
}

function isTimedOut(d: Deployment, status: DeploymentStatus, now: Micros): boolean {
  const current = getCondition(status, "Progressing");
  if (!hasProgressDeadline(d) || !current || current.reason === "NewReplicaSetAvailable") return false;
  if (current.reason === "ProgressDeadlineExceeded") return true;
  return parseRfc3339(current.lastUpdateTime ?? "") + (d.spec.progressDeadlineSeconds ?? 0) * 1_000_000 < now;
}

/** The sum over the sets; unknown while a set that was counted does not tell. */
function terminatingReplicas(all: readonly ReplicaSet[]): number | undefined {
  let total = 0;
  for (const { status } of all) {
    if (status?.terminatingReplicas !== undefined) total += status.terminatingReplicas;
    else if ((status?.observedGeneration ?? 0) !== 0) return undefined;
  }
  return total;
}

function replicaFailure(all: readonly ReplicaSet[], newRS: ReplicaSet | undefined): Condition | undefined {
  const failureOf = (rs: ReplicaSet | undefined): Condition | undefined => rs?.status?.conditions?.find((entry) => entry.type === "ReplicaFailure");
  return failureOf(newRS) ?? all.map(failureOf).find((entry) => entry !== undefined);
}

/** syncRolloutStatus: the status after one sync of a rollout, with its Progressing and ReplicaFailure conditions. */
export function rolloutStatus(d: Deployment, all: readonly ReplicaSet[], newRS: ReplicaSet | undefined, now: Micros): DeploymentStatus {
  let status = calculateStatus(d, all, newRS, now);
  if (!hasProgressDeadline(d)) status = removeCondition(status, "Progressing");
  const current = getCondition(d.status, "Progressing");
  const done = (status.replicas ?? 0) === (status.updatedReplicas ?? 0) && current?.reason === "NewReplicaSetAvailable";
  if (hasProgressDeadline(d) && !done) {
    const name = newRS ? `ReplicaSet "${newRS.metadata.name ?? ""}"` : `Deployment "${d.metadata.name ?? ""}"`;
    if (isComplete(d, status)) status = setCondition(status, condition("Progressing", "True", "NewReplicaSetAvailable", `${name} has successfully progressed.`, now));
    else if (isProgressing(d, status)) {
      const next = condition("Progressing", "True", "ReplicaSetUpdated", `${name} is progressing.`, now);
      const since = current?.status === "True" ? { lastTransitionTime: current.lastTransitionTime ?? null } : {};
      status = setCondition(removeCondition(status, "Progressing"), { ...next, ...since });
    } else if (isTimedOut(d, status, now)) status = setCondition(status, condition("Progressing", "False", "ProgressDeadlineExceeded", `${name} has timed out progressing.`, now));
  }
  const failure = replicaFailure(all, newRS);
  if (!failure) return removeCondition(status, "ReplicaFailure");
  const since = failure.lastTransitionTime ?? null;
  return setCondition(status, { type: "ReplicaFailure", status: failure.status, lastUpdateTime: since, lastTransitionTime: since, reason: failure.reason ?? "", message: failure.message ?? "" });
}

/**
 * requeueStuckDeployment: after how long to look again whether the rollout is stuck; undefined when it cannot get stuck.
 * Simplified: within the last second, and for as long as Pods are missing after a finished rollout, upstream looks again at once, up to ten times a second.
 */
export function stuckCheckAfter(d: Deployment, status: DeploymentStatus, now: Micros): Micros | undefined {
  const current = getCondition(d.status, "Progressing");
  if (!current || !hasProgressDeadline(d) || isComplete(d, status) || current.reason === "ProgressDeadlineExceeded" || current.reason === "NewReplicaSetAvailable") return undefined;
  const left = parseRfc3339(current.lastUpdateTime ?? "") + (d.spec.progressDeadlineSeconds ?? 0) * 1_000_000 - now;
  return left < 1_000_000 ? Math.max(0, left) + 5_000 : left + 1_000_000;
}

const CONDITION_FIELDS = ["type", "status", "reason", "message", "lastUpdateTime", "lastTransitionTime"] as const;
const COUNT_FIELDS = ["observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas", "collisionCount"] as const;

export function sameStatus(a: DeploymentStatus | undefined, b: DeploymentStatus): boolean {
  if (COUNT_FIELDS.some((field) => (a?.[field] ?? 0) !== (b[field] ?? 0)) || a?.terminatingReplicas !== b.terminatingReplicas) return false;
  const [x, y] = [a?.conditions ?? [], b.conditions ?? []];
  return x === y || (x.length === y.length && x.every((entry, i) => CONDITION_FIELDS.every((field) => entry[field] === y[i]?.[field])));
}
