import { createCluster } from "../../sim/cluster.ts";
import { Simulation } from "../../sim/kernel/simulation.ts";
import type { Input } from "../../sim/kernel/types.ts";
import type { Trace } from "../../trace/trace.ts";
import { secondsText } from "../time-text.ts";
import type { SoakRun } from "./invariants/invariant.ts";
import { INVARIANTS } from "./invariants/registry.ts";
import { type SoakRecipe, type SoakSource, soakRecipe } from "./soak-recipe.ts";

/** More events at one instant than anything does: the run goes round in circles. */
const AT_ONCE = 50_000;
/** And more than a few minutes of a small cluster have. */
const MOST_EVENTS = 600_000;
const PIECE = 20_000;

/** What is wrong with a run: which invariant, and its first words. */
export interface Broken {
  readonly invariant: string;
  readonly what: string;
  /** How many more contradict it. */
  readonly more: number;
}

/** A failed seed, with what is left of its recipe when all that does not matter is taken away. */
export interface Failure extends Broken {
  readonly soak: SoakRecipe;
}

class Stuck extends Error {}

function advance(sim: Simulation, until: number): void {
  for (let before = sim.now; ; before = sim.now) {
    const count = sim.trace.eventCount;
    if (sim.run(until, PIECE)) return;
    const first = Math.max(0, sim.trace.eventCount - AT_ONCE);
    if (sim.trace.eventCount > AT_ONCE && sim.trace.events.at.get(first) === sim.now) throw new Stuck(`${secondsText(sim.now)} s: time stands still`);
    if (sim.trace.eventCount > MOST_EVENTS || (sim.trace.eventCount === count && sim.now === before)) throw new Stuck(`${secondsText(sim.now)} s: after ${sim.trace.eventCount} events there is no end`);
  }
}

function firstDifference(one: Trace, two: Trace): string | undefined {
  const [a, b] = [one.events.hash.view(), two.events.hash.view()];
  for (let event = 0; event < Math.max(a.length, b.length); event++) {
    if (a[event] === b[event]) continue;
    const hop = event < a.length ? one.hop(one.events.mail.get(event)) : undefined;
    return `${secondsText(event < a.length ? one.events.at.get(event) : one.end)} s: event ${event} differs${hop === undefined ? "" : `: ${hop.verb} ${hop.subject} from ${hop.from} to ${hop.to}`}`;
  }
  return undefined;
}

/** Runs it again, half of the way as a fork of a run that is only half as long: a fork has its parent's past, and the same future. */
function again({ recipe, until, seed }: SoakRecipe, one: Simulation): string | undefined {
  const { config, inputs } = createCluster(recipe, { hashing: true });
  const two = Simulation.create(config, inputs);
  const middle = Math.floor((until * (1 + (seed % 7))) / 9);
  advance(two, middle);
  const fork = two.fork(middle, inputs.filter((input: Input) => input.at > middle));
  advance(fork, until);
  return firstDifference(one.trace, fork.trace);
}

/** What is wrong with the run of a recipe; undefined if every invariant holds. `twice`: also that a second run is the same, which takes as long again. */
export function judge(soak: SoakRecipe, twice = true): Broken | undefined {
  const { recipe, until } = soak;
  const named = (invariant: string, [what = "", ...rest]: readonly string[]): Broken => ({ invariant, what, more: rest.length });
  try {
    const { config, inputs, base } = createCluster(recipe, { hashing: twice });
    const sim = Simulation.create(config, inputs);
    advance(sim, until);
    const run: SoakRun = { recipe, sim, trace: sim.trace, base, until };
    for (const { id, check } of INVARIANTS) {
      const found = check(run);
      if (found.length > 0) return named(id, found);
    }
    const differs = twice ? again(soak, sim) : undefined;
    return differs === undefined ? undefined : named("same-twice", [differs]);
  } catch (error) {
    if (error instanceof Stuck) return named("time-advances", [error.message]);
    return named("no-exception", [error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 4).join(" | ") : String(error)]);
  }
}

/** The recipe without what does not matter to its failure: one input after another is left out while the same invariant is still broken. */
export function shrink(soak: SoakRecipe, broken: Broken): Failure {
  let kept = { ...broken, soak };
  const same = (candidate: SoakRecipe): Broken | undefined => {
    const found = judge(candidate, broken.invariant === "same-twice");
    return found?.invariant === broken.invariant ? found : undefined;
  };
  for (let i = soak.recipe.inputs.length - 1; i >= 0; i--) {
    const inputs = kept.soak.recipe.inputs.filter((_, at) => at !== i);
    const candidate = { ...soak, recipe: { ...soak.recipe, inputs } };
    const found = same(candidate);
    if (found !== undefined) kept = { ...found, soak: candidate };
  }
  return kept;
}

/** One line for a failed seed: what is wrong, and the shrunk recipe. */
export function failureLine({ soak: { seed, recipe, until }, invariant, what, more }: Failure): string {
  const inputs = recipe.inputs.map((input) => {
    if (input.type === "command") return `${secondsText(input.at)}s kubectl ${input.argv.join(" ")}`;
    return input.type === "fault" ? `${secondsText(input.at)}s..${secondsText(input.until ?? until)}s ${input.id} ${JSON.stringify(input.params)}` : "";
  });
  return `seed ${seed}: ${invariant}: ${what}${more > 0 ? ` (and ${more} more)` : ""} <- ${recipe.world}, seed ${recipe.seed}, ${recipe.profile}, until ${secondsText(until)} s: ${inputs.join("; ")}`;
}

/** Runs the seeds `from` to `from + count - 1`. Undefined for one in which nothing is wrong. */
export function soak(from: number, count: number, source: SoakSource, onDone?: (seed: number, failure: Failure | undefined) => void): readonly Failure[] {
  const failures: Failure[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const recipe = soakRecipe(seed, source);
    const broken = judge(recipe);
    const failure = broken && shrink(recipe, broken);
    if (failure) failures.push(failure);
    onDone?.(seed, failure);
  }
  return failures;
}
export { soakRecipe } from "./soak-recipe.ts";
