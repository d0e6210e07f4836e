import { finishCommands, startRun } from "../cluster-run.ts";
import { OK, REFUSED, UsageError } from "../io.ts";
import { readManifests } from "../manifests.ts";
import type { Command } from "./command.ts";
import { CLUSTER_FLAG, clusterOf, FILE_FLAG } from "./recipe-flags.ts";
import type { CommandRun } from "../commands-run.ts";

const LIMIT = 60_000_000;

/** `kubectl apply --dry-run=server` in a cluster: what the API server would answer, without storing. */
export function dryRun(world: string, argv: readonly string[], files: Readonly<Record<string, string>>): CommandRun | undefined {
  const run = startRun({ world, seed: 1, profile: "quiet", inputs: [{ at: 0, type: "command", argv: ["apply", "--dry-run=server", ...argv], files }] });
  return finishCommands(run, 0, LIMIT)[0];
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
