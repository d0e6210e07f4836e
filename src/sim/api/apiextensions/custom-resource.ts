// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/{strategy,status_strategy,validator}.go
import { decodeObject, type DecodeOptions, type DecodeResult } from "../decode.ts";
import { type FieldError, invalid } from "../field-error.ts";
import { isQualifiedName } from "../names.ts";
import type { ApiResource } from "../schema/resources.ts";
import type { KubeObject } from "../types.ts";
import { subdomainName, validateObjectMeta, validateObjectMetaUpdate } from "../validation/object-meta.ts";
import { defaultObject } from "./defaulting.ts";
import { CoercionError, coerceEmbedded, validateEmbedded } from "./embedded-meta.ts";
import { atSimplePath, jsonEqual } from "./json-value.ts";
import { validateListTypes } from "./list-type.ts";
import { pruneNulls, pruneObject } from "./pruning.ts";
import { hasRules, validateRules } from "./rules.ts";
import { validateSchema } from "./schema-validator.ts";
import type { CustomVersion, JsonSchema } from "./types.ts";

export const schemaOf = ({ version }: CustomVersion): JsonSchema | undefined => version.schema?.openAPIV3Schema;

/** Keeps apiVersion, kind and metadata out of what the schema may change. */
const withHead = (object: KubeObject, { apiVersion, kind, metadata }: KubeObject): KubeObject => ({ ...object, apiVersion, kind, metadata });

/** A request's body as the resource's object: unknown fields are dropped and reported, defaults not yet filled in. */
export function decodeCustomObject(body: unknown, api: ApiResource, options: DecodeOptions = {}): DecodeResult {
  const { custom } = api;
  const decoded = decodeObject(body, { ...options, fieldValidation: "Warn" });
  if (decoded.error !== undefined || custom === undefined) return decoded;
  const { object } = decoded;
  const strict = [...decoded.warnings];
  let known = object;
  if (object.kind === api.kind && object.apiVersion === api.apiVersion) {
    const schema = schemaOf(custom);
    const pruned = custom.crd.spec.preserveUnknownFields === true ? { object, unknown: [] } : pruneObject(object, schema);
    const embedded: string[] = [];
    try {
      known = withHead(coerceEmbedded(pruneNulls(pruned.object, schema), schema, embedded), object);
    } catch (problem) {
      if (!(problem instanceof CoercionError)) throw problem;
      return { error: problem.message };
    }
    strict.push(...[...pruned.unknown, ...embedded.sort()].map((path) => `unknown field ${JSON.stringify(path)}`));
  }
  if (strict.length > 0 && (options.fieldValidation ?? "Strict") === "Strict") return { error: `strict decoding error: ${strict.join(", ")}` };
  return { object: known, warnings: options.fieldValidation === "Warn" ? strict : [] };
}

/** The schema's defaults. */
export const defaultCustom = <T extends KubeObject>(object: T, custom: CustomVersion): T => withHead(defaultObject(object, schemaOf(custom)), object) as T;

const served = new WeakMap<KubeObject, { readonly custom: CustomVersion; readonly object: KubeObject }>();

/** A stored object in one of its versions (conversion None), with the fields and defaults that version has. Once an object. */
export function customAsServed(object: KubeObject, api: ApiResource): KubeObject {
  const { custom } = api;
  if (custom === undefined) return object;
  const known = served.get(object);
  if (known?.custom === custom) return known.object;
  const schema = schemaOf(custom);
  const converted = object.apiVersion === api.apiVersion ? object : { ...object, apiVersion: api.apiVersion };
  const next = withHead(defaultObject(pruneNulls(pruneObject(converted, schema).object, schema), schema), converted);
  const result = jsonEqual(next, object) ? object : next;
  served.set(object, { custom, object: result });
  return result;
}

export const hasStatus = ({ version }: CustomVersion): boolean => version.subresources?.status !== undefined && version.subresources.status !== null;

const without = (object: KubeObject, field: "status"): KubeObject => {
  const { [field]: _, ...rest } = object;
  return rest;
};

/** Creation: no status where it is a subresource, generation 1. */
export function prepareCustomForCreate(object: KubeObject, custom: CustomVersion): KubeObject {
  const bare = hasStatus(custom) && object.status !== undefined ? without(object, "status") : object;
  return { ...bare, metadata: { ...bare.metadata, generation: 1 } };
}

function content(object: KubeObject): object {
  const { metadata: _, ...rest } = object;
  return rest;
}

/** An update: status is not touched, any change outside of metadata counts. */
export function prepareCustomForUpdate(object: KubeObject, old: KubeObject, custom: CustomVersion): KubeObject {
  let next = object;
  if (hasStatus(custom) && object.status !== old.status) next = old.status === undefined ? without(object, "status") : { ...object, status: old.status };
  const { generation = 0 } = old.metadata;
  return { ...next, metadata: { ...next.metadata, generation: jsonEqual(content(next), content(old)) ? generation : generation + 1 } };
}

/** A status update: everything else is as it was. */
export function prepareCustomForStatus(object: KubeObject, old: KubeObject): KubeObject {
  const { managedFields } = object.metadata;
  const base: KubeObject = { ...old, metadata: { ...old.metadata, ...(managedFields === undefined ? {} : { managedFields }) } };
  return object.status === undefined ? without(base, "status") : { ...base, status: object.status };
}

