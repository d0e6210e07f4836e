import { defineConfig } from "@playwright/test";
import { execFileSync } from "node:child_process";

// Every worker process loads this file again: the port that the first one found is handed on in the environment.
const port = (process.env.MILLIPOD_E2E_PORT ??= execFileSync(process.execPath, ["-e", "const s=require('node:net').createServer();s.listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})"], { encoding: "utf8" }).trim());
const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "tests",
  outputDir: "../test-results",
  timeout: 45_000,
  expect: { timeout: 10_000 },
  // npm test as a whole ends, also when the page is broken.
  globalTimeout: 1_200_000,
  // Two cores: more browsers than that only make each of them slow.
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  reporter: [["line"]],
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    deviceScaleFactor: 1,
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { executablePath, args: ["--disable-background-networking", "--disable-component-update", "--disable-quic", "--font-render-hinting=none"] },
    actionTimeout: 10_000,
    trace: "off",
  },
  projects: [
    { name: "desktop", use: { viewport: { width: 1440, height: 900 } } },
    { name: "phone", use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
  ],
  webServer: {
    command: `node_modules/.bin/vite preview --host 127.0.0.1 --port ${port} --strictPort`,
    cwd: "..",
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
    timeout: 30_000,
  },
});
