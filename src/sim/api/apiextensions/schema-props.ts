// Models ValidateCustomResourceDefinitionOpenAPISchema of kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
import { type FieldError, forbidden, invalid, notSupported, required } from "../field-error.ts";
import { findFieldPath } from "./field-path.ts";
import { additionalOf, isList, itemsOf, sortedKeys } from "./json-value.ts";
import { compiledRules } from "./rules.ts";
import { unsupportedIn } from "./structural.ts";
import type { JsonSchema, ValidationRule } from "./types.ts";

/** What holds below a place of the schema. */
interface Inside {
  /** Why no default may stand here; undefined where it may. */
  readonly noDefaults?: string;
  readonly meta: boolean;
  /** The first list above whose items cannot be told apart between two versions of an object. */
  readonly uncorrelatable?: string;
  /** Whether expressions are compiled: only under a structural schema, outside of junctors. */
  readonly cel: boolean;
  readonly root: boolean;
}

export interface PropsErrors {
  readonly schema: FieldError[];
  readonly cel: FieldError[];
}

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const META = ["metadata", "kind", "apiVersion"];
const nonEmpty = (map: object | undefined): boolean => map !== undefined && Object.keys(map).length > 0;

function standard(s: JsonSchema, path: string, inside: Inside): FieldError[] {
  const errors: FieldError[] = [];
  const not = (condition: boolean, field: string, text: string): void => void (condition && errors.push(forbidden(`${path}.${field}`, text)));
  if (s.type && !TYPES.includes(s.type)) errors.push(notSupported(`${path}.type`, s.type, TYPES));
  not(s.default !== undefined && inside.noDefaults !== undefined, "default", `must not be set${inside.noDefaults ? ` ${inside.noDefaults}` : ""}`);
  not((s.id ?? "") !== "", "id", "id is not supported");
  not(s.additionalItems !== undefined, "additionalItems", "additionalItems is not supported");
  not(nonEmpty(s.patternProperties), "patternProperties", "patternProperties is not supported");
  not(nonEmpty(s.definitions), "definitions", "definitions is not supported");
  not(s.dependencies !== undefined, "dependencies", "dependencies is not supported");
  not(s.$ref !== undefined, "$ref", "$ref is not supported");
  not(s.type === "null", "type", "type cannot be set to null, use nullable as an alternative");
  not(isList(s.items) && s.items.length > 0, "items", "items must be a schema object and not an array");
  not(inside.meta && s["x-kubernetes-embedded-resource"] === true, "x-kubernetes-embedded-resource", "must not be used inside of resource meta");
  not(s.uniqueItems === true, "uniqueItems", "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
  return errors;
}

const typeMust = (s: JsonSchema, path: string, what: string): FieldError => ((s.type ?? "") === "" ? required(`${path}.type`, what) : invalid(`${path}.type`, s.type, what));

function setItemErrors(s: JsonSchema, path: string): FieldError[] {
  const items = itemsOf(s);
  if (items?.type === "array" && (items["x-kubernetes-list-type"] ?? "atomic") !== "atomic") return [invalid(`${path}.items.x-kubernetes-list-type`, items["x-kubernetes-list-type"], "must be atomic as item of a list with x-kubernetes-list-type=set")];
  if (items?.type === "object" && items["x-kubernetes-map-type"] !== "atomic") return [invalid(`${path}.items.x-kubernetes-map-type`, items["x-kubernetes-list-type"] ?? null, "must be atomic as item of a list with x-kubernetes-list-type=set")];
  return [];
}

function mapListErrors(s: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const keys = s["x-kubernetes-list-map-keys"] ?? [];
  const items = itemsOf(s);
  if (keys.length === 0) errors.push(required(`${path}.x-kubernetes-list-map-keys`, "must not be empty if x-kubernetes-list-type is map"));
  if (s.items === undefined) return [...errors, required(`${path}.items`, "must have a schema if x-kubernetes-list-type is map")];
  if (items === undefined) return [...errors, invalid(`${path}.items`, s.items, "must only have a single schema if x-kubernetes-list-type is map")];
  if (items.type !== "object") return [...errors, invalid(`${path}.items.type`, items.type ?? "", "must be object if parent array's x-kubernetes-list-type is map")];
  for (const [i, key] of keys.entries()) {
    const property = items.properties?.[key];
    if (property === undefined) errors.push(invalid(`${path}.x-kubernetes-list-map-keys`, keys, "entries must all be names of item properties"));
    else if (property.type === "array" || property.type === "object") errors.push(invalid(`${path}.items.properties[${key}].type`, items.type, "must be a scalar type if parent array's x-kubernetes-list-type is map"));
    if (keys.indexOf(key) < i) errors.push(invalid(`${path}.x-kubernetes-list-map-keys`, keys, "must not contain duplicate entries"));
  }
  return errors;
}

/** Keys of a list's items cannot be null, and are always there. */
function listKeyErrors(s: JsonSchema, path: string): FieldError[] {
  const items = itemsOf(s);
  const type = s["x-kubernetes-list-type"];
  if (items === undefined || (type !== "set" && type !== "map")) return [];
  const errors = items.nullable === true ? [forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${type}`)] : [];
  if (type === "set") return errors;
  for (const key of s["x-kubernetes-list-map-keys"] ?? []) {
    const property = items.properties?.[key];
    if (property === undefined) continue;
    if (items.required?.includes(key) !== true && property.default === undefined) errors.push(required(`${path}.items.properties[${key}].default`, "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property"));
    if (property.nullable === true) errors.push(forbidden(`${path}.items.properties[${key}].nullable`, "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
  }
  return errors;
}

function extensions(s: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const [mapType, listType] = [s["x-kubernetes-map-type"], s["x-kubernetes-list-type"]];
  if (s["x-kubernetes-preserve-unknown-fields"] === false) errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
  if (mapType !== undefined && s.type !== "object") errors.push(typeMust(s, path, "must be object if x-kubernetes-map-type is specified"));
  if (mapType !== undefined && mapType !== "atomic" && mapType !== "granular") errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]));
  if (listType !== undefined && s.type !== "array") errors.push(typeMust(s, path, "must be array if x-kubernetes-list-type is specified"));
  else if (listType === "set") errors.push(...setItemErrors(s, path));
  if (listType !== undefined && !["atomic", "set", "map"].includes(listType)) errors.push(notSupported(`${path}.x-kubernetes-list-type`, listType, ["atomic", "set", "map"]));
  if ((s["x-kubernetes-list-map-keys"] ?? []).length > 0 && listType !== "map") errors.push(listType === undefined ? required(`${path}.x-kubernetes-list-type`, "must be map if x-kubernetes-list-map-keys is non-empty") : invalid(`${path}.x-kubernetes-list-type`, listType, "must be map if x-kubernetes-list-map-keys is non-empty"));
  if (listType === "map") errors.push(...mapListErrors(s, path));
  return [...errors, ...listKeyErrors(s, path)];
}

const hasLines = (text: string): boolean => /[\n\r]/.test(text);

function ruleErrors(s: JsonSchema, rule: ValidationRule, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { message = "", messageExpression = "", fieldPath = "", reason } = rule;
  const text = (rule.rule ?? "").trim();
  if (text === "") errors.push(required(`${path}.rule`, "rule is not specified"));
  else if (message !== "" && message.trim() === "") errors.push(invalid(`${path}.message`, message, "must be non-empty if specified"));
  else if (hasLines(message.trim())) errors.push(invalid(`${path}.message`, message, "must not contain line breaks"));
  else if (hasLines(text) && message.trim() === "") errors.push(required(`${path}.message`, "message must be specified if rule contains line breaks"));
  if (messageExpression !== "" && messageExpression.trim() === "") errors.push(required(`${path}.messageExpression`, "messageExpression must be non-empty if specified"));
  if (reason !== undefined && !REASONS.includes(reason)) errors.push(notSupported(`${path}.reason`, reason, REASONS));
  if (fieldPath !== "" && fieldPath.trim() === "") errors.push(invalid(`${path}.fieldPath`, fieldPath, "must be non-empty if specified"));
  if (hasLines(fieldPath)) errors.push(invalid(`${path}.fieldPath`, fieldPath, "must not contain line breaks"));
  if (fieldPath !== "" && unsupportedIn(s) === undefined && typeof findFieldPath(fieldPath, s) === "string") errors.push(invalid(`${path}.fieldPath`, fieldPath, "must be a valid path"));
  return errors;
}

/** A rule in the internal form, whose fields have no JSON names. */
const internalRule = (rule: ValidationRule): object => ({ Rule: rule.rule, Message: rule.message ?? "", MessageExpression: rule.messageExpression ?? "", Reason: rule.reason ?? null, FieldPath: rule.fieldPath ?? "", OptionalOldSelf: rule.optionalOldSelf ?? null });

/** Simplified: upstream also estimates what a rule can cost at worst, and refuses rules over unbounded lists that cost too much. */
function expressionErrors(s: JsonSchema, path: string, inside: Inside): FieldError[] {
  return compiledRules(s, inside.root).flatMap((made, i) => {
    const rule = s["x-kubernetes-validations"]?.[i];
    const place = `${path}.x-kubernetes-validations[${i}]`;
    if (rule === undefined) return [];
    const errors: FieldError[] = [];
    if (made.error !== undefined) errors.push(invalid(`${place}.rule`, internalRule(rule), made.error));
    if (made.messageError !== undefined) errors.push(invalid(`${place}.messageExpression`, internalRule(rule), made.messageError));
    if (made.usesOldSelf && inside.uncorrelatable !== undefined) errors.push(invalid(`${place}.rule`, rule.rule, `oldSelf cannot be used on the uncorrelatable portion of the schema within ${inside.uncorrelatable}`));
    else if (!made.usesOldSelf && rule.optionalOldSelf !== undefined) errors.push(invalid(`${place}.optionalOldSelf`, rule.optionalOldSelf, "may not be set if oldSelf is not used in rule"));
    return errors;
  });
}

function propertyErrors(s: JsonSchema, path: string, inside: Inside, all: PropsErrors): void {
  for (const key of sortedKeys(s.properties ?? {})) {
    const meta = (inside.root || s["x-kubernetes-embedded-resource"] === true) && META.includes(key);
    visit(s.properties?.[key], `${path}.properties[${key}]`, { ...inside, root: false, meta: inside.meta || meta, ...(meta && inside.root ? { noDefaults: `in top-level ${key}` } : {}) }, all);
  }
}

function visit(s: JsonSchema | undefined, path: string, inside: Inside, all: PropsErrors): void {
  if (s === undefined || typeof s !== "object") return;
  const before = all.schema.length;
  const below: Inside = { ...inside, root: false };
  all.schema.push(...standard(s, path, inside));
  if (s.additionalProperties !== undefined) {
    if (nonEmpty(s.properties) && s.additionalProperties !== true) all.schema.push(forbidden(`${path}.additionalProperties`, "additionalProperties and properties are mutual exclusive"));
    visit(additionalOf(s), `${path}.additionalProperties`, inside.meta ? { ...below, noDefaults: "inside additionalProperties applying to object metadata" } : below, all);
  }
  propertyErrors(s, path, inside, all);
  const branch: Inside = { ...below, cel: false };
  visit(s.not, `${path}.not`, branch, all);
  for (const key of ["allOf", "oneOf", "anyOf"] as const) for (const [i, each] of (s[key] ?? []).entries()) visit(each, `${path}.${key}[${i}]`, branch, all);
  for (const key of sortedKeys(s.definitions ?? {})) visit(s.definitions?.[key], `${path}.definitions[${key}]`, branch, all);
  const items: Inside = s["x-kubernetes-list-type"] === "map" ? below : { ...below, uncorrelatable: inside.uncorrelatable ?? path };
  visit(itemsOf(s), `${path}.items`, items, all);
  if (isList(s.items)) for (const [i, each] of s.items.entries()) visit(each as JsonSchema, `${path}.items[${i}]`, items, all);
  all.schema.push(...extensions(s, path));
  const rules = s["x-kubernetes-validations"] ?? [];
  for (const [i, rule] of rules.entries()) all.schema.push(...ruleErrors(s, rule, `${path}.x-kubernetes-validations[${i}]`));
  // Expressions about a schema that is wrong itself would only mislead.
  if (rules.length > 0 && inside.cel && all.schema.length === before) all.cel.push(...expressionErrors(s, path, inside));
}

/** What the fields of a schema, and of all schemas inside it, must keep to. `cel` says whether its expressions are compiled. */
export function validateSchemaProps(schema: JsonSchema, path: string, cel: boolean): PropsErrors {
  const all: PropsErrors = { schema: [], cel: [] };
  visit(schema, path, { meta: false, cel, root: true }, all);
  return all;
}
