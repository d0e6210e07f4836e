import { describe, expect, test } from "vitest";
import { fitErrorMessage, truncateNote } from "./fit-error.ts";
import { type Status, unresolvable, unschedulable } from "./framework.ts";

const statuses = (list: readonly Status[], absent: Status = unresolvable()) => ({ byNode: new Map(list.map((s, i) => [`n${i}`, s])), absent });

describe("fitErrorMessage", () => {
  test.each([
    { name: "counts sort as strings", n: 12, list: [...Array<Status>(10).fill(unschedulable("a")), unschedulable("b"), unschedulable("b")], want: "0/12 nodes are available: 10 a, 2 b." },
    { name: "a node with two reasons counts twice", n: 1, list: [unschedulable("Insufficient cpu", "Insufficient memory")], want: "0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory." },
    { name: "nodes never looked at", n: 3, list: [unresolvable("x")], absent: unresolvable("y"), want: "0/3 nodes are available: 1 x, 2 y." },
    { name: "no reasons at all", n: 3, list: [], want: "0/3 nodes are available:" },
    { name: "a PreFilter message hides the nodes", n: 2, list: [unschedulable("x")], pre: "persistentvolumeclaim \"c\" not found", post: "not found", want: "0/2 nodes are available: persistentvolumeclaim \"c\" not found. not found" },
    { name: "PostFilter text without a dot", n: 1, list: [unschedulable("x")], post: "no new claims to deallocate", want: "0/1 nodes are available: 1 x. no new claims to deallocate" },
  ])("$name", ({ n, list, absent, pre = "", post = "", want }) => {
    expect(fitErrorMessage({ numAllNodes: n, preFilterMessage: pre, postFilterMessage: post, statuses: statuses(list, absent) })).toBe(want);
  });
});

test("a note is cut at 1024 characters", () => {
  expect(truncateNote("x".repeat(1024))).toHaveLength(1024);
  const cut = truncateNote("x".repeat(1025));
  expect(cut).toHaveLength(1024);
  expect(cut.endsWith("x ...")).toBe(true);
});
