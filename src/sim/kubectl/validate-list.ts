// Models kubernetes/staging/src/k8s.io/kubectl/pkg/validation and pkg/util/openapi/validation: what kubectl checks itself, since the server does not know the kind List
import { allKinds, kindType, structType, type TypeRef } from "../api/schema/schema.ts";

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

const META = new Set(["ObjectMeta", "ListMeta", "LabelSelector", "LabelSelectorRequirement", "OwnerReference", "ManagedFieldsEntry", "Condition", "DeleteOptions"]);

function reach(ref: TypeRef, into: Set<string>): void {
  if (ref.type === "list" || ref.type === "map") return reach(ref.of, into);
  if (ref.type !== "struct" || into.has(ref.name)) return;
  into.add(ref.name);
  for (const field of structType(ref.name)?.fields.values() ?? []) reach(field.of, into);
}

let core: Set<string> | undefined;
/** Types that belong to core/v1 whichever kind uses them. */
function coreTypes(): ReadonlySet<string> {
  if (core === undefined) {
    core = new Set();
    for (const [apiVersion, kind] of allKinds()) {
      const type = apiVersion === "v1" ? kindType(apiVersion, kind) : undefined;
      if (type) reach({ type: "struct", name: type.name }, core);
    }
  }
  return core;
}

/** "io.k8s.api.core.v1.PodSpec": a type's name in the OpenAPI document. */
function modelName(name: string, apiVersion: string): string {
  const plain = name.split("@")[0] ?? name;
  if (META.has(plain)) return `io.k8s.apimachinery.pkg.apis.meta.v1.${plain}`;
  if (coreTypes().has(name)) return `io.k8s.api.core.v1.${plain}`;
  const [group = "", version = ""] = apiVersion.split("/");
  return `io.k8s.api.${group.split(".")[0] ?? ""}.${version}.${plain}`;
}

const EXPECTED: Readonly<Record<string, string>> = { i: "integer", l: "integer", f: "number", b: "boolean" };
const gotType = (value: unknown): string => (Array.isArray(value) ? "array" : isJson(value) ? "map" : typeof value === "number" ? (Number.isInteger(value) ? "integer" : "number") : typeof value);

/** Problems of a value: unknown fields and wrong types, by path, fields in the order of their names. */
function check(value: unknown, ref: TypeRef, path: string, owner: string, apiVersion: string): string[] {
  if (value === null || value === undefined) return [];
  const wrong = (expected: string, name: string): string[] => [`ValidationError(${path}): invalid type for ${name}: got ${JSON.stringify(gotType(value))}, expected ${JSON.stringify(expected)}`];
  if (ref.type === "list") return Array.isArray(value) ? value.flatMap((item: unknown, i) => check(item, ref.of, `${path}[${i}]`, owner, apiVersion)) : wrong("array", owner);
  if (ref.type === "map") return isJson(value) ? Object.keys(value).sort().flatMap((key) => check(value[key], ref.of, `${path}.${key}`, owner, apiVersion)) : wrong("map", owner);
  if (ref.type === "struct") {
    const name = modelName(ref.name, apiVersion);
    if (!isJson(value)) return wrong("map", name);
    const fields = structType(ref.name)?.fields;
    return Object.keys(value).sort().flatMap((key) => {
      const field = fields?.get(key);
      return field === undefined ? [`ValidationError(${path}): unknown field ${JSON.stringify(key)} in ${name}`] : check(value[key], field.of, `${path}.${key}`, `${name}.${key}`, apiVersion);
    });
  }
  const expected = EXPECTED[ref.code];
  // A number may stand where a text is wanted; not the other way around.
  if (expected === undefined) return ref.code === "s" && (isJson(value) || Array.isArray(value)) ? wrong("string", owner) : [];
  const got = gotType(value);
  return got === expected || (expected === "number" && got === "integer") ? [] : wrong(expected, owner);
}

/** What is wrong with the items of a v1 List, as upstream lists it; undefined when nothing is. */
export function validateList(items: readonly unknown[]): string | undefined {
  const problems = items.flatMap((item) => {
    const { apiVersion, kind } = isJson(item) ? item : {};
    const type = typeof apiVersion === "string" && typeof kind === "string" ? kindType(apiVersion, kind) : undefined;
    return type === undefined || typeof apiVersion !== "string" ? [] : check(item, { type: "struct", name: type.name }, String(kind), "", apiVersion);
  });
  return problems.length === 0 ? undefined : problems.length === 1 ? problems[0] : `[${problems.join(", ")}]`;
}
