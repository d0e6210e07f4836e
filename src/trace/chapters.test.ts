import { expect, test } from "vitest";
import { createCluster } from "../sim/cluster.ts";
import { Simulation } from "../sim/kernel/simulation.ts";
import { SAMPLES } from "../sim/scenarios/samples.ts";
import type { RunInput } from "../sim/scenarios/recipe.ts";
import { type ChapterRange, chaptersOf } from "./chapters.ts";
import { TraceIndex } from "./trace-index.ts";

function chapters(sample: string, until: number, more: readonly RunInput[] = []): ChapterRange[] {
  const found = SAMPLES.find((candidate) => candidate.id === sample);
  const apply: RunInput = { at: 0, type: "command", argv: ["apply", "-f", "f.yaml"], files: { "f.yaml": found?.text ?? "" } };
  const { config, inputs, base } = createCluster({ world: "ten-nodes", seed: 1, profile: "quiet", inputs: [apply, ...more] });
  const sim = Simulation.create(config, inputs);
  sim.run(until);
  return chaptersOf(new TraceIndex(sim.trace, base));
}

const told = (list: readonly ChapterRange[]): number[] => list.filter((chapter) => chapter.from !== undefined).sort((a, b) => (a.from ?? 0) - (b.from ?? 0)).map((chapter) => chapter.number);

test("the sample goes through all fifteen once something happens after; volumes come before the sandbox", () => {
  const list = chapters("nginx", 12_000_000, [{ at: 6_000_000, type: "command", argv: ["delete", "pod", "nginx"], files: {} }]);
  expect(told(list)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 11, 9, 10, 12, 13, 14, 15]);
  for (const chapter of list) expect(chapter.to).toBeGreaterThanOrEqual(chapter.from ?? 0);
});

test.each([
  { name: "without a fault nothing is left to reconcile", sample: "nginx", until: 4_000_000, missing: [15] },
  { name: "a Pod that fits nowhere has no scores and no node", sample: "greedy", until: 4_000_000, missing: [6, 7, 8, 9, 10, 11, 12, 13, 14] },
  { name: "no probes, no Service", sample: "init", until: 8_000_000, missing: [13, 14] },
  { name: "an image that does not exist has a sandbox and an address, but no container", sample: "typo", until: 8_000_000, missing: [12, 13, 14] },
])("chapters that are not reached say why: $name", ({ sample, until, missing }) => {
  const list = chapters(sample, until);
  for (const number of missing) expect(list.find((chapter) => chapter.number === number)?.missing).toBeTruthy();
  for (const chapter of list) expect(chapter.from === undefined).toBe(chapter.missing !== undefined);
});

test("a scheduler that comes back lists the Pod: the chapters are told all the same", () => {
  const list = chapters("nginx", 26_000_000, [{ at: 10_000, type: "fault", id: "scheduler.down", params: {}, until: 3_000_000 }]);
  for (const number of [4, 5, 6, 7]) expect(list.find((chapter) => chapter.number === number)?.from).toBeGreaterThan(3_000_000);
});

test("a Deployment's first Pod tells the story", () => {
  expect(told(chapters("deployment", 4_000_000))).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]));
});
