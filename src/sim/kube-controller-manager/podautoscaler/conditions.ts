// Models kubernetes/pkg/controller/podautoscaler/horizontal.go (setCondition, setStatus, updateStatusIfNeeded)
import { rfc3339 } from "../../api/time.ts";
import type { Condition } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import type { Autoscaler } from "./types.ts";

export type ConditionType = "AbleToScale" | "ScalingActive" | "ScalingLimited";

/** Reason and message are always the newest; the time changes with the status alone. */
export function setCondition(hpa: Autoscaler, type: ConditionType, status: "True" | "False", reason: string, message: string, now: Micros): Autoscaler {
  const conditions = hpa.status?.conditions ?? [];
  const at = conditions.findIndex((entry) => entry.type === type);
  const old = conditions[at];
  const next: Condition = { type, status, lastTransitionTime: old?.status === status ? (old.lastTransitionTime ?? null) : rfc3339(now), reason, message };
  return { ...hpa, status: { ...hpa.status, conditions: old === undefined ? [...conditions, next] : conditions.with(at, next) } };
}

interface Sizes {
  readonly current: number;
  readonly desired: number;
  readonly metrics: readonly unknown[] | null;
  readonly rescaledAt?: Micros;
}

/** The status made anew; the time of the last change of size stays. */
export function withSizes(hpa: Autoscaler, { current, desired, metrics, rescaledAt }: Sizes): Autoscaler {
  const last = rescaledAt === undefined ? hpa.status?.lastScaleTime : rfc3339(rescaledAt);
  const conditions = hpa.status?.conditions;
  return { ...hpa, status: { ...(last === undefined ? {} : { lastScaleTime: last }), currentReplicas: current, desiredReplicas: desired, currentMetrics: metrics, ...(conditions === undefined ? {} : { conditions }) } };
}

const text = (status: Autoscaler["status"]): string =>
  JSON.stringify([status?.lastScaleTime ?? "", status?.currentReplicas ?? 0, status?.desiredReplicas ?? 0, status?.currentMetrics ?? [], (status?.conditions ?? []).map((entry) => [entry.type, entry.status, entry.reason, entry.message, entry.lastTransitionTime])]);

export const sameStatus = (a: Autoscaler["status"], b: Autoscaler["status"]): boolean => text(a) === text(b);
