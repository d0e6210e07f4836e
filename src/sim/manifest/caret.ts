import { isMap, isPair, isScalar, isSeq, type Node as YamlNode, type Pair, parseAllDocuments, type YAMLMap, visit } from "yaml";

/** A key of a map, or a position in a list. */
export type Step = string | number;

/** What the text has at an offset. */
export interface Caret {
  /** From the document's root: for a key, the way to its map. */
  readonly steps: readonly Step[];
  /** "key": a field's name stands here. "value": what a field or a list item holds. */
  readonly role: "key" | "value";
  /** The word that the caret is in: offsets in the whole text. */
  readonly from: number;
  readonly to: number;
  /** Names that the map has already, in order. */
  readonly siblings: readonly string[];
  /** Inside braces or brackets: everything stays on one line. */
  readonly flow: boolean;
  /** Column (0-based) at which the word begins. */
  readonly column: number;
  /** A colon follows the word already. */
  readonly colon: boolean;
  /** The word touches the colon before it. */
  readonly tight: boolean;
  /** The word is the first thing on its line, or follows only a dash. */
  readonly ownLine: boolean;
  /** The document without the word, as plain data. */
  readonly root: unknown;
}

/** A word that no manifest has; it stands in for what is being typed, so that the parser finds its place. */
const MARK = "millipodCaretHere";
const WORD = /[\w./%-]/;

/** Start and end of the document that holds an offset; documents are parted by lines of "---". */
export function documentAt(text: string, offset: number): { readonly start: number; readonly end: number } {
  let start = 0;
  for (const match of text.matchAll(/^---(?=\s|$).*$/gm)) {
    if (match.index >= offset) return { start, end: match.index };
    start = Math.min(text.length, match.index + match[0].length + 1);
  }
  return { start, end: text.length };
}

function wordAt(text: string, offset: number): { readonly from: number; readonly to: number } {
  let from = offset;
  let to = offset;
  while (from > 0 && WORD.test(text[from - 1] as string)) from--;
  while (to < text.length && WORD.test(text[to] as string)) to++;
  // A dash that begins a list item is no part of a word.
  const line = text.lastIndexOf("\n", from - 1) + 1;
  if (text[from] === "-" && text.slice(line, from).trim() === "" && (from + 1 >= offset || text[from + 1] === " ")) from = Math.min(offset, from + 1);
  return { from, to: Math.max(from, to) };
}

function stepsTo(ancestors: readonly unknown[]): Step[] {
  const steps: Step[] = [];
  ancestors.forEach((node, i) => {
    if (isPair(node)) steps.push(isScalar(node.key) ? String(node.key.value) : "");
    else if (isSeq(node)) steps.push(node.items.indexOf(ancestors[i + 1] as never));
  });
  return steps;
}

const keysOf = (map: YAMLMap): string[] => map.items.flatMap((pair) => (isScalar(pair.key) && pair.key.value !== MARK ? [String(pair.key.value)] : []));

interface Found {
  readonly node: YamlNode;
  readonly role: "key" | "value";
  readonly ancestors: readonly unknown[];
}

function findMark(root: YamlNode): Found | undefined {
  let found: Found | undefined;
  visit(root, {
    Scalar(key, node, ancestors) {
      if (node.value !== MARK) return undefined;
      found = { node, role: key === "key" ? "key" : "value", ancestors: [...ancestors, node] };
      return visit.BREAK;
    },
  });
  return found;
}

/** The document as plain data without the word that is being typed. */
function withoutMark(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== MARK).map(withoutMark);
  if (typeof value !== "object" || value === null) return value === MARK ? undefined : value;
  return Object.fromEntries(Object.entries(value).filter(([key, item]) => key !== MARK && item !== MARK).map(([key, item]) => [key, withoutMark(item)]));
}

/** Where an offset of a manifest stands, also while the text is being typed; undefined in comments, block texts and torn YAML. */
export function caretAt(text: string, offset: number): Caret | undefined {
  const { start, end } = documentAt(text, offset);
  const { from, to } = wordAt(text, offset);
  if (from < start || to > end) return undefined;
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const lineEnd = text.indexOf("\n", to) < 0 ? text.length : text.indexOf("\n", to);
  const before = text.slice(lineStart, from);
  const rest = text.slice(to, lineEnd);
  const ownLine = /^[\s-]*$/.test(before);
  const colon = /^\s*:/.test(rest);
  const tight = /\w:$/.test(before);
  // A lone word on its line is most often a name: with a colon the parser sees the lines after it as they will be.
  const filler = ownLine && !colon && /^\s*(#.*)?$/.test(rest) ? ":" : "";
  const [document] = parse(`${text.slice(start, from)}${tight ? " " : ""}${MARK}${filler}${text.slice(to, end)}`);
  const root = document?.contents;
  const found = root ? findMark(root as YamlNode) : undefined;
  if (!document || !root || !found) return undefined;
  const steps = stepsTo(found.ancestors);
  const pair = found.ancestors.at(-2);
  const map = found.role === "key" ? found.ancestors.at(-3) : undefined;
  if (found.role === "key" && isPair(pair)) steps.pop();
  return {
    steps, role: found.role, from, to, siblings: isMap(map) ? keysOf(map) : [], flow: found.ancestors.some((node) => (isMap(node) || isSeq(node)) && node.flow === true),
    column: from - lineStart, colon, tight, ownLine, root: withoutMark(plain(document)),
  };
}

const parse = (text: string): ReturnType<typeof parseAllDocuments> & readonly unknown[] => parseAllDocuments(text, { version: "1.1", uniqueKeys: false, logLevel: "silent" }) as never;

function plain(document: { toJS(options?: { maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** A field, list item or value that is there, with its place in the text. */
export interface Standing {
  readonly steps: readonly Step[];
  readonly from: number;
  readonly to: number;
  readonly root: unknown;
}

/** The innermost name or value that an offset touches; undefined between them. */
export function standingAt(text: string, offset: number): Standing | undefined {
  const { start, end } = documentAt(text, offset);
  const [document] = parse(text.slice(start, end));
  const root = document?.contents as YamlNode | null | undefined;
  if (!document || !root) return undefined;
  let standing: Standing | undefined;
  visit(root, {
    Scalar(_, node, ancestors) {
      const range = node.range;
      if (!range || offset - start < range[0] || offset - start > range[1]) return undefined;
      standing = { steps: stepsTo([...ancestors, node] as readonly (Pair | YamlNode)[]), from: range[0] + start, to: range[1] + start, root: plain(document) };
      return visit.BREAK;
    },
  });
  return standing;
}

/** Every document of a text as plain data; broken ones as far as they can be read. */
export function documentsOf(text: string): unknown[] {
  return parse(text).map((document) => plain(document as never));
}
