import { WORLDS } from "../../sim/scenarios/worlds/registry.ts";
import type { RunInput } from "../../sim/scenarios/recipe.ts";
import { parseSlowdowns, type Slowdowns } from "../../sim/scenarios/slowdowns.ts";
import { configProblem } from "../../sim/kube-scheduler/config/load.ts";
import { type Args, type FlagSpec, splitWords } from "../args.ts";
import { parseFault } from "../fault-flag.ts";
import type { FaultPlan } from "../fault-plan.ts";
import { type Io, UsageError } from "../io.ts";
import { filesOf } from "../manifests.ts";
import { parseTime } from "../time-text.ts";

export const FILE_FLAG: FlagSpec = { name: "--file", short: "-f", words: 1 };
export const OUTPUT_FLAG: FlagSpec = { name: "--output", short: "-o", words: 1 };
export const CLUSTER_FLAG: FlagSpec = { name: "--cluster", words: 1 };
export const SEED_FLAG: FlagSpec = { name: "--seed", words: 1 };

/** "--cluster NAME or FILE": a built-in world's id, or the text of a file with nodes and Pods; `usual` without the flag. */
export function clusterOf(args: Args, io: Io, usual = WORLDS[0]?.id ?? ""): string {
  const name = args.last("--cluster");
  if (name === undefined) return usual;
  if (WORLDS.some((world) => world.id === name)) return name;
  if (name !== "-" && !io.exists(name)) throw new UsageError(`there is no cluster "${name}": give a file or one of ${WORLDS.map((world) => world.id).join(", ")}`);
  return io.read(name);
}

export function seedOf(args: Args): number {
  const text = args.last("--seed") ?? "1";
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--seed ${text} is not a whole number`);
  return Number(text);
}

export const SCHEDULER_CONFIG_FLAG: FlagSpec = { name: "--scheduler-config", words: 1 };

/** "--scheduler-config FILE": the text of a KubeSchedulerConfiguration that kube-scheduler takes; undefined if none was given. */
export function schedulerConfigOf(args: Args, io: Io): string | undefined {
  const path = args.last("--scheduler-config");
  if (path === undefined) return undefined;
  const text = io.read(path);
  const problem = configProblem(text);
  if (problem !== "") throw new UsageError(`--scheduler-config ${path}: ${problem}`);
  return text;
}

export const SLOWDOWN_FLAG: FlagSpec = { name: "--slowdown", words: 1 };

/** "--slowdown etcd=5,registry=0.5": what takes so many times as long as usual. */
export function slowdownsOf(args: Args): Slowdowns | undefined {
  const text = args.last("--slowdown");
  const read = text === undefined ? undefined : parseSlowdowns(text);
  if (typeof read === "string") throw new UsageError(`--slowdown: ${read}`);
  return read;
}

/** "--at TIME COMMAND": the command as typed in a shell, with or without "kubectl". */
export function commandsAt(args: Args, io: Io): RunInput[] {
  return args.all("--at").map(([time = "", text = ""]) => {
    const words = splitWords(text);
    const argv = words[0] === "kubectl" ? words.slice(1) : words;
    if (argv.length === 0) throw new UsageError(`--at ${time} has an empty command`);
    return { at: parseTime(time), type: "command", argv, files: filesOf(argv, io) };
  });
}

export const faultPlansOf = (args: Args): FaultPlan[] => args.all("--fault").map(([text = ""]) => parseFault(text));

/** The output format asked for: one of `formats`, or undefined if none was. */
export function formatOf<T extends string>(args: Args, formats: readonly T[]): T | undefined {
  const text = args.last("--output");
  const format = formats.find((candidate) => candidate === text);
  if (text !== undefined && format === undefined) throw new UsageError(`unknown output format "${text}": one of ${formats.join(", ")}`);
  return format;
}
