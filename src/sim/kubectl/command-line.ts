// Models what a POSIX shell does before kubectl starts: words and quotes, here-documents, and pipes to a few small filters
export interface CommandLine {
  /** Without "kubectl". */
  readonly argv: readonly string[];
  /** Text of a here-document, for "-f -". */
  readonly stdin?: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the output goes through. */
  readonly filters: readonly (readonly string[])[];
}

interface Reader {
  readonly text: string;
  at: number;
  readonly words: string[][];
  open: boolean;
}

const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^\$\(|^`/, "this terminal runs no command inside another: type the value itself"], [/^\$\{?\w/, "this terminal has no variables: type the value itself"], [/^&&|^\|\||^;/, "this terminal runs one command a line"], [/^&/, "this terminal runs nothing in the background"], [/^>/, "this terminal writes no files"],
];

const push = (reader: Reader, text: string): void => {
  const line = reader.words.at(-1);
  if (line === undefined) return;
  if (reader.open) line[line.length - 1] = `${line.at(-1) ?? ""}${text}`;
  else line.push(text);
  reader.open = true;
};

/** A quoted part of a word; an error as text. */
function quoted(reader: Reader, quote: string): string | undefined {
  const { text } = reader;
  let value = "";
  for (reader.at++; reader.at < text.length; reader.at++) {
    const char = text[reader.at] ?? "";
    if (char === quote) {
      push(reader, value);
      return undefined;
    }
    if (quote === '"' && char === "\\" && /["\\$`\n]/.test(text[reader.at + 1] ?? "")) value += text[++reader.at] === "\n" ? "" : (text[reader.at] ?? "");
    else if (quote === '"' && (char === "`" || /^\$[({\w]/.test(text.slice(reader.at)))) return REFUSED.find(([pattern]) => pattern.test(text.slice(reader.at)))?.[1];
    else value += char;
  }
  return `there is no closing ${quote}`;
}

/** One step over the line; an error as text. */
function step(reader: Reader): string | undefined {
  const { text } = reader;
  const char = text[reader.at] ?? "";
  if (char === "'" || char === '"') return quoted(reader, char);
  if (char === "\\") {
    const next = text[++reader.at];
    if (next !== "\n" && next !== undefined) push(reader, next);
  } else if (/\s/.test(char)) reader.open = false;
  else if (char === "#" && !reader.open) reader.at = text.length;
  else if (char === "|" && text[reader.at + 1] !== "|") {
    reader.words.push([]);
    reader.open = false;
  } else {
    const refused = REFUSED.find(([pattern]) => pattern.test(text.slice(reader.at)));
    if (refused !== undefined) return refused[1];
    push(reader, char);
  }
  return undefined;
}

