import { isDirectory, normalizePath, readFile } from "../files.ts";
import { outOfSubshell, toInnermostLoop } from "./frames.ts";
import type { List, Node, Redirect, Word } from "./ast.ts";
import { COMMANDS } from "./builtins.ts";
import { type Block, type CommandResult, hostWrite, type ShellHost } from "./host.ts";
import { arithmetic } from "./arithmetic.ts";
import { splitFields } from "./fields.ts";
import { parseShell, ShellSyntaxError } from "./parse.ts";
import type { Frame, Resume, ShellState } from "./state.ts";

/** Commands a step may run before it must yield: an endless loop without a pause becomes slow, not stuck. */
const BUDGET = 400;
const COMMAND_COST = 500;

class Run {
  s: ShellState;
  readonly host: ShellHost;
  budget = BUDGET;

  constructor(state: ShellState, host: ShellHost) {
    this.s = state;
    this.host = host;
  }

  private set(change: Partial<ShellState>): void {
    this.s = { ...this.s, ...change };
  }

  private top(): Frame | undefined {
    return this.s.frames[this.s.frames.length - 1];
  }

  private replace(frame: Frame): void {
    this.set({ frames: [...this.s.frames.slice(0, -1), frame] });
  }

  private push(frame: Frame): void {
    this.set({ frames: [...this.s.frames, frame] });
  }

  private pop(): void {
    this.set({ frames: this.s.frames.slice(0, -1) });
  }

  emit(text: string): void {
    if (text === "") return;
    for (let i = this.s.frames.length - 1; i >= 0; i--) {
      const frame = this.s.frames[i];
      if (frame?.k === "pipe" && frame.i < frame.commands.length) {
        this.set({ frames: this.s.frames.with(i, { ...frame, buffer: frame.buffer + text }) });
        return;
      }
      if (frame?.k === "sink") {
        hostWrite(this.host, frame.path, (readFile(this.host.view, frame.path) ?? "") + text);
        return;
      }
    }
    this.host.output.push(text);
  }

  /** Runs until the script ends (block undefined) or must wait. */
  run(): Block | undefined {
    while (this.s.exit === undefined) {
      if (this.s.signal !== undefined) this.runTrap(this.s.signal);
      const frame = this.top();
      if (frame === undefined) {
        this.set({ exit: this.s.status });
        break;
      }
      if (this.budget <= 0) return { t: "sleep", micros: BUDGET * COMMAND_COST };
      const block = this.step(frame);
      if (block) return block;
    }
    return undefined;
  }

  private runTrap(signal: string): void {
    const { signal: _, ...rest } = this.s;
    this.s = rest;
    try {
      this.push({ k: "list", list: parseShell(this.s.traps[signal] ?? ""), i: 0 });
    } catch {
      this.set({ status: 2 });
    }
  }

  private step(frame: Frame): Block | undefined {
    switch (frame.k) {
      case "list": {
        const item = frame.list.items[frame.i];
        if (item === undefined) {
          this.pop();
          return undefined;
        }
        const before = frame.list.items[frame.i - 1]?.op;
        this.replace({ ...frame, i: frame.i + 1 });
        if ((before === "&&" && this.s.status !== 0) || (before === "||" && this.s.status === 0)) return undefined;
        if (item.op === "&") {
          // Simplified: upstream runs the job beside the script; here it is only known to be there.
          this.set({ jobs: this.s.jobs + 1, status: 0 });
          return undefined;
        }
        return this.enter(item.node);
      }
      case "if":
        return this.stepIf(frame);
      case "while": {
        const goOn = frame.inBody || (this.s.status === 0) !== frame.node.until;
        if (frame.inBody) {
          this.budget--;
          this.replace({ ...frame, inBody: false });
          this.push({ k: "list", list: frame.node.cond, i: 0 });
        } else if (goOn) {
          this.replace({ ...frame, inBody: true });
          this.push({ k: "list", list: frame.node.body, i: 0 });
        } else {
          this.pop();
          this.set({ status: 0 });
        }
        return undefined;
      }
      case "for": {
        const value = frame.values[frame.i];
        if (value === undefined) {
          this.pop();
          return undefined;
        }
        this.set({ vars: { ...this.s.vars, [frame.node.name]: value } });
        this.replace({ ...frame, i: frame.i + 1 });
        this.push({ k: "list", list: frame.node.body, i: 0 });
        return undefined;
      }
      case "not":
        this.pop();
        this.set({ status: this.s.status === 0 ? 1 : 0 });
        return undefined;
      case "sink":
        this.pop();
        return undefined;
      case "subshell":
        this.pop();
        this.set({ vars: frame.vars, cwd: frame.cwd });
        return undefined;
      case "pipe": {
        const next = frame.commands[frame.i];
        if (next === undefined) {
          this.pop();
          this.emit(frame.buffer);
          return undefined;
        }
        const last = frame.i + 1 >= frame.commands.length;
        this.replace({ ...frame, i: frame.i + 1, stdin: frame.buffer, buffer: "", ...(last ? { commands: frame.commands } : {}) });
        return this.enter(next);
      }
    }
  }

