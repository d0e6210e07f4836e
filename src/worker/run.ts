import { Simulation } from "../sim/kernel/simulation.ts";
import { START_CURSOR, takeBatch, type BatchCursor, type TraceBatch } from "../trace/batch.ts";
import { type CommandLines, commandLines, commandOutput } from "../trace/command-output.ts";
import type { Hit } from "../trace/breakpoint.ts";
import type { Revision } from "../trace/model.ts";
import { type Awaited, findMoment } from "../trace/moment.ts";
import { TraceIndex } from "../trace/trace-index.ts";
import { inputsOf } from "../sim/scenarios/recipe.ts";
import { secretsOf, withoutSecrets } from "./hidden.ts";
import type { Backend } from "./backend.ts";
import type { CommandOutput, Files, RunInfo, RunInput, RunRecipe } from "./protocol.ts";

/** Simulated time that a question to the cluster may take: longer than kubectl's own patience with a lost leader. */
const ASK_HORIZON = 70_000_000;
const ASK_SLICE = 2_000;
/** At the end of a run there is still something to follow. */
const FOLLOW_HORIZON = 5_000_000;

/** How far a run is looked at first for a moment that is waited for; then twice as far, and so on. */
const FIRST_LOOK = 5_000_000;

/** A moment that is waited for in a future of a run. */
interface Wait {
  readonly at: number;
  readonly inputs: readonly RunInput[];
  readonly moment: Awaited;
  readonly after: number;
  readonly limit: number;
}

/** A command for kubectl at a time. */
interface Question {
  readonly at: number;
  readonly argv: readonly string[];
  readonly files?: Files;
  readonly env?: Files;
}

/** One run as the worker holds it: its recipe, its simulation, and how much of the recording the page has. */
export class Run {
  readonly id: string;
  readonly title: string;
  readonly recipe: RunRecipe;
  readonly sim: Simulation;
  readonly base: readonly Revision[];
  private readonly parent: string | undefined;
  private readonly forkAt: number | undefined;
  private cursor: BatchCursor = START_CURSOR;

  private constructor(id: string, title: string, recipe: RunRecipe, sim: Simulation, base: readonly Revision[], parent?: string, forkAt?: number) {
    this.id = id;
    this.title = title;
    this.recipe = recipe;
    this.sim = sim;
    this.base = base;
    this.parent = parent;
    this.forkAt = forkAt;
  }

  static start(backend: Backend, id: string, title: string, recipe: RunRecipe, variantOf?: string): Run {
    const cluster = backend.createCluster(recipe);
    return new Run(id, title, recipe, Simulation.create(cluster.config, cluster.inputs), cluster.base, variantOf);
  }

  /** A run that shares this one's past up to and including `at`. This run must have been simulated that far. */
  fork(backend: Backend, id: string, title: string, at: number, inputs: readonly RunInput[]): Run {
    const past = this.recipe.inputs.filter((input) => input.at <= at);
    const recipe = { ...this.recipe, inputs: [...past, ...inputs] };
    // The past's own inputs due by now are part of the shared prefix; a fault that began before still ends after.
    const shared = backend.expandInputs(inputsOf({ ...recipe, inputs: past })).filter((input) => input.at <= at).length;
    const all = backend.expandInputs(inputsOf(recipe));
    const future = [...all.filter((input) => input.at <= at).slice(shared), ...all.filter((input) => input.at > at)];
    return new Run(id, title, recipe, this.sim.fork(at, future), this.base, this.id, at);
  }

  get info(): RunInfo {
    return {
      id: this.id,
      title: this.title,
      recipe: this.recipe,
      until: this.sim.now,
      ...(this.parent === undefined ? {} : { parent: this.parent }),
      ...(this.forkAt === undefined ? {} : { forkAt: this.forkAt }),
    };
  }

  /** What the page has not seen yet. */
  takeBatch(): { batch: TraceBatch; transfer: ArrayBuffer[] } {
    const { trace } = this.sim;
    const { batch, cursor, transfer } = takeBatch(trace, this.cursor);
    this.cursor = cursor;
    return { batch: withoutSecrets(batch, secretsOf(this.recipe), (id) => trace.strings.text(id)), transfer };
  }

  /** Asks kubectl something at a time, in a fork that nobody else sees. */
  ask(backend: Backend, { at, argv, files = {}, env = {} }: Question): CommandOutput {
    const child = this.fork(backend, "ask", "ask", at, [{ at, type: "command", argv, files, env }]).sim;
    const input = child.trace.mailCount;
    const limit = at + ASK_HORIZON;
    let output: CommandOutput = { stdout: "", stderr: "", exitCode: -1 };
    for (let done = false; !done && output.exitCode < 0; ) {
      done = child.run(limit, ASK_SLICE);
      output = { ...output, ...commandOutput(child.trace, input) };
    }
    if (output.exitCode < 0) return { ...output, stderr: `${output.stderr}(no answer within ${ASK_HORIZON / 1e6} s)\n`, exitCode: 1 };
    return output;
  }

  /** When a moment comes in the run as it goes on from `at` with these inputs, in a fork that nobody else sees; undefined if not before `limit`. */
  moment(backend: Backend, { at, inputs, moment, after, limit }: Wait): Hit | undefined {
    const { sim } = this.fork(backend, "moment", "moment", at, inputs);
    for (let until = Math.min(after + FIRST_LOOK, limit); ; until = Math.min(after + 2 * (until - after), limit)) {
      sim.run(until);
      const hit = findMoment(new TraceIndex(sim.trace, this.base), moment, after);
      if (hit !== undefined || until >= limit) return hit;
    }
  }

  /** What a command prints while this run goes on as it is known to, in a fork that nobody else sees. */
  follow(backend: Backend, { at, argv }: Question): CommandLines {
    const later = this.recipe.inputs.filter((input) => input.at > at);
    const child = this.fork(backend, "follow", "follow", at, [{ at, type: "command", argv, files: {} }, ...later]).sim;
    const input = child.trace.mailCount;
    child.run(Math.max(this.sim.now, at + FOLLOW_HORIZON));
    return commandLines(child.trace, input) ?? { printed: [], edits: [] };
  }
}
