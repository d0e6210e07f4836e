// Models sigs.k8s.io/structured-merge-diff/v6/typed/validate.go
import { field, type PathElement, pathElementText } from "./path-element.ts";
import type { ListNode, MapNode, ScalarKind, SchemaNode } from "./schema-node.ts";
import { deduce, isMap, itemElement, type Json } from "./typed-value.ts";

interface TypedError {
  readonly path: string;
  readonly text: string;
}

/** fmt's %v of decoded JSON. */
function goValue(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goValue).join(" ")}]`;
  return isMap(value) ? `map[${sortedKeys(value).map((key) => `${key}:${goValue(value[key])}`).join(" ")}]` : String(value);
}

/** fmt's %#v of decoded JSON. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (isMap(value)) return `map[string]interface {}{${sortedKeys(value).map((key) => `${JSON.stringify(key)}:${goSyntax(value[key])}`).join(", ")}}`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

const sortedKeys = (value: Json): readonly string[] => Object.keys(value).sort();
const goType = (value: unknown): string => (Array.isArray(value) ? "[]interface {}" : isMap(value) ? "map[string]interface {}" : typeof value === "boolean" ? "bool" : typeof value === "number" ? "float64" : "string");
const fail = (text: string): readonly TypedError[] => [{ path: "", text }];
const NONE: readonly TypedError[] = [];

function validateScalar(value: unknown, kind: ScalarKind): readonly TypedError[] {
  if (value === null) return NONE;
  switch (kind) {
    case "numeric":
      return typeof value === "number" ? NONE : fail(`expected numeric (int or float), got ${goType(value)}`);
    case "string":
      return typeof value === "string" ? NONE : fail(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    case "boolean":
      return typeof value === "boolean" ? NONE : fail(`expected boolean, got &{${goValue(value)}}`);
    case "untyped":
      return typeof value === "object" ? fail(`expected any scalar, got &{${goValue(value)}}`) : NONE;
  }
}

const under = (element: PathElement, errors: readonly TypedError[]): readonly TypedError[] => (errors.length === 0 ? errors : errors.map(({ path, text }) => ({ path: `${pathElementText(element)}${path}`, text })));

function validate(value: unknown, node: SchemaNode): readonly TypedError[] {
  const { map, scalar, list } = deduce(node, value);
  if (map !== undefined) return value === null ? NONE : isMap(value) ? validateMap(value, map) : fail(`expected map, got &{${goValue(value)}}`);
  if (scalar !== undefined) return validateScalar(value, scalar);
  if (list === undefined || value === null) return NONE;
  return Array.isArray(value) ? validateList(value as readonly unknown[], list) : fail(`expected list, got &{${goValue(value)}}`);
}

/** Keys in order (upstream's is random); an unknown one ends the walk through this map. */
function validateMap(value: Json, map: MapNode): readonly TypedError[] {
  const out: TypedError[] = [];
  for (const key of sortedKeys(value)) {
    const inner = map.field(key) ?? map.element?.();
    if (inner === undefined) return [...out, { path: pathElementText(field(key)), text: "field not declared in schema" }];
    out.push(...under(field(key), validate(value[key], inner)));
  }
  return out;
}

function validateList(items: readonly unknown[], list: ListNode): readonly TypedError[] {
  const out: TypedError[] = [];
  const seen = new Set<PathElement>();
  for (const [i, item] of items.entries()) {
    const element = list.keys === undefined ? `i:${i}` : itemElement(list, item);
    if (typeof element !== "string") return [...out, { path: "", text: `element ${i}: ${element.error}` }];
    if (seen.has(element)) out.push({ path: "", text: `duplicate entries for key ${pathElementText(element)}` });
    seen.add(element);
    out.push(...under(element, validate(item, list.element())));
  }
  return out;
}

/** Why an applied configuration does not fit its schema; undefined when it does. */
export function typedError(value: object, node: SchemaNode): string | undefined {
  const errors = validate(value, node).map(({ path, text }) => (path === "" ? text : `${path}: ${text}`));
  if (errors.length === 0) return undefined;
  return errors.length === 1 ? errors[0] : ["errors:", ...errors.map((error) => `  ${error}`)].join("\n");
}
