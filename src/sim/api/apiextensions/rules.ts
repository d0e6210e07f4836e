// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/{compilation,validation}.go
import { Optional } from "@marcbachmann/cel-js";
import { type CelEnv, celEnvironment, type CelFailure, type CelProgram, type CelType, compile, escapeName, evaluate, isCelFailure, PER_CALL_LIMIT, RUNTIME_COST_BUDGET } from "../cel/cel.ts";
import { duplicate, type FieldError, fieldErrorText, forbidden, invalid, required } from "../field-error.ts";
import { findFieldPath } from "./field-path.ts";
import { additionalOf, isList, isMap, itemsOf, jsonEqual, sortedKeys } from "./json-value.ts";
import type { Old } from "./schema-validator.ts";
import type { JsonSchema, ValidationRule } from "./types.ts";

const reach = new WeakMap<JsonSchema, boolean>();

/** Whether any rule stands in the schema. */
export function hasRules(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return false;
  let found = reach.get(schema);
  if (found === undefined) {
    found = (schema["x-kubernetes-validations"] ?? []).length > 0 || hasRules(itemsOf(schema)) || hasRules(additionalOf(schema)) || Object.values(schema.properties ?? {}).some(hasRules);
    reach.set(schema, found);
  }
  return found;
}

const FORMATS: Readonly<Record<string, CelType>> = { byte: "bytes", duration: "duration", date: "timestamp", "date-time": "timestamp" };
const SCALARS: Readonly<Record<string, CelType>> = { integer: "int", number: "double", boolean: "bool" };
const HEAD: Readonly<Record<string, CelType>> = { apiVersion: "string", kind: "string", metadata: { record: "metadata", fields: { name: "string", generateName: "string" } } };

/** SchemaDeclType: the type that rules see. Fields without a schema cannot be named; "a-b" is named "a__dash__b". */
export function celTypeOf(schema: JsonSchema, name: string, root = false): CelType {
  if (schema["x-kubernetes-int-or-string"] === true) return "dyn";
  if (schema.type === "string") return FORMATS[schema.format ?? ""] ?? "string";
  if (schema.type === "array") {
    const items = itemsOf(schema);
    return { list: items === undefined ? "dyn" : celTypeOf(items, `${name}._items`) };
  }
  if (schema.type !== "object") return SCALARS[schema.type ?? ""] ?? "dyn";
  const additional = additionalOf(schema);
  if (additional !== undefined) return { map: celTypeOf(additional, `${name}._values`) };
  const head = root || schema["x-kubernetes-embedded-resource"] === true ? HEAD : {};
  const named = Object.entries(schema.properties ?? {}).map(([key, property]) => ({ key, as: escapeName(key), property })).filter(({ key, as }) => as !== "" && !(key in head));
  const fields = Object.fromEntries(named.map(({ as, property }) => [as, celTypeOf(property, `${name}.${as}`)]));
  const escaped = named.filter(({ key, as }) => as !== key).map(({ key, as }) => [key, as] as const);
  return { record: name, fields: { ...fields, ...head }, ...(escaped.length === 0 ? {} : { escaped: Object.fromEntries(escaped) }) };
}

interface Envs {
  readonly plain: CelEnv;
  readonly optional: CelEnv;
}
const envs = new WeakMap<JsonSchema, Envs>();

function envsOf(schema: JsonSchema, root: boolean): Envs {
  let known = envs.get(schema);
  if (known === undefined) {
    const self = celTypeOf(schema, "selfType", root);
    known = { plain: celEnvironment({ self, oldSelf: self }), optional: celEnvironment({ self, oldSelf: { optional: self } }) };
    envs.set(schema, known);
  }
  return known;
}

/** A rule made ready, or why it cannot be. */
export interface CompiledRule {
  readonly program?: CelProgram;
  readonly error?: string;
  readonly message?: CelProgram;
  readonly messageError?: string;
  readonly usesOldSelf: boolean;
}

const failed = (program: CelProgram | CelFailure): program is CelFailure => isCelFailure(program);

function compileRule(rule: ValidationRule, schema: JsonSchema, root: boolean): CompiledRule {
  const usesOldSelf = /\boldSelf\b/.test(rule.rule.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, ""));
  if (rule.rule.trim() === "") return { usesOldSelf };
  const env = rule.optionalOldSelf === true ? envsOf(schema, root).optional : envsOf(schema, root).plain;
  const program = compile(rule.rule, env);
  if (failed(program)) return { usesOldSelf, error: `compilation failed: ${program.error}` };
  if (program.outputType !== "bool") return { usesOldSelf, error: "cel expression must evaluate to a bool" };
  if ((rule.messageExpression ?? "") === "") return { usesOldSelf, program };
  const message = compile(rule.messageExpression ?? "", env);
  if (failed(message)) return { usesOldSelf, program, messageError: `messageExpression compilation failed: ${message.error}` };
  return message.outputType === "string" ? { usesOldSelf, program, message } : { usesOldSelf, program, messageError: "messageExpression must evaluate to a string" };
}

const compiled = new WeakMap<JsonSchema, readonly CompiledRule[]>();

/** The rules of one schema node, in order. */
export function compiledRules(schema: JsonSchema, root: boolean): readonly CompiledRule[] {
  let rules = compiled.get(schema);
  if (rules === undefined) {
    rules = (schema["x-kubernetes-validations"] ?? []).map((rule) => compileRule(rule, schema, root));
    compiled.set(schema, rules);
  }
  return rules;
}

interface Walk {
  budget: number;
  readonly errors: FieldError[];
  /** Broken rules about what an update did not change. */
  readonly warnings: string[];
}

const NOWHERE = "<nil>";
const OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run";
const ruleText = (rule: ValidationRule): string => (rule.message || rule.rule).trim();

