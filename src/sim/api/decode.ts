// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/runtime/serializer/json and sigs.k8s.io/json (strict, case sensitive)
import { parseQuantity, formatQuantity } from "./quantity.ts";
import { type Field, goStructName, goTypeName, kindType, type ScalarCode, type StructType, structType, type TypeRef } from "./schema/schema.ts";
import { versionOf } from "./schema/resources.ts";
import { newBadRequest } from "./status-errors.ts";
import { parseRfc3339, rfc3339, rfc3339Micro } from "./time.ts";
import type { KubeObject, Status } from "./types.ts";

export type FieldValidation = "Strict" | "Warn" | "Ignore";
export interface DecodeOptions {
  readonly fieldValidation?: FieldValidation;
  /** Repeated keys of the JSON text (json.ts); a parsed object no longer shows them. */
  readonly duplicates?: readonly string[];
  /** The object is the result of a strategic merge patch: it goes through another converter, whose texts for wrong types differ. */
  readonly patched?: boolean;
}
export type DecodeResult =
  | { readonly object: KubeObject; readonly warnings: readonly string[]; readonly error?: undefined }
  | { readonly object?: undefined; readonly error: string };

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

const INT64_LIMIT = 2 ** 63;

/** Upstream stops listing after this many strict errors. */
const MAX_STRICT_ERRORS = 100;

/** An UnmarshalJSON of a type failed: decoding stops there, unlike for a wrong type, which is only remembered. */
class DecodeAbort extends Error {}

interface Context {
  /** First wrong type met. */
  error: string | undefined;
  readonly strict: string[];
  readonly patched: boolean;
}
/** Where the decoder is: the innermost struct and the way to it. Texts are made of it only for an error. */
interface Place {
  readonly struct: StructType;
  /** A field of a struct, a key of a map, or a position in a list. */
  readonly at: string | number;
  readonly kind: "field" | "key" | "item";
  readonly parent: Place | undefined;
}

/** Field names from the root: "spec.containers.name". */
function fieldsOf(place: Place | undefined): string {
  if (place === undefined) return "";
  const parent = fieldsOf(place.parent);
  if (place.kind !== "field") return parent;
  return parent === "" ? String(place.at) : `${parent}.${place.at}`;
}

/** The strict decoder's path: "spec.containers[0].name". */
function pathOf(place: Place | undefined): string {
  if (place === undefined) return "";
  const parent = pathOf(place.parent);
  if (place.kind === "item") return `${parent}[${place.at}]`;
  return place.kind === "field" && parent === "" ? String(place.at) : `${parent}.${place.at}`;
}

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "object" ? "object" : typeof value;
}

const GO_KINDS: Readonly<Record<string, string>> = { array: "slice", object: "map", number: "int64" };

/** runtime.DefaultUnstructuredConverter: the first wrong type ends it, without saying where. */
function unstructuredError(shown: string, of: TypeRef): string {
  const source = shown.startsWith("number ") ? "float64" : (GO_KINDS[shown] ?? shown);
  if (of.type === "list") return `cannot restore slice from ${source}`;
  if (of.type === "map") return `cannot restore map from ${source}`;
  if (of.type === "struct") return `cannot restore struct from: ${source}`;
  const target = of.named === undefined ? goTypeName(of) : "string";
  return source === "int64" || source === "float64" ? `cannot convert ${source} to ${target}` : `unrecognized type: ${target}`;
}

function wrongType(ctx: Context, place: Place, shown: string, of: TypeRef): undefined {
  if (ctx.patched) return abort(unstructuredError(shown, of));
  const fields = fieldsOf(place);
  const where = fields === "" ? "Go value" : `Go struct field ${goStructName(place.struct)}.${fields}`;
  ctx.error ??= `json: cannot unmarshal ${shown} into ${where} of type ${goTypeName(of)}`;
  return undefined;
}

const abort = (text: string): never => {
  throw new DecodeAbort(text);
};

function decodeTime(value: unknown, micro: boolean): string {
  if (typeof value !== "string") return abort(`json: cannot unmarshal ${jsonKind(value)} into Go value of type string`);
  const at = parseRfc3339(value);
  const layout = micro ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
  if (Number.isNaN(at)) return abort(`parsing time ${JSON.stringify(value)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(value)} as "2006"`);
  return micro ? rfc3339Micro(at) : rfc3339(at);
}

