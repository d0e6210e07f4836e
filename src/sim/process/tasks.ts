// A command line that runs in a container: a server, a shell script, or an exec beside it
import type { DnsRequestMessage } from "../coredns/messages.ts";
import type { TrafficRequest } from "../api/traffic.ts";
import type { MailId } from "../kernel/types.ts";
import { normalizePath, readFile } from "./files.ts";
import type { ServerProgram } from "./images/catalogue.ts";
import type { ProcessExecResponse, ProcessExited, ProcessStartRequest } from "./messages.ts";
import { programOf, resolveArgv } from "./program.ts";
import type { Block, ShellHost } from "./shell/host.ts";
import { runShell } from "./shell/machine.ts";
import { newCommand, newShell, type Resume, type ShellState } from "./shell/state.ts";
import { ShellSyntaxError } from "./shell/parse.ts";
import { type ListenTimer, MIB, NO_TASK, type Proc, subjectOf, type Task, type TaskTimer, type Turn } from "./turn.ts";

export const vars = (spec: ProcessStartRequest, image: readonly (readonly [string, string])[]): Record<string, string> => ({ ...Object.fromEntries(image), HOME: "/root", HOSTNAME: spec.hostname, ...Object.fromEntries(spec.env) });

export function launch(turn: Turn, id: string, task: string, program: ReturnType<typeof programOf>["program"], argv: readonly string[], env: Record<string, string>, exec?: Task["exec"]): void {
  const base: Task = { ...NO_TASK, argv, ...(exec === undefined ? {} : { exec }) };
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
        if (exec?.stdin !== undefined) shell = { ...shell, stdin: exec.stdin };
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

export function serve(turn: Turn, id: string, task: string, base: Task, program: ServerProgram): void {
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

export function hostOf(turn: Turn, proc: Proc, output: string[]): ShellHost {
  const { image } = resolveArgv(proc.spec.image, [], []);
  return { view: turn.view(proc), hostname: proc.spec.hostname, now: turn.ctx.now, programs: new Set(Object.keys(image.programs)), shell: image.shell, output };
}

export function continueShell(turn: Turn, id: string, name: string, resume?: Resume): void {
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

export function blockOn(turn: Turn, id: string, name: string, block: Block): void {
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
      const waitsFor = ctx.send("coredns", { type: "dns.request", name: block.name, qtype: "A", client: `process@${turn.config.node.name}`, namespace: proc.spec.namespace } satisfies DnsRequestMessage, { protocol: "DNS", latency: ctx.latency("link.lan", `dns ${id} ${ctx.now}`), verb: `A ${block.name}`, subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
      turn.task(id, name, { ...task, block, waitsFor });
      return;
    }
    case "http":
      turn.task(id, name, { ...task, block, waitsFor: openUrl(turn, proc, block.url, id) });
  }
}

export function openUrl(turn: Turn, proc: Proc, url: string, id: string): MailId {
  const { ctx } = turn;
  const m = /^(?:https?:\/\/)?([^/:]+)(?::(\d+))?(\/.*)?$/.exec(url);
  const host = m?.[1] ?? "";
  const toIP = host === "localhost" ? "127.0.0.1" : host;
  const request: TrafficRequest = { type: "traffic.request", protocol: "HTTP", method: "GET", path: m?.[3] ?? "/", host, fromIP: proc.spec.ip, toIP, toPort: Number(m?.[2] ?? 80), client: `process@${turn.config.node.name}` };
  const local = toIP === "127.0.0.1";
  // Simplified: the name is resolved by the node's rules engine, not by a DNS request of this process.
  return ctx.send(local ? `process@${turn.config.node.name}` : `netfilter@${turn.config.node.name}`, { ...request, toIP: local ? proc.spec.ip : toIP }, { protocol: "HTTP", latency: ctx.latency("link.host", `http ${id} ${ctx.now}`), verb: `GET ${request.path ?? "/"}`, subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}

export function finishTask(turn: Turn, id: string, name: string, code: number, text: string): void {
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
  turn.put(id, { ...proc, state: "exited", exitCode: code, tasks: {}, memoryMiB: 0, followers: [] });
  turn.tell(proc, [], true);
  const peers = (turn.state.byIP.get(proc.spec.ip) ?? []).filter((peer) => peer !== id);
  turn.state = { ...turn.state, byIP: peers.length === 0 ? turn.state.byIP.delete(proc.spec.ip) : turn.state.byIP.set(proc.spec.ip, peers) };
  ctx.explain({ text: `${proc.spec.container} exits with code ${code}`, level: "operator", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
  ctx.send(turn.runtime, { type: "process.exited", containerId: id, exitCode: code, oomKilled, message } satisfies ProcessExited, { protocol: "syscall", latency: ctx.latency("runtime.exit-event", id), verb: "SIGCHLD", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}`, status: code });
}
