// Models kubernetes/pkg/kubelet/eviction/{eviction_manager,helpers}.go
import { isRestartableInitContainer } from "../api/pod-resources.ts";
import { computePodQOS } from "../api/qos.ts";
import { canonicalQuantity, milliValue, value } from "../api/quantity.ts";
import { isExtendedResourceName } from "../api/validation/resources.ts";
import { tolerates } from "../api/tolerations.ts";
import type { Pod, Quantity, ResourceList } from "../api/types.ts";
import { podLimits, podRequests } from "../api/pod-resources.ts";

/** How a Pod is refused or ended by the node itself. */
export interface NodeVerdict {
  readonly reason: string;
  readonly message: string;
  /** Ended for the node's sake: the Pod gets the condition DisruptionTarget. */
  readonly disrupts?: true;
  /** A Pod that has succeeded is not made to have failed. */
  readonly keepsSuccess?: true;
}

/** "memory" for memory.available, "ephemeral-storage" for nodefs and imagefs, "pids" for pid.available. */
export function resourceOfSignal(signal: string): string {
  if (signal.startsWith("memory")) return "memory";
  if (signal.startsWith("pid")) return "pids";
  return signal.endsWith("inodesFree") ? "inodes" : "ephemeral-storage";
}

export const isCriticalPod = (pod: Pod): boolean => {
  const source = pod.metadata.annotations?.["kubernetes.io/config.source"];
  return (source !== undefined && source !== "api") || pod.metadata.annotations?.["kubernetes.io/config.mirror"] !== undefined || (pod.spec.priority ?? 0) >= 2_000_000_000;
};

/** Refuses new Pods on a node under pressure. `pressures`: its conditions that are True. */
export function admitUnderPressure(pod: Pod, pressures: readonly string[]): NodeVerdict | undefined {
  if (pressures.length === 0 || isCriticalPod(pod)) return undefined;
  if (pressures.length === 1 && pressures[0] === "MemoryPressure") {
    if (computePodQOS(pod.spec) !== "BestEffort") return undefined;
    if (tolerates(pod.spec.tolerations, { key: "node.kubernetes.io/memory-pressure", effect: "NoSchedule" })) return undefined;
  }
  return { reason: "Evicted", message: `The node had condition: [${pressures.join(" ")}]. ` };
}

/** Models the resource part of lifecycle.generalFilter: "OutOf<resource>" when the request no longer fits. Quantities of cpu in milli-CPU. */
export function admitResources(pod: Pod, allocatable: ResourceList, used: Readonly<Record<string, number>>): NodeVerdict | undefined {
  const requests: ResourceList = { pods: 1, ...podRequests(pod.spec) };
  for (const [name, quantity] of Object.entries(requests)) {
    const amount = name === "cpu" ? milliValue(quantity) : value(quantity);
    const capacity = name === "cpu" ? milliValue(allocatable[name]) : value(allocatable[name]);
    // removeMissingExtendedResources: what the node knows nothing of is not its concern.
    if (amount === 0 || allocatable[name] === undefined && (name === "cpu" || name === "memory" || name === "pods" || name === "ephemeral-storage" || isExtendedResourceName(name))) continue;
    const taken = used[name] ?? 0;
    if (amount + taken > capacity) return { reason: `OutOf${name}`, message: `Node didn't have enough resource: ${name}, requested: ${amount}, used: ${taken}, capacity: ${capacity}` };
  }
  return undefined;
}

const requestOf = (pod: Pod, resource: string): number => value(podRequests(pod.spec)[resource]);

export interface PodUsage {
  readonly pod: Pod;
  /** Bytes in use (or processes, inodes). */
  readonly usage: number;
}

/** Evicted first is first: above its request, then lower priority, then the larger excess. */
export function rankForEviction(pods: readonly PodUsage[], resource: string): readonly PodUsage[] {
  const requested = resource === "memory" || resource === "ephemeral-storage";
  // Upstream takes the request for bytes from inodes as well, but asks for none whether they are exceeded.
  const excess = (entry: PodUsage): number => entry.usage - (resource === "pids" ? 0 : requestOf(entry.pod, resource === "inodes" ? "ephemeral-storage" : resource));
  const exceeds = (entry: PodUsage): boolean => (requested ? excess(entry) > 0 : resource === "inodes" && entry.usage > 0);
  return [...pods].sort((a, b) => {
    const over = Number(exceeds(b)) - Number(exceeds(a));
    if (over !== 0) return over;
    const priority = (a.pod.spec.priority ?? 0) - (b.pod.spec.priority ?? 0);
    return priority !== 0 ? priority : excess(b) - excess(a);
  });
}

/** The message of a node-pressure eviction; names the containers above their request. `usage`: by container. */
export function evictionMessage(pod: Pod, signal: string, threshold: Quantity, available: Quantity, usage: Readonly<Record<string, Quantity>>): string {
  const resource = resourceOfSignal(signal);
  let message = `The node was low on resource: ${resource}. `;
  message += `Threshold quantity: ${canonicalQuantity(threshold)}, available: ${canonicalQuantity(available)}. `;
  for (const container of [...(pod.spec.initContainers ?? []).filter(isRestartableInitContainer), ...pod.spec.containers]) {
    const used = usage[container.name];
    const request = container.resources?.requests?.[resource] ?? "0";
    if (used === undefined || value(used) <= value(request)) continue;
    message += `Container ${container.name} was using ${canonicalQuantity(used)}, request is ${canonicalQuantity(request)}, has larger consumption of ${resource}. `;
  }
  return message;
}

/** Limits of local storage that end a Pod: emptyDir sizeLimit, Pod total, container. `volumes` by name, `containers` by name (absent: both are in the first). */
export function localStorageEviction(pod: Pod, volumes: Readonly<Record<string, Quantity>>, containers = volumes): NodeVerdict | undefined {
  for (const volume of pod.spec.volumes ?? []) {
    const limit = volume.emptyDir?.sizeLimit;
    if (limit !== undefined && value(limit) > 0 && value(volumes[volume.name]) > value(limit)) return { reason: "Evicted", message: `Usage of EmptyDir volume "${volume.name}" exceeds the limit "${canonicalQuantity(limit)}". ` };
  }
  const total = podLimits(pod.spec)["ephemeral-storage"];
  const used = [...Object.values(volumes), ...(containers === volumes ? [] : Object.values(containers))].reduce<number>((sum, quantity) => sum + value(quantity), 0);
  if (total !== undefined && used > value(total)) return { reason: "Evicted", message: `Pod ephemeral local storage usage exceeds the total limit of containers ${canonicalQuantity(total)}. ` };
  for (const container of pod.spec.containers) {
    const limit = container.resources?.limits?.["ephemeral-storage"];
    if (limit !== undefined && value(limit) > 0 && value(containers[container.name]) > value(limit)) return { reason: "Evicted", message: `Container ${container.name} exceeded its local ephemeral storage limit "${canonicalQuantity(limit)}". ` };
  }
  return undefined;
}
