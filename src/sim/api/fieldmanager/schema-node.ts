// Models sigs.k8s.io/structured-merge-diff/v6/schema/elements.go and kubernetes/staging/src/k8s.io/kube-openapi/pkg/schemaconv
import { type Field, kindType, type ScalarCode, type StructType, structType, type TypeRef } from "../schema/schema.ts";
import { ATOMIC_LISTS, ATOMIC_MAPS, ATOMIC_STRUCTS, GRANULAR_FIELDS, KEY_DEFAULTS } from "../schema/list-and-map-types.ts";
import type { Scalar } from "./path-element.ts";

export type ScalarKind = "string" | "numeric" | "boolean" | "untyped";

export interface ListNode {
  readonly element: () => SchemaNode;
  /** Undefined for atomic lists; empty for sets. */
  readonly keys: readonly string[] | undefined;
  /** Values of keys that items may leave out. */
  readonly keyDefaults: Readonly<Record<string, Scalar>>;
}

export interface MapNode {
  readonly atomic: boolean;
  /** Named fields; a map of any keys has none. */
  field(name: string): SchemaNode | undefined;
  /** What other keys hold; undefined when there may be none. */
  readonly element: (() => SchemaNode) | undefined;
}

/** What is known of a value. Untyped data may be more than one of the three. */
export interface SchemaNode {
  readonly scalar?: ScalarKind;
  readonly list?: ListNode;
  readonly map?: MapNode;
}

/** Finds the schema of a kind; undefined for kinds that nobody described. */
export type SchemaLookup = (apiVersion: string, kind: string) => SchemaNode | undefined;

const noField = (): undefined => undefined;
const untypedList: ListNode = { element: () => UNTYPED_ATOMIC, keys: undefined, keyDefaults: {} };
const UNTYPED_ATOMIC: SchemaNode = { scalar: "untyped", list: untypedList, map: { atomic: true, field: noField, element: () => UNTYPED_ATOMIC } };
/** Any JSON: maps are owned key by key, lists as a whole. */
export const DEDUCED: SchemaNode = { scalar: "untyped", list: untypedList, map: { atomic: false, field: noField, element: () => DEDUCED } };

export const scalarNode = (scalar: ScalarKind): SchemaNode => SCALARS[scalar];
const SCALARS: Readonly<Record<ScalarKind, SchemaNode>> = { string: { scalar: "string" }, numeric: { scalar: "numeric" }, boolean: { scalar: "boolean" }, untyped: { scalar: "untyped" } };

function scalarOf(code: ScalarCode): SchemaNode {
  switch (code) {
    case "s":
    case "UID":
    case "y":
    case "D":
      return SCALARS.string;
    case "b":
      return SCALARS.boolean;
    case "i":
    case "l":
    case "f":
      return SCALARS.numeric;
    case "T":
    case "M":
    case "Q":
    case "I":
      return SCALARS.untyped;
    case "R":
      return UNTYPED_ATOMIC;
    case "J":
    case "F":
      return DEDUCED;
  }
}

const structs = new Map<string, SchemaNode>();

function structNode(name: string, granular: boolean): SchemaNode {
  const key = granular ? `${name}/granular` : name;
  let node = structs.get(key);
  if (node === undefined) {
    const type = structType(name);
    node = type === undefined ? DEDUCED : { map: structMap(type, !granular && ATOMIC_STRUCTS.has(name)) };
    structs.set(key, node);
  }
  return node;
}

function structMap(type: StructType, atomic: boolean): MapNode {
  const known = new Map<string, SchemaNode>();
  return {
    atomic,
    element: undefined,
    field(name) {
      let node = known.get(name);
      if (node !== undefined) return node;
      const of = type.fields.get(name);
      if (of === undefined) return undefined;
      node = fieldNode(type, of);
      known.set(name, node);
      return node;
    },
  };
}

function fieldNode(type: StructType, field: Field): SchemaNode {
  const place = `${type.name}.${field.name}`;
  const { of } = field;
  if (of.type === "list") return { list: listNode(field, of.of, place) };
  if (of.type === "map") return { map: { atomic: ATOMIC_MAPS.has(place), field: noField, element: () => typeNode(of.of) } };
  return of.type === "struct" ? structNode(of.name, GRANULAR_FIELDS.has(place)) : scalarOf(of.code);
}

/** Lists without a marker of their own take the strategic merge key, as the OpenAPI conversion does. */
function listNode(field: Field, of: TypeRef, place: string): ListNode {
  const merge = field.mergeKey === undefined || ATOMIC_LISTS.has(place) ? undefined : field.mergeKey === "" ? [] : [field.mergeKey];
  const keys = field.listMapKeys ?? merge;
  const item = of.type === "struct" ? of.name : "";
  const keyDefaults = Object.fromEntries((keys ?? []).flatMap((key) => (KEY_DEFAULTS.has(`${item}.${key}`) ? [[key, KEY_DEFAULTS.get(`${item}.${key}`) ?? ""]] : [])));
  return { element: () => typeNode(of), keys, keyDefaults };
}

function typeNode(of: TypeRef): SchemaNode {
  switch (of.type) {
    case "scalar":
      return scalarOf(of.code);
    case "struct":
      return structNode(of.name, false);
    case "list":
      return { list: { element: () => typeNode(of.of), keys: undefined, keyDefaults: {} } };
    case "map":
      return { map: { atomic: false, field: noField, element: () => typeNode(of.of) } };
  }
}

/** The schema of a built-in kind. */
export function builtInSchema(apiVersion: string, kind: string): SchemaNode | undefined {
  const type = kindType(apiVersion, kind);
  return type === undefined ? undefined : structNode(type.name, false);
}

const OBJECT_META = (): SchemaNode => structNode("ObjectMeta", false);

/** A whole object's fields from what its kind's own fields are: apiVersion, kind and metadata are the same everywhere. */
export function objectMap(own: MapNode): MapNode {
  const common: Readonly<Record<string, () => SchemaNode>> = { apiVersion: () => SCALARS.string, kind: () => SCALARS.string, metadata: OBJECT_META };
  return { ...own, field: (name) => (Object.hasOwn(common, name) ? common[name]?.() : own.field(name)) };
}

/** A custom object of which nothing else is known. */
export const DEDUCED_OBJECT: SchemaNode = { map: objectMap({ atomic: false, field: noField, element: () => DEDUCED }) };
