// Models CreateThreeWayMergePatch of kubernetes/staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go and jsonmergepatch/patch.go
import {
  DELETE_FROM_LIST, DIRECTIVE, equal, fieldOf, indexOfItem, innerType, isMap, type Json, type PatchType, RETAIN_KEYS, rootType, SET_ORDER,
} from "./strategic-patch-schema.ts";

/** One of the two passes: what the new manifest changes or adds, or what it no longer has. */
type Pass = "changes" | "deletions";

const byKey = (key: string) => (a: unknown, b: unknown): number => (String(isMap(a) ? a[key] : "") < String(isMap(b) ? b[key] : "") ? -1 : 1);
const sameOrder = (a: readonly unknown[], b: readonly unknown[], key: string): boolean => {
  const shared = a.filter((item) => indexOfItem(b, item, key) >= 0).map((item) => indexOfItem(b, item, key));
  return shared.every((at, i) => i === 0 || at > (shared[i - 1] ?? -1));
};

function diffListOfMaps(before: readonly unknown[], after: readonly unknown[], key: string, type: PatchType, pass: Pass): unknown[] {
  const patch: unknown[] = [];
  const deletions: unknown[] = [];
  for (const [i, item] of after.entries()) {
    const at = indexOfItem(before, item, key);
    const old = before[at];
    if (!isMap(item)) continue;
    // The second of that key has no partner left.
    if (at < 0 || indexOfItem(after, item, key) < i) {
      if (pass === "changes") patch.push(item);
      continue;
    }
    const diff = diffMaps(isMap(old) ? old : {}, item, type, pass);
    if (Object.keys(diff).length > 0) patch.push({ ...diff, [key]: item[key] });
  }
  if (pass === "deletions") for (const item of [...before].sort(byKey(key))) if (isMap(item) && indexOfItem(after, item, key) < 0) deletions.push({ [DIRECTIVE]: "delete", [key]: item[key] });
  return [...patch, ...deletions];
}

function diffList(out: Record<string, unknown>, name: string, before: readonly unknown[], after: readonly unknown[], type: PatchType, pass: Pass): void {
  const field = fieldOf(type, name);
  const key = field?.mergeKey;
  if (key === undefined) {
    if (pass === "changes" && !equal(before, after)) out[name] = after;
    return;
  }
  if (key === "") {
    const added = after.filter((item) => !before.includes(item));
    const deleted = before.filter((item) => !after.includes(item));
    if (pass === "changes" && added.length > 0) out[name] = added;
    if (pass === "deletions" && deleted.length > 0) out[`${DELETE_FROM_LIST}${name}`] = deleted;
    if (pass === "changes" ? !equal(before, after) : deleted.length > 0) out[`${SET_ORDER}${name}`] = after;
    return;
  }
  const patch = diffListOfMaps(before, after, key, innerType(field), pass);
  if (patch.length > 0) out[name] = patch;
  const reordered = pass === "changes" && !sameOrder(before, after, key);
  if (patch.length > 0 || reordered) out[`${SET_ORDER}${name}`] = after.map((item) => ({ [key]: isMap(item) ? item[key] : undefined }));
}

function diffMaps(before: Json, after: Json, type: PatchType, pass: Pass): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(after)) {
    const old = before[key];
    if (!Object.hasOwn(before, key)) {
      if (pass === "changes") out[key] = value;
    } else if (isMap(old) && isMap(value)) {
      const field = fieldOf(type, key);
      const diff = diffMaps(old, value, innerType(field), pass);
      if (Object.keys(diff).length > 0) out[key] = field?.retainKeys ? { ...diff, [RETAIN_KEYS]: Object.keys(value).sort((a, b) => (a < b ? -1 : 1)) } : diff;
    } else if (Array.isArray(old) && Array.isArray(value)) diffList(out, key, old, value, type, pass);
    else if (pass === "changes" && !equal(old, value)) out[key] = value;
  }
  if (pass === "deletions") for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) out[key] = null;
  return out;
}

/** Both passes in one patch; lists of maps are joined by their key. */
function join(deletions: Json, changes: Json, type: PatchType): Record<string, unknown> {
  const out: Record<string, unknown> = { ...deletions };
  for (const [key, value] of Object.entries(changes)) {
    const other = out[key];
    const field = fieldOf(type, key);
    if (isMap(other) && isMap(value)) out[key] = join(other, value, innerType(field));
    else if (Array.isArray(other) && Array.isArray(value) && !key.startsWith("$") && field?.mergeKey) out[key] = joinLists(other, value, field.mergeKey, innerType(field));
    else out[key] = value;
  }
  return out;
}

function joinLists(deletions: readonly unknown[], changes: readonly unknown[], mergeKey: string, type: PatchType): unknown[] {
  const out = [...deletions];
  for (const item of changes) {
    const at = indexOfItem(out, item, mergeKey);
    const other = out[at];
    if (at >= 0 && isMap(other) && isMap(item)) out[at] = join(other, item, type);
    else out.push(item);
  }
  return out;
}

/**
 * The strategic merge patch that `kubectl apply` sends: what `modified` (the manifest) changes against `current` (the live object), and
 * what it no longer has that `original` (the last applied manifest) had. Empty when there is nothing to do.
 */
export function createThreeWayMergePatch(original: Json, modified: Json, current: Json, kind: { readonly apiVersion: string; readonly kind: string }): Json {
  const type = rootType(kind);
  const changes = diffMaps(current, modified, type, "changes");
  const deletions = diffMaps(original, modified, type, "deletions");
  return join(deletions, changes, type);
}

/** The two-way patch of `kubectl edit` and `kubectl set`. */
export function createTwoWayMergePatch(before: Json, after: Json, kind: { readonly apiVersion: string; readonly kind: string }): Json {
  return createThreeWayMergePatch(before, after, before, kind);
}

function jsonDiff(before: Json, after: Json, pass: Pass): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(after)) {
    const old = before[key];
    if (isMap(old) && isMap(value)) {
      const diff = jsonDiff(old, value, pass);
      if (Object.keys(diff).length > 0) out[key] = diff;
    } else if (pass === "changes" && !equal(old, value)) out[key] = value;
  }
  if (pass === "deletions") for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) out[key] = null;
  return out;
}

/** The same for custom resources, whose lists have no keys: a JSON merge patch. */
export function createThreeWayJsonMergePatch(original: Json, modified: Json, current: Json): Json {
  return join(jsonDiff(original, modified, "deletions"), jsonDiff(current, modified, "changes"), undefined);
}
