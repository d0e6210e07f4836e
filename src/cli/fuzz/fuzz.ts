import { finishCommands, startRun } from "../cluster-run.ts";
import type { CommandRun } from "../commands-run.ts";
import type { Trace } from "../../trace/trace.ts";
import { drawsOf, mutate } from "./mutate.ts";

/** A manifest to start from. */
export interface Manifest {
  readonly name: string;
  readonly text: string;
}

/** What went wrong with one mutated manifest, and how to have it again. */
export interface Finding {
  readonly seed: number;
  readonly manifest: string;
  readonly text: string;
  readonly what: string;
}

const WORLD = "one-node";
const LIMIT = 120_000_000;
/** Only a user's own writes are told at this level. */
const BASIC = 0;
const WRITTEN = /^\S.* (created|configured|serverside-applied)$/;

/** Objects that the command stored: a manifest of several may be refused in part. */
function writes(trace: Trace): number {
  let count = 0;
  for (const note of trace.revisionNotes) if (trace.notes.level.get(note) === BASIC) count++;
  return count;
}

/**
 * Applies a manifest in a cluster of one node. Undefined if kubectl ended, said something, and stored no more than it
 * said; else what is wrong. `flags` are further flags of apply.
 */
export function tryManifest(text: string, flags: readonly string[] = []): string | undefined {
  let command: CommandRun | undefined;
  let stored = 0;
  try {
    const run = startRun({ world: WORLD, seed: 1, profile: "quiet", inputs: [{ at: 0, type: "command", argv: ["apply", "-f", "m.yaml", ...flags], files: { "m.yaml": text } }] });
    command = finishCommands(run, 0, LIMIT).at(-1);
    stored = writes(run.sim.trace);
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 4).join(" | ") : String(error)}`;
  }
  if (command?.exitCode === undefined) return "kubectl did not end";
  if (command.exitCode !== 0 && command.stderr.trim() === "") return `exit code ${command.exitCode} without a word`;
  const said = command.stdout.split("\n").filter((line) => WRITTEN.test(line)).length;
  return stored === said ? undefined : `said ${said} writes and stored ${stored}: ${command.stdout.trim()} / ${command.stderr.trim()}`.slice(0, 500);
}

/** Tries `count` mutated manifests from `seed` on. `onTried` hears of each, also of good ones. */
export function fuzz(manifests: readonly Manifest[], count: number, seed: number, onTried?: (finding: Omit<Finding, "what"> & { readonly what: string | undefined }) => void): readonly Finding[] {
  const findings: Finding[] = [];
  for (let i = seed; i < seed + count; i++) {
    const draw = drawsOf(i);
    const base = manifests[draw(manifests.length)];
    if (base === undefined) break;
    const text = mutate(base.text, draw);
    const what = tryManifest(text);
    const tried = { seed: i, manifest: base.name, text };
    onTried?.({ ...tried, what });
    if (what !== undefined) findings.push({ ...tried, what });
  }
  return findings;
}
