// Models containerd internal/cri/server/container_{create,start,stop,remove,execsync}.go
import { hexId } from "../api/ids.ts";
import type { MailId } from "../kernel/types.ts";
import type { LogRotate, ProcessExecRequest, ProcessExecResponse, ProcessExited, ProcessLimits, ProcessRemove, ProcessSignal, ProcessStartRequest, ProcessStartResponse } from "../process/messages.ts";
import { imageReleased, imageUsed } from "./images.ts";
import { containerCgroupFiles, scopePath } from "./cgroup.ts";
import type { CriCall, LinuxContainerResources, NamespaceOption, RuntimeContainerStatus } from "./messages.ts";
import { containerNamespaces, NODE_NAMESPACES } from "./namespaces.ts";
import { type ContainerRecord, imageKey, type Operation } from "./state.ts";
import { podSubject, type Turn } from "./turn.ts";

type Call<K extends CriCall["call"]> = Extract<CriCall, { call: K }>;
const SECOND = 1_000_000;
/** Of a Pod from before time 0 whose configuration is not known any more. */
const SEPARATE: NamespaceOption = { network: "POD", ipc: "POD", pid: "CONTAINER", user: "NODE" };

export function createContainer(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  if (operation?.cri.call !== "CreateContainer") return;
  const { config, sandboxId } = operation.cri;
  const sandbox = turn.state.sandboxes.get(sandboxId);
  if (!sandbox) return turn.finish(operation, { error: `rpc error: code = NotFound desc = failed to find sandbox id "${sandboxId}": not found` });
  // Nobody has loaded any profile but containerd's own into these nodes.
  if (config.apparmorProfile !== undefined) return turn.finish(operation, { error: `failed to get container spec opts: failed to generate apparmor spec opts: apparmor profile not found ${config.apparmorProfile}` });
  const id = hexId(turn.world.seed, `container/${config.pod.uid}/${config.name}/${config.attempt}/${turn.ctx.now}`);
  const image = config.image;
  const target = config.namespaceTarget === undefined ? undefined : turn.state.containers.get(config.namespaceTarget);
  const made = containerNamespaces(sandbox.config?.namespaces ?? SEPARATE, sandbox.namespaces ?? NODE_NAMESPACES, target?.namespaces, turn.state.nextNamespace);
  turn.container(id, {
    pod: config.pod,
    config,
    namespaces: made.namespaces,
    cgroup: undefined,
    status: { id, name: config.name, sandboxId, attempt: config.attempt, state: "created", createdAt: turn.ctx.now, startedAt: 0, finishedAt: 0, exitCode: 0, reason: "", message: "", image, imageRef: config.imageRef, hash: config.hash, resources: config.resources },
  });
  turn.state = { ...turn.state, nextNamespace: made.next };
  imageUsed(turn, image);
  turn.ctx.explain({ text: `containerd creates container ${config.name}: a writable snapshot and an OCI spec, no process yet`, why: `Own mount, PID and cgroup namespaces; network, IPC and UTS are the sandbox's`, level: "basic", subject: podSubject(config.pod), status: "idle" });
  turn.finish(operation, { id });
}

export function beginStart(turn: Turn, cri: Call<"StartContainer">): void {
  const record = turn.state.containers.get(cri.containerId);
  if (!record?.config) return turn.reply({ error: `rpc error: code = NotFound desc = an error occurred when try to find container "${cri.containerId}": not found` }, 300);
  turn.begin(cri, "create task (runc create)", cri.containerId);
  turn.later("runtime.create-task", cri.containerId, "startTask");
}

/** In milli-CPU; 0 for none. */
const cpuLimitOf = ({ cpuQuota, cpuPeriod }: LinuxContainerResources): number => (cpuQuota > 0 ? Math.round((cpuQuota * 1000) / cpuPeriod) : 0);

/** Simplified: every node is amd64, as the settled worlds say; upstream asks the machine. */
function isForeign(turn: Turn, image: string): boolean {
  const architecture = turn.state.images.get(imageKey(image))?.architecture;
  return architecture !== undefined && architecture !== "amd64";
}

