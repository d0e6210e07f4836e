// Models kube-openapi/pkg/validation/validate and kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/validation/{validation,ratcheting}.go
import { type FieldError, invalid, notSupported, required, tooLong, tooMany } from "../field-error.ts";
import { hasFormat, isKnownFormat } from "./formats.ts";
import { goRegExp } from "./go-regexp.ts";
import { additionalOf, isList, isMap, itemsOf, type Json, jsonEqual, sortedKeys } from "./json-value.ts";
import type { JsonSchema } from "./types.ts";

/** One error, and the text by which equal ones are found. */
interface Fault {
  readonly text: string;
  readonly error: FieldError;
}

/** Errors, and how many checks were made: of several alternatives the one that was checked furthest is told. */
interface Result {
  readonly faults: Fault[];
  matches: number;
}

/** The value before an update, where it can be told which one that was. */
export interface Old {
  readonly value: unknown;
}

const newResult = (): Result => ({ faults: [], matches: 0 });

function add(result: Result, fault: Fault): void {
  if (!result.faults.some(({ text }) => text === fault.text)) result.faults.push(fault);
}
function merge(result: Result, other: Result): void {
  for (const fault of other.faults) add(result, fault);
  result.matches += other.matches;
}

/** field.Path of nil prints so. */
const NOWHERE = "<nil>";
const placeOf = (path: string): string => (path === "" || path === "." ? NOWHERE : path.replace(/^\./, ""));

const fail = (path: string, value: unknown, text: string): Fault => ({ text, error: invalid(placeOf(path), value ?? "", text) });
/** Errors of alternatives name no field. */
const general = (text: string): Fault => ({ text, error: invalid(NOWHERE, "", text) });
const typeFault = (path: string, wanted: string, found: string): Fault => {
  const fault = fail(path, found, `${path} in body must be of type ${wanted}: ${JSON.stringify(found)}`);
  return { ...fault, error: { ...fault.error, type: "FieldValueTypeInvalid" } };
};

const typesOf = (schema: JsonSchema): readonly string[] => (schema["x-kubernetes-int-or-string"] === true ? ["integer", "string"] : (schema.type ?? "") === "" ? [] : [schema.type ?? ""]);
const formatOf = (schema: JsonSchema): string => (schema.format !== undefined && isKnownFormat(typesOf(schema).length === 1 ? (typesOf(schema)[0] ?? "") : "", schema.format) ? schema.format : "");

/** JSON type and Go's format of a value. */
function infoOf(value: unknown): readonly [string, string] {
  if (typeof value === "boolean") return ["boolean", ""];
  if (typeof value === "string") return ["string", ""];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "int64"] : ["number", "float64"];
  return isList(value) ? ["array", ""] : ["object", ""];
}

function checkType(value: unknown, schema: JsonSchema, path: string, result: Result): void {
  const types = typesOf(schema);
  const format = formatOf(schema);
  if (types.length === 0 && format === "") return;
  result.matches++;
  if (value === null) {
    if (types.length > 0 && schema.nullable !== true) add(result, typeFault(path, types.join(","), "null"));
    return;
  }
  const [type, own] = infoOf(value);
  const texts = type === "string" || type === "array";
  const fits = types.includes(type) || (type === "integer" && types.includes("number"));
  if (!texts && format !== "" && !fits && format !== own) return add(result, typeFault(path, format, own));
  if (texts && format !== "" && !types.includes("number") && !types.includes("integer")) return;
  if (!fits) add(result, typeFault(path, types.join(","), type));
}

function checkAlternatives(value: unknown, schema: JsonSchema, path: string, result: Result): void {
  const quoted = JSON.stringify(path);
  const best = (results: readonly Result[]): Result | undefined => results.reduce<Result | undefined>((furthest, next) => (furthest === undefined || next.matches > furthest.matches ? next : furthest), undefined);
  if (schema.anyOf?.length) {
    const results = schema.anyOf.map((option) => check(value, option, path));
    const success = results.find(({ faults }) => faults.length === 0);
    if (success === undefined) add(result, general(`${quoted} must validate at least one schema (anyOf)`));
    merge(result, success ?? best(results) ?? newResult());
  }
  if (schema.oneOf?.length) {
    const results = schema.oneOf.map((option) => check(value, option, path));
    const valid = results.filter(({ faults }) => faults.length === 0);
    if (valid.length !== 1) add(result, general(`${quoted} must validate one and only one schema (oneOf). ${valid.length === 0 ? "Found none valid" : `Found ${valid.length} valid alternatives`}`));
    merge(result, (valid.length === 1 ? valid[0] : valid.length === 0 ? best(results) : undefined) ?? newResult());
  }
  if (schema.allOf?.length) {
    const results = schema.allOf.map((option) => check(value, option, path));
    const valid = results.filter(({ faults }) => faults.length === 0).length;
    for (const each of results) merge(result, each);
    if (valid !== results.length) add(result, general(`${quoted} must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`));
  }
  if (schema.not !== undefined && check(value, schema.not, path).faults.length === 0) add(result, general(`${quoted} must not validate the schema (not)`));
  result.matches++;
}

function checkText(value: string, schema: JsonSchema, path: string, result: Result): void {
  const length = [...value].length;
  if (schema.maxLength !== undefined && length > schema.maxLength) add(result, { text: `${path} too long`, error: tooLong(placeOf(path), schema.maxLength) });
  else if (schema.minLength !== undefined && length < schema.minLength) add(result, fail(path, value, `${path} in body should be at least ${schema.minLength} chars long`));
  else if (schema.pattern !== undefined && schema.pattern !== "" && goRegExp(schema.pattern)?.test(value) === false) add(result, fail(path, value, `${path} in body should match '${schema.pattern}'`));
  const format = formatOf(schema);
  if (format !== "" && !hasFormat(format, value)) {
    const fault = typeFault(path, format, value);
    add(result, fault);
  }
  result.matches += format === "" ? 1 : 2;
}

