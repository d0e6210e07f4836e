// Models kubernetes/pkg/controller/job/job_controller.go: conditions of a Job
import { rfc3339 } from "../../api/time.ts";
import type { Condition } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";

export const newCondition = (type: string, status: string, reason: string, message: string, now: Micros): Condition => ({ type, status, lastProbeTime: rfc3339(now), lastTransitionTime: rfc3339(now), reason, message });

export const findCondition = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined => conditions?.find((entry) => entry.type === type);

/** The condition if it is True. */
export const trueCondition = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined => conditions?.find((entry) => entry.type === type && entry.status === "True");

/** The list with the condition so; the same list when it is so already. A condition that never was is not added as False. */
export function ensureCondition(conditions: readonly Condition[], next: Condition): readonly Condition[] {
  const at = conditions.findIndex((entry) => entry.type === next.type);
  const old = conditions[at];
  if (old === undefined) return next.status === "False" ? conditions : [...conditions, next];
  return old.status === next.status && old.reason === next.reason && old.message === next.message ? conditions : conditions.with(at, next);
}
