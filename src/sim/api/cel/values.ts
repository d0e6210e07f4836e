// Models kubernetes/staging/src/k8s.io/apiserver/pkg/cel/common/values.go
import { Environment, Optional } from "@marcbachmann/cel-js";
import { base64Decode } from "../base64.ts";
import { celQuantity } from "./library/quantity.ts";
import { type CelRecord, type CelType, isTimestamp } from "./types.ts";

/** Objects of record types carry their type as their class: the interpreter tells types apart by it. */
export type RecordClass = new (entries: readonly (readonly [string, unknown])[]) => ReadonlyMap<string, unknown>;

const times = new Environment().registerVariable("text", "string");
const readTimestamp = times.parse("timestamp(text)");
const readDuration = times.parse("duration(text)");
const readBytes = times.parse("bytes(text)");
const timeOf = (read: (vars: Record<string, string>) => unknown, text: unknown): unknown => (typeof text === "string" ? read({ text }) : text);

const sortedEntries = (value: object): [string, unknown][] => Object.entries(value).filter(([, item]) => item !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));

// Stored objects never change and are looked at by many expressions.
const converted = new WeakMap<object, unknown>();

function dynamic(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null || value instanceof Map || !isJson(value)) return value;
  const known = converted.get(value);
  if (known !== undefined) return known;
  // Sorted keys: the interpreter guesses a map's type from its first entry, and equal maps must look alike.
  const made = Array.isArray(value) ? value.map(dynamic) : new Map(sortedEntries(value).map(([key, item]) => [key, dynamic(item)]));
  converted.set(value, made);
  return made;
}

const isJson = (value: object): boolean => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null;

type Computed = { readonly value: unknown } | { readonly kind: "compile" | "runtime" | "cost"; readonly error: string };

/** The fields of a record that are computed when they are read; `failure` is the last that could not be. */
export class LazyVariables {
  failure: Exclude<Computed, { readonly value: unknown }> | undefined;
  readonly #compute: (name: string) => Computed;

  constructor(compute: (name: string) => Computed) {
    this.#compute = compute;
  }

  /** The value; the reader fails when there is none. */
  read(name: string): unknown {
    const result = this.#compute(name);
    if (!("error" in result)) return result.value;
    this.failure = result;
    throw new Error(result.error);
  }
}

/** The record as the interpreter holds it, with every field behind a getter. */
function lazyRecord(lazy: LazyVariables, fields: ReadonlyMap<string, CelType>, made: ReadonlyMap<string, unknown>, classOf: (record: CelRecord) => RecordClass): unknown {
  const read = (key: string): unknown => toCel(lazy.read(key), fields.get(key) ?? "dyn", classOf);
  return Object.assign(made, { get: (key: string): unknown => (fields.has(key) ? read(key) : undefined), has: (key: string): boolean => fields.has(key) });
}

/** A JSON value as the interpreter holds it, by its declared type. */
export function toCel(value: unknown, type: CelType, classOf: (record: CelRecord) => RecordClass): unknown {
  if (value === null || value === undefined) return value;
  if (typeof type === "string") return scalar(value, type);
  if ("list" in type) return Array.isArray(value) ? value.map((item) => toCel(item, type.list, classOf)) : value;
  if (value instanceof LazyVariables && "record" in type) return lazyRecord(value, new Map(Object.entries(type.fields)), new (classOf(type))([]), classOf);
  if (typeof value !== "object" || !isJson(value) || "optional" in type) return optional(value, type, classOf);
  if ("map" in type) return new Map(sortedEntries(value).map(([key, item]) => [key, toCel(item, type.map, classOf)]));
  const fields = new Map(Object.entries(type.fields));
  const { escaped } = type;
  const entries = escaped === undefined ? sortedEntries(value) : sortedEntries(value).map(([key, item]): [string, unknown] => [escaped[key] ?? key, item]);
  return new (classOf(type))(entries.filter(([key]) => fields.has(key)).map(([key, item]) => [key, toCel(item, fields.get(key) ?? "dyn", classOf)]));
}

function optional(value: unknown, type: CelType, classOf: (record: CelRecord) => RecordClass): unknown {
  if (typeof type !== "object" || !("optional" in type) || !(value instanceof Optional) || !value.hasValue()) return value;
  return Optional.of(toCel(value.value(), type.optional, classOf));
}

function scalar(value: unknown, type: Extract<CelType, string>): unknown {
  switch (type) {
    case "int":
      return typeof value === "number" ? BigInt(Math.trunc(value)) : value;
    case "timestamp":
      return timeOf(readTimestamp, value);
    case "duration":
      return timeOf(readDuration, value);
    case "bytes":
      return typeof value === "string" ? timeOf(readBytes, base64Decode(value)) : value;
    case "quantity":
      return typeof value === "string" || typeof value === "number" ? celQuantity(String(value)) : value;
    case "dyn":
      return dynamic(value);
    default:
      return value;
  }
}

/** The JSON of an interpreter's value. Absent optionals vanish. */
export function fromCel(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(fromCel);
  if (value instanceof Optional) return value.hasValue() ? fromCel(value.value()) : undefined;
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), fromCel(item)]));
  if (isTimestamp(value)) return value.toISOString().replace(".000Z", "Z");
  if (Object.getPrototypeOf(value) === Object.prototype) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromCel(item)]));
  // Unsigned ints are numbers; durations, quantities, addresses are their text.
  const plain: unknown = value.valueOf();
  return typeof plain === "bigint" ? Number(plain) : String(value);
}
