import { hexId } from "../api/ids.ts";
import { parseImageName } from "../api/image-name.ts";
import { nodeNamed, podsOn, type World, type WorldNode } from "../api/world.ts";
import { PMap } from "../kernel/pmap.ts";
import type { MailId, Micros } from "../kernel/types.ts";
import { containerCgroupFiles, sandboxCgroupFiles, scopePath } from "./cgroup.ts";
import { containerNamespaces, FIRST_NAMESPACE, sandboxNamespaces } from "./namespaces.ts";
import type { Layer } from "../registry/messages.ts";
import type { Cgroup, ContainerConfig, CriCall, Namespaces, PodMeta, PodSandboxConfig, RuntimeContainerStatus, RuntimePod, SandboxStatus, SettledPod } from "./messages.ts";

export interface Sandbox {
  readonly pod: PodMeta;
  readonly status: SandboxStatus;
  readonly config?: PodSandboxConfig;
  /** "/var/run/netns/cni-..."; empty for hostNetwork. */
  readonly netns: string;
  /** Those of the pause process; undefined once it is gone. */
  readonly namespaces: Namespaces | undefined;
  /** Of the pause process, while it runs. */
  readonly cgroup: Cgroup | undefined;
  /** /etc/hostname, /etc/hosts, /etc/resolv.conf as the runtime wrote them. */
  readonly files: Readonly<Record<string, string>>;
  readonly portMappings: readonly { readonly hostPort: number; readonly containerPort: number; readonly protocol: string }[];
}

export interface ContainerRecord {
  readonly pod: PodMeta;
  readonly config?: ContainerConfig;
  readonly status: RuntimeContainerStatus;
  readonly namespaces: Namespaces;
  /** While it has processes. */
  readonly cgroup: Cgroup | undefined;
}

export interface ImageRecord {
  /** "docker.io/library/nginx:1.27" */
  readonly name: string;
  readonly id: string;
  readonly digest: string;
  readonly sizeBytes: number;
  readonly user: string;
  /** Absent: this node's. */
  readonly architecture?: string;
  /** Base first; several images may hold the same. */
  readonly layers: readonly Layer[];
  readonly pinned: boolean;
  readonly pulledAt: Micros;
  /** When the last container made of it was removed. */
  readonly usedUntil?: Micros;
}

const HOUR: Micros = 3_600_000_000;
/** The image of the pause process. */
const SANDBOX_IMAGE = "registry.k8s.io/pause";

/** A layer being fetched or unpacked. */
export interface PullLayer extends Layer {
  readonly state: "waiting" | "downloading" | "downloaded" | "unpacking" | "extracted";
  readonly request: MailId;
  /** Bytes that have arrived of one that takes long. */
  readonly received?: number;
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
  readonly architecture?: string;
  /** Why it fails, once what it began has been taken back. */
  readonly failure?: string;
  /** A pull gives up when nothing has come for long: its timer, and when something last came. */
  readonly watch?: MailId;
  readonly heard?: Micros;
}

export interface ContainerdState {
  readonly sandboxes: PMap<Sandbox>;
  readonly containers: PMap<ContainerRecord>;
  /** What lists answer, by Pod uid. */
  readonly pods: PMap<RuntimePod>;
  readonly images: PMap<ImageRecord>;
  /** Digests of layers in the content store, unpacked. */
  readonly layers: PMap<number>;
  /** A configuration is in /etc/cni/net.d. */
  readonly networkReady: boolean;
  /** Which start of the machine its tasks belong to. */
  readonly boot: Micros;
  /** How many RunPodSandbox came to nothing. */
  readonly failedSandboxes: number;
  /** Inode number of the next namespace. */
  readonly nextNamespace: number;
  readonly operations: readonly Operation[];
}

/** The key of an image: its normalized name with tag or digest. */
export function imageKey(image: string): string {
  const parsed = parseImageName(image);
  if (!parsed) return image;
  return parsed.tag === "" ? `${parsed.repository}@${parsed.digest}` : `${parsed.repository}:${parsed.tag}`;
}

export const repositoryOf = (key: string): string => parseImageName(key)?.repository ?? key;

function preloaded(world: World, node: WorldNode): PMap<ImageRecord> {
  let images = PMap.empty<ImageRecord>();
  const object = nodeNamed(world, node.name);
  const add = (name: string, sizeBytes: number): void => {
    const key = imageKey(name);
    if (key.includes("@")) return;
    images = images.set(key, { name: key, id: `sha256:${hexId(1, `config/${key}`)}`, digest: `sha256:${hexId(1, `manifest/${key}`)}`, sizeBytes, user: "", layers: [{ digest: `sha256:${hexId(1, `layer/settled/${key}`)}`, size: sizeBytes }], pinned: repositoryOf(key) === SANDBOX_IMAGE, pulledAt: -HOUR });
  };
  for (const image of object?.status?.images ?? []) for (const name of image.names ?? []) add(name, image.sizeBytes ?? 0);
  for (const pod of podsOn(world, node.name)) {
    for (const container of pod.spec.containers) if (pod.status?.containerStatuses && container.image && !images.has(imageKey(container.image))) add(container.image, 30_000_000);
  }
  return images;
}

/** The runtime of the settled world: what it says of the Pods that run in it. */
export function initialState(world: World, node: WorldNode, settled: readonly SettledPod[]): ContainerdState {
  let state: ContainerdState = { sandboxes: PMap.empty(), containers: PMap.empty(), pods: PMap.empty(), images: preloaded(world, node), layers: PMap.empty(), networkReady: true, boot: 0, failedSandboxes: 0, nextNamespace: FIRST_NAMESPACE, operations: [] };
  for (const { config, runtime } of settled) {
    const [status] = runtime.sandboxes;
    if (status === undefined) continue;
    const made = sandboxNamespaces(config.namespaces, state.nextNamespace);
    const cgroup = { path: scopePath(config.cgroupParent, status.id), files: sandboxCgroupFiles() };
    const alive = status.state === "READY";
    const sandbox: Sandbox = { pod: config.pod, status, config, netns: status.hostNetwork ? "" : `/var/run/netns/cni-${hexId(world.seed, `netns/${status.id}`, 8)}`, namespaces: alive ? made.namespaces : undefined, cgroup: alive ? cgroup : undefined, files: {}, portMappings: config.portMappings };
    state = { ...state, nextNamespace: made.next, sandboxes: state.sandboxes.set(status.id, sandbox), pods: state.pods.set(runtime.uid, runtime) };
    for (const container of runtime.containers) {
      const own = containerNamespaces(config.namespaces, made.namespaces, undefined, state.nextNamespace);
      const record: ContainerRecord = { pod: config.pod, status: container, namespaces: own.namespaces, cgroup: container.state === "running" ? { path: scopePath(config.cgroupParent, container.id), files: containerCgroupFiles(container.resources) } : undefined };
      state = { ...state, nextNamespace: own.next, containers: state.containers.set(container.id, record) };
    }
  }
  return state;
}
