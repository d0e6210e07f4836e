import { expect, test } from "vitest";
import type { Pod } from "../../api/types.ts";
import { budgetStatus, countHealthy, expectation, type PodDisruptionBudget, selectorString, stillDisrupted } from "./budget.ts";

const pdb = (spec: PodDisruptionBudget["spec"], status?: PodDisruptionBudget["status"]): PodDisruptionBudget => ({ apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "web", generation: 1 }, spec: spec ?? {}, ...(status ? { status } : {}) });
const pod = (name: string, ready = true, going = false): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name, ...(going ? { deletionTimestamp: "2026-01-01T00:00:05Z" } : {}) }, spec: { containers: [] }, status: { phase: "Running", conditions: [{ type: "Ready", status: ready ? "True" : "False" }] } });

test.each([
  [{ maxUnavailable: 1 }, { expected: 5, desired: 4 }],
  [{ maxUnavailable: "30%" }, { expected: 5, desired: 3 }],
  [{ maxUnavailable: 9 }, { expected: 5, desired: 0 }],
  [{ minAvailable: 2 }, { expected: 3, desired: 2 }],
  [{ minAvailable: "50%" }, { expected: 5, desired: 3 }],
])("%j over 3 Pods of a controller that wants 5", (spec, want) => expect(expectation(pdb(spec), 3, 5)).toEqual(want));

test.each([
  [3, { expected: 3, desired: 2 }, 1, "True SufficientPods"],
  [1, { expected: 3, desired: 2 }, 0, "False InsufficientPods"],
  [3, { expected: 0, desired: 0 }, 0, "False InsufficientPods"],
])("%i healthy, %j", (healthy, counts, allowed, text) => {
  const status = budgetStatus(pdb({}), healthy, counts, {}, 0);
  expect([status.disruptionsAllowed, status.conditions?.map((entry) => `${entry.status} ${entry.reason}`)]).toEqual([allowed, [text]]);
  expect(budgetStatus(pdb({}, status), healthy, counts, {}, 9)).toBe(status);
});

test("an evicted Pod does not count for two minutes, then it does again", () => {
  const status = { disruptedPods: { a: "2026-01-01T00:00:00Z", gone: "2026-01-01T00:00:00Z" } };
  const soon = stillDisrupted([pod("a")], status, 60_000_000);
  expect(soon).toMatchObject({ disrupted: { a: "2026-01-01T00:00:00Z" }, recheck: 120_000_000, late: [] });
  expect(countHealthy([pod("a"), pod("b"), pod("c", false), pod("d", true, true)], soon.disrupted)).toBe(1);
  expect(stillDisrupted([pod("a")], status, 121_000_000).late.map((entry) => entry.metadata.name)).toEqual(["a"]);
});

test("Go's text of a selector", () =>
  expect(selectorString({ matchLabels: { b: "2", a: "1" }, matchExpressions: [{ key: "k", operator: "In", values: ["x", "y"] }] })).toBe(
    "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}",
  ));
