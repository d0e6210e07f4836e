// Models sigs.k8s.io/structured-merge-diff/v6/typed/helpers.go and value/equals.go
import { keyed, type PathElement, type Scalar, valued } from "./path-element.ts";
import type { ListNode, SchemaNode } from "./schema-node.ts";

export type Json = Readonly<Record<string, unknown>>;
export const isMap = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
export const isScalarValue = (value: unknown): boolean => typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** The one of the three that a value of untyped data is; null and absent values leave all open. */
export function deduce(node: SchemaNode, value: unknown): SchemaNode {
  if (value === undefined || value === null) return node;
  if (isScalarValue(value)) return node.scalar === undefined || (node.list === undefined && node.map === undefined) ? node : { scalar: node.scalar };
  if (Array.isArray(value)) return node.list === undefined || (node.scalar === undefined && node.map === undefined) ? node : { list: node.list };
  return node.map === undefined || (node.scalar === undefined && node.list === undefined) ? node : { map: node.map };
}

export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => equalValues(item, b[i]));
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equalValues(a[key], b[key]));
}

/** What an item cannot be identified for. */
export interface BadItem {
  readonly error: string;
}

/** Elements of items by identity: objects are immutable, and a list's items are asked for theirs at every write. */
const elements = new WeakMap<object, { readonly keys: readonly string[]; readonly element: PathElement }>();

/** The path element of an item of a set or of a map-like list. */
export function itemElement(list: ListNode, item: unknown): PathElement | BadItem {
  const keys = list.keys ?? [];
  if (keys.length === 0) {
    if (isMap(item)) return { error: "associative list without keys has an element that's a map type" };
    if (Array.isArray(item)) return { error: "not supported: associative list with lists as elements" };
    return item === null || item === undefined ? { error: "associative list without keys has an element that's an explicit null" } : valued(item as Scalar);
  }
  if (item === null || item === undefined) return { error: "associative list with keys may not have a null element" };
  if (!isMap(item)) return { error: "associative list with keys may not have non-map elements" };
  const known = elements.get(item);
  if (known !== undefined && known.keys === keys) return known.element;
  const pairs = keys.flatMap((key): (readonly [string, Scalar])[] => {
    const value = item[key] ?? list.keyDefaults[key];
    return value === undefined ? [] : [[key, value as Scalar]];
  });
  if (pairs.length === 0) return { error: `associative list with keys has an element that omits all key fields [${keys.map((key) => JSON.stringify(key)).join(" ")}] (and doesn't have default values for any key fields)` };
  const element = keyed(pairs.length === 1 ? pairs : pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
  elements.set(item, { keys, element });
  return element;
}

/** Items under their path elements, in order of first sight; items that have none are left out. */
export function itemsByElement(list: ListNode, items: readonly unknown[]): Map<PathElement, unknown[]> {
  const out = new Map<PathElement, unknown[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    if (typeof element !== "string") continue;
    const same = out.get(element);
    if (same === undefined) out.set(element, [item]);
    else same.push(item);
  }
  return out;
}
