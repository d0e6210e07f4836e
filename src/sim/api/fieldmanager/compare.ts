// Models sigs.k8s.io/structured-merge-diff/v6/typed/compare.go
import { asMember, EMPTY, type FieldSet, isEmptySet, LEAF } from "./field-set.ts";
import { field, type PathElement } from "./path-element.ts";
import type { ListNode, MapNode, SchemaNode } from "./schema-node.ts";
import { deduce, equalValues, isMap, itemsByElement, type Json } from "./typed-value.ts";

export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

type Sets = Record<PathElement, FieldSet>;
/** What differs under one value; the sets are made when something is found. */
interface Differences {
  removed?: Sets;
  modified?: Sets;
  added?: Sets;
}
type Side = keyof Differences;

const NOTHING: readonly unknown[] = [];
const NO_FIELDS: Json = {};

function put(out: Differences, side: Side, element: PathElement, node: FieldSet): void {
  (out[side] ??= {})[element] = node;
}

/** Sets of lists that appear or vanish as a whole, by identity: a ReplicaSet's Pods share their template's containers. */
const wholes = new WeakMap<object, { readonly node: SchemaNode; readonly set: FieldSet }>();

/** The set of a value that the other side does not have: all of its leaves and everything on the way to them. */
function whole(value: unknown, node: SchemaNode): FieldSet {
  if (typeof value !== "object" || value === null) return LEAF;
  if (!Array.isArray(value)) return wholeSet(value, deduce(node, value));
  const known = wholes.get(value);
  if (known !== undefined && known.node === node) return known.set;
  const set = wholeSet(value, deduce(node, value));
  wholes.set(value, { node, set });
  return set;
}

function wholeSet(value: object, { map, list }: SchemaNode): FieldSet {
  const out: Sets = {};
  if (map !== undefined && !map.atomic && isMap(value)) {
    for (const key in value) out[field(key)] = whole(value[key], map.field(key) ?? map.element?.() ?? {});
  } else if (list?.keys !== undefined && Array.isArray(value)) {
    for (const [element, items] of itemsByElement(list, value)) out[element] = items.length > 1 ? LEAF : whole(items[0], list.element());
  }
  return asMember(out);
}

/** Puts what differs between two values under `element` of `out`. */
function compareAt(out: Differences, element: PathElement, left: unknown, right: unknown, node: SchemaNode): void {
  if (left === right) return;
  if (left === undefined) return put(out, "added", element, whole(right, node));
  if (right === undefined) return put(out, "removed", element, whole(left, node));
  const [mine, theirs] = [deduce(node, left), deduce(node, right)];
  const inner: Differences = {};
  // Untyped data may change from one kind to another: both views are compared.
  const leaf = compareAs(inner, left, right, theirs) || (mine !== theirs && !sameShape(mine, theirs) && compareAs(inner, left, right, mine));
  if (leaf && !equalValues(left, right)) put(out, "modified", element, inner.modified === undefined ? LEAF : asMember(inner.modified));
  else if (inner.modified !== undefined) put(out, "modified", element, inner.modified);
  if (inner.added !== undefined) put(out, "added", element, inner.added);
  if (inner.removed !== undefined) put(out, "removed", element, inner.removed);
}

const sameShape = (a: SchemaNode, b: SchemaNode): boolean => a.map === b.map && a.scalar === b.scalar && a.list === b.list;

/** Compares in one view; true when the value is a leaf in it. */
function compareAs(out: Differences, left: unknown, right: unknown, { map, scalar, list }: SchemaNode): boolean {
  if (map !== undefined) {
    const [mine, theirs] = [isMap(left) ? left : NO_FIELDS, isMap(right) ? right : NO_FIELDS];
    if (map.atomic || (isEmptySet(mine as FieldSet) && isEmptySet(theirs as FieldSet))) return true;
    compareMaps(out, mine, theirs, map);
    return false;
  }
  if (scalar !== undefined || list === undefined) return true;
  const [mine, theirs] = [Array.isArray(left) ? (left as readonly unknown[]) : NOTHING, Array.isArray(right) ? (right as readonly unknown[]) : NOTHING];
  if (list.keys === undefined || mine.length + theirs.length === 0) return true;
  compareLists(out, mine, theirs, list);
  return false;
}

function compareMaps(out: Differences, left: Json, right: Json, map: MapNode): void {
  for (const key in left) {
    const [mine, theirs] = [left[key], right[key]];
    if (mine !== theirs) compareAt(out, field(key), mine, theirs, map.field(key) ?? map.element?.() ?? {});
  }
  for (const key in right) {
    if (left[key] === undefined && right[key] !== undefined) compareAt(out, field(key), undefined, right[key], map.field(key) ?? map.element?.() ?? {});
  }
}

/** Items that occur once on each side are compared; of repeated ones it is only said that they are, as one leaf. */
function compareLists(out: Differences, left: readonly unknown[], right: readonly unknown[], list: ListNode): void {
  const [mine, theirs] = [itemsByElement(list, left), itemsByElement(list, right)];
  for (const [element, items] of mine) {
    const others = theirs.get(element) ?? NOTHING;
    if (items.length === 1 && others.length <= 1) compareAt(out, element, items[0], others[0], list.element());
    else if (items.length > 1 && others.length > 1) {
      if (!equalValues(items, others)) put(out, "modified", element, LEAF);
    } else if (items.length > 1) {
      if (others.length > 0) compareAt(out, element, undefined, others[0], list.element());
      put(out, "removed", element, LEAF);
    } else {
      compareAt(out, element, items[0], undefined, list.element());
      put(out, "added", element, LEAF);
    }
  }
  for (const [element, items] of theirs) {
    if (mine.has(element)) continue;
    if (items.length > 1) put(out, "added", element, LEAF);
    else compareAt(out, element, undefined, items[0], list.element());
  }
}

/** What `right` has that `left` has not, the other way round, and what differs. Equal references are not looked into. */
export function compare(left: object, right: object, node: SchemaNode): Comparison {
  const out: Differences = {};
  if (left !== right) compareAs(out, left, right, node);
  return { removed: out.removed ?? EMPTY, modified: out.modified ?? EMPTY, added: out.added ?? EMPTY };
}

export const isSame = ({ removed, modified, added }: Comparison): boolean => isEmptySet(removed) && isEmptySet(modified) && isEmptySet(added);
