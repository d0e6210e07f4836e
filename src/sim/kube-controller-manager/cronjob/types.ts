// Models kubernetes/pkg/apis/batch: what the CronJob controller reads and writes
import type { Condition, KubeObject, ObjectMeta, ObjectReference } from "../../api/types.ts";

export interface CronStatus {
  readonly active?: readonly ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}

export interface CronJob extends KubeObject {
  readonly spec: {
    readonly schedule: string;
    readonly timeZone?: string;
    readonly startingDeadlineSeconds?: number;
    readonly concurrencyPolicy?: string;
    readonly suspend?: boolean;
    readonly jobTemplate: { readonly metadata?: ObjectMeta; readonly spec: unknown };
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
  };
  readonly status?: CronStatus;
}

export type ChildJob = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[]; readonly completionTime?: string; readonly startTime?: string } };

/** FinishedCondition: Complete, Failed, or undefined. */
export const endOf = (job: ChildJob): string | undefined => job.status?.conditions?.find((entry) => (entry.type === "Complete" || entry.type === "Failed") && entry.status === "True")?.type;

export const nameOf = (object: KubeObject): string => object.metadata.name ?? "";

export const activeOf = (cronJob: CronJob): readonly ObjectReference[] => cronJob.status?.active ?? [];

/** deleteFromActiveList; an empty list is left out. */
export function withoutActive(cronJob: CronJob, uid: string | undefined): CronJob {
  const { active = [], ...rest } = cronJob.status ?? {};
  const left = active.filter((reference) => reference.uid !== uid);
  return { ...cronJob, status: { ...rest, ...(left.length > 0 ? { active: left } : {}) } };
}

/** byJobStartTime: those that have not started last, then by name. */
export function byStartTime(a: ChildJob, b: ChildJob): number {
  const [x, y] = [a.status?.startTime, b.status?.startTime];
  if (x === y) return nameOf(a) < nameOf(b) ? -1 : 1;
  if (x === undefined || y === undefined) return x === undefined ? 1 : -1;
  return x < y ? -1 : 1;
}
