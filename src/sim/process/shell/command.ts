import { isRunnable, isDirectory, normalizePath, readFile } from "../files.ts";
import { COMMANDS } from "./builtins.ts";
import type { CommandResult } from "./host.ts";
import { ShellSyntaxError } from "./lexer.ts";
import { parseShell } from "./parse.ts";
import type { Run, RunCommand } from "./run.ts";
import { type Options, toLoop } from "./state.ts";
import { withArray } from "./variable.ts";

const SHELLS = new Set(["sh", "bash", "ash", "dash", "/bin/sh", "/bin/bash", "/bin/ash", "/bin/dash", "/usr/bin/sh", "/usr/bin/bash"]);
const OPTION_LETTERS: Readonly<Record<string, keyof Options>> = { e: "errexit", u: "nounset", x: "xtrace" };

type Special = (run: Run, args: readonly string[], assigns: readonly (readonly [string, string])[]) => CommandResult | undefined;

function assignment(run: Run, arg: string): string {
  const at = arg.indexOf("=");
  if (at < 0) return arg;
  run.assign(arg.slice(0, at), arg.slice(at + 1));
  return arg.slice(0, at);
}

function setOptions(run: Run, args: readonly string[]): CommandResult {
  let options = run.s.options;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--" || !/^[-+]/.test(arg)) {
      run.set({ args: [run.s.args[0] ?? "sh", ...args.slice(arg === "--" ? i + 1 : i)] });
      break;
    }
    const on = arg.startsWith("-");
    for (const letter of arg.slice(1)) {
      const name = letter === "o" ? (args[++i] as keyof Options | undefined) : OPTION_LETTERS[letter];
      if (name !== undefined && name in options) options = { ...options, [name]: on };
    }
  }
  run.set({ options });
  return { status: 0 };
}

function trap(run: Run, args: readonly string[]): CommandResult {
  const [body = "", ...signals] = args[0] === "--" ? args.slice(1) : args;
  let traps = run.s.traps;
  for (const signal of signals.map((name) => name.replace(/^SIG/, "").replace(/^0$/, "EXIT").replace(/^15$/, "TERM").replace(/^2$/, "INT").replace(/^1$/, "HUP").replace(/^3$/, "QUIT"))) {
    if (body === "-") traps = Object.fromEntries(Object.entries(traps).filter(([name]) => name !== signal));
    else traps = { ...traps, [signal]: body };
  }
  run.set({ traps });
  return { status: 0 };
}

/** `read`: one line of the input, its fields to the variables, the rest to the last. */
function read(run: Run, args: readonly string[]): CommandResult {
  const names = args.filter((arg, i) => !arg.startsWith("-") && !/^-[pntd]$/.test(args[i - 1] ?? ""));
  const text = run.input((all) => (all.includes("\n") ? all.slice(all.indexOf("\n") + 1) : ""));
  if (text === "") return { status: 1 };
  const whole = text.includes("\n");
  let rest = whole ? text.slice(0, text.indexOf("\n")) : text;
  if (run.s.vars["IFS"] !== "") rest = rest.trim();
  const separator = run.s.vars["IFS"] === undefined ? /\s+/ : new RegExp(`[${run.s.vars["IFS"].replace(/[\\\]^-]/g, "\\$&")}]`);
  for (const [i, name] of (names.length === 0 ? ["REPLY"] : names).entries()) {
    const m = i + 1 < names.length && run.s.vars["IFS"] !== "" ? separator.exec(rest) : null;
    run.assign(name, m ? rest.slice(0, m.index) : rest);
    rest = m ? rest.slice(m.index + m[0].length) : i + 1 < names.length ? "" : rest;
  }
  return { status: whole ? 0 : 1 };
}

function wait(run: Run, args: readonly string[]): CommandResult {
  const wanted = args.filter((arg) => /^\d+$/.test(arg)).map(Number);
  const jobs = wanted.length === 0 ? run.s.jobs : run.s.jobs.filter(({ pid }) => wanted.includes(pid));
  if (jobs.some(({ status }) => status === undefined)) return { block: { t: "wait", pids: wanted } };
  return { status: wanted.length === 0 ? 0 : (jobs.at(-1)?.status ?? 127) };
}

