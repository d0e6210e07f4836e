// JSON as custom resources hold it: plain data, walked along a schema
import type { JsonSchema } from "./types.ts";

export type Json = Readonly<Record<string, unknown>>;
export const isMap = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Keys in order: Go walks maps in random order, sorted keys make what is found repeatable. */
export const sortedKeys = (map: object): readonly string[] => Object.keys(map).sort();

/** reflect.DeepEqual on JSON. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => jsonEqual(item, b[i]));
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]));
}

/** The value at ".spec.replicas"; only the dots of a simple path. */
export function atSimplePath(object: unknown, path: string): unknown {
  let value: unknown = object;
  for (const part of path.replace(/^\./, "").split(".")) value = isMap(value) ? value[part] : undefined;
  return value;
}

/** A copy with another value at a simple path. */
export function withSimplePath(object: unknown, path: string, value: unknown): unknown {
  const [head = "", ...rest] = path.replace(/^\./, "").split(".");
  const map = isMap(object) ? object : {};
  return { ...map, [head]: rest.length === 0 ? value : withSimplePath(map[head], rest.join("."), value) };
}

export const itemsOf = (schema: JsonSchema | undefined): JsonSchema | undefined => (isMap(schema?.items) ? (schema.items as JsonSchema) : undefined);
export const additionalOf = (schema: JsonSchema | undefined): JsonSchema | undefined => (isMap(schema?.additionalProperties) ? (schema.additionalProperties as JsonSchema) : undefined);
/** additionalProperties as anything but missing: true lets every field through. */
export const hasAdditional = (schema: JsonSchema): boolean => schema.additionalProperties !== undefined;

/** Changes the items of a list; the same list when none changes. */
export function mapItems(list: readonly unknown[], change: (item: unknown, i: number) => unknown): readonly unknown[] {
  let out: unknown[] | undefined;
  for (const [i, item] of list.entries()) {
    const next = change(item, i);
    if (next !== item) (out ??= [...list])[i] = next;
  }
  return out ?? list;
}

export const DROP = Symbol("drop");

/** Changes or drops the values of a map; the same map when none changes. */
export function mapValues(map: Json, change: (key: string, value: unknown) => unknown): Json {
  let out: Record<string, unknown> | undefined;
  for (const key of Object.keys(map)) {
    const next = change(key, map[key]);
    if (next === map[key]) continue;
    out ??= { ...map };
    if (next === DROP) delete out[key];
    else out[key] = next;
  }
  return out ?? map;
}
