import type { World, WorldNode } from "../api/world.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { PMap } from "../kernel/pmap.ts";
import type { Resolving } from "../api/resolver.ts";
import { capacities, type NodeUse } from "./node-use.ts";
import type { Ctx, MailId, Message, Micros } from "../kernel/types.ts";
import type { FileView, Files } from "./files.ts";
import type { ServerProgram } from "./images/image.ts";
import type { LogFollower, ProcessLogsMore, ProcessStartRequest, ProcessTask } from "./messages.ts";
import type { Owners, Who } from "./ownership.ts";
import type { Block } from "./shell/host.ts";
import type { ShellState } from "./shell/state.ts";

/** Lines of a container's log that are kept. */
export const MAX_LOG_LINES = 500;

/** One process: the container's first, an exec beside it, or a child of one of these. */
export interface Task {
  /** In its container's PID namespace. */
  readonly pid: number;
  /** The task that started it; absent for the first process and for execs. */
  readonly parent?: string;
  /** The child that its shell waits for. */
  readonly child?: string;
  /** As it was executed, what an entrypoint script hands over to. */
  readonly argv: readonly string[];
  readonly shell?: ShellState;
  readonly server?: ServerProgram;
  readonly listening: boolean;
  readonly forever: boolean;
  readonly timer: MailId;
  /** DNS or HTTP question that the task waits for. */
  readonly waitsFor: MailId;
  readonly block?: Block;
  readonly output: string;
  readonly exec?: { readonly request: MailId; readonly to: string; readonly stdin?: string };
}

export interface Proc {
  readonly spec: ProcessStartRequest;
  readonly state: "running" | "exited";
  readonly startedAt: Micros;
  readonly exitCode: number;
  /** How it ended: its shim keeps that until the runtime has heard of it. */
  readonly ended?: ProcessTask["ended"];
  readonly files: Files;
  readonly imageFiles: Files;
  readonly who: Who;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly nextPid: number;
  /** Of the first process, in a namespace that the Pod shares. */
  readonly mainPid?: number;
  readonly memoryMiB: number;
  /** It answers no request any more; deaf: no signal either. */
  readonly hung?: "listening" | "deaf";
  /** Processor time charged for work, beside what an idle program takes. */
  readonly cpuUsed?: Micros;
  /** When its last request will have been worked off. */
  readonly busyUntil?: Micros;
  readonly log: readonly string[];
  /** Bytes of the log file, and of those that were rotated away, newest first. */
  readonly logBytes?: number;
  readonly rotated?: readonly number[];
  /** When each line of the log was written. */
  readonly logAt: readonly Micros[];
  readonly partial: string;
  readonly followers: readonly LogFollower[];
}

/** A name that a task waits for. */
export interface Lookup {
  readonly containerId: string;
  readonly task: string;
  readonly resolving: Resolving;
  readonly timer: MailId;
}

export interface ProcessState {
  readonly containers: PMap<Proc>;
  /** Pod IP to container ids, newest last. */
  readonly byIP: PMap<readonly string[]>;
  readonly volumes: PMap<Files>;
  /** Volumes in memory, and the bytes that each may hold; 0 for no limit of its own. */
  readonly tmpfs: PMap<number>;
  /** Of files that are not as their place would have them. */
  readonly owners: Owners;
  /** Tasks that show what is added to a file (tail -f). */
  readonly following: readonly { readonly containerId: string; readonly task: string }[];
  readonly lookups: readonly Lookup[];
  readonly faults: readonly ActingFault[];
  readonly crashes: Readonly<Record<string, number>>;
  /** When the machine was started. */
  readonly boot: Micros;
  readonly node: NodeUse;
}

/** A fault that acts, and since when. */
export interface ActingFault extends FaultMessage {
  readonly since: Micros;
}

export interface TaskTimer extends Message {
  readonly type: "process.timer";
  readonly containerId: string;
  readonly task: string;
}

export interface LookupTimer extends Message {
  readonly type: "process.dns-timeout";
  readonly containerId: string;
  readonly task: string;
  /** It was known without a question. */
  readonly address?: string;
}

export interface ListenTimer extends Message {
  readonly type: "process.launch" | "process.listen" | "process.stopped" | "process.overLimit";
  readonly containerId: string;
  readonly task: string;
}

export interface ProcessConfig {
  readonly world: World;
  readonly node: WorldNode;
  /** Files laid over an image's own, by repository: a recorded run's stand-in images. */
  readonly imageFiles?: Readonly<Record<string, Files>>;
}

