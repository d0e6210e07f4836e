import { expect, test } from "vitest";
import { sameUpToMerging } from "./controller-scenario-sequence.ts";

test.each([
  ["abcd", "abcd", true],
  ["abcd", "acd", true],
  ["acd", "abcd", true],
  ["abcde", "abe", true],
  ["abcdef", "abf", false],
  ["abcd", "axcd", false],
  ["abcd", "abc", false],
  ["abcd", "bcd", false],
  ["abcbd", "abd", true],
])("%s and %s", (a, b, same) => expect(sameUpToMerging([...a], [...b])).toBe(same));

test("runs that differed may have merged different writes", () => {
  expect(sameUpToMerging([..."abcd"], [..."axcd"], true)).toBe(true);
  expect(sameUpToMerging([..."abcdef"], [..."axyzef"], true)).toBe(false);
});
