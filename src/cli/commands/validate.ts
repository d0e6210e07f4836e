import { finishCommands, startRun } from "../cluster-run.ts";
import { OK, REFUSED, UsageError } from "../io.ts";
import { readManifests } from "../manifests.ts";
import type { Command } from "./command.ts";
import { CLUSTER_FLAG, clusterOf, FILE_FLAG } from "./recipe-flags.ts";
import type { RunInput } from "../../sim/scenarios/recipe.ts";
import type { CommandRun } from "../commands-run.ts";

const LIMIT = 60_000_000;

/** By when namespaces that must exist first do, with their ServiceAccount. */
const NAMESPACES_READY = 2_000_000;

/** `kubectl apply --dry-run=server` in a cluster, after making `namespaces`: what the API server would answer, without storing. */
export function dryRun(world: string, argv: readonly string[], files: Readonly<Record<string, string>>, namespaces: readonly string[] = []): CommandRun | undefined {
  const made = namespaces.map((name, i): RunInput => {
    const file = `namespace-${name}.yaml`;
    return { at: i, type: "command", argv: ["apply", "-f", file], files: { [file]: `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}\n` } };
  });
  const at = made.length === 0 ? 0 : NAMESPACES_READY;
  const run = startRun({ world, seed: 1, profile: "quiet", inputs: [...made, { at, type: "command", argv: ["apply", "--dry-run=server", ...argv], files }] });
  return finishCommands(run, at, at + LIMIT).at(-1);
}

export const validateCommand = {
  name: "validate",
  usage: "-f FILE... [--cluster NAME|FILE]",
  does: "what the API server would answer, without storing (dry run)",
  flags: [FILE_FLAG, CLUSTER_FLAG],
  run(args, io) {
    const paths = args.all("--file").map(([path = ""]) => path);
    if (paths.length === 0) throw new UsageError("give the manifest with -f FILE");
    const { argv, files } = readManifests(paths, io);
    const command = dryRun(clusterOf(args, io), argv, files);
    io.out(command?.stdout ?? "");
    io.err(command?.stderr ?? "");
    return command?.exitCode === 0 ? OK : REFUSED;
  },
} satisfies Command;
