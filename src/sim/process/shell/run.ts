import { readFile } from "../files.ts";
import { type List, type Node, type Redirect, substitutions, type Word } from "./ast.ts";
import { expandFields, type Expansion, ExpansionError, expandPattern, expandText } from "./expand.ts";
import { globRegExp } from "./glob.ts";
import { type Block, type CommandResult, hostWrite, type ShellHost } from "./host.ts";
import { ShellSyntaxError } from "./lexer.ts";
import { parseShell } from "./parse.ts";
import { openRedirects } from "./redirect.ts";
import { childOf, type Frame, isLastCommand, isTested, type Resume, type ShellState } from "./state.ts";
import { elements, variable, withArray } from "./variable.ts";

/** Commands a step may run before it must yield: an endless loop without a pause becomes slow, not stuck. */
const BUDGET = 400;
const COMMAND_COST = 500;

/** How a command is run, once it is expanded: undefined if the shell itself dealt with it. */
export type RunCommand = (run: Run, argv: readonly string[], assigns: readonly (readonly [string, string])[]) => CommandResult | undefined;

/** One stretch of a shell's run: until it ends or must wait. */
export class Run {
  s: ShellState;
  readonly host: ShellHost;
  private readonly command: RunCommand;
  private budget = BUDGET;
  private results: string[] = [];

  constructor(state: ShellState, host: ShellHost, command: RunCommand) {
    this.s = state;
    this.host = host;
    this.command = command;
  }

  set(change: Partial<ShellState>): void {
    this.s = { ...this.s, ...change };
  }

  push(frame: Frame): void {
    this.set({ frames: [...this.s.frames, frame] });
  }

  private replace(frame: Frame): void {
    this.set({ frames: [...this.s.frames.slice(0, -1), frame] });
  }

  private pop(): void {
    this.set({ frames: this.s.frames.slice(0, -1) });
  }

  readonly pushList = (list: List): void => this.push({ k: "list", list, i: 0 });

  /** A shell within this one. */
  pushSubshell(): void {
    const { vars, args, cwd, traps, options } = this.s;
    this.push({ k: "subshell", vars, args, cwd, traps, options });
  }

  /** Output of descriptor 1 or 2, to wherever it leads here. */
  emit(text: string, descriptor: 1 | 2 = 1): void {
    if (text === "") return;
    let fd = descriptor;
    for (let i = this.s.frames.length - 1; i >= 0; i--) {
      const frame = this.s.frames[i];
      if (frame?.k === "sink") {
        const target = fd === 1 ? frame.out : frame.err;
        if (target?.to === "null") return;
        if (target?.to === "file") {
          hostWrite(this.host, target.path, (readFile(this.host.view, target.path) ?? "") + text);
          return;
        }
        if (target?.to === "outer") fd = target.fd;
      } else if (fd === 1 && frame?.k === "pipe" && frame.i < frame.commands.length) {
        this.set({ frames: this.s.frames.with(i, { ...frame, buffer: frame.buffer + text }) });
        return;
      } else if (fd === 1 && frame?.k === "capture") {
        this.set({ frames: this.s.frames.with(i, { ...frame, out: frame.out + text }) });
        return;
      }
    }
    this.host.output.push(text);
  }

  /** What is left on the standard input; `take` removes it. */
  input(take?: (text: string) => string): string {
    for (let i = this.s.frames.length - 1; i >= 0; i--) {
      const frame = this.s.frames[i];
      if (frame?.k !== "input") continue;
      if (take) this.set({ frames: this.s.frames.with(i, { ...frame, text: take(frame.text) }) });
      return frame.text;
    }
    const text = this.s.stdin ?? "";
    if (take) this.set({ stdin: take(text) });
    return text;
  }

