import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { SAMPLES } from "../../sim/scenarios/samples.ts";
import { fuzz, type Manifest, tryManifest } from "./fuzz.ts";
import { drawsOf, mutate } from "./mutate.ts";

const CORPUS = fileURLToPath(new URL("../../../../shared/corpus/manifests", import.meta.url));
const here = existsSync(CORPUS);

function corpus(folder: string): Manifest[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return corpus(path);
    return /\.(ya?ml|json)$/.test(name) ? [{ name: path, text: readFileSync(path, "utf8") }] : [];
  });
}

const manifests: readonly Manifest[] = [...SAMPLES.map(({ file, text }) => ({ name: file, text })), ...(here ? corpus(CORPUS).filter(({ text }) => text.length < 20_000) : [])];
/** 500 in all, a part at a time. */
const PARTS = 10;
const PART = 50;

describe(`mutated manifests of the samples${here ? " and of the corpus" : " (no corpus beside the project)"}`, () => {
  test.each(Array.from({ length: PARTS }, (_, i) => i * PART))("from seed %i: none throws, and what is refused changes nothing", (seed) => {
    expect(fuzz(manifests, PART, seed)).toEqual([]);
  });

  test("a good manifest, a broken one and one that is refused in part are all in order", () => {
    const [first] = SAMPLES;
    const half = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: A}\n";
    for (const text of [first?.text ?? "", "kind: [", half]) expect(tryManifest(text)).toBeUndefined();
  });

  test("a seed always makes the same mistakes, and nearly always some", () => {
    const made = Array.from({ length: 50 }, (_, seed) => mutate("a: b\nc:\n  - d: 1\n    e: f\n", drawsOf(seed)));
    expect(made).toEqual(Array.from({ length: 50 }, (_, seed) => mutate("a: b\nc:\n  - d: 1\n    e: f\n", drawsOf(seed))));
    expect(new Set(made).size).toBeGreaterThan(40);
  });
});
