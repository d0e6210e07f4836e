// npm run fuzz [COUNT] [SEED] [FOLDER]: applies mutated manifests (20,000 unless said otherwise) of a folder (default
// ../shared/corpus/manifests, else the samples). Prints each that throws, changes the cluster though refused, or takes
// over 50 ms, and last "N passed, N failed".
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const work = mkdtempSync(join(tmpdir(), "millipod-fuzz-"));
const [count = "20000", seed = "1", folder = join(root, "..", "shared", "corpus", "manifests")] = process.argv.slice(2);
const LIMIT_MS = 50;

const read = (path) =>
  readdirSync(path).flatMap((name) => {
    const file = join(path, name);
    if (statSync(file).isDirectory()) return read(file);
    return /\.(ya?ml|json)$/.test(name) ? [{ name: file, text: readFileSync(file, "utf8") }] : [];
  });

async function load(entry, name) {
  await build({ root, configFile: false, logLevel: "error", ssr: { noExternal: true, target: "node" }, build: { ssr: join(root, entry), outDir: join(work, name), target: "node20", minify: false, copyPublicDir: false, rolldownOptions: { output: { entryFileNames: `${name}.mjs`, codeSplitting: false } } } });
  return import(pathToFileURL(join(work, name, `${name}.mjs`)).href);
}

/** CPU of this process in milliseconds. */
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const { fuzz, tryManifest } = await load("src/cli/fuzz/fuzz.ts", "fuzz");
const manifests = existsSync(folder) ? read(folder) : (await load("src/sim/scenarios/samples.ts", "samples")).SAMPLES.map(({ file, text }) => ({ name: file, text }));
let last = cpu();
let failed = 0;
let slowest = 0;
fuzz(manifests, Number(count), Number(seed), ({ seed: at, manifest, text, what }) => {
  let took = cpu() - last;
  // What the cluster does with it afterwards is not counted; and the compiler and the collector have their moments.
  for (let again = 0; again < 3 && took > LIMIT_MS; again++) {
    const begun = cpu();
    tryManifest(text, ["--dry-run=server"]);
    took = Math.min(took, cpu() - begun);
  }
  slowest = Math.max(slowest, took);
  const said = what ?? (took > LIMIT_MS ? `took ${took.toFixed(0)} ms` : undefined);
  if (said !== undefined) {
    failed++;
    process.stdout.write(`seed ${at}, ${manifest}: ${said}\n`);
  }
  last = cpu();
});
rmSync(work, { recursive: true, force: true });
process.stdout.write(`slowest ${slowest.toFixed(0)} ms\n${Number(count) - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
