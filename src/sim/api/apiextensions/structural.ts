// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/{validation,complete,convert}.go
import { type FieldError, fieldErrorText, forbidden, invalid, required } from "../field-error.ts";
import { goRegExp } from "./go-regexp.ts";
import { additionalOf, isList, itemsOf, jsonEqual, sortedKeys } from "./json-value.ts";
import type { JsonSchema } from "./types.ts";

type Level = "root" | "item" | "field";

const INT_OR_STRING: readonly JsonSchema[] = [{ type: "integer" }, { type: "string" }];
const isIntOrString = (options: readonly JsonSchema[] | undefined): boolean => jsonEqual(options, INT_OR_STRING);
const properties = (schema: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> => schema?.properties ?? {};
const typeOf = ({ type = "" }: JsonSchema): string => type;

/** Why a schema cannot be read as a structural one at all: fields that structural schemas do not have. */
export function unsupportedIn(schema: JsonSchema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const { id, $ref, patternProperties, dependencies, additionalItems, definitions, items } = schema;
  const found = id ? "id" : (schema as { readonly $schema?: string }).$schema ? "schema" : $ref ? "$ref" : patternProperties && Object.keys(patternProperties).length > 0 ? "patternProperties" : dependencies && Object.keys(dependencies).length > 0 ? "dependencies" : additionalItems !== undefined ? "additionalItems" : definitions && Object.keys(definitions).length > 0 ? "definitions" : "";
  if (found !== "") return `OpenAPIV3Schema '${found}' is not supported`;
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  if (isList(items) && items.length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  const below = [itemsOf(schema), additionalOf(schema), schema.not, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...Object.values(properties(schema))];
  for (const each of below) {
    const problem = unsupportedIn(each);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What may not stand in the branches of a logical junctor. */
const FORBIDDEN: readonly (readonly [keyof JsonSchema, string])[] = [
  ["default", "must be undefined to be structural"], ["title", "must be empty to be structural"], ["description", "must be empty to be structural"], ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"], ["x-kubernetes-embedded-resource", "must be false to be structural"], ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"], ["x-kubernetes-list-type", "must be undefined to be structural"], ["x-kubernetes-map-type", "must be undefined to be structural"], ["x-kubernetes-validations", "must be empty to be structural"],
];
const isSet = (value: unknown): boolean => value !== undefined && value !== false && value !== "" && !(isList(value) && value.length === 0);

function nested(v: JsonSchema | undefined, skipAnyOf: boolean, path: string): FieldError[] {
  if (v === undefined) return [];
  const errors = [...junctors(v, skipAnyOf, false, path), ...nested(itemsOf(v), false, `${path}.items`)];
  for (const key of sortedKeys(properties(v))) errors.push(...nested(properties(v)[key], false, `${path}.properties[${key}]`));
  if (typeOf(v) !== "") errors.push(forbidden(`${path}.type`, "must be empty to be structural"));
  if (v.additionalProperties !== undefined && v.additionalProperties !== false) errors.push(forbidden(`${path}.additionalProperties`, "must be undefined to be structural"));
  for (const [key, text] of FORBIDDEN) if (isSet(v[key])) errors.push(forbidden(`${path}.${key}`, text));
  if (Object.hasOwn(properties(v), "metadata")) errors.push(forbidden(`${path}.properties[metadata]`, "must not be specified in a nested context"));
  return errors;
}

function junctors(v: JsonSchema, skipAnyOf: boolean, skipFirstAllOf: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!skipAnyOf) for (const [i, each] of (v.anyOf ?? []).entries()) errors.push(...nested(each, false, `${path}.anyOf[${i}]`));
  for (const [i, each] of (v.allOf ?? []).entries()) errors.push(...nested(each, skipFirstAllOf && i === 0, `${path}.allOf[${i}]`));
  for (const [i, each] of (v.oneOf ?? []).entries()) errors.push(...nested(each, false, `${path}.oneOf[${i}]`));
  errors.push(...nested(v.not, false, `${path}.not`));
  if (v.pattern && goRegExp(v.pattern) === undefined) errors.push(invalid(`${path}.pattern`, v.pattern, `must be a valid regular expression, but isn't: error parsing regexp: ${regexpProblem(v.pattern)}`));
  return errors;
}

/** regexp/syntax's text for the commonest mistakes. */
function regexpProblem(pattern: string): string {
  const look = /\(\?(?:<?[=!])/.exec(pattern);
  if (look) return `invalid or unsupported Perl syntax: \`${look[0].slice(0, 3)}\``;
  const reference = /\\[1-9]/.exec(pattern);
  if (reference) return `invalid escape sequence: \`${reference[0]}\``;
  const repeat = /^([*+?])/.exec(pattern);
  if (repeat) return `missing argument to repetition operator: \`${repeat[1] ?? ""}\``;
  const bare = pattern.replaceAll(/\\./g, "");
  if (/\[[^\]]*$/.test(bare)) return `missing closing ]: \`${/\[[^\]]*$/.exec(pattern)?.[0] ?? pattern}\``;
  const closes = (bare.match(/\)/g) ?? []).length;
  return `${closes > (bare.match(/\(/g) ?? []).length ? "unexpected" : "missing closing"} ): \`${pattern}\``;
}

function metadataErrors(metadata: JsonSchema, checked: boolean, level: Level, path: string): FieldError[] {
  const errors = checked && typeOf(metadata) !== "object" ? [invalid(`${path}.type`, typeOf(metadata), "must be object")] : [];
  if (level !== "root") return errors;
  const names = Object.keys(properties(metadata));
  const { type: _t, default: _d, properties: fields, ...rest } = metadata;
  const plain = names.length > 0 && names.every((name) => name === "name" || name === "generateName");
  const others = { ...rest, ...(plain || names.length === 0 ? {} : { properties: fields }) };
  if (Object.values(others).some(isSet)) errors.push(forbidden(path, "must not specify anything other than name and generateName, but metadata is implicitly specified"));
  return errors;
}

const MISSING: Readonly<Record<Level, string>> = { root: "must not be empty at the root", item: "must not be empty for specified array items", field: "must not be empty for specified object fields" };

function typeErrors(s: JsonSchema, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = typeOf(s);
  const embedded = s["x-kubernetes-embedded-resource"] === true;
  if (embedded && type !== "object") errors.push(type === "" ? required(`${path}.type`, "must be object if x-kubernetes-embedded-resource is true") : invalid(`${path}.type`, type, "must be object if x-kubernetes-embedded-resource is true"));
  else if (type === "" && s["x-kubernetes-int-or-string"] !== true && s["x-kubernetes-preserve-unknown-fields"] !== true) errors.push(required(`${path}.type`, MISSING[level]));
  if (embedded && s.additionalProperties !== undefined) errors.push(forbidden(`${path}.additionalProperties`, "must not be used if x-kubernetes-embedded-resource is set"));
  if (level === "root" && type !== "" && type !== "object") errors.push(invalid(`${path}.type`, type, "must be object at the root"));
  return errors;
}

function extensionErrors(s: JsonSchema, path: string): FieldError[] {
  if (s["x-kubernetes-int-or-string"] !== true) return [];
  const errors: FieldError[] = [];
  if (s["x-kubernetes-preserve-unknown-fields"] === true) errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, true, "must be false if x-kubernetes-int-or-string is true"));
  if (s["x-kubernetes-embedded-resource"] === true) errors.push(invalid(`${path}.x-kubernetes-embedded-resource`, true, "must be false if x-kubernetes-int-or-string is true"));
  return errors;
}

