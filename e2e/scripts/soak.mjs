// npm run soak -- [--count 1000] [--from 1] [--seed N] [--manifests FOLDER] [--shortest 120] [--longest 600] [--worlds a,b]
// [--no-shrink] [--once] [--json FILE]: random manifests of a folder (MILLIPOD_CORPUS, default ../shared/corpus/manifests, else
// made-up ones), random faults, commands and times. Prints a line for each seed that breaks an invariant, with what is
// left of its recipe, and last "N passed, N failed". `--from` and `--count` cut it into slices for several processes;
// `--seed N` runs one; `--once` leaves out the second run of each, which must be the same.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    manifests: { type: "string", default: process.env.MILLIPOD_CORPUS ?? join(root, "..", "shared", "corpus", "manifests") },
    shortest: { type: "string", default: "120" },
    longest: { type: "string", default: "600" },
    worlds: { type: "string", default: "" },
    "no-shrink": { type: "boolean", default: false },
    once: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

/** In order of names: the draws go by position. */
const read = (path) =>
  readdirSync(path).sort().flatMap((name) => {
    const file = join(path, name);
    if (statSync(file).isDirectory()) return read(file);
    return /\.(ya?ml|json)$/.test(name) ? [{ name: relative(values.manifests, file), text: readFileSync(file, "utf8") }] : [];
  });

const work = mkdtempSync(join(tmpdir(), "millipod-soak-"));
let failed = 0;
let passed = 0;
try {
  await build({ root, configFile: false, logLevel: "error", ssr: { noExternal: true, target: "node" }, build: { ssr: join(root, "src/cli/soak/soak.ts"), outDir: work, target: "node20", minify: false, copyPublicDir: false, rolldownOptions: { output: { entryFileNames: "soak.mjs", codeSplitting: false } } } });
  const { failureLine, judge, shrink, soakRecipe } = await import(pathToFileURL(join(work, "soak.mjs")).href);
  const source = { manifests: existsSync(values.manifests) ? read(values.manifests) : [], shortest: Number(values.shortest), longest: Number(values.longest), worlds: values.worlds === "" ? [] : values.worlds.split(",") };
  const from = Number(values.seed ?? values.from);
  const count = values.seed === undefined ? Number(values.count) : 1;
  for (let seed = from; seed < from + count; seed++) {
    if (seed > from && (seed - from) % 50 === 0) process.stderr.write(`${passed + failed} of ${count} done, ${failed} failed\n`);
    const soak = soakRecipe(seed, source);
    const broken = judge(soak, !values.once);
    if (broken === undefined) {
      passed++;
      continue;
    }
    failed++;
    const failure = values["no-shrink"] ? { ...broken, soak } : shrink(soak, broken);
    process.stdout.write(`${failureLine(failure)} <- ${soak.manifests.join(", ")}\n`);
    if (values.json !== undefined) writeFileSync(values.json.replace("%", String(seed)), JSON.stringify({ ...failure.soak.recipe, until: failure.soak.until, failure: failure.what }));
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
