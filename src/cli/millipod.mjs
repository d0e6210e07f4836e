#!/usr/bin/env node
// Bundles the command line when a source is newer than the bundle (some two seconds), then runs it (well under one).
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const cli = dirname(fileURLToPath(import.meta.url));
const root = join(cli, "..", "..");
const SOURCES = ["src/cli", "src/sim", "src/trace"];

/** Number of source files and the newest change among them: a new, changed or removed file changes it. */
function stampOf(folder) {
  let newest = 0;
  let count = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const inner = stampOf(path);
      newest = Math.max(newest, inner.newest);
      count += inner.count;
    } else if (!entry.name.endsWith(".test.ts") && !entry.name.endsWith(".txt")) {
      newest = Math.max(newest, statSync(path).mtimeMs);
      count++;
    }
  }
  return { newest, count };
}

function cacheFolder() {
  for (const folder of [join(root, "node_modules", ".cache", "millipod"), join(tmpdir(), "millipod")]) {
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, ".writable"), "");
      return folder;
    } catch {
      // A read-only checkout: the next candidate.
    }
  }
  throw new Error("no folder to write the bundle to");
}

async function bundle(target) {
  const { build } = await import("vite");
  const work = `${target}.${process.pid}`;
  await build({
    root,
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true, target: "node" },
    build: { ssr: join(cli, "main.ts"), outDir: work, emptyOutDir: true, target: "node20", minify: false, copyPublicDir: false, rolldownOptions: { output: { entryFileNames: "main.mjs", codeSplitting: false } } },
  });
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(work, target);
  } catch {
    // Another run has just put the same bundle there.
    rmSync(work, { recursive: true, force: true });
  }
}

function isThere(path) {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function entry() {
  const stamps = SOURCES.map((folder) => stampOf(join(root, folder)));
  const name = `${Math.max(...stamps.map((stamp) => stamp.newest)).toString(36).replace(".", "-")}-${stamps.reduce((sum, stamp) => sum + stamp.count, 0)}`;
  const cache = cacheFolder();
  const main = join(cache, name, "main.mjs");
  if (!isThere(main)) {
    const old = readdirSync(cache).filter((entryName) => entryName !== ".writable" && !entryName.startsWith(name));
    await bundle(join(cache, name));
    // Bundles are single files, read at start: removing an old one disturbs nobody who runs it.
    for (const entryName of old) rmSync(join(cache, entryName), { recursive: true, force: true });
  }
  return main;
}

process.stdout.on("error", (error) => {
  // The reader has gone ("| head"): nothing more to say.
  if (error.code === "EPIPE") process.exit(0);
});

try {
  const { main } = await import(pathToFileURL(await entry()).href);
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`millipod: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}\n`);
  process.exitCode = 2;
}
