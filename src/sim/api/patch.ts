// Models the applying side of kubernetes/staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go, RFC 7386 and RFC 6902
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

function mergeMaps(original: readonly unknown[], patch: readonly unknown[], mergeKey: string, type: PatchType): unknown[] {
  if (patch.some((item) => isMap(item) && item[DIRECTIVE] === "replace")) {
    return patch.filter((item) => !(isMap(item) && item[DIRECTIVE] === "replace" && Object.keys(item).length === 1)).map((item) => cleaned(item, type));
  }
  const out = [...original];
  for (const item of patch) {
    if (!isMap(item)) throw new PatchError("expected a map in a list merged by key");
    const { [DIRECTIVE]: directive, ...rest } = item;
    if (rest[mergeKey] === undefined) throw new PatchError(`map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`);
    const at = indexOfItem(out, rest, mergeKey);
    if (directive === "delete") {
      if (at >= 0) out.splice(at, 1);
    } else if (at < 0) out.push(cleaned(rest, type));
    else out[at] = mergeStruct(out[at], rest, type);
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
  if (directive !== undefined && directive !== "merge") throw new PatchError(`unknown patch type found: ${JSON.stringify(patch)}`);
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
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

const pointer = (path: string): string[] => (path === "" ? [] : path.slice(1).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")));

function valueAt(document: unknown, path: readonly string[], shown: string): unknown {
  let value = document;
  for (const part of path) {
    value = Array.isArray(value) ? value[Number(part)] : isMap(value) ? value[part] : undefined;
    if (value === undefined) throw new PatchError(`the path ${JSON.stringify(shown)} does not exist`);
  }
  return value;
}

/** A copy with one place changed; `change` gets the container there and a copy of it to write to. */
function changeAt(document: unknown, path: readonly string[], shown: string, change: (list: unknown[] | Record<string, unknown>, key: string) => void): unknown {
  const [head = "", ...rest] = path;
  const copy: unknown[] | Record<string, unknown> = Array.isArray(document) ? [...(document as readonly unknown[])] : isMap(document) ? { ...document } : {};
  if (!Array.isArray(document) && !isMap(document)) throw new PatchError(`the path ${JSON.stringify(shown)} does not exist`);
  if (rest.length === 0) {
    change(copy, head);
    return copy;
  }
  const child = valueAt(document, [head], shown);
  const next = changeAt(child, rest, shown, change);
  if (Array.isArray(copy)) copy[Number(head)] = next;
  else copy[head] = next;
  return copy;
}

function add(document: unknown, path: string, value: unknown): unknown {
  if (path === "") return value;
  return changeAt(document, pointer(path), path, (container, key) => {
    if (!Array.isArray(container)) container[key] = value;
    else if (key === "-") container.push(value);
    else if (!/^\d+$/.test(key) || Number(key) > container.length) throw new PatchError(`add operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`);
    else container.splice(Number(key), 0, value);
  });
}

function remove(document: unknown, path: string): unknown {
  valueAt(document, pointer(path), path);
  return changeAt(document, pointer(path), path, (container, key) => {
    if (Array.isArray(container)) container.splice(Number(key), 1);
    else delete container[key];
  });
}

function applyOperation(document: unknown, operation: JsonPatchOperation): unknown {
  const { op, path, from = "", value } = operation;
  switch (op) {
    case "add":
      return add(document, path, value);
    case "remove":
      return remove(document, path);
    case "replace":
      return add(remove(document, path), path, value);
    case "move":
      return add(remove(document, from), path, valueAt(document, pointer(from), from));
    case "copy":
      return add(document, path, valueAt(document, pointer(from), from));
    case "test":
      if (!equal(valueAt(document, pointer(path), path), value)) throw new PatchError(`testing value ${path} failed: test failed`);
      return document;
    default:
      throw new PatchError(`Unexpected kind: ${op}`);
  }
}

/** application/json-patch+json (RFC 6902): the patched document, or an error text. */
export function applyJsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): { readonly value: unknown } | string {
  return orError(() => ({ value: operations.reduce(applyOperation, document) }));
}
