// The processes of a container: servers, shell scripts, commands, and their children
import { normalizePath, readFile } from "./files.ts";
import type { Image, ServerProgram } from "./images/image.ts";
import type { ProcessExecResponse, ProcessExited, ProcessStartRequest } from "./messages.ts";
import { blockOn } from "./block.ts";
import { nameOf } from "./ownership.ts";
import { programOf, resolveArgv } from "./program.ts";
import type { ShellHost } from "./shell/host.ts";
import { ShellSyntaxError } from "./shell/lexer.ts";
import { runShell } from "./shell/machine.ts";
import { newCommand, newShell, type Resume, type ShellState } from "./shell/state.ts";
import { faultOf, type ListenTimer, MIB, NO_TASK, type Proc, subjectOf, type Task, type Turn } from "./turn.ts";

export const vars = (spec: ProcessStartRequest, image: readonly (readonly [string, string])[]): Record<string, string> => ({ ...Object.fromEntries(image), HOME: spec.credentials === undefined || /^(?:0|root)?(?::|$)/.test(spec.credentials.user) ? "/root" : "/", HOSTNAME: spec.hostname, ...Object.fromEntries(spec.env) });

/** What a task is from its start on. */
export interface TaskStart {
  readonly pid: number;
  readonly parent?: string;
  readonly exec?: Task["exec"];
}

/** Programs that a shell hands over to. What the shell itself knows ("memory-eater") it runs. */
const programsBeside = ({ programs }: Image): ReadonlySet<string> => new Set(Object.entries(programs).flatMap(([name, { kind }]) => (kind === "shell" ? [] : [name])));

