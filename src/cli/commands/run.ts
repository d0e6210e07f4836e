import { BREAKPOINT_EXAMPLES } from "../../trace/breakpoint.ts";
import { chaptersOf } from "../../trace/chapters.ts";
import { TraceIndex } from "../../trace/trace-index.ts";
import type { RunInput, RunRecipe } from "../../sim/scenarios/recipe.ts";
import { EPOCH_SECONDS, type Micros } from "../../sim/api/time.ts";
import type { Sample } from "../../sim/scenarios/sample.ts";
import { SAMPLES } from "../../sim/scenarios/samples.ts";
import type { Args } from "../args.ts";
import { type ClusterRun, finishCommands, startRun } from "../cluster-run.ts";
import { resolvePlans } from "../fault-plan.ts";
import { type CommandRun, commandsOf } from "../commands-run.ts";
import { chromeTrace } from "../../trace/formats/chrome.ts";
import { eventRows } from "../formats/events.ts";
import { hopRows } from "../formats/hops.ts";
import { logRows, logText } from "../formats/logs.ts";
import { objectList, yamlText } from "../formats/objects.ts";
import { otlp } from "../../trace/formats/otlp.ts";
import { isLevel, stepRows, summary } from "../formats/steps.ts";
import { type Io, OK, REFUSED, UsageError } from "../io.ts";
import { readManifests } from "../manifests.ts";
import { READY_LIMIT, runUntilReady } from "../ready.ts";
import { parseTime, seconds, secondsText } from "../time-text.ts";
import type { Command } from "./command.ts";
import { CLUSTER_FLAG, clusterOf, commandsAt, FILE_FLAG, faultPlansOf, formatOf, OUTPUT_FLAG, SCHEDULER_CONFIG_FLAG, schedulerConfigOf, SEED_FLAG, seedOf, SLOWDOWN_FLAG, slowdownsOf } from "./recipe-flags.ts";

const FORMATS = ["summary", "hops", "events", "objects", "logs", "otlp", "chrome", "json"] as const;
type Format = (typeof FORMATS)[number];

/** How long a run is when nobody says: long enough for a start with every default probe. */
const DEFAULT_UNTIL: Micros = 60_000_000;
/** A command typed at the very end still gets its answer. */
const ANSWER_TIME: Micros = 30_000_000;

function sampleOf(args: Args): Sample | undefined {
  const id = args.last("--sample");
  const sample = SAMPLES.find((candidate) => candidate.id === id);
  if (id !== undefined && !sample) throw new UsageError(`there is no sample "${id}": one of ${SAMPLES.map((s) => s.id).join(", ")}`);
  return sample;
}

/** What a sample does: the apply of its manifest at time 0, and what follows. */
function sampleInputs(args: Args): RunInput[] {
  const sample = sampleOf(args);
  return sample ? [{ at: 0, type: "command", argv: ["apply", "-f", sample.file], files: { [sample.file]: sample.text } }, ...(sample.after ?? [])] : [];
}

function recipeOf(args: Args, io: Io): RunRecipe {
  const paths = args.all("--file").map(([path = ""]) => path);
  const manifests = readManifests(paths, io);
  const apply: RunInput[] = paths.length === 0 ? [] : [{ at: 0, type: "command", argv: ["apply", ...manifests.argv], files: manifests.files }];
  const inputs = [...sampleInputs(args), ...apply, ...commandsAt(args, io)];
  if (!inputs.some((input) => input.type === "command")) throw new UsageError("nothing to run: give -f FILE, --sample ID or --at TIME COMMAND");
  const profile = args.last("--profile") ?? "quiet";
  if (profile !== "quiet" && profile !== "busy") throw new UsageError(`--profile ${profile} is neither quiet nor busy`);
  const schedulerConfig = schedulerConfigOf(args, io);
  const slowdowns = slowdownsOf(args);
  const recipe: RunRecipe = { world: clusterOf(args, io, sampleOf(args)?.world), seed: seedOf(args), profile, inputs, ...(schedulerConfig === undefined ? {} : { schedulerConfig }), ...(slowdowns === undefined ? {} : { slowdowns }) };
  // A fault that begins with the run is there before the first request.
  const { faults, said } = resolvePlans(faultPlansOf(args), (known) => ({ ...recipe, inputs: [...known, ...inputs] }), searchLimit(args, inputs));
  for (const line of said) io.err(`# ${line}\n`);
  return { ...recipe, inputs: [...faults, ...inputs] };
}

/** How far the moments of faults are looked for: as far as the run goes. */
function searchLimit(args: Args, inputs: readonly RunInput[]): Micros {
  const until = args.last("--until");
  if (until === "ready") return READY_LIMIT;
  return until === undefined ? Math.max(usualEnd(args), ...inputs.map(({ at }) => at)) : parseTime(until);
}

const usualEnd = (args: Args): Micros => sampleOf(args)?.until ?? DEFAULT_UNTIL;

