import type { MailId, Message, Micros } from "../kernel/types.ts";

/** Who may do what with a volume's files when the Pod's containers get it: the kubelet's or the driver's work. */
export interface MountOwnership {
  readonly gid: number;
  /** Permission bits, as chmod takes them: 0o2775. */
  readonly directory: number;
  readonly file: number;
}

/** What the kernel knows of a container's first process besides its program. */
export interface Credentials {
  /** A number, or a name of the image's /etc/passwd. */
  readonly user: string;
  /** The image's own user, to whom its directories are taken to belong. */
  readonly ofImage: boolean;
  /** Absent: the one that /etc/passwd gives the user, else 0. */
  readonly gid?: number;
  /** fsGroup and supplementalGroups; the image's /etc/group adds its own. */
  readonly groups: readonly number[];
  /** "CHOWN", ...: what a process of root gets, and what any may get. */
  readonly capabilities: readonly string[];
  readonly noNewPrivileges: boolean;
  /** As /proc/PID/status has it: 0 unconfined, 2 filtered. */
  readonly seccomp: 0 | 2;
  readonly readOnlyRoot: boolean;
}

export interface ProcessMount {
  readonly path: string;
  /** The path on the node, for errors. */
  readonly source?: string;
  readonly volume?: string;
  readonly hostPath?: string;
  readonly subPath?: string;
  readonly readOnly: boolean;
  /** The files of this image, in place of a volume's. */
  readonly image?: string;
  /** One file or directory of a volume whose files are exchanged all at once: the mount keeps what it showed at the start. */
  readonly pinned?: boolean;
  /** The source is known to be no directory. */
  readonly file?: boolean;
  /** Absent: root's, and nobody else may write (directories of the node, fresh disks). */
  readonly owned?: MountOwnership;
}

/** The runtime asks the node's kernel to run a container's first process. */
export interface ProcessStartRequest extends Message {
  readonly type: "process.start.request";
  readonly containerId: string;
  readonly podUid: string;
  readonly namespace: string;
  readonly podName: string;
  readonly container: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: readonly (readonly [string, string])[];
  readonly workingDir: string;
  /** Absent: root with the usual capabilities. */
  readonly credentials?: Credentials;
  /** What the runtime and the kubelet write into each container: /etc/hosts, /etc/hostname, /etc/resolv.conf. */
  readonly files?: Readonly<Record<string, string>>;
  /** One PID namespace for all containers of the Pod, in which the pause process is the first. */
  readonly sharedPid?: boolean;
  readonly mounts: readonly ProcessMount[];
  readonly ports: readonly number[];
  readonly ip: string;
  readonly hostname: string;
  /** Its programs are built for another processor than the node has. */
  readonly foreign?: boolean;
  /** Bytes; 0 for no limit. */
  readonly memoryLimit: number;
  /** From -1000 (never killed) to 1000 (first); absent: 0. */
  readonly oomScoreAdj?: number;
  /** Thousandths of a core; absent or 0 for no limit. */
  readonly cpuLimit?: number;
  readonly attempt: number;
  readonly terminationMessagePath: string;
  readonly terminationMessagePolicy: string;
}

/** `error` is what the OCI runtime says when the process cannot be executed. */
export interface ProcessStartResponse extends Message {
  readonly type: "process.start.response";
  readonly request: MailId;
  readonly error?: string;
}

/** SIGCHLD: a container's first process ended. */
export interface ProcessExited extends Message {
  readonly type: "process.exited";
  readonly containerId: string;
  readonly exitCode: number;
  readonly oomKilled: boolean;
  /** What was written to the termination message file, or the log's tail. */
  readonly message: string;
}

/** "STOP" stands for the image's stop signal. */
export interface ProcessSignal extends Message {
  readonly type: "process.signal";
  readonly containerId: string;
  readonly signal: "STOP" | "KILL";
}

