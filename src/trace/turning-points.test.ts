import { expect, test } from "vitest";
import { createCluster } from "../sim/cluster.ts";
import { Simulation } from "../sim/kernel/simulation.ts";
import { applySample } from "../sim/scenarios/scenario.ts";
import { SAMPLES } from "../sim/scenarios/samples.ts";
import { type ChapterRange, chaptersOf, chapterUnderWay } from "./chapters.ts";
import { TraceIndex } from "./trace-index.ts";
import { FIRST_TURNING_POINT, turningPointsOf } from "./turning-points.ts";

interface Told {
  readonly turns: readonly ChapterRange[];
  readonly all: readonly ChapterRange[];
}

function told(id: string): Told {
  const sample = SAMPLES.find((one) => one.id === id);
  const { config, inputs, base } = createCluster({ world: sample?.world ?? "ten-nodes", seed: 1, profile: "quiet", inputs: [applySample(id, 0), ...(sample?.after ?? [])] });
  const sim = Simulation.create(config, inputs);
  sim.run(sample?.until ?? 60_000_000);
  const index = new TraceIndex(sim.trace, base);
  const chapters = chaptersOf(index);
  const turns = turningPointsOf(index, chapters);
  return { turns, all: [...chapters, ...turns] };
}

test.each([
  { id: "nginx", want: [] },
  { id: "rolling", want: [/progressed/, /^kubectl set image/, /creates ReplicaSet .* with 1 replica/, /creates 1 Pod/, /phase Running, ready/, /from 4 to 3/, /deletes 1 Pod/, /from 1 to 2/, /progressed/] },
  { id: "preemption", want: [/progressed/, /^kubectl apply/, /finds no node for default\/urgent/, /preempts 1 Pod/, /creates 1 Pod/, /finds no node for default\/batch/, /urgent: phase Running, ready/] },
  { id: "job", want: [/app.crash begins/, /waits 6.5 s before it replaces a failed Pod/, /creates 1 Pod/, /ready/, /app.crash ends/, /creates 1 Pod/, /ready/, /sums is complete/] },
  { id: "crash", want: [/back-off for 10s/] },
])("the turning points of $id, once each between two acts", ({ id, want }) => {
  const { turns } = told(id);
  expect(turns.map(({ title }) => title)).toEqual(want.map((pattern) => expect.stringMatching(pattern)));
  expect(turns.map(({ number }) => number)).toEqual(want.map((_, i) => FIRST_TURNING_POINT + i));
});

test("a turning point lasts until the next one, over the chapter of what goes on for ever", () => {
  const { turns, all } = told("preemption");
  const [first, second] = turns;
  expect(first?.to).toBe((second?.from ?? 0) - 1);
  expect(chapterUnderWay(all, (second?.from ?? 0) + 1)).toBe(second?.number);
  const rolling = told("rolling");
  const endless = rolling.all.find(({ number }) => number === 15);
  expect(rolling.turns.map(({ number }) => number)).toContain(chapterUnderWay(rolling.all, (endless?.from ?? 0) + 1));
});
