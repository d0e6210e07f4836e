// A container's first process: exec, signals, faults
import type { FaultMessage } from "../faults/messages.ts";
import { normalizePath, readFile } from "./files.ts";
import type { ProcessExecRequest, ProcessExecResponse, ProcessSignal, ProcessStartRequest, ProcessStartResponse } from "./messages.ts";
import { isExecutable, notFoundError, programOf, resolveArgv } from "./program.ts";
import { signalShell } from "./shell/state.ts";
import { continueShell, exit, launch, oomKill, vars } from "./tasks.ts";
import { type ListenTimer, matchesFault, type Proc, type Turn } from "./turn.ts";

export function start(turn: Turn, request: ProcessStartRequest): void {
  const { ctx } = turn;
  const resolved = resolveArgv(request.image, request.command, request.args);
  const name = resolved.argv[0];
  const imageFiles = { ...resolved.image.files, ...turn.config.imageFiles?.[resolved.image.repository] };
  const proc: Proc = { spec: request, state: "running", startedAt: ctx.now, exitCode: 0, files: {}, imageFiles, tasks: {}, nextTask: 1, memoryMiB: 1, log: [], logAt: [], partial: "", followers: [] };
  const hasFile = name !== undefined && name.includes("/") && readFile(turn.view(proc), normalizePath(name)) !== undefined;
  const answer = (error?: string): void => {
    ctx.send(turn.runtime, { type: "process.start.response", request: ctx.mail, ...(error === undefined ? {} : { error }) } satisfies ProcessStartResponse, { protocol: "syscall", latency: ctx.latency("runtime.start-task", request.containerId), verb: "execve", subject: `pod/${request.namespace}/${request.podName}`, status: error === undefined ? 0 : 1 });
  };
  if (name === undefined || !isExecutable(resolved, name, hasFile)) {
    answer(name === undefined ? "failed to generate container spec: no command specified" : notFoundError(name));
    return;
  }
  answer();
  turn.put(request.containerId, proc);
  const peers = turn.state.byIP.get(request.ip) ?? [];
  turn.state = { ...turn.state, byIP: turn.state.byIP.set(request.ip, [...peers, request.containerId]) };
  const missing = resolved.image.needsEnv;
  if (missing && request.command.length === 0 && !request.env.some(([key]) => missing.anyOf.includes(key))) {
    turn.log(request.containerId, `${missing.log.join("\n")}\n`);
    exit(turn, request.containerId, 1);
    return;
  }
  const { program, shellArgv } = programOf(resolved, resolved.argv, request.ports);
  ctx.explain({
    text: `The kernel runs ${shellArgv.join(" ").slice(0, 60)} as PID 1 of container ${request.container}`,
    ...(resolved.known ? {} : { why: `Not in the catalogue: assumed to be a server on the ports its manifest names (${request.ports.join(", ") || "none"})` }),
    level: "basic",
    subject: `pod/${request.namespace}/${request.podName}`,
    status: "running",
  });
  crashFault(turn, request.containerId);
  if (program.kind === "server" || program.kind === "forever") return launch(turn, request.containerId, "main", program, shellArgv, {});
  // A short command is over some milliseconds after the runtime has said that it runs.
  ctx.after(ctx.latency("runtime.start-task", request.containerId) + ctx.latency("process.first", request.containerId), { type: "process.launch", containerId: request.containerId } satisfies ListenTimer);
}

export function onLaunch(turn: Turn, id: string): void {
  const proc = turn.state.containers.get(id);
  if (!proc || proc.state !== "running") return;
  const resolved = resolveArgv(proc.spec.image, proc.spec.command, proc.spec.args);
  const { program, shellArgv } = programOf(resolved, resolved.argv, proc.spec.ports);
  launch(turn, id, "main", program, shellArgv, vars(proc.spec, resolved.image.env));
}

