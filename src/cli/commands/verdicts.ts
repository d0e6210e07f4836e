import { dirname, join } from "node:path";
import type { CommandRun } from "../commands-run.ts";
import { show } from "../conformance/difference.ts";
import { type Io, OK, REFUSED, UsageError } from "../io.ts";
import type { Command } from "./command.ts";
import { dryRun } from "./validate.ts";

type Verdict = "accepted" | "rejected" | "partly-rejected" | "needs-namespace";

interface Row {
  readonly file: string;
  readonly verdict: string;
  readonly reason: string;
}

/** The emptiest there is: one node, no custom resources. */
const WORLD = "one-node";
const NO_NAMESPACE = /namespaces "[^"]*" not found/;

function rowsOf(text: string): readonly Row[] {
  const [head = "", ...lines] = text.split("\n").filter((line) => line.trim() !== "");
  const columns = head.split("\t");
  const [file, verdict, reason] = ["file", "cluster_v1_36_2", "reason"].map((name) => columns.indexOf(name));
  if (file === undefined || verdict === undefined || reason === undefined || file < 0 || verdict < 0 || reason < 0) throw new UsageError("the index needs the columns file, cluster_v1_36_2 and reason");
  return lines.map((line) => {
    const cells = line.split("\t");
    return { file: cells[file] ?? "", verdict: cells[verdict] ?? "", reason: cells[reason] ?? "" };
  });
}

/** What kubectl's answer amounts to. A document that only lacks its namespace would be accepted once that exists. */
function verdictOf(command: CommandRun): Verdict {
  if (command.exitCode === 0) return "accepted";
  const errors = command.stderr.split("\n").filter((line) => line !== "" && !line.startsWith("Warning:"));
  if (errors.length > 0 && errors.every((line) => NO_NAMESPACE.test(line))) return "needs-namespace";
  return command.stdout.trim() === "" ? "rejected" : "partly-rejected";
}

/** Texts as the index writes them: the file's name replaced, lines joined, without blanks that vary. */
const normal = (text: string, file: string): string => text.replaceAll(file, "<file>").replaceAll(/\s*\n\s*/g, " | ").replaceAll(/\s+/g, " ").trim();

/**
 * A dry run. A file that brings its own namespaces is judged with them in place: a dry run stores none, so the objects
 * after them would find none.
 */
function answerTo(path: string, text: string): CommandRun | undefined {
  const command = dryRun(WORLD, ["-f", path], { [path]: text });
  const own = [...(command?.stdout.matchAll(/^namespace\/(\S+) created/gm) ?? [])].map(([, name]) => name ?? "");
  return own.length > 0 && NO_NAMESPACE.test(command?.stderr ?? "") ? dryRun(WORLD, ["-f", path], { [path]: text }, own) : command;
}

function failureOf(row: Row, folder: string, io: Io): string | undefined {
  const path = join(folder, row.file);
  const command = answerTo(path, io.read(path));
  if (!command || command.exitCode === undefined) return "kubectl gave no answer";
  const verdict = verdictOf(command);
  if (verdict !== row.verdict) return `expected ${row.verdict}${row.reason === "" ? "" : ` (${row.reason})`}, got ${verdict}: ${show(command.stderr.trim())}`;
  const got = normal(command.stderr, path);
  const missing = row.reason.split(" | ").map((part) => normal(part, path)).find((part) => part !== "" && !got.includes(part));
  return missing === undefined ? undefined : `expected the reason ${show(missing)}, got ${show(got)}`;
}

export const verdictsCommand = {
  name: "verdicts",
  usage: "INDEX.tsv",
  does: "dry-runs every manifest of an index in an empty cluster and compares with what the real one said",
  flags: [],
  run(args, io) {
    const [path] = args.positional;
    if (path === undefined || args.positional.length > 1) throw new UsageError("give one index file");
    let passed = 0;
    let failed = 0;
    for (const row of rowsOf(io.read(path))) {
      const failure = failureOf(row, dirname(path), io);
      if (failure === undefined) passed++;
      else {
        failed++;
        io.out(`${row.file}: ${failure.replaceAll("\n", "\\n")}\n`);
      }
    }
    io.out(`${passed} passed, ${failed} failed\n`);
    return failed === 0 ? OK : REFUSED;
  },
} satisfies Command;
