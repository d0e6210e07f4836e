// Models the node's kernel and the programs in its containers: exec, signals, memory limits, files, sockets.
import type { TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import { type Pod } from "../api/types.ts";
import { objectsOf, type World, type WorldNode } from "../api/world.ts";
import type { FaultMessage } from "../faults/messages.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, Ctx, MailId, Message, Micros } from "../kernel/types.ts";
import { type FileView, type Files, normalizePath, readFile } from "./files.ts";
import type { ServerProgram } from "./images/catalogue.ts";
import type { ProcessExecRequest, ProcessExecResponse, ProcessExited, ProcessLogsRequest, ProcessLogsResponse, ProcessRemove, ProcessSignal, ProcessStartRequest, ProcessStartResponse, VolumesRemove, VolumeWrite } from "./messages.ts";
import { isExecutable, notFoundError, programOf, resolveArgv } from "./program.ts";
import type { Block, ShellHost } from "./shell/host.ts";
import { newCommand, newShell, type Resume, runShell, type ShellState, signalShell } from "./shell/machine.ts";
import { ShellSyntaxError } from "./shell/parse.ts";

/** Lines of a container's log that are kept. */
const MAX_LOG_LINES = 500;

/** One command line that runs: the container's first process, or an exec beside it. */
interface Task {
  readonly shell?: ShellState;
  readonly server?: ServerProgram;
  readonly listening: boolean;
  readonly forever: boolean;
  readonly timer: MailId;
  /** DNS or HTTP question that the task waits for. */
  readonly waitsFor: MailId;
  readonly block?: Block;
  readonly output: string;
  readonly exec?: { readonly request: MailId; readonly to: string };
}

export interface Proc {
  readonly spec: ProcessStartRequest;
  readonly state: "running" | "exited";
  readonly startedAt: Micros;
  readonly exitCode: number;
  readonly files: Files;
  readonly imageFiles: Files;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly nextTask: number;
  readonly memoryMiB: number;
  readonly log: readonly string[];
  readonly partial: string;
}

export interface ProcessState {
  readonly containers: PMap<Proc>;
  /** Pod IP to container ids, newest last. */
  readonly byIP: PMap<readonly string[]>;
  readonly volumes: PMap<Files>;
  readonly faults: readonly FaultMessage[];
  readonly crashes: Readonly<Record<string, number>>;
}

interface TaskTimer extends Message {
  readonly type: "process.timer";
  readonly containerId: string;
  readonly task: string;
}
interface ListenTimer extends Message {
  readonly type: "process.launch" | "process.listen" | "process.stopped" | "process.crash";
  readonly containerId: string;
}
/** Answer of the cluster's DNS. */
interface DnsResponse extends Message {
  readonly type: "dns.response";
  readonly request: MailId;
  readonly rcode: string;
  readonly addresses: readonly string[];
}

export interface ProcessConfig {
  readonly world: World;
  readonly node: WorldNode;
  /** Files laid over an image's own, by repository: a recorded run's stand-in images. */
  readonly imageFiles?: Readonly<Record<string, Files>>;
}

const NO_TASK: Task = { listening: false, forever: false, timer: -1, waitsFor: -1, output: "" };
const MIB = 1_048_576;

class Turn {
  state: ProcessState;
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

  view(proc: Proc): FileView {
    return { podUid: proc.spec.podUid, mounts: proc.spec.mounts, own: proc.files, image: proc.imageFiles, volumes: this.state.volumes };
  }

  log(id: string, text: string): void {
    const proc = this.state.containers.get(id);
    if (!proc || text === "") return;
    const parts = (proc.partial + text).split("\n");
    const partial = parts.pop() ?? "";
    const source = `${proc.spec.namespace}/${proc.spec.podName}/${proc.spec.container}`;
    for (const line of parts) this.ctx.explain({ text: `${proc.spec.container} writes to its log: ${line.slice(0, 90)}`, kind: "log", level: "operator", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}`, log: { source, line } });
    this.put(id, { ...proc, partial, log: [...proc.log, ...parts].slice(-MAX_LOG_LINES) });
  }
}

const vars = (spec: ProcessStartRequest, image: readonly (readonly [string, string])[]): Record<string, string> => ({ ...Object.fromEntries(image), HOME: "/root", HOSTNAME: spec.hostname, ...Object.fromEntries(spec.env) });

function start(turn: Turn, request: ProcessStartRequest): void {
  const { ctx } = turn;
  const resolved = resolveArgv(request.image, request.command, request.args);
  const name = resolved.argv[0];
  const imageFiles = { ...resolved.image.files, ...turn.config.imageFiles?.[resolved.image.repository] };
  const proc: Proc = { spec: request, state: "running", startedAt: ctx.now, exitCode: 0, files: {}, imageFiles, tasks: {}, nextTask: 1, memoryMiB: 1, log: [], partial: "" };
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
    text: `The kernel runs ${shellArgv.join(" ").slice(0, 60)} as PID 1 of container ${request.container}.`,
    ...(resolved.known ? {} : { why: `Not in the catalogue: assumed to be a server on the ports its manifest names (${request.ports.join(", ") || "none"}).` }),
    level: "basic",
    subject: `pod/${request.namespace}/${request.podName}`,
    status: "running",
  });
  crashFault(turn, request.containerId);
  if (program.kind === "server" || program.kind === "forever") return launch(turn, request.containerId, "main", program, shellArgv, {});
  // A short command is over some milliseconds after the runtime has said that it runs.
  ctx.after(ctx.latency("runtime.start-task", request.containerId) + ctx.latency("process.first", request.containerId), { type: "process.launch", containerId: request.containerId } satisfies ListenTimer);
}

function onLaunch(turn: Turn, id: string): void {
  const proc = turn.state.containers.get(id);
  if (!proc || proc.state !== "running") return;
  const resolved = resolveArgv(proc.spec.image, proc.spec.command, proc.spec.args);
  const { program, shellArgv } = programOf(resolved, resolved.argv, proc.spec.ports);
  launch(turn, id, "main", program, shellArgv, vars(proc.spec, resolved.image.env));
}

function launch(turn: Turn, id: string, task: string, program: ReturnType<typeof programOf>["program"], argv: readonly string[], env: Record<string, string>, exec?: Task["exec"]): void {
  const base: Task = { ...NO_TASK, ...(exec === undefined ? {} : { exec }) };
  switch (program.kind) {
    case "server": {
      serve(turn, id, task, base, program);
      return;
    }
    case "forever":
      turn.task(id, task, { ...base, forever: true });
      return;
    case "exit":
      turn.task(id, task, base);
      finishTask(turn, id, task, program.code, program.log.map((line) => `${line}\n`).join(""));
      return;
    case "shell": {
      const proc = turn.state.containers.get(id);
      if (!proc) return;
      let shell: ShellState;
      const cwd = proc.spec.workingDir || "/";
      try {
        shell = shellFor(argv, env, cwd, (path) => readFile(turn.view(proc), normalizePath(path, cwd)));
      } catch (error) {
        turn.task(id, task, base);
        finishTask(turn, id, task, 2, `sh: ${error instanceof ShellSyntaxError ? error.message : "syntax error"}\n`);
        return;
      }
      turn.task(id, task, { ...base, shell });
      continueShell(turn, id, task);
    }
  }
}

/** A shell with -c runs its script; any other command is run as such. */
function shellFor(argv: readonly string[], env: Record<string, string>, cwd: string, read: (path: string) => string | undefined): ShellState {
  const [name = "", ...args] = argv;
  const base = name.slice(name.lastIndexOf("/") + 1);
  if (!/^(sh|ash|bash)$/.test(base)) return newCommand(argv, env, cwd);
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  if (at >= 0) {
    const shell = newShell(args[at + 1] ?? "", env, args.slice(at + 2), cwd);
    return args.slice(0, at + 1).some((arg) => /^-[a-z]*e/.test(arg)) ? { ...shell, errexit: true } : shell;
  }
  const file = args.find((arg) => !arg.startsWith("-"));
  // An interactive shell without a terminal reads the end of its input and leaves.
  return newShell(file === undefined ? "" : (read(file) ?? `exit 127`), env, args, cwd);
}

function serve(turn: Turn, id: string, task: string, base: Task, program: ServerProgram): void {
  const proc = turn.state.containers.get(id);
  if (!proc) return;
  turn.put(id, { ...proc, memoryMiB: program.memoryMiB });
  const limit = proc.spec.memoryLimit;
  if (limit > 0 && program.memoryMiB * MIB > limit) {
    turn.task(id, task, base);
    oomKill(turn, id);
    return;
  }
  turn.ctx.after(program.startup, { type: "process.listen", containerId: id } satisfies ListenTimer);
  turn.task(id, task, { ...base, server: program, forever: true });
}

function hostOf(turn: Turn, proc: Proc, output: string[]): ShellHost {
  const { image } = resolveArgv(proc.spec.image, [], []);
  return { view: turn.view(proc), hostname: proc.spec.hostname, now: turn.ctx.now, programs: new Set(Object.keys(image.programs)), shell: image.shell, output };
}

function continueShell(turn: Turn, id: string, name: string, resume?: Resume): void {
  const proc = turn.state.containers.get(id);
  const task = proc?.tasks[name];
  if (!proc || !task?.shell || proc.state !== "running") return;
  const output: string[] = [];
  const host = hostOf(turn, proc, output);
  const { state: shell, block } = runShell(task.shell, host, resume);
  const text = output.join("");
  turn.state = { ...turn.state, volumes: host.view.volumes };
  turn.put(id, { ...proc, files: host.view.own, tasks: { ...proc.tasks, [name]: { ...NO_TASK, ...(task.exec ? { exec: task.exec } : {}), shell, output: task.exec ? task.output + text : "" } } });
  if (!task.exec) turn.log(id, text);
  if (block === undefined) {
    finishTask(turn, id, name, shell.exit ?? 0, "");
    return;
  }
  blockOn(turn, id, name, block);
}

function blockOn(turn: Turn, id: string, name: string, block: Block): void {
  const { ctx } = turn;
  const task = turn.state.containers.get(id)?.tasks[name];
  const proc = turn.state.containers.get(id);
  if (!task || !proc) return;
  switch (block.t) {
    case "sleep":
      turn.task(id, name, { ...task, block, timer: ctx.after(block.micros, { type: "process.timer", containerId: id, task: name } satisfies TaskTimer) });
      return;
    case "forever":
      turn.task(id, name, { ...task, block, forever: true });
      return;
    case "memory": {
      turn.task(id, name, { ...task, block, forever: true });
      const { bytes } = block;
      if (proc.spec.memoryLimit > 0 && bytes > proc.spec.memoryLimit) {
        ctx.after(60_000, { type: "process.crash", containerId: id } satisfies ListenTimer);
        return;
      }
      const now = turn.state.containers.get(id);
      if (now) turn.put(id, { ...now, memoryMiB: block.bytes < 1e12 ? Math.ceil(block.bytes / MIB) : 1024 });
      return;
    }
    case "program": {
      const resolved = resolveArgv(proc.spec.image, [], []);
      const { program, shellArgv } = programOf(resolved, block.argv, proc.spec.ports);
      if (program.kind === "exit") {
        continueShell(turn, id, name, { status: program.code, out: program.log.map((line) => `${line}\n`).join("") });
        return;
      }
      // Simplified: a server that a script starts in the foreground replaces the script (as `exec` would).
      launch(turn, id, name, program, shellArgv, {}, task.exec);
      return;
    }
    case "dns": {
      const waitsFor = ctx.send("coredns", { type: "dns.request", name: block.name, qtype: "A", client: `process@${turn.config.node.name}`, namespace: proc.spec.namespace } as Message, { protocol: "DNS", latency: ctx.latency("link.lan", `dns ${id} ${ctx.now}`), verb: `A ${block.name}`, subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
      turn.task(id, name, { ...task, block, waitsFor });
      return;
    }
    case "http":
      turn.task(id, name, { ...task, block, waitsFor: openUrl(turn, proc, block.url, id) });
  }
}

function openUrl(turn: Turn, proc: Proc, url: string, id: string): MailId {
  const { ctx } = turn;
  const m = /^(?:https?:\/\/)?([^/:]+)(?::(\d+))?(\/.*)?$/.exec(url);
  const host = m?.[1] ?? "";
  const toIP = host === "localhost" ? "127.0.0.1" : host;
  const request: TrafficRequest = { type: "traffic.request", protocol: "HTTP", method: "GET", path: m?.[3] ?? "/", host, fromIP: proc.spec.ip, toIP, toPort: Number(m?.[2] ?? 80), client: `process@${turn.config.node.name}` };
  const local = toIP === "127.0.0.1";
  // Simplified: the name is resolved by the node's rules engine, not by a DNS request of this process.
  return ctx.send(local ? `process@${turn.config.node.name}` : `netfilter@${turn.config.node.name}`, { ...request, toIP: local ? proc.spec.ip : toIP }, { protocol: "HTTP", latency: ctx.latency("link.host", `http ${id} ${ctx.now}`), verb: `GET ${request.path ?? "/"}`, subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}

function finishTask(turn: Turn, id: string, name: string, code: number, text: string): void {
  const proc = turn.state.containers.get(id);
  const task = proc?.tasks[name];
  if (!proc || !task) return;
  if (!task.exec) {
    turn.log(id, text);
    exit(turn, id, code);
    return;
  }
  const { [name]: _, ...tasks } = proc.tasks;
  turn.put(id, { ...proc, tasks });
  const { ctx } = turn;
  ctx.send(task.exec.to, { type: "process.exec.response", request: task.exec.request, exitCode: code, output: task.output + text } satisfies ProcessExecResponse, { protocol: "syscall", latency: ctx.latency("process.exec", `${id} ${ctx.now}`), verb: "exit", status: code, level: "source" });
}

function oomKill(turn: Turn, id: string): void {
  turn.ctx.explain({ text: "The kernel's OOM killer ends the container's processes: it needs more memory than memory.max.", why: "memory.oom.group=1 kills all processes of the container's cgroup.", level: "basic", subject: subjectOf(turn, id) });
  exit(turn, id, 137, true);
}

const subjectOf = (turn: Turn, id: string): string => {
  const spec = turn.state.containers.get(id)?.spec;
  return `pod/${spec?.namespace ?? ""}/${spec?.podName ?? ""}`;
};

function exit(turn: Turn, id: string, code: number, oomKilled = false): void {
  const { ctx } = turn;
  if (turn.state.containers.get(id)?.partial) turn.log(id, "\n");
  const proc = turn.state.containers.get(id);
  if (!proc || proc.state === "exited") return;
  const file = readFile(turn.view(proc), normalizePath(proc.spec.terminationMessagePath)) ?? "";
  const fallback = proc.spec.terminationMessagePolicy === "FallbackToLogsOnError" && code !== 0 && file === "" && proc.log.length > 0;
  const message = fallback ? `${proc.log.slice(-80).join("\n")}\n`.slice(-2048) : file.slice(0, 4096);
  for (const task of Object.values(proc.tasks)) {
    ctx.cancel(task.timer);
    if (task.exec) ctx.send(task.exec.to, { type: "process.exec.response", request: task.exec.request, exitCode: 137, output: task.output, error: "container is gone" } satisfies ProcessExecResponse, { protocol: "syscall", latency: 100, verb: "exit", status: 137, level: "source" });
  }
  turn.put(id, { ...proc, state: "exited", exitCode: code, tasks: {}, memoryMiB: 0 });
  const peers = (turn.state.byIP.get(proc.spec.ip) ?? []).filter((peer) => peer !== id);
  turn.state = { ...turn.state, byIP: peers.length === 0 ? turn.state.byIP.delete(proc.spec.ip) : turn.state.byIP.set(proc.spec.ip, peers) };
  ctx.explain({ text: `${proc.spec.container} exits with code ${code}.`, level: "operator", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
  ctx.send(turn.runtime, { type: "process.exited", containerId: id, exitCode: code, oomKilled, message } satisfies ProcessExited, { protocol: "syscall", latency: ctx.latency("runtime.exit-event", id), verb: "SIGCHLD", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}`, status: code });
}

function signal(turn: Turn, message: ProcessSignal): void {
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

function ignored(turn: Turn, proc: Proc): void {
  turn.ctx.explain({ text: `PID 1 of ${proc.spec.container} ignores the stop signal.`, why: "The kernel delivers no signal to PID 1 of a container that has no handler for it; only SIGKILL ends it.", level: "basic", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}

function exec(turn: Turn, request: ProcessExecRequest): void {
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
  launch(turn, request.containerId, task, asExec, shellArgv, vars(proc.spec, resolved.image.env), { request: ctx.mail, to: ctx.from });
}

const matchesFault = (fault: FaultMessage, proc: Proc): boolean =>
  (fault.params["container"] === undefined || fault.params["container"] === "" || fault.params["container"] === proc.spec.container) && (fault.params["pod"] === undefined || fault.params["pod"] === "" || fault.params["pod"] === proc.spec.podName || fault.params["pod"] === `${proc.spec.namespace}/${proc.spec.podName}`);

function crashFault(turn: Turn, id: string): void {
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

function onFault(turn: Turn, fault: FaultMessage): void {
  const others = turn.state.faults.filter((other) => other.id !== fault.id);
  turn.state = { ...turn.state, faults: fault.on ? [...others, fault] : others };
  if (!fault.on || fault.id !== "app.crash") return;
  for (const [id, proc] of turn.state.containers.sorted()) if (proc.state === "running" && matchesFault(fault, proc)) crashFault(turn, id);
}

/** Which process of an address listens on the port, if any. */
function listener(turn: Turn, ip: string, port: number): { proc: Proc; server: ServerProgram } | undefined {
  for (const id of turn.state.byIP.get(ip) ?? []) {
    const proc = turn.state.containers.get(id);
    const main = proc?.tasks["main"];
    if (proc && main?.server && main.listening && main.server.ports.includes(port)) return { proc, server: main.server };
  }
  return undefined;
}

function traffic(turn: Turn, request: TrafficRequest): void {
  const { ctx } = turn;
  const found = listener(turn, request.toIP, request.toPort);
  const reply = (response: Omit<TrafficResponse, "type" | "request">): void => {
    ctx.send(ctx.from, { type: "traffic.response", request: ctx.mail, ...response } satisfies TrafficResponse, { protocol: request.protocol === "UDP" ? "TCP" : request.protocol === "gRPC" ? "gRPC" : request.protocol, latency: ctx.latency("link.host", `${ctx.mail}`) + (found ? ctx.latency("process.http", `${ctx.mail}`) : 0), verb: found ? "answer" : "RST", status: response.status, level: ctx.from.startsWith("kubelet@") ? "source" : "operator" });
  };
  if (!found) {
    reply({ status: 0, error: "connection refused" });
    return;
  }
  const { proc, server } = found;
  const servedBy = `${proc.spec.namespace}/${proc.spec.podName}/${proc.spec.container}`;
  const notReady = turn.state.faults.some((fault) => fault.id === "app.not-ready" && matchesFault(fault, proc));
  if (request.protocol !== "HTTP") {
    reply({ status: notReady && request.protocol === "gRPC" ? 1 : 0, servedBy, ...(server.protocol === "HTTP" && request.protocol === "gRPC" ? { body: notReady ? "NOT_SERVING" : "SERVING" } : {}) });
    return;
  }
  if (notReady) {
    reply({ status: 503, servedBy, body: "not ready\n" });
    return;
  }
  const status = httpStatus(turn, proc, server, request.path ?? "/");
  reply({ status, servedBy, body: status === 200 ? body(turn, proc, server, request.path ?? "/") : `${status}\n` });
}

function filePath(server: ServerProgram, path: string): string {
  const clean = (path.split("?")[0] ?? "/").split("#")[0] ?? "/";
  return normalizePath(`${server.root ?? ""}/${clean.endsWith("/") ? `${clean}index.html` : clean}`);
}

function httpStatus(turn: Turn, proc: Proc, server: ServerProgram, path: string): number {
  if (server.root === undefined) return 200;
  if (readFile(turn.view(proc), filePath(server, path)) !== undefined) return 200;
  return path === "/" ? 403 : 404;
}

function body(turn: Turn, proc: Proc, server: ServerProgram, path: string): string {
  if (server.root !== undefined) return readFile(turn.view(proc), filePath(server, path)) ?? "";
  return `Hello, world!\nHostname: ${proc.spec.hostname}\n`;
}

function onTimer(turn: Turn, message: TaskTimer): void {
  const task = turn.state.containers.get(message.containerId)?.tasks[message.task];
  if (!task) return;
  // A budget pause is no command: there is nothing to finish.
  continueShell(turn, message.containerId, message.task, task.shell?.blocked ? { status: 0 } : undefined);
}

function onListen(turn: Turn, id: string): void {
  const proc = turn.state.containers.get(id);
  const main = proc?.tasks["main"];
  if (!proc || !main?.server || proc.state !== "running") return;
  turn.task(id, "main", { ...main, listening: true });
  turn.log(id, main.server.log.map((line) => `${line}\n`).join(""));
  turn.ctx.explain({ text: `${proc.spec.container} listens on ${proc.spec.ip}:${main.server.ports.join(", ")}.`, level: "operator", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}

function onCrash(turn: Turn, id: string): void {
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

function onAnswer(turn: Turn, request: MailId, resume: (task: Task) => Resume): void {
  for (const [id, proc] of turn.state.containers.sorted()) {
    for (const [name, task] of Object.entries(proc.tasks)) {
      if (task.waitsFor !== request) continue;
      continueShell(turn, id, name, resume(task));
      return;
    }
  }
}

function dnsResume(response: DnsResponse, task: Task): Resume {
  const name = task.block?.t === "dns" ? task.block.name : "";
  const head = "Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n";
  if (response.rcode !== "NOERROR" || response.addresses.length === 0) return { status: 1, out: `${head}** server can't find ${name}: ${response.rcode === "NOERROR" ? "NXDOMAIN" : response.rcode}\n\n` };
  return { status: 0, out: `${head}${response.addresses.map((address) => `Name:\t${name}\nAddress: ${address}\n`).join("")}\n` };
}

function httpResume(response: TrafficResponse, task: Task): Resume {
  if (task.block?.t !== "http") return { status: 1 };
  const { tool, url } = task.block;
  if (response.error !== undefined) return { status: tool === "curl" ? (response.error === "no such host" ? 6 : 7) : 1, err: tool === "curl" ? `curl: (7) Failed to connect to ${url}\n` : `wget: can't connect to remote host (${url}): ${response.error}\n` };
  if (response.status >= 400 && tool === "wget") return { status: 1, err: `wget: server returned error: HTTP/1.1 ${response.status}\n` };
  return { status: 0, out: response.body ?? "" };
}

function step(turn: Turn, message: Message): void {
  switch (message.type) {
    case "process.start.request": return start(turn, message as ProcessStartRequest);
    case "process.signal": return signal(turn, message as ProcessSignal);
    case "process.exec.request": return exec(turn, message as ProcessExecRequest);
    case "process.timer": return onTimer(turn, message as TaskTimer);
    case "process.launch": return onLaunch(turn, (message as ListenTimer).containerId);
    case "process.listen": return onListen(turn, (message as ListenTimer).containerId);
    case "process.crash": return onCrash(turn, (message as ListenTimer).containerId);
    case "process.stopped": {
      const main = turn.state.containers.get((message as ListenTimer).containerId)?.tasks["main"];
      return exit(turn, (message as ListenTimer).containerId, main?.server?.stopExit ?? 0);
    }
    case "traffic.request": return traffic(turn, message as TrafficRequest);
    case "traffic.response": return onAnswer(turn, (message as TrafficResponse).request, (task) => httpResume(message as TrafficResponse, task));
    case "dns.response": return onAnswer(turn, (message as DnsResponse).request, (task) => dnsResume(message as DnsResponse, task));
    case "net.error": return onAnswer(turn, (message as unknown as { hop: MailId }).hop, () => ({ status: 1, err: "connection refused\n" }));
    case "volume.write": {
      const write = message as VolumeWrite;
      turn.state = { ...turn.state, volumes: turn.state.volumes.set(`${write.podUid}/${write.volume}`, write.files) };
      return;
    }
    case "volumes.remove": {
      const prefix = `${(message as VolumesRemove).podUid}/`;
      let volumes = turn.state.volumes;
      for (const key of volumes.keys()) if (key.startsWith(prefix)) volumes = volumes.delete(key);
      turn.state = { ...turn.state, volumes };
      return;
    }
    case "process.remove": {
      turn.state = { ...turn.state, containers: turn.state.containers.delete((message as ProcessRemove).containerId) };
      return;
    }
    case "process.logs.request": {
      const proc = turn.state.containers.get((message as ProcessLogsRequest).containerId);
      turn.ctx.send(turn.ctx.from, { type: "process.logs.response", request: turn.ctx.mail, lines: proc?.log ?? [], found: proc !== undefined } satisfies ProcessLogsResponse, { protocol: "disk", latency: 300, verb: "read", level: "source" });
      return;
    }
    case "fault": return onFault(turn, message as FaultMessage);
  }
}

/** A container of the settled world, running since before time 0. */
function settled(pod: Pod, node: WorldNode): readonly (readonly [string, Proc])[] {
  return pod.spec.containers.flatMap((container) => {
    const status = pod.status?.containerStatuses?.find((candidate) => candidate.name === container.name);
    const containerId = status?.containerID?.replace("containerd://", "");
    if (!status?.state?.running || containerId === undefined) return [];
    const ports = (container.ports ?? []).map((port) => port.containerPort);
    const spec: ProcessStartRequest = {
      type: "process.start.request", containerId, podUid: pod.metadata.uid ?? "", namespace: pod.metadata.namespace ?? "default", podName: pod.metadata.name ?? "", container: container.name,
      image: container.image ?? "", command: container.command ?? [], args: container.args ?? [], env: [], workingDir: container.workingDir ?? "", mounts: [], ports,
      ip: pod.status?.podIP ?? node.address, hostname: pod.metadata.name ?? "", memoryLimit: 0, attempt: status.restartCount, terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File",
    };
    const resolved = resolveArgv(spec.image, spec.command, spec.args);
    const { program } = programOf(resolved, resolved.argv, ports);
    const server: ServerProgram = program.kind === "server" ? program : { kind: "server", ports, protocol: "HTTP", startup: 0, memoryMiB: 8, stopExit: 0, stopDelay: 3000, log: [] };
    const proc: Proc = { spec, state: "running", startedAt: 0, exitCode: 0, files: {}, imageFiles: resolved.image.files, tasks: { main: { ...NO_TASK, server, listening: true, forever: true } }, nextTask: 1, memoryMiB: server.memoryMiB, log: [], partial: "" };
    return [[containerId, proc] as const];
  });
}

function initialState(config: ProcessConfig): ProcessState {
  let containers = PMap.empty<Proc>();
  let byIP = PMap.empty<readonly string[]>();
  for (const pod of objectsOf<Pod>(config.world, "Pod")) {
    if (pod.spec.nodeName !== config.node.name) continue;
    for (const [id, proc] of settled(pod, config.node)) {
      containers = containers.set(id, proc);
      byIP = byIP.set(proc.spec.ip, [...(byIP.get(proc.spec.ip) ?? []), id]);
    }
  }
  return { containers, byIP, volumes: PMap.empty<Files>(), faults: [], crashes: {} };
}

/** Component process@NODE: all processes in the node's containers, their files and sockets. */
export function createProcess(config: ProcessConfig): Component<ProcessState> {
  return {
    id: `process@${config.node.name}`,
    machine: config.node.name,
    init: () => initialState(config),
    step(state, message, ctx) {
      // After a reboot nothing of the past is running.
      if (message.type === "start" && (message as unknown as { cold: boolean }).cold) return { ...state, containers: PMap.empty<Proc>(), byIP: PMap.empty<readonly string[]>() };
      const turn = new Turn(state, ctx, config);
      step(turn, message);
      return turn.state;
    },
  };
}
