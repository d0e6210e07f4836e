// Models Go's text/template as -o go-template uses it, and kubectl's functions base64decode and exists
import { base64Decode } from "../api/base64.ts";

/** `message` as upstream words it. */
export class GoTemplateError extends Error {}
const fail = (message: string): never => {
  throw new GoTemplateError(message);
};

type Expression = readonly (readonly string[])[];
type Part = { readonly text: string } | { readonly pipe: Expression; readonly assign?: string } | { readonly block: "range" | "if" | "with"; readonly pipe: Expression; readonly names: readonly string[]; readonly body: readonly Part[]; readonly otherwise: readonly Part[] };

const WORD = /"(?:[^"\\]|\\.)*"|`[^`]*`|\((?:[^()]|\([^()]*\))*\)|[^\s|()]+|\|/g;

function pipeOf(text: string): Expression {
  const stages: string[][] = [[]];
  for (const [word] of text.matchAll(WORD)) {
    if (word === "|") stages.push([]);
    else stages.at(-1)?.push(word);
  }
  return stages;
}

interface Open {
  readonly parts: Part[];
  readonly close?: (body: readonly Part[], otherwise: readonly Part[]) => void;
  body?: readonly Part[];
}

/** Reads a template into parts; "else" divides a block. */
function parse(template: string): readonly Part[] {
  const stack: Open[] = [{ parts: [] }];
  const put = (part: Part): void => void stack.at(-1)?.parts.push(part);
  let at = 0;
  for (const m of template.matchAll(/\s*\{\{-\s|\{\{/g)) {
    if (m.index < at) continue;
    const end = template.indexOf("}}", m.index);
    if (end < 0) fail("unclosed action");
    if (m.index > at) put({ text: template.slice(at, m.index) });
    let inside = template.slice(m.index + m[0].length, end);
    at = end + 2;
    if (/\s-$/.test(inside)) {
      inside = inside.slice(0, -1);
      at += /^\s*/.exec(template.slice(at))?.[0].length ?? 0;
    }
    action(inside.trim(), stack, put);
  }
  if (at < template.length) put({ text: template.slice(at) });
  if (stack.length > 1) fail("unexpected EOF");
  return stack[0]?.parts ?? [];
}

function action(text: string, stack: Open[], put: (part: Part) => void): void {
  const block = /^(range|if|with)\s+(?:((?:\$\w+\s*,?\s*)+):=)?(.*)$/s.exec(text);
  if (text.startsWith("/*")) return;
  if (block) {
    const parts: Part[] = [];
    const names = block[2]?.match(/\$\w+/g) ?? [];
    const kind = block[1] as "range" | "if" | "with";
    const pipe = pipeOf(block[3] ?? "");
    stack.push({ parts, close: (body, otherwise) => put({ block: kind, pipe, names, body, otherwise }) });
  } else if (text === "else") {
    const open = stack.pop();
    if (open?.close) stack.push({ parts: [], close: open.close, body: open.parts });
  } else if (text === "end") {
    const open = stack.pop();
    if (!open?.close) return fail("unexpected {{end}}");
    open.close(open.body ?? open.parts, open.body === undefined ? [] : open.parts);
  } else {
    const m = /^(\$\w+)\s*:?=\s*(.*)$/s.exec(text);
    put(m ? { pipe: pipeOf(m[2] ?? ""), assign: m[1] ?? "" } : { pipe: pipeOf(text) });
  }
}

type Scope = ReadonlyMap<string, unknown>;
const isMap = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);
const truth = (value: unknown): boolean => !(value === undefined || value === null || value === false || value === 0 || value === "" || (typeof value === "object" && Object.keys(value).length === 0));

function shown(value: unknown): string {
  if (value === undefined || value === null) return "<no value>";
  return goText(value);
}
/** fmt's %v. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (isMap(value)) return `map[${Object.keys(value).sort().map((key) => `${key}:${goText(value[key])}`).join(" ")}]`;
  return String(value);
}

const member = (value: unknown, name: string): unknown => (isMap(value) && Object.hasOwn(value, name) ? value[name] : undefined);

function operand(word: string, dot: unknown, scope: Scope): unknown {
  if (word.startsWith('"')) return JSON.parse(word) as unknown;
  if (word.startsWith("`")) return word.slice(1, -1);
  if (word.startsWith("(")) return evaluate(pipeOf(word.slice(1, -1)), dot, scope);
  if (/^-?\d/.test(word)) return Number(word);
  if (word === "true" || word === "false") return word === "true";
  if (word === "nil") return null;
  const [head = "", ...path] = word.split(".");
  return path.filter((name) => name !== "").reduce<unknown>(member, head === "" ? dot : head.startsWith("$") ? scope.get(head) : fail(`function ${JSON.stringify(head)} not defined`));
}

function printf(format: unknown, values: readonly unknown[]): string {
  let at = 0;
  return String(format).replaceAll(/%(-?\d*)([svdqt%])/g, (_, width: string, verb: string) => {
    if (verb === "%") return "%";
    const value = values[at++];
    const text = verb === "q" ? JSON.stringify(value) : goText(value);
    return width.startsWith("-") ? text.padEnd(Number(width.slice(1))) : text.padStart(Number(width));
  });
}

const FUNCTIONS: Readonly<Record<string, (args: readonly unknown[]) => unknown>> = {
  eq: ([a, ...others]) => others.includes(a), ne: ([a, b]) => a !== b, not: ([a]) => !truth(a), len: ([a]) => (typeof a === "object" && a !== null ? Object.keys(a).length : String(a).length),
  and: (args) => args.find((arg) => !truth(arg)) ?? args.at(-1), or: (args) => args.find(truth) ?? args.at(-1),
  lt: ([a, b]) => Number(a) < Number(b), gt: ([a, b]) => Number(a) > Number(b), le: ([a, b]) => Number(a) <= Number(b), ge: ([a, b]) => Number(a) >= Number(b),
  index: ([value, ...path]) => path.reduce<unknown>((found, key) => (Array.isArray(found) ? (found as unknown[])[Number(key)] : member(found, String(key))), value),
  exists: ([value, ...path]) => path.reduce<unknown>((found, key) => (Array.isArray(found) ? (found as unknown[])[Number(key)] : member(found, String(key))), value) !== undefined,
  printf: ([format, ...values]) => printf(format, values), print: (args) => args.map(goText).join(""), println: (args) => `${args.map(goText).join(" ")}\n`, base64decode: ([text]) => base64Decode(String(text)),
};

function evaluate(pipe: Expression, dot: unknown, scope: Scope): unknown {
  let result: unknown;
  for (const [i, [head = "", ...rest]] of pipe.entries()) {
    const call = FUNCTIONS[head];
    if (call) result = call([...rest.map((word) => operand(word, dot, scope)), ...(i > 0 ? [result] : [])]);
    else result = operand(head, dot, scope);
  }
  return result;
}

function render(parts: readonly Part[], dot: unknown, outer: Scope): string {
  const scope = new Map(outer);
  let out = "";
  for (const part of parts) {
    if ("text" in part) out += part.text;
    else if ("block" in part) out += renderBlock(part, dot, scope);
    else {
      const value = evaluate(part.pipe, dot, scope);
      if (part.assign === undefined) out += shown(value);
      else scope.set(part.assign, value);
    }
  }
  return out;
}

function renderBlock(part: Part & { readonly block: string; readonly body: readonly Part[] }, dot: unknown, scope: Scope): string {
  if (!("otherwise" in part)) return "";
  const value = evaluate(part.pipe, dot, scope);
  if (part.block !== "range") return truth(value) ? render(part.body, part.block === "with" ? value : dot, part.names[0] === undefined ? scope : new Map([...scope, [part.names[0], value]])) : render(part.otherwise, dot, scope);
  const entries: (readonly [unknown, unknown])[] = Array.isArray(value) ? value.map((item, i) => [i, item] as const) : isMap(value) ? Object.keys(value).sort().map((key) => [key, value[key]] as const) : [];
  if (entries.length === 0) return render(part.otherwise, dot, scope);
  const [first, second] = part.names;
  return entries.map(([key, item]) => render(part.body, item, new Map([...scope, ...(second === undefined ? (first === undefined ? [] : [[first, item] as const]) : [[first ?? "", key] as const, [second, item] as const])]))).join("");
}

/** The text that a template makes of an object; throws GoTemplateError. */
export const runGoTemplate = (template: string, root: unknown): string => render(parse(template), root, new Map([["$", root]]));
