import { expect, test } from "vitest";
import { ownedFields } from "./owners.ts";

const object = (...managedFields: readonly unknown[]): unknown => ({ metadata: { managedFields } });

test.each([
  { name: "fields, items by key and by value", fieldsV1: { "f:spec": { "f:containers": { 'k:{"name":"c"}': { ".": {}, "f:image": {} } }, "f:finalizers": { 'v:"a/b"': {} } } }, want: ["spec.containers[name=c].image", 'spec.finalizers["a/b"]'] },
  { name: "a map owned as a whole", fieldsV1: { "f:metadata": { "f:labels": { ".": {} } } }, want: ["metadata.labels"] },
  { name: "keys that are no words", fieldsV1: { "f:metadata": { "f:labels": { "f:app.kubernetes.io/name": {} } } }, want: ['metadata.labels["app.kubernetes.io/name"]'] },
  { name: "two keys", fieldsV1: { "f:spec": { "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { "f:name": {} } } } }, want: ["spec.ports[port=80,protocol=TCP].name"] },
])("$name", ({ fieldsV1, want }) => expect(ownedFields(object({ manager: "kubectl", operation: "Apply", fieldsV1 })).map(({ path }) => path)).toEqual(want));

test("a field may have several owners", () => {
  const fieldsV1 = { "f:spec": { "f:replicas": {} } };
  const [field] = ownedFields(object({ manager: "kubectl", operation: "Apply", fieldsV1 }, { manager: "autoscaler", operation: "Update", subresource: "scale", time: "t", fieldsV1 }));
  expect(field).toEqual({ path: "spec.replicas", owners: [{ name: "kubectl", operation: "Apply", time: "" }, { name: "autoscaler, scale", operation: "Update", time: "t" }] });
});

test.each([undefined, {}, { metadata: {} }, object({ manager: "x" }), object({ manager: "x", fieldsV1: { "k:{torn": {} } })])("%j does not throw", (value) => expect(Array.isArray(ownedFields(value))).toBe(true));
