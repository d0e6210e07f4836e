// Models kubernetes/pkg/util/pod/pod.go PatchPodStatus and pkg/kubelet/status/status_manager.go mergePodStatus
import type { Condition, Pod, PodStatus } from "../api/types.ts";
import { isKubeletCondition } from "./conditions.ts";
import { deepEqual } from "./deep-equal.ts";
import { isTerminalPhase } from "./pod-status.ts";

type Patch = Record<string, unknown>;

/** lastTransitionTime moves only when the condition's status does. `now` as RFC 3339. */
export function withTransitionTimes(status: PodStatus, old: PodStatus | undefined, now: string): PodStatus {
  const conditions = (status.conditions ?? []).map((condition): Condition => {
    if (!isKubeletCondition(condition.type) && condition.type !== "DisruptionTarget") return condition;
    const before = old?.conditions?.find((candidate) => candidate.type === condition.type);
    return { ...condition, lastTransitionTime: before && before.status === condition.status && before.lastTransitionTime ? before.lastTransitionTime : now };
  });
  return { ...status, conditions, startTime: old?.startTime ?? status.startTime ?? now };
}

/** The status to write: foreign conditions stay, a terminal phase waits until nothing can run any more. */
export function mergePodStatus(current: PodStatus | undefined, next: PodStatus, couldHaveRunningContainers: boolean): { readonly status: PodStatus; readonly heldBack: boolean } {
  const terminalNow = !isTerminalPhase(current?.phase) && isTerminalPhase(next.phase);
  const foreign = (current?.conditions ?? []).filter((condition) => !isKubeletCondition(condition.type));
  const own = (next.conditions ?? []).filter((condition) => isKubeletCondition(condition.type));
  const disruption = terminalNow && !couldHaveRunningContainers ? next.conditions?.find((condition) => condition.type === "DisruptionTarget") : undefined;
  const conditions = [...foreign.filter((condition) => !(disruption && condition.type === "DisruptionTarget")), ...(disruption ? [disruption] : []), ...own];
  let status: PodStatus = { ...next, conditions };
  const heldBack = terminalNow && couldHaveRunningContainers;
  if (heldBack) {
    const { reason: _, message: __, ...rest } = status;
    status = { ...rest, phase: current?.phase ?? "Pending", ...(current?.reason === undefined ? {} : { reason: current.reason }), ...(current?.message === undefined ? {} : { message: current.message }) };
  }
  if (isTerminalPhase(status.phase)) {
    const reason = status.phase === "Failed" ? "PodFailed" : "PodCompleted";
    status = { ...status, conditions: (status.conditions ?? []).map((condition): Condition => ((condition.type === "Ready" || condition.type === "ContainersReady") && condition.status === "True" ? { ...condition, status: "False", reason } : condition)) };
  }
  return { status, heldBack };
}

function conditionPatch(before: Condition | undefined, after: Condition): Patch {
  if (before === undefined) return { ...after };
  const patch: Patch = { type: after.type };
  const left = before as unknown as Readonly<Record<string, unknown>>;
  const right = after as unknown as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(right)) if (!deepEqual(left[key], right[key])) patch[key] = right[key];
  for (const key of Object.keys(left)) if (left[key] !== undefined && left[key] !== null && right[key] === undefined) patch[key] = null;
  return patch;
}

type Addresses = readonly { readonly ip: string }[] | undefined;

/** Lists that merge by their items' ip: an address that is gone must be deleted, or it stays beside the new one. */
const ADDRESS_LISTS = new Set(["podIPs", "hostIPs"]);

function addressPatch(before: Addresses, after: Addresses): unknown {
  const gone = (before ?? []).filter(({ ip }) => !after?.some((other) => other.ip === ip));
  return [...(after ?? []), ...gone.map(({ ip }) => ({ $patch: "delete", ip }))];
}

/** Strategic-merge patch from one status to another; undefined if nothing differs. */
export function statusPatch(pod: Pod, before: PodStatus | undefined, after: PodStatus): Patch | undefined {
  const patch: Patch = {};
  const left = (before ?? {}) as unknown as Readonly<Record<string, unknown>>;
  const right = after as unknown as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(right)) {
    if (key === "conditions" || deepEqual(left[key], right[key])) continue;
    patch[key] = ADDRESS_LISTS.has(key) ? addressPatch(left[key] as Addresses, right[key] as Addresses) : right[key];
  }
  for (const key of Object.keys(left)) if (left[key] !== undefined && right[key] === undefined && OWNED_FIELDS.has(key)) patch[key] = null;
  const conditions = (after.conditions ?? []).flatMap((condition) => {
    const old = before?.conditions?.find((candidate) => candidate.type === condition.type);
    return deepEqual(old, condition) ? [] : [conditionPatch(old, condition)];
  });
  const gone = (before?.conditions ?? []).filter((condition) => !after.conditions?.some((candidate) => candidate.type === condition.type));
  if (conditions.length + gone.length > 0) {
    patch["conditions"] = [...conditions, ...gone.map((condition) => ({ $patch: "delete", type: condition.type }))];
    patch["$setElementOrder/conditions"] = (after.conditions ?? []).map((condition) => ({ type: condition.type }));
  }
  if (Object.keys(patch).length === 0) return undefined;
  return { metadata: { uid: pod.metadata.uid }, status: patch };
}

const OWNED_FIELDS = new Set(["message", "reason", "podIP", "podIPs", "containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"]);
