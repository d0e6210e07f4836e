// Models the commands of busybox, procps and coreutils that ask the kernel: time, users, processes, memory
import { rfc3339 } from "../../../api/time.ts";
import { isDirectory, isReadOnlyAt, mayAccess, normalizePath, readFile } from "../../files.ts";
import type { CommandResult } from "../host.ts";
import { type Command, type CommandEnv, fail, getopt, joined, ok } from "./command.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function seconds(text: string): number | undefined {
  if (text === "infinity" || text === "inf") return Number.POSITIVE_INFINITY;
  const m = /^(\d+(?:\.\d*)?|\.\d+)([smhd]?)$/.exec(text);
  return m ? Number(m[1]) * (UNITS[m[2] ?? ""] ?? 1) : undefined;
}

const sleep: Command = (args, env) => {
  let total = 0;
  for (const arg of args) {
    const value = seconds(arg);
    if (value === undefined) return fail(env.host.shell === "busybox" ? `sleep: invalid number '${arg}'\n` : `sleep: invalid time interval '${arg}'\n`);
    total += value;
  }
  if (args.length === 0) return fail(env.host.shell === "busybox" ? "BusyBox v1.36.1 multi-call binary.\n\nUsage: sleep [N]...\n" : "sleep: missing operand\n");
  return { block: total === Number.POSITIVE_INFINITY ? { t: "forever" } : { t: "sleep", micros: Math.round(total * 1_000_000) } };
};

function test(args: readonly string[], env: CommandEnv): boolean {
  const or = args.lastIndexOf("-o");
  if (or > 0) return test(args.slice(0, or), env) || test(args.slice(or + 1), env);
  const and = args.lastIndexOf("-a");
  if (and > 0) return test(args.slice(0, and), env) && test(args.slice(and + 1), env);
  if (args[0] === "!" && args.length > 1) return !test(args.slice(1), env);
  if (args[0] === "(" && args.at(-1) === ")") return test(args.slice(1, -1), env);
  const [a = "", b = "", c = ""] = args;
  return args.length <= 1 ? a !== "" : args.length === 2 ? unary(a, b, env) : binary(a, b, c);
}

function unary(op: string, operand: string, env: CommandEnv): boolean {
  const path = normalizePath(operand, env.cwd);
  const text = readFile(env.host.view, path);
  switch (op) {
    case "-f": return text !== undefined;
    case "-d": return isDirectory(env.host.view, path);
    case "-e": return text !== undefined || isDirectory(env.host.view, path);
    case "-r": case "-w": case "-x": return (text !== undefined || isDirectory(env.host.view, path)) && !(op === "-w" && isReadOnlyAt(env.host.view, path)) && (op === "-x" || mayAccess(env.host.view, path, op === "-r" ? 4 : 2));
    case "-s": return text !== undefined && text !== "";
    case "-z": return operand === "";
    case "-v": return operand in env.vars;
    default: return op === "-n" && operand !== "";
  }
}

function binary(a: string, op: string, c: string): boolean {
  switch (op) {
    case "=": case "==": return a === c;
    case "!=": return a !== c;
    case "<": return a < c;
    case ">": return a > c;
    case "=~": return new RegExp(c).test(a);
    case "-eq": return Number(a) === Number(c);
    case "-ne": return Number(a) !== Number(c);
    case "-gt": return Number(a) > Number(c);
    case "-ge": return Number(a) >= Number(c);
    case "-lt": return Number(a) < Number(c);
    default: return op === "-le" && Number(a) <= Number(c);
  }
}

const bracket = (close: string): Command => (args, env) => (args.at(-1) === close ? { status: test(args.slice(0, -1), env) ? 0 : 1 } : fail(`sh: missing ${close}\n`, 2));

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** 2026-01-01T00:00:00Z, where simulated time begins, in seconds since 1970; it was a Thursday. */
const EPOCH = 1_767_225_600;

