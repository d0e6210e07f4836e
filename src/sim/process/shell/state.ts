import type { List, Node, Redirect, Word } from "./ast.ts";
import { parseShell } from "./parse.ts";

/** Where a run is: the innermost construct is last. Plain data, so that a fork may continue from the middle. */
export type Frame =
  | { readonly k: "list"; readonly list: List; readonly i: number }
  | { readonly k: "if"; readonly node: Extract<Node, { type: "if" }>; readonly clause: number; readonly inBody: boolean }
  | { readonly k: "while"; readonly node: Extract<Node, { type: "while" }>; readonly inBody: boolean }
  | { readonly k: "for"; readonly node: Extract<Node, { type: "for" }>; readonly values: readonly string[]; readonly i: number }
  | { readonly k: "not" }
  | { readonly k: "pipe"; readonly commands: readonly Node[]; readonly i: number; readonly buffer: string; readonly stdin: string }
  | { readonly k: "sink"; readonly path: string }
  /** A shell within the shell: its variables and its exit are its own. */
  | { readonly k: "subshell"; readonly vars: Readonly<Record<string, string>>; readonly cwd: string };

export interface ShellState {
  readonly frames: readonly Frame[];
  readonly vars: Readonly<Record<string, string>>;
  /** $0, $1, ... */
  readonly args: readonly string[];
  readonly status: number;
  readonly cwd: string;
  /** What was handed to the whole run. */
  readonly stdin?: string;
  readonly traps: Readonly<Record<string, string>>;
  /** A trapped signal waits for the foreground command to end. */
  readonly signal?: string;
  readonly blocked?: { readonly redirects: readonly Redirect[] };
  readonly jobs: number;
  readonly errexit: boolean;
  readonly exit?: number;
}

/** What the finished blocking command gave. */
export interface Resume {
  readonly status: number;
  readonly out?: string;
  readonly err?: string;
}

export function newShell(script: string, vars: Readonly<Record<string, string>>, args: readonly string[], cwd: string): ShellState {
  const state: ShellState = { frames: [], vars, args, status: 0, cwd, traps: {}, jobs: 0, errexit: false };
  return { ...state, frames: [{ k: "list", list: parseShell(script), i: 0 }] };
}

/** One argv as a shell would run it after `exec`: no expansion. */
export function newCommand(argv: readonly string[], vars: Readonly<Record<string, string>>, cwd: string): ShellState {
  const words = argv.map((v): Word => [{ t: "text", v, quoted: true }]);
  const list: List = { items: [{ node: { type: "simple", assigns: [], words, redirects: [] }, op: ";" }] };
  return { frames: [{ k: "list", list, i: 0 }], vars, args: [], status: 0, cwd, traps: {}, jobs: 0, errexit: false };
}

/** The signal's effect on a shell that is PID 1: without a trap nothing, with one it runs after the foreground command. */
export function signalShell(state: ShellState, signal: string): { state: ShellState; interrupts: boolean } {
  const trap = state.traps[signal];
  if (trap === undefined || trap === "") return { state, interrupts: false };
  return { state: { ...state, signal }, interrupts: false };
}
