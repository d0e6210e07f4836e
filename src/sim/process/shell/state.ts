import type { List, Node, Word } from "./ast.ts";
import { parseShell } from "./parse.ts";

/** Where a file descriptor leads: a file, nowhere, or what the surrounding descriptor leads to. */
export type Target = { readonly to: "file"; readonly path: string } | { readonly to: "null" } | { readonly to: "outer"; readonly fd: 1 | 2 };

/** Where a run is: the innermost construct is last. Plain data, so that a fork may continue from the middle. */
export type Frame =
  | { readonly k: "list"; readonly list: List; readonly i: number }
  | { readonly k: "if"; readonly node: Extract<Node, { type: "if" }>; readonly clause: number; readonly inBody: boolean }
  | { readonly k: "while"; readonly node: Extract<Node, { type: "while" }>; readonly inBody: boolean; readonly last: number }
  | { readonly k: "for"; readonly node: Extract<Node, { type: "for" }>; readonly values: readonly string[]; readonly i: number }
  | { readonly k: "not" }
  | { readonly k: "pipe"; readonly commands: readonly Node[]; readonly i: number; readonly buffer: string; readonly failed: number }
  | { readonly k: "sink"; readonly out?: Target; readonly err?: Target }
  /** What `read` and filters take from. */
  | { readonly k: "input"; readonly text: string }
  /** A node whose command substitutions run first. */
  | { readonly k: "expand"; readonly node: Node; readonly todo: readonly List[]; readonly results: readonly string[] }
  | { readonly k: "capture"; readonly out: string }
  | { readonly k: "call"; readonly args: readonly string[]; readonly saved: Readonly<Record<string, string | null>> }
  | { readonly k: "trap"; readonly status: number }
  /** A shell within the shell: its variables and its exit are its own. */
  | { readonly k: "subshell"; readonly vars: Readonly<Record<string, string>>; readonly args: readonly string[]; readonly cwd: string; readonly traps: Readonly<Record<string, string>>; readonly options: Options };

export interface Options {
  readonly errexit: boolean;
  readonly nounset: boolean;
  readonly xtrace: boolean;
  readonly pipefail: boolean;
}

export interface Job {
  readonly pid: number;
  /** Undefined while it runs. */
  readonly status?: number;
}

export interface ShellState {
  readonly frames: readonly Frame[];
  readonly vars: Readonly<Record<string, string>>;
  /** Variables that commands do not inherit. */
  readonly unexported: Readonly<Record<string, true>>;
  readonly functions: Readonly<Record<string, Node>>;
  /** $0, $1, ... */
  readonly args: readonly string[];
  readonly pid: number;
  readonly status: number;
  readonly cwd: string;
  /** What was handed to the whole run. */
  readonly stdin?: string;
  readonly traps: Readonly<Record<string, string>>;
  /** A trapped signal waits for the foreground command to end. */
  readonly signal?: string;
  /** The command that waits is an external one: its end is a command's end. */
  readonly blocked?: true;
  readonly jobs: readonly Job[];
  readonly options: Options;
  readonly bash: boolean;
  readonly exit?: number;
  /** The status with which it ends once its EXIT trap has run. */
  readonly ending?: number;
}

/** What the finished blocking command gave. */
export interface Resume {
  readonly status: number;
  readonly out?: string;
  readonly err?: string;
  /** A file that it saved. */
  readonly file?: { readonly path: string; readonly text: string };
}

const OPTIONS: Options = { errexit: false, nounset: false, xtrace: false, pipefail: false };

function empty(vars: Readonly<Record<string, string>>, args: readonly string[], cwd: string): ShellState {
  return { frames: [], vars, unexported: {}, functions: {}, args, pid: 1, status: 0, cwd, traps: {}, jobs: [], options: OPTIONS, bash: false };
}

/** A shell that runs a script. Throws ShellSyntaxError. */
export function newShell(script: string, vars: Readonly<Record<string, string>>, args: readonly string[], cwd: string): ShellState {
  return { ...empty(vars, args, cwd), frames: [{ k: "list", list: parseShell(script), i: 0 }] };
}

/** One argv as a shell would run it after `exec`: no expansion. */
export function newCommand(argv: readonly string[], vars: Readonly<Record<string, string>>, cwd: string): ShellState {
  const words = argv.map((v): Word => [{ t: "text", v, quoted: true }]);
  const list: List = { items: [{ node: { type: "simple", assigns: [], words, redirects: [] }, op: ";" }] };
  return { ...empty(vars, [], cwd), frames: [{ k: "list", list, i: 0 }] };
}

/** The child that runs a node in the background: where its output goes is inherited, jobs and traps are not. */
export function childOf(state: ShellState, node: Node): ShellState {
  const { exit: _, ending: __, blocked: ___, signal: ____, stdin: _____, ...rest } = state;
  return { ...rest, frames: [...state.frames.filter((frame) => frame.k === "sink"), { k: "list", list: { items: [{ node, op: ";" }] }, i: 0 }], jobs: [], traps: {}, status: 0 };
}

/** The signal's effect on a shell that catches it: its trap runs after the foreground command. The same state if it has no handler. */
export function signalShell(state: ShellState, signal: string): ShellState {
  const trap = state.traps[signal];
  return trap === undefined || trap === "" ? state : { ...state, signal };
}

/** How many loops `break n` and `continue n` leave: the frames after it. */
export function toLoop(frames: readonly Frame[], levels: number, leave: boolean): readonly Frame[] {
  let left = levels;
  for (let at = frames.length - 1; at >= 0; at--) {
    const k = frames[at]?.k;
    if (k === "call" || k === "subshell") return frames;
    if (k !== "while" && k !== "for") continue;
    if (--left === 0) return frames.slice(0, leave ? at : at + 1);
  }
  return frames;
}

/** Whether the command's status is asked for by what surrounds it: `set -e` then does not end the shell. */
export function isTested(frames: readonly Frame[]): boolean {
  return frames.some((frame) => (frame.k === "if" && !frame.inBody) || (frame.k === "while" && !frame.inBody) || frame.k === "not" || (frame.k === "list" && /^(?:&&|\|\|)$/.test(frame.list.items[frame.i - 1]?.op ?? "")));
}

/** Whether nothing is left to do after the command that is being run: a shell then becomes that command. */
export function isLastCommand({ frames, traps }: ShellState): boolean {
  return Object.keys(traps).length === 0 && frames.every((frame) => frame.k === "sink" || frame.k === "input" || frame.k === "subshell" || (frame.k === "if" && frame.inBody) || (frame.k === "list" && frame.i >= frame.list.items.length));
}
