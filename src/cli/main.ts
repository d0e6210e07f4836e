import { parseArgs } from "./args.ts";
import { COMMANDS } from "./commands/registry.ts";
import { BAD_USAGE, type Io, OK, UsageError } from "./io.ts";
import { nodeIo } from "./node-io.ts";

const HELP = new Set(["help", "--help", "-h"]);

function usage(): string {
  return `millipod: the life of a Kubernetes Pod, simulated\n\n${COMMANDS.map((command) => `millipod ${command.name} ${command.usage}\n    ${command.does}\n`).join("")}`;
}

/** Runs one command line; returns the exit status: 0, 1 (the cluster refused, or a case failed) or 2 (bad usage). */
export function main(argv: readonly string[], io: Io = nodeIo): number {
  const [name, ...rest] = argv;
  if (name !== undefined && HELP.has(name)) {
    io.out(usage());
    return OK;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) {
    io.err(`${name === undefined ? "" : `millipod: unknown command "${name}"\n\n`}${usage()}`);
    return BAD_USAGE;
  }
  if (rest.some((word) => word === "--help" || word === "-h")) {
    io.out(`millipod ${command.name} ${command.usage}\n    ${command.does}\n`);
    return OK;
  }
  try {
    return command.run(parseArgs(rest, command.flags), io);
  } catch (error) {
    if (error instanceof UsageError) io.err(`millipod ${command.name}: ${error.message}\n`);
    // A broken invariant of the simulation: said in one line, with what to report.
    else io.err(`millipod ${command.name}: the simulation failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return BAD_USAGE;
  }
}
