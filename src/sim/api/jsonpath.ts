// Models kubernetes/staging/src/k8s.io/client-go/util/jsonpath: templates of -o jsonpath, --sort-by, custom-columns and wait --for=jsonpath
import { goJson } from "./json.ts";

type Node =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "field"; readonly name: string }
  | { readonly type: "slice"; readonly from?: number; readonly to?: number; readonly step?: number; readonly one?: boolean }
  | { readonly type: "wildcard" | "recursive" }
  | { readonly type: "union"; readonly of: readonly (readonly Node[])[] }
  | { readonly type: "filter"; readonly left: readonly Node[]; readonly operator: string; readonly right: readonly Node[] }
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "root" };
type Part = { readonly path: readonly Node[] } | { readonly range: readonly Node[]; readonly body: readonly Part[] };
export type JsonPath = readonly Part[];

/** Raised by an expression; `message` as upstream words it. */
export class JsonPathError extends Error {}
const fail = (message: string): never => {
  throw new JsonPathError(message);
};

const unquote = (text: string): string => text.slice(1, -1).replaceAll(/\\(.)/g, (_, c: string) => (c === "n" ? "\n" : c === "t" ? "\t" : c === "r" ? "\r" : c));

/** The end of a bracketed part that begins at `from` (behind the bracket); quotes are skipped. */
function closing(text: string, from: number, close: string): number {
  let quote = "";
  let depth = 0;
  const open = close === "]" ? "[" : close === ")" ? "(" : "{";
  for (let i = from; i < text.length; i++) {
    const c = text[i] ?? "";
    if (quote !== "") {
      if (c === "\\") i++;
      else if (c === quote) quote = "";
    } else if (c === '"' || c === "'") quote = c;
    else if (c === open) depth++;
    else if (c === close && depth-- === 0) return i;
  }
  return fail(close === "]" ? "unterminated array" : close === ")" ? "unterminated filter" : "unclosed action");
}

