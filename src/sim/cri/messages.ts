// Models kubernetes/staging/src/k8s.io/cri-api/pkg/apis/runtime/v1/api.proto
import type { Pod } from "../api/types.ts";
import type { MailId, Message, Micros } from "../kernel/types.ts";
import type { Credentials, MountOwnership } from "../process/messages.ts";

export interface PodMeta {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

export interface PortMapping {
  readonly hostPort: number;
  readonly containerPort: number;
  readonly protocol: string;
}

export interface DnsConfig {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/** Which namespaces of the node, or of the Pod's sandbox, the processes of a Pod share. */
export interface NamespaceOption {
  readonly network: "POD" | "NODE";
  readonly ipc: "POD" | "NODE";
  /** CONTAINER: each container sees only its own processes. */
  readonly pid: "CONTAINER" | "POD" | "NODE";
  /** POD: the Pod's root is an unprivileged user of the node (hostUsers: false). */
  readonly user: "POD" | "NODE";
}

/** A process's namespaces by kind, each as the kernel names it: "net:[4026532201]". */
export interface Namespaces {
  readonly net: string;
  readonly ipc: string;
  readonly uts: string;
  readonly mnt: string;
  readonly pid: string;
  readonly cgroup: string;
  readonly user: string;
}

export interface PodSandboxConfig {
  readonly pod: PodMeta;
  readonly attempt: number;
  readonly hostname: string;
  readonly hostNetwork: boolean;
  readonly namespaces: NamespaceOption;
  readonly dns: DnsConfig;
  readonly portMappings: readonly PortMapping[];
  /** "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod<uid>.slice" */
  readonly cgroupParent: string;
  readonly cgroup: CgroupValues;
}

/** Values under /sys/fs/cgroup, as written: "cpu.max" -> "50000 100000". */
export type CgroupValues = Readonly<Record<string, string>>;

/** A cgroup v2 directory of one task. */
export interface Cgroup {
  /** "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod<uid>.slice/cri-containerd-<id>.scope" */
  readonly path: string;
  readonly files: CgroupValues;
}

export interface LinuxContainerResources {
  readonly cpuShares: number;
  readonly cpuQuota: number;
  readonly cpuPeriod: number;
  readonly memoryLimitInBytes: number;
  readonly oomScoreAdj: number;
  readonly unified: Readonly<Record<string, string>>;
}

export interface Mount {
  readonly containerPath: string;
  /** The path on the node. */
  readonly source: string;
  /** The Pod's volume; absent for files the kubelet itself provides. */
  readonly volume?: string;
  readonly hostPath?: string;
  readonly subPath?: string;
  readonly readOnly: boolean;
  /** Files of an image in place of a directory of the node. */
  readonly image?: string;
  /** A file or directory of a volume whose files are exchanged all at once. */
  readonly pinned?: boolean;
  /** No directory. */
  readonly file?: boolean;
  readonly owned?: MountOwnership;
}

export interface ContainerConfig {
  readonly pod: PodMeta;
  readonly name: string;
  readonly attempt: number;
  readonly image: string;
  readonly imageRef: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: readonly (readonly [string, string])[];
  readonly workingDir: string;
  readonly credentials: Credentials;
  /** A profile that must have been loaded into the node's kernel. */
  readonly apparmorProfile?: string;
  /** The file that the kubelet keeps for the Pod and mounts over the image's /etc/hosts. */
  readonly etcHosts: string;
  readonly mounts: readonly Mount[];
  readonly ports: readonly number[];
  readonly resources: LinuxContainerResources;
  readonly logPath: string;
  readonly terminationMessagePath: string;
  readonly terminationMessagePolicy: string;
  /** Id of the container whose processes this one shall see (kubectl debug --target). */
  readonly namespaceTarget?: string;
  /** Hash of name, image and the like: another hash means that the container must be made anew. */
  readonly hash: string;
}

export type SandboxState = "READY" | "NOTREADY";
export type ContainerRuntimeState = "created" | "running" | "exited" | "unknown";

export interface SandboxStatus {
  readonly id: string;
  readonly attempt: number;
  readonly state: SandboxState;
  readonly createdAt: Micros;
  readonly ip: string;
  readonly hostNetwork: boolean;
}

export interface RuntimeContainerStatus {
  readonly id: string;
  readonly name: string;
  readonly sandboxId: string;
  readonly attempt: number;
  readonly state: ContainerRuntimeState;
  readonly createdAt: Micros;
  readonly startedAt: Micros;
  readonly finishedAt: Micros;
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  readonly image: string;
  readonly imageRef: string;
  readonly hash: string;
  readonly resources: LinuxContainerResources;
}

/** What the runtime knows of one Pod. Lists are newest first. A changed Pod is another object. */
export interface RuntimePod extends PodMeta {
  readonly sandboxes: readonly SandboxStatus[];
  readonly containers: readonly RuntimeContainerStatus[];
}

/** A Pod of the settled world: what the runtime was told when it was made, and what it says of it. */
export interface SettledPod {
  readonly pod: Pod;
  readonly config: PodSandboxConfig;
  readonly runtime: RuntimePod;
}

export type CriCall =
  | { readonly call: "Version" }
  | { readonly call: "Status" }
  /** `runtimeHandler` names one of containerd's runtimes; absent for the default, runc. */
  | { readonly call: "RunPodSandbox"; readonly config: PodSandboxConfig; readonly runtimeHandler?: string }
  | { readonly call: "StopPodSandbox"; readonly sandboxId: string }
  | { readonly call: "RemovePodSandbox"; readonly sandboxId: string }
  | { readonly call: "CreateContainer"; readonly sandboxId: string; readonly config: ContainerConfig }
  | { readonly call: "StartContainer"; readonly containerId: string }
  | { readonly call: "StopContainer"; readonly containerId: string; readonly timeoutSeconds: number }
  | { readonly call: "RemoveContainer"; readonly containerId: string }
  | { readonly call: "UpdateContainerResources"; readonly containerId: string; readonly resources: LinuxContainerResources }
  | { readonly call: "ExecSync"; readonly containerId: string; readonly command: readonly string[]; readonly timeoutSeconds: number; readonly stdin?: string }
  | { readonly call: "ImageStatus"; readonly image: string }
  | { readonly call: "PullImage"; readonly image: string; /** "user:password" */ readonly auth?: string }
  | { readonly call: "ListImages" }
  | { readonly call: "RemoveImage"; readonly image: string }
  | { readonly call: "ReopenContainerLog"; readonly containerId: string }
  // Simplified: upstream makes ListPodSandbox, ListContainers and one Status call an item; here one call answers for one Pod or all.
  | { readonly call: "ListPodSandbox"; readonly podUid?: string };

/** One gRPC call to the runtime's socket. */
export interface CriRequest extends Message {
  readonly type: "cri.request";
  readonly cri: CriCall;
}

export interface ImageStatus {
  readonly image: string;
  readonly imageRef: string;
  readonly sizeBytes: number;
  /** USER of the image: "" is root. */
  readonly user: string;
}

/**
 * One of ListImages.
 * Simplified: upstream's kubelet looks every 5 min which images containers use and when a new one is there; here the runtime keeps these times, and the kubelet counts from its next look.
 */
export interface ListedImage {
  readonly name: string;
  readonly sizeBytes: number;
  /** Never to be collected: the image of the pause process. */
  readonly pinned: boolean;
  readonly pulledAt: Micros;
  readonly inUse: boolean;
  /** When the last container of it was removed; absent if there never was one, or still is. */
  readonly usedUntil?: Micros;
}

/** The answer to one call. `error` is the gRPC error as the kubelet prints it. */
export interface CriResponse extends Message {
  readonly type: "cri.response";
  readonly request: MailId;
  readonly error?: string;
  readonly id?: string;
  readonly sandbox?: SandboxStatus;
  readonly image?: ImageStatus;
  readonly images?: readonly ListedImage[];
  readonly pods?: readonly RuntimePod[];
  /** Status: the condition NetworkReady as the kubelet prints it; absent when it is true. */
  readonly networkError?: string;
  /** ExecSync. */
  readonly exitCode?: number;
  readonly output?: string;
}

/**
 * Containerd to kubelet: something changed since the last list.
 * Simplified: upstream's generic PLEG lists each second, changed or not; here the kubelet lists at those very instants, but only when there is something to see.
 */
export interface CriDirty extends Message {
  readonly type: "cri.dirty";
}

/**
 * Containerd to kubelet: a condition of its Status has changed.
 * Simplified: the kubelet asks every 5 s; here at those very instants, but only when there is something new.
 */
export interface CriStatusChanged extends Message {
  readonly type: "cri.statusChanged";
}
