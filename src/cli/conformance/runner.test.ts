import { expect, test } from "vitest";
import type { Adapter } from "./adapter.ts";
import { difference } from "./difference.ts";
import { casesIn, runCases } from "./runner.ts";

test.each([
  { name: "equal", expected: { a: [1, { b: "x" }] }, actual: { a: [1, { b: "x" }] }, want: undefined },
  { name: "an object may hold more", expected: { a: 1 }, actual: { a: 1, b: 2 }, want: undefined },
  { name: "an array may not", expected: { a: [1] }, actual: { a: [1, 2] }, want: "a: expected [1], got [1,2]" },
  { name: "order of an array counts", expected: [1, 2], actual: [2, 1], want: "[0]: expected 1, got 2" },
  { name: "null is absent", expected: { node: null }, actual: {}, want: undefined },
  { name: "absent is not a value", expected: { node: "n" }, actual: {}, want: 'node: expected "n", got nothing' },
  { name: "a value where none is expected", expected: { node: null }, actual: { node: "n" }, want: 'node: expected null, got "n"' },
  { name: "numbers are not texts", expected: 1, actual: "1", want: 'expected 1, got "1"' },
])("difference: $name", ({ expected, actual, want }) => {
  expect(difference(expected, actual)).toBe(want);
});

const double: Adapter = { kind: "double", run: (input) => ({ result: Number(input) * 2 }) };
const broken: Adapter = { kind: "broken", run: () => { throw new Error("line one\nline two"); } };
const CASES = [
  { id: "d1", kind: "double", input: 2, expect: { result: 4 } },
  { id: "d2", kind: "double", input: 3, expect: { result: 7 } },
  { id: "b1", kind: "broken", input: 0, expect: {} },
  { id: "u1", kind: "unheard-of", input: 0, expect: {} },
];

test("each failing case is one line; kinds without an adapter fail", () => {
  expect(runCases(CASES, [double, broken], { kinds: [], ids: [], onlyKnown: false })).toEqual({
    passed: 1,
    failed: 3,
    failures: ["d2 (double): result: expected 7, got 6", "b1 (broken): failed: line one\\nline two", "u1 (unheard-of): no adapter for kind unheard-of"],
  });
});

test.each([
  { selection: { kinds: ["double"], ids: [], onlyKnown: false }, want: [1, 1] },
  { selection: { kinds: [], ids: ["d1"], onlyKnown: false }, want: [1, 0] },
  { selection: { kinds: [], ids: [], onlyKnown: true }, want: [1, 2] },
  { selection: { kinds: ["unheard-of"], ids: [], onlyKnown: false }, want: [0, 1] },
])("selection $selection", ({ selection, want }) => {
  const { passed, failed } = runCases(CASES, [double, broken], selection);
  expect([passed, failed]).toEqual(want);
});

test("a recording of a world is cases too; a plain dump is none", () => {
  expect(casesIn({ cases: { sample: { pod: { kind: "Pod" }, node: "n1" } } }, "worlds/ten-nodes.recorded.json")).toEqual([
    { id: "ten-nodes/sample", kind: "world-recording", input: { world: "ten-nodes", pod: { kind: "Pod" } }, expect: { node: "n1" } },
  ]);
  expect(casesIn({ items: [] }, "objects.json")).toBeUndefined();
  expect(casesIn([{ nothing: 1 }], "x.json")).toBeUndefined();
});
