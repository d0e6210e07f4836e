// Models kubernetes/pkg/api/v1/pod/util.go and kubernetes/pkg/controller/controller_utils.go: questions about Pods
import { parseRfc3339 } from "../api/time.ts";
import type { Condition, KubeObject, OwnerReference, Pod } from "../api/types.ts";
import type { Micros } from "../kernel/types.ts";

export const conditionOf = (object: { readonly status?: { readonly conditions?: readonly Condition[] } }, type: string): Condition | undefined => object.status?.conditions?.find((condition) => condition.type === type);

export const isPodReady = (pod: Pod): boolean => conditionOf(pod, "Ready")?.status === "True";

export const isPodTerminal = (pod: Pod): boolean => pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded";

type Statuses = readonly { readonly state?: { readonly running?: unknown; readonly waiting?: unknown; readonly terminated?: unknown } }[] | undefined;
const noneRuns = (statuses: Statuses): boolean => (statuses ?? []).every((status) => (status.state?.terminated ?? status.state?.waiting) !== undefined);

/** volumeutil.IsPodTerminated: it has ended, or is being deleted and nothing of it runs. */
export const isPodTerminated = (pod: Pod): boolean => isPodTerminal(pod) || (pod.metadata.deletionTimestamp !== undefined && noneRuns(pod.status?.initContainerStatuses) && noneRuns(pod.status?.containerStatuses));

/** Neither finished nor terminating. */
export const isPodActive = (pod: Pod): boolean => !isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;

/** Microseconds of the Ready condition's last transition; undefined when it has none. */
export function readySince(pod: Pod): Micros | undefined {
  const text = conditionOf(pod, "Ready")?.lastTransitionTime;
  const at = text ? parseRfc3339(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Ready for at least `minReadySeconds`. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, now: Micros): boolean {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1_000_000 <= now;
}

export const controllerOf = (object: KubeObject): OwnerReference | undefined => object.metadata.ownerReferences?.find((reference) => reference.controller === true);

export const ownerReferenceTo = (owner: KubeObject): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name ?? "",
  uid: owner.metadata.uid ?? "",
  controller: true,
  blockOwnerDeletion: true,
});

/** Sets one condition: its lastTransitionTime changes with the status only. Returns the same list if nothing changes. */
export function withCondition(conditions: readonly Condition[] | undefined, next: Condition): readonly Condition[] {
  const list = conditions ?? [];
  const at = list.findIndex((entry) => entry.type === next.type);
  const old = list[at];
  if (old === undefined) return [...list, next];
  if (old.status === next.status && old.reason === next.reason && old.message === next.message) return list;
  return list.with(at, old.status === next.status ? { ...next, lastTransitionTime: old.lastTransitionTime ?? null } : next);
}