function script(run: Run, text: string, args: readonly string[], name: string): CommandResult | undefined {
  try {
    const list = parseShell(text);
    run.pushSubshell();
    run.set({ vars: Object.fromEntries(Object.entries(run.s.vars).filter(([key]) => !run.s.unexported[key])), args: [name, ...args], traps: {} });
    run.pushList(list);
  } catch (error) {
    return { status: 2, err: `sh: ${error instanceof ShellSyntaxError ? error.message : "syntax error"}\n` };
  }
  return undefined;
}

/** A shell within the shell: `sh -c SCRIPT`, or a file. */
function shell(run: Run, name: string, args: readonly string[]): CommandResult | undefined {
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  const operands = args.slice(at >= 0 ? (args[at + 1] === "--" ? at + 2 : at + 1) : args.findIndex((arg) => !arg.startsWith("-")));
  const [first] = operands;
  if (first === undefined || (at < 0 && args.every((arg) => arg.startsWith("-")))) return script(run, run.input(() => ""), [], name);
  const text = at >= 0 ? first : readFile(run.host.view, normalizePath(first, run.s.cwd));
  if (text === undefined) return { status: 2, err: run.host.shell === "busybox" ? `sh: can't open '${first}': No such file or directory\n` : `sh: 0: cannot open ${first}: No such file\n` };
  const result = script(run, text, at >= 0 ? operands.slice(2) : operands.slice(1), at >= 0 ? (operands[1] ?? name) : first);
  if (args.slice(0, Math.max(at, 0) + 1).some((arg) => /^-[a-z]*e/.test(arg))) run.set({ options: { ...run.s.options, errexit: true } });
  return result;
}

const SPECIALS: Readonly<Record<string, Special>> = {
  exit: (run, [code]) => void run.leave(code === undefined ? run.s.status : Number(code) & 255),
  return: (run, [code]) => void run.returnWith(code === undefined ? run.s.status : Number(code) & 255),
  exec: (run, args, assigns) => {
    if (args.length > 0) run.set({ frames: run.s.frames.filter((frame) => frame.k === "sink"), traps: {} });
    else run.set({ frames: [...run.s.frames.filter((frame) => frame.k === "sink"), ...run.s.frames.filter((frame) => frame.k !== "sink")], status: 0 });
    return args.length === 0 ? undefined : runCommand(run, args, assigns);
  },
  cd: (run, [name]) => {
    const path = normalizePath(name === "-" ? (run.s.vars["OLDPWD"] ?? "/") : (name ?? run.s.vars["HOME"] ?? "/"), run.s.cwd);
    if (!isDirectory(run.host.view, path)) return { status: run.host.shell === "busybox" ? 1 : 2, err: run.host.shell === "busybox" ? `sh: cd: can't cd to ${name ?? ""}: No such file or directory\n` : `sh: 1: cd: can't cd to ${name ?? ""}\n` };
    run.assign("OLDPWD", run.s.cwd);
    run.set({ cwd: path });
    return { status: 0 };
  },
  export: (run, args) => {
    for (const name of args.filter((arg) => !arg.startsWith("-")).map((arg) => assignment(run, arg))) run.set({ unexported: Object.fromEntries(Object.entries(run.s.unexported).filter(([key]) => key !== name)) });
    return { status: 0 };
  },
  local: (run, args) => {
    for (const arg of args) {
      run.local(arg.split("=")[0] ?? "");
      assignment(run, arg.includes("=") ? arg : `${arg}=`);
    }
    return { status: 0 };
  },
  readonly: (run, args) => {
    for (const arg of args) assignment(run, arg);
    return { status: 0 };
  },
  unset: (run, args) => {
    run.set({ vars: Object.fromEntries(Object.entries(run.s.vars).filter(([name]) => !args.includes(name))), functions: Object.fromEntries(Object.entries(run.s.functions).filter(([name]) => !args.includes(name))) });
    return { status: 0 };
  },
  set: setOptions,
  shift: (run, [count]) => {
    run.set({ args: [run.s.args[0] ?? "sh", ...run.s.args.slice(1 + Number(count ?? 1))] });
    return { status: 0 };
  },
  /** What a regular expression's groups matched is kept in BASH_REMATCH. */
  "[[": (run, args) => {
    const at = args.indexOf("=~");
    if (at >= 0) {
      const groups = new RegExp(args[at + 1] ?? "").exec(args[at - 1] ?? "");
      run.set({ vars: withArray(run.s.vars, "BASH_REMATCH", groups === null ? [] : [...groups].map((group) => group ?? "")) });
    }
    return COMMANDS.get("[[")?.(args, { host: run.host, cwd: run.s.cwd, vars: run.s.vars, stdin: "", again: () => ({ status: 0 }) });
  },
  trap,
  read,
  wait,
  eval: (run, args) => void run.pushList(parseShell(args.join(" "))),
  ".": (run, [name = ""]) => {
    const text = readFile(run.host.view, normalizePath(name, run.s.cwd));
    if (text === undefined) return { status: 2, err: `sh: ${run.host.shell === "busybox" ? "can't open" : "1: .: cannot open"} ${name}: No such file\n` };
    run.pushList(parseShell(text));
    return undefined;
  },
  break: (run, [levels]) => void run.set({ frames: toLoop(run.s.frames, Number(levels ?? 1), true), status: 0 }),
  continue: (run, [levels]) => void run.set({ frames: toLoop(run.s.frames, Number(levels ?? 1), false), status: 0 }),
  command: (run, args, assigns) => {
    if (args[0] !== "-v" && args[0] !== "-V") return args.length === 0 ? { status: 0 } : runCommand(run, args, assigns, false);
    const name = args[1] ?? "";
    return isKnown(run, name) ? { status: 0, out: `${SPECIALS[name] || run.s.functions[name] ? name : `/bin/${name}`}\n` } : { status: 127 };
  },
  type: (run, [name = ""]) => (isKnown(run, name) ? { status: 0, out: `${name} is /bin/${name}\n` } : { status: 127, err: `${name}: not found\n` }),
};

