// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/{pruning/algorithm,defaulting/prunenulls}.go
import { additionalOf, DROP, hasAdditional, isList, isMap, itemsOf, mapItems, mapValues } from "./json-value.ts";
import type { JsonSchema } from "./types.ts";

const META = new Set(["apiVersion", "kind", "metadata"]);

interface Walk {
  readonly unknown: string[];
}

const child = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

function prune(value: unknown, schema: JsonSchema | undefined, path: string, walk: Walk, root: boolean): unknown {
  const embedded = root || schema?.["x-kubernetes-embedded-resource"] === true;
  const keeps = schema?.["x-kubernetes-preserve-unknown-fields"] === true;
  if (isList(value)) {
    if (keeps && itemsOf(schema) === undefined) return value;
    return mapItems(value, (item, i) => prune(item, itemsOf(schema), `${path}[${i}]`, walk, false));
  }
  if (!isMap(value)) return value;
  return mapValues(value, (key, item) => {
    if (embedded && META.has(key)) return item;
    const property = schema?.properties?.[key];
    if (property !== undefined) return prune(item, property, child(path, key), walk, false);
    // additionalProperties: true says nothing of what is inside.
    if (schema !== undefined && hasAdditional(schema)) return prune(item, additionalOf(schema), child(path, key), walk, false);
    if (keeps) return item;
    walk.unknown.push(child(path, key));
    return DROP;
  });
}

/** What a schema does not name is dropped, but for the fields of a resource's own head. Also the paths of what was dropped, sorted. */
export function pruneObject<T>(object: T, schema: JsonSchema | undefined, root = true): { readonly object: T; readonly unknown: readonly string[] } {
  const walk: Walk = { unknown: [] };
  const pruned = prune(object, schema, "", walk, root) as T;
  return { object: pruned, unknown: walk.unknown.sort() };
}

const drops = (value: unknown, schema: JsonSchema | undefined): boolean => value === null && schema !== undefined && schema.nullable !== true && schema.default === undefined;

/** Nulls where none may be are as good as missing, unless a default will take their place. */
export function pruneNulls<T>(value: T, schema: JsonSchema | undefined): T {
  if (isList(value)) return mapItems(value, (item) => pruneNulls(item, itemsOf(schema))) as T;
  if (!isMap(value)) return value;
  return mapValues(value, (key, item) => {
    const of = schema?.properties?.[key] ?? additionalOf(schema);
    return drops(item, of) ? DROP : pruneNulls(item, of);
  }) as T;
}
