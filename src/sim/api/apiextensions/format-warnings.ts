// Models getUnrecognizedFormatsInCRD of kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go
import type { KubeObject } from "../types.ts";
import { isKnownFormat } from "./formats.ts";
import { additionalOf, itemsOf, jsonEqual, sortedKeys } from "./json-value.ts";
import type { CustomResourceDefinition, JsonSchema } from "./types.ts";

function unknownFormats(schema: JsonSchema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const own = schema.format && !isKnownFormat(schema.type ?? "", schema.format) ? [schema.format] : [];
  const below = [itemsOf(schema), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), schema.not, ...sortedKeys(schema.properties ?? {}).map((key) => schema.properties?.[key]), additionalOf(schema)];
  return [...own, ...below.flatMap(unknownFormats)];
}

/** Schemas that all versions share are looked at once. */
function formatsOf({ spec }: CustomResourceDefinition): readonly string[] {
  const schemas = (spec.versions ?? []).map((version) => version.schema?.openAPIV3Schema);
  return (schemas.every((schema) => jsonEqual(schema, schemas[0])) ? schemas.slice(0, 1) : schemas).flatMap(unknownFormats);
}

/** Formats that nothing checks; of an update only new ones. */
export function formatWarnings(object: KubeObject, old?: KubeObject): readonly string[] {
  const before = old === undefined ? [] : formatsOf(old as CustomResourceDefinition);
  return formatsOf(object as CustomResourceDefinition).filter((format) => !before.includes(format)).map((format) => `unrecognized format ${JSON.stringify(format)}`);
}