function isKnown(run: Run, name: string): boolean {
  return SPECIALS[name] !== undefined || run.s.functions[name] !== undefined || SHELLS.has(name) || run.host.programs.has(name) || COMMANDS.has(name);
}

/** Runs one command: the shell's own, a function, a program of the image, a script file. */
export const runCommand = (run: Run, argv: readonly string[], assigns: Parameters<RunCommand>[2], functions = true): CommandResult | undefined => {
  const [name = "", ...args] = argv;
  const body = functions ? run.s.functions[name] : undefined;
  if (body !== undefined) {
    const block = run.call(body, args);
    return block === undefined ? undefined : { block };
  }
  const special = SPECIALS[name === "source" ? "." : name === "declare" ? "local" : name];
  if (special) return special(run, args, assigns);
  const base = name.slice(name.lastIndexOf("/") + 1);
  if (SHELLS.has(name)) return shell(run, base, args);
  if (run.host.programs.has(base)) return { block: { t: "program", argv, replaces: run.atEnd } };
  const vars = { ...Object.fromEntries(Object.entries(run.s.vars).filter(([key]) => !run.s.unexported[key] && !key.includes("["))), ...Object.fromEntries(assigns) };
  const known = COMMANDS.get(base);
  if (known) return known(args, { host: run.host, cwd: run.s.cwd, vars, stdin: run.input(), again: (words) => runCommand(run, words, assigns) ?? { status: run.s.status } });
  const text = name.includes("/") ? readFile(run.host.view, normalizePath(name, run.s.cwd)) : undefined;
  if (text !== undefined && !isRunnable(run.host.view, normalizePath(name, run.s.cwd))) return { status: 126, err: run.host.shell === "busybox" ? `sh: ${name}: Permission denied\n` : `sh: 1: ${name}: Permission denied\n` };
  if (text !== undefined) return script(run, text, args, name);
  // An image that nobody knows may hold any program: as the last of a container's script a server, elsewhere one that succeeds.
  if (!run.host.known && /^[A-Za-z./][\w./-]*$/.test(name)) return run.atEnd && run.s.pid === 1 ? { block: { t: "program", argv, replaces: true } } : { status: 0 };
  return { status: 127, err: run.host.shell === "busybox" ? `sh: ${name}: not found\n` : `sh: 1: ${name}: not found\n` };
};
