import { createCluster } from "../sim/cluster.ts";
import type { Micros } from "../sim/api/time.ts";
import { Simulation } from "../sim/kernel/simulation.ts";
import type { FaultParams, RunInput, RunRecipe } from "../sim/scenarios/recipe.ts";
import { type Awaited, awaitedText, findMoment, isAwaited, type Moment } from "../trace/moment.ts";
import { TraceIndex } from "../trace/trace-index.ts";
import { UsageError } from "./io.ts";
import { secondsText } from "./time-text.ts";

/** A fault whose times may be known only once the run has come to them. */
export interface FaultPlan {
  readonly id: string;
  readonly params: FaultParams;
  readonly begins: Moment;
  /** Absent: it lasts. */
  readonly ends?: Moment;
}

type FaultInput = Extract<RunInput, { type: "fault" }>;

/** A plan and what is known of it so far. */
interface Open {
  readonly plan: FaultPlan;
  at: Micros | undefined;
  until: Micros | undefined;
}

/** The log entries of all plans, with times, and a sentence for each moment that had to be waited for. */
export interface Resolved {
  readonly faults: readonly FaultInput[];
  readonly said: readonly string[];
}

/** How far a run is looked at first; then twice as far, and so on. */
const FIRST_LOOK: Micros = 1_000_000;

function inputOf({ plan: { id, params }, at = 0, until }: Open): FaultInput {
  return { at, type: "fault", id, params, ...(until === undefined ? {} : { until }) };
}

/** Writes down a time; an end that is said as a time or a length is known with the beginning. */
function begin(open: Open, at: Micros): void {
  const { ends, id } = open.plan;
  open.at = at;
  if (ends?.kind === "time") open.until = ends.at;
  if (ends?.kind === "after") open.until = at + ends.delay;
  if (open.until !== undefined && open.until <= at) throw new UsageError(`fault ${id} ends at ${secondsText(open.until)} s, before it begins at ${secondsText(at)} s`);
}

/** What a plan waits for now: its beginning, then its end. */
function waitsFor({ plan, at, until }: Open): Awaited | undefined {
  if (at === undefined) return isAwaited(plan.begins) ? plan.begins : undefined;
  return until === undefined && isAwaited(plan.ends) ? plan.ends : undefined;
}

interface Found {
  readonly open: Open;
  readonly at: Micros;
  readonly what: string;
}

/** The first moment that comes in a run, of those that are waited for. Each is later than what is known of its fault. */
function firstFound(recipe: RunRecipe, waiting: readonly Open[], limit: Micros): Found | undefined {
  const { config, inputs, base } = createCluster(recipe);
  const sim = Simulation.create(config, inputs);
  for (let until = Math.min(FIRST_LOOK, limit); ; until = Math.min(until * 2, limit)) {
    sim.run(until);
    const index = new TraceIndex(sim.trace, base);
    let first: Found | undefined;
    for (const open of waiting) {
      const moment = waitsFor(open);
      const hit = moment && findMoment(index, moment, open.at ?? -1);
      if (hit && (first === undefined || hit.at < first.at)) first = { open, ...hit };
    }
    if (first !== undefined || until >= limit) return first;
  }
}

/**
 * Finds the times of plans. A run without a fault tells when its moment comes, and that run is the one with the fault up to that
 * moment; so the earliest moment of all is taken, its fault is put into the run, and the others are looked for again. What comes out
 * is a plain input log: the run is a function of it. Throws UsageError if a fault would never begin before `limit`.
 */
export function resolvePlans(plans: readonly FaultPlan[], recipeWith: (faults: readonly FaultInput[]) => RunRecipe, limit: Micros): Resolved {
  const said: string[] = [];
  const opens = plans.map((plan): Open => ({ plan, at: undefined, until: undefined }));
  for (const open of opens) {
    if (open.plan.begins.kind === "time") begin(open, open.plan.begins.at);
    if (open.plan.begins.kind === "after") begin(open, open.plan.begins.delay);
  }
  for (;;) {
    const waiting = opens.filter((open) => waitsFor(open) !== undefined);
    if (waiting.length === 0) break;
    const found = firstFound(recipeWith(opens.filter(({ at }) => at !== undefined).map(inputOf)), waiting, limit);
    if (found === undefined) {
      for (const open of waiting) {
        const moment = waitsFor(open) as Awaited;
        if (open.at === undefined) throw new UsageError(`fault ${open.plan.id} begins when ${awaitedText(moment)}, which does not come within ${secondsText(limit)} s`);
        said.push(`fault ${open.plan.id} does not end: that ${awaitedText(moment)} does not come within ${secondsText(limit)} s`);
      }
      break;
    }
    const { open, at, what } = found;
    said.push(`fault ${open.plan.id} ${open.at === undefined ? "begins" : "ends"} at ${secondsText(at)} s: ${what}`);
    if (open.at === undefined) begin(open, at);
    else open.until = at;
  }
  return { faults: opens.map(inputOf), said };
}