function parseBracket(inside: string): Node {
  if (inside.startsWith("?(")) return parseFilter(inside.slice(2, closing(inside, 2, ")")));
  if (inside === "*") return { type: "wildcard" };
  const parts = inside.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  if (parts.length > 1) return { type: "union", of: parts.map((part) => [parseBracket(part.trim())]) };
  if (/^['"]/.test(inside)) return { type: "field", name: unquote(inside) };
  const m = /^(-?\d*)(?:(:)(-?\d*))?(?:(:)(-?\d*))?$/.exec(inside);
  if (!m || inside === "") return fail(`invalid array index ${inside}`);
  const number = (text: string | undefined): number | undefined => (text === undefined || text === "" ? undefined : Number(text));
  if (m[2] === undefined) return { type: "slice", from: Number(inside), one: true };
  const [from, to, step] = [number(m[1]), number(m[3]), number(m[5])];
  return { type: "slice", ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), ...(step === undefined ? {} : { step }) };
}

function parseFilter(text: string): Node {
  const m = /^(.*?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/.exec(text.trim());
  if (!m) return { type: "filter", left: parsePath(text.trim()), operator: "exists", right: [] };
  return { type: "filter", left: parsePath((m[1] ?? "").trim()), operator: m[2] ?? "", right: parsePath((m[3] ?? "").trim()) };
}

/** The inside of an action: a chain of fields, brackets and values. */
function parsePath(text: string): Node[] {
  const nodes: Node[] = [];
  let i = 0;
  while (i < text.length) {
    const c = text[i] ?? "";
    if (c === " ") i++;
    else if (c === "$") {
      nodes.push({ type: "root" });
      i++;
    } else if (c === "@") i++;
    else if (c === "[") {
      const end = closing(text, i + 1, "]");
      nodes.push(parseBracket(text.slice(i + 1, end).trim()));
      i = end + 1;
    } else if (c === '"' || c === "'") {
      const m = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/.exec(text.slice(i));
      if (!m) return fail("unterminated quoted string");
      nodes.push({ type: "value", value: unquote(m[0]) });
      i += m[0].length;
    } else if (c === ".") {
      if (text[i + 1] === ".") {
        nodes.push({ type: "recursive" });
        i += text[i + 2] === "[" ? 2 : 1;
        continue;
      }
      const m = /^\.(\*|(?:\\.|[^.[\]{}\s'"|,=<>!()\\$@*])*)/.exec(text.slice(i));
      if (m?.[1] === "*") nodes.push({ type: "wildcard" });
      else if (m?.[1] !== undefined && m[1] !== "") nodes.push({ type: "field", name: m[1].replaceAll(/\\(.)/g, "$1") });
      i += m?.[0].length ?? 1;
    } else {
      const m = /^(?:-?\d+(?:\.\d+)?|true|false)(?![\w])/.exec(text.slice(i));
      if (!m) return fail(`unrecognized character in action: U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")} '${c}'`);
      nodes.push({ type: "value", value: m[0] === "true" ? true : m[0] === "false" ? false : Number(m[0]) });
      i += m[0].length;
    }
  }
  return nodes;
}

/** Reads a template; throws JsonPathError. */
export function parseJsonPath(text: string): JsonPath {
  const root: Part[] = [];
  const open: Part[][] = [root];
  let i = 0;
  while (i < text.length) {
    const brace = text.indexOf("{", i);
    const literal = text.slice(i, brace < 0 ? undefined : brace);
    if (literal !== "") open.at(-1)?.push({ path: [{ type: "text", text: literal }] });
    if (brace < 0) break;
    const end = closing(text, brace + 1, "}");
    const inside = text.slice(brace + 1, end).trim();
    i = end + 1;
    if (inside === "end") {
      if (open.length === 1) fail("not in range, nothing to end");
      open.pop();
    } else if (/^range(\s|$)/.test(inside)) {
      const body: Part[] = [];
      open.at(-1)?.push({ range: parsePath(inside.slice(5).trim()), body });
      open.push(body);
    } else open.at(-1)?.push({ path: parsePath(inside) });
  }
  if (open.length > 1) fail("unexpected end of range");
  return root;
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);
const sortedValues = (map: Readonly<Record<string, unknown>>): unknown[] => Object.keys(map).sort().map((key) => map[key]);
const children = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isMap(value) ? sortedValues(value) : []);

interface Options {
  readonly root: unknown;
  readonly allowMissing: boolean;
}

function slice(value: unknown, node: Node & { readonly type: "slice" }): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) return fail(`${JSON.stringify(value)} is not array or slice`);
  const { length } = value;
  const place = (at: number): number => (at < 0 ? at + length : at);
  if (node.one === true) {
    const at = place(node.from ?? 0);
    if (at < 0 || at >= length) return fail(`array index out of bounds: index ${at}, length ${length}`);
    return [value[at] as unknown];
  }
  const [from, to, step] = [place(node.from ?? 0), place(node.to ?? length), node.step ?? 1];
  if (node.to !== undefined && to > length) fail(`array index out of bounds: index ${to - 1}, length ${length}`);
  if (from >= length && length > 0) fail(`array index out of bounds: index ${from}, length ${length}`);
  return (value as unknown[]).slice(from, to).filter((_, i) => i % step === 0);
}

function matches(left: unknown, operator: string, right: unknown): boolean {
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (typeof left !== typeof right || (typeof left !== "string" && typeof left !== "number")) return fail("incompatible types for comparison");
  const [a, b] = [left, right as typeof left];
  return operator === "<" ? a < b : operator === "<=" ? a <= b : operator === ">" ? a > b : a >= b;
}

function filter(value: unknown, node: Node & { readonly type: "filter" }, options: Options): readonly unknown[] {
  return (Array.isArray(value) ? value : []).filter((item: unknown) => {
    const left = walk([item], node.left, { ...options, allowMissing: true });
    if (node.operator === "exists") return left.length > 0;
    const right = walk([item], node.right, { ...options, allowMissing: true });
    if (left.length > 1 || right.length > 1) fail("can only compare one element at a time");
    return left.length === 1 && right.length === 1 && matches(left[0], node.operator, right[0]);
  });
}

function descend(value: unknown): readonly unknown[] {
  return [value, ...children(value).filter((child) => typeof child === "object" && child !== null).flatMap(descend)];
}

function apply(value: unknown, node: Node, options: Options): readonly unknown[] {
  switch (node.type) {
    case "text":
      return [node.text];
    case "value":
      return [node.value];
    case "root":
      return [options.root];
    case "field":
      if (isMap(value) && Object.hasOwn(value, node.name)) return [value[node.name]];
      return options.allowMissing || value === null ? [] : fail(`${node.name} is not found`);
    case "wildcard":
      return children(value);
    case "recursive":
      return descend(value);
    case "slice":
      return slice(value, node);
    case "union":
      return node.of.flatMap((path) => walk([value], path, options));
    case "filter":
      return filter(value, node, options);
  }
}

function walk(values: readonly unknown[], path: readonly Node[], options: Options): readonly unknown[] {
  let found = values;
  let deep = false;
  for (const node of path) {
    const lenient = deep ? { ...options, allowMissing: true } : options;
    found = found.flatMap((value) => apply(value, node, lenient));
    deep = node.type === "recursive";
  }
  return found;
}

const printed = (value: unknown): string => (value === null || value === undefined ? "" : typeof value === "object" ? goJson(value) : String(value));

function run(parts: JsonPath, value: unknown, options: Options): string {
  return parts.map((part) => {
    if ("range" in part) return walk([value], part.range, options).map((item) => run(part.body, item, options)).join("");
    return walk([value], part.path, options).map(printed).join(" ");
  }).join("");
}

/** What a template prints for an object. Missing keys print nothing unless `allowMissing` is false. */
export const printJsonPath = (parts: JsonPath, root: unknown, allowMissing = true): string => run(parts, root, { root, allowMissing });

/** The values that a template of one path finds. */
export const findJsonPath = (parts: JsonPath, root: unknown, allowMissing = true): readonly unknown[] => parts.flatMap((part) => ("path" in part ? walk([root], part.path, { root, allowMissing }) : []));

/** "x.y", ".x.y", "{.x.y}": the forms that --sort-by and custom-columns take; undefined for others. */
export function relaxed(text: string): string | undefined {
  if (text === "") return "";
  const m = /^(?:\{\.?([^{}]+)\}|\.?([^{}]+))$/.exec(text);
  return m ? `{.${m[1] ?? m[2] ?? ""}}` : undefined;
}
