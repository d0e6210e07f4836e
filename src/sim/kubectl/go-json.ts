// Models Go's encoding/json and the order in which Go writes the fields of API types
import { sortKeys } from "../api/json.ts";
import { kindType, structType, type TypeRef } from "../api/schema/schema.ts";

const escape = (text: string): string => text.replaceAll("&", "\\u0026").replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");

/** Compact, keys sorted, HTML characters escaped. */
export const goJson = (value: unknown): string => escape(JSON.stringify(sortKeys(value)));

/** As -o json prints: four spaces. */
export const indented = (value: unknown): string => `${escape(JSON.stringify(value, null, 4))}\n`;

function ordered(value: unknown, type: TypeRef | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => ordered(item, type?.type === "list" ? type.of : undefined));
  if (typeof value !== "object" || value === null) return value;
  const map = value as Readonly<Record<string, unknown>>;
  const struct = type?.type === "struct" ? structType(type.name) : undefined;
  if (struct === undefined) return Object.fromEntries(Object.keys(map).sort().map((key) => [key, ordered(map[key], type?.type === "map" ? type.of : undefined)]));
  const names = [...struct.fields.keys()].filter((name) => Object.hasOwn(map, name));
  const others = Object.keys(map).filter((name) => !struct.fields.has(name)).sort();
  return Object.fromEntries([...names, ...others].map((name) => [name, ordered(map[name], struct.fields.get(name)?.of)]));
}

/** An object as a typed Go value is written: kind and apiVersion, then the fields in the order of their declaration. */
export function inGoOrder(object: { readonly apiVersion: string; readonly kind: string }): unknown {
  const type = kindType(object.apiVersion, object.kind);
  if (type === undefined) {
    const { kind, apiVersion, ...rest } = object;
    return { kind, apiVersion, ...rest };
  }
  const { kind, apiVersion, ...rest } = object;
  return { kind, apiVersion, ...(ordered(rest, { type: "struct", name: type.name }) as object) };
}

/** A list or object as the server writes it on the wire: the items of a list do not repeat their kind. */
export function goListJson(body: unknown): string {
  const { kind = "", apiVersion = "", items, ...rest } = (body ?? {}) as { readonly kind?: string; readonly apiVersion?: string; readonly items?: readonly { readonly apiVersion: string; readonly kind: string }[] };
  if (!kind.endsWith("List") || items === undefined) return escape(JSON.stringify(inGoOrder({ ...rest, kind, apiVersion })));
  const bare = items.map((item) => {
    const { kind: _k, apiVersion: _v, ...fields } = inGoOrder({ ...item, apiVersion, kind: kind.slice(0, -4) }) as Record<string, unknown>;
    return fields;
  });
  return escape(JSON.stringify({ kind, apiVersion, ...rest, items: bare }));
}
