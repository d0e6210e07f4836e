import { describe, expect, test } from "vitest";
import type { RunInput } from "../worker/protocol.ts";
import { captionTime, clockTime, parseTime, shortTime, tickTime } from "./format.ts";
import { readHash, writeHash } from "./permalink.ts";
import { follows, isReadOnly } from "./command-kind.ts";

describe("times", () => {
  test.each([
    { text: "2.114388 s", want: 2_114_388 },
    { text: "2.114388", want: 2_114_388 },
    { text: "50ms", want: 50_000 },
    { text: "40 us", want: 40 },
    { text: "40µs", want: 40 },
    { text: "1m30s", want: 90_000_000 },
    { text: "5:02:02.974", want: 18_122_974_000 },
    { text: "+1s", want: 3_000_000 },
    { text: "-5 s", want: 0 },
    { text: "soon", want: undefined },
    { text: "", want: undefined },
    { text: "12 parsecs", want: undefined },
  ])("parse $text", ({ text, want }) => expect(parseTime(text, 2_000_000)).toBe(want));

  test("from the first hour on times have hours", () => {
    expect([captionTime(3_599_999_000), captionTime(18_122_973_883), clockTime(18_122_973_883), tickTime(18_000_000_000, 500_000), parseTime(clockTime(18_122_973_883))]).toEqual(["3599.999 s", "5:02:02.974", "5:02:02.973883", "5:00:00.0", 18_122_973_883]);
  });

  test.each([
    { micros: 40, want: "40 µs" },
    { micros: 2_110_000, want: "2.11 s" },
    { micros: 300_000, want: "300 ms" },
    { micros: 300_000_000, want: "5 min 0 s" },
    { micros: 16_260_000_000, want: "4 h 31 min" },
    { micros: 179_900_000, want: "3 min 0 s" },
  ])("short $want", ({ micros, want }) => expect(shortTime(micros)).toBe(want));
});

describe("commands", () => {
  test.each([
    { argv: ["get", "pods"], want: true },
    { argv: ["-n", "x", "get"], want: false },
    { argv: ["delete", "pod", "nginx"], want: false },
    { argv: ["rollout", "status", "deploy/web"], want: true },
    { argv: ["rollout", "restart", "deploy/web"], want: false },
    { argv: ["apply", "-f", "x.yaml", "--dry-run=client"], want: true },
    { argv: ["apply", "view-last-applied", "pod/x"], want: true },
    { argv: ["auth", "reconcile", "-f", "x.yaml"], want: false },
    { argv: ["exec", "web", "--", "ls", "/"], want: true },
    { argv: ["exec", "web", "--", "sh", "-c", "kill 1"], want: false },
  ])("read-only $argv", ({ argv, want }) => expect(isReadOnly(argv)).toBe(want));

  test.each([
    { argv: ["get", "pods", "-w"], want: true },
    { argv: ["get", "pods", "--watch-only"], want: true },
    { argv: ["get", "pods", "-w=false"], want: false },
    { argv: ["logs", "web", "-f"], want: true },
    { argv: ["apply", "-f", "x.yaml"], want: false },
    { argv: ["events", "--watch"], want: true },
    { argv: ["get", "pods"], want: false },
  ])("goes on until it is interrupted: $argv", ({ argv, want }) => expect(follows(argv)).toBe(want));
});

describe("permalink", () => {
  const inputs: RunInput[] = [
    { at: 2_114_388, type: "fault", id: "image.not-found", params: { image: "nginx:1.27", times: 3, hard: true }, until: 9_000_000 },
    { at: 3_000_000, type: "command", argv: ["delete", "pod", "nginx"], files: {} },
    { at: 3_500_000, type: "command", argv: ["edit", "pod/web"], files: {}, env: { EDITOR: "vi" } },
    { at: 4_000_000, type: "edited", session: 3_500_000_000, text: "kind: Pod\n" },
    { at: 5_000_000, type: "edited", session: 3_500_000_000 },
  ];

  test("writes what it reads, and the same view gives the same text", async () => {
    const link = { manifest: { file: "web.yaml", text: "kind: Pod # ü ~;@\n" }, world: "one-node", seed: 7, schedulerConfig: "profiles: []\n", slowdowns: { etcd: 500, registry: 50 }, inputs, fork: 2_114_388, t: 2_200_000, axis: "true", detail: "operator" } as const;
    const hash = await writeHash(link);
    expect(hash).toMatch(/^#\/v1\/m\/[A-Za-z0-9_-]+\?/);
    expect(await readHash(hash)).toEqual(link);
    expect(await writeHash(link)).toBe(hash);
  });

  test("only says what differs from the defaults", async () => {
    expect(await writeHash({ sample: "nginx", world: "ten-nodes", seed: 1, profile: "quiet", inputs: [], axis: "story", detail: "basic", t: 0 })).toBe("#/v1/s/nginx?t=0");
  });

  test.each([
    { hash: "", want: undefined },
    { hash: "#t=2114388", want: { inputs: [], t: 2_114_388 } },
    { hash: "#/v1/s/nginx?t=50ms&future=1", want: { sample: "nginx", inputs: [], t: 50_000 } },
    { hash: "#/v1/s/nginx?i=node.crash@12s", want: { sample: "nginx", inputs: [{ at: 12_000_000, type: "fault", id: "node.crash", params: {} }] } },
    { hash: "#/v1/m/%%%broken?t=1", want: { inputs: [], t: 1 } },
  ])("reads $hash", async ({ hash, want }) => expect(await readHash(hash)).toEqual(want));
});