const date: Command = (args, env) => {
  const [, year = "", month = "", day = "", time = ""] = /^(\d+)-(\d+)-(\d+)T(.*)Z$/.exec(rfc3339(env.host.now)) ?? [];
  const [hour = "", minute = "", second = ""] = time.split(":");
  const total = EPOCH + Math.floor(env.host.now / 1_000_000);
  const weekday = DAYS[(Math.floor(total / 86_400) + 4) % 7] ?? "";
  const monthName = MONTHS[Number(month) - 1] ?? "";
  const format = args.find((arg) => arg.startsWith("+"))?.slice(1) ?? (args.some((arg) => /^(?:-I|--iso)/.test(arg)) ? "%F" : env.host.shell === "busybox" ? "%a %b %e %H:%M:%S UTC %Y" : "%a %b %e %H:%M:%S UTC %Y");
  const parts: Readonly<Record<string, string>> = { Y: year, m: month, d: day, e: String(Number(day)).padStart(2), H: hour, M: minute, S: second, F: `${year}-${month}-${day}`, T: `${hour}:${minute}:${second}`, R: `${hour}:${minute}`, s: String(total), a: weekday, b: monthName, h: monthName, Z: "UTC", z: "+0000", N: String((env.host.now % 1_000_000) * 1000).padStart(9, "0"), y: year.slice(2), n: "\n", "%": "%", D: `${month}/${day}/${year.slice(2)}`, c: `${weekday} ${monthName} ${String(Number(day)).padStart(2)} ${time} ${year}` };
  return ok(`${format.replace(/%([A-Za-z%])/g, (all, c: string) => parts[c] ?? all)}\n`);
};

const ps: Command = (args, env) => {
  const rows = env.host.processes();
  if (env.host.shell === "busybox") return ok(joined(["PID   USER     TIME  COMMAND", ...rows.map(({ pid, user, command }) => `${String(pid).padStart(5)} ${user.padEnd(8)}  0:00 ${command}`)]));
  if (args.some((arg) => /a/.test(arg))) return ok(joined(["USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND", ...rows.map(({ pid, user, command }) => `${user.padEnd(8)} ${String(pid).padStart(7)}  0.0  0.0   2576   904 ?        Ss   00:00   0:00 ${command}`)]));
  return ok(joined(["    PID TTY          TIME CMD", ...rows.map(({ pid, command }) => `${String(pid).padStart(7)} ?        00:00:00 ${command.split(" ")[0] ?? ""}`)]));
};

const SIGNALS: Readonly<Record<string, string>> = { "1": "HUP", "2": "INT", "3": "QUIT", "9": "KILL", "10": "USR1", "12": "USR2", "15": "TERM", "18": "CONT", "19": "STOP", "28": "WINCH" };

/** "-9", "-KILL", "-s TERM" as a signal's name; "0" only asks. */
function signalOf(args: readonly string[]): { readonly signal: string; readonly rest: readonly string[] } {
  const [first = "", ...rest] = args;
  if (first === "-s") return { signal: (rest[0] ?? "TERM").replace(/^SIG/, ""), rest: rest.slice(1) };
  const m = /^-(?:SIG)?(\w+)$/.exec(first);
  return m ? { signal: SIGNALS[m[1] ?? ""] ?? (m[1] ?? "TERM"), rest } : { signal: "TERM", rest: args };
}

const kill: Command = (args, env) => {
  const { signal, rest } = signalOf(args);
  let err = "";
  for (const word of rest) if (!env.host.kill(Number(word), signal)) err += `${env.host.shell === "busybox" ? `kill: can't kill pid ${word}` : `sh: 1: kill`}: No such process\n`;
  return { status: err === "" ? 0 : 1, err };
};