  /** Runs until the script ends (block undefined) or must wait. */
  run(): Block | undefined {
    while (this.s.exit === undefined) {
      if (this.s.signal !== undefined) this.runTrap(this.s.signal);
      const frame = this.s.frames.at(-1);
      if (frame === undefined) {
        this.end(this.s.ending ?? this.s.status);
        continue;
      }
      if (this.budget <= 0) return { t: "sleep", micros: BUDGET * COMMAND_COST };
      try {
        const block = this.step(frame);
        if (block) return block;
      } catch (error) {
        if (!(error instanceof ExpansionError || error instanceof ShellSyntaxError)) throw error;
        this.emit(`sh: ${error.message}\n`, 2);
        this.leave(2);
      }
    }
    return undefined;
  }

  /** The shell itself ends: its EXIT trap first. */
  private end(code: number): void {
    const body = this.s.traps["EXIT"] ?? this.s.traps["0"];
    if (body === undefined || this.s.ending !== undefined) return this.set({ exit: code });
    this.set({ ending: code, status: code, frames: [{ k: "list", list: parseShell(body), i: 0 }] });
  }

  private runTrap(signal: string): void {
    const { signal: _, ...rest } = this.s;
    this.s = rest;
    const list = parseShell(this.s.traps[signal] ?? "");
    this.push({ k: "trap", status: this.s.status });
    this.pushList(list);
  }

  /** `exit`: ends the innermost shell. */
  leave(code: number): void {
    const { frames } = this.s;
    const at = frames.findLastIndex((frame) => frame.k === "subshell");
    if (at < 0) return this.end(code);
    this.set({ frames: frames.slice(0, at + 1), status: code });
  }

  private step(frame: Frame): Block | undefined {
    switch (frame.k) {
      case "list":
        return this.stepList(frame);
      case "if":
        return this.stepIf(frame);
      case "while":
        return this.stepWhile(frame);
      case "for": {
        const value = frame.values[frame.i];
        if (value === undefined) return void this.pop();
        this.assign(frame.node.name, value);
        this.replace({ ...frame, i: frame.i + 1 });
        return void this.pushList(frame.node.body);
      }
      case "not":
        this.pop();
        return void this.set({ status: this.s.status === 0 ? 1 : 0 });
      case "sink":
      case "input":
        return void this.pop();
      case "trap":
        this.pop();
        return void this.set({ status: frame.status });
      case "call":
        return void this.returnFrom(frame);
      case "subshell":
        this.pop();
        return void this.set({ vars: frame.vars, args: frame.args, cwd: frame.cwd, traps: frame.traps, options: frame.options });
      case "pipe":
        return this.stepPipe(frame);
      case "expand": {
        const next = frame.todo[frame.results.length];
        if (next !== undefined) {
          this.push({ k: "capture", out: "" });
          this.pushSubshell();
          return void this.pushList(next);
        }
        this.pop();
        this.results = [...frame.results];
        return this.execute(frame.node);
      }
      case "capture": {
        this.pop();
        const below = this.s.frames.at(-1);
        if (below?.k === "expand") this.replace({ ...below, results: [...below.results, frame.out.replace(/\n+$/, "")] });
      }
    }
    return undefined;
  }

  private stepList(frame: Extract<Frame, { k: "list" }>): Block | undefined {
    const item = frame.list.items[frame.i];
    if (item === undefined) return void this.pop();
    const before = frame.list.items[frame.i - 1]?.op;
    this.replace({ ...frame, i: frame.i + 1 });
    if ((before === "&&" && this.s.status !== 0) || (before === "||" && this.s.status === 0)) return undefined;
    if (item.op !== "&") return this.enter(item.node);
    const words = item.node.type === "simple" ? item.node.words.map((word) => word.map((part) => (part.t === "text" ? part.v : "")).join("")) : ["sh"];
    const pid = this.host.spawn(childOf(this.s, item.node), words);
    this.set({ jobs: [...this.s.jobs, { pid }], status: 0 });
    return undefined;
  }

