import { rfc3339 } from "../../api/time.ts";
import { isDirectory, listDirectory, normalizePath, readFile } from "../files.ts";
import { type CommandResult, hostWrite, type ShellHost } from "./host.ts";
import { tar } from "./tar.ts";

export interface CommandEnv {
  readonly host: ShellHost;
  readonly cwd: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly stdin: string;
}

type Command = (args: readonly string[], env: CommandEnv) => CommandResult;
const ok = (out = ""): CommandResult => ({ status: 0, out });
const fail = (err: string, status = 1): CommandResult => ({ status, err });
const MISSING = "No such file or directory";

function unescape(text: string): string {
  return text.replace(/\\([nrt\\"0])/g, (_, c: string) => ({ n: "\n", r: "\r", t: "\t", "\\": "\\", '"': '"', "0": "\0" })[c] ?? c);
}

function echo(args: readonly string[]): CommandResult {
  let at = 0;
  let newline = true;
  let escapes = false;
  for (; /^-[neE]+$/.test(args[at] ?? ""); at++) {
    if (args[at]?.includes("n")) newline = false;
    if (args[at]?.includes("e")) escapes = true;
  }
  const text = args.slice(at).join(" ");
  return ok((escapes ? unescape(text) : text) + (newline ? "\n" : ""));
}

function printf(args: readonly string[]): CommandResult {
  const [format = "", ...rest] = args;
  let out = "";
  let at = 0;
  do {
    out += unescape(format).replace(/%(-?\d*)(s|d|i|%|b)/g, (_, width: string, kind: string) => {
      if (kind === "%") return "%";
      const value = rest[at++] ?? (kind === "s" || kind === "b" ? "" : "0");
      return width.startsWith("-") ? value.padEnd(-Number(width)) : value.padStart(Number(width) || 0);
    });
  } while (at > 0 && at < rest.length);
  return ok(out);
}

function seconds(text: string): number | undefined {
  if (text === "infinity" || text === "inf") return Number.POSITIVE_INFINITY;
  const m = /^(\d+(?:\.\d+)?|\.\d+)([smhd]?)$/.exec(text);
  if (!m) return undefined;
  return Number(m[1]) * ({ m: 60, h: 3600, d: 86_400 }[m[2] ?? ""] ?? 1);
}

function sleep(args: readonly string[]): CommandResult {
  let total = 0;
  for (const arg of args) {
    const value = seconds(arg);
    if (value === undefined) return fail(`sleep: invalid number '${arg}'\n`);
    total += value;
  }
  if (args.length === 0) return fail("BusyBox: sleep: missing operand\n");
  return { block: total === Number.POSITIVE_INFINITY ? { t: "forever" } : { t: "sleep", micros: Math.round(total * 1_000_000) } };
}

function cat(args: readonly string[], env: CommandEnv): CommandResult {
  if (args.length === 0) return ok(env.stdin);
  let out = "";
  let err = "";
  for (const name of args.filter((arg) => !arg.startsWith("-"))) {
    const path = normalizePath(name, env.cwd);
    const text = readFile(env.host.view, path);
    if (text !== undefined) out += text;
    else if (isDirectory(env.host.view, path)) err += env.host.shell === "busybox" ? `cat: read error: Is a directory\n` : `cat: ${name}: Is a directory\n`;
    else err += env.host.shell === "busybox" ? `cat: can't open '${name}': ${MISSING}\n` : `cat: ${name}: ${MISSING}\n`;
  }
  return { status: err === "" ? 0 : 1, out, err };
}

function touch(args: readonly string[], env: CommandEnv): CommandResult {
  for (const name of args.filter((arg) => !arg.startsWith("-"))) {
    const path = normalizePath(name, env.cwd);
    const error = hostWrite(env.host, path, readFile(env.host.view, path) ?? "");
    if (error !== undefined) return fail(`touch: ${name}: ${error === "nonexistent directory" ? MISSING : error}\n`);
  }
  return ok();
}

function rm(args: readonly string[], env: CommandEnv): CommandResult {
  const flags = args.filter((arg) => arg.startsWith("-")).join("");
  for (const name of args.filter((arg) => !arg.startsWith("-"))) {
    const path = normalizePath(name, env.cwd);
    const exists = readFile(env.host.view, path) !== undefined;
    const directory = isDirectory(env.host.view, path);
    if (!exists && !directory) {
      if (flags.includes("f")) continue;
      return fail(env.host.shell === "busybox" ? `rm: can't remove '${name}': ${MISSING}\n` : `rm: cannot remove '${name}': ${MISSING}\n`);
    }
    if (directory && !/[rR]/.test(flags)) return fail(`rm: '${name}' is a directory\n`);
    const error = hostWrite(env.host, path, undefined);
    if (error !== undefined) return fail(`rm: can't remove '${name}': ${error}\n`);
  }
  return ok();
}

function mkdir(args: readonly string[], env: CommandEnv): CommandResult {
  for (const name of args.filter((arg) => !arg.startsWith("-"))) {
    const error = hostWrite(env.host, `${normalizePath(name, env.cwd)}/`, "");
    if (error !== undefined) return fail(`mkdir: can't create directory '${name}': ${error}\n`);
  }
  return ok();
}

function ls(args: readonly string[], env: CommandEnv): CommandResult {
  const names = args.filter((arg) => !arg.startsWith("-"));
  let out = "";
  for (const name of names.length === 0 ? ["."] : names) {
    const path = normalizePath(name, env.cwd);
    if (isDirectory(env.host.view, path)) out += listDirectory(env.host.view, path).map((entry) => `${entry}\n`).join("");
    else if (readFile(env.host.view, path) !== undefined) out += `${name}\n`;
    else return fail(`ls: ${name}: ${MISSING}\n`);
  }
  return ok(out);
}

function copy(remove: boolean): Command {
  return (args, env) => {
    const names = args.filter((arg) => !arg.startsWith("-"));
    const target = normalizePath(names.at(-1) ?? "", env.cwd);
    for (const name of names.slice(0, -1)) {
      const from = normalizePath(name, env.cwd);
      const text = readFile(env.host.view, from);
      if (text === undefined) return fail(`${remove ? "mv: can't rename" : "cp: can't stat"} '${name}': ${MISSING}\n`);
      const to = isDirectory(env.host.view, target) ? normalizePath(from.slice(from.lastIndexOf("/") + 1), target) : target;
      const error = hostWrite(env.host, to, text);
      if (error !== undefined) return fail(`cp: can't create '${to}': ${error}\n`);
      if (remove) hostWrite(env.host, from, undefined);
    }
    return ok();
  };
}

function tail(args: readonly string[], env: CommandEnv): CommandResult {
  const name = args.find((arg) => !arg.startsWith("-") && !/^\d+$/.test(arg));
  // Reading zeroes for a last line that never ends: memory grows until the kernel says stop.
  if (name === "/dev/zero") return { block: { t: "memory", bytes: 1e15 } };
  if (args.some((arg) => /^-[fF]/.test(arg)) || name === "/dev/null") return args.some((arg) => /^-[fF]/.test(arg)) ? { block: { t: "forever" } } : ok();
  const text = name === undefined ? env.stdin : readFile(env.host.view, normalizePath(name, env.cwd));
  if (text === undefined) return fail(`tail: can't open '${name ?? ""}': ${MISSING}\n`);
  const count = Number(/\d+/.exec(args.join(" "))?.[0] ?? 10);
  return ok(`${text.replace(/\n$/, "").split("\n").slice(-count).join("\n")}\n`);
}

function head(args: readonly string[], env: CommandEnv): CommandResult {
  const name = args.find((arg) => !arg.startsWith("-") && !/^\d+$/.test(arg));
  const text = name === undefined ? env.stdin : (readFile(env.host.view, normalizePath(name, env.cwd)) ?? "");
  return ok(`${text.split("\n").slice(0, Number(/\d+/.exec(args.join(" "))?.[0] ?? 10)).join("\n")}\n`);
}

function grep(args: readonly string[], env: CommandEnv): CommandResult {
  const flags = args.filter((arg) => arg.startsWith("-")).join("");
  const [pattern = "", name] = args.filter((arg) => !arg.startsWith("-"));
  const text = name === undefined ? env.stdin : readFile(env.host.view, normalizePath(name, env.cwd));
  if (text === undefined) return fail(`grep: ${name ?? ""}: ${MISSING}\n`, 2);
  const lines = text.split("\n").filter((line) => line !== "" && (flags.includes("i") ? line.toLowerCase().includes(pattern.toLowerCase()) : line.includes(pattern)) !== flags.includes("v"));
  if (flags.includes("c")) return { status: lines.length > 0 ? 0 : 1, out: `${lines.length}\n` };
  return { status: lines.length > 0 ? 0 : 1, out: flags.includes("q") ? "" : lines.map((line) => `${line}\n`).join("") };
}

function test(args: readonly string[], env: CommandEnv): boolean {
  const [a = "", b = "", c = ""] = args;
  const or = args.indexOf("-o");
  if (or > 0) return test(args.slice(0, or), env) || test(args.slice(or + 1), env);
  const and = args.indexOf("-a");
  if (and > 0) return test(args.slice(0, and), env) && test(args.slice(and + 1), env);
  if (a === "!" && args.length > 1) return !test(args.slice(1), env);
  if (args.length <= 1) return a !== "";
  const path = normalizePath(b, env.cwd);
  if (args.length === 2) {
    const text = readFile(env.host.view, path);
    switch (a) {
      case "-f": return text !== undefined;
      case "-d": return isDirectory(env.host.view, path);
      case "-e": case "-r": case "-w": case "-x": return text !== undefined || isDirectory(env.host.view, path);
      case "-s": return text !== undefined && text !== "";
      case "-z": return b === "";
      default: return a === "-n" && b !== "";
    }
  }
  switch (b) {
    case "=": case "==": return a === c;
    case "!=": return a !== c;
    case "-eq": return Number(a) === Number(c);
    case "-ne": return Number(a) !== Number(c);
    case "-gt": return Number(a) > Number(c);
    case "-ge": return Number(a) >= Number(c);
    case "-lt": return Number(a) < Number(c);
    default: return b === "-le" && Number(a) <= Number(c);
  }
}

const bracket: Command = (args, env) => (args.at(-1) === "]" ? { status: test(args.slice(0, -1), env) ? 0 : 1 } : fail("sh: missing ]\n", 2));

function fetchUrl(tool: string): Command {
  return (args) => {
    const flags = args.filter((arg) => arg.startsWith("-")).join(" ");
    const at = args.findIndex((arg) => arg === "-O" || arg === "-o");
    const save = tool === "wget" && /-[a-z]*O-/.test(flags) ? "-" : at >= 0 ? args[at + 1] : undefined;
    const url = args.find((arg, i) => !arg.startsWith("-") && (at < 0 || i !== at + 1) && !/^-(T|t|m|-connect-timeout|-max-time)$/.test(args[i - 1] ?? ""));
    if (url === undefined) return fail(`${tool}: missing URL\n`);
    return { block: { t: "http", url, tool, quiet: /(^| )-[a-zA-Z]*[qs]/.test(flags), ...(save === undefined || save === "-" ? {} : { save }) } };
  };
}

function seq(args: readonly string[]): CommandResult {
  const numbers = args.map(Number);
  const first = numbers.length > 1 ? (numbers[0] ?? 1) : 1;
  const last = numbers.at(-1) ?? 0;
  const step = numbers.length > 2 ? (numbers[1] ?? 1) : 1;
  let out = "";
  for (let n = first, count = 0; step > 0 ? n <= last : n >= last; n += step, count++) {
    if (count > 10_000) break;
    out += `${n}\n`;
  }
  return ok(out);
}

function megabytes(text: string): number {
  const m = /^(\d+)([KMGkmg]?)i?[bB]?$/.exec(text);
  return m ? Number(m[1]) * ({ k: 1024, m: 1_048_576, g: 1_073_741_824 }[(m[2] ?? "").toLowerCase()] ?? 1) : 0;
}

/** `stress --vm 1 --vm-bytes 250M --vm-hang 1`, the documentation's memory hog. */
function stress(args: readonly string[]): CommandResult {
  const value = (...names: string[]): string | undefined => {
    const at = args.findIndex((arg) => names.includes(arg.split("=")[0] ?? ""));
    return at < 0 ? undefined : args[at]?.includes("=") ? args[at]?.split("=")[1] : args[at + 1];
  };
  const workers = Number(value("--vm", "-m") ?? 0);
  const bytes = megabytes(value("--vm-bytes") ?? value("-mem-total", "--mem-total") ?? "256M");
  return workers > 0 || value("-mem-total", "--mem-total") !== undefined ? { block: { t: "memory", bytes: bytes * Math.max(1, workers) } } : { block: { t: "forever" } };
}

const list = (text: string): string[] => text.split(" ");

/** Commands that the small shell knows; anything else is "not found", 127. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  [":", () => ok()], ["true", () => ok()], ["false", () => ({ status: 1 })],
  ["echo", echo], ["printf", printf], ["sleep", sleep], ["cat", cat], ["touch", touch], ["rm", rm], ["mkdir", mkdir], ["ls", ls],
  ["cp", copy(false)], ["mv", copy(true)], ["tail", tail], ["head", head], ["grep", grep], ["seq", seq], ["tar", tar], ["stress", stress], ["stress-ng", stress],
  ["test", (args, env) => ({ status: test(args, env) ? 0 : 1 })], ["[", bracket], ["[[", (args, env) => ({ status: test(args.slice(0, -1), env) ? 0 : 1 })],
  ["hostname", (_, env) => ok(`${env.host.hostname}\n`)],
  ["date", (_, env) => ok(`${rfc3339(env.host.now)}\n`)],
  ["env", (_, env) => ok(Object.entries(env.vars).map(([name, value]) => `${name}=${value}\n`).join(""))],
  ["printenv", (args, env) => (args[0] === undefined ? ok(Object.entries(env.vars).map(([n, v]) => `${n}=${v}\n`).join("")) : env.vars[args[0]] === undefined ? { status: 1 } : ok(`${env.vars[args[0]]}\n`))],
  ["pwd", (_, env) => ok(`${env.cwd}\n`)], ["whoami", () => ok("root\n")], ["id", () => ok("uid=0(root) gid=0(root) groups=0(root)\n")], ["uname", () => ok("Linux\n")],
  ["wc", (args, env) => ok(`${args.includes("-l") ? env.stdin.split("\n").length - 1 : env.stdin.length}\n`)],
  ["nslookup", (args) => ({ block: { t: "dns", name: args.find((arg) => !arg.startsWith("-")) ?? "", tool: "nslookup" } })],
  ["wget", fetchUrl("wget")], ["curl", fetchUrl("curl")],
  ["pause", () => ({ block: { t: "forever" } })],
  ...list("chmod chown sync ln mount apk apt-get apt pip npm id kill usermod sed awk tr cut sort tee xargs find").map((name): readonly [string, Command] => [name, (_, env) => ok(env.stdin)]),
]);
