import { expect, test } from "vitest";
import { type Decision, isDecision, matrixOf } from "./decision.ts";

const decision: Decision = {
  pod: { namespace: "default", name: "web" },
  profile: "default-scheduler",
  outcome: "scheduled",
  node: "c",
  message: "",
  numNodes: 4,
  preFilter: [],
  filterOrder: ["NodeUnschedulable", "TaintToleration", "NodePorts", "NodeResourcesFit"],
  skippedFilters: ["NodePorts"],
  rejected: [
    { node: "b", plugin: "NodeResourcesFit", code: "Unschedulable", reasons: ["Insufficient cpu", "Insufficient memory"] },
    { node: "a", plugin: "TaintToleration", code: "UnschedulableAndUnresolvable", reasons: ["node(s) had untolerated taint(s)"] },
  ],
  unseen: { nodes: [], reasons: [] },
  postFilter: [],
  feasible: ["d", "c"],
  scores: [],
  totals: [],
  ties: [],
};

test("a rejected node passed all filters before, and never met those after", () => {
  const { plugins, rows, idle } = matrixOf(decision);
  expect(plugins).toEqual(["NodeUnschedulable", "TaintToleration", "NodeResourcesFit"]);
  expect(idle).toEqual(["NodePorts"]);
  expect(rows).toEqual([
    { node: "a", reason: "node(s) had untolerated taint(s)", cells: ["pass", "reject", "not reached"] },
    { node: "b", reason: "Insufficient cpu, Insufficient memory", cells: ["pass", "pass", "reject"] },
    { node: "c", reason: "", cells: ["pass", "pass", "pass"] },
    { node: "d", reason: "", cells: ["pass", "pass", "pass"] },
  ]);
});

test("a plugin that rejects without a filter gets a column of its own", () => {
  const { plugins } = matrixOf({ ...decision, rejected: [{ node: "a", plugin: "NodeAffinity", code: "Unschedulable", reasons: [] }] });
  expect(plugins[0]).toBe("NodeAffinity");
});

test.each([
  [undefined, false],
  [{ gate: "RBAC" }, false],
  [decision, true],
])("isDecision %#", (data, want) => expect(isDecision(data)).toBe(want));
