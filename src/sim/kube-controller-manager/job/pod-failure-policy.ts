// Models kubernetes/pkg/controller/job/pod_failure_policy.go
import type { ContainerStatus, Pod } from "../../api/types.ts";
import { type ExitCodeRule, type Job, onlyReplaceFailedPods, type PodFailurePolicy } from "./types.ts";

/** What a policy says of a failed Pod. */
export interface PolicyVerdict {
  /** Why the whole Job fails. */
  readonly failJob?: string;
  readonly counts: boolean;
  readonly action?: PodFailurePolicy["rules"][number]["action"];
}

/** Failed, or being deleted where such Pods are replaced at once. */
export function isPodFailed(pod: Pod, job: Job): boolean {
  if (pod.status?.phase === "Failed") return true;
  return !onlyReplaceFailedPods(job) && pod.metadata.deletionTimestamp !== undefined && pod.status?.phase !== "Succeeded";
}

function matchingContainer(pod: Pod, rule: ExitCodeRule): ContainerStatus | undefined {
  const matches = (status: ContainerStatus): boolean => {
    const code = status.state?.terminated?.exitCode;
    if (code === undefined || code === 0 || (rule.containerName !== undefined && rule.containerName !== status.name)) return false;
    return rule.operator === "In" ? rule.values.includes(code) : rule.operator === "NotIn" && !rule.values.includes(code);
  };
  return pod.status?.containerStatuses?.find(matches) ?? pod.status?.initContainerStatuses?.find(matches);
}

/** The first rule that matches decides. Without a policy a failure counts. */
export function matchPodFailurePolicy(policy: PodFailurePolicy | undefined, pod: Pod): PolicyVerdict {
  const name = `${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`;
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    let why: string;
    if (rule.onExitCodes) {
      const container = matchingContainer(pod, rule.onExitCodes);
      if (!container) continue;
      why = `Container ${container.name} for pod ${name} failed with exit code ${container.state?.terminated?.exitCode ?? 0}`;
    } else {
      const found = pod.status?.conditions?.find((entry) => rule.onPodConditions?.some((pattern) => pattern.type === entry.type && (pattern.status ?? "True") === entry.status));
      if (!found) continue;
      why = `Pod ${name} has condition ${found.type}`;
    }
    return { counts: rule.action !== "Ignore", action: rule.action, ...(rule.action === "FailJob" ? { failJob: `${why} matching ${rule.action} rule at index ${index}` } : {}) };
  }
  return { counts: true };
}

/** Why the Job fails because of one of its Pods; undefined if none says so. */
export function failJobMessage(job: Job, pods: readonly Pod[]): string | undefined {
  const { podFailurePolicy } = job.spec;
  if (!podFailurePolicy) return undefined;
  for (const pod of pods) {
    const message = isPodFailed(pod, job) ? matchPodFailurePolicy(podFailurePolicy, pod).failJob : undefined;
    if (message !== undefined) return message;
  }
  return undefined;
}
