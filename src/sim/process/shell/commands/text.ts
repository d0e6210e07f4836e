// Models the filters of busybox and GNU: texts in, texts out
import { base64Decode, base64Encode } from "../../../api/base64.ts";
import { normalizePath, readFile } from "../../files.ts";
import { hostWrite } from "../host.ts";
import { awk } from "./awk.ts";
import { type Command, type CommandEnv, fail, getopt, joined, lines, MISSING, ok } from "./command.ts";
import { textOf } from "./files.ts";
import { sed } from "./sed.ts";

const unescape = (text: string): string => text.replace(/\\([nrtab\\"0e])/g, (_, c: string) => ({ n: "\n", r: "\r", t: "\t", a: "\x07", b: "\b", e: "\x1b", "\\": "\\", '"': '"', "0": "\0" })[c] ?? c);

const echo: Command = (args) => {
  let at = 0;
  let newline = true;
  let escapes = false;
  for (; /^-[neE]+$/.test(args[at] ?? ""); at++) {
    if (args[at]?.includes("n")) newline = false;
    if (args[at]?.includes("e")) escapes = true;
  }
  const text = args.slice(at).join(" ");
  return ok((escapes ? unescape(text) : text) + (newline ? "\n" : ""));
};

function formatted(spec: string, kind: string, value: string): string {
  const [, flags = "", width = "", precision] = /^([-0+ ]*)(\d*)(?:\.(\d+))?$/.exec(spec) ?? [];
  let text = value;
  if (/[diu]/.test(kind)) text = String(Math.trunc(Number(value)) || 0);
  else if (kind === "x") text = (Math.trunc(Number(value)) || 0).toString(16);
  else if (kind === "X") text = (Math.trunc(Number(value)) || 0).toString(16).toUpperCase();
  else if (kind === "o") text = (Math.trunc(Number(value)) || 0).toString(8);
  else if (kind === "f") text = (Number(value) || 0).toFixed(Number(precision ?? 6));
  else if (kind === "c") text = value.slice(0, 1);
  else if (kind === "b") text = unescape(value);
  else if (precision !== undefined) text = value.slice(0, Number(precision));
  if (flags.includes("-")) return text.padEnd(Number(width));
  return text.padStart(Number(width), flags.includes("0") && kind !== "s" ? "0" : " ");
}

const printf: Command = (args) => {
  const [format = "", ...rest] = args[0] === "--" ? args.slice(1) : args;
  let out = "";
  let at = 0;
  do {
    out += unescape(format).replace(/%([-0+ ]*\d*(?:\.\d+)?)([sdiuxXofcb%])/g, (_, spec: string, kind: string) => (kind === "%" ? "%" : formatted(spec, kind, rest[at++] ?? (/[scb]/.test(kind) ? "" : "0"))));
  } while (at > 0 && at < rest.length);
  return ok(out);
};

function counted(args: readonly string[]): { readonly count: string; readonly names: readonly string[]; readonly bytes: boolean; readonly follow: boolean } {
  const { letters, values, rest } = getopt(args.map((arg) => arg.replace(/^-(\d+)$/, "-n$1")), "nc");
  return { count: values["n"] ?? values["c"] ?? values["lines"] ?? "10", bytes: values["c"] !== undefined, follow: /[fF]/.test(letters) || "follow" in values || "retry" in values, names: rest };
}

const tail: Command = (args, env) => {
  const { count, names, bytes, follow } = counted(args);
  const [name] = names;
  // Reading zeroes for a last line that never ends: memory grows until the kernel says stop.
  if (name === "/dev/zero") return { block: { t: "memory", bytes: 1e15 } };
  if (name === "/dev/null") return follow ? { block: { t: "forever" } } : ok();
  const text = textOf(env, name);
  if (text === undefined && !(follow && args.some((arg) => /^-\w*F/.test(arg)))) return fail(env.host.shell === "busybox" ? `tail: can't open '${name ?? ""}': ${MISSING}\ntail: no files\n` : `tail: cannot open '${name ?? ""}' for reading: ${MISSING}\ntail: no files remaining\n`);
  const whole = text ?? "";
  const all = lines(whole);
  const out = bytes ? whole.slice(count.startsWith("+") ? Number(count) - 1 : -Number(count)) : joined(count.startsWith("+") ? all.slice(Number(count) - 1) : Number(count) === 0 ? [] : all.slice(-Number(count)));
  if (!follow || name === undefined) return ok(out);
  return { block: { t: "follow", path: normalizePath(name, env.cwd), from: whole.length - out.length } };
};

const head: Command = (args, env) => {
  const { count, names, bytes } = counted(args);
  const text = textOf(env, names[0]);
  if (text === undefined) return names[0]?.startsWith("/dev/") ? ok("0".repeat(bytes ? Math.min(Number(count), 4096) : 0)) : fail(`head: ${names[0] ?? ""}: ${MISSING}\n`);
  if (bytes) return ok(text.slice(0, Number(count)));
  return ok(joined(lines(text).slice(0, Number(count))));
};

/** A pattern of grep as JavaScript's; basic ones have their operators escaped. */
function grepPattern(pattern: string, letters: string): RegExp {
  const source = letters.includes("F") ? pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : /[EP]/.test(letters) ? pattern : pattern.replace(/\\?[+?(){}|]/g, (found) => (found.startsWith("\\") ? found.slice(1) : `\\${found}`));
  const posix = source.replace(/\[:(\w+):\]/g, (_, name: string) => ({ digit: "0-9", alpha: "a-zA-Z", alnum: "a-zA-Z0-9", space: "\\s", upper: "A-Z", lower: "a-z" })[name] ?? "");
  return new RegExp(letters.includes("x") ? `^(?:${posix})$` : letters.includes("w") ? `\\b(?:${posix})\\b` : posix, letters.includes("i") ? "i" : "");
}

const grep: Command = (args, env) => {
  const { letters, values, rest } = getopt(args, "emABC");
  const [pattern = "", ...names] = values["e"] === undefined ? rest : [values["e"], ...rest];
  let matcher: RegExp;
  try {
    matcher = grepPattern(pattern, letters);
  } catch {
    return fail(`grep: ${pattern}: invalid regular expression\n`, 2);
  }
  let out = "";
  let err = "";
  let any = false;
  for (const name of names.length === 0 ? ["-"] : names) {
    const text = textOf(env, name);
    if (text === undefined) {
      if (!letters.includes("s")) err += `grep: ${name}: ${MISSING}\n`;
      continue;
    }
    const found = lines(text).flatMap((line, i) => (matcher.test(line) === letters.includes("v") ? [] : [`${letters.includes("n") ? `${i + 1}:` : ""}${letters.includes("o") ? (matcher.exec(line)?.[0] ?? "") : line}`])).slice(0, Number(values["m"] ?? Number.POSITIVE_INFINITY));
    any ||= found.length > 0;
    const prefix = names.length > 1 && !letters.includes("h") ? `${name}:` : "";
    if (letters.includes("l")) out += found.length > 0 ? `${name}\n` : "";
    else out += letters.includes("c") ? `${prefix}${found.length}\n` : joined(found.map((line) => prefix + line));
  }
  return { status: any ? 0 : err === "" ? 1 : 2, out: letters.includes("q") ? "" : out, err };
};

function positions(text: string): (n: number) => boolean {
  const ranges = text.split(",").map((range) => /^(\d*)(-?)(\d*)$/.exec(range)).map((m) => [Number(m?.[1] || 1), m?.[2] === "-" ? Number(m[3] || Number.POSITIVE_INFINITY) : Number(m?.[1])] as const);
  return (n) => ranges.some(([from, to]) => n >= from && n <= to);
}

const cut: Command = (args, env) => {
  const { values, rest } = getopt(args, "dfcb");
  const wanted = positions(values["f"] ?? values["c"] ?? values["b"] ?? "1");
  const text = textOf(env, rest[0]);
  if (text === undefined) return fail(`cut: ${rest[0] ?? ""}: ${MISSING}\n`);
  const separator = values["d"] ?? "\t";
  return ok(joined(lines(text).map((line) => {
    if (values["f"] === undefined) return [...line].filter((_, i) => wanted(i + 1)).join("");
    return line.includes(separator) ? line.split(separator).filter((_, i) => wanted(i + 1)).join(separator) : line;
  })));
};

function characterSet(text: string): readonly string[] {
  const plain = unescape(text).replace(/\[:(\w+):\]/g, (_, name: string) => ({ upper: "A-Z", lower: "a-z", digit: "0-9", alnum: "a-zA-Z0-9", alpha: "a-zA-Z", space: " \t\n", punct: "!-/:-@" })[name] ?? "");
  const out: string[] = [];
  for (let i = 0; i < plain.length; i++) {
    const from = plain.codePointAt(i) ?? 0;
    const to = plain[i + 1] === "-" && i + 2 < plain.length ? (plain.codePointAt(i + 2) ?? from) : from;
    for (let code = from; code <= to; code++) out.push(String.fromCodePoint(code));
    if (to !== from) i += 2;
  }
  return out;
}

const tr: Command = (args, env) => {
  const { letters, rest } = getopt(args);
  const from = characterSet(rest[0] ?? "");
  const to = characterSet(rest[1] ?? "");
  const inside = (c: string): boolean => from.includes(c) !== /[cC]/.test(letters);
  if (letters.includes("d")) return ok([...env.stdin].filter((c) => !inside(c)).join(""));
  let out = [...env.stdin].map((c) => (inside(c) && to.length > 0 ? (/[cC]/.test(letters) ? (to.at(-1) ?? c) : (to[Math.min(from.indexOf(c), to.length - 1)] ?? c)) : c));
  const squeezed = letters.includes("s") ? (to.length > 0 ? to : from) : [];
  out = out.filter((c, i) => c !== out[i - 1] || !squeezed.includes(c));
  return ok(out.join(""));
};

const sort: Command = (args, env) => {
  const { letters, values, rest } = getopt(args, "kto");
  const texts = (rest.length === 0 ? ["-"] : rest).map((name) => textOf(env, name) ?? "");
  const column = Number.parseInt(values["k"] ?? "0", 10);
  const key = (line: string): string => (column > 0 ? (line.trim().split(values["t"] ?? /\s+/)[column - 1] ?? "") : line);
  const numeric = letters.includes("n") || /n/.test(values["k"] ?? "");
  const order = (a: string, b: string): number => (numeric ? (Number.parseFloat(a) || 0) - (Number.parseFloat(b) || 0) : a < b ? -1 : a > b ? 1 : 0);
  let list = texts.flatMap(lines).sort((a, b) => order(key(a), key(b)));
  if (letters.includes("r")) list.reverse();
  if (letters.includes("u")) list = list.filter((line, i) => line !== list[i - 1]);
  return ok(joined(list));
};

const uniq: Command = (args, env) => {
  const { letters, rest } = getopt(args);
  const runs: [string, number][] = [];
  for (const line of lines(textOf(env, rest[0]) ?? "")) {
    const last = runs.at(-1);
    if (last?.[0] === line) last[1]++;
    else runs.push([line, 1]);
  }
  return ok(joined(runs.filter(([, n]) => (letters.includes("d") ? n > 1 : !letters.includes("u") || n === 1)).map(([line, n]) => (letters.includes("c") ? `${String(n).padStart(7)} ${line}` : line))));
};

const wc: Command = (args, env) => {
  const { letters, rest } = getopt(args);
  const text = textOf(env, rest[0]);
  if (text === undefined) return fail(`wc: ${rest[0] ?? ""}: ${MISSING}\n`);
  const counts = { l: text.split("\n").length - 1, w: text.split(/\s+/).filter((word) => word !== "").length, c: text.length, m: text.length };
  const shown = (["l", "w", "c", "m"] as const).filter((letter) => (letters === "" ? letter !== "m" : letters.includes(letter))).map((letter) => counts[letter]);
  const text2 = shown.length === 1 ? String(shown[0]) : shown.map((n) => String(n).padStart(7)).join(" ");
  return ok(`${text2}${rest[0] === undefined ? "" : ` ${rest[0]}`}\n`);
};

const tee: Command = (args, env) => {
  const { letters, rest } = getopt(args);
  for (const name of rest) {
    const path = normalizePath(name, env.cwd);
    const error = path.startsWith("/dev/") ? undefined : hostWrite(env.host, path, (letters.includes("a") ? (readFile(env.host.view, path) ?? "") : "") + env.stdin);
    if (error !== undefined) return { status: 1, out: env.stdin, err: `tee: ${name}: ${error}\n` };
  }
  return ok(env.stdin);
};

const seq: Command = (args) => {
  const { values, rest } = getopt(args.map((arg) => (/^-\d/.test(arg) ? `\0${arg}` : arg)), "sf");
  const numbers = rest.map((text) => Number(text.replace("\0", "")));
  const [a = 1, b, c] = numbers;
  const [first, step, last] = numbers.length < 2 ? [1, 1, a] : c === undefined ? [a, 1, b ?? a] : [a, b ?? 1, c];
  const out: string[] = [];
  for (let n = first; (step > 0 ? n <= last : n >= last) && out.length < 10_000; n += step) out.push(String(n));
  const separator = values["s"];
  return ok(separator === undefined ? joined(out) : `${out.join(separator)}\n`);
};

const xargs: Command = (args, env) => {
  const { values } = getopt(args, "nI");
  const at = args.findIndex((arg, i) => !arg.startsWith("-") && !/^-[nI]$/.test(args[i - 1] ?? ""));
  const command = at < 0 ? ["echo"] : args.slice(at);
  const words = env.stdin.split(/\s+/).filter((word) => word !== "");
  const place = values["I"];
  const size = place === undefined ? Number(values["n"] ?? (words.length || 1)) : 1;
  let out = "";
  let err = "";
  let status = 0;
  for (let i = 0; i < words.length; i += size) {
    const batch = words.slice(i, i + size);
    const result = env.again(place === undefined ? [...command, ...batch] : command.map((word) => word.replaceAll(place, batch[0] ?? "")));
    if ("block" in result) return result;
    out += result.out ?? "";
    err += result.err ?? "";
    if (result.status !== 0) status = 123;
  }
  return { status, out, err };
};

const rev = (args: readonly string[], env: CommandEnv): string => joined(lines(textOf(env, args[0]) ?? "").map((line) => [...line].reverse().join("")));

/** Commands that turn texts into texts. */
export const TEXT_COMMANDS: readonly (readonly [string, Command])[] = [
  ["echo", echo], ["printf", printf], ["tail", tail], ["head", head], ["grep", grep], ["egrep", (args, env) => grep(["-E", ...args], env)], ["fgrep", (args, env) => grep(["-F", ...args], env)], ["cut", cut], ["tr", tr], ["sort", sort], ["uniq", uniq],
  ["wc", wc], ["tee", tee], ["seq", seq], ["sed", sed], ["awk", awk], ["xargs", xargs], ["rev", (args, env) => ok(rev(args, env))], ["tac", (args, env) => ok(joined(lines(textOf(env, args[0]) ?? "").reverse()))],
  ["base64", (args, env) => (/d/.test(getopt(args, "w").letters) || "decode" in getopt(args).values ? ok(base64Decode((textOf(env, getopt(args, "w").rest[0]) ?? "").trim())) : ok(`${base64Encode(textOf(env, getopt(args, "w").rest[0]) ?? "")}\n`))],
];
