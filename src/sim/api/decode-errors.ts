// Models the errors of sigs.k8s.io/json and of runtime.DefaultUnstructuredConverter (kubernetes/staging/src/k8s.io/apimachinery/pkg/runtime/converter.go)
import { goFieldPath } from "./schema/embedded-structs.ts";
import { goStructName, goTypeName, type StructType, type TypeRef } from "./schema/schema.ts";

/** An UnmarshalJSON of a type failed: decoding stops there, unlike for a wrong type, which is only remembered. */
export class DecodeAbort extends Error {}

export const abort = (text: string): never => {
  throw new DecodeAbort(text);
};

export interface Context {
  /** First wrong type met. */
  error: string | undefined;
  readonly strict: string[];
  readonly patched: boolean;
  /** Fields are met in the struct's order, not the object's. */
  readonly ordered: boolean;
  /** Paths of keys that the text repeats. */
  readonly duplicates: ReadonlySet<string>;
}

/** Where the decoder is: the innermost struct and the way to it. Texts are made of it only for an error. */
export interface Place {
  readonly struct: StructType;
  /** A field of a struct, a key of a map, or a position in a list. */
  readonly at: string | number;
  readonly kind: "field" | "key" | "item";
  readonly parent: Place | undefined;
}

/** Field names from the root, embedded structs included: "spec.volumes.VolumeSource.emptyDir". */
function fieldsOf(place: Place | undefined): string {
  if (place === undefined) return "";
  const parent = fieldsOf(place.parent);
  if (place.kind !== "field") return parent;
  const name = goFieldPath(place.struct.name, String(place.at));
  return parent === "" ? name : `${parent}.${name}`;
}

/** The strict decoder's path: "spec.containers[0].name". */
export function pathOf(place: Place | undefined): string {
  if (place === undefined) return "";
  const parent = pathOf(place.parent);
  if (place.kind === "item") return `${parent}[${place.at}]`;
  return parent === "" ? String(place.at) : `${parent}.${place.at}`;
}

export function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "object" ? "object" : typeof value;
}

/** An UnmarshalTypeError. */
export function typeErrorText(place: Place, shown: string, type: string): string {
  const path = fieldsOf(place);
  return `json: cannot unmarshal ${shown} into ${path === "" ? "Go value" : `Go struct field ${goStructName(place.struct)}.${path}`} of type ${type}`;
}

const UNSTRUCTURED_KINDS: Readonly<Record<string, string>> = { array: "slice", object: "map" };

function sourceKind(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  const kind = jsonKind(value);
  return UNSTRUCTURED_KINDS[kind] ?? kind;
}

/** What Go's reflection may convert but JSON does not: numbers among each other, and whole numbers to texts. */
const isConvertible = (source: string, target: string): boolean => (source === "int64" && target !== "bool") || (source === "float64" && (target === "int32" || target === "int64"));

/** runtime.DefaultUnstructuredConverter: the first wrong type ends it, without saying where. */
function unstructuredError(value: unknown, of: TypeRef): string {
  const source = sourceKind(value);
  if (of.type === "list" || (of.type === "scalar" && of.code === "y")) return `cannot restore slice from ${source}`;
  if (of.type === "map") return `cannot restore map from ${source}`;
  if (of.type === "struct") return `cannot restore struct from: ${source}`;
  const type = goTypeName(of);
  const kind = of.code === "s" || of.code === "UID" ? "string" : type;
  return isConvertible(source, kind) ? `cannot convert ${source} to ${type}` : `unrecognized type: ${kind}`;
}

/** A value of another type than the field's: remembered, or the end when a patched object is converted. */
export function wrongType(ctx: Context, place: Place, value: unknown, of: TypeRef, shown: string = jsonKind(value)): undefined {
  if (ctx.patched) return abort(unstructuredError(value, of));
  ctx.error ??= typeErrorText(place, shown, goTypeName(of));
  return undefined;
}

/** The same inside of an UnmarshalJSON: it ends decoding. */
export const wrongTypeInside = (ctx: Context, place: Place, value: unknown, type: string, shown: string = jsonKind(value)): never =>
  abort(ctx.patched ? `json: cannot unmarshal ${shown} into Go value of type ${type}` : typeErrorText(place, shown, type));

/** Upstream stops listing after this many strict errors. */
const MAX_STRICT_ERRORS = 100;

/** Remembers an unknown or repeated field, once. */
export function strictError(ctx: Context, kind: "unknown field" | "duplicate field", path: string): void {
  const text = `${kind} ${ctx.patched ? `"${path}"` : JSON.stringify(path)}`;
  if (ctx.strict.includes(text) || (!ctx.patched && ctx.strict.length >= MAX_STRICT_ERRORS)) return;
  ctx.strict.push(text);
}
