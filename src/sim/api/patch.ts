// Models the applying side of kubernetes/staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go, RFC 7386 and RFC 6902
import { goMapText } from "./json.ts";
import {
  DELETE_FROM_LIST, DIRECTIVE, equal, fieldOf, indexOfItem, innerType, isMap, type Json, type PatchType, RETAIN_KEYS, rootType, SET_ORDER,
} from "./strategic-patch-schema.ts";

/** A patch that contradicts itself or the object; becomes the error text of the public functions. */
class PatchError extends Error {}

function orError<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof PatchError) return error.message;
    throw error;
  }
}

/** Nothing to merge with: directives and nulls of the patch fall away. */
function cleaned(value: unknown, type: PatchType): unknown {
  if (Array.isArray(value)) return value.filter((item) => !(isMap(item) && item[DIRECTIVE] === "delete")).map((item) => cleaned(item, type));
  if (!isMap(value)) return value;
  const entries = Object.entries(value).filter(([key, v]) => v !== null && !key.startsWith("$"));
  return Object.fromEntries(entries.map(([key, v]) => [key, cleaned(v, innerType(fieldOf(type, key)))]));
}

/** Weaves the server's own items among the patched ones by the order the server had. */
function weave(serverOnly: readonly unknown[], patched: readonly unknown[], serverOrder: readonly unknown[], mergeKey: string): unknown[] {
  const out: unknown[] = [];
  let i = 0;
  let j = 0;
  while (i < serverOnly.length || j < patched.length) {
    if (i >= serverOnly.length) out.push(patched[j++]);
    else if (j >= patched.length) out.push(serverOnly[i++]);
    else {
      const left = indexOfItem(serverOrder, serverOnly[i], mergeKey);
      const right = indexOfItem(serverOrder, patched[j], mergeKey);
      out.push(left >= 0 && right >= 0 && left < right ? serverOnly[i++] : patched[j++]);
    }
  }
  return out;
}

function inOrder(merged: readonly unknown[], order: readonly unknown[], original: readonly unknown[], mergeKey: string): unknown[] {
  const listed = merged.filter((item) => indexOfItem(order, item, mergeKey) >= 0).sort((a, b) => indexOfItem(order, a, mergeKey) - indexOfItem(order, b, mergeKey));
  const rest = merged.filter((item) => indexOfItem(order, item, mergeKey) < 0);
  return weave(rest, listed, original, mergeKey);
}

const keyOf = (item: Json, mergeKey: string): unknown => {
  if (!Object.hasOwn(item, mergeKey)) throw new PatchError(`map: ${goMapText(item)} does not contain declared merge key: ${mergeKey}`);
  return item[mergeKey];
};

/** A list merged by key holds nothing but maps. */
function requireMaps(original: readonly unknown[], patch: readonly unknown[]): asserts patch is readonly Json[] {
  if ([...original, ...patch].some(Array.isArray)) throw new PatchError("lists of lists are not supported");
  if (![...original, ...patch].every(isMap)) throw new PatchError(`list element types are not identical: [${goMapText(original)} ${goMapText(patch)}]`);
}

function mergeMaps(original: readonly unknown[], patch: readonly unknown[], mergeKey: string, type: PatchType): unknown[] {
  requireMaps(original, patch);
  let out = [...original];
  const plain = patch.filter((item) => !Object.hasOwn(item, DIRECTIVE));
  for (const item of patch) {
    const directive = item[DIRECTIVE];
    if (directive === "merge") throw new PatchError("merging lists cannot yet be specified in the patch");
    if (directive !== undefined && directive !== "delete" && directive !== "replace") throw new PatchError(`unknown patch type: ${goMapText(directive)} in map: ${goMapText(item)}`);
    if (directive !== "delete") continue;
    const key = keyOf(item, mergeKey);
    out = out.filter((other) => !(isMap(other) && other[mergeKey] === key));
  }
  if (patch.some((item) => item[DIRECTIVE] === "replace")) return plain.map((item) => cleaned(item, type));
  for (const item of plain) {
    keyOf(item, mergeKey);
    const at = indexOfItem(out, item, mergeKey);
    if (at < 0) out.push(cleaned(item, type));
    else out[at] = mergeStruct(out[at], item, type);
  }
  return out;
}

function mergeList(original: unknown, patch: readonly unknown[], mergeKey: string | undefined, type: PatchType): unknown {
  if (mergeKey === undefined || !Array.isArray(original)) return patch.map((item) => cleaned(item, type));
  if (mergeKey === "") return [...(original as readonly unknown[]), ...patch.filter((item) => !original.includes(item))];
  return mergeMaps(original, patch, mergeKey, type);
}

