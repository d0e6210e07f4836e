import type { Condition, ContainerStatus, Pod } from "../../../sim/api/types.ts";
import { broken, type Invariant, subjectOf, versionsUnder } from "./invariant.ts";

const isOver = (pod: Pod): boolean => pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
const condition = (pod: Pod, type: string): Condition | undefined => pod.status?.conditions?.find((candidate) => candidate.type === type);
const isTrue = (pod: Pod, type: string): boolean => condition(pod, type)?.status === "True";

/** Containers that Ready asks for: the ordinary ones and the sidecars. */
function asked(pod: Pod): readonly { readonly name: string; readonly status: ContainerStatus | undefined }[] {
  const sidecars = (pod.spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  return [...sidecars, ...pod.spec.containers].map(({ name = "" }) => ({ name, status: statuses.find((status) => status.name === name) }));
}

/** A rule of one version: a sentence if it is broken. */
const RULES: readonly ((pod: Pod) => string | undefined)[] = [
  (pod) => (isTrue(pod, "Ready") && !isTrue(pod, "ContainersReady") ? "is Ready, but not ContainersReady" : undefined),
  (pod) => {
    const open = isTrue(pod, "ContainersReady") ? asked(pod).find(({ status }) => status?.ready !== true) : undefined;
    return open && `is ContainersReady, but container ${open.name} is not ready`;
  },
  (pod) => {
    const open = asked(pod).find(({ status }) => status?.ready === true && status.state?.running === undefined);
    return open && `container ${open.name} is ready and does not run`;
  },
  (pod) => (isTrue(pod, "PodScheduled") && (pod.spec.nodeName ?? "") === "" ? "is PodScheduled on no node" : undefined),
  (pod) => ((pod.spec.nodeName ?? "") !== "" && condition(pod, "PodScheduled")?.status === "False" ? `is on ${pod.spec.nodeName ?? ""}, but PodScheduled is False` : undefined),
  (pod) => ((pod.spec.nodeName ?? "") === "" && ((pod.status?.containerStatuses ?? []).length > 0 || (pod.status?.podIP ?? "") !== "") ? "has containers or an address and no node" : undefined),
  (pod) => {
    const status = pod.status?.phase === "Running" ? pod.status.containerStatuses?.find(({ state, lastState }) => state?.waiting !== undefined && lastState?.terminated === undefined) : undefined;
    return status && `is Running, but container ${status.name} has never run`;
  },
  (pod) => {
    const status = pod.status?.phase === "Succeeded" ? pod.status.containerStatuses?.find(({ state }) => state?.terminated?.exitCode !== 0) : undefined;
    return status && `is Succeeded, but container ${status.name} is ${JSON.stringify(status.state)}`;
  },
  (pod) => {
    const status = isOver(pod) ? pod.status?.containerStatuses?.find(({ state }) => state?.running !== undefined) : undefined;
    return status && `is ${pod.status?.phase ?? ""}, but container ${status.name} runs`;
  },
  (pod) => {
    const types = (pod.status?.conditions ?? []).map(({ type }) => type);
    return new Set(types).size === types.length ? undefined : `has a condition twice: ${types.join(", ")}`;
  },
];

/** A rule of two versions of one Pod. */
const CHANGES: readonly ((before: Pod, pod: Pod) => string | undefined)[] = [
  (before, pod) => (isOver(before) && pod.status?.phase !== before.status?.phase ? `was ${before.status?.phase ?? ""} and is ${pod.status?.phase ?? ""}` : undefined),
  (before, pod) => ((before.spec.nodeName ?? "") !== "" && before.spec.nodeName !== pod.spec.nodeName ? `moves from ${before.spec.nodeName ?? ""} to ${pod.spec.nodeName ?? ""}` : undefined),
  (before, pod) => {
    const fallen = pod.status?.containerStatuses?.find(({ name, restartCount = 0 }) => restartCount < (before.status?.containerStatuses?.find((old) => old.name === name)?.restartCount ?? 0));
    return fallen && `container ${fallen.name} has ${fallen.restartCount ?? 0} restarts, fewer than before`;
  },
];

/** A condition may turn twice between two writes, but never at a time before the last turn that was told. Of Ready tells the node controller too, and a kubelet that was cut off comes with its older news. */
function turnsBack(before: Pod, pod: Pod): string | undefined {
  const moved = pod.status?.conditions?.find(({ type, lastTransitionTime }) => type !== "Ready" && (lastTransitionTime ?? "") < (before.status?.conditions?.find((candidate) => candidate.type === type)?.lastTransitionTime ?? ""));
  return moved && `condition ${moved.type} is ${moved.status} since ${moved.lastTransitionTime ?? "never"}, before it became what it was`;
}

/** Conditions, phase and statuses of containers of each stored version of a Pod agree; versions follow each other as they may. */
export const conditions: Invariant = {
  id: "conditions",
  says: "a Pod's conditions are consistent with its statuses",
  check: (run) => {
    // With a clock of its own a node may well say that something ended before it began.
    const changes = run.recipe.inputs.some((input) => input.type === "fault" && input.id === "clock.skew") ? CHANGES : [...CHANGES, turnsBack];
    return versionsUnder<Pod>(run, "/registry/pods/").flatMap(({ at, key, object, before }) => {
      if (object === undefined) return [];
      const said = [...RULES.map((rule) => (before !== undefined && rule(before) !== undefined ? undefined : rule(object))), ...(before === undefined ? [] : changes.map((rule) => rule(before, object)))];
      return said.flatMap((what) => (what === undefined ? [] : [broken(at, subjectOf(key), what)]));
    });
  },
};
