// The reader against the `yaml` package (YAML 1.1 mode), which is kinder than libyaml in some places and stricter in others.
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { readStream } from "./document-stream.ts";

const BASES = [
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels: {app: web, "tier": \'front\'}\nspec:\n  containers:\n  - name: c\n    image: nginx:1.27\n    args: ["-c", \'it\'\'s\', a b]\n    env:\n      - {name: A, value: "x\\ty"}\n',
  "base: &b\n  a: 1\n  t: !!str 2\nlist:\n- *b\n- <<: *b\n  c: |\n    one\n      two\n\n    three\n- >-\n  folded\n  text\n# end\n",
  '? complex\n: value\n"quoted key": {a: [1, 2, {b: c}], d: }\nplain: some words\n  that go on\nempty:\n',
];
const PIECES = [..." \n:-,[]{}#&*!|>'\"%?ab1\t", "\n  ", ": ", "- ", "\n\n"];

/** What only libyaml refuses. */
const STRICTER = [
  /did not find expected key/, // "a:" behind a block collection, anchors in front of one
  /did not find expected node content/, // "," without an entry in front
  /did not find expected ',' or/,
  /did not find expected '-' indicator/,
  /did not find expected alphabetic or numeric character/, // names of anchors
  /did not find expected whitespace or line break/, // behind a tag
  /could not find expected ':'/,
  /found character that cannot start any token/, // "%" in a flow collection, tabs
  /found a tab character/,
  /mapping (values|keys) are not allowed in this context/,
  /map merge requires map/,
  /invalid map key/,
  /unknown anchor/, // the end of a name
];
/** What only the package refuses. */
const KINDER = [
  /Unexpected (map-value-ind|flow-\w+-end|scalar|comma) /i, // in flow collections, and behind the root's end
  /Unexpected scalar at node end/,
  /must be sufficiently indented/, // flow collections at the parent's column
  /Missing closing/, // behind the root's end
  /Implicit keys need to be on a single line/, // in flow collections
  /Tags and anchors must be separated|Comments must be separated/,
  /Could not resolve tag/, // kept as text
  /Invalid escape sequence \\'/,
];

function mutate(text: string, next: (below: number) => number): string {
  const at = next(text.length);
  const piece = PIECES[next(PIECES.length)] ?? "";
  return [text.slice(0, at) + piece + text.slice(at), text.slice(0, at) + text.slice(at + 1), text.slice(0, at) + piece + text.slice(at + 1)][next(3)] ?? text;
}

test("mutated texts never throw, and are refused where the yaml package refuses them", () => {
  let seed = 7;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const unexplained: string[] = [];
  let refused = 0;
  for (let i = 0; i < 300; i++) {
    const text = mutate(BASES[i % BASES.length] ?? "", next);
    const ours = readStream(text).error?.message;
    const parsed = parseAllDocuments(text, { version: "1.1", uniqueKeys: false, logLevel: "silent" });
    const theirs = (Array.isArray(parsed) ? parsed : []).flatMap(({ errors }) => errors)[0]?.message;
    if (ours !== undefined) refused += 1;
    if ((ours === undefined) === (theirs === undefined)) continue;
    const known = ours === undefined ? KINDER.some((pattern) => pattern.test(theirs ?? "")) : STRICTER.some((pattern) => pattern.test(ours));
    if (!known) unexplained.push(`${JSON.stringify(text)}: ${ours ?? theirs ?? ""}`);
  }
  expect(unexplained).toEqual([]);
  expect(refused).toBeGreaterThan(50);
});
