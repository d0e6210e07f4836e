// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/runtime/serializer/json and sigs.k8s.io/json (strict, case sensitive)
import { type Context, DecodeAbort, abort, jsonKind, pathOf, type Place, strictError, wrongType } from "./decode-errors.ts";
import { decodeScalar } from "./decode-scalars.ts";
import { type Field, kindType, type StructType, structType, type TypeRef } from "./schema/schema.ts";
import { type ApiResource, versionOf } from "./schema/resources.ts";
import { newBadRequest } from "./status-errors.ts";
import type { KubeObject, Status } from "./types.ts";

export type FieldValidation = "Strict" | "Warn" | "Ignore";
export interface DecodeOptions {
  readonly fieldValidation?: FieldValidation;
  /** Repeated keys of the JSON text (json.ts); a parsed object no longer shows them. */
  readonly duplicates?: readonly string[];
  /** What the URL says: the kind of a body that names none. */
  readonly expected?: Pick<ApiResource, "apiVersion" | "kind"> | undefined;
  /** The object is the result of a strategic merge patch: it goes through another converter, whose texts for wrong types differ. */
  readonly patched?: boolean;
}
export type DecodeResult =
  | { readonly object: KubeObject; readonly warnings: readonly string[]; readonly error?: undefined }
  /** `unread`: not even a kind could be made out. */
  | { readonly object?: undefined; readonly error: string; readonly unread?: boolean };

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

function noteDuplicate(ctx: Context, place: Place): void {
  const path = pathOf(place);
  if (ctx.duplicates.has(path)) strictError(ctx, "duplicate field", path);
}

function decodeList(value: unknown, of: TypeRef & { readonly type: "list" }, ctx: Context, place: Place): unknown {
  if (!Array.isArray(value)) return wrongType(ctx, place, value, of);
  let out: unknown[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const item: unknown = value[i];
    const next = item === null ? zeroValue(of.of) : decodeValue(item, of.of, ctx, { struct: place.struct, at: i, kind: "item", parent: place });
    if (next !== item) (out ??= [...(value as readonly unknown[])])[i] = next;
  }
  return out ?? value;
}

function decodeMap(value: unknown, of: TypeRef & { readonly type: "map" }, ctx: Context, place: Place): unknown {
  if (!isObject(value)) return wrongType(ctx, place, value, of);
  let changed = false;
  const out: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const next = item === null ? zeroValue(of.of) : decodeValue(item, of.of, ctx, { struct: place.struct, at: key, kind: "key", parent: place });
    if (ctx.duplicates.size > 0) noteDuplicate(ctx, { struct: place.struct, at: key, kind: "key", parent: place });
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
      const union = of.name === SCHEMA ? unionAt(place) : undefined;
      if (union !== undefined) return decodeUnion(value, type, ctx, place, union);
      return isObject(value) ? decodeStruct(value, type, ctx, place) : wrongType(ctx, place, value, of);
    }
  }
}

const SCHEMA = "JSONSchemaProps";
type Union = "array" | "bool" | "strings";
const UNIONS: ReadonlyMap<string | number, Union> = new Map([["items", "array"], ["additionalProperties", "bool"], ["additionalItems", "bool"]]);

function unionAt({ kind, at, parent }: Place): Union | undefined {
  if (kind === "field") return UNIONS.get(at);
  return kind === "key" && parent?.kind === "field" && parent.at === "dependencies" ? "strings" : undefined;
}

