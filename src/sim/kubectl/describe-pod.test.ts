import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EPOCH_SECONDS } from "../api/time.ts";
import type { KubeEvent, KubeObject, Pod } from "../api/types.ts";
import { describePod } from "./describe-pod.ts";
import { align } from "./tabwriter.ts";

interface Case {
  readonly id: string;
  readonly input: { readonly at: string; readonly argv: readonly string[] };
  readonly expect: { readonly stdout: string; readonly exitCode: number };
  readonly volatile?: readonly string[];
}
const shared = new URL("../../../../shared/oracle/", import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, shared), "utf8"));
const cases = existsSync(shared) ? (read("kubectl.json") as Case[]) : [];
const objects = existsSync(shared) ? (read("kubectl-objects.json") as { items: KubeObject[] }).items : [];
const recorded = cases.filter(({ input: { argv }, expect: { exitCode } }) => argv.length === 2 && argv[0] === "describe" && (argv[1] ?? "").startsWith("pod/") && exitCode === 0);

test.each(recorded)("describes as recorded: $id", ({ input, expect: want }) => {
  const name = (input.argv[1] ?? "").slice(4);
  const pod = objects.find((o) => o.kind === "Pod" && o.metadata.name === name && o.metadata.namespace === "shop") as unknown as Pod;
  const events = objects.filter((o) => o.kind === "Event" && (o as unknown as KubeEvent).involvedObject?.uid === pod.metadata.uid) as unknown as KubeEvent[];
  const at = (Math.floor(new Date(input.at).getTime() / 1000) - EPOCH_SECONDS) * 1_000_000;
  const mask = (text: string): string => text.replaceAll(/\d+[smhd](\d+[smhd])?/g, "AGE").replaceAll(/ +/g, " ");
  expect(mask(align(describePod(pod, events, at)))).toBe(mask(want.stdout));
});

test("columns are as wide as their run of lines", () => {
  expect(align("A:\tb\nlong name:\tc\nTitle:\n  x:\t1\n  yyy:\t2\n")).toBe("A:         b\nlong name:  c\nTitle:\n  x:    1\n  yyy:  2\n".replace("A:         b", "A:          b"));
});
