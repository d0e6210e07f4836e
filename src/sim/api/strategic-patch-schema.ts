// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/meta.go
import { type Field, kindType, type StructType, structType, type TypeRef } from "./schema/schema.ts";

export type Json = Readonly<Record<string, unknown>>;
export const isMap = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** What is known of a map in a patch: its struct, or nothing (labels, custom fields). */
export type PatchType = StructType | undefined;

export const rootType = (kind: { readonly apiVersion: string; readonly kind: string }): PatchType => kindType(kind.apiVersion, kind.kind);

export const fieldOf = (type: PatchType, key: string): Field | undefined => type?.fields.get(key);

/** The struct inside a field: of the object itself, of a list's items or of a map's values. */
export function innerType(field: Field | undefined): PatchType {
  let of: TypeRef | undefined = field?.of;
  while (of?.type === "list" || of?.type === "map") of = of.of;
  return of?.type === "struct" ? structType(of.name) : undefined;
}

/** Position of an item in a list: maps by their merge key, plain values by equality. */
export const indexOfItem = (list: readonly unknown[], item: unknown, mergeKey: string): number =>
  list.findIndex((other) => (mergeKey === "" ? other === item : isMap(other) && isMap(item) && other[mergeKey] === item[mergeKey]));

export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]));
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

export const SET_ORDER = "$setElementOrder/";
export const DELETE_FROM_LIST = "$deleteFromPrimitiveList/";
export const RETAIN_KEYS = "$retainKeys";
export const DIRECTIVE = "$patch";
