// Models kubernetes/pkg/kubelet/status/generate.go
import { isRestartableInitContainer } from "../api/pod-resources.ts";
import type { Condition, ContainerStatus, Pod, PodStatus } from "../api/types.ts";
import type { RuntimePod } from "../cri/messages.ts";
import { podSandboxChanged } from "./pod-actions.ts";

type Draft = Pick<Condition, "status" | "reason" | "message">;
const TRUE: Draft = { status: "True" };
const list = (names: readonly string[]): string => `[${names.join(" ")}]`;
const notReady = (reason: string, unknown: readonly string[], others: readonly string[], adjective: string): Draft => ({
  status: "False",
  reason,
  message: [...(unknown.length > 0 ? [`containers with unknown status: ${list(unknown)}`] : []), ...(others.length > 0 ? [`containers with ${adjective} status: ${list(others)}`] : [])].join(", "),
});

export function containersReady(pod: Pod, statuses: readonly ContainerStatus[] | undefined, phase: string): Draft {
  if (statuses === undefined) return { status: "False", reason: "UnknownContainerStatuses" };
  const unknown: string[] = [];
  const unready: string[] = [];
  for (const container of [...(pod.spec.initContainers ?? []).filter(isRestartableInitContainer), ...pod.spec.containers]) {
    const status = statuses.find((candidate) => candidate.name === container.name);
    if (status === undefined) unknown.push(container.name);
    else if (!status.ready) unready.push(container.name);
  }
  if (phase === "Succeeded" && unknown.length === 0) return { status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  return unknown.length + unready.length > 0 ? notReady("ContainersNotReady", unknown, unready, "unready") : TRUE;
}

export function podReady(pod: Pod, conditions: readonly Condition[], statuses: readonly ContainerStatus[] | undefined, phase: string): Draft {
  const base = containersReady(pod, statuses, phase);
  if (base.status !== "True") return base;
  const messages = (pod.spec.readinessGates ?? []).flatMap((gate) => {
    const condition = conditions.find((candidate) => candidate.type === gate.conditionType);
    if (condition === undefined) return [`corresponding condition of pod readiness gate "${gate.conditionType}" does not exist.`];
    return condition.status === "True" ? [] : [`the status of pod readiness gate "${gate.conditionType}" is not "True", but ${condition.status}`];
  });
  return messages.length === 0 ? TRUE : { status: "False", reason: "ReadinessGatesNotReady", message: messages.join(", ") };
}

export function podInitialized(pod: Pod, old: PodStatus | undefined, statuses: readonly ContainerStatus[] | undefined, phase: string): Draft {
  const inits = pod.spec.initContainers ?? [];
  if (statuses === undefined && inits.length > 0) return { status: "False", reason: "UnknownContainerStatuses" };
  const unknown: string[] = [];
  const incomplete: string[] = [];
  for (const container of inits) {
    const status = statuses?.find((candidate) => candidate.name === container.name);
    if (status === undefined) unknown.push(container.name);
    else if (isRestartableInitContainer(container) ? !status.started : !status.ready) incomplete.push(container.name);
  }
  if (phase === "Succeeded" && unknown.length === 0) return { status: "True", reason: "PodCompleted" };
  const regular = pod.spec.containers.map((container) => statuses?.find((candidate) => candidate.name === container.name));
  // Once a regular container has started, the Pod stays initialized, whatever its sidecars do.
  if (regular.some((status) => status?.started || status?.lastState?.terminated || status?.state?.terminated || status?.state?.running)) return TRUE;
  if (unknown.length + incomplete.length === 0) return TRUE;
  if (old?.conditions?.some((condition) => condition.type === "Initialized" && condition.status === "True")) return TRUE;
  return notReady("ContainersNotInitialized", unknown, incomplete, "incomplete");
}

export const podReadyToStartContainers = (pod: Pod, runtime: RuntimePod | undefined): Draft => (podSandboxChanged(pod, runtime).changed ? { status: "False" } : TRUE);

/** A condition of the Pod, with the fields as they go on the wire. */
export function condition(pod: Pod, type: string, draft: Draft): Condition {
  return { type, ...draft, lastProbeTime: null, ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }) };
}

const OWNED = new Set(["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled", "PodResizePending", "PodResizeInProgress", "AllContainersRestarting"]);
/** Conditions that only the kubelet writes. */
export const isKubeletCondition = (type: string): boolean => OWNED.has(type);