  private stepIf(frame: Extract<Frame, { k: "if" }>): undefined {
    if (frame.inBody) {
      this.pop();
      return undefined;
    }
    const clause = frame.node.clauses[frame.clause];
    if (this.s.status === 0 && clause) {
      this.replace({ ...frame, inBody: true });
      this.push({ k: "list", list: clause.body, i: 0 });
      return undefined;
    }
    const next = frame.node.clauses[frame.clause + 1];
    if (next) {
      this.replace({ ...frame, clause: frame.clause + 1 });
      this.push({ k: "list", list: next.cond, i: 0 });
    } else {
      this.set({ status: 0 });
      this.replace({ ...frame, inBody: true });
      if (frame.node.otherwise) this.push({ k: "list", list: frame.node.otherwise, i: 0 });
    }
    return undefined;
  }

  private enter(node: Node): Block | undefined {
    switch (node.type) {
      case "simple":
        return this.simple(node);
      case "if": {
        const first = node.clauses[0];
        this.push({ k: "if", node, clause: 0, inBody: false });
        if (first) this.push({ k: "list", list: first.cond, i: 0 });
        return undefined;
      }
      case "while":
        this.push({ k: "while", node, inBody: false });
        this.push({ k: "list", list: node.cond, i: 0 });
        return undefined;
      case "for":
        this.push({ k: "for", node, values: node.words.flatMap((word) => this.expand(word)), i: 0 });
        return undefined;
      case "not":
        this.push({ k: "not" });
        return this.enter(node.body);
      case "pipe":
        this.push({ k: "pipe", commands: node.commands, i: 0, buffer: "", stdin: "" });
        return undefined;
      case "redirected": {
        const out = node.redirects.find((redirect) => redirect.op === ">" || redirect.op === ">>");
        if (out) {
          const path = normalizePath(this.expand(out.target).join(" "), this.s.cwd);
          if (out.op === ">") hostWrite(this.host, path, "");
          this.push({ k: "sink", path });
        }
        return this.enter(node.body);
      }
      case "group":
        if (node.subshell) this.push({ k: "subshell", vars: this.s.vars, cwd: this.s.cwd });
        this.push({ k: "list", list: node.body, i: 0 });
        return undefined;
    }
  }

  private variable(name: string): string {
    if (name === "?") return String(this.s.status);
    if (name === "#") return String(Math.max(0, this.s.args.length - 1));
    if (name === "$") return "1";
    if (name === "@" || name === "*") return this.s.args.slice(1).join(" ");
    if (/^\d$/.test(name)) return this.s.args[Number(name)] ?? "";
    return this.s.vars[name] ?? "";
  }

  private substitute(list: List): string {
    const host: ShellHost = { ...this.host, output: [] };
    const inner = new Run({ ...this.s, frames: [{ k: "list", list, i: 0 }] }, host);
    const { exit: _, ...clean } = inner.s;
    inner.s = clean;
    // Simplified: a command substitution that would wait does not.
    inner.run();
    this.host.view = host.view;
    this.set({ status: inner.s.status });
    return host.output.join("").replace(/\n+$/, "");
  }

  expand(word: Word): string[] {
    return splitFields(word.map((part) => ({ text: this.textOf(part), whole: part.t === "text" || part.t === "math" || part.quoted === true })));
  }

  private textOf(part: Word[number]): string {
    if (part.t === "text") return part.v;
    if (part.t === "var") return this.variable(part.name) || (part.fallback ?? "");
    return part.t === "cmd" ? this.substitute(part.body) : arithmetic(part.text, (name) => this.variable(name));
  }

  private simple(node: Extract<Node, { type: "simple" }>): Block | undefined {
    const argv = node.words.flatMap((word) => this.expand(word));
    const assigns = node.assigns.map(([name, word]) => [name, this.expand(word).join(" ")] as const);
    if (argv.length === 0) {
      this.set({ vars: { ...this.s.vars, ...Object.fromEntries(assigns) } });
      if (node.redirects.length > 0) this.finish({ status: 0 }, node.redirects);
      return undefined;
    }
    this.budget--;
    const result = this.command(argv, assigns);
    if (result === undefined) return undefined;
    if ("block" in result) {
      this.set({ blocked: { redirects: node.redirects } });
      return result.block;
    }
    this.finish(result, node.redirects);
    return undefined;
  }

  finish(result: Resume, redirects: readonly Redirect[]): void {
    this.set({ status: result.status });
    let out = result.out ?? "";
    let err = result.err ?? "";
    for (const redirect of redirects) {
      const target = this.expand(redirect.target).join(" ");
      if (redirect.op === "dup") {
        if (redirect.fd === 2) {
          out += err;
          err = "";
        } else {
          err += out;
          out = "";
        }
        continue;
      }
      if (redirect.op === "<") continue;
      const path = normalizePath(target, this.s.cwd);
      const text = redirect.fd === 2 ? err : out;
      if (redirect.fd === 2) err = "";
      else out = "";
      if (path === "/dev/stdout" || path === "/proc/1/fd/1" || path === "/dev/stderr" || path === "/proc/1/fd/2") this.emit(text);
      else if (path !== "/dev/null") {
        const error = hostWrite(this.host, path, (redirect.op === ">>" ? (readFile(this.host.view, path) ?? "") : "") + text);
        if (error !== undefined) {
          this.emit(`sh: can't create ${target}: ${error}\n`);
          this.set({ status: 1 });
        }
      }
    }
    this.emit(out + err);
    if (this.s.errexit && this.s.status !== 0 && !this.s.frames.some((frame) => (frame.k === "if" && !frame.inBody) || (frame.k === "while" && !frame.inBody))) this.leave(this.s.status);
  }

