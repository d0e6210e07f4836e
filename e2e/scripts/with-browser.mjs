// node e2e/scripts/with-browser.mjs COMMAND...: runs the command with CHROMIUM_PATH set.
import { spawnSync } from "node:child_process";
import { findChromium } from "./browser.mjs";

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  process.stderr.write("usage: with-browser.mjs COMMAND...\n");
  process.exit(2);
}
const CHROMIUM_PATH = await findChromium();
if (CHROMIUM_PATH === undefined) process.exit(1);
process.exit(spawnSync(command, args, { stdio: "inherit", env: { ...process.env, CHROMIUM_PATH } }).status ?? 1);
