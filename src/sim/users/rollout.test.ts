import { expect, test } from "vitest";
import type { Pod } from "../api/types.ts";
import { SECOND } from "../api/time.ts";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import { applyText } from "../scenarios/scenario.ts";
import { TRAFFIC_SAMPLES } from "../scenarios/traffic-samples.ts";
import { TraceIndex } from "../../trace/trace-index.ts";
import type { UsersState } from "./users.ts";

function played(id: string, seed: number) {
  const sample = TRAFFIC_SAMPLES.find((entry) => entry.id === id);
  if (!sample) throw new Error(id);
  const cluster = createCluster({ world: "ten-nodes", seed, profile: "quiet", inputs: [applyText(sample.file, sample.text, 0), ...(sample.after ?? [])] });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  const until = sample.until ?? 30 * SECOND;
  const before = 10 * SECOND - 1;
  sim.run(until);
  const client = (at: number) => (sim.stateAt("users", at) as UsersState).clients[0];
  const pods = new TraceIndex(sim.trace, cluster.base).objectsAt("/registry/pods/default/", until).map((entry) => entry.object as Pod).filter((pod) => pod.metadata.labels?.["app"] === "my-backend");
  const start = client(before);
  const end = client(until);
  return { failed: (end?.failed ?? 0) - (start?.failed ?? 0), served: (end?.ok ?? 0) - (start?.ok ?? 0), kinds: Object.keys(end?.failures ?? {}), seen: end?.seen ?? [], pods };
}

test("term-traffic-after-sigterm: without a preStop sleep some requests of a rolling restart are refused; with it none", () => {
  const seeds = [1, 2];
  const without = seeds.map((seed) => played("rollout-errors", seed));
  const withSleep = seeds.map((seed) => played("rollout-clean", seed));
  for (const run of [...without, ...withSleep]) {
    expect(run.pods.length).toBe(4);
    expect(run.served).toBeGreaterThan(200);
  }
  expect(without.map((run) => run.failed > 0)).toEqual([true, true]);
  expect(withSleep.map((run) => run.failed)).toEqual([0, 0]);
  // Where and why, in words: the process had ended, or its address was gone.
  expect(without.flatMap((run) => run.seen).some((text) => /connection refused: (?:the process at|nothing listens on)|no route to host: no Pod has the address/.test(text))).toBe(true);
});
