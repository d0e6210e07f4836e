import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { KubeObject } from "../api/types.ts";
import { printYaml, stripManaged } from "./yaml.ts";

interface Case {
  readonly id: string;
  readonly input: { readonly argv: readonly string[] };
  readonly expect: { readonly stdout: string; readonly exitCode: number };
}
const shared = new URL("../../../../shared/oracle/", import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, shared), "utf8"));
const cases = existsSync(shared) ? (read("kubectl.json") as Case[]) : [];
const objects = existsSync(shared) ? (read("kubectl-objects.json") as { items: KubeObject[] }).items : [];

/** `kubectl get TYPE NAME -o yaml` of an object that the recording has, in the version it has it. */
const recorded = cases.flatMap(({ id, input: { argv }, expect: { stdout, exitCode } }) => {
  const m = /^apiVersion: (\S+)[\s\S]*?^kind: (\w+)\nmetadata:[\s\S]*?\n {2}name: (\S+)/m.exec(stdout);
  if (argv[0] !== "get" || !argv.includes("yaml") || exitCode !== 0 || !m || m[2] === "List") return [];
  const found = objects.filter((o) => o.apiVersion === m[1] && o.kind === m[2] && o.metadata.name === m[3]);
  return found.length === 0 ? [] : [{ id, stdout, found, managed: argv.includes("--show-managed-fields") }];
});

test.each(recorded)("prints as recorded: $id", ({ stdout, found, managed }) => {
  const printed = found.map((object) => printYaml(managed ? object : stripManaged(object)));
  expect(printed.includes(stdout) ? stdout : printed[0]).toBe(stdout);
});

test.each([
  { value: { a: "yes", b: "no way", c: "1", d: "0.5", e: "1e3", f: "", g: null, h: true, i: 3 }, want: 'a: "yes"\nb: no way\nc: "1"\nd: "0.5"\ne: "1e3"\nf: ""\ng: null\nh: true\ni: 3\n' },
  { value: { a: ["x: y", "#c", "- d", "it's"], b: {}, c: [] }, want: "a:\n- 'x: y'\n- '#c'\n- '- d'\n- it's\nb: {}\nc: []\n" },
  { value: { text: "a\nb\n", cut: "a\nb" }, want: "cut: |-\n  a\n  b\ntext: |\n  a\n  b\n" },
])("$want", ({ value, want }) => {
  expect(printYaml(value)).toBe(want);
});
