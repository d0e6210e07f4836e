// Models kubernetes/pkg/controller/job/indexed_job_utils.go
import type { Pod, PodSpec } from "../../api/types.ts";
import { activePodsOrder } from "../replicaset/ranking.ts";
import { isPodFailed, matchPodFailurePolicy } from "./pod-failure-policy.ts";
import type { Job } from "./types.ts";

export const COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
export const INDEX_FAILURE_COUNT = "batch.kubernetes.io/job-index-failure-count";
export const INDEX_IGNORED_FAILURE_COUNT = "batch.kubernetes.io/job-index-ignored-failure-count";
/** MaxGeneratedNameLength: five random characters follow. */
const MAX_PREFIX = 58;
const MAX_INT32 = 2_147_483_647;

const numberOf = (text: string | undefined): number | undefined => (text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined);

export const indexOfPod = (pod: Pod): number | undefined => numberOf(pod.metadata.annotations?.[COMPLETION_INDEX]);

/** The Pod's index if the Job still has it. */
export function validIndex(pod: Pod, job: Job): number | undefined {
  const index = indexOfPod(pod);
  return index !== undefined && index < (job.spec.completions ?? 0) ? index : undefined;
}

export const indexesOf = (pods: readonly Pod[]): readonly number[] => pods.map(indexOfPod).filter((index) => index !== undefined);

/** A count that a user broke is none. */
function countOf(pod: Pod, annotation: string): number {
  const count = numberOf(pod.metadata.annotations?.[annotation]) ?? 0;
  return count > MAX_INT32 ? 0 : count;
}

const failureCount = (pod: Pod): number => countOf(pod, INDEX_FAILURE_COUNT);
const ignoredCount = (pod: Pod): number => countOf(pod, INDEX_IGNORED_FAILURE_COUNT);

/** Failures of an index up to this Pod, whether they counted or not. */
export const absoluteFailures = (pod: Pod): number => failureCount(pod) + ignoredCount(pod);

/** Whether the Pod's failure uses up its index (backoffLimitPerIndex, or a rule that says FailIndex). */
export function isIndexFailed(job: Job, pod: Pod): boolean {
  if (!isPodFailed(pod, job)) return false;
  const verdict = matchPodFailurePolicy(job.spec.podFailurePolicy, pod);
  return verdict.action === "FailIndex" || (verdict.counts && failureCount(pod) >= (job.spec.backoffLimitPerIndex ?? 0));
}

/** What the next Pod of an index carries on from the one it replaces. */
export function failureAnnotations(job: Job, replaced: Pod | undefined): Readonly<Record<string, string>> {
  if (!replaced) return { [INDEX_FAILURE_COUNT]: "0" };
  const { counts } = matchPodFailurePolicy(job.spec.podFailurePolicy, replaced);
  const ignored = ignoredCount(replaced) + (counts ? 0 : 1);
  return { [INDEX_FAILURE_COUNT]: String(failureCount(replaced) + (counts ? 1 : 0)), ...(ignored > 0 ? { [INDEX_IGNORED_FAILURE_COUNT]: String(ignored) } : {}) };
}

/** Of active Pods with the same index all but one go, and those of indexes that the Job does not have. */
export function duplicates(pods: readonly Pod[], completions: number): { readonly surplus: readonly Pod[]; readonly left: readonly Pod[] } {
  const byIndex = new Map<number, Pod[]>();
  for (const pod of [...pods].sort((a, b) => (indexOfPod(a) ?? -1) - (indexOfPod(b) ?? -1))) byIndex.set(indexOfPod(pod) ?? -1, [...(byIndex.get(indexOfPod(pod) ?? -1) ?? []), pod]);
  const surplus: Pod[] = [];
  const left: Pod[] = [];
  for (const [index, same] of byIndex) {
    if (index < 0 || index >= completions) {
      surplus.push(...same);
      continue;
    }
    same.sort(activePodsOrder);
    surplus.push(...same.slice(0, -1));
    left.push(...same.slice(-1));
  }
  return { surplus, left };
}

/** "calc-3-", cut in the Job's name if it gets too long. */
export function generateNameOf(job: Job, index: number): string {
  const end = `-${index}-`;
  const name = job.metadata.name ?? "";
  return name.length + end.length > MAX_PREFIX ? name.slice(0, MAX_PREFIX - end.length) + end : name + end;
}

/** Containers learn their index from the Pod's label. */
export function withIndexVariable(spec: PodSpec): PodSpec {
  const variable = { name: "JOB_COMPLETION_INDEX", valueFrom: { fieldRef: { fieldPath: `metadata.labels['${COMPLETION_INDEX}']` } } };
  const add = (containers: PodSpec["containers"]): PodSpec["containers"] => containers.map((container) => (container.env?.some((entry) => entry.name === variable.name) ? container : { ...container, env: [...(container.env ?? []), variable] }));
  return { ...spec, containers: add(spec.containers), ...(spec.initContainers ? { initContainers: add(spec.initContainers) } : {}) };
}
