import { parseRfc3339 } from "../api/time.ts";
import { hexId } from "../api/ids.ts";
import { value } from "../api/quantity.ts";
import type { Pod } from "../api/types.ts";
import { nodeNamed, podsOn } from "../api/world.ts";
import type { RuntimeContainerStatus, SettledPod } from "../cri/messages.ts";
import { containerResources } from "./cm.ts";
import { hostnameOf, sandboxConfig } from "./sandbox-config.ts";
import type { KubeletNode } from "./state.ts";
import { containerNamed } from "./turn.ts";

const microsOf = (text: string | null | undefined): number => {
  const at = text ? parseRfc3339(text) : 0;
  return Number.isNaN(at) ? 0 : at;
};

/** This node's Pods of the settled world that have containers: with what the kubelet told the runtime, and what the runtime says of them. */
export function settledPods(config: KubeletNode): readonly SettledPod[] {
  const { world, node } = config;
  const memory = value(nodeNamed(world, node.name)?.status?.capacity?.["memory"]) || 8_000_000_000;
  return podsOn(world, node.name).flatMap((pod) => settledPod(pod, config, memory));
}

function settledPod(pod: Pod, config: KubeletNode, memory: number): readonly SettledPod[] {
  const statuses = pod.status?.containerStatuses?.filter((status) => status.containerID) ?? [];
  if (statuses.length === 0) return [];
  const uid = pod.metadata.uid ?? "";
  const sandboxId = hexId(config.world.seed, `sandbox/${uid}/0`);
  const hostNetwork = pod.spec.hostNetwork ?? false;
  const running = statuses.some((status) => status.state?.running);
  const createdAt = microsOf(pod.status?.startTime);
  const containers = statuses.map((status): RuntimeContainerStatus => {
    const ended = status.state?.terminated;
    return {
      id: (status.containerID ?? "").replace("containerd://", ""), name: status.name, sandboxId, attempt: status.restartCount, state: status.state?.running ? "running" : "exited", createdAt,
      startedAt: microsOf(status.state?.running?.startedAt ?? ended?.startedAt), finishedAt: microsOf(ended?.finishedAt), exitCode: ended?.exitCode ?? 0, reason: ended?.reason ?? "", message: ended?.message ?? "",
      image: status.image, imageRef: status.imageID, hash: "", resources: containerResources(pod, containerNamed(pod, status.name) ?? { name: status.name }, memory),
    };
  });
  const sandbox = { id: sandboxId, attempt: 0, state: running ? "READY" : "NOTREADY", createdAt, ip: hostNetwork ? "" : (pod.status?.podIP ?? ""), hostNetwork } as const;
  return [{ pod, config: sandboxConfig(pod, 0, config, hostnameOf(pod, config.node.name)), runtime: { uid, namespace: pod.metadata.namespace ?? "default", name: pod.metadata.name ?? "", sandboxes: [sandbox], containers } }];
}
