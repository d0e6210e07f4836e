import { expect, test } from "vitest";
import type { RunInfo, RunInput } from "../worker/protocol.ts";
import { ownInputs, runToLetGo } from "./undo.ts";

const run = (id: string, more: Partial<RunInfo> = {}, inputs: readonly RunInput[] = []): RunInfo => ({ id, title: id, until: 0, recipe: { world: "w", seed: 1, profile: "quiet", inputs }, ...more });
const chain = ["a", "b", "c", "d", "e", "f"];

test.each([
  { name: "five are kept", runs: chain.slice(0, 5).map((id) => run(id)), shown: "e", want: undefined },
  { name: "of six the oldest goes", runs: chain.map((id) => run(id)), shown: "f", want: "a" },
  { name: "but not what the one shown came from", runs: chain.map((id) => run(id, id === "f" ? { parent: "a" } : {})), shown: "f", want: "b" },
  { name: "not even over several forks", runs: chain.map((id) => run(id, id === "f" ? { parent: "b" } : id === "b" ? { parent: "a" } : {})), shown: "f", want: "c" },
  { name: "where all are its ancestors, the first of them", runs: chain.map((id, i) => run(id, i === 0 ? {} : { parent: chain[i - 1] as string })), shown: "f", want: "a" },
])("$name", ({ runs, shown, want }) => expect(runToLetGo(runs, shown)?.id).toBe(want));

const command = (at: number, ...argv: string[]): RunInput => ({ at, type: "command", argv, files: {} });

test("what a fork did itself", () => {
  const parent = run("a", {}, [command(0, "apply"), command(9, "scale")]);
  const fork = run("b", { parent: "a", forkAt: 5 }, [command(0, "apply"), command(5, "delete"), command(9, "scale")]);
  expect(ownInputs(fork, parent)).toEqual([command(5, "delete"), command(9, "scale")]);
});
