// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/yaml/{decoder,stream_reader}.go
import { parseJson } from "../json.ts";
import { decodeYaml, JsonError } from "./decode.ts";
import { scanJson } from "./json-scanner.ts";
import { composeYaml, type YamlNode } from "./parser.ts";
import type { Words } from "./resolve.ts";
import { YamlError } from "./source.ts";

/** One object of a file, null where a document is empty. */
export interface StreamDocument {
  readonly value: unknown;
  /** The part of the file it was read from, and where that begins. */
  readonly text: string;
  readonly pos: number;
}

/** Why a file cannot be read on: what kubectl says behind "error parsing FILE: ", and the offset in the file. */
export interface StreamError {
  readonly message: string;
  readonly pos: number;
}

export interface Stream {
  readonly documents: readonly StreamDocument[];
  readonly error?: StreamError;
}

const PEEKED = 4096;
const SEPARATOR = "---";
/** unicode.IsSpace */
const SPACES = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*/y;
const TRIM = /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

function spacesAt(text: string, pos: number): number {
  SPACES.lastIndex = pos;
  return SPACES.exec(text)?.[0].length ?? 0;
}

/** Whether the first character of a text that is no space opens a JSON object. */
function mayBeJson(text: string, start: number): boolean {
  const pos = start + spacesAt(text, start);
  return pos < start + PEEKED && text.charAt(pos) === "{";
}

function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

const describe = (error: YamlError): string => (error instanceof JsonError ? error.text : `yaml: ${error.text}`);

/** What `read` gives, or the YamlError it throws. */
function caught<T>(read: () => T): T | YamlError {
  try {
    return read();
  } catch (error) {
    if (error instanceof YamlError) return error;
    throw error;
  }
}

/** Simplified: upstream keeps 10000 levels. Deeper ones than these are read and checked, but left out, because what comes after recurses. */
const KEPT_LEVELS = 500;

function empty(container: Record<string, unknown> | unknown[]): void {
  if (Array.isArray(container)) container.length = 0;
  else for (const key of Object.keys(container)) Reflect.deleteProperty(container, key);
}

/** A value of our own, without what is nested too deep. */
function withoutDepths(value: unknown): unknown {
  const isContainer = (item: unknown): item is Record<string, unknown> | unknown[] => typeof item === "object" && item !== null;
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth === KEPT_LEVELS) level.forEach(empty);
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return value;
}

function readDocument(text: string, pos: number, words?: Words): StreamDocument | StreamError {
  const read = caught(() => decodeYaml(composeYaml(text), words));
  if (read instanceof YamlError) return { message: `error converting YAML to JSON: ${describe(read)}`, pos: pos + read.pos };
  if (read.tooDeep !== undefined) return { message: `error unmarshaling JSON: while decoding JSON: invalid character '${read.tooDeep}' exceeded max depth`, pos };
  return { value: withoutDepths(read.value), text, pos };
}

interface Chunk {
  readonly start: number;
  readonly end: number;
  /** Where the next one begins. */
  readonly next: number;
}

/** The lines up to one that begins with "---"; such a line in front of all others belongs to what follows it. */
function nextChunk(text: string, start: number): Chunk | StreamError | undefined {
  for (let line = start; line < text.length; ) {
    const found = text.startsWith(SEPARATOR, line) ? line : text.indexOf(`\n${SEPARATOR}`, line) + 1;
    if (!text.startsWith(SEPARATOR, found) || found < line) break;
    const end = text.indexOf("\n", found);
    const next = end < 0 ? text.length : end + 1;
    const rest = text.slice(found + SEPARATOR.length, next).replaceAll(TRIM, "");
    if (rest !== "" && !rest.startsWith("#")) return { message: `invalid Yaml document separator: ${rest}`, pos: found };
    if (found > start) return { start, end: found, next };
    line = next;
  }
  return start < text.length ? { start, end: text.length, next: text.length } : undefined;
}

interface YamlOptions {
  /** What is said of a mistake in the first document, because it was read as JSON before. */
  readonly jsonError?: StreamError;
  readonly words?: Words;
}

function readYaml(text: string, start: number, documents: StreamDocument[], { jsonError, words }: YamlOptions = {}): Stream {
  let firstError = jsonError;
  for (let chunk = nextChunk(text, start); chunk !== undefined; chunk = nextChunk(text, chunk.next)) {
    if ("message" in chunk) return { documents, error: firstError ?? chunk };
    const part = text.slice(chunk.start, chunk.end);
    const read = readDocument(part.endsWith("\n") ? part : `${part}\n`, chunk.start, words);
    if ("message" in read) return { documents, error: firstError ?? read };
    documents.push(read);
    firstError = undefined;
  }
  return { documents };
}

/** Where YAML begins behind JSON: spaces up to a line break are left out. Undefined where upstream gives up. */
function yamlStart(text: string, start: number): number | undefined {
  for (let pos = start; ; ) {
    const character = String.fromCodePoint(text.codePointAt(pos) ?? 0);
    if (bytesOf(text.slice(pos, pos + 4)) < 4 || character === "\ufffd") return undefined;
    if (spacesAt(character, 0) === 0) return pos;
    pos += 1;
    if (character === "\n") return pos;
  }
}

/**
 * The objects of a file: JSON values one after another, or documents of YAML. What begins like JSON and is not is read
 * as YAML if at most one object came before. Reading stops at the first mistake.
 */
export function readStream(text: string): Stream {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const documents: StreamDocument[] = [];
  if (!mayBeJson(text, start)) return readYaml(text, start, documents);
  for (let pos = start; ; ) {
    const begin = pos + (/^[ \t\r\n]*/.exec(text.slice(pos))?.[0].length ?? 0);
    if (begin >= text.length) return { documents };
    const scan = scanJson(text, begin);
    if (scan.error === undefined) {
      const json = text.slice(begin, scan.end);
      documents.push({ value: withoutDepths(JSON.parse(json)), text: json, pos: begin });
      pos = scan.end;
      continue;
    }
    if (documents.length > 1) return { documents, error: { message: scan.error, pos: scan.pos } };
    const atEnd = scan.pos >= text.length;
    const error = { message: atEnd ? scan.error : `json: offset ${bytesOf(text.slice(start, scan.pos)) + 1}: ${scan.error}`, pos: scan.pos };
    const yaml = yamlStart(text, pos);
    return yaml === undefined ? { documents, error } : readYaml(text, yaml, documents, { jsonError: error });
  }
}

/** The documents of a file that is never read as JSON. */
export const readYamlStream = (text: string, words?: Words): Stream => readYaml(text, text.startsWith("\ufeff") ? 1 : 0, [], { words });

type Json = { readonly value: unknown; readonly error?: undefined } | { readonly error: string };

/** yaml.YAMLToJSON: the value of one document. */
export function yamlToJson(text: string): Json {
  const read = caught(() => decodeYaml(composeYaml(text)));
  return read instanceof YamlError ? { error: describe(read) } : { value: withoutDepths(read.value) };
}

/** yaml.ToJSON: a text that begins like JSON is not looked at, and is given back if it is none. */
export const toJson = (text: string): Json => (mayBeJson(text, 0) ? { value: withoutDepths(parseJson(text)?.value ?? text) } : yamlToJson(text));

/** The nodes of a document with their places in its text; undefined of JSON that YAML has no words for. */
export function nodesOf({ text }: StreamDocument): YamlNode | undefined {
  const root = caught(() => composeYaml(text));
  return root instanceof YamlError ? undefined : root;
}
