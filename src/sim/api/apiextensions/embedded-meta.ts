// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta/{algorithm,coerce,validation}.go
import { decodeObjectMeta } from "../decode.ts";
import { type FieldError, fieldErrorText, invalid, required } from "../field-error.ts";
import { isDNS1035Label } from "../names.ts";
import type { ObjectMeta } from "../types.ts";
import { pathSegmentName, validateObjectMeta } from "../validation/object-meta.ts";
import { additionalOf, isList, isMap, itemsOf, type Json, mapItems, mapValues, sortedKeys } from "./json-value.ts";
import type { JsonSchema } from "./types.ts";

const reach = new WeakMap<JsonSchema, boolean>();

/** Whether a resource may be embedded anywhere below. */
function hasEmbedded(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return false;
  let found = reach.get(schema);
  if (found === undefined) {
    found = schema["x-kubernetes-embedded-resource"] === true || hasEmbedded(itemsOf(schema)) || hasEmbedded(additionalOf(schema)) || Object.values(schema.properties ?? {}).some(hasEmbedded);
    reach.set(schema, found);
  }
  return found;
}

/** The first malformed head of an embedded resource ends the decoding. */
export class CoercionError extends Error {}

const child = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);
const schemaAt = (schema: JsonSchema, key: string): JsonSchema | undefined => schema.properties?.[key] ?? additionalOf(schema);
const placeAt = (schema: JsonSchema, path: string, key: string): string => (schema.properties?.[key] !== undefined || additionalOf(schema) === undefined ? child(path, key) : `${path}[${key}]`);

function coerceHead(map: Json, path: string, unknown: string[]): Json {
  return mapValues(map, (key, value) => {
    if ((key === "apiVersion" || key === "kind") && typeof value !== "string") throw new CoercionError(fieldErrorText(invalid(child(path, key), value, "must be a string")));
    if (key !== "metadata") return value;
    const decoded = decodeObjectMeta(value);
    if (decoded.error !== undefined) throw new CoercionError(fieldErrorText(invalid(child(path, key), value, decoded.error)));
    unknown.push(...decoded.unknown.map((field) => child(child(path, key), field)));
    return decoded.metadata;
  });
}

/** Heads of embedded resources become well-formed metadata; unknown fields are collected. Throws CoercionError. */
export function coerceEmbedded<T>(value: T, schema: JsonSchema | undefined, unknown: string[], path = ""): T {
  if (schema === undefined || !hasEmbedded(schema)) return value;
  if (isList(value)) return mapItems(value, (item, i) => coerceEmbedded(item, itemsOf(schema), unknown, `${path}[${i}]`)) as T;
  if (!isMap(value)) return value;
  const head = schema["x-kubernetes-embedded-resource"] === true ? coerceHead(value, path, unknown) : value;
  return mapValues(head, (key, item) => coerceEmbedded(item, schemaAt(schema, key), unknown, placeAt(schema, path, key))) as T;
}

function validateHead(map: Json, path: string): FieldError[] {
  const errors = ["apiVersion", "kind"].filter((key) => !Object.hasOwn(map, key)).map((key) => required(child(path, key)));
  const { apiVersion, kind, metadata } = map;
  if (apiVersion === "") errors.push(invalid(child(path, "apiVersion"), "", "must not be empty"));
  else if (typeof apiVersion === "string" && apiVersion.split("/").length > 2) errors.push(invalid(child(path, "apiVersion"), apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  if (kind === "") errors.push(invalid(child(path, "kind"), "", "must not be empty"));
  else if (typeof kind === "string") {
    const wrong = isDNS1035Label(kind.toLowerCase());
    if (wrong.length > 0) errors.push(invalid(child(path, "kind"), kind, `may have mixed case, but should otherwise match: ${wrong.join(",")}`));
  }
  if (!isMap(metadata)) return errors;
  const meta: ObjectMeta = { ...(metadata as ObjectMeta), name: (metadata as ObjectMeta).name || "fakename" };
  return [...errors, ...validateObjectMeta(meta, (meta.namespace ?? "") !== "", pathSegmentName).map((error) => ({ ...error, field: child(path, error.field) }))];
}

/** Embedded resources have an apiVersion, a kind and valid metadata. */
export function validateEmbedded(value: unknown, schema: JsonSchema | undefined, path = ""): FieldError[] {
  if (schema === undefined || !hasEmbedded(schema)) return [];
  if (isList(value)) return value.flatMap((item, i) => validateEmbedded(item, itemsOf(schema), `${path}[${i}]`));
  if (!isMap(value)) return [];
  const own = schema["x-kubernetes-embedded-resource"] === true ? validateHead(value, path) : [];
  return [...own, ...sortedKeys(value).flatMap((key) => validateEmbedded(value[key], schemaAt(schema, key), placeAt(schema, path, key)))];
}
