import { dirname, join } from "node:path";
import { ADAPTERS } from "../conformance/adapters.ts";
import { casesIn, runCases } from "../conformance/runner.ts";
import type { ConformanceCase } from "../conformance/adapter.ts";
import { type Io, OK, REFUSED, UsageError } from "../io.ts";
import type { Command } from "./command.ts";

function readJson(path: string, io: Io): unknown {
  try {
    return JSON.parse(io.read(path));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function casesOf(path: string, io: Io): readonly ConformanceCase[] {
  const cases = casesIn(readJson(path, io), path);
  if (!cases) io.err(`${path}: no cases in it\n`);
  return cases ?? [];
}

export const conformanceCommand = {
  name: "conformance",
  usage: "FILE... [--kind K]... [--id ID]... [--only-known]",
  does: "runs case files and recordings; a line for each failing case, and last the counts; a kind without an adapter fails, unless --only-known",
  flags: [{ name: "--kind", words: 1 }, { name: "--id", words: 1 }, { name: "--only-known", words: 0 }],
  run(args, io) {
    if (args.positional.length === 0) throw new UsageError("give at least one file of cases");
    const files = args.positional.flatMap((path) => io.list(path)?.filter((name) => name.endsWith(".json")) ?? [path]);
    const words = (name: string): string[] => args.all(name).flatMap(([value = ""]) => value.split(","));
    const homes = new Map<ConformanceCase, string>();
    for (const path of files) for (const testCase of casesOf(path, io)) homes.set(testCase, dirname(path));
    const read = new Map<string, unknown>();
    const sibling = (testCase: ConformanceCase, name: string): unknown => {
      const path = join(homes.get(testCase) ?? ".", name);
      if (!read.has(path)) read.set(path, io.exists(path) ? readJson(path, io) : undefined);
      return read.get(path);
    };
    const { passed, failed, failures } = runCases([...homes.keys()], ADAPTERS, { kinds: words("--kind"), ids: words("--id"), onlyKnown: args.has("--only-known") }, sibling);
    for (const failure of failures) io.out(`${failure}\n`);
    io.out(`${passed} passed, ${failed} failed\n`);
    return failed === 0 ? OK : REFUSED;
  },
} satisfies Command;
