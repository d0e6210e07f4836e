import { isMap, isScalar, isSeq, LineCounter, type Node as YamlNode, parseAllDocuments } from "yaml";
import type { Step } from "./caret.ts";
import { AUTOSCALER_FIELDS, KINDS_WITH_CONTROLLERS, type NotSimulatedField, POD_FIELDS, SERVICE_FIELDS, TEMPLATE_KINDS } from "./not-simulated.ts";
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

function at(node: YamlNode | null | undefined, key: string): YamlNode | undefined {
  if (!isMap(node)) return undefined;
  const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
  return (pair?.value ?? undefined) as YamlNode | undefined;
}

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
      else if (isSeq(child)) child.items.forEach((item, i) => next.push({ path: `${here}[${i}]`, node: item as YamlNode }));
    }
    found = next;
  }
  return found;
}

/** securityContext is acted on as far as it says who the process runs as. */
function onlyRunAs(node: YamlNode): boolean {
  return isMap(node) && node.items.every((item) => isScalar(item.key) && (item.key.value === "runAsNonRoot" || item.key.value === "runAsUser"));
}

function fieldsOf(kind: string): readonly NotSimulatedField[] {
  if (kind === "Pod") return POD_FIELDS;
  if (kind === "Service") return SERVICE_FIELDS;
  if (kind === "HorizontalPodAutoscaler") return AUTOSCALER_FIELDS;
  if (kind === "CronJob") return POD_FIELDS.map((field) => ({ ...field, path: `spec.jobTemplate.spec.template.${field.path}` }));
  return TEMPLATE_KINDS.has(kind) ? POD_FIELDS.map((field) => ({ ...field, path: `spec.template.${field.path}` })) : [];
}

function checkObject(root: YamlNode | undefined, document: number, prefix: string, lines: LineCounter): NotSimulated[] {
  const lineOf = (node: YamlNode | undefined): number => (node?.range ? lines.linePos(node.range[0]).line : 0);
  const kindNode = at(root, "kind");
  const kind = isScalar(kindNode) ? String(kindNode.value) : "";
  if (kind === "List") {
    const items = at(root, "items");
    return isSeq(items) ? items.items.flatMap((item, i) => checkObject(item as YamlNode, document, `items[${i}].`, lines)) : [];
  }
  const report: NotSimulated[] = [];
  if (kind !== "" && !KINDS_WITH_CONTROLLERS.has(kind)) report.push({ document, path: `${prefix}kind`, line: lineOf(kindNode), text: `${kind}: validated, stored and printed, but no controller acts on it yet` });
  for (const field of fieldsOf(kind)) {
    for (const { path, node } of locate(root, field.path)) {
      if (path.endsWith("securityContext") && onlyRunAs(node)) continue;
      report.push({ document, path: prefix + path, line: lineOf(node), text: field.text });
    }
  }
  return report;
}

/** What the API server would refuse of one document, or of each object of a List. Kinds it does not know are left to kubectl. */
function serverProblems(document: { readonly contents: unknown; toJS(): unknown }, lines: LineCounter): ManifestProblem[] {
  const value = document.toJS();
  const root = document.contents as YamlNode;
  const found = isList(value) ? value.items.flatMap((item, i) => objectProblems(item).map((problem) => ({ ...problem, path: ["items", i, ...problem.path] }))) : objectProblems(value);
  return found.map(({ path, message }) => {
    const { line, col } = lines.linePos(nodeAtSteps(root, path)?.range?.[0] ?? root.range?.[0] ?? 0);
    return { line, column: col, message };
  });
}

const isList = (value: unknown): value is { readonly items: readonly unknown[] } => recordOf(value)["kind"] === "List" && Array.isArray(recordOf(value)["items"]);

/** The node that a path names, or the deepest one on the way to it. A scalar field is marked at its value when that is wrong, at its name when the name is. */
function nodeAtSteps(root: YamlNode, steps: readonly Step[]): YamlNode {
  let node: YamlNode = root;
  for (const step of steps) {
    const next = isSeq(node) ? (node.items[Number(step)] as YamlNode | undefined) : keyOrValue(node, String(step));
    if (!next) break;
    node = next;
  }
  return node;
}

function keyOrValue(node: YamlNode, key: string): YamlNode | undefined {
  if (!isMap(node)) return undefined;
  const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
  // A scalar's place is its key: that is where a reader looks for the mistake.
  return pair && (isMap(pair.value) || isSeq(pair.value)) ? (pair.value as YamlNode) : (pair?.key as YamlNode | undefined);
}

/** Reads a manifest for the editor: YAML errors and what strict decoding refuses, with their place, and every field that the simulation does not act on. Never throws. */
export function checkManifest(text: string): ManifestReport {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, version: "1.1", uniqueKeys: false });
  const problems: ManifestProblem[] = [];
  const notSimulated: NotSimulated[] = [];
  (Array.isArray(documents) ? documents : []).forEach((document, i) => {
    for (const error of document.errors) {
      const { line, col } = lines.linePos(error.pos[0]);
      problems.push({ line, column: col, message: error.message.split("\n")[0] ?? error.message });
    }
    if (document.errors.length > 0 || !document.contents) return;
    problems.push(...serverProblems(document, lines));
    notSimulated.push(...checkObject(document.contents as YamlNode, i, "", lines));
  });
  return { problems, notSimulated: notSimulated.sort((a, b) => a.line - b.line) };
}
