import { decodeObject } from "../api/decode.ts";
import { applyDefaults } from "../api/defaulting/apply-defaults.ts";
import { type FieldError, fieldErrorText } from "../api/field-error.ts";
import { parseQuantity } from "../api/quantity.ts";
import { resourceForKind } from "../api/schema/resources.ts";
import { kindType, structType, type TypeRef } from "../api/schema/schema.ts";
import type { KubeObject } from "../api/types.ts";
import { validateCreate } from "../api/validation/validate.ts";
import type { Step } from "./caret.ts";
import { dig, recordOf } from "./schema-place.ts";

/** One thing that the API server would refuse, in its words. */
export interface ObjectProblem {
  readonly path: readonly Step[];
  readonly message: string;
}

/** "spec.containers[0].env[1]" and "metadata.labels[a/b]" as steps. */
const stepsOf = (path: string): Step[] => [...path.matchAll(/[^.[\]]+|\[[^\]]*\]/g)].map(([part]) => (part.startsWith("[") ? (/^\[\d+\]$/.test(part) ? Number(part.slice(1, -1)) : part.slice(1, -1)) : part));

/** What is wrong with one object of a manifest: strict decoding, then validation as on a create. */
export function objectProblems(value: unknown): ObjectProblem[] {
  const { apiVersion, kind } = recordOf(value);
  if (typeof apiVersion !== "string" || typeof kind !== "string" || kind.endsWith("List") || kindType(apiVersion, kind) === undefined) return [];
  const decoded = decodeObject(value);
  if (decoded.object !== undefined) return invalidFields(decoded.object, value);
  const unknown = [...decoded.error.matchAll(/unknown field "((?:[^"\\]|\\.)+)"/g)].map((match) => match[1] ?? "");
  if (unknown.length > 0) return unknown.map((path) => ({ path: stepsOf(path), message: `unknown field "${path}"` }));
  const type = kindType(apiVersion, kind);
  return [{ path: (type && mistyped(value, { type: "struct", name: type.name }, [])) ?? [], message: decoded.error }];
}

/** Fields that the server sets itself before it validates: their absence is no mistake. */
const SET_BY_SERVER = /^(metadata\.name|spec\.selector|spec\.template\.metadata\.labels|spec\.clusterIPs?|spec\.jobTemplate\.spec\.selector)/;

/** Validation as on a create, as far as the fields are the user's own. */
function invalidFields(object: KubeObject, written: unknown): ObjectProblem[] {
  const namespaced = resourceForKind(object.apiVersion, object.kind)?.namespaced === true;
  const { metadata } = object;
  const named = { ...metadata, ...(metadata.generateName !== undefined && metadata.name === undefined ? { name: `${metadata.generateName}00000` } : {}), ...(namespaced && metadata.namespace === undefined ? { namespace: "default" } : {}) };
  const { status: _status, ...wanted } = { ...object, metadata: named };
  const errors = validateCreate(applyDefaults(wanted as KubeObject));
  return errors.filter((error) => concernsUser(error, written)).map((error) => ({ path: stepsOf(error.field), message: fieldErrorText(error) }));
}

function concernsUser({ field }: FieldError, written: unknown): boolean {
  const steps = stepsOf(field);
  if (dig(written, steps) !== undefined) return true;
  return !SET_BY_SERVER.test(field) && dig(written, steps.slice(0, -1)) !== undefined;
}

/** The first place, in the order of the text, whose value cannot be of the type that the schema wants. */
function mistyped(value: unknown, ref: TypeRef, steps: readonly Step[]): readonly Step[] | undefined {
  if (value === null || value === undefined) return undefined;
  switch (ref.type) {
    case "list":
      return Array.isArray(value) ? first(value.map((item: unknown, i) => [i, item] as const), () => ref.of, steps) : steps;
    case "map":
      return typeof value === "object" && !Array.isArray(value) ? first(Object.entries(value), () => ref.of, steps) : steps;
    case "struct": {
      const type = structType(ref.name);
      if (type === undefined) return undefined;
      return typeof value === "object" && !Array.isArray(value) ? first(Object.entries(value), (key) => type.fields.get(String(key))?.of, steps) : steps;
    }
    case "scalar":
      return fits(value, ref) ? undefined : steps;
  }
}

function first(entries: readonly (readonly [Step, unknown])[], typeOf: (key: Step) => TypeRef | undefined, steps: readonly Step[]): readonly Step[] | undefined {
  for (const [key, item] of entries) {
    const ref = typeOf(key);
    const wrong = ref && mistyped(item, ref, [...steps, key]);
    if (wrong) return wrong;
  }
  return undefined;
}

function fits(value: unknown, ref: TypeRef & { readonly type: "scalar" }): boolean {
  switch (ref.code) {
    case "s":
    case "UID":
    case "y":
      return typeof value === "string";
    case "T":
    case "M":
      return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
    case "b":
      return typeof value === "boolean";
    case "i":
      return typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= 2_147_483_648;
    case "l":
      return typeof value === "number" && Number.isInteger(value);
    case "f":
      return typeof value === "number";
    case "I":
      return typeof value === "string" || (typeof value === "number" && Number.isInteger(value));
    case "Q":
      return (typeof value === "string" || typeof value === "number") && typeof parseQuantity(value) !== "string";
    default:
      return true;
  }
}