const INT32 = 2_147_483_647;

function checkNumber(value: number, schema: JsonSchema, path: string, result: Result): void {
  if (schema.type === "integer" && schema.format === "int32" && (value > INT32 || value < -INT32 - 1)) add(result, general(`Checked value must be of type integer with format int32 in ${path}`));
  const whole = Number.isInteger(value);
  const bound = (limit: number): number => (whole ? Math.trunc(limit) : limit);
  const { multipleOf, maximum, minimum } = schema;
  if (multipleOf !== undefined && !Number.isInteger(value / bound(multipleOf))) add(result, fail(path, value, `${path} in body should be a multiple of ${bound(multipleOf)}`));
  if (minimum !== undefined && (schema.exclusiveMinimum === true ? value <= bound(minimum) : value < bound(minimum))) add(result, fail(path, value, `${path} in body should be greater than ${schema.exclusiveMinimum === true ? "" : "or equal to "}${bound(minimum)}`));
  if (maximum !== undefined && (schema.exclusiveMaximum === true ? value >= bound(maximum) : value > bound(maximum))) add(result, fail(path, value, `${path} in body should be less than ${schema.exclusiveMaximum === true ? "" : "or equal to "}${bound(maximum)}`));
  result.matches += 2;
}

/** Items of a list-type map are told apart by their keys; other items have no predecessor. */
function oldItem(item: unknown, schema: JsonSchema, old: Old | undefined): Old | undefined {
  if (schema["x-kubernetes-list-type"] !== "map" || !isList(old?.value) || !isMap(item)) return undefined;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const value = old.value.find((other) => isMap(other) && keys.every((key) => jsonEqual(other[key], item[key])));
  return value === undefined ? undefined : { value };
}

function checkList(list: readonly unknown[], schema: JsonSchema, path: string, old: Old | undefined, result: Result): void {
  const items = itemsOf(schema);
  if (items !== undefined) for (const [i, item] of list.entries()) merge(result, check(item, items, `${path}[${i}]`, oldItem(item, schema, old)));
  if (schema.minItems !== undefined && list.length < schema.minItems) add(result, fail(path, list.length, `${path} in body should have at least ${schema.minItems} items`));
  if (schema.maxItems !== undefined && list.length > schema.maxItems) add(result, { text: `${path} too many`, error: tooMany(placeOf(path), list.length, schema.maxItems) });
  result.matches++;
}

const oldField = (key: string, old: Old | undefined): Old | undefined => (isMap(old?.value) && Object.hasOwn(old.value, key) ? { value: old.value[key] } : undefined);

function checkMap(map: Json, schema: JsonSchema, path: string, old: Old | undefined, result: Result): void {
  const size = Object.keys(map).length;
  if (schema.minProperties !== undefined && size < schema.minProperties) add(result, fail(path, size, `${path} in body should have at least ${schema.minProperties} properties`));
  if (schema.maxProperties !== undefined && size > schema.maxProperties) add(result, { text: `${path} too many`, error: tooMany(placeOf(path), size, schema.maxProperties) });
  const additional = additionalOf(schema);
  const keys = sortedKeys(map);
  if (schema.additionalProperties === false) for (const key of keys) if (schema.properties?.[key] === undefined) add(result, fail(path, undefined, `${path}.${key} in body is a forbidden property`));
  if (additional !== undefined) for (const key of keys) if (schema.properties?.[key] === undefined) merge(result, check(map[key], additional, `${path}.${key}`, oldField(key, old)));
  for (const key of keys) {
    const property = schema.properties?.[key];
    if (property !== undefined) merge(result, check(map[key], property, path === "" ? key : `${path}.${key}`, oldField(key, old)));
  }
  for (const key of schema.required ?? []) if (!Object.hasOwn(map, key)) add(result, { text: `${path}.${key} in body is required`, error: required(placeOf(`${path}.${key}`)) });
  result.matches++;
}

function checkEnum(value: unknown, schema: JsonSchema, path: string, result: Result): void {
  const values = schema.enum ?? [];
  if (values.length > 0 && !(value !== null && values.some((each) => jsonEqual(each, value)))) add(result, { text: `${path} not in enum`, error: notSupported(placeOf(path), value, values.map((each) => (typeof each === "string" ? each : JSON.stringify(each)))) });
}

function check(value: unknown, schema: JsonSchema, path: string, old?: Old): Result {
  const result = newResult();
  // What an update leaves as it was may stay wrong (CRDValidationRatcheting).
  if (old !== undefined && jsonEqual(old.value, value)) return result;
  checkType(value, schema, path, result);
  if (value === null) {
    checkEnum(value, schema, path, result);
    return result;
  }
  result.matches++;
  checkAlternatives(value, schema, path, result);
  if (typeof value === "string") checkText(value, schema, path, result);
  if (typeof value === "number") checkNumber(value, schema, path, result);
  if (isList(value)) checkList(value, schema, path, old, result);
  checkEnum(value, schema, path, result);
  result.matches += 2;
  if (isMap(value)) checkMap(value, schema, path, old, result);
  result.matches++;
  return result;
}

/** Every way in which a value breaks its schema. With `old` what has not changed is not looked at. `path` is put before the fields. */
export function validateSchema(value: unknown, schema: JsonSchema | undefined, old?: Old, path = ""): FieldError[] {
  if (schema === undefined) return [];
  const errors = check(value, schema, "", old).faults.map(({ error }) => error);
  return path === "" ? errors : errors.map((error) => ({ ...error, field: error.field === NOWHERE ? path : `${path}.${error.field}` }));
}
