import { expect, test } from "vitest";
import { applyJsonMergePatch, applyJsonPatch, applyStrategicMergePatch } from "./patch.ts";
import { createThreeWayJsonMergePatch, createThreeWayMergePatch } from "./three-way-patch.ts";

const KIND = { apiVersion: "v1", kind: "Pod" };
const containers = (...list: object[]): object => ({ spec: { containers: list } });
const a = { name: "a", image: "1" };
const b = { name: "b", image: "1" };

test.each([
  { name: "a container is found by name", live: containers(a, b), patch: containers({ name: "b", image: "2" }), want: containers(a, { name: "b", image: "2" }) },
  { name: "a new container is appended", live: containers(a), patch: containers(b), want: containers(a, b) },
  { name: "$patch delete", live: containers(a, b), patch: containers({ name: "a", $patch: "delete" }), want: containers(b) },
  { name: "$patch replace", live: containers(a, b), patch: { spec: { containers: [{ $patch: "replace" }, b] } }, want: containers(b) },
  { name: "order", live: containers(a, b), patch: { spec: { "$setElementOrder/containers": [{ name: "b" }, { name: "a" }] } }, want: containers(b, a) },
  { name: "null removes", live: { metadata: { labels: { x: "1", y: "2" } } }, patch: { metadata: { labels: { x: null } } }, want: { metadata: { labels: { y: "2" } } } },
  { name: "finalizers are a set", live: { metadata: { finalizers: ["x"] } }, patch: { metadata: { finalizers: ["y", "x"] } }, want: { metadata: { finalizers: ["x", "y"] } } },
  { name: "$deleteFromPrimitiveList", live: { metadata: { finalizers: ["x", "y"] } }, patch: { metadata: { "$deleteFromPrimitiveList/finalizers": ["x"] } }, want: { metadata: { finalizers: ["y"] } } },
  { name: "a list without a key is replaced", live: { spec: { tolerations: [{ key: "x" }] } }, patch: { spec: { tolerations: [{ key: "y" }] } }, want: { spec: { tolerations: [{ key: "y" }] } } },
  { name: "$retainKeys", live: { spec: { volumes: [{ name: "v", emptyDir: {} }] } }, patch: { spec: { volumes: [{ name: "v", hostPath: { path: "/" }, $retainKeys: ["name", "hostPath"] }] } }, want: { spec: { volumes: [{ name: "v", hostPath: { path: "/" } }] } } },
])("strategic: $name", ({ live, patch, want }) => {
  expect(applyStrategicMergePatch(live, patch, KIND)).toEqual(want);
});

test("a list item without its key is an error", () => {
  expect(applyStrategicMergePatch(containers(a), containers({ image: "x" }), KIND)).toBe('map: map[image:x] does not contain declared merge key: name');
});

test("kubectl apply: what changed, what was dropped, nothing else", () => {
  const original = { metadata: { labels: { x: "1" } }, ...containers(a, b) };
  const live = { metadata: { labels: { x: "1", added: "by-controller" } }, spec: { containers: [{ ...a, imagePullPolicy: "Always" }, b], nodeName: "n1" } };
  const modified = { metadata: {}, ...containers({ name: "a", image: "2" }) };
  const patch = createThreeWayMergePatch(original, modified, live, KIND);
  expect(patch).toEqual({ metadata: { labels: null }, spec: { "$setElementOrder/containers": [{ name: "a" }], containers: [{ $patch: "delete", name: "b" }, { name: "a", image: "2" }] } });
  expect(applyStrategicMergePatch(live, patch, KIND)).toEqual({ metadata: {}, spec: { containers: [{ name: "a", image: "2", imagePullPolicy: "Always" }], nodeName: "n1" } });
});

test("kubectl apply of the same manifest is empty", () => {
  expect(createThreeWayMergePatch(containers(a) as never, containers(a) as never, { spec: { containers: [{ ...a, tty: true }], nodeName: "n" } }, KIND)).toEqual({});
});

test("custom resources get a JSON merge patch", () => {
  expect(createThreeWayJsonMergePatch({ spec: { old: 1, list: [1] } }, { spec: { list: [1, 2] } }, { spec: { old: 1, list: [1], server: 1 } })).toEqual({ spec: { old: null, list: [1, 2] } });
});

test("RFC 7386 and RFC 6902", () => {
  expect(applyJsonMergePatch({ a: { b: 1, c: 2 } }, { a: { b: null, d: [1] } })).toEqual({ a: { c: 2, d: [1] } });
  expect(applyJsonPatch({ l: [1, 2], "a/b": 1 }, [{ op: "add", path: "/l/-", value: 3 }, { op: "remove", path: "/l/0" }, { op: "replace", path: "/a~1b", value: 2 }])).toEqual({ value: { l: [2, 3], "a/b": 2 } });
  const original = { l: [{ a: 1 }] };
  expect(applyJsonPatch(original, [{ op: "add", path: "/l/0/b", value: 2 }, { op: "copy", from: "/l/0", path: "/l/-" }, { op: "move", from: "/l/0/a", path: "/c" }, { op: "replace", path: "/new", value: 1 }, { op: "test", path: "/l/-1/a", value: 1 }])).toEqual({ value: { l: [{ b: 2 }, { a: 1, b: 2 }], c: 1, new: 1 } });
  expect(original).toEqual({ l: [{ a: 1 }] });
});

test.each([
  { operation: { op: "remove", path: "/x" }, want: "error in remove for path: '/x': Unable to remove nonexistent key: x: missing value" },
  { operation: { op: "add", path: "/x/y", value: 1 }, want: 'add operation does not apply: doc is missing path: "/x/y": missing value' },
  { operation: { op: "add", path: "/l/7", value: 1 }, want: "error in add for path: '/l/7': Unable to access invalid index: 7: invalid index referenced" },
  { operation: { op: "add", path: "/l/x", value: 1 }, want: "error in add for path: '/l/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax" },
  { operation: { op: "replace", path: "/l/9", value: 1 }, want: "replace operation does not apply: doc is missing key: /l/9: missing value" },
  { operation: { op: "test", path: "/l/0", value: 2 }, want: "testing value /l/0 failed: test failed" },
  { operation: { op: "move", path: "/y", from: "/q/r" }, want: "move operation does not apply: doc is missing from path: /q/r: missing value" },
  { operation: { op: "upsert", path: "/y" }, want: "Unexpected kind: upsert" },
])("JSON patch: $want", ({ operation, want }) => {
  expect(applyJsonPatch({ l: [1] }, [operation])).toBe(want);
});