  private stdin(): string {
    for (let i = this.s.frames.length - 1; i >= 0; i--) {
      const frame = this.s.frames[i];
      if (frame?.k === "pipe") return frame.stdin;
    }
    return this.s.stdin ?? "";
  }

  /** Undefined: the shell itself dealt with it. */
  private command(argv: readonly string[], assigns: readonly (readonly [string, string])[]): CommandResult | undefined {
    const [name = "", ...args] = argv;
    const base = name.slice(name.lastIndexOf("/") + 1);
    switch (name) {
      case "exit":
        this.leave(args[0] === undefined ? this.s.status : Number(args[0]) & 255);
        return undefined;
      case "exec":
        this.set({ frames: [] });
        return args.length === 0 ? undefined : this.command(args, assigns);
      case "cd": {
        const path = normalizePath(args[0] ?? "/", this.s.cwd);
        if (!isDirectory(this.host.view, path)) return { status: 1, err: `sh: cd: can't cd to ${args[0] ?? ""}: No such file or directory\n` };
        this.set({ cwd: path, status: 0 });
        return undefined;
      }
      case "export":
      case "local":
        this.set({ vars: { ...this.s.vars, ...Object.fromEntries(args.filter((arg) => arg.includes("=")).map((arg) => [arg.slice(0, arg.indexOf("=")), arg.slice(arg.indexOf("=") + 1)])) }, status: 0 });
        return undefined;
      case "set":
        if (args.some((arg) => /^-[a-z]*e/.test(arg))) this.set({ errexit: true });
        return { status: 0 };
      case "trap": {
        const [body = "", ...signals] = args;
        this.set({ traps: { ...this.s.traps, ...Object.fromEntries(signals.map((signal) => [signal.replace(/^SIG/, ""), body])) }, status: 0 });
        return undefined;
      }
      case "wait":
        return this.s.jobs > 0 ? { block: { t: "forever" } } : { status: 0 };
      case "break":
      case "continue":
        this.loopControl(name);
        return undefined;
      case "sh": case "bash": case "/bin/sh": case "/bin/bash": case "ash": case "/bin/ash":
        return this.nested(args);
    }
    if (this.host.programs.has(base)) return { block: { t: "program", argv } };
    const known = COMMANDS.get(base);
    const vars = assigns.length === 0 ? this.s.vars : { ...this.s.vars, ...Object.fromEntries(assigns) };
    if (known) return known(args, { host: this.host, cwd: this.s.cwd, vars, stdin: this.stdin() });
    const script = name.includes("/") ? readFile(this.host.view, normalizePath(name, this.s.cwd)) : undefined;
    if (script !== undefined) return this.nested(["-c", script, ...argv]);
    return { status: 127, err: this.host.shell === "busybox" ? `sh: ${name}: not found\n` : `sh: 1: ${name}: not found\n` };
  }

  private nested(args: readonly string[]): CommandResult | undefined {
    const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
    const script = at >= 0 ? args[at + 1] : args[0] === undefined ? undefined : readFile(this.host.view, normalizePath(args[0], this.s.cwd));
    if (script === undefined) return args.length === 0 ? { status: 0 } : { status: 2, err: `sh: can't open '${args[0] ?? ""}': No such file or directory\n` };
    try {
      const list = parseShell(script);
      this.push({ k: "subshell", vars: this.s.vars, cwd: this.s.cwd });
      this.push({ k: "list", list, i: 0 });
    } catch (error) {
      return { status: 2, err: `sh: ${error instanceof ShellSyntaxError ? error.message : "syntax error"}\n` };
    }
    return undefined;
  }

  /** `exit`: ends the innermost shell. */
  private leave(code: number): void {
    const frames = outOfSubshell(this.s.frames);
    this.set(frames === undefined ? { exit: code } : { frames, status: code });
  }

  private loopControl(name: string): void {
    this.set({ frames: toInnermostLoop(this.s.frames, name === "break") });
  }
}

/** Continues a shell, after a blocking command with its result. `block` undefined: `state.exit` is set. */
export function runShell(state: ShellState, host: ShellHost, resume?: Resume): { state: ShellState; block?: Block } {
  const run = new Run(state, host);
  if (resume && state.blocked) {
    const { blocked, ...rest } = run.s;
    run.s = rest;
    run.finish(resume, blocked?.redirects ?? []);
  }
  const block = run.run();
  return block === undefined ? { state: run.s } : { state: run.s, block };
}
