import { expect, test } from "vitest";
import { scaleOf } from "./scale.ts";

test.each([
  ["Deployment", { matchLabels: { b: "2", a: "1" } }, "a=1,b=2"],
  ["ReplicaSet", { matchExpressions: [{ key: "a", operator: "In", values: ["x", "y"] }] }, "a in (x,y)"],
  ["ReplicationController", { b: "2", a: "1" }, "a=1,b=2"],
  ["ReplicationController", { matchLabels: "odd" }, "matchLabels=odd"],
  ["ReplicationController", {}, ""],
])("the Scale of a %s shows its selector as text", (kind, selector, text) => {
  const object = { apiVersion: "v1", kind, metadata: { name: "web" }, spec: { replicas: 3, selector }, status: { replicas: 2 } };
  expect(scaleOf(object, { kind })).toMatchObject({ spec: { replicas: 3 }, status: { replicas: 2, selector: text } });
});
