import { expect, test } from "vitest";
import { type Row, rowAt } from "./rows.ts";

const rows: Row[] = [0, 10, 10, 30].map((at, id) => ({ kind: "note", id, at }));

test.each([
  { t: -1, want: -1 },
  { t: 0, want: 0 },
  { t: 9, want: 0 },
  { t: 10, want: 2 },
  { t: 99, want: 3 },
])("at $t the row is $want", ({ t, want }) => expect(rowAt(rows, t)).toBe(want));