const MAX_INT32 = 2_147_483_647;
const goType = (value: unknown): string => (typeof value === "string" ? "string" : typeof value === "boolean" ? "bool" : typeof value === "number" ? "float64" : Array.isArray(value) ? "[]interface {}" : "map[string]interface {}");
const goText = (value: unknown): string => (typeof value === "object" && value !== null ? JSON.stringify(value) : String(value));

function validateCount(object: KubeObject, path: string): FieldError[] {
  const value = atSimplePath(object, path);
  if (value === undefined) return [];
  if (typeof value !== "number" || !Number.isInteger(value)) return [invalid(path, 0, `${path} accessor error: ${goText(value)} is of the type ${goType(value)}, expected int64`)];
  if (value < 0) return [invalid(path, value, "should be a non-negative integer")];
  return value > MAX_INT32 ? [invalid(path, value, `should be less than or equal to ${MAX_INT32}`)] : [];
}

function validateScaleStatus(object: KubeObject, { version }: CustomVersion): FieldError[] {
  const scale = version.subresources?.scale;
  if (scale === undefined || scale === null) return [];
  const selector = scale.labelSelectorPath === undefined ? undefined : atSimplePath(object, scale.labelSelectorPath);
  return [
    ...validateCount(object, scale.statusReplicasPath),
    ...(selector === undefined || typeof selector === "string" ? [] : [invalid(scale.labelSelectorPath ?? "", "", `${scale.labelSelectorPath ?? ""} accessor error: ${goText(selector)} is of the type ${goType(selector)}, expected string`)]),
  ];
}
const validateScale = (object: KubeObject, custom: CustomVersion): FieldError[] => {
  const scale = custom.version.subresources?.scale;
  return scale === undefined || scale === null ? [] : [...validateCount(object, scale.specReplicasPath), ...validateScaleStatus(object, custom)];
};

const BLOCKING: ReadonlySet<FieldError["type"]> = new Set(["FieldValueNotSupported", "FieldValueRequired", "FieldValueTooLong", "FieldValueTooMany", "FieldValueTypeInvalid"]);

export interface CustomVerdict {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** Rules are only looked at when the object has the right shape. */
function withRules(errors: readonly FieldError[], object: KubeObject, custom: CustomVersion, old?: KubeObject): CustomVerdict {
  const schema = schemaOf(custom);
  if (!hasRules(schema)) return { errors, warnings: [] };
  if (errors.some(({ type }) => BLOCKING.has(type))) return { errors: [...errors, invalid("<nil>", undefined, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation")], warnings: [] };
  const found = validateRules(object, schema, old === undefined ? undefined : { value: old });
  return { errors: [...errors, ...found.errors], warnings: found.warnings };
}

/** Everything that a new object breaks. */
export function validateCustomCreate(object: KubeObject, custom: CustomVersion): CustomVerdict {
  const schema = schemaOf(custom);
  const errors = [
    ...validateObjectMeta(object.metadata, custom.crd.spec.scope === "Namespaced", subdomainName),
    ...validateSchema(object, schema), ...validateScale(object, custom), ...validateEmbedded(object, schema), ...validateListTypes(object, schema),
  ];
  return withRules(errors, object, custom);
}

/** Everything that an update breaks; what it left alone may stay as it is. */
export function validateCustomUpdate(object: KubeObject, old: KubeObject, custom: CustomVersion): CustomVerdict {
  const schema = schemaOf(custom);
  const lists = validateListTypes(old, schema).length === 0 ? validateListTypes(object, schema) : [];
  const errors = [...validateObjectMetaUpdate(object, old), ...validateSchema(object, schema, { value: old }), ...validateScale(object, custom), ...validateEmbedded(object, schema), ...lists];
  return withRules(errors, object, custom, old);
}

/** The same for an update of the status. */
export function validateCustomStatusUpdate(object: KubeObject, old: KubeObject, custom: CustomVersion): CustomVerdict {
  const schema = schemaOf(custom);
  const status = object.status === undefined ? [] : validateSchema(object.status, schema?.properties?.["status"], old.status === undefined ? undefined : { value: old.status }, "status");
  const lists = validateListTypes(old, schema).length === 0 ? validateListTypes(object, schema) : [];
  return withRules([...validateObjectMetaUpdate(object, old), ...status, ...validateScaleStatus(object, custom), ...lists], object, custom, old);
}

const STANDARD = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** Warnings of finalizers that were added and do not say whose they are. */
export function finalizerWarnings(object: KubeObject, old?: KubeObject): readonly string[] {
  const before = old?.metadata.finalizers ?? [];
  return [...new Set(object.metadata.finalizers ?? [])].filter((name) => !before.includes(name)).sort().flatMap((name) => {
    const head = `metadata.finalizers: ${JSON.stringify(name)}: `;
    const vague = name.includes("/") || STANDARD.has(name) ? [] : [`${head}prefer a domain-qualified finalizer name ${name.includes(".") ? "including a path (/) " : ""}to avoid accidental conflicts with other finalizer writers`];
    return [...isQualifiedName(name).map((text) => head + text), ...vague];
  });
}