  private stepIf(frame: Extract<Frame, { k: "if" }>): undefined {
    if (frame.inBody) return void this.pop();
    const clause = frame.node.clauses[frame.clause];
    if (this.s.status === 0 && clause) {
      this.replace({ ...frame, inBody: true });
      return void this.pushList(clause.body);
    }
    const next = frame.node.clauses[frame.clause + 1];
    if (next) {
      this.replace({ ...frame, clause: frame.clause + 1 });
      return void this.pushList(next.cond);
    }
    this.set({ status: 0 });
    this.replace({ ...frame, inBody: true });
    if (frame.node.otherwise) this.pushList(frame.node.otherwise);
  }

  private stepWhile(frame: Extract<Frame, { k: "while" }>): undefined {
    if (frame.inBody) {
      this.budget--;
      this.replace({ ...frame, inBody: false, last: this.s.status });
      return void this.pushList(frame.node.cond);
    }
    if ((this.s.status === 0) !== frame.node.until) {
      this.replace({ ...frame, inBody: true });
      return void this.pushList(frame.node.body);
    }
    this.pop();
    this.set({ status: frame.last });
  }

  /** Simplified: upstream's pipe runs its commands side by side; here each runs to its end and hands on what it wrote. */
  private stepPipe(frame: Extract<Frame, { k: "pipe" }>): Block | undefined {
    const next = frame.commands[frame.i];
    const failed = frame.i > 0 && this.s.status !== 0 ? this.s.status : frame.failed;
    if (next === undefined) {
      this.pop();
      if (this.s.options.pipefail && failed !== 0) this.set({ status: failed });
      return undefined;
    }
    this.replace({ ...frame, i: frame.i + 1, buffer: "", failed });
    if (frame.i > 0) this.push({ k: "input", text: frame.buffer });
    this.pushSubshell();
    return this.enter(next);
  }

  enter(node: Node): Block | undefined {
    const todo = substitutions(node);
    if (todo.length === 0) return this.execute(node);
    this.push({ k: "expand", node, todo, results: [] });
    return undefined;
  }

  private execute(node: Node): Block | undefined {
    switch (node.type) {
      case "simple":
        return this.simple(node);
      case "if": {
        const first = node.clauses[0];
        this.push({ k: "if", node, clause: 0, inBody: false });
        if (first) this.pushList(first.cond);
        return undefined;
      }
      case "while":
        this.push({ k: "while", node, inBody: false, last: 0 });
        return void this.pushList(node.cond);
      case "for":
        return void this.push({ k: "for", node, values: node.words.flatMap((word) => this.fields(word)), i: 0 });
      case "case": {
        const text = expandText(node.word, this.expansion());
        const clause = node.clauses.find(({ patterns }) => patterns.some((pattern) => globRegExp(expandPattern(pattern, this.expansion())).test(text)));
        this.set({ status: 0 });
        return clause && void this.pushList(clause.body);
      }
      case "function":
        return void this.set({ functions: { ...this.s.functions, [node.name]: node.body }, status: 0 });
      case "not":
        this.push({ k: "not" });
        return this.enter(node.body);
      case "pipe":
        return void this.push({ k: "pipe", commands: node.commands, i: 0, buffer: "", failed: 0 });
      case "redirected":
        return this.redirect(node.redirects) ? this.enter(node.body) : undefined;
      case "group":
        if (node.subshell) this.pushSubshell();
        return void this.pushList(node.body);
    }
  }

  /** Runs a function's body with its own positional parameters. */
  call(body: Node, args: readonly string[]): Block | undefined {
    this.push({ k: "call", args: this.s.args, saved: {} });
    this.set({ args: [this.s.args[0] ?? "sh", ...args] });
    return this.enter(body);
  }

  /** `return`: ends the innermost function. */
  returnWith(status: number): void {
    const at = this.s.frames.findLastIndex((frame) => frame.k === "call");
    const frame = this.s.frames[at];
    if (frame?.k !== "call") return this.leave(status);
    this.set({ frames: this.s.frames.slice(0, at + 1), status });
    this.returnFrom(frame);
  }

