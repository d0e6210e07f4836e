import { mayAccess, normalizePath, readFile } from "../files.ts";
import type { Redirect, Word } from "./ast.ts";
import { hostWrite, type ShellHost } from "./host.ts";
import type { Target } from "./state.ts";

const STANDARD: Readonly<Record<string, 1 | 2>> = { "/dev/stdout": 1, "/proc/1/fd/1": 1, "/proc/self/fd/1": 1, "/dev/fd/1": 1, "/dev/stderr": 2, "/proc/1/fd/2": 2, "/proc/self/fd/2": 2, "/dev/fd/2": 2 };

/** Where the three descriptors of a command lead; absent: where they led before. */
export interface Opened {
  readonly out?: Target | undefined;
  readonly err?: Target | undefined;
  readonly input?: string | undefined;
}

function cannotOpen(host: ShellHost, name: string, verb: string, error: string): string {
  if (host.shell === "busybox") return `sh: can't ${verb} ${name}: ${error}\n`;
  return `sh: 1: cannot ${verb} ${name}: ${error === "no such file" ? "No such file" : error === "nonexistent directory" ? "Directory nonexistent" : error}\n`;
}

function open(host: ShellHost, cwd: string, name: string, append: boolean): Target | string {
  const path = normalizePath(name, cwd);
  const standard = STANDARD[path];
  if (standard !== undefined) return { to: "outer", fd: standard };
  if (path === "/dev/null") return { to: "null" };
  const error = hostWrite(host, path, append ? (readFile(host.view, path) ?? "") : "");
  return error === undefined ? { to: "file", path } : cannotOpen(host, name, "create", error);
}

/** Opens redirections from left to right, so that `>f 2>&1` and `2>&1 >f` differ. A text is what the shell says of a file that it cannot open. */
export function openRedirects(redirects: readonly Redirect[], host: ShellHost, cwd: string, expand: (word: Word) => string): Opened | string {
  let out: Target | undefined;
  let err: Target | undefined;
  let input: string | undefined;
  for (const { op, fd, target } of redirects) {
    const text = expand(target);
    if (op === "here") input = text;
    else if (op === "dup") {
      if (text === "-") [out, err] = fd === 2 ? [out, { to: "null" }] : [{ to: "null" }, err];
      else if (fd === 2) err = out ?? { to: "outer", fd: 1 };
      else if (fd === 1) out = err ?? { to: "outer", fd: 2 };
    } else if (op === "<") {
      input = text === "/dev/null" ? "" : readFile(host.view, normalizePath(text, cwd));
      if (input !== undefined && text !== "/dev/null" && !mayAccess(host.view, normalizePath(text, cwd), 4)) return cannotOpen(host, text, "open", "Permission denied");
      if (input === undefined) return cannotOpen(host, text, "open", "no such file");
    } else {
      const opened = open(host, cwd, text, op === ">>");
      if (typeof opened === "string") return opened;
      if (op === "both") [out, err] = [opened, opened];
      else if (fd === 2) err = opened;
      else if (fd === 1) out = opened;
    }
  }
  return { out, err, input };
}