/** Objects and lists are not quoted in errors. */
function brokenError(path: string, schema: JsonSchema, value: unknown, detail: string, reason: string | undefined): FieldError {
  const omits = schema.type === "object" || schema.type === "array";
  if (reason === "FieldValueForbidden") return forbidden(path, detail);
  if (reason === "FieldValueRequired") return required(path, detail);
  if (reason === "FieldValueDuplicate") return omits ? { ...duplicate(path, ""), message: "Duplicate value" } : duplicate(path, value);
  return omits ? { type: "FieldValueInvalid", field: path, message: detail === "" ? "Invalid value" : `Invalid value: ${detail}` } : invalid(path, value, detail);
}

function messageOf(rule: ValidationRule, { message }: CompiledRule, vars: Readonly<Record<string, unknown>>, walk: Walk): string {
  const fallback = rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`;
  if (message === undefined) return fallback;
  const result = evaluate(message, vars, Math.min(PER_CALL_LIMIT, walk.budget));
  if (isCelFailure(result)) return fallback;
  walk.budget -= result.cost;
  const text = typeof result.value === "string" ? result.value.trim() : "";
  return text === "" || text.includes("\n") || text.length > 5120 ? fallback : text;
}

interface Place {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly root: boolean;
  readonly old: Old | undefined;
  /** Whether this, or what it is part of, is as it was. */
  readonly unchanged: boolean;
}

function judge(value: unknown, place: Place, rule: ValidationRule, made: CompiledRule, walk: Walk): void {
  const { schema, old } = place;
  const path = place.path === "" ? NOWHERE : place.path;
  const say = (text: string): void => void walk.errors.push(invalid(path, schema.type ?? "", text));
  if (made.error !== undefined) return say(`rule compile error: ${made.error}`);
  if (made.program === undefined || (made.usesOldSelf && old === undefined && rule.optionalOldSelf !== true)) return;
  const optional = old === undefined ? Optional.none() : Optional.of(old.value);
  const vars = { self: value, ...(rule.optionalOldSelf === true ? { oldSelf: optional } : old === undefined ? {} : { oldSelf: old.value }) };
  const result = evaluate(made.program, vars, Math.min(PER_CALL_LIMIT, walk.budget));
  if (isCelFailure(result)) {
    if (result.kind === "cost") {
      walk.budget = -1;
      return say(`'${result.error}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`);
    }
    return say(result.error.startsWith("no such overload") ? `'${result.error}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(rule)}` : `${result.error} evaluating rule: ${ruleText(rule)}`);
  }
  walk.budget -= result.cost;
  if (result.value === true) return;
  const detail = messageOf(rule, made, vars, walk);
  const found = rule.fieldPath === undefined || rule.fieldPath === "" ? undefined : findFieldPath(rule.fieldPath, schema);
  const at = found === undefined || typeof found === "string" ? path : place.path === "" ? found.path : `${place.path}.${found.path}`;
  const error = brokenError(at, schema, value, detail, rule.reason);
  if (!made.usesOldSelf && place.unchanged) walk.warnings.push(fieldErrorText(error));
  else walk.errors.push(error);
}

const stepInto = (place: Place, path: string, schema: JsonSchema, value: unknown, old: Old | undefined): Place => ({ path, schema, root: false, old, unchanged: old === undefined ? place.unchanged : jsonEqual(old.value, value) });

/** Only items of list-type map are told apart; other items have no predecessor. */
function oldItem(item: unknown, { schema, old }: Place): Old | undefined {
  if (schema["x-kubernetes-list-type"] !== "map" || !isList(old?.value) || !isMap(item)) return undefined;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const value = old.value.find((other) => isMap(other) && keys.every((key) => jsonEqual(other[key], item[key])));
  return value === undefined ? undefined : { value };
}

function visit(value: unknown, place: Place, walk: Walk): void {
  const { schema, path, old } = place;
  if (value === null || value === undefined || walk.budget < 0 || !hasRules(schema)) return;
  for (const [i, rule] of (schema["x-kubernetes-validations"] ?? []).entries()) {
    if (walk.budget <= 0) {
      if (walk.budget === 0) walk.errors.push(invalid(path === "" ? NOWHERE : path, schema.type ?? "", OUT_OF_BUDGET));
      walk.budget = -1;
      return;
    }
    const made = compiledRules(schema, place.root)[i];
    if (made !== undefined) judge(value, place, rule, made, walk);
  }
  const items = itemsOf(schema);
  if (isList(value) && items !== undefined) for (const [i, item] of value.entries()) visit(item, stepInto(place, `${path}[${i}]`, items, item, oldItem(item, place)), walk);
  if (!isMap(value)) return;
  const additional = additionalOf(schema);
  for (const key of sortedKeys(value)) {
    const property = schema.properties?.[key];
    const before = isMap(old?.value) && Object.hasOwn(old.value, key) ? { value: old.value[key] } : undefined;
    if (additional !== undefined) visit(value[key], stepInto(place, `${path}[${key}]`, additional, value[key], before), walk);
    else if (property !== undefined) visit(value[key], stepInto(place, path === "" ? key : `${path}.${key}`, property, value[key], before), walk);
  }
}

/** x-kubernetes-validations of an object. Rules that an unchanged part breaks only warn. */
export function validateRules(value: unknown, schema: JsonSchema | undefined, old?: Old, root = true): { readonly errors: readonly FieldError[]; readonly warnings: readonly string[] } {
  const walk: Walk = { budget: RUNTIME_COST_BUDGET, errors: [], warnings: [] };
  if (schema !== undefined) visit(value, { path: "", schema, root, old, unchanged: old !== undefined && jsonEqual(old.value, value) }, walk);
  return walk;
}
