// Helpers of the defaulting functions: objects stay immutable, and an object that lacks nothing is returned as it is.

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
export const asObject = (value: unknown): Json => (isObject(value) ? value : {});
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const isUnset = (value: unknown): boolean => value === undefined || value === null;

/** Sets the pointer fields that are not set. */
export function whenUnset(object: Json, defaults: Json): Json {
  const missing = Object.entries(defaults).filter(([key]) => isUnset(object[key]));
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}

/** Sets the plain (non-pointer) fields that have Go's zero value. */
export function whenZero(object: Json, defaults: Json): Json {
  const missing = Object.entries(defaults).filter(([key]) => isUnset(object[key]) || object[key] === "" || object[key] === 0);
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}

/** Replaces one field by a function of it; the same object when the field stays the same. */
export function update(object: Json, key: string, change: (value: unknown) => unknown): Json {
  const before = object[key];
  const after = change(before);
  return after === before ? object : { ...object, [key]: after };
}

/** Maps a list; the same list when no item changed. */
export function mapList<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  let changed = false;
  const out = list.map((item) => {
    const next = change(item);
    changed ||= next !== item;
    return next;
  });
  return changed ? out : list;
}

/** `update` for a list of objects. */
export const updateEach = (object: Json, key: string, change: (item: Json) => Json): Json =>
  update(object, key, (value) => (Array.isArray(value) ? mapList(value as readonly unknown[], (item) => (isObject(item) ? change(item) : item)) : value));
