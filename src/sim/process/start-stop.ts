// A container's first process: exec, signals, faults
import { isRunnable, normalizePath, readFile } from "./files.ts";
import { mountAll } from "./mounts.ts";
import type { ProcessExecRequest, ProcessExecResponse, ProcessSignal, ProcessStartRequest, ProcessStartResponse } from "./messages.ts";
import { cannotStart } from "./needs.ts";
import { procFiles, ROOT, whoIs } from "./ownership.ts";
import { execError, isExecutable, notFoundError, programOf, resolveArgv } from "./program.ts";
import { signalTask } from "./signals.ts";
import { exit, launch, vars, write } from "./tasks.ts";
import { armFaults } from "./trouble.ts";
import { type ListenTimer, type Proc, subjectOf, type Turn } from "./turn.ts";

/** The runtime's own threads take the numbers before it. */
const FIRST_CHILD = 7;

export function start(turn: Turn, asked: ProcessStartRequest): void {
  const { ctx } = turn;
  const resolved = resolveArgv(asked.image, asked.command, asked.args);
  const name = resolved.argv[0];
  const imageFiles = { ...resolved.image.files, ...turn.config.imageFiles?.[resolved.image.repository], ...asked.files };
  const who = asked.credentials === undefined ? ROOT : whoIs(asked.credentials, imageFiles["/etc/passwd"], imageFiles["/etc/group"]);
  Object.assign(imageFiles, procFiles(asked.credentials, who));
  const mounted = asked.mounts.length === 0 ? { mounts: [], volumes: turn.state.volumes } : mountAll(asked, imageFiles, turn.state.volumes);
  const request = "error" in mounted ? asked : { ...asked, mounts: mounted.mounts };
  if (!("error" in mounted)) turn.state = { ...turn.state, volumes: mounted.volumes };
  const fresh: Proc = { spec: request, who, state: "running", startedAt: ctx.now, exitCode: 0, files: {}, imageFiles, tasks: {}, nextPid: FIRST_CHILD, memoryMiB: 1, log: [], logAt: [], partial: "", followers: [] };
  const mainPid = turn.freshPid(fresh);
  const proc = request.sharedPid ? { ...fresh, mainPid, nextPid: mainPid + FIRST_CHILD - 1 } : fresh;
  const path = normalizePath(name ?? "", request.workingDir || "/");
  const hasFile = name !== undefined && name.includes("/") && readFile(turn.view(proc), path) !== undefined;
  const answer = (error?: string): void => {
    ctx.send(turn.runtime, { type: "process.start.response", request: ctx.mail, ...(error === undefined ? {} : { error }) } satisfies ProcessStartResponse, { protocol: "syscall", latency: ctx.latency("runtime.start-task", request.containerId), verb: "execve", subject: `pod/${request.namespace}/${request.podName}`, status: error === undefined ? 0 : 1 });
  };
  if ("error" in mounted) {
    answer(execError(mounted.error));
    return;
  }
  if (name === undefined || !isExecutable(resolved, name, hasFile)) {
    answer(name === undefined ? "failed to generate container spec: no command specified" : notFoundError(name));
    return;
  }
  if (hasFile && !isRunnable(turn.view(proc), path)) {
    answer(execError(`exec: "${name}": permission denied`));
    return;
  }
  answer();
  turn.put(request.containerId, proc);
  const peers = turn.state.byIP.get(request.ip) ?? [];
  turn.state = { ...turn.state, byIP: turn.state.byIP.set(request.ip, [...peers, request.containerId]) };
  const missing = resolved.image.needsEnv;
  if (missing && !request.foreign && request.command.length === 0 && !request.env.some(([key]) => missing.anyOf.includes(key))) {
    turn.log(request.containerId, `${missing.log.join("\n")}\n`);
    exit(turn, request.containerId, 1);
    return;
  }
  const { program, shellArgv } = programOf(resolved, resolved.argv, request.ports);
  const refused = program.kind === "server" ? cannotStart(turn.view(turn.state.containers.get(request.containerId) ?? proc), program) : undefined;
  if (refused !== undefined) {
    ctx.explain({ text: `${shellArgv[0] ?? ""} in container ${request.container} gives up: it may not write where it must`, why: refused.at(-1) ?? "", level: "basic", subject: `pod/${request.namespace}/${request.podName}` });
    turn.log(request.containerId, `${refused.join("\n")}\n`);
    exit(turn, request.containerId, 1);
    return;
  }
  ctx.explain({
    text: `The kernel runs ${shellArgv.join(" ").slice(0, 60)} as PID ${proc.mainPid ?? 1} of container ${request.container}`,
    ...(resolved.known ? {} : { why: `Not in the catalogue: assumed to be a server on the ports its manifest names (${request.ports.join(", ") || "none"})` }),
    level: "basic",
    subject: `pod/${request.namespace}/${request.podName}`,
    status: "running",
  });
  armFaults(turn, request.containerId);
  if (!request.foreign && (program.kind === "server" || program.kind === "forever")) return launch(turn, request.containerId, "main", program, shellArgv, {}, { pid: proc.mainPid ?? 1 });
  // A short command is over some milliseconds after the runtime has said that it runs.
  ctx.after(ctx.latency("runtime.start-task", request.containerId) + ctx.latency("process.first", request.containerId), { type: "process.launch", containerId: request.containerId, task: "main" } satisfies ListenTimer);
}

