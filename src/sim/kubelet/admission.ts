// Models kubernetes/pkg/kubelet/kubelet.go HandlePodAdditions and lifecycle/predicate.go
import { podRequests } from "../api/pod-resources.ts";
import { milliValue, value } from "../api/quantity.ts";
import type { Node, Pod } from "../api/types.ts";
import { allocateDevices } from "./device-manager.ts";
import { pressures } from "./eviction-manager.ts";
import { admitResources, admitUnderPressure, type NodeVerdict } from "./eviction.ts";
import { admitDuringShutdown } from "./node-shutdown.ts";
import { isTerminalPhase } from "./pod-status.ts";
import { admitSysctls } from "./sysctl.ts";
import type { Turn } from "./turn.ts";

/** What the node's other Pods ask for: CPU in milli-CPU, the rest in units. */
function usedBy(pods: readonly Pod[]): Readonly<Record<string, number>> {
  const used: Record<string, number> = { pods: pods.length };
  for (const pod of pods) for (const [name, quantity] of Object.entries(podRequests(pod.spec))) used[name] = (used[name] ?? 0) + (name === "cpu" ? milliValue(quantity) : value(quantity));
  return used;
}

/** The Pods that take up room on the node besides this one. */
const othersThan = (turn: Turn, pod: Pod): readonly Pod[] => turn.state.workers.values().filter((worker) => worker.uid !== pod.metadata.uid && worker.phase !== "terminated" && worker.phase !== "finished" && !isTerminalPhase(worker.pod.status?.phase)).map((worker) => worker.pod);

/** The refusal for want of resources, if what the other Pods leave is not enough. */
export function roomFor(turn: Turn, pod: Pod): NodeVerdict | undefined {
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  // Devices are counted by their manager: the node's allocatable is at least what it has given away.
  const allocatable = Object.fromEntries(Object.entries(node?.status?.allocatable ?? {}).filter(([name]) => turn.state.hardware.devices[name] === undefined));
  return node && admitResources(pod, allocatable, usedBy(othersThan(turn, pod)));
}

/** Whether the node takes a Pod that the scheduler gave it; the refusal otherwise. */
export function canAdmitPod(turn: Turn, pod: Pod): NodeVerdict | undefined {
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  if (!node) return undefined;
  const pressure = admitUnderPressure(pod, pressures(turn));
  if (pressure) return pressure;
  const sysctls = admitSysctls(pod);
  if (sysctls) return sysctls;
  const devices = allocateDevices(turn.state.hardware, pod, othersThan(turn, pod));
  if (devices) return devices;
  const resources = roomFor(turn, pod);
  if (resources) return resources;
  const labels = node.metadata.labels ?? {};
  const mismatch = Object.entries(pod.spec.nodeSelector ?? {}).some(([key, text]) => labels[key] !== text);
  if (!mismatch) return admitDuringShutdown(turn);
  return { reason: "NodeAffinity", message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector" };
}