export function startTask(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  const record = operation && turn.state.containers.get(operation.id);
  const config = record?.config;
  if (!operation || !config) return;
  const sandbox = turn.state.sandboxes.get(record.status.sandboxId);
  const start: ProcessStartRequest = {
    type: "process.start.request", containerId: operation.id, podUid: config.pod.uid, namespace: config.pod.namespace, podName: config.pod.name, container: config.name, image: config.image,
    command: config.command, args: config.args, env: config.env, workingDir: config.workingDir, ports: config.ports,
    credentials: config.credentials, files: { ...sandbox?.files, "/etc/hosts": config.etcHosts }, ...(sandbox?.config?.namespaces.pid === "POD" ? { sharedPid: true } : {}),
    mounts: config.mounts.map(({ containerPath, ...mount }) => ({ path: containerPath, ...mount })),
    ip: sandbox?.status.hostNetwork ? turn.node.address : (sandbox?.status.ip ?? ""), hostname: sandbox?.config?.hostname ?? config.pod.name, ...(isForeign(turn, config.image) ? { foreign: true } : {}), memoryLimit: config.resources.memoryLimitInBytes, oomScoreAdj: config.resources.oomScoreAdj, cpuLimit: cpuLimitOf(config.resources), attempt: config.attempt,
    terminationMessagePath: config.terminationMessagePath, terminationMessagePolicy: config.terminationMessagePolicy,
  };
  // `runc create` has made the cgroup before the program of the image runs.
  turn.container(operation.id, { ...record, cgroup: { path: scopePath(sandbox?.config?.cgroupParent ?? "", operation.id), files: containerCgroupFiles(config.resources) } });
  const waits = turn.ctx.send(`process@${turn.node.name}`, start, { protocol: "syscall", latency: turn.ctx.latency("link.unix", `start ${operation.id}`), verb: "runc start", subject: podSubject(config.pod) });
  turn.update(request, { step: "start task (runc start)", waits });
}

export function startAnswered(turn: Turn, response: ProcessStartResponse): void {
  const operation = turn.waiting(response.request);
  const record = operation && turn.state.containers.get(operation.id);
  if (!operation || !record) return;
  const { ctx } = turn;
  if (response.error !== undefined) {
    turn.container(operation.id, ended(record, { exitCode: 128, reason: "StartError", message: response.error, finishedAt: ctx.now, startedAt: UNIX_ZERO }));
    ctx.explain({ text: `containerd cannot start container ${record.status.name}: StartError, exit code 128`, why: response.error, level: "basic", subject: podSubject(record.pod), status: "idle" });
    turn.dirty();
    turn.finish(operation, { error: response.error });
    return;
  }
  // A process that was faster than this answer has already exited.
  if (record.status.state === "created") {
    turn.container(operation.id, { ...record, status: { ...record.status, state: "running", startedAt: ctx.now } });
    ctx.explain({ text: `Container ${record.status.name} runs`, level: "basic", subject: podSubject(record.pod), status: "idle" });
  } else turn.container(operation.id, { ...record, status: { ...record.status, startedAt: Math.min(ctx.now, record.status.finishedAt) } });
  turn.dirty();
  turn.finish(operation, {});
}

/** 1970-01-01: a container that never started has no start time. */
const UNIX_ZERO = -1_767_225_600 * SECOND;

export function beginStop(turn: Turn, cri: Call<"StopContainer">): void {
  const record = turn.state.containers.get(cri.containerId);
  if (!record || record.status.state !== "running") return turn.reply({}, 400);
  const request = turn.begin(cri, "stop signal", cri.containerId).request;
  turn.ctx.explain({ text: `containerd sends the stop signal to ${record.status.name} and waits up to ${cri.timeoutSeconds} s`, level: "basic", subject: podSubject(record.pod), status: `stopping ${record.status.name}` });
  signal(turn, record, "STOP");
  turn.after(cri.timeoutSeconds * SECOND, "killNow", request);
}

function signal(turn: Turn, record: ContainerRecord, name: "STOP" | "KILL"): void {
  turn.ctx.send(`process@${turn.node.name}`, { type: "process.signal", containerId: record.status.id, signal: name } satisfies ProcessSignal, { protocol: "syscall", latency: 200, verb: name === "KILL" ? "SIGKILL" : "SIGTERM", subject: podSubject(record.pod), level: "basic" });
}

export function killNow(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  const record = operation && turn.state.containers.get(operation.id);
  if (!operation || !record || record.status.state !== "running") return;
  turn.update(request, { step: "SIGKILL" });
  turn.ctx.explain({ text: `The grace is over: containerd kills ${record.status.name} with SIGKILL`, level: "basic", subject: podSubject(record.pod) });
  signal(turn, record, "KILL");
}

/** A container without processes: its cgroup is gone with the last of them. */
export function ended(record: ContainerRecord, how: Partial<RuntimeContainerStatus>): ContainerRecord {
  return { ...record, status: { ...record.status, state: "exited", ...how }, cgroup: undefined };
}

