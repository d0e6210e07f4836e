import { createCluster } from "../sim/cluster.ts";
import type { Micros } from "../sim/api/time.ts";
import { Simulation } from "../sim/kernel/simulation.ts";
import type { Input, WorldView } from "../sim/kernel/types.ts";
import { completeParams } from "../sim/faults/params.ts";
import { faultById } from "../sim/faults/registry.ts";
import type { RunRecipe } from "../sim/scenarios/recipe.ts";
import type { Revision } from "../trace/model.ts";
import { type CommandRun, commandsOf } from "./commands-run.ts";
import { UsageError } from "./io.ts";

/** How often a run is looked at for the end of a command, at first. */
const FIRST_LOOK: Micros = 100_000;

/** A simulation under way, and what it began with. */
export interface ClusterRun {
  readonly recipe: RunRecipe;
  readonly sim: Simulation;
  readonly inputs: readonly Input[];
  readonly base: readonly Revision[];
}

function check(recipe: RunRecipe, sim: Simulation): void {
  const { components } = sim.config;
  const view: WorldView = {
    now: 0,
    components: components.map((component) => component.id),
    machineOf: (id) => components.find((component) => component.id === id)?.machine ?? "",
    stateOf: (id) => sim.stateAtEvent(id, -1),
  };
  for (const input of recipe.inputs) {
    const fault = input.type === "fault" ? faultById(input.id) : undefined;
    if (input.type !== "fault" || !fault) continue;
    const params = completeParams(fault, input.params);
    if (fault.begin(params, view).length === 0) throw new UsageError(`fault ${fault.id} acts on nothing in this cluster: ${JSON.stringify(params)}`);
  }
}

/** Builds the cluster. A fault that would act on nothing is bad usage, said before anything runs. */
export function startRun(recipe: RunRecipe): ClusterRun {
  let cluster: ReturnType<typeof createCluster>;
  try {
    cluster = createCluster(recipe);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const sim = Simulation.create(cluster.config, cluster.inputs);
  const run: ClusterRun = { recipe, sim, inputs: cluster.inputs, base: cluster.base };
  check(recipe, sim);
  return run;
}

/** Runs until every command has ended (kubectl wait may take long), at most until `limit`. */
export function finishCommands(run: ClusterRun, from: Micros, limit: Micros): readonly CommandRun[] {
  const asked = run.recipe.inputs.filter((input) => input.type === "command").length;
  for (let at = from; ; at += Math.max(FIRST_LOOK, Math.floor((at - from) / 10))) {
    run.sim.run(at);
    const commands = commandsOf(run.sim.trace);
    if (at >= limit || (commands.length === asked && commands.every((command) => command.exitCode !== undefined))) return commands;
  }
}
