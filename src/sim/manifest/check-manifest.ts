import { nodesOf, readStream, type StreamDocument } from "../api/go-yaml/document-stream.ts";
import type { YamlNode } from "../api/go-yaml/parser.ts";
import type { Step } from "./caret.ts";
import { KIND_NOTES, KINDS_WITH_CONTROLLERS, type NotSimulatedField, POD_FIELDS, SERVICE_FIELDS, TEMPLATE_KINDS } from "./not-simulated.ts";
import { objectProblems } from "./object-problems.ts";
import { recordOf } from "./schema-place.ts";

export interface NotSimulated {
  readonly document: number;
  /** "spec.volumes[0].nfs" */
  readonly path: string;
  /** 1-based line in the text; 0 if unknown. */
  readonly line: number;
  readonly text: string;
}

export interface ManifestProblem {
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface ManifestReport {
  readonly problems: readonly ManifestProblem[];
  readonly notSimulated: readonly NotSimulated[];
}

interface Found {
  readonly path: string;
  readonly node: YamlNode;
}

/** One document with its nodes, and the place of an offset in it. */
interface Reading {
  readonly document: StreamDocument;
  readonly root: YamlNode | undefined;
  readonly placeOf: (pos: number) => { readonly line: number; readonly column: number };
}

/** The places of offsets in a text, counted from 1. */
function placesIn(text: string): (pos: number) => { readonly line: number; readonly column: number } {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return (pos) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= pos) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: pos - (starts[low] ?? 0) + 1 };
  };
}

interface Pair {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

const behind = (node: YamlNode | undefined): YamlNode | undefined => node?.target ?? node;

function pairsOf(node: YamlNode | undefined): readonly Pair[] {
  const mapping = behind(node);
  if (mapping?.kind !== "mapping") return [];
  return mapping.children.flatMap((key, i) => {
    const value = i % 2 === 0 ? mapping.children[i + 1] : undefined;
    return value === undefined ? [] : [{ key, value }];
  });
}

const itemsOf = (node: YamlNode | undefined): readonly YamlNode[] | undefined => (behind(node)?.kind === "sequence" ? behind(node)?.children : undefined);
const pairAt = (node: YamlNode | undefined, key: string): Pair | undefined => pairsOf(node).findLast((pair) => pair.key.kind === "scalar" && pair.key.value === key);
const at = (node: YamlNode | undefined, key: string): YamlNode | undefined => pairAt(node, key)?.value;

/** All nodes under a path with `[*]` wildcards, each with its real path. */
function locate(root: YamlNode | undefined, path: string): Found[] {
  let found: Found[] = root ? [{ path: "", node: root }] : [];
  for (const part of path.split(".")) {
    const name = part.replace("[*]", "");
    const next: Found[] = [];
    for (const { node, path: base } of found) {
      const child = at(node, name);
      if (!child) continue;
      const here = base ? `${base}.${name}` : name;
      if (!part.endsWith("[*]")) next.push({ path: here, node: child });
      else itemsOf(child)?.forEach((item, i) => next.push({ path: `${here}[${i}]`, node: item }));
    }
    found = next;
  }
  return found;
}

function fieldsOf(kind: string): readonly NotSimulatedField[] {
  if (kind === "Pod") return POD_FIELDS;
  if (kind === "Service") return SERVICE_FIELDS;
  if (kind === "CronJob") return POD_FIELDS.map((field) => ({ ...field, path: `spec.jobTemplate.spec.template.${field.path}` }));
  return TEMPLATE_KINDS.has(kind) ? POD_FIELDS.map((field) => ({ ...field, path: `spec.template.${field.path}` })) : [];
}

function checkObject(root: YamlNode | undefined, document: number, prefix: string, lineOf: (node: YamlNode | undefined) => number): NotSimulated[] {
  const kindNode = behind(at(root, "kind"));
  const kind = kindNode?.kind === "scalar" ? kindNode.value : "";
  if (kind === "List") return (itemsOf(at(root, "items")) ?? []).flatMap((item, i) => checkObject(item, document, `items[${i}].`, lineOf));
  const report: NotSimulated[] = [];
  if (kind !== "" && !KINDS_WITH_CONTROLLERS.has(kind)) report.push({ document, path: `${prefix}kind`, line: lineOf(kindNode), text: `${kind}: ${KIND_NOTES[kind] ?? "validated, stored and printed, but no controller acts on it yet"}` });
  for (const field of fieldsOf(kind)) {
    for (const { path, node } of locate(root, field.path)) {
      report.push({ document, path: prefix + path, line: lineOf(node), text: field.text });
    }
  }
  return report;
}

/** What the API server would refuse of one document, or of each object of a List. Kinds it does not know are left to kubectl. */
function serverProblems({ document, root, placeOf }: Reading): ManifestProblem[] {
  const { value } = document;
  const found = isList(value) ? value.items.flatMap((item, i) => objectProblems(item).map((problem) => ({ ...problem, path: ["items", i, ...problem.path] }))) : objectProblems(value);
  return found.map(({ path, message }) => ({ ...placeOf(nodeAtSteps(root, path)?.pos ?? 0), message }));
}

const isList = (value: unknown): value is { readonly items: readonly unknown[] } => recordOf(value)["kind"] === "List" && Array.isArray(recordOf(value)["items"]);

/** The node that a path names, or the deepest one on the way to it. */
function nodeAtSteps(root: YamlNode | undefined, steps: readonly Step[]): YamlNode | undefined {
  let node = root;
  for (const step of steps) {
    const items = itemsOf(node);
    const next = items === undefined ? keyOrValue(node, String(step)) : items[Number(step)];
    if (!next) break;
    node = next;
  }
  return node;
}

function keyOrValue(node: YamlNode | undefined, key: string): YamlNode | undefined {
  const pair = pairAt(node, key);
  // A scalar's place is its key: that is where a reader looks for the mistake.
  return pair && (behind(pair.value)?.kind === "scalar" ? pair.key : pair.value);
}

/** kubectl's words without the line, which is not always the one of the mistake. */
const withoutLine = (message: string): string => message.replace(/^error converting YAML to JSON: (?:yaml: (?:line \d+: )?)?|^json: offset \d+: /, "");

/** Reads a manifest for the editor: what kubectl and the API server refuse, with their place, and every field that the simulation does not act on. Never throws. */
export function checkManifest(text: string): ManifestReport {
  const placeIn = placesIn(text);
  const { documents, error } = readStream(text);
  const problems: ManifestProblem[] = [];
  const notSimulated: NotSimulated[] = [];
  documents.forEach((document, i) => {
    if (document.value === null) return;
    const reading = { document, root: nodesOf(document), placeOf: (pos: number) => placeIn(document.pos + pos) };
    problems.push(...serverProblems(reading));
    notSimulated.push(...checkObject(reading.root, i, "", (node) => (node === undefined ? 0 : reading.placeOf(node.pos).line)));
  });
  if (error !== undefined) problems.push({ ...placeIn(error.pos), message: withoutLine(error.message) });
  return { problems, notSimulated: notSimulated.sort((a, b) => a.line - b.line) };
}
