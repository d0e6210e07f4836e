import { expect, test } from "vitest";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import { SCENARIOS } from "../scenarios/registry.ts";
import type { SimInput } from "./resolve.ts";

const SECOND = 1_000_000;

/** Who leads at the end of a run of the first scenario's cluster, with these faults: the leader of the newest term. */
function leaderAfter(inputs: readonly SimInput[], until: number): { id: string; term: number } {
  const [scenario] = SCENARIOS;
  if (!scenario) throw new Error("no scenario");
  const { config } = createCluster(scenario.recipe, {});
  const sim = Simulation.create(config, [...inputs]);
  while (!sim.run(until, Number.POSITIVE_INFINITY));
  const members = config.components.filter(({ id }) => id.startsWith("etcd-")).map(({ id }) => ({ id, raft: (sim.stateAt(id, until) as { raft: { role: string; term: number } }).raft }));
  const [newest] = members.filter(({ raft }) => raft.role === "leader").sort((a, b) => b.raft.term - a.raft.term);
  return { id: newest?.id ?? "", term: newest?.raft.term ?? 0 };
}

const crash = (at: number, type: "fault.begin" | "fault.end" = "fault.begin"): SimInput => ({ at, type, id: "etcd.leader-crash", params: {} });

test("in a real cluster each crash of the leader stops who leads at that moment", () => {
  const first = leaderAfter([], 9 * SECOND);
  const second = leaderAfter([crash(10 * SECOND)], 19 * SECOND);
  const third = leaderAfter([crash(10 * SECOND), crash(20 * SECOND, "fault.end"), crash(30 * SECOND)], 39 * SECOND);
  expect([first.id, second.id].every((id) => id !== "")).toBe(true);
  expect(second.id).not.toBe(first.id);
  expect(third.id).not.toBe(second.id);
  expect(first.term < second.term && second.term < third.term).toBe(true);
});