/** "<<EOF" and what follows up to a line with EOF alone: the line without it, and the text. */
function hereDocument(text: string): { readonly line: string; readonly stdin?: string; readonly error?: string } {
  const match = /<<(-?)\s*(['"]?)([A-Za-z_]\w*)\2/.exec(text);
  if (match === null) return { line: text };
  const [whole, dash = "", , word = ""] = match;
  const end = text.indexOf("\n", match.index);
  const lines = end < 0 ? [] : text.slice(end + 1).split("\n").map((line) => (dash === "-" ? line.replace(/^\t+/, "") : line));
  const last = lines.indexOf(word);
  if (last < 0) return { line: text, error: `the here-document has no line with ${word} alone` };
  return { line: `${text.slice(0, match.index)}${text.slice(match.index + whole.length, end)}`, stdin: lines.slice(0, last).map((line) => `${line}\n`).join("") };
}

/** Reads a line as typed, with or without "kubectl" (or "k") in front; an error as one sentence. */
export function readCommandLine(text: string): CommandLine | { readonly error: string } {
  const { line, stdin, error } = hereDocument(text.replace(/^\s*\$\s+/, ""));
  if (error !== undefined) return { error };
  const reader: Reader = { text: line, at: 0, words: [[]], open: false };
  for (; reader.at < line.length; reader.at++) {
    const wrong = step(reader);
    if (wrong !== undefined) return { error: wrong };
  }
  const [words = [], ...filters] = reader.words;
  const env: Record<string, string> = {};
  let from = 0;
  for (; /^[A-Za-z_]\w*=/.test(words[from] ?? ""); from++) env[(words[from] ?? "").split("=")[0] ?? ""] = (words[from] ?? "").slice((words[from] ?? "").indexOf("=") + 1);
  if (words[from] === "kubectl" || words[from] === "k") from++;
  const unknown = filters.find(([name = ""]) => FILTERS[name] === undefined);
  if (unknown !== undefined) return { error: `this terminal pipes to ${Object.keys(FILTERS).join(", ")} only` };
  return { argv: words.slice(from), ...(stdin === undefined ? {} : { stdin }), env, filters };
}

type Filter = (lines: readonly string[], args: readonly string[]) => readonly string[];
const countOf = (args: readonly string[]): number => Number(/(\d+)$/.exec(args.join(" "))?.[1] ?? 10);
const flagged = (args: readonly string[], letter: string): boolean => args.some((arg) => new RegExp(`^-[A-Za-z]*${letter}`).test(arg));

function grep(lines: readonly string[], args: readonly string[]): readonly string[] {
  const pattern = args.find((arg) => !arg.startsWith("-")) ?? "";
  const source = flagged(args, "F") ? pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&") : flagged(args, "E") ? pattern : pattern.replaceAll(/\\([|(){}+?])|([|(){}+?])/g, (_, escaped?: string, plain?: string) => escaped ?? `\\${plain ?? ""}`);
  let regexp: RegExp;
  try {
    regexp = new RegExp(source, flagged(args, "i") ? "i" : "");
  } catch {
    return ["grep: Invalid regular expression"];
  }
  const found = lines.filter((line) => regexp.test(line) !== flagged(args, "v"));
  if (flagged(args, "c")) return [String(found.length)];
  return flagged(args, "o") ? found.flatMap((line) => line.match(new RegExp(regexp.source, `${regexp.flags}g`)) ?? []) : found;
}

const numberIn = (line: string): number => Number(/^\s*(-?\d+(?:\.\d+)?)/.exec(line)?.[1] ?? 0);

function sort(lines: readonly string[], args: readonly string[]): readonly string[] {
  const sorted = [...lines].sort((a, b) => (flagged(args, "n") ? numberIn(a) - numberIn(b) : 0) || (a < b ? -1 : a > b ? 1 : 0));
  const ordered = flagged(args, "r") ? sorted.reverse() : sorted;
  return flagged(args, "u") ? ordered.filter((line, i) => line !== ordered[i - 1]) : ordered;
}

function wc(lines: readonly string[], args: readonly string[]): readonly string[] {
  const words = lines.reduce((sum, line) => sum + line.split(/\s+/).filter((word) => word !== "").length, 0);
  const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (flagged(args, "l")) return [String(lines.length)];
  if (flagged(args, "w")) return [String(words)];
  return flagged(args, "c") ? [String(bytes)] : [[lines.length, words, bytes].map((count) => String(count).padStart(7)).join(" ")];
}

const FILTERS: Readonly<Record<string, Filter>> = { grep, head: (lines, args) => lines.slice(0, countOf(args)), tail: (lines, args) => lines.slice(-countOf(args)), sort, wc, cat: (lines) => lines };

/** What is left of an output after the filters of a line. */
export function filtered(output: string, filters: CommandLine["filters"]): string {
  if (filters.length === 0 || output === "") return output;
  const lines = output.replace(/\n$/, "").split("\n");
  const left = filters.reduce<readonly string[]>((current, [name = "", ...args]) => FILTERS[name]?.(current, args) ?? current, lines);
  return left.map((line) => `${line}\n`).join("");
}
