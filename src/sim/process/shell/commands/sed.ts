// Models sed: the commands s, d, p, q, a, i, c and = with their addresses
import { normalizePath } from "../../files.ts";
import { hostWrite } from "../host.ts";
import { type Command, fail, getopt, lines, MISSING } from "./command.ts";
import { textOf } from "./files.ts";

interface Address {
  readonly line?: number;
  readonly last?: true;
  readonly pattern?: RegExp;
}

interface Step {
  readonly from?: Address;
  readonly to?: Address;
  readonly not: boolean;
  readonly name: string;
  readonly pattern?: RegExp;
  readonly text: string;
  readonly flags: string;
}

/** A basic (or with -E extended) regular expression as JavaScript's. */
export function posixPattern(source: string, extended: boolean, flags = ""): RegExp {
  const swapped = extended ? source : source.replace(/\\?[+?(){}|]/g, (found) => (found.startsWith("\\") ? found.slice(1) : `\\${found}`));
  return new RegExp(swapped.replace(/\[:(\w+):\]/g, (_, name: string) => ({ digit: "0-9", alpha: "a-zA-Z", alnum: "a-zA-Z0-9", space: "\\s", upper: "A-Z", lower: "a-z" })[name] ?? ""), flags);
}

function readAddress(text: string, extended: boolean): { readonly address?: Address; readonly rest: string } {
  const m = /^(?:(\d+)|(\$)|\/((?:\\.|[^/\\])*)\/)/.exec(text);
  if (!m) return { rest: text };
  const address: Address = m[1] !== undefined ? { line: Number(m[1]) } : m[2] === undefined ? { pattern: posixPattern((m[3] ?? "").replaceAll("\\/", "/"), extended) } : { last: true };
  return { address, rest: text.slice(m[0].length) };
}

function readStep(source: string, extended: boolean): Step | undefined {
  const first = readAddress(source.trim(), extended);
  const second = first.rest.startsWith(",") ? readAddress(first.rest.slice(1), extended) : { rest: first.rest };
  const rest = second.rest.trim();
  const not = rest.startsWith("!");
  const command = not ? rest.slice(1).trim() : rest;
  const base = { ...(first.address ? { from: first.address } : {}), ...(second.address ? { to: second.address } : {}), not, name: command.slice(0, 1) };
  if (!command.startsWith("s")) return /^[dpqaic=]/.test(command) ? { ...base, text: command.slice(1).replace(/^\\?\s*/, ""), flags: "" } : undefined;
  const separator = command[1] ?? "/";
  const parts: string[] = [""];
  for (let i = 2; i < command.length; i++) {
    const c = command[i] ?? "";
    if (c === "\\" && command[i + 1] === separator) parts[parts.length - 1] += command[++i] ?? "";
    else if (c === "\\") parts[parts.length - 1] += c + (command[++i] ?? "");
    else if (c === separator && parts.length < 3) parts.push("");
    else parts[parts.length - 1] += c;
  }
  if (parts.length < 3) return undefined;
  const flags = parts[2] ?? "";
  return { ...base, pattern: posixPattern(parts[0] ?? "", extended, (flags.includes("g") ? "g" : "") + (/[iI]/.test(flags) ? "i" : "")), text: parts[1] ?? "", flags };
}

/** The commands of a script: between semicolons and newlines that are not part of an s command. */
function readScript(script: string, extended: boolean): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (const part of script.split(/\n|;(?=\s*(?:\d|\$|\/|[sdpqaic=!]))/)) {
    if (part.trim() === "") continue;
    const step = readStep(part.replace(/;\s*$/, ""), extended);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

const matches = (address: Address, line: string, n: number, count: number): boolean => (address.last ? n === count : address.line === undefined ? (address.pattern?.test(line) ?? false) : n === address.line);

function run(steps: readonly Step[], all: readonly string[], quiet: boolean): string {
  const open = new Set<Step>();
  let out = "";
  for (const [i, original] of all.entries()) {
    let line: string | undefined = original;
    let after = "";
    for (const step of steps) {
      if (line === undefined) break;
      const begins = step.from === undefined || matches(step.from, line, i + 1, all.length);
      const inRange = open.has(step) || begins;
      if (step.to !== undefined && inRange) {
        if (open.has(step) && matches(step.to, line, i + 1, all.length)) open.delete(step);
        else open.add(step);
      }
      if (inRange === step.not) continue;
      if (step.name === "s" && step.pattern) {
        const hit = step.pattern.test(line);
        step.pattern.lastIndex = 0;
        line = line.replace(step.pattern, (...groups: string[]) => step.text.replace(/\\([0-9])|&|\\(.)/g, (found, digit: string | undefined, escaped: string | undefined) => (digit === undefined ? (escaped === undefined ? (groups[0] ?? "") : escaped === "n" ? "\n" : escaped === "t" ? "\t" : escaped) : typeof groups[Number(digit)] === "string" ? (groups[Number(digit)] ?? "") : found && "")));
        if (hit && step.flags.includes("p")) out += `${line}\n`;
      } else if (step.name === "d") line = undefined;
      else if (step.name === "p") out += `${line}\n`;
      else if (step.name === "=") out += `${i + 1}\n`;
      else if (step.name === "i") out += `${step.text}\n`;
      else if (step.name === "a") after += `${step.text}\n`;
      else if (step.name === "c") line = step.text;
      else if (step.name === "q") return out + (quiet ? "" : `${line}\n`);
    }
    if (line !== undefined && !quiet) out += `${line}\n`;
    out += after;
  }
  return out;
}

export const sed: Command = (args, env) => {
  // -i takes its suffix only when it is glued on.
  const { letters, values, rest } = getopt(args.map((arg) => (/^-i.+/.test(arg) && !/^-i[nEr]/.test(arg) ? "-i" : arg)), "e");
  const scripts = args.flatMap((arg, i) => (args[i - 1] === "-e" ? [arg] : []));
  const [script, names] = values["e"] === undefined ? [rest[0] ?? "", rest.slice(1)] : [scripts.join("\n"), rest];
  const steps = readScript(script, /[Er]/.test(letters));
  if (steps === undefined) return fail(`sed: unsupported command ${script}\n`);
  let out = "";
  for (const name of names.length === 0 ? ["-"] : names) {
    const text = textOf(env, name);
    if (text === undefined) return fail(env.host.shell === "busybox" ? `sed: ${name}: ${MISSING}\n` : `sed: can't read ${name}: ${MISSING}\n`, env.host.shell === "busybox" ? 1 : 2);
    const result = run(steps, lines(text), letters.includes("n"));
    if (!letters.includes("i")) out += result;
    else {
      const error = hostWrite(env.host, normalizePath(name, env.cwd), result);
      if (error !== undefined) return fail(`sed: couldn't open temporary file: ${error}\n`, 4);
    }
  }
  return { status: 0, out };
};
