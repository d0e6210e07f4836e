// Models sigs.k8s.io/structured-merge-diff/v6/typed/merge.go
import type { PathElement } from "./path-element.ts";
import type { ListNode, MapNode, SchemaNode } from "./schema-node.ts";
import { deduce, isMap, itemElement, itemsByElement, type Json } from "./typed-value.ts";

const NO_FIELDS: Json = {};
const NO_ITEMS: readonly unknown[] = [];

/** Lays an applied configuration over a live value. What the configuration does not name is shared with the live value. */
export function mergeValues(live: unknown, applied: unknown, node: SchemaNode): unknown {
  if (applied === undefined) return live;
  const { map, scalar, list } = deduce(node, applied);
  if (map !== undefined) {
    const [left, right] = [isMap(live) ? live : NO_FIELDS, isMap(applied) ? applied : NO_FIELDS];
    if (map.atomic || Object.keys(left).length + Object.keys(right).length === 0) return applied;
    return mergeMaps(left, right, map);
  }
  if (scalar !== undefined || list === undefined) return applied;
  const [left, right] = [Array.isArray(live) ? (live as readonly unknown[]) : NO_ITEMS, Array.isArray(applied) ? (applied as readonly unknown[]) : NO_ITEMS];
  if (list.keys === undefined || left.length + right.length === 0) return applied;
  return mergeLists(left, right, list);
}

function mergeMaps(live: Json, applied: Json, map: MapNode): Json {
  let out: Record<string, unknown> | undefined;
  for (const key of Object.keys(applied)) {
    const next = mergeValues(live[key], applied[key], map.field(key) ?? map.element?.() ?? {});
    if (next !== live[key]) (out ??= { ...live })[key] = next;
  }
  return out ?? live;
}

/** A single item under an element; of repeated ones none is merged. */
const single = (items: readonly unknown[] | undefined): unknown => (items?.length === 1 ? items[0] : items === undefined ? undefined : null);

/**
 * The order of the live list for what only it has, of the applied one for the rest; items of both keep the applied order,
 * and live items stay before the shared item that they preceded.
 */
function mergeLists(live: readonly unknown[], applied: readonly unknown[], list: ListNode): readonly unknown[] {
  const [mine, theirs] = [itemsByElement(list, live), itemsByElement(list, applied)];
  const left = live.map((item) => ({ item, element: itemElement(list, item) })).filter((entry): entry is { item: unknown; element: PathElement } => typeof entry.element === "string");
  const right = [...theirs.keys()];
  const shared = right.filter((element) => mine.has(element));
  const merged = new Set<PathElement>();
  const out: unknown[] = [];
  const take = (element: PathElement): void => {
    merged.add(element);
    out.push(mergeValues(single(mine.get(element)), single(theirs.get(element)), list.element()));
  };
  let [l, r, next] = [0, 0, 0];
  while (l < left.length || r < right.length) {
    const entry = left[l];
    if (entry !== undefined) {
      const isShared = theirs.has(entry.element);
      if (isShared && r < right.length && right[r] === entry.element) {
        take(entry.element);
        l++;
        r++;
        next++;
        continue;
      }
      if (isShared && next < shared.length && shared[next] !== entry.element) {
        l++;
        continue;
      }
      if (!isShared) {
        out.push(entry.item);
        l++;
        continue;
      }
      if (merged.has(entry.element)) l++;
    }
    const element = right[r];
    if (element === undefined) continue;
    take(element);
    r++;
    if (shared[next] === element) next++;
  }
  return out;
}