function invariants(s: JsonSchema, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const items = itemsOf(s);
  if (typeOf(s) === "array" && items === undefined) errors.push(required(`${path}.items`, "must be specified"));
  if (items !== undefined) errors.push(...invariants(items, "item", `${path}.items`));
  for (const key of sortedKeys(properties(s))) errors.push(...invariants(properties(s)[key] as JsonSchema, "field", `${path}.properties[${key}]`));
  if (s.additionalProperties !== undefined && level === "root") errors.push(forbidden(`${path}.additionalProperties`, "must not be used at the root"));
  const additional = additionalOf(s);
  if (additional !== undefined) errors.push(...invariants(additional, "field", `${path}.additionalProperties`));
  errors.push(...extensionErrors(s, path), ...junctors(s, isIntOrString(s.anyOf), isIntOrString(s.allOf?.[0]?.anyOf), path), ...typeErrors(s, level, path));
  const embedded = s["x-kubernetes-embedded-resource"] === true;
  const checked = level === "root" || embedded;
  for (const key of ["kind", "apiVersion"]) {
    const property = properties(s)[key];
    if (checked && property !== undefined && typeOf(property) !== "string") errors.push(invalid(`${path}.properties[${key}].type`, typeOf(property), "must be string"));
  }
  const { metadata } = properties(s);
  if (metadata !== undefined) errors.push(...metadataErrors(metadata, checked, level, `${path}.properties[metadata]`));
  if (embedded && s["x-kubernetes-preserve-unknown-fields"] !== true && Object.keys(properties(s)).length === 0) errors.push(required(`${path}.properties`, "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields"));
  return errors;
}

/** What a branch says something about must be there outside of it too. */
function completeness(v: JsonSchema | undefined, s: JsonSchema | undefined, sPath: string, vPath: string, nestedHere: boolean): FieldError[] {
  if (v === undefined) return [];
  if (s === undefined) return [required(sPath, `because it is defined in ${vPath}`)];
  const errors = completeness(v.not, s, sPath, `${vPath}.not`, true);
  for (const key of ["allOf", "anyOf", "oneOf"] as const) for (const [i, each] of (v[key] ?? []).entries()) errors.push(...completeness(each, s, sPath, `${vPath}.${key}[${i}]`, true));
  if (!nestedHere) return errors;
  errors.push(...completeness(itemsOf(v), itemsOf(s), `${sPath}.items`, `${vPath}.items`, true));
  for (const key of sortedKeys(properties(v))) errors.push(...completeness(properties(v)[key], properties(s)[key], `${sPath}.properties[${key}]`, `${vPath}.properties[${key}]`, true));
  return errors;
}

/** A structural schema says of every field what it is, outside of allOf, anyOf, oneOf and not. Errors sorted by their texts. */
export function validateStructural(schema: JsonSchema, path: string): FieldError[] {
  const errors = [...invariants(schema, "root", path), ...completeness(schema, schema, path, path, false)];
  return errors.sort((a, b) => (fieldErrorText(a) < fieldErrorText(b) ? -1 : Number(fieldErrorText(a) > fieldErrorText(b))));
}