/** `at`: when it ended, if that is only now heard of. */
export function onExit(turn: Turn, message: ProcessExited, at = turn.ctx.now): void {
  const record = turn.state.containers.get(message.containerId);
  if (!record || record.status.state === "exited") return;
  const reason = message.oomKilled ? "OOMKilled" : message.exitCode === 0 ? "Completed" : "Error";
  turn.container(message.containerId, ended(record, { exitCode: message.exitCode, reason, message: message.message, finishedAt: at, ...(record.status.state === "created" ? { startedAt: at } : {}) }));
  const starting = turn.state.operations.some((operation) => operation.id === message.containerId && operation.cri.call === "StartContainer");
  if (!starting) turn.dirty();
  for (const operation of turn.state.operations) if (operation.cri.call === "StopContainer" && operation.id === message.containerId) turn.finish(operation, {}, turn.ctx.latency("runtime.task-exit", message.containerId));
}

export function removeContainer(turn: Turn, cri: Call<"RemoveContainer">): void {
  const record = turn.state.containers.get(cri.containerId);
  if (record) {
    takeAway(turn, record);
    turn.dirty();
  }
  turn.reply({}, turn.ctx.latency("runtime.remove", cri.containerId), "source");
}

/** A container goes with its snapshot, and with its processes if it has any. */
export function takeAway(turn: Turn, record: ContainerRecord): void {
  const { pod: meta, status: { id, image, state } } = record;
  if (state === "running") signal(turn, record, "KILL");
  turn.state = { ...turn.state, containers: turn.state.containers.delete(id) };
  imageReleased(turn, image);
  turn.pod(meta.uid, meta, (pod) => ({ ...pod, containers: pod.containers.filter((other) => other.id !== id) }));
  turn.ctx.send(`process@${turn.node.name}`, { type: "process.remove", containerId: id } satisfies ProcessRemove, { protocol: "disk", latency: 100, verb: "remove snapshot", level: "source" });
}

/** The shim writes to a new file from now on. */
export function reopenLog(turn: Turn, cri: Call<"ReopenContainerLog">): void {
  const record = turn.state.containers.get(cri.containerId);
  if (record) turn.ctx.send(`process@${turn.node.name}`, { type: "process.log.rotate", containerId: cri.containerId } satisfies LogRotate, { protocol: "disk", latency: 100, verb: "reopen log", subject: podSubject(record.pod), level: "operator" });
  turn.reply({}, 500, "source");
}

export function updateResources(turn: Turn, cri: Call<"UpdateContainerResources">): void {
  const record = turn.state.containers.get(cri.containerId);
  if (record) {
    const files = containerCgroupFiles(cri.resources);
    turn.container(cri.containerId, { ...record, status: { ...record.status, resources: cri.resources }, cgroup: record.cgroup && { ...record.cgroup, files } });
    turn.ctx.send(`process@${turn.node.name}`, { type: "process.limits", containerId: cri.containerId, memoryLimit: cri.resources.memoryLimitInBytes, cpuLimit: cpuLimitOf(cri.resources) } satisfies ProcessLimits, { protocol: "syscall", latency: 100, verb: "write cgroup", level: "source" });
    turn.dirty();
  }
  turn.reply({}, 2000);
}

export function beginExec(turn: Turn, cri: Call<"ExecSync">): void {
  const record = turn.state.containers.get(cri.containerId);
  if (!record || record.status.state !== "running") return turn.reply({ error: "rpc error: code = Unknown desc = failed to exec in container: container is not running" }, 300, "source");
  const { request } = turn.begin(cri, "exec", cri.containerId);
  const waits = turn.ctx.send(`process@${turn.node.name}`, { type: "process.exec.request", containerId: cri.containerId, command: cri.command, ...(cri.stdin === undefined ? {} : { stdin: cri.stdin }) } satisfies ProcessExecRequest, { protocol: "syscall", latency: turn.ctx.latency("runtime.exec", `${cri.containerId} ${turn.ctx.now}`), verb: "exec", subject: podSubject(record.pod), level: "source" });
  turn.update(request, { waits });
  if (cri.timeoutSeconds > 0) turn.after(cri.timeoutSeconds * SECOND, "execTimeout", request);
}

export function execDone(turn: Turn, response: ProcessExecResponse): void {
  const operation: Operation | undefined = turn.waiting(response.request);
  if (!operation) return;
  turn.finish(operation, response.error === undefined ? { exitCode: response.exitCode, output: response.output } : { exitCode: response.exitCode, output: response.output, error: `rpc error: code = Unknown desc = failed to exec in container: ${response.error}` });
}

export function execTimeout(turn: Turn, request: MailId): void {
  const operation = turn.operation(request);
  // Simplified: upstream kills the command; here its answer is ignored.
  if (operation) turn.finish(operation, { error: "timeout" });
}
