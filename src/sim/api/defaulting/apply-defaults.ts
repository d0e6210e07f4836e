// Models the generated SetObjectDefaults_* of kubernetes/pkg/apis/*/zz_generated.defaults.go
import { roundUpToMilli } from "../quantity.ts";
import { type Field, kindType, type StructType, structType, type TypeRef } from "../schema/schema.ts";
import type { KubeObject, Quantity } from "../types.ts";
import { CORE_DEFAULTS } from "./core.ts";
import { GROUP_DEFAULTS } from "./groups.ts";
import { isObject, type Json, mapList } from "./with-defaults.ts";

const defaulters: ReadonlyMap<string, (object: Json) => Json> = new Map([...CORE_DEFAULTS, ...GROUP_DEFAULTS]);
const reach = new Map<string, boolean>();

/** Whether the type or anything inside it has defaults: the walk skips everything else. */
function hasDefaults(of: TypeRef): boolean {
  if (of.type === "scalar") return false;
  if (of.type !== "struct") return (of.type === "map" && isQuantity(of.of)) || hasDefaults(of.of);
  const known = reach.get(of.name);
  if (known !== undefined) return known;
  // Recursive types would loop: assume nothing until the answer is known.
  reach.set(of.name, defaulters.has(of.name));
  const type = structType(of.name);
  const found = defaulters.has(of.name) || (type !== undefined && [...type.fields.values()].some((field) => hasDefaults(field.of)));
  reach.set(of.name, found);
  return found;
}

const isQuantity = (of: TypeRef): boolean => of.type === "scalar" && of.code === "Q";

function roundResources(list: Json): Json {
  let out: Record<string, unknown> | undefined;
  for (const [name, quantity] of Object.entries(list)) {
    const rounded = roundUpToMilli(quantity as Quantity);
    if (rounded === quantity) continue;
    out ??= { ...list };
    out[name] = rounded;
  }
  return out ?? list;
}

function walk(value: unknown, of: TypeRef): unknown {
  switch (of.type) {
    case "scalar":
      return value;
    case "list":
      return Array.isArray(value) ? mapList(value as readonly unknown[], (item) => walk(item, of.of)) : value;
    case "map": {
      if (!isObject(value)) return value;
      if (isQuantity(of.of)) return roundResources(value);
      let out: Record<string, unknown> | undefined;
      for (const [key, item] of Object.entries(value)) {
        const next = walk(item, of.of);
        if (next !== item) (out ??= { ...value })[key] = next;
      }
      return out ?? value;
    }
    case "struct": {
      const type = structType(of.name);
      return type !== undefined && isObject(value) ? walkStruct(value, type) : value;
    }
  }
}

/** The fields that the walk goes into. */
const walked = new Map<StructType, readonly Field[]>();

function fieldsToWalk(type: StructType): readonly Field[] {
  let fields = walked.get(type);
  if (fields === undefined) {
    fields = [...type.fields.values()].filter((field) => hasDefaults(field.of));
    walked.set(type, fields);
  }
  return fields;
}

/**
 * Structs that lack nothing, by identity: objects are immutable, so the next write of a status need not walk the spec
 * again. The type is remembered too: the same object might be read as another one.
 */
const complete = new WeakMap<object, StructType>();

function walkStruct(object: Json, type: StructType): Json {
  if (complete.get(object) === type) return object;
  let out = defaulters.get(type.name)?.(object) ?? object;
  for (const field of fieldsToWalk(type)) {
    const value = out[field.name];
    if (value === undefined) continue;
    const next = walk(value, field.of);
    if (next !== value) out = { ...out, [field.name]: next };
  }
  if (out === object) complete.set(object, type);
  return out;
}

/** API defaulting of a decoded object: the same object when nothing was missing. Happens before admission. */
export function applyDefaults<T extends KubeObject>(object: T): T {
  const type = kindType(object.apiVersion, object.kind);
  return type === undefined ? object : (walkStruct(object as unknown as Json, type) as unknown as T);
}
