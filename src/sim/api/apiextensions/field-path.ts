// Models ValidFieldPath of kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go
import { additionalOf } from "./json-value.ts";
import type { JsonSchema } from "./types.ts";

export interface FoundField {
  readonly path: string;
  readonly root: string;
  readonly schema: JsonSchema;
}

const NOT_A_FIELD = "does not refer to a valid field";

function step(found: FoundField, name: string): FoundField | string {
  const { schema, path, root } = found;
  if (schema.properties === undefined) {
    const additional = additionalOf(schema);
    return additional === undefined ? NOT_A_FIELD : { path: `${path}[${name}]`, root, schema: additional };
  }
  const property = schema.properties[name];
  return property === undefined ? NOT_A_FIELD : { path: path === "" ? name : `${path}.${name}`, root: root || name, schema: property };
}

/** Where a path like ".spec.ports" or "['a.b'].c" leads in a schema; a text when it leads nowhere. */
export function findFieldPath(jsonPath: string, schema: JsonSchema, arrays = true): FoundField | string {
  const tokens = jsonPath.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/g) ?? [];
  let found: FoundField = { path: "", root: "", schema };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token !== "." && token !== "[") return `expected [ or . but got: ${token ?? ""}`;
    if (token === "[" && !arrays) return "array notation is not allowed";
    const name = tokens[++i];
    if (name === undefined) return token === "[" ? "unexpected end of JSON path" : NOT_A_FIELD;
    if (token === "[" && !/^'.*'$/s.test(name)) return `expected single quoted string but got ${name}`;
    const next = step(found, token === "[" ? name.slice(1, -1).replaceAll(/\\(.)/g, "$1") : name);
    if (typeof next === "string") return next;
    found = next;
    if (token !== "[") continue;
    const end = tokens[++i];
    if (end !== "]") return end === undefined ? "unexpected end of JSON path" : `expected ] but got ${end}`;
  }
  return found;
}
