import { computePodQOS } from "../../../../sim/api/qos.ts";
import type { Pod } from "../../../../sim/api/types.ts";
import { containerCgroupFiles, containerCpuWeight } from "../../../../sim/cri/cgroup.ts";
import { containerResources, cpuSharesToCPUWeight, cpuWeightToCPUShares, milliCPUToQuota, milliCPUToShares, oomScoreAdj, podCgroup } from "../../../../sim/kubelet/cm.ts";
import type { Adapter } from "../../adapter.ts";

interface CgroupInput {
  readonly shares?: readonly number[];
  readonly weights?: readonly number[];
  readonly cpuWeight?: readonly number[];
  readonly milliCPU?: readonly number[];
  readonly periodMicroseconds?: number;
  readonly pod?: Pod;
  readonly node?: { readonly memoryCapacityBytes?: number };
}

function runCgroup(input: unknown): unknown {
  const { shares, milliCPU, periodMicroseconds, pod, node, weights: w, cpuWeight } = input as CgroupInput;
  const weights = w ?? cpuWeight;
  const of = milliCPU?.map((milli) => milliCPUToShares(milli)) ?? shares;
  const out: Record<string, unknown> = {};
  if (of) Object.assign(out, { cpuShares: of, podCgroupWeight: of.map(cpuSharesToCPUWeight), containerCgroupWeight: of.map(containerCpuWeight) });
  if (milliCPU) out["quotaMicroseconds"] = milliCPU.map((milli) => milliCPUToQuota(milli, periodMicroseconds));
  if (weights) out["cpuShares"] = weights.map(cpuWeightToCPUShares);
  if (pod) {
    const perContainer = pod.spec.containers.map((container) => {
      const cri = containerResources(pod, container, node?.memoryCapacityBytes ?? 8_000_000_000);
      return [container.name, { cri, files: containerCgroupFiles(cri) }] as const;
    });
    Object.assign(out, perContainer[0]?.[1], { containers: Object.fromEntries(perContainer), podCgroup: podCgroup(pod), podFiles: podCgroup(pod) });
  }
  return out;
}

interface QosInput {
  readonly pod?: Pod;
  readonly pods?: readonly Pod[];
  readonly node?: { readonly memoryCapacityBytes: number };
}

/** oom_score_adj under every name a case may use: container, Pod, Pod/container. */
function runQos(input: unknown): unknown {
  const { pod, pods = pod ? [pod] : [], node } = input as QosInput;
  const scores: Record<string, number> = {};
  const classes: Record<string, string> = {};
  for (const one of pods) {
    const name = one.metadata.name ?? "";
    classes[name] = computePodQOS(one.spec);
    for (const container of [...one.spec.containers, ...(one.spec.initContainers ?? [])].reverse()) {
      const score = oomScoreAdj(one, container, node?.memoryCapacityBytes ?? 8_000_000_000);
      scores[`${name}/${container.name}`] = score;
      scores[container.name] = score;
      if (container === one.spec.containers[0]) scores[name] = score;
    }
  }
  return { qosClass: pod ? classes[pod.metadata.name ?? ""] : classes, oomScoreAdj: scores };
}

export const cgroup: Adapter = { kind: "cgroup", run: runCgroup };
export const qosOom: Adapter = { kind: "qos-oom", run: runQos };
