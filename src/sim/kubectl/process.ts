// Models a kubectl process as upstream writes it: straight down, waiting for each answer
import type { WatchEvent } from "../api/http.ts";
import { rfc3339 } from "../api/time.ts";
import type { ApiCall } from "../client-go/api-client.ts";
import type { Level, Micros } from "../kernel/types.ts";
import { runEditor } from "./editor.ts";
import { errorText } from "./errors.ts";
import { followTag, newSink } from "./follow.ts";
import { flag, flagList, isOn, type Options } from "./flags.ts";
import { addError, type Answer, ask, type Command, type ErrorText, exit, openEditor, pause, print, printError, printRaw, printWarnings, say, type Turn } from "./session.ts";
import { StaleDiscovery, type Types, typesOf } from "./types.ts";

/** What reached a process, in order. */
export type Arrival = { readonly at: Micros; readonly answer: Answer } | { readonly at: Micros; readonly edited: string | undefined } | { readonly at: Micros; readonly event: WatchEvent | "timeout" | "closed" | "tick" } | { readonly at: Micros; readonly ended: string; readonly refusal: Answer | undefined };

/** State of a program between two events: what reached it, and how much of its work is already done. */
interface Progress {
  readonly arrived: readonly Arrival[];
  readonly done: number;
  /** Nothing is left to do but to leave. */
  readonly finished?: boolean;
}

/** The program needs something that has not come yet. */
const WAITS = Symbol("waits");
/** The program ends; its errors are collected. */
const ENDS = Symbol("ends");

/**
 * A program's view of the world. At every event the program runs again from its start: what it was told before is told again, and what it
 * did before is not done twice. So its state is the list of what reached it.
 */
export class Process {
  readonly turn: Turn;
  now: Micros;
  exitCode: number | undefined;
  private readonly progress: Progress;
  private answers = 0;
  /** The first arrival is the start itself. */
  private events = 1;
  private edits = 0;
  private step = 0;

  constructor(turn: Turn, progress: Progress) {
    this.turn = turn;
    this.progress = progress;
    this.now = turn.session.startedAt;
    const begun = progress.arrived[0];
    if (begun !== undefined) this.now = begun.at;
  }

  get options(): Options {
    return this.turn.session.options;
  }
  get steps(): number {
    return Math.max(this.step, this.progress.done);
  }
  get types(): Types {
    return typesOf(this.turn);
  }
  get namespace(): string {
    return this.options.namespaceGiven ? this.options.namespace : this.turn.config.namespace;
  }
  flag(name: string, otherwise = ""): string {
    return flag(this.options, name, otherwise);
  }
  flags(name: string): readonly string[] {
    return flagList(this.options, name);
  }
  on(name: string): boolean {
    return isOn(this.options, name);
  }
  given(name: string): boolean {
    return this.options.flags[name] !== undefined;
  }
  file(name: string): string | undefined {
    return this.turn.session.run.files[name];
  }
  /** The time as RFC 3339 text. */
  timestamp(): string {
    return rfc3339(this.now);
  }

  private once(work: () => void): void {
    if (this.step++ >= this.progress.done) work();
  }
  print(text: string): void {
    this.once(() => print(this.turn, text));
  }
  printRaw(text: string): void {
    this.once(() => printRaw(this.turn, text));
  }
  printError(text: string): void {
    this.once(() => printError(this.turn, text));
  }
  say(text: string, why: string, level?: Level, data?: unknown): void {
    this.once(() => say(this.turn, text, why, level, data));
  }
  /** An error that is printed at the end. */
  addError(text: ErrorText): void {
    this.once(() => addError(this.turn, text));
  }
  fail(text: ErrorText, code = 1): never {
    this.addError(text);
    this.exitCode = code;
    throw ENDS;
  }
  exit(code: number): never {
    this.exitCode = code;
    throw ENDS;
  }

