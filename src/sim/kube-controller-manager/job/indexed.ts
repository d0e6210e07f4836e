// Models kubernetes/pkg/controller/job/indexed_job_utils.go
import type { Pod } from "../../api/types.ts";
import { isPodActive } from "../pods.ts";

const INDEX = "batch.kubernetes.io/job-completion-index";

export function indexOfPod(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[INDEX];
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

export const succeededIndexes = (pods: readonly Pod[]): readonly number[] =>
  [...new Set(pods.filter((pod) => pod.status?.phase === "Succeeded").map(indexOfPod).filter((index) => index !== undefined))].sort((a, b) => a - b);

/** The lowest indexes that neither succeeded nor have an active Pod. */
export function nextIndexes(pods: readonly Pod[], completions: number, count: number): readonly number[] {
  const taken = new Set<number>(succeededIndexes(pods));
  for (const pod of pods) {
    const index = indexOfPod(pod);
    if (index !== undefined && isPodActive(pod)) taken.add(index);
  }
  const found: number[] = [];
  for (let index = 0; index < completions && found.length < count; index++) if (!taken.has(index)) found.push(index);
  return found;
}

/** "0-2,4": runs of three and more are shortened, two stay apart ("0,1"). */
export function formatIndexes(indexes: readonly number[]): string {
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