function decodeQuantity(value: unknown): string {
  const parsed = parseQuantity(typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value));
  return typeof parsed === "string" ? abort(parsed) : formatQuantity(parsed);
}

function decodeInteger(value: unknown, of: TypeRef, bits: 32 | 64, ctx: Context, place: Place): unknown {
  if (typeof value !== "number") return wrongType(ctx, place, jsonKind(value), of);
  const limit = bits === 32 ? 2_147_483_647 : INT64_LIMIT;
  if (!Number.isInteger(value) || value > limit || value < -limit - 1) return wrongType(ctx, place, `number ${value}`, of);
  return value;
}

function decodeBytes(value: unknown, of: TypeRef, ctx: Context, place: Place): unknown {
  if (typeof value !== "string") return wrongType(ctx, place, jsonKind(value), of);
  const text = value.replace(/[\r\n]/g, "");
  const bad = /[^A-Za-z0-9+/=]/.exec(text)?.index ?? (text.length % 4 === 0 && /^[^=]*={0,2}$/.test(text) ? -1 : Math.max(0, text.length - (text.length % 4)));
  if (bad >= 0) {
    ctx.error ??= `illegal base64 data at input byte ${bad}`;
    return undefined;
  }
  return text;
}

function decodeIntOrString(value: unknown): unknown {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return abort(`json: cannot unmarshal ${jsonKind(value)} into Go value of type int32`);
  return Number.isInteger(value) ? value : abort(`json: cannot unmarshal number ${value} into Go value of type int32`);
}

function decodeScalar(value: unknown, code: ScalarCode, of: TypeRef, ctx: Context, place: Place): unknown {
  switch (code) {
    case "s":
    case "UID":
      return typeof value === "string" ? value : wrongType(ctx, place, jsonKind(value), of);
    case "b":
      return typeof value === "boolean" ? value : wrongType(ctx, place, jsonKind(value), of);
    case "i":
      return decodeInteger(value, of, 32, ctx, place);
    case "l":
      return decodeInteger(value, of, 64, ctx, place);
    case "f":
      return typeof value === "number" ? value : wrongType(ctx, place, jsonKind(value), of);
    case "y":
      return decodeBytes(value, of, ctx, place);
    case "T":
      return decodeTime(value, false);
    case "M":
      return decodeTime(value, true);
    case "Q":
      return decodeQuantity(value);
    case "I":
      return decodeIntOrString(value);
    case "D":
    case "R":
    case "J":
    case "F":
      return value;
  }
}

function decodeList(value: unknown, of: TypeRef & { readonly type: "list" }, ctx: Context, place: Place): unknown {
  if (!Array.isArray(value)) return wrongType(ctx, place, jsonKind(value), of);
  let out: unknown[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const item: unknown = value[i];
    const next = item === null ? zeroValue(of.of) : decodeValue(item, of.of, ctx, { struct: place.struct, at: i, kind: "item", parent: place });
    if (next !== item) (out ??= [...(value as readonly unknown[])])[i] = next;
  }
  return out ?? value;
}

function decodeMap(value: unknown, of: TypeRef & { readonly type: "map" }, ctx: Context, place: Place): unknown {
  if (!isObject(value)) return wrongType(ctx, place, jsonKind(value), of);
  let changed = false;
  const out: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const next = item === null ? zeroValue(of.of) : decodeValue(item, of.of, ctx, { struct: place.struct, at: key, kind: "key", parent: place });
    changed ||= next !== item;
    out[key] = next;
  }
  return changed ? out : value;
}

function decodeValue(value: unknown, of: TypeRef, ctx: Context, place: Place): unknown {
  switch (of.type) {
    case "scalar":
      return decodeScalar(value, of.code, of, ctx, place);
    case "list":
      return decodeList(value, of, ctx, place);
    case "map":
      return decodeMap(value, of, ctx, place);
    case "struct": {
      const type = structType(of.name);
      if (type === undefined) return value;
      if (of.name === SCHEMA && place.kind === "field" && UNIONS.has(String(place.at))) return decodeUnion(value, type, ctx);
      return isObject(value) ? decodeStruct(value, type, ctx, place) : wrongType(ctx, place, jsonKind(value), of);
    }
  }
}