/** Runs as far as asked; false if "ready" was asked for and never came. */
function advance(run: ClusterRun, until: string | undefined, usual: Micros, io: Io): boolean {
  const lastCommand = Math.max(0, ...run.recipe.inputs.filter((input) => input.type === "command").map((input) => input.at));
  if (until === "ready") {
    const open = runUntilReady(run);
    if (open.length > 0) io.err(`not ready after ${secondsText(READY_LIMIT)} s: ${open.map((key) => key.replace(/^\/registry\//, "")).join(", ")}\n`);
    return open.length === 0;
  }
  const end = until === undefined ? Math.max(usual, lastCommand) : parseTime(until);
  if (lastCommand > end) throw new UsageError(`--at ${secondsText(lastCommand)}s is after the end of the run`);
  run.sim.run(end);
  finishCommands(run, end, end + ANSWER_TIME);
  return true;
}

function render(format: Format, run: ClusterRun, commands: readonly CommandRun[], args: Args): string {
  const { trace } = run.sim;
  const index = new TraceIndex(trace, run.base);
  const lines = (rows: Iterable<unknown>): string => Array.from(rows, (row) => `${JSON.stringify(row)}\n`).join("");
  const level = args.last("--detail") ?? (format === "json" ? "operator" : "basic");
  if (!isLevel(level)) throw new UsageError(`--detail ${level} is none of basic, operator, source`);
  switch (format) {
    case "summary":
      return summary(index, level);
    case "hops":
      return lines(hopRows(trace, chaptersOf(index)));
    case "events":
      return lines(eventRows(trace));
    case "objects":
      return yamlText(objectList(index, run.sim.now));
    case "logs":
      return logText(logRows(trace));
    case "otlp":
      return `${JSON.stringify(otlp(trace, run.recipe.seed, EPOCH_SECONDS))}\n`;
    case "chrome":
      return `${JSON.stringify(chromeTrace(trace))}\n`;
    case "json":
      return `${JSON.stringify({
        recipe: run.recipe,
        until: seconds(run.sim.now),
        commands: commands.map((command) => ({ ...command, at: seconds(command.at), exitCode: command.exitCode ?? null })),
        steps: stepRows(index, level),
        hops: [...hopRows(trace, chaptersOf(index))],
        events: eventRows(trace),
        logs: logRows(trace),
        objects: objectList(index, run.sim.now),
      })}\n`;
  }
}

/** What kubectl printed. Of the apply at time 0 it is a message; of --at commands it is data, unless a format was asked for. */
function printCommands(commands: readonly CommandRun[], applied: boolean, format: Format | undefined, io: Io): void {
  for (const [i, command] of commands.entries()) {
    const data = format === undefined && !(applied && i === 0);
    if (commands.length > 1) io.err(`# ${secondsText(command.at)} s $ kubectl ${command.argv.join(" ")}\n`);
    if (data) io.out(command.stdout);
    else io.err(command.stdout);
    io.err(command.stderr);
    if (command.exitCode === undefined) io.err("# still running when the run ended\n");
  }
}

export const runCommand = {
  name: "run",
  usage: "-f FILE... [--sample ID] [--cluster NAME|FILE] [--seed N] [--until DURATION|ready] [--fault ID[,key=value...][@WHEN[..UNTIL]]]... [--at TIME COMMAND]... [-o FORMAT] [--detail LEVEL] [--profile quiet|busy] [--scheduler-config FILE] [--slowdown WHAT=TIMES[,...]]",
  does: `applies the files at time 0 and runs; FORMAT is one of ${FORMATS.join(", ")}; without one it prints what the --at commands print, or the summary. WHEN and UNTIL of a fault are times (12s), a length (+10s), msg:N (message N of -o hops is sent), when:CONDITION (it first holds) or #N:CONDITION (for the N-th time); a CONDITION is like ${BREAKPOINT_EXAMPLES.map((example) => `"${example}"`).join(", ")}`,
  flags: [FILE_FLAG, { name: "--sample", words: 1 }, CLUSTER_FLAG, SEED_FLAG, OUTPUT_FLAG, { name: "--until", words: 1 }, { name: "--fault", words: 1 }, { name: "--at", words: 2 }, { name: "--detail", words: 1 }, { name: "--profile", words: 1 }, SCHEDULER_CONFIG_FLAG, SLOWDOWN_FLAG],
  run(args, io) {
    if (args.positional.length > 0) throw new UsageError(`unexpected "${args.positional[0]}": files are given with -f`);
    const asked = formatOf(args, FORMATS);
    const applied = args.has("--file") || args.has("--sample");
    const run = startRun(recipeOf(args, io));
    const ready = advance(run, args.last("--until"), usualEnd(args), io);
    const commands = commandsOf(run.sim.trace);
    printCommands(commands, applied, asked, io);
    if (asked !== undefined || !args.has("--at")) io.out(render(asked ?? "summary", run, commands, args));
    return ready && commands.every((command) => command.exitCode === 0) ? OK : REFUSED;
  },
} satisfies Command;
