// Models kubernetes/pkg/api/v1/pod/util.go, pkg/kubelet/container/helpers.go
import type { Container, Pod, PodSpec, PodStatus } from "../api/types.ts";
import type { RuntimeContainerStatus, RuntimePod } from "../cri/messages.ts";

function matchingRule(container: Container, exitCode: number): string | undefined {
  for (const rule of container.restartPolicyRules ?? []) {
    const values = rule.exitCodes?.values ?? [];
    if (rule.exitCodes?.operator === "In" ? values.includes(exitCode) : rule.exitCodes?.operator === "NotIn" && !values.includes(exitCode)) return rule.action;
  }
  return undefined;
}

/** Whether a container that exited with `exitCode` is started again: its rules, else its policy, else the Pod's. */
export function containerShouldRestart(container: Container, spec: PodSpec, exitCode: number): boolean {
  if (container.restartPolicy !== undefined) {
    if (matchingRule(container, exitCode) !== undefined) return true;
    return container.restartPolicy === "Always" || (container.restartPolicy === "OnFailure" && exitCode !== 0);
  }
  const policy = spec.restartPolicy ?? "Always";
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}

/** Whether the exit asks for a restart of all containers of the Pod. */
export const asksRestartAll = (container: Container, exitCode: number): boolean => container.restartPolicy !== undefined && matchingRule(container, exitCode) === "RestartAllContainers";

/** Whether some container has a rule that restarts all. */
export const couldAllRestart = (pod: Pod): boolean => [...(pod.spec.initContainers ?? []), ...pod.spec.containers].some((container) => container.restartPolicyRules?.some((rule) => rule.action === "RestartAllContainers") ?? false);

/** The newest container of a name in the runtime. */
export const findContainer = (runtime: RuntimePod | undefined, name: string): RuntimeContainerStatus | undefined => runtime?.containers.find((container) => container.name === name);

/** Models ShouldContainerBeRestarted: absent, created and unknown containers always; a deleted Pod's never. */
export function shouldContainerBeRestarted(container: Container, pod: Pod, runtime: RuntimePod | undefined): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  const status = findContainer(runtime, container.name);
  if (status === undefined) return true;
  if (status.state === "running") return false;
  if (status.state === "unknown" || status.state === "created") return true;
  return containerShouldRestart(container, pod.spec, status.exitCode);
}

/** Whether any exit asks that all containers start anew, by the runtime or by what the status `known` says of it. */
export function shouldAllContainersRestart(pod: Pod, runtime: RuntimePod | undefined, known: PodStatus | undefined = pod.status): boolean {
  if (!couldAllRestart(pod)) return false;
  if (known?.conditions?.some((condition) => condition.type === "AllContainersRestarting" && condition.status === "True")) return true;
  const statuses = [...(known?.initContainerStatuses ?? []), ...(known?.containerStatuses ?? [])];
  return [...(pod.spec.initContainers ?? []), ...pod.spec.containers].some((container) => {
    const status = findContainer(runtime, container.name);
    if (status?.state === "exited" && asksRestartAll(container, status.exitCode)) return true;
    const ended = statuses.find((candidate) => candidate.name === container.name)?.state?.terminated;
    return ended !== undefined && ended !== null && asksRestartAll(container, ended.exitCode);
  });
}
