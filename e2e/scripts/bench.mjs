// npm run bench: the figures that the design promises, measured here. CPU times are of this process; the machine may be busy.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { findChromium } from "./browser.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const work = mkdtempSync(join(tmpdir(), "millipod-bench-"));

function report(name, value, unit, limit) {
  const shown = Number.isNaN(value) ? "never" : value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3);
  process.stdout.write(`${name.padEnd(52)} ${shown.padStart(9)} ${unit}${limit === undefined ? "" : `   (at most ${limit})`}\n`);
}

const gz = (file) => gzipSync(readFileSync(file)).length / 1024;

/** CPU of this thread in milliseconds; where the system does not tell, of the process with its compiler threads. */
function cpu() {
  try {
    return Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

async function simulation() {
  await build({ root, configFile: false, logLevel: "error", ssr: { noExternal: true, target: "node" }, build: { ssr: join(root, "src/cli/bench.ts"), outDir: join(work, "bench"), target: "node20", minify: false, copyPublicDir: false, rolldownOptions: { output: { entryFileNames: "bench.mjs", codeSplitting: false } } } });
  const { measure } = await import(pathToFileURL(join(work, "bench", "bench.mjs")).href);
  const limits = { "one Pod, Apply to Ready: CPU": 10, "Deployment of 50, Apply to Ready: CPU": 100, "state of a component at a random time: p99": 0.1, "fork in the middle of the 50: median": 10 };
  const clock = { cpu, wall: () => performance.now() };
  for (const { name, value, unit } of measure(clock)) report(name, value, unit, limits[name]);
}

/** JavaScript that index.html loads at once: its scripts, and what they import statically. */
function initialScripts(dist) {
  const seen = new Set();
  const html = readFileSync(join(dist, "index.html"), "utf8");
  const queue = [...html.matchAll(/(?:src|href)="\.?\/?([^"]+\.js)"/g)].map(([, path]) => join(dist, path));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file) || !existsSync(file)) continue;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, path] of text.matchAll(/(?:^|[;\s}])(?:import|export)\s*(?:[\w*{][^;"'`]*?from\s*)?["'](\.\/[^"']+\.js)["']/g)) queue.push(join(dirname(file), path));
  }
  return [...seen];
}

function sizes(dist) {
  const assets = readdirSync(join(dist, "assets")).map((name) => join(dist, "assets", name));
  report("JavaScript of the page before the editor, gzipped", initialScripts(dist).reduce((sum, file) => sum + gz(file), 0), "kB", 250);
  const worker = assets.filter((file) => /[\\/]worker-[^\\/]+\.js$/.test(file));
  report("simulation (the worker's bundle), gzipped", worker.reduce((sum, file) => sum + gz(file), 0), "kB");
}

const sum = (metrics, names) => names.reduce((total, name) => total + (metrics.find((metric) => metric.name === name)?.value ?? 0), 0);

/** CPU of the main thread for each frame while the page plays, and its longest task, by the DevTools protocol. */
async function playing() {
  const executablePath = await findChromium();
  if (executablePath === undefined) return;
  const { chromium } = await import("playwright");
  const port = execFileSync(process.execPath, ["-e", "const s=require('node:net').createServer();s.listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})"], { encoding: "utf8" }).trim();
  const server = spawn(join(root, "node_modules/.bin/vite"), ["preview", "--host", "127.0.0.1", "--port", port, "--strictPort"], { cwd: root, stdio: "ignore" });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(() => {
      globalThis.__tasks = [];
      new PerformanceObserver((list) => globalThis.__tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ entryTypes: ["longtask"] });
    });
    for (let tries = 0; ; tries++) {
      try {
        await page.goto(`http://127.0.0.1:${port}/`);
        break;
      } catch (error) {
        if (tries > 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    const opened = performance.now();
    await page.waitForSelector('[data-millipod-state="ready"]', { timeout: 30_000 });
    report("from opening the page to ready", performance.now() - opened, "ms");
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.getByRole("button", { name: "Play", exact: true }).first().click();
    await page.evaluate(() => { globalThis.__tasks.length = 0; });
    const before = (await session.send("Performance.getMetrics")).metrics;
    const frames = await page.evaluate(() => new Promise((resolve) => {
      let count = 0;
      const from = performance.now();
      const tick = () => {
        count++;
        if (performance.now() - from < 5_000) requestAnimationFrame(tick);
        else resolve(count);
      };
      requestAnimationFrame(tick);
    }));
    const after = (await session.send("Performance.getMetrics")).metrics;
    const cost = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"];
    report("frames in five seconds of playing", frames, "");
    report("script, style and layout for each frame", ((sum(after, cost) - sum(before, cost)) * 1_000) / frames, "ms", 8);
    report("longest task while playing", Math.max(0, ...(await page.evaluate(() => globalThis.__tasks))), "ms", 50);
  } finally {
    await browser.close();
    server.kill();
  }
}

try {
  await simulation();
  if (existsSync(join(root, "index.html"))) {
    await build({ root, logLevel: "error" });
    sizes(join(root, "dist"));
    await playing();
  }
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
