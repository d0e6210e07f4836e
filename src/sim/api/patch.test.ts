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
  expect(applyStrategicMergePatch(containers(a), containers({ image: "x" }), KIND)).toBe('map: {"image":"x"} does not contain declared merge key: name');
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
  expect(applyJsonPatch({}, [{ op: "remove", path: "/x" }])).toBe('the path "/x" does not exist');
});
