import { expect, test } from "vitest";
import { SAMPLES } from "../sim/scenarios/samples.ts";
import { WORLDS } from "../sim/scenarios/worlds/registry.ts";
import type { Io } from "./io.ts";
import { main } from "./main.ts";

function cli(argv: readonly string[]): { readonly status: number; readonly out: string; readonly err: string } {
  const printed = { out: "", err: "" };
  const io: Io = { out: (text) => void (printed.out += text), err: (text) => void (printed.err += text), read: () => "", list: () => undefined, exists: () => false };
  return { status: main(argv, io), ...printed };
}

test.each(SAMPLES.map((sample) => [sample.id, sample] as const))("sample %s runs to its end, and every command of it ends well", (id, { world, until, text, after = [] }) => {
  expect(text, "the first line says what there is to watch").toMatch(/^# [A-Z].*\.\n/);
  expect(WORLDS.map((one) => one.id)).toContain(world ?? "ten-nodes");
  for (const input of after) expect(input.at).toBeLessThan(until ?? 0);
  const { status, out, err } = cli(["run", "--sample", id]);
  expect(err).not.toMatch(/still running|NotFound|^error:/m);
  expect(status).toBe(0);
  expect(out.split("\n").length).toBeGreaterThan(15);
});
