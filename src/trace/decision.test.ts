import { expect, test } from "vitest";
import { type Decision, isDecision, matrixOf, sentenceOf } from "./decision.ts";

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
    { node: "a", reason: "node(s) had untolerated taint(s)", detail: "", cells: ["pass", "reject", "not reached"] },
    { node: "b", reason: "Insufficient cpu, Insufficient memory", detail: "", cells: ["pass", "pass", "reject"] },
    { node: "c", reason: "", detail: "", cells: ["pass", "pass", "pass"] },
    { node: "d", reason: "", detail: "", cells: ["pass", "pass", "pass"] },
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

const failed: Decision = {
  ...decision,
  outcome: "unschedulable",
  node: "",
  feasible: [],
  numNodes: 4,
  unseen: { nodes: ["d", "c"], reasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"] },
  postFilter: [
    { plugin: "DynamicResources", code: "Unschedulable", reasons: ["no new claims to deallocate"], nodes: [] },
    { plugin: "DefaultPreemption", code: "Unschedulable", reasons: ["preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling."], nodes: [] },
  ],
  message: "0/4 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 node(s) had untolerated taint(s), 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.",
};

test("the parts of the sentence are the sentence", () => {
  const parts = sentenceOf(failed) ?? [];
  expect(parts.map((part) => part.text).join("")).toBe(failed.message);
  expect(parts[1]).toEqual({ text: " 1 Insufficient cpu", from: ["b"] });
  expect(parts[4]?.from).toEqual(["c", "d"]);
});

test("a Pod rejected as a whole is told so once", () => {
  const whole: Decision = { ...failed, rejected: [], preFilter: [{ plugin: "VolumeBinding", code: "UnschedulableAndUnresolvable", reasons: ["pod has unbound immediate PersistentVolumeClaims"] }], unseen: { nodes: ["a", "b", "c", "d"], reasons: ["pod has unbound immediate PersistentVolumeClaims"] }, postFilter: [{ plugin: "DynamicResources", code: "Error", reasons: ["not found"], nodes: [] }], message: "0/4 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found" };
  expect((sentenceOf(whole) ?? []).map((part) => part.text).join("")).toBe(whole.message);
});

test.each([{ ...failed, outcome: "scheduled" as const }, { ...failed, message: "no nodes available to schedule pods" }])("no sentence to put together %#", (one) => expect(sentenceOf(one)).toBeUndefined());