  /** Sends a request and waits for its answer. */
  ask(call: ApiCall): Answer {
    this.once(() => ask(this.turn, "ask", call));
    const { arrived } = this.progress;
    for (; this.answers < arrived.length; this.answers++) {
      const arrival = arrived[this.answers];
      if (arrival === undefined || !("answer" in arrival)) continue;
      this.answers++;
      this.now = Math.max(this.now, arrival.at);
      const { warnings } = arrival.answer;
      if (warnings.length > 0) this.once(() => printWarnings(this.turn, warnings));
      return arrival.answer;
    }
    throw WAITS;
  }
  /** Sends a request; a refusal ends the program. */
  must(call: ApiCall, prefix = ""): unknown {
    const answer = this.ask(call);
    if (answer.refused || answer.status >= 400) this.fail(errorText(answer, this.turn.config.server, prefix));
    return answer.body;
  }
  /**
   * Opens a text in the editor that KUBE_EDITOR or EDITOR names; without one, in the page's. The new text and the name of its file.
   * `failed` is told what goes wrong.
   */
  edit(text: string, extension: string, failed: (error: string) => never): readonly [text: string, file: string] {
    const { env = {}, files, session } = this.turn.session.run;
    const nth = ++this.edits;
    const file = `/tmp/kubectl-edit-${1_000_000_000 + (session % 1_000_000_000) + nth}${extension}`;
    const done = runEditor(env["KUBE_EDITOR"] || env["EDITOR"] || "", text, files);
    if (done !== undefined) {
      if ("error" in done) return failed(done.error);
      if (done.printed !== undefined) this.printRaw(done.printed);
      return [done.text, file];
    }
    this.once(() => openEditor(this.turn, file, text));
    const arrivals = this.progress.arrived.filter((arrival) => "edited" in arrival);
    const arrival = arrivals[nth - 1];
    if (arrival === undefined) throw WAITS;
    this.now = Math.max(this.now, arrival.at);
    return [arrival.edited ?? text, file];
  }
  /** Opens a watch; its events come by next(). */
  watch(call: ApiCall): void {
    this.once(() => {
      const stream = `kubectl/${this.turn.session.key}/w${this.step}`;
      this.turn.session = { ...this.turn.session, streams: [stream] };
      ask(this.turn, "watch", { ...call, stream });
    });
  }
  /** Opens a text that goes on and prints it as it comes; its end comes by ended(). The stream's name. */
  follow(call: ApiCall, prefix = ""): string {
    const stream = `kubectl/${this.turn.session.key}/f${this.step}`;
    this.once(() => {
      const { session } = this.turn;
      this.turn.session = { ...session, streams: [...Object.keys(session.sinks), stream], sinks: { ...session.sinks, [stream]: newSink(prefix) } };
      ask(this.turn, followTag(stream), { ...call, stream });
    });
    return stream;
  }
  /** The next followed text that has ended, or the alarm. */
  ended(): { readonly stream: string; readonly refusal: Answer | undefined } | "timeout" | "tick" {
    const { arrived } = this.progress;
    for (; this.events < arrived.length; this.events++) {
      const arrival = arrived[this.events];
      if (arrival === undefined || !("ended" in arrival || ("event" in arrival && (arrival.event === "tick" || arrival.event === "timeout")))) continue;
      this.events++;
      this.now = Math.max(this.now, arrival.at);
      return "ended" in arrival ? { stream: arrival.ended, refusal: arrival.refusal } : (arrival.event as "tick" | "timeout");
    }
    throw WAITS;
  }
  /** Rings once, `micros` from now. */
  alarm(micros: Micros, as: "timeout" | "tick" = "timeout"): void {
    this.once(() => {
      const { ctx, session } = this.turn;
      ctx.after(micros, { type: "kubectl.continue", key: session.key, tag: as === "tick" ? "tick" : "timeout" });
    });
  }
  /** The next event of the open watch, or the alarm. */
  next(): WatchEvent | "timeout" | "closed" | "tick" {
    const { arrived } = this.progress;
    for (; this.events < arrived.length; this.events++) {
      const arrival = arrived[this.events];
      if (arrival === undefined || !("event" in arrival)) continue;
      this.events++;
      this.now = Math.max(this.now, arrival.at);
      return arrival.event;
    }
    throw WAITS;
  }
}

export type Program = (process: Process) => void;

function runOn(turn: Turn, program: Program, arrival?: Arrival): void {
  const before = (turn.session.data as Progress | undefined) ?? { arrived: [], done: 0 };
  if (before.finished === true) return;
  const progress = { ...before, arrived: arrival === undefined ? before.arrived : [...before.arrived, arrival] };
  const process = new Process(turn, progress);
  try {
    program(process);
  } catch (reason) {
    if (reason instanceof StaleDiscovery) {
      turn.session = { ...turn.session, data: { ...progress, done: process.steps } satisfies Progress };
      throw reason;
    }
    if (reason === WAITS) {
      turn.session = { ...turn.session, data: { ...progress, done: process.steps } satisfies Progress };
      return;
    }
    if (reason !== ENDS) throw reason;
  }
  if (turn.session.errors.length > 0 || process.exitCode !== undefined) return exit(turn, process.exitCode);
  turn.session = { ...turn.session, streams: [], data: { arrived: [], done: 0, finished: true } satisfies Progress };
  pause(turn, "kubectl.exit", "exit");
}

/** A command that is written as a program. */
export const command = (names: readonly string[], program: Program): Command => ({
  names,
  start: (turn) => runOn(turn, program, { at: turn.ctx.now, event: "tick" }),
  resume: (turn) => runOn(turn, program),
  onAnswer(turn, tag, answer) {
    if (tag === "ask") return runOn(turn, program, { at: turn.ctx.now, answer });
    if (answer.refused || answer.status !== 200) runOn(turn, program, { at: turn.ctx.now, event: "closed" });
  },
  onEvent: (turn, event) => runOn(turn, program, { at: turn.ctx.now, event }),
  onEnd: (turn, ended, refusal) => runOn(turn, program, { at: turn.ctx.now, ended, refusal }),
  onEdited: (turn, edited) => runOn(turn, program, { at: turn.ctx.now, edited }),
  onPause(turn, tag) {
    if (tag === "exit") exit(turn);
    else if (tag === "timeout" || tag === "tick") runOn(turn, program, { at: turn.ctx.now, event: tag });
  },
});

/** A command that is one of several, by its flags and arguments. */
export function chosen(name: string, of: (options: Options) => Command): Command {
  const pick = (turn: Turn): Command => of(turn.session.options);
  return {
    names: [name],
    start: (turn) => pick(turn).start(turn),
    resume: (turn) => (pick(turn).resume ?? pick(turn).start)(turn),
    onAnswer: (turn, tag, answer) => pick(turn).onAnswer?.(turn, tag, answer),
    onEvent: (turn, event) => pick(turn).onEvent?.(turn, event),
    onEnd: (turn, stream, refusal) => pick(turn).onEnd?.(turn, stream, refusal),
    onEdited: (turn, text) => pick(turn).onEdited?.(turn, text),
    onPause: (turn, tag) => pick(turn).onPause?.(turn, tag),
  };
}

/** A command whose first argument, if there is one, is a subcommand. */
export const eitherOf = (name: string, alone: Command, withArguments: Command): Command => chosen(name, ({ args }) => (args.length === 0 ? alone : withArguments));
