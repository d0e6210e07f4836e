import { hexId } from "../api/ids.ts";
import { parseImageName } from "../api/image-name.ts";
import { parseRfc3339 } from "../api/time.ts";
import type { Node, Pod } from "../api/types.ts";
import { objectsOf, type World, type WorldNode } from "../api/world.ts";
import { PMap } from "../kernel/pmap.ts";
import type { MailId, Micros } from "../kernel/types.ts";
import type { Layer } from "../registry/messages.ts";
import type { CgroupValues, ContainerConfig, CriCall, LinuxContainerResources, PodMeta, PodSandboxConfig, RuntimeContainerStatus, RuntimePod, SandboxStatus } from "./messages.ts";

export interface Sandbox {
  readonly pod: PodMeta;
  readonly status: SandboxStatus;
  readonly config?: PodSandboxConfig;
  /** "/var/run/netns/cni-..."; empty for hostNetwork. */
  readonly netns: string;
  /** What the sandbox's pause process holds for all containers of the Pod. */
  readonly namespaces: readonly string[];
  /** /etc/hostname, /etc/hosts, /etc/resolv.conf as the runtime wrote them. */
  readonly files: Readonly<Record<string, string>>;
  readonly portMappings: readonly { readonly hostPort: number; readonly containerPort: number; readonly protocol: string }[];
}

export interface ContainerRecord {
  readonly pod: PodMeta;
  readonly config?: ContainerConfig;
  readonly status: RuntimeContainerStatus;
  readonly namespaces: readonly string[];
}

export interface ImageRecord {
  /** "docker.io/library/nginx:1.27" */
  readonly name: string;
  readonly id: string;
  readonly digest: string;
  readonly sizeBytes: number;
  readonly user: string;
}

/** A layer being fetched or unpacked. */
export interface PullLayer extends Layer {
  readonly state: "waiting" | "downloading" | "downloaded" | "unpacking" | "extracted";
  readonly request: MailId;
}

/** A CRI call in work: its named step says how far it is. */
export interface Operation {
  readonly request: MailId;
  readonly from: string;
  readonly cri: CriCall;
  readonly step: string;
  /** The mail whose answer or firing moves it on. */
  readonly waits: MailId;
  readonly timer: MailId;
  /** Sandbox or container worked on. */
  readonly id: string;
  readonly layers?: readonly PullLayer[];
  readonly manifestDigest?: string;
  readonly user?: string;
}

export interface ContainerdState {
  readonly sandboxes: PMap<Sandbox>;
  readonly containers: PMap<ContainerRecord>;
  /** What lists answer, by Pod uid. */
  readonly pods: PMap<RuntimePod>;
  readonly images: PMap<ImageRecord>;
  /** Digests of layers in the content store, unpacked. */
  readonly layers: PMap<number>;
  readonly cgroups: PMap<CgroupValues>;
  readonly operations: readonly Operation[];
}

export const NO_RESOURCES: LinuxContainerResources = { cpuShares: 2, cpuQuota: 0, cpuPeriod: 100_000, memoryLimitInBytes: 0, oomScoreAdj: 0, unified: {} };

/** The key of an image: its normalized name with tag or digest. */
export function imageKey(image: string): string {
  const parsed = parseImageName(image);
  if (!parsed) return image;
  return parsed.tag === "" ? `${parsed.repository}@${parsed.digest}` : `${parsed.repository}:${parsed.tag}`;
}

export const repositoryOf = (key: string): string => parseImageName(key)?.repository ?? key;

function preloaded(world: World, node: WorldNode): PMap<ImageRecord> {
  let images = PMap.empty<ImageRecord>();
  const object = objectsOf<Node>(world, "Node").find((candidate) => candidate.metadata.name === node.name);
  const add = (name: string, sizeBytes: number): void => {
    const key = imageKey(name);
    if (key.includes("@")) return;
    images = images.set(key, { name: key, id: `sha256:${hexId(1, `config/${key}`)}`, digest: `sha256:${hexId(1, `manifest/${key}`)}`, sizeBytes, user: "" });
  };
  for (const image of object?.status?.images ?? []) for (const name of image.names ?? []) add(name, image.sizeBytes ?? 0);
  for (const pod of objectsOf<Pod>(world, "Pod")) {
    if (pod.spec.nodeName !== node.name) continue;
    for (const container of pod.spec.containers) if (pod.status?.containerStatuses && container.image && !images.has(imageKey(container.image))) add(container.image, 30_000_000);
  }
  return images;
}

export const micros = (text: string | null | undefined): Micros => {
  const at = text ? parseRfc3339(text) : 0;
  return Number.isNaN(at) ? 0 : at;
};

/** The runtime of the settled world: every Pod with container ids in its status is running. */
export function initialState(world: World, node: WorldNode): ContainerdState {
  let state: ContainerdState = { sandboxes: PMap.empty(), containers: PMap.empty(), pods: PMap.empty(), images: preloaded(world, node), layers: PMap.empty(), cgroups: PMap.empty(), operations: [] };
  for (const pod of objectsOf<Pod>(world, "Pod")) {
    const statuses = pod.status?.containerStatuses?.filter((status) => status.containerID);
    if (pod.spec.nodeName !== node.name || !statuses || statuses.length === 0) continue;
    const meta: PodMeta = { uid: pod.metadata.uid ?? "", namespace: pod.metadata.namespace ?? "default", name: pod.metadata.name ?? "" };
    const sandboxId = hexId(world.seed, `sandbox/${meta.uid}/0`);
    const createdAt = micros(pod.status?.startTime);
    const hostNetwork = pod.spec.hostNetwork ?? false;
    const running = statuses.some((status) => status.state?.running);
    const sandbox: SandboxStatus = { id: sandboxId, attempt: 0, state: running ? "READY" : "NOTREADY", createdAt, ip: hostNetwork ? "" : (pod.status?.podIP ?? ""), hostNetwork };
    const containers = statuses.map((status): RuntimeContainerStatus => {
      const ended = status.state?.terminated;
      return {
        id: (status.containerID ?? "").replace("containerd://", ""), name: status.name, sandboxId, attempt: status.restartCount, state: status.state?.running ? "running" : "exited",
        createdAt, startedAt: micros(status.state?.running?.startedAt ?? ended?.startedAt), finishedAt: micros(ended?.finishedAt), exitCode: ended?.exitCode ?? 0, reason: ended?.reason ?? "", message: ended?.message ?? "",
        image: imageKey(status.image), imageRef: status.imageID, hash: "", resources: NO_RESOURCES,
      };
    });
    state = {
      ...state,
      sandboxes: state.sandboxes.set(sandboxId, { pod: meta, status: sandbox, netns: hostNetwork ? "" : `/var/run/netns/cni-${hexId(world.seed, `netns/${sandboxId}`, 8)}`, namespaces: ["net", "ipc", "uts"], files: {}, portMappings: [] }),
      pods: state.pods.set(meta.uid, { ...meta, sandboxes: [sandbox], containers }),
    };
    for (const container of containers) state = { ...state, containers: state.containers.set(container.id, { pod: meta, status: container, namespaces: ["mnt", "pid", "cgroup"] }) };
  }
  return state;
}