  private returnFrom({ args, saved }: Extract<Frame, { k: "call" }>): void {
    const vars = Object.fromEntries(Object.entries({ ...this.s.vars, ...saved }).filter((entry): entry is [string, string] => entry[1] !== null));
    this.pop();
    this.set({ args, vars });
  }

  /** `local`: the caller's value comes back with the return. */
  local(name: string): void {
    const at = this.s.frames.findLastIndex((frame) => frame.k === "call");
    const frame = this.s.frames[at];
    if (frame?.k === "call" && !(name in frame.saved)) this.set({ frames: this.s.frames.with(at, { ...frame, saved: { ...frame.saved, [name]: this.s.vars[name] ?? null } }) });
  }

  /** Sets a variable; one that is new stays with the shell until it is exported. */
  assign(name: string, value: string): void {
    const known = name in this.s.vars;
    this.set({ vars: { ...this.s.vars, [name]: value }, ...(known ? {} : { unexported: { ...this.s.unexported, [name]: true } }) });
  }

  private expansion(): Expansion {
    return {
      get: (name) => variable(this.s, this.host, name) ?? "",
      set: (name, value) => this.assign(name, value),
      lookup: (name) => variable(this.s, this.host, name),
      elements: (name) => elements(this.s.vars, name),
      args: this.s.args.slice(1), nounset: this.s.options.nounset, host: this.host, cwd: this.s.cwd, braces: this.s.bash,
      substitution: () => this.results.shift() ?? "",
    };
  }

  private fields(word: Word): readonly string[] {
    return expandFields(word, this.expansion());
  }

  private simple(node: Extract<Node, { type: "simple" }>): Block | undefined {
    const substituted = this.results.length > 0;
    const argv = node.words.flatMap((word) => this.fields(word));
    const assigns = node.assigns.map(([name, word]) => [name, expandText(word, this.expansion())] as const);
    if (this.s.options.xtrace) this.emit(`+ ${[...assigns.map(([name, value]) => `${name}=${value}`), ...argv].join(" ")}\n`, 2);
    if (node.redirects.length > 0 && !this.redirect(node.redirects)) return undefined;
    if (argv.length === 0) {
      for (const [name, value] of assigns) this.assign(name, value);
      for (const [name, words] of node.arrays ?? []) this.set({ vars: withArray(this.s.vars, name, words.flatMap((word) => this.fields(word))) });
      if (!substituted) this.set({ status: 0 });
      this.errexit();
      return undefined;
    }
    this.budget--;
    const result = this.command(this, argv, assigns);
    if (result === undefined) return undefined;
    if ("block" in result) {
      this.set({ blocked: true });
      return result.block;
    }
    this.finish(result);
    return undefined;
  }

  /** Opens what a command's redirections name; false if a file cannot be opened. */
  private redirect(redirects: readonly Redirect[]): boolean {
    const opened = openRedirects(redirects, this.host, this.s.cwd, (word) => expandText(word, this.expansion()));
    if (typeof opened === "string") {
      this.emit(opened, 2);
      this.set({ status: 1 });
      this.errexit();
      return false;
    }
    const { out, err, input } = opened;
    if (out || err) this.push({ k: "sink", ...(out ? { out } : {}), ...(err ? { err } : {}) });
    if (input !== undefined) this.push({ k: "input", text: input });
    return true;
  }

  /** A command has ended. */
  finish(result: Resume): void {
    this.set({ status: result.status });
    this.emit(result.out ?? "", 1);
    this.emit(result.err ?? "", 2);
    this.errexit();
  }

  private errexit(): void {
    if (!this.s.options.errexit || this.s.status === 0) return;
    if (!isTested(this.s.frames)) this.leave(this.s.status);
  }

  /** Whether nothing is left to do after the command that is being run: a shell then becomes that command. */
  get atEnd(): boolean {
    return isLastCommand(this.s);
  }
}
