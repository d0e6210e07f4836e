// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype/validation.go
import { duplicate, type FieldError, invalid } from "../field-error.ts";
import { sortKeys } from "../json.ts";
import { additionalOf, isList, isMap, itemsOf, type Json, sortedKeys } from "./json-value.ts";
import type { JsonSchema } from "./types.ts";

/** Places where a value appears for the second time. */
function repeated(values: readonly unknown[]): readonly number[] {
  const seen = new Map<string, number>();
  return values.flatMap((value, i) => {
    const key = JSON.stringify(sortKeys(value)) ?? "";
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return times === 1 ? [i] : [];
  });
}

function validateMapList(path: string, keys: readonly string[], list: readonly unknown[]): FieldError[] {
  const bad = list.findIndex((item) => item !== null && !isMap(item));
  if (bad >= 0) return [invalid(`${path}[${bad}]`, list[bad], "must be an object for an array of list-type map")];
  const heads = list.map((item): Json => Object.fromEntries(keys.flatMap((key) => (isMap(item) && Object.hasOwn(item, key) ? [[key, item[key]] as const] : []))));
  return repeated(heads).map((i) => duplicate(`${path}[${i}]`, sortKeys(heads[i])));
}

function validateList(path: string, schema: JsonSchema, list: readonly unknown[]): FieldError[] {
  const type = schema["x-kubernetes-list-type"];
  const own = type === "set" ? repeated(list).map((i) => duplicate(`${path}[${i}]`, list[i])) : type === "map" ? validateMapList(path, schema["x-kubernetes-list-map-keys"] ?? [], list) : [];
  return [...own, ...list.flatMap((item, i) => validateListTypes(item, itemsOf(schema), `${path}[${i}]`))];
}

/** Lists that are sets or maps hold nothing twice. */
export function validateListTypes(value: unknown, schema: JsonSchema | undefined, path = ""): FieldError[] {
  if (schema === undefined) return [];
  if (isList(value)) return validateList(path, schema, value);
  if (!isMap(value)) return [];
  const additional = additionalOf(schema);
  return sortedKeys(value).flatMap((key) => {
    const property = schema.properties?.[key];
    if (additional !== undefined) return validateListTypes(value[key], additional, `${path}[${key}]`);
    return property === undefined ? [] : validateListTypes(value[key], property, path === "" ? key : `${path}.${key}`);
  });
}