function applyListDirectives(out: Record<string, unknown>, original: Json, patch: Json, type: PatchType): void {
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(DELETE_FROM_LIST) && Array.isArray(value)) {
      const name = key.slice(DELETE_FROM_LIST.length);
      const list = out[name];
      if (Array.isArray(list)) out[name] = list.filter((item) => !value.includes(item));
    }
  }
  for (const [key, value] of Object.entries(patch)) {
    if (!key.startsWith(SET_ORDER) || !Array.isArray(value)) continue;
    const name = key.slice(SET_ORDER.length);
    const list = out[name];
    const before = original[name];
    if (Array.isArray(list)) out[name] = inOrder(list, value, Array.isArray(before) ? before : [], fieldOf(type, name)?.mergeKey ?? "");
  }
}

function mergeStruct(original: unknown, patch: Json, type: PatchType): unknown {
  const { [DIRECTIVE]: directive, ...rest } = patch;
  if (directive === "replace") return cleaned(rest, type);
  if (directive === "delete") return {};
  if (directive !== undefined && directive !== "merge") throw new PatchError(`unknown patch type: ${goMapText(directive)} in map: ${goMapText(patch)}`);
  const base = isMap(original) ? original : {};
  const out: Record<string, unknown> = { ...base };
  const retained = rest[RETAIN_KEYS];
  if (Array.isArray(retained)) for (const key of Object.keys(out)) if (!retained.includes(key)) delete out[key];
  for (const [key, value] of Object.entries(rest)) {
    if (key.startsWith("$")) continue;
    const field = fieldOf(type, key);
    if (value === null) delete out[key];
    else if (Array.isArray(value)) out[key] = mergeList(out[key], value, field?.mergeKey, innerType(field));
    else if (isMap(value)) out[key] = isMap(out[key]) ? mergeStruct(out[key], value, innerType(field)) : cleaned(value, innerType(field));
    else out[key] = value;
  }
  applyListDirectives(out, base, rest, type);
  return out;
}

/** application/strategic-merge-patch+json: the patched object, or an error text. `kind` names the schema. */
export function applyStrategicMergePatch(original: object, patch: unknown, kind: { readonly apiVersion: string; readonly kind: string }): Json | string {
  if (!isMap(patch)) return "expected a map";
  return orError(() => mergeStruct(original, patch, rootType(kind)) as Json);
}

/** application/merge-patch+json (RFC 7386). */
export function applyJsonMergePatch(original: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const out: Record<string, unknown> = isMap(original) ? { ...original } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = applyJsonMergePatch(out[key], value);
  }
  return out;
}

export interface JsonPatchOperation {
  readonly op: string;
  readonly path?: string;
  readonly from?: string;
  readonly value?: unknown;
}

const MISSING = "missing value";
const token = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");

type Container = unknown[] | Record<string, unknown>;
interface Target {
  readonly container: Container;
  readonly key: string;
}

/** The array index that a token means: negative ones count from the end (evanphx/json-patch). */
function indexOf(key: string, length: number): number {
  if (!/^[+-]?\d+$/.test(key)) throw new PatchError(`strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`);
  const index = Number(key);
  if (index >= length || index < -length) throw new PatchError(`Unable to access invalid index: ${index}: invalid index referenced`);
  return index < 0 ? index + length : index;
}

const getAt = ({ container, key }: Target): unknown => (Array.isArray(container) ? (container as readonly unknown[])[indexOf(key, container.length)] : (container[key] ?? null));

function setAt({ container, key }: Target, value: unknown): void {
  if (Array.isArray(container)) container[indexOf(key, container.length)] = value;
  else container[key] = value;
}

function addAt({ container, key }: Target, value: unknown): void {
  if (!Array.isArray(container)) container[key] = value;
  else if (key === "-") container.push(value);
  else if (/^[+-]?\d+$/.test(key)) container.splice(indexOf(key, container.length + 1), 0, value);
  else throw new PatchError(`value was not a proper array index: '${key}': strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`);
}

function removeAt({ container, key }: Target): void {
  if (Array.isArray(container)) container.splice(indexOf(key, container.length), 1);
  else if (Object.hasOwn(container, key)) delete container[key];
  else throw new PatchError(`Unable to remove nonexistent key: ${key}: ${MISSING}`);
}

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** One document being patched: what lies on the way to a change is copied, the rest is shared with the original. */
class PatchedDocument {
  root: unknown;
  private readonly own = new Set<object>();

  constructor(root: unknown) {
    this.root = this.copied(root);
  }

  private copied(value: unknown): unknown {
    if (!isContainer(value) || this.own.has(value)) return value;
    const copy: Container = Array.isArray(value) ? [...value] : { ...value };
    this.own.add(copy);
    return copy;
  }

