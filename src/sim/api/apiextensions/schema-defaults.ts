// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/validation.go
import { type FieldError, invalid } from "../field-error.ts";
import { CoercionError, coerceEmbedded, validateEmbedded } from "./embedded-meta.ts";
import { itemsOf, jsonEqual, sortedKeys } from "./json-value.ts";
import { pruneObject } from "./pruning.ts";
import { hasRules, validateRules } from "./rules.ts";
import { validateSchema } from "./schema-validator.ts";
import type { JsonSchema } from "./types.ts";

function malformed(schema: JsonSchema, path: string): FieldError[] {
  try {
    coerceEmbedded(schema.default, schema, [], path);
    return validateEmbedded(schema.default, schema, path);
  } catch (problem) {
    if (problem instanceof CoercionError) return [invalid(path, schema.default, problem.message)];
    throw problem;
  }
}

function checkDefault(schema: JsonSchema, path: string, insideMeta: boolean): FieldError[] {
  const place = `${path}.default`;
  // Simplified: upstream puts defaults of metadata into an object around them and validates that.
  const errors = insideMeta || jsonEqual(pruneObject(schema.default, schema, schema["x-kubernetes-embedded-resource"] === true).object, schema.default) ? [] : [invalid(place, schema.default, "must not have unknown fields")];
  const shape = malformed(schema, place);
  if (shape.length > 0) return [...errors, ...shape];
  const wrong = validateSchema(schema.default, schema, undefined, place);
  if (wrong.length > 0 || !hasRules(schema)) return [...errors, ...wrong];
  const broken = validateRules(schema.default, schema, undefined, false).errors.map((error) => ({ ...error, field: error.field === "<nil>" ? place : `${place}.${error.field}` }));
  return [...errors, ...broken];
}

/** Defaults must be valid themselves, and name no unknown fields. */
export function validateDefaults(schema: JsonSchema, path: string, root = true, insideMeta = false): FieldError[] {
  const embedded = root || schema["x-kubernetes-embedded-resource"] === true;
  const inside = embedded ? false : insideMeta;
  const errors = schema.default === undefined ? [] : checkDefault(schema, path, inside);
  const items = itemsOf(schema);
  if (items !== undefined) errors.push(...validateDefaults(items, `${path}.items`, false, inside));
  for (const key of sortedKeys(schema.properties ?? {})) {
    const property = schema.properties?.[key];
    if (property !== undefined) errors.push(...validateDefaults(property, `${path}.properties[${key}]`, false, inside || (embedded && ["metadata", "apiVersion", "kind"].includes(key))));
  }
  return errors;
}
