import { describe, expect, test } from "vitest";
import { difference, equalSets, type FieldSet, has, includeMatches, intersection, LEAF, pathsOf, recursiveDifference, setOf, union } from "./field-set.ts";
import { comparePathElements, keyed, pathText, valued } from "./path-element.ts";

const A: FieldSet = { "f:a": LEAF, "f:b": { ".": LEAF, "f:c": LEAF, "f:d": LEAF }, "f:e": { "f:f": LEAF } };
const textsOf = (set: FieldSet): readonly string[] => pathsOf(set).map(pathText);

describe("sets of paths", () => {
  test.each<[string, FieldSet, readonly string[]]>([
    ["union", union(A, { "f:e": LEAF, "f:g": LEAF }), [".a", ".b", ".e", ".g", ".b.c", ".b.d", ".e.f"]],
    ["intersection keeps members of both", intersection(A, { "f:b": { "f:c": LEAF }, "f:e": { ".": LEAF, "f:f": LEAF } }), [".b.c", ".e.f"]],
    ["difference leaves what is under a path", difference(A, { "f:b": LEAF }), [".a", ".b.c", ".b.d", ".e.f"]],
    ["difference drops empty nodes", difference(A, { "f:e": { "f:f": LEAF }, "f:a": LEAF }), [".b", ".b.c", ".b.d"]],
    ["recursive difference takes all of it", recursiveDifference(A, { "f:b": LEAF }), [".a", ".e.f"]],
    ["recursive difference goes into nodes", recursiveDifference(A, { "f:b": { "f:c": LEAF } }), [".a", ".b", ".b.d", ".e.f"]],
    ["patterns", includeMatches({ "f:l": { "k:{\"name\":\"x\"}": { ".": LEAF, "f:r": { "f:cpu": LEAF }, "f:i": LEAF } } }, [["f:l", "*", "f:r"]]), ["[name=\"x\"]", "[name=\"x\"].r.cpu"].map((rest) => `.l${rest}`)],
  ])("%s", (_, set, want) => expect(textsOf(set)).toEqual(want));

  test("what does not change is the same object", () => {
    expect(union(A, { "f:a": LEAF, "f:b": { "f:c": LEAF } })).toBe(A);
    expect(difference(A, { "f:z": LEAF })).toBe(A);
    expect(recursiveDifference(A, { "f:e": { "f:z": LEAF } })).toBe(A);
    expect(difference(A, { "f:a": LEAF })["f:b"]).toBe(A["f:b"]);
  });

  test("members and nodes on the way", () => {
    expect([has(A, ["f:a"]), has(A, ["f:b"]), has(A, ["f:e"]), has(A, ["f:e", "f:f"]), has(A, [])]).toEqual([true, true, false, true, false]);
    expect(equalSets(A, { "f:e": { "f:f": {} }, "f:b": { "f:d": {}, ".": {}, "f:c": {} }, "f:a": {} })).toBe(true);
    expect(equalSets(A, setOf(["f:a"]))).toBe(false);
  });

  test("elements in order: fields, keys by their values, values, numbers by size", () => {
    const ports = [8080, 80, 443].map((port) => keyed([["containerPort", port], ["protocol", "TCP"]]));
    expect([valued("b"), valued(10), valued(9), ...ports, "f:z", "f:a"].sort(comparePathElements)).toEqual(["f:a", "f:z", ports[1], ports[2], ports[0], "v:9", "v:10", 'v:"b"']);
    expect(pathText(["f:x", ports[1] ?? "", valued("y")])).toBe('.x[containerPort=80,protocol="TCP"][="y"]');
    expect(keyed([["name", "<a>&"]])).toBe('k:{"name":"\\u003ca\\u003e\\u0026"}');
  });
});
