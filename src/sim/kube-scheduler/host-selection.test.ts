import { describe, expect, test } from "vitest";
import { numFeasibleNodesToFind, selectHost } from "./host-selection.ts";

const totals = (...scores: readonly number[]) => scores.map((totalScore, i) => ({ name: `n${i}`, totalScore, randomizer: 0 }));

describe("selectHost", () => {
  test.each([
    { name: "all equal: the first feasible node", scores: [5, 5, 5, 5, 5], want: "n0" },
    { name: "a clear best", scores: [1, 2, 9, 3], want: "n2" },
    { name: "tie of two children: the left one", scores: [1, 7, 7], want: "n1" },
    { name: "tie across levels: what the heap yields, not the first in the list", scores: [0, 1, 5, 5], want: "n3" },
    { name: "tie deeper left", scores: [0, 1, 0, 9, 0, 9], want: "n3" },
    { name: "one node", scores: [0], want: "n0" },
  ])("$name", ({ scores, want }) => expect(selectHost(totals(...scores))).toBe(want));

  test("no nodes", () => expect(selectHost([])).toBeUndefined());
});

describe("numFeasibleNodesToFind", () => {
  test.each([
    [99, 0, undefined, 99],
    [100, 0, undefined, 100],
    [1000, 0, undefined, 420],
    [6000, 0, undefined, 300],
    [20_000, 0, undefined, 1000],
    [1000, 100, 40, 400],
    [1000, 30, null, 300],
  ])("%i nodes, %i %%, profile %s: %i", (nodes, percentage, profile, want) => expect(numFeasibleNodesToFind(nodes, percentage, profile)).toBe(want));
});
