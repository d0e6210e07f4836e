// Models cel-go ext/{strings,formatting}.go and kubernetes/staging/src/k8s.io/apiserver/pkg/cel/library/regex.go
import { type CelLibrary, isTimestamp } from "../types.ts";

class StringsNamespace {}

/**
 * A pattern as the interpreter can run it.
 * Simplified: RE2's syntax is read as JavaScript's, which knows more (look-around, back references); leading flags and named groups are carried over.
 */
export function regex(pattern: string, flags = ""): RegExp {
  const head = /^\(\?([ims]+)\)/.exec(pattern);
  const body = (head ? pattern.slice(head[0].length) : pattern).replaceAll("(?P<", "(?<").replaceAll("\\z", "$").replace(/^\\A/, "^");
  try {
    return new RegExp(body, `${flags}u${head?.[1] ?? ""}`);
  } catch {
    throw new Error(`error parsing regexp: invalid or unsupported Perl syntax: \`${pattern}\``);
  }
}

const DIGITS = 6;

function fixed(value: number | bigint, precision: number): string {
  return Number(value).toFixed(precision);
}

function scientific(value: number | bigint, precision: number): string {
  return Number(value).toExponential(precision).replace(/e([+-])(\d)$/, "e$10$2");
}

/** %s: values as CEL shows them. */
export function celText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null) return "null";
  if (typeof value === "bigint" || typeof value === "boolean" || typeof value === "number") return String(value);
  if (Array.isArray(value)) return `[${value.map(celText).join(", ")}]`;
  if (value instanceof Map) return `{${[...value].map(([k, v]) => `${celText(k)}: ${celText(v)}`).sort().join(", ")}}`;
  if (isTimestamp(value)) return value.toISOString().replace(".000Z", "Z");
  if (value instanceof Uint8Array) return String.fromCharCode(...value);
  if (Object.getPrototypeOf(value) === Object.prototype) return celText(new Map(Object.entries(value as object)));
  return String(value);
}

const inRadix = (value: unknown, radix: number): string => {
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "bigint") return value.toString(radix);
  if (radix === 16 && typeof value === "string") return [...value].map((c) => (c.codePointAt(0) ?? 0).toString(16).padStart(2, "0")).join("");
  throw new Error(`error during formatting: only integers, bools, byte buffers, and strings can be formatted as ${radix === 16 ? "hex" : radix === 8 ? "octal" : "binary"}`);
};

function format(template: string, args: readonly unknown[]): string {
  let next = 0;
  return template.replaceAll(/%(?:%|(?:\.(\d+))?([a-zA-Z]))/g, (whole, precision: string | undefined, verb: string | undefined) => {
    if (verb === undefined) return "%";
    if (next >= args.length) throw new Error(`index ${next} out of range`);
    const value = args[next++];
    const digits = precision === undefined ? DIGITS : Number(precision);
    switch (verb) {
      case "s": return celText(value);
      case "d": return typeof value === "string" ? fail(`error during formatting: decimal clause can only be used on integers and doubles, was given string`) : celText(value);
      case "f": return fixed(value as number | bigint, digits);
      case "e": return scientific(value as number | bigint, digits);
      case "b": return inRadix(value, 2);
      case "o": return inRadix(value, 8);
      case "x": return inRadix(value, 16);
      case "X": return inRadix(value, 16).toUpperCase();
      default: return fail(`could not parse formatting clause: unrecognized formatting clause "${whole.slice(1)}"`);
    }
  });
}

function fail(message: string): never {
  throw new Error(message);
}

function replace(text: string, from: string, to: string, n: number): string {
  if (n < 0) return text.replaceAll(from, () => to);
  let rest = text;
  let done = "";
  for (let i = 0; i < n; i++) {
    const at = rest.indexOf(from);
    if (at < 0) break;
    done += rest.slice(0, at) + to;
    rest = rest.slice(at + from.length);
  }
  return done + rest;
}

const ESCAPES: Readonly<Record<string, string>> = { "\x07": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\\": "\\\\", '"': '\\"' };

function found(text: string, pattern: string, limit: number): string[] {
  const all = [...text.matchAll(regex(pattern, "g"))].map((m) => m[0]);
  return limit < 0 ? all : all.slice(0, limit);
}

/** Functions of strings beyond the language itself. `matches` replaces the interpreter's own: it knows RE2's flags. */
export const stringsLibrary: CelLibrary = {
  namespaces: [["strings", "StringsNamespace", StringsNamespace]],
  functions: [
    ["string.charAt(int): string", (s: string, i: bigint) => { const at = Number(i); return at < 0 || at > s.length ? fail(`index out of range: ${at}`) : s.charAt(at); }],
    ["string.replace(string, string): string", (s: string, from: string, to: string) => replace(s, from, to, -1)],
    ["string.replace(string, string, int): string", (s: string, from: string, to: string, n: bigint) => replace(s, from, to, Number(n))],
    ["string.format(list): string", (s: string, args: readonly unknown[]) => format(s, args)],
    ["StringsNamespace.quote(string): string", (_: unknown, s: string) => `"${[...s].map((c) => ESCAPES[c] ?? c).join("")}"`],
    ["string.k8sMatches(string): bool", (s: string, pattern: string) => regex(pattern).test(s)],
    ["k8sMatches(string, string): bool", (s: string, pattern: string) => regex(pattern).test(s)],
    ["string.find(string): string", (s: string, pattern: string) => regex(pattern).exec(s)?.[0] ?? ""],
    ["string.findAll(string): list<string>", (s: string, pattern: string) => found(s, pattern, -1)],
    ["string.findAll(string, int): list<string>", (s: string, pattern: string, n: bigint) => found(s, pattern, Number(n))],
  ],
};
