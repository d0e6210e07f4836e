// Models kubernetes/staging/src/k8s.io/kube-openapi/pkg/schemaconv/openapi.go for the schemas of custom resources
import { DEDUCED, type ListNode, type MapNode, objectMap, scalarNode, type SchemaNode } from "./schema-node.ts";
import { isMap, type Json } from "./typed-value.ts";

interface Known {
  plain?: SchemaNode;
  open?: SchemaNode;
}

/** Nodes of schemas by identity: a CustomResourceDefinition stays the same object until it is written. */
const nodes = new WeakMap<object, Known>();

const PRESERVE = "x-kubernetes-preserve-unknown-fields";

/** `open`: unknown fields are kept here, as somewhere above. */
function mapOf(schema: Json, open: boolean): MapNode {
  const properties = isMap(schema["properties"]) ? schema["properties"] : {};
  const rest = schema["additionalProperties"];
  const free = rest === true || (rest === undefined && (open || Object.keys(properties).length === 0));
  const element = isMap(rest) ? (): SchemaNode => structural(rest, open) : free ? (): SchemaNode => DEDUCED : undefined;
  const map: MapNode = { atomic: schema["x-kubernetes-map-type"] === "atomic", element, field: (name) => (Object.hasOwn(properties, name) ? structural(properties[name], open) : undefined) };
  return schema["x-kubernetes-embedded-resource"] === true ? objectMap(map) : map;
}

function listOf(schema: Json, open: boolean): ListNode {
  const type = schema["x-kubernetes-list-type"];
  const named = schema["x-kubernetes-list-map-keys"];
  const keys = type === "set" ? [] : type === "map" && Array.isArray(named) ? named.filter((key): key is string => typeof key === "string") : undefined;
  const item = isMap(schema["items"]) ? schema["items"] : {};
  const properties = isMap(item["properties"]) ? item["properties"] : {};
  const keyDefaults = Object.fromEntries((keys ?? []).flatMap((key) => {
    const value = isMap(properties[key]) ? properties[key]["default"] : undefined;
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[key, value]] : [];
  }));
  return { element: () => structural(item, open), keys, keyDefaults };
}

function nodeOf(schema: Json, open: boolean): SchemaNode {
  switch (schema["type"]) {
    case "object":
      return { map: mapOf(schema, open) };
    case "array":
      return { list: listOf(schema, open) };
    case "string":
      return scalarNode(["", "byte"].includes(String(schema["format"] ?? "")) ? "string" : "untyped");
    case "integer":
    case "number":
      return scalarNode("numeric");
    case "boolean":
      return scalarNode("boolean");
    default:
      return { scalar: "untyped", list: listOf(schema, open), map: mapOf(schema, open) };
  }
}

function structural(schema: unknown, above: boolean): SchemaNode {
  if (!isMap(schema)) return DEDUCED;
  const open = above || schema[PRESERVE] === true;
  const known = nodes.get(schema) ?? {};
  nodes.set(schema, known);
  return (known[open ? "open" : "plain"] ??= nodeOf(schema, open));
}

const roots = new WeakMap<object, SchemaNode>();

/** A custom object from the openAPIV3Schema of its version. */
export function customSchema(schema: object): SchemaNode {
  let node = roots.get(schema);
  if (node === undefined) {
    const root = schema as Json;
    node = { map: objectMap(mapOf(root, root[PRESERVE] === true)) };
    roots.set(schema, node);
  }
  return node;
}
