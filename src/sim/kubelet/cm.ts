// Models kubernetes/pkg/kubelet/cm/{helpers_linux,cgroup_manager_linux}.go, pkg/kubelet/qos/policy.go
import { aggregateContainerLimits, isRestartableInitContainer, podRequests } from "../api/pod-resources.ts";
import { computePodQOS } from "../api/qos.ts";
import { milliValue, value } from "../api/quantity.ts";
import type { Container, Pod } from "../api/types.ts";
import type { CgroupValues, LinuxContainerResources } from "../cri/messages.ts";

export const MIN_SHARES = 2;
export const MAX_SHARES = 262_144;
export const QUOTA_PERIOD = 100_000;
const MIN_QUOTA = 1000;

/** cpu.shares of a CPU request in milli-CPU. */
export function milliCPUToShares(milliCPU: number): number {
  if (milliCPU === 0) return MIN_SHARES;
  return Math.min(MAX_SHARES, Math.max(MIN_SHARES, Math.trunc((milliCPU * 1024) / 1000)));
}

/** CFS quota in microseconds a period; 0 for no limit. */
export function milliCPUToQuota(milliCPU: number, period: number = QUOTA_PERIOD): number {
  if (milliCPU === 0) return 0;
  return Math.max(MIN_QUOTA, Math.trunc((milliCPU * period) / 1000));
}

/** cpu.weight as the kubelet writes it for QoS and Pod cgroups: linear. */
export const cpuSharesToCPUWeight = (shares: number): number => Math.trunc(((shares - 2) * 9999) / 262_142) + 1;

/** Back again, as the kubelet reads a weight: truncated. */
export const cpuWeightToCPUShares = (weight: number): number => Math.trunc(((weight - 1) * 262_142) / 9999) + 2;

/** What the CRI is told for one container. `nodeMemory`: the node's memory capacity in bytes. */
export function containerResources(pod: Pod, container: Container, nodeMemory: number): LinuxContainerResources {
  const requests = container.resources?.requests;
  const limits = container.resources?.limits;
  const cpuRequest = requests?.["cpu"] === undefined && limits?.["cpu"] !== undefined ? limits["cpu"] : requests?.["cpu"];
  const memoryLimit = value(limits?.["memory"]);
  return {
    cpuShares: milliCPUToShares(milliValue(cpuRequest)),
    cpuQuota: milliCPUToQuota(milliValue(limits?.["cpu"])),
    cpuPeriod: QUOTA_PERIOD,
    memoryLimitInBytes: memoryLimit,
    oomScoreAdj: oomScoreAdj(pod, container, nodeMemory),
    unified: { "memory.oom.group": "1", "memory.swap.max": "0" },
  };
}

const isNodeCritical = (pod: Pod): boolean => pod.spec.priorityClassName === "system-node-critical" || (pod.spec.priority ?? 0) >= 2_000_001_000;

function ownScore(container: Container, capacity: number): number {
  return 1000 - Math.trunc((1000 * value(container.resources?.requests?.["memory"] ?? container.resources?.limits?.["memory"])) / capacity);
}

/** oom_score_adj: the higher, the sooner the kernel kills it. `capacity` in bytes. */
export function oomScoreAdj(pod: Pod, container: Container, capacity: number): number {
  if (isNodeCritical(pod)) return -997;
  const qos = computePodQOS(pod.spec);
  if (qos === "Guaranteed") return -997;
  if (qos === "BestEffort") return 1000;
  let score = ownScore(container, capacity);
  const sidecar = (pod.spec.initContainers ?? []).some((other) => other.name === container.name && isRestartableInitContainer(other));
  // A sidecar must not die before the container it serves: no higher than that of the regular container that asks for least.
  if (sidecar) score = Math.min(score, ...smallestRegular(pod, capacity));
  if (score < 3) return 3;
  return score === 1000 ? 999 : score;
}

function smallestRegular(pod: Pod, capacity: number): number[] {
  const requests = pod.spec.containers.map((container) => value(container.resources?.requests?.["memory"]));
  return requests.length === 0 ? [] : [1000 - Math.trunc((1000 * Math.min(...requests)) / capacity)];
}

/** Whether every container (init ones too) sets the limit: only then does the Pod's cgroup get it. */
function everyLimit(pod: Pod, resource: string): boolean {
  return [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].every((container) => container.resources?.limits?.[resource] !== undefined && value(container.resources.limits[resource]) + milliValue(container.resources.limits[resource]) > 0);
}

/** Values of the Pod's own cgroup, written by the kubelet (cgroup v2). */
export function podCgroup(pod: Pod): CgroupValues {
  const qos = computePodQOS(pod.spec);
  const requests = podRequests(pod.spec);
  const limits = aggregateContainerLimits(pod.spec);
  const shares = qos === "BestEffort" ? MIN_SHARES : milliCPUToShares(milliValue(requests["cpu"]));
  const quota = qos !== "BestEffort" && (pod.spec.resources?.limits?.["cpu"] !== undefined || everyLimit(pod, "cpu")) ? milliCPUToQuota(milliValue(pod.spec.resources?.limits?.["cpu"] ?? limits["cpu"])) : 0;
  const memory = qos !== "BestEffort" && (pod.spec.resources?.limits?.["memory"] !== undefined || everyLimit(pod, "memory")) ? value(pod.spec.resources?.limits?.["memory"] ?? limits["memory"]) : 0;
  return { "cpu.weight": String(cpuSharesToCPUWeight(shares)), "cpu.max": quota > 0 ? `${quota} ${QUOTA_PERIOD}` : `max ${QUOTA_PERIOD}`, "memory.max": memory > 0 ? String(memory) : "max" };
}

/** "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod<uid>.slice" (systemd driver). */
export function podCgroupPath(pod: Pod): string {
  const uid = (pod.metadata.uid ?? "").replaceAll("-", "_");
  const qos = computePodQOS(pod.spec);
  if (qos === "Guaranteed") return `/kubepods.slice/kubepods-pod${uid}.slice`;
  const name = qos.toLowerCase();
  return `/kubepods.slice/kubepods-${name}.slice/kubepods-${name}-pod${uid}.slice`;
}