export function launch(turn: Turn, id: string, task: string, program: ReturnType<typeof programOf>["program"], argv: readonly string[], env: Record<string, string>, from: TaskStart): void {
  const base: Task = { ...NO_TASK, argv, pid: from.pid, ...(from.parent === undefined ? {} : { parent: from.parent }), ...(from.exec === undefined ? {} : { exec: from.exec }) };
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
        shell = { ...shell, pid: from.pid, ...(from.exec?.stdin === undefined ? {} : { stdin: from.exec.stdin }) };
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
export function shellFor(argv: readonly string[], env: Record<string, string>, cwd: string, read: (path: string) => string | undefined): ShellState {
  const [name = "", ...args] = argv;
  const base = name.slice(name.lastIndexOf("/") + 1);
  if (!/^(sh|ash|bash|dash)$/.test(base)) return newCommand(argv, env, cwd);
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  const flags = args.slice(0, at < 0 ? args.length : at + 1).filter((arg) => arg.startsWith("-")).join("");
  const file = at < 0 ? args.findIndex((arg) => !arg.startsWith("-")) : -1;
  const operands = args.slice(args[at + 1] === "--" ? at + 2 : at + 1);
  const script = at >= 0 ? (operands[0] ?? "") : file < 0 ? undefined : (read(args[file] ?? "") ?? "exit 127");
  // An interactive shell without a terminal reads its input to the end and leaves.
  const shell = newShell(script ?? "eval \"$(cat)\"", env, at >= 0 ? [operands[1] ?? name, ...operands.slice(2)] : file < 0 ? [name] : args.slice(file), cwd);
  return { ...shell, bash: base === "bash", options: { ...shell.options, errexit: flags.includes("e"), xtrace: flags.includes("x"), nounset: flags.includes("u") } };
}

export function serve(turn: Turn, id: string, task: string, base: Task, program: ServerProgram): void {
  const proc = turn.state.containers.get(id);
  if (!proc) return;
  turn.put(id, { ...proc, memoryMiB: Math.max(proc.memoryMiB, program.memoryMiB) });
  const limit = proc.spec.memoryLimit;
  if (limit > 0 && program.memoryMiB * MIB > limit) {
    turn.task(id, task, base);
    oomKill(turn, id);
    return;
  }
  // Simplified: only what serves is slow to start; a script begins as quickly as ever.
  const delay = Number(faultOf(turn, proc, "app.slow-start")?.params["seconds"] ?? 0) * 1_000_000;
  turn.ctx.after(program.startup + delay, { type: "process.listen", containerId: id, task } satisfies ListenTimer);
  turn.task(id, task, { ...base, server: program, forever: true });
}

/** What the commands of one step asked of the kernel; done when the step is over. */
interface Asked {
  readonly children: { readonly pid: number; readonly state: ShellState; readonly argv: readonly string[] }[];
  readonly signals: { readonly containerId: string; readonly task: string; readonly signal: string }[];
  nextPid: number;
}

export function hostOf(turn: Turn, proc: Proc, output: string[], asked: Asked = { children: [], signals: [], nextPid: 0 }): ShellHost {
  const { spec } = proc;
  const { image, known } = resolveArgv(spec.image, [], []);
  return {
    view: turn.view(proc), hostname: spec.hostname, ip: spec.ip, now: turn.ctx.now, memoryLimit: spec.memoryLimit, programs: programsBeside(image), shell: image.shell, known, output,
    spawn: (state, argv) => {
      const pid = asked.nextPid++;
      asked.children.push({ pid, state: { ...state, pid: state.pid }, argv });
      return pid;
    },
    kill: (pid, signal) => {
      const found = turn.visible(proc).flatMap(({ spec: { containerId }, tasks }) => Object.entries(tasks).flatMap(([task, { pid: own }]) => (own === pid ? [{ containerId, task }] : [])))[0] ?? (asked.children.some((child) => child.pid === pid) ? { containerId: spec.containerId, task: childName(pid) } : undefined);
      if (found !== undefined && signal !== "0") asked.signals.push({ ...found, signal });
      return found !== undefined;
    },
    processes: () => [...(spec.sharedPid ? [{ pid: 1, user: "65535", command: "/pause" }] : []), ...turn.visible(proc).flatMap((other) => Object.values(other.tasks).map(({ pid, argv }) => ({ pid, user: userName(other), command: argv.join(" ") })))].sort((a, b) => a.pid - b.pid),
  };
}

const userName = ({ imageFiles, who: { uid } }: Proc): string => nameOf(imageFiles["/etc/passwd"], uid) ?? String(uid);

const childName = (pid: number): string => `child${pid}`;

/** Text that a task writes: to the exec's caller, or to the container's log. */
export function write(turn: Turn, id: string, name: string, text: string): void {
  if (text === "") return;
  const tasks = turn.state.containers.get(id)?.tasks;
  let at: string | undefined = name;
  while (at !== undefined && tasks?.[at]?.exec === undefined && tasks?.[at]?.parent !== undefined) at = tasks[at]?.parent;
  const task = at === undefined ? undefined : tasks?.[at];
  if (task?.exec) turn.task(id, at ?? name, { ...task, output: task.output + text });
  // A child whose exec has gone writes to a closed pipe.
  else if (at === "main") turn.log(id, text);
}

export function continueShell(turn: Turn, id: string, name: string, resume?: Resume): void {
  const proc = turn.state.containers.get(id);
  const task = proc?.tasks[name];
  if (!proc || !task?.shell || proc.state !== "running") return;
  const output: string[] = [];
  const asked: Asked = { children: [], signals: [], nextPid: turn.freshPid(proc) };
  const host = hostOf(turn, proc, output, asked);
  const { state: shell, block } = runShell(task.shell, host, resume);
  turn.state = { ...turn.state, volumes: host.view.volumes, owners: host.view.owners };
  const { block: _, child: __, ...rest } = task;
  turn.put(id, { ...proc, files: host.view.own, nextPid: asked.nextPid, tasks: { ...proc.tasks, [name]: { ...rest, timer: -1, waitsFor: -1, forever: false, shell } } });
  write(turn, id, name, output.join(""));
  for (const child of asked.children) startChild(turn, id, name, child);
  if (block === undefined) finishTask(turn, id, name, shell.exit ?? 0, "");
  else if (block.t === "program") startProgram(turn, id, name, block.argv, block.replaces);
  else blockOn(turn, id, name, block);
  turn.signals.push(...asked.signals);
}

function startChild(turn: Turn, id: string, parent: string, child: Asked["children"][number]): void {
  const name = childName(child.pid);
  turn.task(id, name, { ...NO_TASK, pid: child.pid, parent, argv: child.argv, shell: child.state });
  continueShell(turn, id, name);
}

/** A program of the image: in place of the shell, or as a child that it waits for in the foreground. */
function startProgram(turn: Turn, id: string, parent: string, argv: readonly string[], replaces: boolean): void {
  const proc = turn.state.containers.get(id);
  const task = proc?.tasks[parent];
  if (!proc || !task) return;
  const { program, shellArgv } = programOf(resolveArgv(proc.spec.image, [], []), argv, proc.spec.ports);
  if (replaces) {
    launch(turn, id, parent, program, shellArgv, task.shell?.vars ?? {}, task);
    return;
  }
  const pid = turn.freshPid(proc);
  const name = childName(pid);
  turn.put(id, { ...proc, nextPid: pid + 1, tasks: { ...proc.tasks, [parent]: { ...task, child: name, forever: true } } });
  launch(turn, id, name, program, shellArgv, task.shell?.vars ?? {}, { pid, parent });
}

/** A process has ended: its exec is answered, its container ends with the first process, its parent learns of it. */
export function finishTask(turn: Turn, id: string, name: string, code: number, text: string): void {
  write(turn, id, name, text);
  const proc = turn.state.containers.get(id);
  const task = proc?.tasks[name];
  if (!proc || !task) return;
  turn.ctx.cancel(task.timer);
  if (name === "main") {
    exit(turn, id, code);
    return;
  }
  const { [name]: _, ...tasks } = proc.tasks;
  turn.put(id, { ...proc, tasks });
  if (task.exec) {
    turn.ctx.send(task.exec.to, { type: "process.exec.response", request: task.exec.request, exitCode: code, output: task.output } satisfies ProcessExecResponse, { protocol: "syscall", latency: turn.ctx.latency("process.exec", `${id} ${turn.ctx.now}`), verb: "exit", status: code, level: "source" });
  }
  if (task.parent !== undefined) childEnded(turn, id, task.parent, name, task.pid, code);
}

function childEnded(turn: Turn, id: string, parent: string, name: string, pid: number, code: number): void {
  const task = turn.state.containers.get(id)?.tasks[parent];
  if (!task?.shell) return;
  if (task.child === name) {
    continueShell(turn, id, parent, { status: code });
    return;
  }
  const shell = { ...task.shell, jobs: task.shell.jobs.map((job) => (job.pid === pid ? { ...job, status: code } : job)) };
  turn.task(id, parent, { ...task, shell });
  if (task.block?.t !== "wait") return;
  const { pids } = task.block;
  const waited = pids.length === 0 ? shell.jobs : shell.jobs.filter((job) => pids.includes(job.pid));
  if (waited.every(({ status }) => status !== undefined)) continueShell(turn, id, parent, { status: pids.length === 0 ? 0 : (waited.at(-1)?.status ?? 127) });
}

export function oomKill(turn: Turn, id: string): void {
  turn.ctx.explain({ text: "The kernel's OOM killer ends the container's processes: it needs more memory than memory.max", why: "memory.oom.group=1 kills all processes of the container's cgroup", level: "basic", subject: subjectOf(turn, id) });
  exit(turn, id, 137, true);
}

export function exit(turn: Turn, id: string, code: number, oomKilled = false): void {
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
  turn.put(id, { ...proc, state: "exited", exitCode: code, ended: { at: ctx.now, exitCode: code, oomKilled, message }, tasks: {}, memoryMiB: 0, followers: [] });
  turn.tell(proc, [], true);
  const peers = (turn.state.byIP.get(proc.spec.ip) ?? []).filter((peer) => peer !== id);
  turn.state = { ...turn.state, byIP: peers.length === 0 ? turn.state.byIP.delete(proc.spec.ip) : turn.state.byIP.set(proc.spec.ip, peers) };
  ctx.explain({ text: `${proc.spec.container} exits with code ${code}`, level: "operator", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
  ctx.send(turn.runtime, { type: "process.exited", containerId: id, exitCode: code, oomKilled, message } satisfies ProcessExited, { protocol: "syscall", latency: ctx.latency("runtime.exit-event", id), verb: "SIGCHLD", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}`, status: code });
}