const SCHEMA = "JSONSchemaProps";
const UNIONS = new Set(["items", "additionalProperties", "additionalItems"]);

/** apiextensions/v1/marshal.go: a schema, a list of them or a boolean. These read themselves, so that the strict decoder does not see what is inside. */
function decodeUnion(value: unknown, type: StructType, ctx: Context): unknown {
  const { length } = ctx.strict;
  const read = (item: unknown): unknown => (isObject(item) ? decodeStruct(item, type, ctx, undefined) : item);
  const out = Array.isArray(value) ? value.map(read) : read(value);
  ctx.strict.length = length;
  return out;
}

/** What Go prints for a field that was not set; undefined when it prints nothing. */
function zeroValue(of: TypeRef): unknown {
  if (of.type === "struct") {
    const type = structType(of.name);
    return type === undefined ? {} : fillZeros({}, type);
  }
  if (of.type !== "scalar") return undefined;
  switch (of.code) {
    case "s":
    case "UID":
      return "";
    case "b":
      return false;
    case "i":
    case "l":
    case "f":
    case "I":
      return 0;
    case "Q":
      return "0";
    case "T":
    case "M":
      return null;
    default:
      return undefined;
  }
}

/**
 * The same for a field that is always printed: a missing list prints as null.
 * Simplified: a Pod spec without containers gets an empty list, so that every step before validation may count on one.
 */
function fieldZero(field: Field): unknown {
  if (field.of.type !== "list" && field.of.type !== "map") return zeroValue(field.of);
  return field.name === "containers" ? [] : null;
}

const isEmpty = (value: unknown): boolean =>
  value === "" || value === 0 || value === false || value === null || value === undefined || (Array.isArray(value) ? value.length === 0 : typeof value === "object" && Object.keys(value).length === 0);

function dropped(value: unknown, field: Field): boolean {
  if (value === undefined || (value === null && field.omission !== "always")) return true;
  return (field.omission === "omitempty" || field.omission === "omitzero") && isEmpty(value);
}

const printed = new Map<StructType, readonly Field[]>();

function alwaysPrinted(type: StructType): readonly Field[] {
  let fields = printed.get(type);
  if (fields === undefined) {
    fields = [...type.fields.values()].filter((field) => field.omission === "always");
    printed.set(type, fields);
  }
  return fields;
}

/** Adds the zero values that Go would print, so that an object looks as the server answers it. */
function fillZeros(object: Json, type: StructType): Json {
  let out: Record<string, unknown> | undefined;
  for (const field of alwaysPrinted(type)) {
    if (Object.hasOwn(object, field.name)) continue;
    const zero = fieldZero(field);
    if (zero === undefined) continue;
    out ??= { ...object };
    out[field.name] = zero;
  }
  return out ?? object;
}

/**
 * Structs that decode to themselves, by identity: objects are immutable, so a PATCH of a status need not read the
 * spec again, nor a controller's PUT what it did not change.
 */
const decoded = new WeakMap<object, StructType>();

function decodeStruct(object: Json, type: StructType, ctx: Context, place: Place | undefined): Json {
  if (decoded.get(object) === type) return object;
  const faults = ctx.strict.length;
  const result = readStruct(object, type, ctx, place);
  if (ctx.error === undefined && ctx.strict.length === faults) decoded.set(result, type);
  return result;
}

function readField(value: unknown, field: Field, type: StructType, ctx: Context, key: string, place: Place | undefined): unknown {
  const { of } = field;
  if (value === null) return field.omission === "always" ? fieldZero(field) : undefined;
  // The most frequent kind of field needs no place for an error.
  if (of.type === "scalar" && typeof value === "string" && (of.code === "s" || of.code === "UID")) return value;
  return decodeValue(value, of, ctx, { struct: type, at: key, kind: "field", parent: place });
}

