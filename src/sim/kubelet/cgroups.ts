// Models kubernetes/pkg/kubelet/cm/{node_container_manager_linux,qos_container_manager_linux,pod_container_manager_linux}.go
import { podRequests } from "../api/pod-resources.ts";
import { computePodQOS } from "../api/qos.ts";
import { milliValue, value } from "../api/quantity.ts";
import type { Node, Pod } from "../api/types.ts";
import type { CgroupValues } from "../cri/messages.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Micros } from "../kernel/types.ts";
import { cpuSharesToCPUWeight, milliCPUToShares, MIN_SHARES, podCgroup, podCgroupPath, QUOTA_PERIOD } from "./cm.ts";
import type { Worker } from "./state.ts";
import type { Turn } from "./turn.ts";

const ROOT = "/kubepods.slice";
const BURSTABLE = `${ROOT}/kubepods-burstable.slice`;
const BEST_EFFORT = `${ROOT}/kubepods-besteffort.slice`;
const NO_QUOTA = `max ${QUOTA_PERIOD}`;
/** periodicQOSCgroupUpdateInterval */
const QOS_PERIOD: Micros = 60_000_000;

const weightOf = (milliCPU: number): string => String(cpuSharesToCPUWeight(milliCPUToShares(milliCPU)));

/** The cgroup over all Pods, bounded by what the node has less what is reserved; hard eviction thresholds do not lower it. */
export function nodeCgroups(node: Node | undefined): PMap<CgroupValues> {
  const capacity = node?.status?.capacity;
  const memory = value(capacity?.["memory"]);
  return PMap.empty<CgroupValues>().set(ROOT, { "cpu.weight": weightOf(milliValue(capacity?.["cpu"])), "cpu.max": NO_QUOTA, "memory.max": memory > 0 ? String(memory) : "max" });
}

/** The cgroups of the QoS classes: Burstable weighs what its Pods request together, BestEffort always 1. Guaranteed Pods stand beside them. */
export function withQosCgroups(cgroups: PMap<CgroupValues>, workers: PMap<Worker>): PMap<CgroupValues> {
  let requested = 0;
  for (const { pod, phase } of workers.values()) if (phase !== "finished" && computePodQOS(pod.spec) === "Burstable") requested += milliValue(podRequests(pod.spec)["cpu"]);
  return put(put(cgroups, BURSTABLE, weightOf(requested)), BEST_EFFORT, String(cpuSharesToCPUWeight(MIN_SHARES)));
}

function put(cgroups: PMap<CgroupValues>, path: string, weight: string): PMap<CgroupValues> {
  return cgroups.get(path)?.["cpu.weight"] === weight ? cgroups : cgroups.set(path, { "cpu.weight": weight, "cpu.max": NO_QUOTA, "memory.max": "max" });
}

/** Refreshes the QoS cgroups and makes the Pod's own. */
export function makePodCgroup(turn: Turn, pod: Pod): void {
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  const cgroups = turn.state.cgroups.size === 0 ? nodeCgroups(node) : turn.state.cgroups;
  turn.set({ cgroups: withQosCgroups(cgroups, turn.state.workers).set(podCgroupPath(pod), podCgroup(pod)), qosCgroupsAt: turn.now });
}

/** The Pod's cgroup is removed with its last process. */
export function removePodCgroup(turn: Turn, pod: Pod): void {
  turn.set({ cgroups: turn.state.cgroups.delete(podCgroupPath(pod)) });
}

/** Once a minute the QoS classes' weights follow the Pods that have gone; called with the heartbeats, so up to 10 s late. */
export function refreshQosCgroups(turn: Turn): void {
  if (turn.now - turn.state.qosCgroupsAt < QOS_PERIOD) return;
  turn.set({ cgroups: withQosCgroups(turn.state.cgroups, turn.state.workers), qosCgroupsAt: turn.now });
}