/** "2026-01-01T00:00:00.000000000Z stdout F ", and the line's end. */
const LINE_HEAD = 41;

export const NO_TASK: Task = { pid: 1, argv: [], listening: false, forever: false, timer: -1, waitsFor: -1, output: "" };

export const MIB = 1_048_576;

export class Turn {
  state: ProcessState;
  /** Signals that commands sent in this step; delivered when it is over. */
  readonly signals: { readonly containerId: string; readonly task: string; readonly signal: string }[] = [];
  readonly ctx: Ctx;
  readonly config: ProcessConfig;

  constructor(state: ProcessState, ctx: Ctx, config: ProcessConfig) {
    this.state = state;
    this.ctx = ctx;
    this.config = config;
  }

  get runtime(): string {
    return `containerd@${this.config.node.name}`;
  }

  put(id: string, proc: Proc): void {
    this.state = { ...this.state, containers: this.state.containers.set(id, proc) };
  }

  task(id: string, name: string, task: Task): void {
    const proc = this.state.containers.get(id);
    if (proc) this.put(id, { ...proc, tasks: { ...proc.tasks, [name]: task } });
  }

  /** Containers whose processes are seen from this one: itself, or all of a Pod that shares its PID namespace. */
  visible(proc: Proc): readonly Proc[] {
    return proc.spec.sharedPid ? this.state.containers.values().filter((other) => other.spec.podUid === proc.spec.podUid && other.state === "running") : [proc];
  }

  /** The next free PID that a container sees. */
  freshPid(proc: Proc): number {
    return this.visible(proc).reduce((pid, other) => Math.max(pid, other.nextPid), proc.nextPid);
  }

  view(proc: Proc): FileView {
    const { spec, who } = proc;
    const ofImage = spec.credentials?.ofImage === true && who.uid !== 0;
    return { podUid: spec.podUid, mounts: spec.mounts, own: proc.files, image: proc.imageFiles, volumes: this.state.volumes, tmpfs: this.state.tmpfs, layer: spec.containerId, owners: this.state.owners, who, readOnlyRoot: spec.credentials?.readOnlyRoot ?? false, room: () => capacities(this.state, this.config).disk.available, ...(ofImage ? { imageOwner: who.uid } : {}) };
  }

  log(id: string, text: string): void {
    const proc = this.state.containers.get(id);
    if (!proc || text === "") return;
    const parts = (proc.partial + text).split("\n");
    const partial = parts.pop() ?? "";
    const source = `${proc.spec.namespace}/${proc.spec.podName}/${proc.spec.container}`;
    for (const line of parts) this.ctx.explain({ text: `${proc.spec.container} writes to its log: ${line.slice(0, 90)}`, kind: "log", level: "operator", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}`, log: { source, line } });
    // Before each line the runtime writes its time, the stream and a tag.
    const logBytes = parts.reduce((sum, line) => sum + line.length + LINE_HEAD, proc.logBytes ?? 0);
    this.put(id, { ...proc, partial, logBytes, log: [...proc.log, ...parts].slice(-MAX_LOG_LINES), logAt: [...proc.logAt, ...parts.map(() => this.ctx.now)].slice(-MAX_LOG_LINES) });
    if (proc.followers.length > 0 && parts.length > 0) this.tell(proc, parts, false);
  }

  /** What followers of a log are told. */
  tell(proc: Proc, lines: readonly string[], done: boolean): void {
    for (const follower of proc.followers) this.ctx.send(`kubelet@${this.config.node.name}`, { type: "process.logs.more", follower, lines, at: this.ctx.now, done } satisfies ProcessLogsMore, { protocol: "disk", latency: 300, verb: "inotify", level: "source" });
  }
}

export const subjectOf = (turn: Turn, id: string): string => {
  const spec = turn.state.containers.get(id)?.spec;
  return `pod/${spec?.namespace ?? ""}/${spec?.podName ?? ""}`;
};

export const matchesFault = (fault: FaultMessage, proc: Proc): boolean =>
  (fault.params["container"] === undefined || fault.params["container"] === "" || fault.params["container"] === proc.spec.container) && (fault.params["pod"] === undefined || fault.params["pod"] === "" || fault.params["pod"] === proc.spec.podName || fault.params["pod"] === `${proc.spec.namespace}/${proc.spec.podName}`);

/** The fault of this id that acts in a container. */
export const faultOf = (turn: Turn, proc: Proc, id: string): ActingFault | undefined => (turn.state.faults.length === 0 ? undefined : turn.state.faults.find((fault) => fault.id === id && matchesFault(fault, proc)));