/** apiextensions/v1/marshal.go: a schema, or a list or a boolean. These read themselves: the strict decoder does not see what is inside, and a wrong type ends it all. */
function decodeUnion(value: unknown, type: StructType, ctx: Context, place: Place, union: Union): unknown {
  const inner: Context = { ...ctx, error: undefined, strict: [] };
  const read = (item: unknown): unknown => (isObject(item) ? decodeStruct(item, type, inner, place) : wrongType(inner, place, item, { type: "struct", name: SCHEMA }));
  if (union === "bool" && !isObject(value)) return typeof value === "boolean" ? value : abort("boolean or JSON schema expected");
  if (!isObject(value) && !Array.isArray(value)) return null;
  const out = isObject(value) ? read(value) : union === "strings" ? value : value.map(read);
  return inner.error === undefined ? out : abort(inner.error);
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
  if (field.omission === "null") return null;
  if (field.of.type !== "list" && field.of.type !== "map") return zeroValue(field.of);
  return field.name === "containers" ? [] : null;
}

const isEmpty = (value: unknown): boolean =>
  value === "" || value === 0 || value === false || value === null || value === undefined || (Array.isArray(value) ? value.length === 0 : typeof value === "object" && Object.keys(value).length === 0);

function dropped(value: unknown, field: Field): boolean {
  if (value === undefined || (value === null && field.omission !== "always" && field.omission !== "null")) return true;
  return (field.omission === "omitempty" || field.omission === "omitzero") && isEmpty(value);
}

const printed = new Map<StructType, readonly Field[]>();

