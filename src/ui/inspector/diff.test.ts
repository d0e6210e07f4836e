import { expect, test } from "vitest";
import { fieldDiff } from "./diff.ts";

test.each([
  { name: "equal", before: { a: [1, { b: 2 }] }, after: { a: [1, { b: 2 }] }, want: [] },
  { name: "a scalar changes", before: { spec: { replicas: 1 } }, after: { spec: { replicas: 3 } }, want: [{ path: "spec.replicas", kind: "changed", before: 1, after: 3 }] },
  { name: "a field is added as a whole", before: { spec: {} }, after: { spec: { nodeName: "n1" } }, want: [{ path: "spec.nodeName", kind: "added", after: "n1" }] },
  { name: "a field is removed", before: { a: 1, b: { c: 1 } }, after: { a: 1 }, want: [{ path: "b", kind: "removed", before: { c: 1 } }] },
  {
    name: "list items are matched by name, not by place",
    before: { containers: [{ name: "a", image: "x" }, { name: "b", image: "y" }] },
    after: { containers: [{ name: "sidecar", image: "z" }, { name: "a", image: "x" }, { name: "b", image: "y2" }] },
    want: [{ path: "containers[b].image", kind: "changed", before: "y", after: "y2" }, { path: "containers[sidecar]", kind: "added", after: { name: "sidecar", image: "z" } }],
  },
  { name: "conditions by type", before: { conditions: [{ type: "Ready", status: "False" }] }, after: { conditions: [{ type: "Ready", status: "True" }] }, want: [{ path: "conditions[Ready].status", kind: "changed", before: "False", after: "True" }] },
  { name: "plain lists by place", before: { args: ["a", "b"] }, after: { args: ["a"] }, want: [{ path: "args[1]", kind: "removed", before: "b" }] },
  { name: "keys with dots are quoted", before: { labels: { "a.b/c": "1" } }, after: { labels: {} }, want: [{ path: 'labels["a.b/c"]', kind: "removed", before: "1" }] },
  { name: "managedFields are noise", before: { metadata: { managedFields: [1] } }, after: { metadata: { managedFields: [2] } }, want: [] },
  { name: "from nothing", before: undefined, after: { kind: "Pod" }, want: [{ path: "", kind: "added", after: { kind: "Pod" } }] },
  { name: "null is a value", before: { a: null }, after: { a: 1 }, want: [{ path: "a", kind: "changed", before: null, after: 1 }] },
])("$name", ({ before, after, want }) => {
  const got = fieldDiff(before, after);
  expect([...got].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual(want);
});