  /** After a copy two places share their containers. */
  disown(): void {
    this.own.clear();
  }

  /** The container of a path's last token; undefined when there is none. */
  find(path: string): Target | undefined {
    const [, ...tokens] = path.split("/").map(token);
    const key = tokens.pop();
    if (key === undefined || !isContainer(this.root)) return undefined;
    let container: Container = this.root;
    for (const part of tokens) {
      const there: Target = { container, key: part };
      if (Array.isArray(container) && !(/^[+-]?\d+$/.test(part) && Number(part) < container.length && Number(part) >= -container.length)) return undefined;
      const next = this.copied(getAt(there));
      if (!isContainer(next)) return undefined;
      setAt(there, next);
      container = next;
    }
    return { container, key };
  }
}

/** Runs one step of an operation; its error is told with what it was part of. */
function step<T>(head: string, work: () => T): T {
  const result = orError(() => [work()] as const);
  if (typeof result === "string") throw new PatchError(`${head}: ${result}`);
  return result[0];
}

function test(document: PatchedDocument, path: string, value: unknown): void {
  const failed = new PatchError(`testing value ${path} failed: test failed`);
  if (path === "") {
    if (!equal(document.root, value)) throw failed;
    return;
  }
  const target = document.find(path);
  if (target === undefined) throw new PatchError(`test operation does not apply: is missing path: ${path}: ${MISSING}`);
  if (!equal(step(`error in test for path: '${path}'`, () => getAt(target)), value ?? null)) throw failed;
}

function replace(document: PatchedDocument, path: string, value: unknown): void {
  if (path === "") {
    if (!isContainer(value)) throw new PatchError("replace operation value must be object or array: %!w(<nil>)");
    document.root = new PatchedDocument(value).root;
    return;
  }
  const target = document.find(path);
  if (target === undefined) throw new PatchError(`replace operation does not apply: doc is missing path: ${path}: ${MISSING}`);
  const there = orError(() => [getAt(target)] as const);
  if (typeof there === "string") throw new PatchError(`replace operation does not apply: doc is missing key: ${path}: ${MISSING}`);
  setAt(target, value);
}

/** The start of "move" and "copy": the value at `from`. */
function taken(document: PatchedDocument, { op, from }: JsonPatchOperation): { readonly source: Target; readonly value: unknown } {
  if (from === undefined) throw new PatchError(`${op} operation failed to decode from: operation, missing from field: ${MISSING}`);
  const source = document.find(from);
  if (source === undefined) throw new PatchError(`${op} operation does not apply: doc is missing from path: ${from}: ${MISSING}`);
  return { source, value: step(op === "move" ? `error in move for path: '${source.key}'` : `error in copy for from: '${from}'`, () => getAt(source)) };
}

function put(document: PatchedDocument, { op, path = "" }: JsonPatchOperation, value: unknown): void {
  const target = document.find(path);
  if (target === undefined) throw new PatchError(`${op} operation does not apply: doc is missing destination path: ${path}: ${MISSING}`);
  step(op === "move" ? `error in move for path: '${path}'` : "error while adding value during copy", () => addAt(target, value));
}

function applyOperation(document: PatchedDocument, operation: JsonPatchOperation): void {
  const { op, path, value } = operation;
  const known = ["add", "remove", "replace", "move", "copy", "test"].includes(op);
  if (!known) throw new PatchError(`Unexpected kind: ${op}`);
  if (path === undefined && op !== "move") throw new PatchError(`${op} operation failed to decode path: ${op === "replace" || op === "test" ? "operation missing path field: " : ""}${MISSING}`);
  const at = path ?? "";
  if (op === "test") return test(document, at, value);
  if (op === "replace") return replace(document, at, value);
  if (op === "move" || op === "copy") {
    const { source, value: moved } = taken(document, operation);
    if (op === "copy") document.disown();
    else step(`error in move for path: '${source.key}'`, () => removeAt(source));
    return put(document, operation, moved);
  }
  const target = document.find(at);
  if (target === undefined) throw new PatchError(`${op} operation does not apply: doc is missing path: "${at}": ${MISSING}`);
  step(`error in ${op} for path: '${at}'`, () => (op === "add" ? addAt(target, value) : removeAt(target)));
}

/** application/json-patch+json (RFC 6902, as evanphx/json-patch applies it): the patched document, or its error text. */
export function applyJsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): { readonly value: unknown } | string {
  return orError(() => {
    const patched = new PatchedDocument(document);
    for (const operation of operations) applyOperation(patched, operation);
    return { value: patched.root };
  });
}
