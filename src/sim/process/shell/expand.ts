import type { Part, Word } from "./ast.ts";
import { arithmetic, type Variables } from "./arithmetic.ts";
import { globRegExp, matchPaths, quoteGlob } from "./glob.ts";
import type { ShellHost } from "./host.ts";

/** An expansion that ends the shell: `${x:?}` or an unset variable under `set -u`. */
export class ExpansionError extends Error {}

/** What words are expanded with. */
export interface Expansion extends Variables {
  /** Undefined if it is not set. */
  lookup(name: string): string | undefined;
  /** The elements of an array; a plain variable is an array of one. */
  elements(name: string): readonly string[];
  readonly args: readonly string[];
  readonly nounset: boolean;
  /** What the next command substitution has printed. */
  substitution(): string;
  readonly host: ShellHost;
  readonly cwd: string;
  readonly braces: boolean;
}

/** A piece of a word; whole pieces are not split at blanks, and quoted ones no patterns. */
interface Piece {
  readonly text: string;
  readonly whole: boolean;
  readonly quoted: boolean;
  /** `"$@"`: each argument a field of its own. */
  readonly fields?: readonly string[];
}

/** A word as one text without splitting: values of assignments, redirections, `case`. */
export const expandText = (word: Word, e: Expansion): string => word.map((part) => pieces(part, e).map(({ text, fields }) => fields?.join(" ") ?? text).join("")).join("");

/** A word as a pattern: quoted characters stand for themselves. */
export const expandPattern = (word: Word, e: Expansion): string => word.flatMap((part) => pieces(part, e)).map(({ text, quoted }) => (quoted ? quoteGlob(text) : text)).join("");