function alwaysPrinted(type: StructType): readonly Field[] {
  let fields = printed.get(type);
  if (fields === undefined) {
    fields = [...type.fields.values()].filter(({ omission }) => omission === "always" || omission === "null");
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
  if (value === null) return field.omission === "always" || field.omission === "null" ? fieldZero(field) : undefined;
  // The most frequent kind of field needs no place for an error.
  if (of.type === "scalar" && typeof value === "string" && (of.code === "s" || of.code === "UID")) return value;
  return decodeValue(value, of, ctx, { struct: type, at: key, kind: "field", parent: place });
}

/** The order in which a converter meets the fields: the struct's own. */
const inGoOrder = (object: Json, type: StructType): string[] => [...type.fields.keys()].filter((key) => Object.hasOwn(object, key));

function readStruct(object: Json, type: StructType, ctx: Context, place: Place | undefined): Json {
  const keys = ctx.ordered ? inGoOrder(object, type) : Object.keys(object);
  // A copy is begun at the first field that changes: most structs are fine as they are.
  let out: Record<string, unknown> | undefined;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const value = object[key];
    const field = type.fields.get(key);
    let next: unknown;
    let drop = false;
    if (field === undefined) {
      strictError(ctx, "unknown field", pathOf({ struct: type, at: key, kind: "field", parent: place }));
      drop = true;
    } else {
      next = readField(value, field, type, ctx, key, place);
      drop = dropped(next, field);
      if (ctx.duplicates.size > 0) noteDuplicate(ctx, { struct: type, at: key, kind: "field", parent: place });
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

const newContext = (patched: boolean, duplicates: readonly string[] = [], ordered = false): Context => ({ error: undefined, strict: [], patched, ordered, duplicates: new Set(duplicates) });

const HEAD_ERROR = "couldn't get version/kind; json parse error: json: cannot unmarshal";
const HEAD_TYPE = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** SimpleMetaFactory.Interpret, and what the URL adds. */
function readHead(body: unknown, expected: DecodeOptions["expected"]): { readonly apiVersion: string; readonly kind: string } | { readonly error: string; readonly unread: true } {
  if (!isObject(body)) return { error: `${HEAD_ERROR} ${jsonKind(body)} into Go value of type ${HEAD_TYPE}`, unread: true };
  const wrong = ["apiVersion", "kind"].find((key) => typeof (body[key] ?? "") !== "string");
  if (wrong !== undefined) return { error: `${HEAD_ERROR} ${jsonKind(body[wrong])} into Go struct field .${wrong} of type string`, unread: true };
  const apiVersion = String(body["apiVersion"] ?? "");
  if (apiVersion.split("/").length > 2) return { error: `unexpected GroupVersion string: ${apiVersion}`, unread: true };
  return { apiVersion: apiVersion === "" ? (expected?.apiVersion ?? "") : apiVersion, kind: String(body["kind"] ?? "") || (expected?.kind ?? "") };
}

/** Reads `body` into its type or a custom object; upstream's error text when it cannot be read. */
function readBody(body: Json, type: StructType | undefined, ctx: Context): Json | string {
  try {
    return type === undefined ? decodeCustom(body, ctx) : decodeStruct(body, type, ctx, undefined);
  } catch (error) {
    if (error instanceof DecodeAbort) return error.message;
    throw error;
  }
}

/**
 * Decodes a plain object into the kind it names, in the form the API server would answer: canonical quantities and times, Go's zero values,
 * no unknown fields. The error is upstream's text without the "cannot be handled" frame. Kinds that are not built in are taken as they are.
 */
export function decodeObject(body: unknown, options: DecodeOptions = {}): DecodeResult {
  const head = readHead(body, options.expected);
  if ("error" in head) return head;
  const { apiVersion, kind } = head;
  if (kind === "") return { error: `Object 'Kind' is missing in '${JSON.stringify(body)}'`, unread: true };
  if (apiVersion === "") return { error: `Object 'apiVersion' is missing in '${JSON.stringify(body)}'` };
  const given = body as Json;
  const named = given["kind"] === kind && given["apiVersion"] === apiVersion ? given : { ...given, apiVersion, kind };
  const type = kindType(apiVersion, kind);
  const patched = options.patched === true;
  const ctx = newContext(patched, options.duplicates);
  const object = readBody(named, type, ctx);
  // A converter goes by the order of the struct: which of several mistakes ends it is found by another walk.
  if (typeof object === "string") return { error: patched ? String(readBody(named, type, newContext(true, [], true))) : object };
  if (ctx.error !== undefined) return { error: ctx.error };
  if (patched) ctx.strict.sort();
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
  const ctx = newContext(false);
  if (!isObject(value) || meta === undefined) return { error: `json: cannot unmarshal ${jsonKind(value)} into Go value of type v1.ObjectMeta` };
  try {
    const metadata = decodeStruct(value, meta, ctx, undefined);
    return ctx.error === undefined ? { metadata, unknown: ctx.strict.map((text) => String(JSON.parse(text.slice("unknown field ".length)))) } : { error: ctx.error };
  } catch (error) {
    if (error instanceof DecodeAbort) return { error: error.message };
    throw error;
  }
}

const SUMMARY_LENGTH = 30;

/** The beginning of a body: as it is, or in hexadecimal when it is no object. */
function summaryOf(body: unknown): string {
  const text = JSON.stringify(body);
  const shown = text.slice(0, SUMMARY_LENGTH);
  const rest = text.length > SUMMARY_LENGTH ? " ..." : "";
  return (text.startsWith("{") ? shown : [...shown].map((character) => (character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")).join("")) + rest;
}

/** The 400 of a POST or PUT whose body cannot be decoded (transformDecodeError). */
export function decodeErrorStatus(body: unknown, { error, unread }: { readonly error: string; readonly unread?: boolean }, expected?: DecodeOptions["expected"]): Status {
  const named = isObject(body) ? body : {};
  const kind = String(named["kind"] ?? "") || (expected?.kind ?? "");
  if (unread === true) return newBadRequest(`the object provided is unrecognized (must be of type ${expected?.kind ?? kind}): ${error} (${summaryOf(body)})`);
  const version = versionOf(String(named["apiVersion"] ?? "") || (expected?.apiVersion ?? ""));
  return newBadRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected?.kind ?? kind}: ${error}`);
}

/** Decodes a request body: the object, or the Status to answer. */
export function decodeRequest(body: unknown, options: DecodeOptions = {}): { readonly object: KubeObject; readonly warnings: readonly string[] } | Status {
  const result = decodeObject(body, options);
  return result.error === undefined ? result : decodeErrorStatus(body, result, options.expected);
}
