// Models kubernetes/staging/src/k8s.io/kube-openapi/pkg/schemaconv/openapi.go for the schemas of custom resources
import { DEDUCED, type MapNode, objectNode, scalarNode, type SchemaNode } from "./schema-node.ts";
import { isMap, type Json } from "./typed-value.ts";

/** Nodes of schemas by identity: a CustomResourceDefinition stays the same object until it is written. */
const nodes = new WeakMap<object, SchemaNode>();

function mapOf(schema: Json): MapNode {
  const properties = isMap(schema["properties"]) ? schema["properties"] : {};
  const rest = schema["additionalProperties"];
  const open = schema["x-kubernetes-preserve-unknown-fields"] === true || schema["x-kubernetes-embedded-resource"] === true;
  const element = isMap(rest) ? (): SchemaNode => structural(rest) : rest === true || open ? (): SchemaNode => DEDUCED : undefined;
  return { atomic: schema["x-kubernetes-map-type"] === "atomic", element, field: (name) => (Object.hasOwn(properties, name) ? structural(properties[name]) : undefined) };
}

function listOf(schema: Json): SchemaNode {
  const type = schema["x-kubernetes-list-type"];
  const named = schema["x-kubernetes-list-map-keys"];
  const keys = type === "set" ? [] : type === "map" && Array.isArray(named) ? named.filter((key): key is string => typeof key === "string") : undefined;
  const item = isMap(schema["items"]) ? schema["items"] : {};
  const properties = isMap(item["properties"]) ? item["properties"] : {};
  const keyDefaults = Object.fromEntries((keys ?? []).flatMap((key) => {
    const value = isMap(properties[key]) ? properties[key]["default"] : undefined;
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[key, value]] : [];
  }));
  return { list: { element: () => structural(item), keys, keyDefaults } };
}

function nodeOf(schema: Json): SchemaNode {
  if (schema["x-kubernetes-int-or-string"] === true) return scalarNode("untyped");
  switch (schema["type"]) {
    case "object":
      return { map: mapOf(schema) };
    case "array":
      return listOf(schema);
    case "string":
      return scalarNode(schema["format"] === "date-time" || schema["format"] === "int-or-string" ? "untyped" : "string");
    case "integer":
    case "number":
      return scalarNode("numeric");
    case "boolean":
      return scalarNode("boolean");
    default:
      return DEDUCED;
  }
}

function structural(schema: unknown): SchemaNode {
  if (!isMap(schema)) return DEDUCED;
  let node = nodes.get(schema);
  if (node === undefined) {
    node = nodeOf(schema);
    nodes.set(schema, node);
  }
  return node;
}

const roots = new WeakMap<object, SchemaNode>();

/** A custom object from the openAPIV3Schema of its version. */
export function customSchema(schema: object): SchemaNode {
  let node = roots.get(schema);
  if (node === undefined) {
    node = objectNode(mapOf(schema as Json));
    roots.set(schema, node);
  }
  return node;
}
