import { keyedRandom } from "../../sim/kernel/random.ts";

/** Draws below a bound, one after another; the same seed gives the same ones. */
export type Draw = (below: number) => number;

export function drawsOf(seed: number): Draw {
  let n = 0;
  return (below) => (below <= 1 ? 0 : keyedRandom(seed, "fuzz", "draw", n++) % below);
}

/** What people, templates and other tools put where a value was. */
const VALUES: readonly string[] = [
  "yes", "on", "No", "~", "null", '""', "''", "0", "-1", "1.5", "1e3", "0x1F", "017", "1_000", "99999999999999999999", ".inf", ".nan", "2020-01-01", "12:30:45", '"true"', "true", "[]", "{}", "[a, b]", "{a: b}", "- a", "|", ">-", "*x", "&x a", "!!str 1", "!!binary aGk=",
  "500m", "1Gi", "1gb", "-5Mi", "a b", "A_b", "é", "😀", "\u0000", "x".repeat(300), "nginx:latest", "kubernetes.io/a/b", "0/0", "%", "@a", "`a`", "a: b", "a #b", "# a", "{{ .Values.x }}", "${X}", "<none>", "---", "...", "\t",
];

type Mutation = (lines: string[], draw: Draw) => void;

const lineOf = (lines: readonly string[], draw: Draw): number => draw(lines.length);
const indentOf = (line: string): string => /^[ -]*/.exec(line)?.[0] ?? "";

const MUTATIONS: readonly Mutation[] = [
  // A value is another.
  (lines, draw) => {
    const at = lineOf(lines, draw);
    lines[at] = (lines[at] ?? "").replace(/:\s*[^:]*$/, `: ${VALUES[draw(VALUES.length)] ?? ""}`);
  },
  // A key is misspelt.
  (lines, draw) => {
    const at = lineOf(lines, draw);
    lines[at] = (lines[at] ?? "").replace(/([A-Za-z]+):/, (key) => (draw(2) === 0 ? `${key.slice(0, -2)}:` : key.toUpperCase()));
  },
  // A line is lost, written twice, or stands elsewhere.
  (lines, draw) => lines.splice(lineOf(lines, draw), 1),
  (lines, draw) => {
    const at = lineOf(lines, draw);
    lines.splice(at, 0, lines[at] ?? "");
  },
  (lines, draw) => {
    const [line = ""] = lines.splice(lineOf(lines, draw), 1);
    lines.splice(draw(lines.length + 1), 0, line);
  },
  // Indentation is off.
  (lines, draw) => {
    const at = lineOf(lines, draw);
    lines[at] = draw(2) === 0 ? ` ${lines[at] ?? ""}` : (lines[at] ?? "").replace(/^ {1,2}/, "");
  },
  (lines, draw) => {
    const at = lineOf(lines, draw);
    lines[at] = (lines[at] ?? "").replace(/^ +/, "\t");
  },
  // A list item is none, or a value becomes one.
  (lines, draw) => {
    const at = lineOf(lines, draw);
    lines[at] = /^\s*- /.test(lines[at] ?? "") ? (lines[at] ?? "").replace("- ", "  ") : (lines[at] ?? "").replace(/\S/, "- $&");
  },
  // A block is copied to another place, with its indentation.
  (lines, draw) => {
    const from = lineOf(lines, draw);
    const block = lines.slice(from, from + 1 + draw(8));
    lines.splice(draw(lines.length + 1), 0, ...block);
  },
  // Something is cut off, or a character stands where none should.
  (lines, draw) => lines.splice(Math.max(1, lineOf(lines, draw))),
  (lines, draw) => {
    const at = lineOf(lines, draw);
    const text = lines[at] ?? "";
    const place = draw(text.length + 1);
    lines[at] = text.slice(0, place) + (["'", '"', ":", "{", "[", "}", "]", ",", "#", "&", "*", "!", "|", "%", "\u00a0", "\ufeff", "\r", "\u0007"][draw(18)] ?? "") + text.slice(place);
  },
  // Documents are joined, parted, or anchored.
  (lines, draw) => lines.splice(draw(lines.length + 1), 0, ["---", "...", "--- # next", "%YAML 1.1", "---x"][draw(5)] ?? ""),
  (lines, draw) => {
    const at = lineOf(lines, draw);
    lines.splice(at, 0, `${indentOf(lines[at] ?? "").replaceAll("-", " ")}${["<<: *a", "x: &a {b: c}", "? [a, b]", "- - - a", "items: []"][draw(5)] ?? ""}`);
  },
  // The other systems' line ends and marks.
  (lines) => {
    for (const [i, line] of lines.entries()) lines[i] = `${line}\r`;
  },
  (lines) => {
    lines[0] = `\ufeff${lines[0] ?? ""}`;
  },
];

/** A manifest with one to four mistakes in it. */
export function mutate(text: string, draw: Draw): string {
  const lines = text.split("\n");
  for (let i = 1 + draw(4); i > 0 && lines.length > 0; i--) MUTATIONS[draw(MUTATIONS.length)]?.(lines, draw);
  return lines.join("\n");
}
