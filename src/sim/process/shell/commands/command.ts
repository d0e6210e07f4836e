import type { CommandResult, ShellHost } from "../host.ts";

export interface CommandEnv {
  readonly host: ShellHost;
  readonly cwd: string;
  /** What a command inherits. */
  readonly vars: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Runs another command in its place (xargs, timeout, env). */
  readonly again: (argv: readonly string[]) => CommandResult;
}

export type Command = (args: readonly string[], env: CommandEnv) => CommandResult;

export const MISSING = "No such file or directory";
export const ok = (out = ""): CommandResult => ({ status: 0, out });
export const fail = (err: string, status = 1): CommandResult => ({ status, err });
export const lines = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
export const joined = (list: readonly string[]): string => list.map((line) => `${line}\n`).join("");

export interface Flags {
  /** All single letters that were given. */
  readonly letters: string;
  /** Values of the letters that take one, and of `--name=value`. */
  readonly values: Readonly<Record<string, string>>;
  readonly rest: readonly string[];
}

/** Options as getopt reads them; `valued` are the letters that take a value. */
export function getopt(args: readonly string[], valued = ""): Flags {
  let letters = "";
  const values: Record<string, string> = {};
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--") {
      rest.push(...args.slice(i + 1));
      break;
    }
    const long = /^--([\w-]+)(?:=(.*))?$/.exec(arg);
    if (long) {
      values[long[1] ?? ""] = long[2] ?? "";
      continue;
    }
    if (!/^-[A-Za-z0-9]/.test(arg)) {
      rest.push(arg);
      continue;
    }
    for (let at = 1; at < arg.length; at++) {
      const letter = arg[at] ?? "";
      letters += letter;
      if (!valued.includes(letter)) continue;
      values[letter] = at + 1 < arg.length ? arg.slice(at + 1) : (args[++i] ?? "");
      break;
    }
  }
  return { letters, values, rest };
}
