/** One of a process's namespaces, and whose it is. */
export interface NamespaceView {
  readonly kind: string;
  /** "net:[4026532201]" */
  readonly id: string;
  /** node: the machine's own. sandbox: the pause process holds it. own: no other container of the Pod is in it. container: another container's. */
  readonly of: "node" | "sandbox" | "own" | "container";
}

export interface ProcessView {
  /** As seen inside its PID namespace; undefined where that is not the Pod's. */
  readonly pid?: number;
  readonly command: string;
  /** "listens on 80", "runs", "waits for sleep" */
  readonly doing: string;
}

export interface CgroupView {
  readonly path: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface MountView {
  readonly path: string;
  /** "volume data", "/var/lib/..." */
  readonly source: string;
  readonly readOnly: boolean;
}

export interface TaskView {
  readonly name: string;
  readonly id: string;
  /** "running", "exited (0, Completed)", "created" */
  readonly state: string;
  readonly image: string;
  readonly attempt: number;
  readonly namespaces: readonly NamespaceView[];
  readonly cgroup?: CgroupView;
  /** What the kernel counts now: bytes, and microseconds of CPU since the start. */
  readonly usage?: { readonly memory: number; readonly cpu: number };
  readonly oomScoreAdj: number;
  readonly processes: readonly ProcessView[];
  readonly mounts: readonly MountView[];
  readonly logPath: string;
}

export interface NetworkView {
  readonly ip: string;
  readonly mac: string;
  readonly netns: string;
  readonly hostVeth: string;
  readonly bridge: string;
  readonly gateway: string;
  readonly routes: readonly string[];
  readonly hostPorts: readonly string[];
}

export interface VolumeView {
  readonly name: string;
  readonly kind: string;
  readonly state: string;
  readonly error: string;
  /** Names at its top, without those of the kubelet's own links. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** What it may hold, and when its token will be renewed. */
  readonly notes: readonly string[];
}

/** What there is of one Pod on its node: kernel, runtime, network and kubelet together. */
export interface PodInside {
  readonly node: string;
  readonly address: string;
  readonly sandbox?: TaskView;
  readonly files: Readonly<Record<string, string>>;
  readonly network?: NetworkView;
  /** Newest of each container, in the order in which they were made. */
  readonly containers: readonly TaskView[];
  /** From the node's root over the QoS class to the Pod. */
  readonly cgroups: readonly CgroupView[];
  readonly volumes: readonly VolumeView[];
}
