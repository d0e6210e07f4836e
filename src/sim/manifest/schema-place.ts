import { allKinds, enumValues, type Field, kindType, structType, type TypeRef } from "../api/schema/schema.ts";
import type { Step } from "./caret.ts";

type Json = Readonly<Record<string, unknown>>;
export const recordOf = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The value at the end of a way; undefined where it leads nowhere. */
export function dig(value: unknown, steps: readonly Step[]): unknown {
  return steps.reduce<unknown>((current, step) => (typeof step === "number" ? (Array.isArray(current) ? (current as readonly unknown[])[step] : undefined) : recordOf(current)[step]), value);
}

/** "spec.containers[0].image" */
export const pathText = (steps: readonly Step[]): string => steps.reduce<string>((path, step) => (typeof step === "number" ? `${path}[${step}]` : path === "" ? step : `${path}.${step}`), "");

/** What the schema says about one place of one object. */
export interface SchemaPlace {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object itself, and how far into the document it begins (an item of a List). */
  readonly object: Json;
  readonly base: number;
  /** Undefined where any value may stand. */
  readonly ref: TypeRef | undefined;
  /** The struct and field that this is the value of, or an item of. */
  readonly owner: string | undefined;
  readonly field: Field | undefined;
}

const TEXT: TypeRef = { type: "scalar", code: "s" };
const head = (name: string, of: TypeRef): Field => ({ name, of, omission: "omitempty" });
/** What every object has, also one whose kind nobody knows. */
const ROOT_FIELDS: readonly Field[] = [head("apiVersion", TEXT), head("kind", TEXT), head("metadata", { type: "struct", name: "ObjectMeta" })];
const LIST_FIELDS: readonly Field[] = [...ROOT_FIELDS, head("items", { type: "list", of: { type: "struct", name: "" } })];

/** Fields of an object's root. */
export function rootFields(object: Json): readonly Field[] {
  const type = kindType(textOf(object["apiVersion"]), textOf(object["kind"]));
  if (type === undefined) return object["kind"] === "List" ? LIST_FIELDS : ROOT_FIELDS;
  const rank = (name: string): number => ["apiVersion", "kind", "metadata"].indexOf(name) + 1 || 9;
  return [...type.fields.values()].sort((a, b) => rank(a.name) - rank(b.name));
}

/** Names of the fields that may stand in a map of that type; undefined when any key may. */
export function fieldsAt(place: SchemaPlace): readonly Field[] | undefined {
  if (place.field === undefined && place.owner === undefined) return rootFields(place.object);
  if (place.ref?.type !== "struct") return undefined;
  const type = structType(place.ref.name);
  return type === undefined ? undefined : [...type.fields.values()];
}

/** Follows a way from a document's root into the schema of the object it leads to; undefined where the schema has no such place. */
export function placeAt(root: unknown, steps: readonly Step[]): SchemaPlace | undefined {
  let object = recordOf(root);
  let base = 0;
  while (object["kind"] === "List" && steps[base] === "items" && typeof steps[base + 1] === "number") {
    object = recordOf(dig(object, steps.slice(base, base + 2)));
    base += 2;
  }
  let place: SchemaPlace = { apiVersion: textOf(object["apiVersion"]), kind: textOf(object["kind"]), object, base, ref: undefined, owner: undefined, field: undefined };
  for (const step of steps.slice(base)) {
    const next = stepInto(place, step);
    if (next === undefined) return undefined;
    place = next;
  }
  return place;
}

function stepInto(place: SchemaPlace, step: Step): SchemaPlace | undefined {
  const { ref } = place;
  if (typeof step === "number") return ref?.type === "list" ? { ...place, ref: ref.of } : undefined;
  if (ref?.type === "map") return { ...place, ref: ref.of };
  const field = fieldsAt(place)?.find(({ name }) => name === step);
  if (field === undefined) return undefined;
  const owner = ref?.type === "struct" ? ref.name : (kindType(place.apiVersion, place.kind)?.name ?? "");
  return { ...place, ref: field.of, owner, field };
}

/** Kinds with their apiVersion, those that people write first. */
export const writtenKinds = (): readonly (readonly [apiVersion: string, kind: string])[] => [...allKinds().filter(([, kind]) => !NOT_WRITTEN.has(kind)), ["v1", "List"]];
const NOT_WRITTEN = new Set(["Status", "DeleteOptions", "Scale", "Event", "Binding"]);

/** Values that upstream's types leave to a comment. */
const MORE_VALUES: Readonly<Record<string, readonly string[]>> = {
  LabelSelectorOperator: ["In", "NotIn", "Exists", "DoesNotExist"],
  ResourceResizeRestartPolicy: ["NotRequired", "RestartContainer"],
  SecretType: ["Opaque", "kubernetes.io/tls", "kubernetes.io/dockerconfigjson", "kubernetes.io/basic-auth", "kubernetes.io/ssh-auth", "kubernetes.io/service-account-token"],
  StorageMedium: ["Memory"],
  ResourceScope: ["Namespaced", "Cluster"],
  PathType: ["Prefix", "Exact", "ImplementationSpecific"],
  AddressType: ["IPv4", "IPv6", "FQDN"],
  "MetricTargetType@v2": ["Utilization", "AverageValue", "Value"],
  "MetricSourceType@v2": ["Resource", "ContainerResource", "Pods", "Object", "External"],
  Capability: ["ALL", "NET_BIND_SERVICE", "NET_ADMIN", "SYS_TIME", "CHOWN", "SETUID", "SETGID"],
  FSGroupPolicy: ["ReadWriteOnceWithFSType", "File", "None"],
  VolumeLifecycleMode: ["Persistent", "Ephemeral"],
};

/** The values that a type may have; empty when any may. */
export const valuesOf = (ref: TypeRef): readonly string[] => (ref.type !== "scalar" || ref.named === undefined ? [] : enumValues(ref.named).length > 0 ? enumValues(ref.named) : (MORE_VALUES[ref.named] ?? []));
