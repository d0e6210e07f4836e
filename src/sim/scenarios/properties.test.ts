import { describe, expect, test } from "vitest";
import { createCluster } from "../cluster.ts";
import { structuralHash } from "../kernel/hash.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { KernelConfig } from "../kernel/types.ts";
import { SCENARIOS } from "./registry.ts";
import type { Scenario } from "./scenario.ts";

function run(scenario: Scenario, options: Pick<KernelConfig, "hashing" | "keepEvery" | "keepAllOf">, chunk = Number.POSITIVE_INFINITY): Simulation {
  const { config, inputs } = createCluster(scenario.recipe, options);
  const sim = Simulation.create(config, inputs);
  while (!sim.run(scenario.until, chunk));
  return sim;
}

const describeEvent = (sim: Simulation, event: number): string => {
  const hop = sim.trace.hop(sim.trace.events.mail.get(event));
  return `event ${event} at ${sim.trace.events.at.get(event)} us: ${hop.verb} ${hop.subject} from ${hop.from} to ${hop.to}`;
};

/** The first event at which two runs differ, described; undefined if they are the same. */
function firstDifference(one: Simulation, two: Simulation): string | undefined {
  const [a, b] = [one.trace.events.hash.view(), two.trace.events.hash.view()];
  for (let event = 0; event < Math.max(a.length, b.length); event++) {
    if (a[event] !== b[event]) return `${event < a.length ? describeEvent(one, event) : "the first run ended"} | ${event < b.length ? describeEvent(two, event) : "the second run ended"}`;
  }
  return undefined;
}

/** Times spread over the whole run, at its ends, and just before and at its inputs. */
function times(scenario: Scenario): readonly number[] {
  const spread = Array.from({ length: 7 }, (_, i) => Math.floor((scenario.until * (i + 1) * 9_973) / 80_000) % scenario.until);
  const inputs = scenario.recipe.inputs.flatMap((input) => [input.at, Math.max(0, input.at - 1)]);
  return [...new Set([0, ...inputs, ...spread, scenario.until])].sort((a, b) => a - b);
}

describe.each(SCENARIOS.map((scenario) => [scenario.id, scenario] as const))("%s", (_id, scenario) => {
  test("the same inputs give the same events, in one go or in pieces", () => {
    const one = run(scenario, { hashing: true });
    expect(one.trace.eventCount).toBeGreaterThan(100);
    expect(firstDifference(one, run(scenario, { hashing: true }, 997))).toBeUndefined();
  });

  test("seeking gives the state that was recorded, also when only every 64th is kept", () => {
    const full = run(scenario, { keepEvery: 1 });
    const sparse = run(scenario, { keepEvery: 64, keepAllOf: 500 });
    for (const t of times(scenario)) {
      for (const { id } of full.config.components) expect(structuralHash(sparse.stateAt(id, t)), `${id} at ${t} us`).toBe(structuralHash(full.stateAt(id, t)));
    }
  });

  test("a fork without a new input has its parent's future", () => {
    const parent = run(scenario, { hashing: true });
    // Every second of them: a fork runs all that follows once more.
    for (const t of times(scenario).filter((_, i) => i % 2 === 0)) {
      const child = parent.fork(t, parent.inputs.filter((input) => input.at > t));
      child.run(scenario.until);
      expect(firstDifference(parent, child), `forked at ${t} us`).toBeUndefined();
    }
  });
});
