import { expect, test } from "vitest";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import { readableTrace } from "../testdata/readable-trace.ts";
import { SCENARIOS } from "./registry.ts";

// Commit a changed trace only if you understand the change and want it: `npx vitest run golden -u`, then read the diff.
test.each(SCENARIOS.map((scenario) => [scenario.id, scenario] as const))("%s", async (id, scenario) => {
  const { config, inputs } = createCluster(scenario.recipe);
  const sim = Simulation.create(config, inputs);
  sim.run(scenario.until);
  await expect(readableTrace(sim)).toMatchFileSnapshot(`../testdata/${id}.txt`);
});