function readStruct(object: Json, type: StructType, ctx: Context, place: Place | undefined): Json {
  const keys = Object.keys(object);
  // A copy is begun at the first field that changes: most structs are fine as they are.
  let out: Record<string, unknown> | undefined;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const value = object[key];
    const field = type.fields.get(key);
    let next: unknown;
    let drop = false;
    if (field === undefined) {
      if (ctx.strict.length < MAX_STRICT_ERRORS) ctx.strict.push(`unknown field ${JSON.stringify(pathOf({ struct: type, at: key, kind: "field", parent: place }))}`);
      drop = true;
    } else {
      next = readField(value, field, type, ctx, key, place);
      drop = dropped(next, field);
    }
    if (out === undefined) {
      if (!drop && next === value) continue;
      out = {};
      for (let j = 0; j < i; j++) out[keys[j] as string] = object[keys[j] as string];
    }
    if (!drop) out[key] = next;
  }
  return fillZeros(out ?? object, type);
}

/**
 * Decodes a plain object into the kind it names, in the form the API server would answer: canonical quantities and times, Go's zero values,
 * no unknown fields. The error is upstream's text without the "cannot be handled" frame. Kinds that are not built in are taken as they are.
 */
export function decodeObject(body: unknown, options: DecodeOptions = {}): DecodeResult {
  if (!isObject(body)) return { error: `json: cannot unmarshal ${jsonKind(body)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }` };
  const { apiVersion, kind } = body;
  if (typeof kind !== "string" || kind === "") return { error: "Object 'Kind' is missing in the request body" };
  if (typeof apiVersion !== "string" || apiVersion === "") return { error: "Object 'apiVersion' is missing in the request body" };
  const type = kindType(apiVersion, kind);
  const ctx: Context = { error: undefined, patched: options.patched === true, strict: (options.duplicates ?? []).map((path) => `duplicate field ${JSON.stringify(path)}`) };
  let object: Json = body;
  try {
    if (type) object = decodeStruct(body, type, ctx, undefined);
    else object = decodeCustom(body, ctx);
  } catch (error) {
    if (error instanceof DecodeAbort) return { error: error.message };
    throw error;
  }
  if (ctx.error !== undefined) return { error: ctx.error };
  if (ctx.strict.length > 0 && (options.fieldValidation ?? "Strict") === "Strict") return { error: `strict decoding error: ${ctx.strict.join(", ")}` };
  return { object: object as unknown as KubeObject, warnings: options.fieldValidation === "Warn" ? ctx.strict : [] };
}

/** Custom resources: their definition's schema is applied by the server (api/apiextensions). */
function decodeCustom(body: Json, ctx: Context): Json {
  const meta = structType("ObjectMeta");
  const metadata = isObject(body["metadata"]) ? body["metadata"] : {};
  if (meta === undefined) return body;
  return { ...body, metadata: decodeStruct(metadata, meta, ctx, { struct: meta, at: "metadata", kind: "field", parent: undefined }) };
}

/** metadata alone, as custom resources have it: unknown fields are told by their paths. */
export function decodeObjectMeta(value: unknown): { readonly metadata: unknown; readonly unknown: readonly string[]; readonly error?: undefined } | { readonly error: string } {
  const meta = structType("ObjectMeta");
  const ctx: Context = { error: undefined, patched: false, strict: [] };
  if (!isObject(value) || meta === undefined) return { error: `json: cannot unmarshal ${jsonKind(value)} into Go value of type v1.ObjectMeta` };
  try {
    const metadata = decodeStruct(value, meta, ctx, undefined);
    return ctx.error === undefined ? { metadata, unknown: ctx.strict.map((text) => String(JSON.parse(text.slice("unknown field ".length)))) } : { error: ctx.error };
  } catch (error) {
    if (error instanceof DecodeAbort) return { error: error.message };
    throw error;
  }
}

/** The 400 of a POST or PUT whose body cannot be decoded. */
export function decodeErrorStatus(body: unknown, error: string): Status {
  const kind = isObject(body) && typeof body["kind"] === "string" ? body["kind"] : "";
  const version = isObject(body) && typeof body["apiVersion"] === "string" ? versionOf(body["apiVersion"]) : "";
  return newBadRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${error}`);
}

/** Decodes a request body: the object, or the Status to answer. */
export function decodeRequest(body: unknown, options: DecodeOptions = {}): { readonly object: KubeObject; readonly warnings: readonly string[] } | Status {
  const result = decodeObject(body, options);
  return result.error === undefined ? result : decodeErrorStatus(body, result.error);
}
