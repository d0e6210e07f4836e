// Models sigs.k8s.io/structured-merge-diff/v6/typed/{tofieldset,remove}.go and EnsureNamedFieldsAreMembers of fieldpath/set.go
import { asMember, type FieldSet, hasElement, isEmptySet, LEAF, mapNodes, withPrefix } from "./field-set.ts";
import { field, type PathElement } from "./path-element.ts";
import type { SchemaNode } from "./schema-node.ts";
import { deduce, isMap, itemElement, itemsByElement } from "./typed-value.ts";

/** The children of a value; undefined for leaves. Containers that are null or empty lists have none and are none. */
function childrenSet(value: unknown, node: SchemaNode): FieldSet | undefined {
  const { map, scalar, list } = deduce(node, value);
  const out: Record<PathElement, FieldSet> = {};
  if (map !== undefined) {
    if (map.atomic) return undefined;
    for (const [key, item] of Object.entries(isMap(value) ? value : {})) {
      const named = map.field(key);
      const children = childrenSet(item, named ?? map.element?.() ?? {});
      // Keys of a plain map and empty values are members; a struct's own fields are not, only what is in them.
      const member = children === undefined || item === null || (isMap(item) && isEmptySet(item as unknown as FieldSet)) || named === undefined;
      if (member) out[field(key)] = asMember(children ?? {});
      else if (!isEmptySet(children)) out[field(key)] = children;
    }
    return out;
  }
  if (scalar !== undefined || list?.keys === undefined) return undefined;
  for (const [element, items] of itemsByElement(list, Array.isArray(value) ? value : [])) {
    out[element] = items.length > 1 ? LEAF : asMember(childrenSet(items[0], list.element()) ?? {});
  }
  return out;
}

/** The set of paths that an applied configuration owns. */
export const toFieldSet = (value: object, node: SchemaNode): FieldSet => childrenSet(value, node) ?? LEAF;

/** Every named field on the way to a member becomes a member itself. */
export function ensureNamedFieldsAreMembers(set: FieldSet, node: SchemaNode): FieldSet {
  return mapNodes(set, (element, member, children) => {
    if (isEmptySet(children)) return { member, children };
    const named = element.startsWith("f:") ? node.map?.field(element.slice(2)) : undefined;
    const inner = element.startsWith("f:") ? (named ?? node.map?.element?.()) : element.startsWith("k:") ? node.list?.element() : undefined;
    return { member: member || named !== undefined, children: ensureNamedFieldsAreMembers(children, inner ?? {}) };
  });
}

/** The value without the paths of a set; undefined when nothing is left of it. What is not touched is shared. */
export function removeItems(value: unknown, items: FieldSet, node: SchemaNode): unknown {
  const { map, scalar, list } = deduce(node, value);
  if (map !== undefined) {
    if (!isMap(value) || isEmptySet(value as unknown as FieldSet) || map.atomic) return undefined;
    const out: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const element = field(key);
      if (hasElement(items, element)) continue;
      const inner = withPrefix(items, element);
      out[key] = isEmptySet(inner) ? item : (removeItems(item, inner, map.field(key) ?? map.element?.() ?? {}) ?? null);
    }
    return isEmptySet(out as unknown as FieldSet) ? undefined : out;
  }
  if (scalar !== undefined || list === undefined) return value;
  if (!Array.isArray(value) || value.length === 0 || list.keys === undefined) return undefined;
  const out = (value as readonly unknown[]).flatMap((item) => {
    const element = itemElement(list, item);
    if (typeof element !== "string") return [item];
    if (hasElement(items, element)) return [];
    const inner = withPrefix(items, element);
    return [isEmptySet(inner) ? item : (removeItems(item, inner, list.element()) ?? null)];
  });
  return out.length === 0 ? undefined : out;
}
