// npm test: types, lint, unit tests, build, browser tests. Prints what fails and last "N passed, N failed", all counted together.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { findChromium } from "./browser.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const bin = (name) => join(root, "node_modules", ".bin", name);
const work = mkdtempSync(join(tmpdir(), "millipod-test-"));
const total = { passed: 0, failed: 0 };

function count(name, passed, failed, started) {
  total.passed += passed;
  total.failed += failed;
  process.stdout.write(`${failed === 0 ? "ok  " : "FAIL"} ${name}: ${passed} passed, ${failed} failed (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
}

const run = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 256 * 1024 * 1024, timeout: 1_500_000, env: { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1", ...env } });

const outputOf = (result) => [result.stdout, result.stderr, result.error?.message].filter((text) => text).join("\n").trim();

/** One command that passes or fails as a whole. */
function step(name, command, args) {
  const started = Date.now();
  const result = run(command, args);
  if (result.status !== 0) process.stdout.write(`${outputOf(result)}\n`);
  count(name, result.status === 0 ? 1 : 0, result.status === 0 ? 0 : 1, started);
  return result.status === 0;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** A failing test that a report does not count: a file that could not be loaded, a runner that crashed. */
const uncounted = (result, failed) => (result.status !== 0 && failed === 0 ? 1 : 0);

function unit() {
  const started = Date.now();
  const file = join(work, "unit.json");
  const result = run(bin("vitest"), ["run", "--reporter=json", `--outputFile=${file}`]);
  const report = readReport(file);
  let brokenFiles = 0;
  for (const suite of report?.testResults ?? []) {
    const failed = suite.assertionResults.filter((test) => test.status === "failed");
    if (suite.status === "failed" && failed.length === 0) {
      brokenFiles++;
      process.stdout.write(`  ${relative(root, suite.name)}: ${suite.message.split("\n")[0]}\n`);
    }
    for (const test of failed) process.stdout.write(`  ${relative(root, suite.name)} > ${test.fullName}\n    ${(test.failureMessages[0] ?? "").split("\n").slice(0, 12).join("\n    ")}\n`);
  }
  const failed = (report?.numFailedTests ?? 0) + brokenFiles;
  if (!report) process.stdout.write(`${outputOf(result)}\n`);
  count("unit", report?.numPassedTests ?? 0, failed + uncounted(result, failed), started);
}

function* specsOf(suite, path) {
  for (const spec of suite.specs ?? []) yield { title: [...path, spec.title].join(" > "), spec };
  for (const inner of suite.suites ?? []) yield* specsOf(inner, [...path, inner.title]);
}

async function browser() {
  const started = Date.now();
  const CHROMIUM_PATH = await findChromium();
  if (CHROMIUM_PATH === undefined) return count("e2e", 0, 1, started);
  const file = join(work, "e2e.json");
  const result = run(bin("playwright"), ["test", "-c", "e2e/playwright.config.ts", "--reporter=json"], { CHROMIUM_PATH, PLAYWRIGHT_JSON_OUTPUT_NAME: file });
  const report = readReport(file);
  let passed = 0;
  let failed = 0;
  for (const suite of report?.suites ?? []) {
    for (const { title, spec } of specsOf(suite, [suite.title])) {
      for (const test of spec.tests) {
        if (test.status === "expected" || test.status === "flaky") passed++;
        else if (test.status === "unexpected") {
          failed++;
          const error = test.results.at(-1)?.error?.message ?? "";
          process.stdout.write(`  [${test.projectName}] ${title}\n    ${stripVTControlCharacters(error).split("\n").slice(0, 12).join("\n    ")}\n`);
        }
      }
    }
  }
  for (const error of report?.errors ?? []) process.stdout.write(`  ${error.message}\n`);
  if (!report) process.stdout.write(`${outputOf(result)}\n`);
  count("e2e", passed, failed + uncounted(result, failed), started);
}

try {
  step("types of src/sim", bin("tsc"), ["-p", "src/sim"]);
  step("types of src", bin("tsc"), ["-p", "src"]);
  step("types of e2e", bin("tsc"), ["-p", "e2e"]);
  step("lint", bin("oxlint"), ["-c", "src/.oxlintrc.json", "src", "e2e", "vite.config.ts"]);
  unit();
  if (step("build", bin("vite"), ["build", "--logLevel", "warn"])) await browser();
  else count("e2e (there is no page to test)", 0, 1, Date.now());
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
