// Finds or installs a Chromium; configs and scripts read only CHROMIUM_PATH.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

function installed() {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== "") return existsSync(given) ? given : undefined;
  return USUAL_PLACES.find((path) => existsSync(path));
}

async function playwrightsOwn() {
  try {
    const { chromium } = await import("playwright");
    const path = chromium.executablePath();
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

const quietly = (command, args) => spawnSync(command, args, { stdio: ["ignore", 2, 2], timeout: 300_000, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } }).status === 0;

function install() {
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    process.stderr.write("no Chromium here: installing Debian's\n");
    if (quietly("apt-get", ["update"]) && quietly("apt-get", ["install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core"])) return;
  }
  process.stderr.write("no Chromium here: asking Playwright for one\n");
  quietly("npx", ["playwright", "install", "chromium"]);
}

/** Path of a Chromium, installed if need be; undefined with a message if there is none to be had. */
export async function findChromium() {
  const found = installed() ?? (await playwrightsOwn());
  if (found !== undefined) return found;
  install();
  const path = installed() ?? (await playwrightsOwn());
  if (path === undefined) process.stderr.write("no Chromium could be found or installed: set CHROMIUM_PATH to one\n");
  return path;
}