export function signal(turn: Turn, message: ProcessSignal): void {
  const { ctx } = turn;
  const proc = turn.state.containers.get(message.containerId);
  if (!proc || proc.state === "exited") return;
  if (message.signal === "KILL") {
    exit(turn, message.containerId, 137);
    return;
  }
  const main = proc.tasks["main"];
  if (main?.server) {
    if (main.server.stopExit === undefined) return ignored(turn, proc);
    ctx.after(main.server.stopDelay, { type: "process.stopped", containerId: message.containerId } satisfies ListenTimer);
    return;
  }
  if (main?.shell) {
    const { state: shell } = signalShell(main.shell, "TERM");
    if (shell === main.shell) return ignored(turn, proc);
    turn.task(message.containerId, "main", { ...main, shell });
    // `wait` and waiting for ever are interrupted; another foreground command is not.
    if (main.forever && main.block?.t === "forever" && shell.jobs > 0) continueShell(turn, message.containerId, "main", { status: 143 });
    return;
  }
  const image = resolveArgv(proc.spec.image, [], []).image;
  if (image.programs["pause"] !== undefined) exit(turn, message.containerId, 0);
  else ignored(turn, proc);
}

export function ignored(turn: Turn, proc: Proc): void {
  turn.ctx.explain({ text: `PID 1 of ${proc.spec.container} ignores the stop signal`, why: "The kernel delivers no signal to PID 1 of a container that has no handler for it; only SIGKILL ends it", level: "basic", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
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
  const task = `exec${proc.nextTask}`;
  turn.put(request.containerId, { ...proc, nextTask: proc.nextTask + 1 });
  const asExec = program.kind === "server" ? ({ kind: "exit", code: 0, log: [] } as const) : program;
  launch(turn, request.containerId, task, asExec, shellArgv, vars(proc.spec, resolved.image.env), { request: ctx.mail, to: ctx.from, ...(request.stdin === undefined ? {} : { stdin: request.stdin }) });
}

export function crashFault(turn: Turn, id: string): void {
  const proc = turn.state.containers.get(id);
  const fault = turn.state.faults.find((candidate) => candidate.id === "app.crash" && proc && matchesFault(candidate, proc));
  if (!proc || !fault) return;
  const key = `${proc.spec.podUid}/${proc.spec.container}`;
  const times = Number(fault.params["times"] ?? 0);
  const count = turn.state.crashes[key] ?? 0;
  if (times > 0 && count >= times) return;
  turn.state = { ...turn.state, crashes: { ...turn.state.crashes, [key]: count + 1 } };
  turn.ctx.after(Math.round(Number(fault.params["afterSeconds"] ?? 0) * 1_000_000), { type: "process.crash", containerId: id } satisfies ListenTimer);
}

export function onFault(turn: Turn, fault: FaultMessage): void {
  const others = turn.state.faults.filter((other) => other.id !== fault.id);
  turn.state = { ...turn.state, faults: fault.on ? [...others, fault] : others };
  if (!fault.on || fault.id !== "app.crash") return;
  for (const [id, proc] of turn.state.containers.sorted()) if (proc.state === "running" && matchesFault(fault, proc)) crashFault(turn, id);
}

export function onListen(turn: Turn, id: string): void {
  const proc = turn.state.containers.get(id);
  const main = proc?.tasks["main"];
  if (!proc || !main?.server || proc.state !== "running") return;
  turn.task(id, "main", { ...main, listening: true });
  turn.log(id, main.server.log.map((line) => `${line}\n`).join(""));
  turn.ctx.explain({ text: `${proc.spec.container} listens on ${proc.spec.ip}:${main.server.ports.join(", ")}`, level: "operator", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}

export function onCrash(turn: Turn, id: string): void {
  const proc = turn.state.containers.get(id);
  if (!proc || proc.state !== "running") return;
  const memory = Object.values(proc.tasks).some((task) => task.block?.t === "memory");
  if (memory) {
    oomKill(turn, id);
    return;
  }
  const fault = turn.state.faults.find((candidate) => candidate.id === "app.crash" && matchesFault(candidate, proc));
  if (fault) exit(turn, id, Number(fault.params["exitCode"] ?? 1));
}