const named = (env: CommandEnv, name: string): readonly number[] => env.host.processes().filter(({ command }) => (command.split(" ")[0] ?? "").replace(/^.*\//, "") === name || command.startsWith(`${name}:`)).map(({ pid }) => pid);

const killall: Command = (args, env) => {
  const { signal, rest } = signalOf(args.filter((arg) => arg !== "-q"));
  const found = rest.flatMap((name) => named(env, name));
  for (const pid of found) env.host.kill(pid, signal);
  return found.length > 0 ? ok() : { status: 1, err: args.includes("-q") ? "" : `${rest[0] ?? ""}: no process found\n` };
};

const pgrep = (signal: boolean): Command => (args, env) => {
  const { letters, rest } = getopt(signal ? signalOf(args).rest : args);
  const pattern = new RegExp(rest[0] ?? "");
  const found = env.host.processes().filter(({ command }) => pattern.test(letters.includes("f") ? command : (command.split(" ")[0] ?? ""))).map(({ pid }) => pid);
  if (signal) for (const pid of found) env.host.kill(pid, signalOf(args).signal);
  return { status: found.length > 0 ? 0 : 1, out: signal ? "" : joined(found.map(String)) };
};

const KIB = 1024;
const free: Command = (_, env) => {
  // A container sees the node's memory here: /proc is not limited by the cgroup.
  const total = 32 * KIB * KIB;
  const used = Math.round(total * 0.3) + Math.round(env.host.memoryLimit / KIB / 100);
  return ok(`              total        used        free      shared  buff/cache   available\nMem:       ${String(total).padStart(8)}    ${String(used).padStart(8)}    ${String(total - used).padStart(8)}        1024     1048576    ${String(total - used).padStart(8)}\nSwap:             0           0           0\n`);
};

const environment: Command = (args, env) => {
  const rest = args.filter((arg, i) => arg !== "-i" && !(/^\w+=/.test(arg) && args.slice(0, i).every((other) => /^\w+=|^-/.test(other))));
  if (rest.length > 0) return env.again(rest);
  return ok(joined(Object.entries(env.vars).map(([name, value]) => `${name}=${value}`)));
};

const printenv: Command = (args, env) => {
  if (args.length === 0) return ok(joined(Object.entries(env.vars).map(([name, value]) => `${name}=${value}`)));
  const values = args.map((name) => env.vars[name]).filter((value) => value !== undefined);
  return { status: values.length === args.length ? 0 : 1, out: joined(values) };
};

const timeout: Command = (args, env) => {
  const at = args.findIndex((arg, i) => !arg.startsWith("-") && !/^-[sk]$/.test(args[i - 1] ?? ""));
  const limit = seconds(args[at] ?? "") ?? 0;
  const result = env.again(args.slice(at + 1));
  // Simplified: upstream ends any command; here only waiting is cut short.
  if (!("block" in result)) return result;
  const { block } = result;
  const micros = Math.round(limit * 1_000_000);
  if (block.t === "sleep" && block.micros <= micros) return result;
  return block.t === "sleep" || block.t === "forever" || block.t === "follow" ? { block: { t: "sleep", micros } } : result;
};

const expr: Command = (args): CommandResult => {
  const [a = "", op = "", b = ""] = args;
  const [x, y] = [Number(a), Number(b)];
  if (a === "length") return ok(`${op.length}\n`);
  const value = { "+": x + y, "-": x - y, "*": x * y, "/": Math.trunc(x / y), "%": x % y, "=": a === b ? 1 : 0, "!=": a === b ? 0 : 1, "<": x < y ? 1 : 0, ">": x > y ? 1 : 0, "<=": x <= y ? 1 : 0, ">=": x >= y ? 1 : 0 }[op];
  if (value === undefined) return args.length === 1 ? ok(`${a}\n`) : fail("expr: syntax error\n", 2);
  return { status: value === 0 ? 1 : 0, out: `${value}\n` };
};

function megabytes(text: string): number {
  const m = /^(\d+)([KMGkmg]?)i?[bB]?$/.exec(text);
  return m ? Number(m[1]) * ({ k: KIB, m: KIB * KIB, g: KIB * KIB * KIB }[(m[2] ?? "").toLowerCase()] ?? 1) : 0;
}

/** `stress --vm 1 --vm-bytes 250M --vm-hang 1`, the documentation's memory hog. */
const stress: Command = (args) => {
  const value = (...names: string[]): string | undefined => {
    const at = args.findIndex((arg) => names.includes(arg.split("=")[0] ?? ""));
    return at < 0 ? undefined : args[at]?.includes("=") ? args[at]?.split("=")[1] : args[at + 1];
  };
  const workers = Number(value("--vm", "-m") ?? 0);
  const total = value("-mem-total", "--mem-total");
  const bytes = megabytes(value("--vm-bytes") ?? total ?? "256M");
  return workers > 0 || total !== undefined ? { block: { t: "memory", bytes: bytes * Math.max(1, workers) } } : { block: { t: "forever" } };
};

const mount: Command = (_, env) => ok(joined([`overlay on / type overlay (${env.host.view.readOnlyRoot ? "ro" : "rw"},relatime)`, ...env.host.view.mounts.map(({ path, readOnly }) => `/dev/vda1 on ${path} type ext4 (${readOnly ? "ro" : "rw"},relatime)`)]));
const df: Command = (_, env) => ok(joined(["Filesystem           1K-blocks      Used Available Use% Mounted on", "overlay               41152812  12345848  26684268  32% /", ...env.host.view.mounts.map(({ path }) => `/dev/vda1             41152812  12345848  26684268  32% ${path}`)]));
const silent: Command = () => ok();

/** Commands that ask the kernel, or only take time. */
export const SYSTEM_COMMANDS: readonly (readonly [string, Command])[] = [
  [":", silent], ["true", silent], ["false", () => ({ status: 1 })], ["sleep", sleep], ["usleep", ([micros = "0"]) => ({ block: { t: "sleep", micros: Number(micros) } })], ["test", (args, env) => ({ status: test(args, env) ? 0 : 1 })], ["[", bracket("]")], ["[[", bracket("]]")],
  ["date", date], ["hostname", (args, env) => ok(`${/^-[iI]/.test(args[0] ?? "") ? env.host.ip : env.host.hostname}\n`)], ["uname", (args, env) => ok(args.includes("-a") ? `Linux ${env.host.hostname} 6.12.0 #1 SMP x86_64 GNU/Linux\n` : args.includes("-n") ? `${env.host.hostname}\n` : args.includes("-r") ? "6.12.0\n" : args.includes("-m") ? "x86_64\n" : "Linux\n")],
  ["pwd", (_, env) => ok(`${env.cwd}\n`)], ["env", environment], ["printenv", printenv], ["ps", ps], ["kill", kill], ["killall", killall], ["pgrep", pgrep(false)], ["pkill", pgrep(true)], ["pidof", (args, env) => { const found = args.flatMap((name) => named(env, name)); return { status: found.length > 0 ? 0 : 1, out: found.length > 0 ? `${found.join(" ")}\n` : "" }; }],
  ["free", free], ["nproc", () => ok("8\n")], ["uptime", () => ok(" 00:00:00 up 30 days,  load average: 0.10, 0.10, 0.10\n")], ["timeout", timeout], ["nohup", (args, env) => env.again(args)], ["nice", (args, env) => env.again(args.filter((arg, i) => arg !== "-n" && args[i - 1] !== "-n"))], ["expr", expr], ["stress", stress], ["stress-ng", stress],
  ["memory-eater", (args) => ({ block: { t: "memory", bytes: Math.max(0, ...args.filter((arg) => /[KMG]i?$/.test(arg)).map(megabytes)) } })], ["mount", mount], ["df", df], ["pause", () => ({ block: { t: "forever" } })], ["yes", ([word = "y"]) => ok(`${word}\n`.repeat(100))], ["which", (args, env) => env.again(["command", "-v", ...args])],
  ...["sync", "umask", "ulimit", "sysctl", "usermod", "useradd", "adduser", "apk", "apt-get", "apt", "yum", "dnf", "pip", "pip3", "npm", "clear", "logger", "setcap", "umount", "crond"].map((name): readonly [string, Command] => [name, silent]),
];
