import { expect, test } from "vitest";
import { changedLines, offsetOf, placeOf } from "./lines.ts";

test.each([
  { name: "none", before: "a\nb\n", after: "a\nb\n", want: 0 },
  { name: "one line", before: "a\nb\nc", after: "a\nx\nc", want: 1 },
  { name: "two lines apart", before: "a\nb\nc\nd", after: "x\nb\nc\ny", want: 2 },
  { name: "one added", before: "a\nb", after: "a\nnew\nb", want: 1 },
  { name: "one removed", before: "a\nb\nc", after: "a\nc", want: 1 },
  { name: "all of it", before: "", after: "a\nb", want: 2 },
])("$name changed", ({ before, after, want }) => expect(changedLines(before, after)).toBe(want));

test.each([
  { line: 1, column: 1, want: 0 },
  { line: 2, column: 3, want: 5 },
  { line: 2, column: 99, want: 6 },
  { line: 9, column: 1, want: 8 },
])("line $line, column $column", ({ line, column, want }) => expect(offsetOf("ab\ncde\nf", line, column)).toBe(want));

test.each([0, 2, 3, 5, 8])("offset %i has a place that leads back to it", (offset) => {
  const { line, column } = placeOf("ab\ncde\nf", offset);
  expect(offsetOf("ab\ncde\nf", line, column)).toBe(offset);
});