/** A word as the fields it becomes: splitting at blanks, braces (bash), file names. */
export function expandFields(word: Word, e: Expansion): readonly string[] {
  const [only] = word;
  if (word.length === 1 && only?.t === "text" && (only.quoted || !/[*?[{~]/.test(only.v))) return [only.v];
  const words = e.braces ? braces(word) : [word];
  return words.flatMap((one) => split(tilde(one, e).flatMap((part) => pieces(part, e)), e).flatMap(({ text, pattern }) => {
    if (pattern === undefined) return [text];
    const paths = matchPaths(pattern, e.host.view, e.cwd);
    return paths.length === 0 ? [text] : paths;
  }));
}

function tilde(word: Word, e: Expansion): Word {
  const [first, ...rest] = word;
  if (first?.t !== "text" || first.quoted || !/^~(?:\/|$)/.test(first.v)) return word;
  return [{ t: "text", v: e.lookup("HOME") ?? "/root", quoted: true }, { ...first, v: first.v.slice(1) }, ...rest];
}

/** bash's `{1..3}` and `{a,b}`, where they are plain text. */
function braces(word: Word): readonly Word[] {
  const at = word.findIndex((part) => part.t === "text" && !part.quoted && /\{[^{}]*(?:,|\.\.)[^{}]*\}/.test(part.v));
  const part = word[at];
  if (part?.t !== "text") return [word];
  const m = /^([\s\S]*?)\{([^{}]*(?:,|\.\.)[^{}]*)\}([\s\S]*)$/.exec(part.v);
  if (!m) return [word];
  const range = /^(-?\d+)\.\.(-?\d+)$/.exec(m[2] ?? "");
  const from = Number(range?.[1]);
  const to = Number(range?.[2]);
  const values = range ? Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => String(from + (to < from ? -i : i))) : (m[2] ?? "").split(",");
  return values.flatMap((value) => braces(word.with(at, { ...part, v: `${m[1] ?? ""}${value}${m[3] ?? ""}` })));
}

function split(list: readonly Piece[], e: Expansion): readonly { readonly text: string; readonly pattern: string | undefined }[] {
  const ifs = e.lookup("IFS") ?? " \t\n";
  const fields: { text: string; pattern: string; glob: boolean }[] = [];
  let current: { text: string; pattern: string; glob: boolean } | undefined;
  const add = (text: string, quoted: boolean): void => {
    current ??= { text: "", pattern: "", glob: false };
    current.text += text;
    current.pattern += quoted ? quoteGlob(text) : text;
    if (!quoted && /[*?[]/.test(text)) current.glob = true;
  };
  const end = (): void => {
    if (current) fields.push(current);
    current = undefined;
  };
  for (const { text, whole, quoted, fields: several } of list) {
    if (several) {
      several.forEach((field, i) => {
        if (i > 0) end();
        add(field, true);
      });
    } else if (whole) add(text, quoted);
    else {
      for (const piece of text.split(new RegExp(`([${ifs.replace(/[\\\]^-]/g, "\\$&")}]+)`))) {
        if (piece !== "" && [...piece].every((c) => ifs.includes(c))) end();
        else if (piece !== "") add(piece, false);
      }
    }
  }
  end();
  return fields.map(({ text, pattern, glob }) => ({ text, pattern: glob ? pattern : undefined }));
}

function pieces(part: Part, e: Expansion): readonly Piece[] {
  switch (part.t) {
    case "text":
      return [{ text: part.v, whole: true, quoted: part.quoted }];
    case "math":
      return [{ text: arithmetic(expandText(part.text, e), e), whole: true, quoted: true }];
    case "cmd":
      return [{ text: e.substitution(), whole: part.quoted, quoted: part.quoted }];
    case "var": {
      const all = part.index && expandText(part.index, e);
      if (all === "@" && part.op === undefined) return [{ text: "", whole: true, quoted: part.quoted, fields: e.elements(part.name) }];
      if (part.name === "@" && part.quoted && part.op === undefined) return [{ text: "", whole: true, quoted: true, fields: e.args }];
      return [{ text: parameter(part, e), whole: part.quoted, quoted: part.quoted }];
    }
  }
}

/** An element of an array, or all of them as one text. */
function element(name: string, index: Word, e: Expansion): string | undefined {
  const at = expandText(index, e);
  return at === "@" || at === "*" ? e.elements(name).join(" ") : e.elements(name)[Number(arithmetic(at, e))];
}

function parameter({ name, op, word = [], index }: Extract<Part, { t: "var" }>, e: Expansion): string {
  if (op === "len" && index && /^[@*]$/.test(expandText(index, e))) return String(e.elements(name).length);
  const value = index ? element(name, index, e) : e.lookup(name);
  if (op === undefined || op === "len") {
    if (value === undefined && e.nounset && !/^[@*]$/.test(name)) throw new ExpansionError(`${name}: parameter not set`);
    return op === "len" ? String(name === "@" || name === "*" ? e.args.length : (value ?? "").length) : (value ?? "");
  }
  const missing = value === undefined || (op.length === 2 && op.startsWith(":") && value === "");
  switch (op.replace(/^:(?=[-=?+])/, "")) {
    case "-":
      return missing ? expandText(word, e) : value;
    case "=": {
      if (!missing) return value;
      const set = expandText(word, e);
      e.set(name, set);
      return set;
    }
    case "?":
      if (missing) throw new ExpansionError(`${name}: ${expandText(word, e) || "parameter not set"}`);
      return value;
    case "+":
      return missing ? "" : expandText(word, e);
    default:
      return changed(value ?? "", op, word, e);
  }
}

function changed(value: string, op: string, word: Word, e: Expansion): string {
  switch (op) {
    case "#": case "##": case "%": case "%%": {
      const matcher = globRegExp(expandPattern(word, e));
      const lengths = Array.from({ length: value.length + 1 }, (_, i) => i);
      const order = op.length === 1 ? lengths : lengths.toReversed();
      const part = (n: number): string => (op.startsWith("#") ? value.slice(0, n) : value.slice(value.length - n));
      const n = order.find((length) => matcher.test(part(length)));
      if (n === undefined) return value;
      return op.startsWith("#") ? value.slice(n) : value.slice(0, value.length - n);
    }
    case "/": case "//": {
      const [pattern = "", replacement = ""] = expandPattern(word, e).split(/(?<!\\)\/(.*)/s);
      const source = globRegExp(pattern).source.slice(1, -1).replaceAll("[\\s\\S]*", "[\\s\\S]*?");
      return value.replace(new RegExp(source, op === "//" ? "g" : ""), () => replacement.replace(/\\(.)/g, "$1"));
    }
    case ":": {
      const [offset = "0", length] = expandText(word, e).split(":");
      const from = Number(arithmetic(offset, e));
      const start = from < 0 ? Math.max(0, value.length + from) : from;
      return length === undefined ? value.slice(start) : value.slice(start, start + Number(arithmetic(length, e)));
    }
    case "^": return value.slice(0, 1).toUpperCase() + value.slice(1);
    case "^^": return value.toUpperCase();
    case ",": return value.slice(0, 1).toLowerCase() + value.slice(1);
    default: return value.toLowerCase();
  }
}