export interface ProcessExecRequest extends Message {
  readonly type: "process.exec.request";
  readonly containerId: string;
  readonly command: readonly string[];
  /** What stands on its standard input. */
  readonly stdin?: string;
}

export interface ProcessExecResponse extends Message {
  readonly type: "process.exec.response";
  readonly request: MailId;
  readonly exitCode: number;
  readonly output: string;
  readonly error?: string;
}

/** The container's writable layer is removed. */
export interface ProcessRemove extends Message {
  readonly type: "process.remove";
  readonly containerId: string;
}

/** The kubelet writes a volume's directory on the node's disk (or tmpfs): all its files at once. */
export interface VolumeWrite extends Message {
  readonly type: "volume.write";
  readonly podUid: string;
  readonly volume: string;
  readonly files: Readonly<Record<string, string>>;
  /** It lies in memory: the bytes that it may hold, 0 for no limit of its own. */
  readonly tmpfs?: number;
}

/** The kubelet looks into directories of the node: "POD-UID/VOLUME" or "host:/path". */
export interface VolumeReadRequest extends Message {
  readonly type: "volume.read.request";
  readonly volumes: readonly string[];
}

export interface VolumeReadResponse extends Message {
  readonly type: "volume.read.response";
  readonly request: MailId;
  readonly volumes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The kubelet makes a directory for a subPath. */
export interface VolumeMakeDirectory extends Message {
  readonly type: "volume.mkdir";
  readonly volume: string;
  readonly path: string;
}

/** The Pod's volumes are unmounted and removed. */
export interface VolumesRemove extends Message {
  readonly type: "volumes.remove";
  readonly podUid: string;
}

/** A program has changed a file on a disk that the CSI node plugin mounted: what the disk's directory holds now. */
export interface VolumeChanged extends Message {
  readonly type: "volume.changed";
  /** "/var/lib/kubelet/plugins/kubernetes.io/csi/.../globalmount" */
  readonly path: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Who follows a container's log: the client of the API server, its stream, and how lines are written. */
export interface LogFollower {
  readonly client: string;
  readonly stream: string;
  readonly timestamps: boolean;
}

/** Reading a container's log file; with `follow` what is written from then on as well. */
export interface ProcessLogsRequest extends Message {
  readonly type: "process.logs.request";
  readonly containerId: string;
  readonly follow?: LogFollower;
}

/** Nobody follows that stream any more. */
export interface ProcessLogsCancel extends Message {
  readonly type: "process.logs.cancel";
  readonly stream: string;
}

/** New lines for a follower, all of the time `at`; `done` when the container has ended. */
export interface ProcessLogsMore extends Message {
  readonly type: "process.logs.more";
  readonly follower: LogFollower;
  readonly lines: readonly string[];
  readonly at: Micros;
  readonly done: boolean;
}

export interface ProcessLogsResponse extends Message {
  readonly type: "process.logs.response";
  readonly request: MailId;
  readonly lines: readonly string[];
  /** When each line was written. */
  readonly times: readonly Micros[];
  readonly found: boolean;
  readonly follows: boolean;
}

export type ProcessMessage =
  | ProcessStartRequest
  | ProcessSignal
  | ProcessExecRequest
  | ProcessRemove
  | VolumeWrite
  | VolumesRemove
  | ProcessLogsRequest;

/** A container's cgroup gets other limits while it runs. */
export interface ProcessLimits extends Message {
  readonly type: "process.limits";
  readonly containerId: string;
  /** Bytes; 0 for none. */
  readonly memoryLimit: number;
  /** Milli-CPU; 0 for none. */
  readonly cpuLimit: number;
}

/** A runtime that has just started asks every shim for its task. */
export interface ProcessTasksRequest extends Message {
  readonly type: "process.tasks.request";
}

export interface ProcessTask {
  readonly containerId: string;
  readonly ended?: { readonly at: Micros; readonly exitCode: number; readonly oomKilled: boolean; readonly message: string };
}

export interface ProcessTasksResponse extends Message {
  readonly type: "process.tasks.response";
  /** Tells one start of the machine from the next. */
  readonly boot: Micros;
  readonly tasks: readonly ProcessTask[];
}

/** The kubelet asks the kernel what each container has used (cgroup files). */
export interface ProcessStatsRequest extends Message {
  readonly type: "process.stats.request";
}

export interface ContainerStats {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly startedAt: Micros;
  /** Microseconds of processor time since the start. */
  readonly cpu: Micros;
  /** Bytes of the working set. */
  readonly memory: number;
}

export interface ProcessStatsResponse extends Message {
  readonly type: "process.stats.response";
  readonly request: MailId;
  readonly at: Micros;
  readonly containers: readonly ContainerStats[];
}

/**
 * The kernel to the kubelet: what has become short, or is so no more.
 * Simplified: upstream's kubelet measures every 10 s, whether or not anything can have changed; here it measures at those very instants, but only while something is short.
 */
export interface NodeShort extends Message {
  readonly type: "node.short";
  /** "memory", "disk", "inodes", "pids"; empty when there is plenty of all. */
  readonly short: readonly string[];
  /** Pods that hold more on the disk than one of their limits: which emptyDirs and containers ("" for the Pod as a whole). */
  readonly over: readonly { readonly uid: string; readonly what: string }[];
  /** Containers whose log file is to be rotated. */
  readonly logs: readonly string[];
}

/** A kubelet with thresholds of its own: below these amounts, or parts of the whole, it measures. */
export interface NodeWatch extends Message {
  readonly type: "node.watch";
  readonly levels: readonly Level[];
}

export interface Level {
  readonly resource: "memory" | "disk" | "inodes" | "pids";
  readonly quantity: number;
  readonly percentage: number;
}

/** The kubelet asks for its summary: cgroup files, statfs of its file systems, /proc. */
export interface SummaryRequest extends Message {
  readonly type: "process.summary.request";
  /** It has just started: it knows nothing of what it was told. */
  readonly first?: boolean;
}

/** Bytes, but for inodes and processes. */
export interface ContainerUsage {
  readonly uid: string;
  readonly container: string;
  readonly memory: number;
  readonly rootfs: number;
  readonly logs: number;
  readonly inodes: number;
  readonly processes: number;
}

export interface VolumeUsage {
  readonly uid: string;
  readonly volume: string;
  readonly bytes: number;
  readonly inodes: number;
}

export interface Capacity {
  readonly capacity: number;
  readonly available: number;
}

export interface SummaryResponse extends Message {
  readonly type: "process.summary.response";
  readonly request: MailId;
  readonly memory: Capacity;
  /** Of the file system that holds /var/lib/kubelet, /var/lib/containerd and /var/log. */
  readonly disk: Capacity;
  readonly inodes: Capacity;
  readonly pids: Capacity;
  readonly containers: readonly ContainerUsage[];
  readonly volumes: readonly VolumeUsage[];
}

/** The kubelet sets project quotas, by which the kernel counts: bytes by emptyDir, by container ("/NAME") and for the Pod ("/"). */
export interface UsageWatch extends Message {
  readonly type: "usage.watch";
  readonly podUid: string;
  readonly limits: Readonly<Record<string, number>>;
}

/** containerd has unpacked or removed layers: bytes of all of them. */
export interface ImagesStored extends Message {
  readonly type: "images.stored";
  readonly bytes: number;
}

/** The runtime opens a new log file: the kubelet has renamed the old one. */
export interface LogRotate extends Message {
  readonly type: "process.log.rotate";
  readonly containerId: string;
}

/** The kernel's log: a process was killed because the whole node had no memory left. */
export interface NodeOutOfMemory extends Message {
  readonly type: "node.oom";
  readonly process: string;
  readonly pid: number;
}
