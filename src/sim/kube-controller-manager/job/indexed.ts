// Models kubernetes/pkg/controller/job/indexed_job_utils.go. Simplified: upstream keeps intervals, here are sorted lists
import type { Pod, PodSpec } from "../../api/types.ts";
import { deletionOrder } from "../replicaset/ranking.ts";
import { isPodFailed, matchPodFailurePolicy } from "./pod-failure-policy.ts";
import type { Job } from "./types.ts";

export const COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
export const INDEX_FAILURE_COUNT = "batch.kubernetes.io/job-index-failure-count";
export const INDEX_IGNORED_FAILURE_COUNT = "batch.kubernetes.io/job-index-ignored-failure-count";
const COUNTED_PREFIX = 63 - 5;

type Indexes = readonly number[];

const numberOf = (text: string | undefined): number | undefined => (text === undefined || !/^\d+$/.test(text) ? undefined : Number(text));

export const indexOfPod = (pod: Pod): number | undefined => numberOf(pod.metadata.annotations?.[COMPLETION_INDEX]);

/** The Pod's index if the Job still has it. */
export function validIndex(pod: Pod, job: Job): number | undefined {
  const index = indexOfPod(pod);
  return index !== undefined && index < (job.spec.completions ?? 0) ? index : undefined;
}

export function mergeIndexes(a: Indexes, b: Indexes): Indexes {
  return b.length === 0 ? a : [...new Set([...a, ...b])].sort((x, y) => x - y);
}

/** "0-2,4" as a list, without what is not below `completions`. */
export function parseIndexes(text: string | undefined, completions: number): Indexes {
  const found: number[] = [];
  for (const part of (text ?? "").split(",")) {
    const [first, last = first] = part.split("-").map(numberOf);
    if (first === undefined || last === undefined) continue;
    for (let index = first; index <= last && index < completions; index++) found.push(index);
  }
  return found;
}

/** "0-2,4": runs of three and more are shortened, two stay apart ("0,1"). */
export function formatIndexes(indexes: Indexes): string {
  const parts: string[] = [];
  for (let i = 0; i < indexes.length; ) {
    let end = i;
    while (indexes[end + 1] === (indexes[end] ?? 0) + 1) end++;
    if (end - i >= 2) parts.push(`${indexes[i] ?? 0}-${indexes[end] ?? 0}`);
    else for (let j = i; j <= end; j++) parts.push(String(indexes[j] ?? 0));
    i = end + 1;
  }
  return parts.join(",");
}

/** The lowest indexes that are not taken. */
export function firstPending(taken: Indexes, completions: number, count: number): Indexes {
  const known = new Set(taken);
  const found: number[] = [];
  for (let index = 0; index < completions && found.length < count; index++) if (!known.has(index)) found.push(index);
  return found;
}

export const indexesOf = (pods: readonly Pod[]): Indexes => pods.map(indexOfPod).filter((index) => index !== undefined);

const failureCount = (pod: Pod): number => numberOf(pod.metadata.annotations?.[INDEX_FAILURE_COUNT]) ?? 0;
const ignoredCount = (pod: Pod): number => numberOf(pod.metadata.annotations?.[INDEX_IGNORED_FAILURE_COUNT]) ?? 0;

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
  const surplus: Pod[] = [];
  for (const pod of pods) {
    const index = indexOfPod(pod);
    if (index === undefined || index >= completions) surplus.push(pod);
    else byIndex.set(index, [...(byIndex.get(index) ?? []), pod]);
  }
  const left: Pod[] = [];
  for (const same of byIndex.values()) {
    same.sort((a, b) => deletionOrder(a, b, 0, 0, undefined));
    surplus.push(...same.slice(0, -1));
    left.push(...same.slice(-1));
  }
  return { surplus, left };
}

/** "calc-3-", cut in the Job's name if it gets too long. */
export function generateNameOf(job: Job, index: number): string {
  const end = `-${index}-`;
  const name = job.metadata.name ?? "";
  return name.length + end.length > COUNTED_PREFIX ? name.slice(0, COUNTED_PREFIX - end.length) + end : name + end;
}

/** Containers learn their index from the Pod's label. */
export function withIndexVariable(spec: PodSpec): PodSpec {
  const variable = { name: "JOB_COMPLETION_INDEX", valueFrom: { fieldRef: { fieldPath: `metadata.labels['${COMPLETION_INDEX}']` } } };
  const add = (containers: PodSpec["containers"]): PodSpec["containers"] => containers.map((container) => (container.env?.some((entry) => entry.name === variable.name) ? container : { ...container, env: [...(container.env ?? []), variable] }));
  return { ...spec, containers: add(spec.containers), ...(spec.initContainers ? { initContainers: add(spec.initContainers) } : {}) };
}
