// Models kubernetes/pkg/apis/batch: what the Job controller reads and writes
import type { Condition, KubeObject, LabelSelector, PodTemplateSpec } from "../../api/types.ts";

export interface ExitCodeRule {
  readonly containerName?: string;
  readonly operator: string;
  readonly values: readonly number[];
}

export interface PodFailurePolicy {
  readonly rules: readonly {
    readonly action: "FailJob" | "FailIndex" | "Ignore" | "Count";
    readonly onExitCodes?: ExitCodeRule;
    readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[];
  }[];
}

export interface SuccessPolicy {
  readonly rules: readonly { readonly succeededIndexes?: string; readonly succeededCount?: number }[];
}

export interface UncountedTerminatedPods {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
}

export interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly terminating?: number;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly conditions?: readonly Condition[];
  readonly uncountedTerminatedPods?: UncountedTerminatedPods;
}

export interface Job extends KubeObject {
  readonly spec: {
    readonly parallelism?: number;
    readonly completions?: number;
    readonly activeDeadlineSeconds?: number;
    readonly backoffLimit?: number;
    readonly backoffLimitPerIndex?: number;
    readonly maxFailedIndexes?: number;
    readonly selector?: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly ttlSecondsAfterFinished?: number;
    readonly completionMode?: string;
    readonly suspend?: boolean;
    readonly podReplacementPolicy?: string;
    readonly managedBy?: string;
    readonly podFailurePolicy?: PodFailurePolicy;
    readonly successPolicy?: SuccessPolicy;
  };
  readonly status?: JobStatus;
}

/** Jobs of other controllers are none of this one's business. */
export const isManagedElsewhere = (job: Job): boolean => job.spec.managedBy !== undefined && job.spec.managedBy !== "kubernetes.io/job-controller";

export const isIndexed = (job: Job): boolean => job.spec.completionMode === "Indexed";

export const hasBackoffLimitPerIndex = (job: Job): boolean => isIndexed(job) && job.spec.backoffLimitPerIndex !== undefined;

const isTrue = (job: Job, type: string): boolean => job.status?.conditions?.some((entry) => entry.type === type && entry.status === "True") ?? false;

export const isFinished = (job: Job): boolean => isTrue(job, "Complete") || isTrue(job, "Failed");

/** A Pod is replaced only when it has failed, not yet when it is terminating. */
export const onlyReplaceFailedPods = (job: Job): boolean => job.spec.podReplacementPolicy === "Failed" || job.spec.podFailurePolicy !== undefined;
