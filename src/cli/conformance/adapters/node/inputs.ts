import type { ContainerStatus, Pod, PodStatus } from "../../../../sim/api/types.ts";
import type { RuntimeContainerStatus, RuntimePod, SandboxStatus } from "../../../../sim/cri/messages.ts";
import { containerHash } from "../../../../sim/kubelet/pod-actions.ts";

/** The runtime's state as the cases write it. */
export interface RuntimeInput {
  readonly sandbox?: SandboxInput | null;
  readonly sandboxes?: readonly SandboxInput[];
  readonly containers?: readonly ContainerInput[];
}
interface SandboxInput {
  readonly state?: string;
  readonly ip?: string;
  readonly attempt?: number;
  readonly hostNetwork?: boolean;
}
interface ContainerInput {
  readonly name: string;
  readonly state: string;
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly restartCount?: number;
  readonly specHashMatches?: boolean;
  readonly startedAt?: string;
  readonly finishedAt?: string;
}

const NO_RESOURCES = { cpuShares: 2, cpuQuota: 0, cpuPeriod: 100_000, memoryLimitInBytes: 0, oomScoreAdj: 0, unified: {} };

export function runtimeOf(pod: Pod, input: RuntimeInput | undefined): RuntimePod | undefined {
  const list = input?.sandboxes ?? (input?.sandbox ? [input.sandbox] : []);
  if (list.length === 0 && (input?.containers ?? []).length === 0) return undefined;
  const sandboxes = list.map((sandbox, i): SandboxStatus => ({ id: `sandbox-${i}`, attempt: sandbox.attempt ?? 0, state: sandbox.state === "READY" ? "READY" : "NOTREADY", createdAt: 0, ip: sandbox.ip ?? "", hostNetwork: sandbox.hostNetwork ?? pod.spec.hostNetwork ?? false }));
  const all = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
  const containers = (input?.containers ?? []).map((container): RuntimeContainerStatus => {
    const spec = all.find((candidate) => candidate.name === container.name);
    return {
      id: `id-${container.name}`, name: container.name, sandboxId: sandboxes[0]?.id ?? "", attempt: container.restartCount ?? 0, state: container.state as RuntimeContainerStatus["state"], createdAt: 0, startedAt: 0, finishedAt: 0,
      exitCode: container.exitCode ?? 0, reason: container.reason ?? (container.exitCode ? "Error" : "Completed"), message: container.message ?? "", image: spec?.image ?? "", imageRef: "",
      hash: container.specHashMatches === false ? "other" : spec ? containerHash(spec) : "", resources: NO_RESOURCES,
    };
  });
  return { uid: pod.metadata.uid ?? "", namespace: pod.metadata.namespace ?? "", name: pod.metadata.name ?? "", sandboxes, containers };
}

export const statusesOf = (status: PodStatus | undefined): readonly ContainerStatus[] => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];

/** Seconds out of a happening's text: "backoff value now 160 s" -> 160. */
export const numberIn = (text: string): number | undefined => {
  const m = /(\d+(?:\.\d+)?)/.exec(text);
  return m ? Number(m[1]) : undefined;
};

export interface Happening {
  readonly t: number;
  readonly what: string;
}