export function onLaunch(turn: Turn, id: string): void {
  const proc = turn.state.containers.get(id);
  if (!proc || proc.state !== "running") return;
  const resolved = resolveArgv(proc.spec.image, proc.spec.command, proc.spec.args);
  if (proc.spec.foreign) return notExecutable(turn, id, resolved.argv[0] ?? "");
  const { program, shellArgv } = programOf(resolved, resolved.argv, proc.spec.ports);
  launch(turn, id, "main", program, shellArgv, vars(proc.spec, resolved.image.env), { pid: proc.mainPid ?? 1 });
}

/** execve fails in runc's init, whose pipe to runc is closed by then: it can only print the error and leave. */
function notExecutable(turn: Turn, id: string, name: string): void {
  turn.ctx.explain({ text: `The kernel cannot run ${name}: exec format error`, why: "The image was built for another processor than the node has", level: "basic", subject: subjectOf(turn, id) });
  turn.log(id, `exec ${name.includes("/") ? name : `/usr/bin/${name}`}: exec format error\n`);
  exit(turn, id, 1);
}

/** The runtime's signal for the container's first process. */
export function signal(turn: Turn, { containerId, signal: sent }: ProcessSignal): void {
  const proc = turn.state.containers.get(containerId);
  if (!proc) return;
  // In a PID namespace that the Pod shares the first process of a container is not PID 1, but is ended all the same.
  signalTask(turn, containerId, "main", sent === "KILL" ? "KILL" : (resolveArgv(proc.spec.image, [], []).image.stopSignal ?? "TERM"), true);
}

export function exec(turn: Turn, request: ProcessExecRequest): void {
  const { ctx } = turn;
  const proc = turn.state.containers.get(request.containerId);
  const refuse = (error: string, exitCode: number): void => {
    ctx.send(ctx.from, { type: "process.exec.response", request: ctx.mail, exitCode, output: "", error } satisfies ProcessExecResponse, { protocol: "syscall", latency: ctx.latency("process.exec", `${request.containerId} ${ctx.now}`), verb: "exit", status: exitCode, level: "source" });
  };
  if (!proc || proc.state !== "running") return refuse("container is not running", 126);
  const resolved = { ...resolveArgv(proc.spec.image, [], []), argv: request.command };
  const name = request.command[0] ?? "";
  if (!isExecutable(resolved, name, readFile(turn.view(proc), normalizePath(name)) !== undefined)) return refuse(`OCI runtime exec failed: exec failed: unable to start container process: exec: "${name}": executable file not found in $PATH`, 127);
  const { program, shellArgv } = programOf(resolved, request.command, []);
  const pid = turn.freshPid(proc);
  turn.put(request.containerId, { ...proc, nextPid: pid + 1 });
  const asExec = program.kind === "server" ? ({ kind: "exit", code: 0, log: [] } as const) : program;
  launch(turn, request.containerId, `exec${pid}`, asExec, shellArgv, vars(proc.spec, resolved.image.env), { pid, exec: { request: ctx.mail, to: ctx.from, ...(request.stdin === undefined ? {} : { stdin: request.stdin }) } });
}

export function onListen(turn: Turn, id: string, name: string): void {
  const proc = turn.state.containers.get(id);
  const task = proc?.tasks[name];
  if (!proc || !task?.server || task.listening || proc.state !== "running") return;
  turn.task(id, name, { ...task, listening: true });
  write(turn, id, name, task.server.log.map((line) => `${line}\n`).join(""));
  turn.ctx.explain({ text: `${proc.spec.container} listens on ${proc.spec.ip}:${task.server.ports.join(", ")}`, level: "operator", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}
