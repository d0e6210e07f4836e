// Models Go's encoding/json and the order in which Go writes the fields of API types
import { escapeHtml as escape, goJson, sortKeys } from "../api/json.ts";
import { kindType, structType, type TypeRef } from "../api/schema/schema.ts";

export { goJson };

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

/** Documents that Go has types for, though they are no stored kinds. */
const DOCUMENTS = new Set(["v1", "meta.k8s.io/v1", "apidiscovery.k8s.io/v2"]);
/** Custom objects are maps to the server: their fields go in order of their names. */
const isCustom = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean => kindType(apiVersion, kind) === undefined && !DOCUMENTS.has(apiVersion);

/** An object as a typed Go value is written: kind and apiVersion, then the fields in the order of their declaration. */
export function inGoOrder(object: { readonly apiVersion: string; readonly kind: string }): unknown {
  const type = kindType(object.apiVersion, object.kind);
  if (isCustom(object)) return sortKeys(object);
  const { kind, apiVersion, ...rest } = object;
  return type === undefined ? { kind, apiVersion, ...rest } : { kind, apiVersion, ...(ordered(rest, { type: "struct", name: type.name }) as object) };
}

/** A list or object as the server writes it on the wire: the items of a list do not repeat their kind. */
export function goListJson(body: unknown): string {
  if ((body as { readonly kind?: string } | undefined)?.kind === undefined) return escape(JSON.stringify(body ?? {}));
  const { kind = "", apiVersion = "", items, ...rest } = (body ?? {}) as { readonly kind?: string; readonly apiVersion?: string; readonly items?: readonly { readonly apiVersion: string; readonly kind: string }[] };
  if (!kind.endsWith("List") || items === undefined) return escape(JSON.stringify(inGoOrder({ ...rest, kind, apiVersion })));
  if (isCustom({ apiVersion, kind: kind.slice(0, -4) })) return goJson(body);
  const bare = items.map((item) => {
    const { kind: _k, apiVersion: _v, ...fields } = inGoOrder({ ...item, apiVersion, kind: kind.slice(0, -4) }) as Record<string, unknown>;
    return fields;
  });
  return escape(JSON.stringify({ kind, apiVersion, ...rest, items: bare }));
}
