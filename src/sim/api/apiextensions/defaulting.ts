// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/algorithm.go
import { additionalOf, isList, isMap, itemsOf, type Json, mapItems, mapValues } from "./json-value.ts";
import type { JsonSchema } from "./types.ts";

const reach = new WeakMap<JsonSchema, boolean>();

/** Whether there is a default anywhere below: the walk skips everything else. */
function hasDefaults(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return false;
  let found = reach.get(schema);
  if (found === undefined) {
    found = schema.default !== undefined || hasDefaults(itemsOf(schema)) || hasDefaults(additionalOf(schema)) || Object.values(schema.properties ?? {}).some(hasDefaults);
    reach.set(schema, found);
  }
  return found;
}

const unset = (value: unknown, schema: JsonSchema | undefined): boolean => value === null && schema !== undefined && schema.nullable !== true;

function completed(map: Json, schema: JsonSchema): Json {
  let out: Record<string, unknown> | undefined;
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined || (Object.hasOwn(map, key) && !unset(map[key], property))) continue;
    (out ??= { ...map })[key] = property.default;
  }
  return out ?? map;
}

/** Fills in the schema's defaults; the same object when nothing was missing. */
export function defaultObject<T>(value: T, schema: JsonSchema | undefined): T {
  if (schema === undefined || !hasDefaults(schema)) return value;
  if (isList(value)) {
    const items = itemsOf(schema);
    return mapItems(value, (item) => defaultObject(unset(item, items) && items?.default !== undefined ? items.default : item, items)) as T;
  }
  if (!isMap(value)) return value;
  return mapValues(completed(value, schema), (key, item) => {
    const property = schema.properties?.[key];
    if (property !== undefined) return defaultObject(item, property);
    const additional = additionalOf(schema);
    return defaultObject(unset(item, additional) && additional?.default !== undefined ? additional.default : item, additional);
  }) as T;
}
