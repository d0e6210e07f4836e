import { describe, expect, it } from "vitest";
import { createCluster } from "../../sim/cluster.ts";
import { FAULTS } from "../../sim/faults/registry.ts";
import { Simulation } from "../../sim/kernel/simulation.ts";
import type { RunInput } from "../../sim/scenarios/recipe.ts";
import { commandOutput } from "../../trace/command-output.ts";
import { PLACES, slugOf } from "../../content/exercises/exercise.ts";
import { causesFor, EXERCISES, placesFor, refutation } from "../../content/exercises/exercises.ts";
import { exerciseInputs } from "./exercise-inputs.ts";

const S = 1_000_000;

/** What the exercise's commands print where the learner begins. */
function answers(inputs: readonly RunInput[], world: string, look: number, commands: readonly string[]): readonly string[] {
  const asked = commands.map((command): RunInput => ({ at: look * S, type: "command", argv: command.split(" "), files: {} }));
  const cluster = createCluster({ world, seed: 1, profile: "quiet", inputs: [...inputs, ...asked] });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  const printed = (): readonly { readonly text: string; readonly done: boolean }[] =>
    sim.trace.payloads.flatMap((payload, id) => {
      const { type, argv = [] } = payload as { readonly type: string; readonly argv?: readonly string[] };
      if (type !== "kubectl.run" || !commands.includes(argv.join(" "))) return [];
      const { stdout = "", stderr = "", exitCode = -1 } = commandOutput(sim.trace, sim.trace.mail.cause.get(id)) ?? {};
      return [{ text: stdout + stderr, done: exitCode >= 0 }];
    });
  // kubectl gives up after a minute at most.
  for (const wait of [3, 75]) {
    sim.run((look + wait) * S);
    if (printed().every(({ done }) => done)) break;
  }
  return printed().map(({ text }) => text);
}

describe.each(EXERCISES.map((exercise) => [exercise.name, exercise] as const))("%s", (_, exercise) => {
  it("shows itself by the commands that it names, and only then", () => {
    const { broken, healthy, world } = exerciseInputs(exercise);
    const bad = answers(broken, world, exercise.look, exercise.commands);
    const good = answers(healthy, world, exercise.look, exercise.commands);
    expect(bad).toHaveLength(exercise.commands.length);
    expect(bad, bad.join("\n---\n")).not.toEqual(good);
  });

  it("can be answered: the right place and cause are among the choices, once", () => {
    const places = placesFor(exercise);
    const causes = causesFor(exercise);
    expect(places.filter((place) => place === exercise.place)).toHaveLength(1);
    expect(causes.filter((cause) => cause === exercise.cause)).toHaveLength(1);
    expect([new Set(places).size, new Set(causes).size]).toEqual([5, 5]);
    expect(placesFor(exercise)).toEqual(places);
    expect(refutation(exercise, exercise)).toBeUndefined();
    for (const cause of causes) if (cause !== exercise.cause) expect(refutation(exercise, { place: exercise.place, cause })).toBeDefined();
  });

  it("does not give itself away", () => {
    const words = `${exercise.complaint} ${exercise.hint}`.toLowerCase();
    expect(words).not.toContain(exercise.cause.toLowerCase());
    expect(slugOf(exercise)).toMatch(/^[a-z0-9]+$/);
  });
});

it("there is an exercise for every fault, and none for what is no fault", () => {
  const faults = EXERCISES.flatMap(({ fault }) => (fault ? [fault.id] : []));
  expect([...new Set(faults)].sort()).toEqual(FAULTS.map(({ id }) => id).sort());
});

it("no two exercises have a link or a name in common, and every place has one", () => {
  for (const key of [slugOf, ({ name }: { readonly name: string }) => name]) expect(new Set(EXERCISES.map(key)).size).toBe(EXERCISES.length);
  expect(new Set(EXERCISES.map(({ place }) => place))).toEqual(new Set(Object.keys(PLACES)));
});
