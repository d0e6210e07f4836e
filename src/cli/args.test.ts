import { describe, expect, test } from "vitest";
import { parseBreakpoint } from "../trace/breakpoint.ts";
import { parseArgs, splitWords } from "./args.ts";
import { parseFault } from "./fault-flag.ts";
import { UsageError } from "./io.ts";
import { lengthText, parseTime, secondsText } from "./time-text.ts";

const SPECS = [{ name: "--file", short: "-f", words: 1 }, { name: "--at", words: 2 }, { name: "--only-known", words: 0 }];

test("flags with one word, two words, none; attached and separate", () => {
  const args = parseArgs(["a", "-f", "x", "-fy", "--file=z", "--at", "12s", "kubectl get pods", "--only-known", "-", "--", "-f"], SPECS);
  expect(args.all("--file")).toEqual([["x"], ["y"], ["z"]]);
  expect(args.all("--at")).toEqual([["12s", "kubectl get pods"]]);
  expect(args.has("--only-known")).toBe(true);
  expect(args.positional).toEqual(["a", "-", "-f"]);
});

test.each([[["--fil", "x"], "unknown flag --fil"], [["--at", "1s"], "flag --at needs 2 values"], [["--only-known=1"], "flag --only-known takes no value"]])("%j is bad usage", (words, message) => {
  expect(() => parseArgs(words, SPECS)).toThrow(new UsageError(message));
});

test.each([
  ["kubectl get pods -o wide", ["kubectl", "get", "pods", "-o", "wide"]],
  [`patch pod web -p '{"a": "b c"}'`, ["patch", "pod", "web", "-p", '{"a": "b c"}']],
  [`label pod web "a=b \\"c\\"" x\\ y`, ["label", "pod", "web", 'a=b "c"', "x y"]],
  ["get  ''  x", ["get", "", "x"]],
  ["", []],
])("splits %s", (text, want) => {
  expect(splitWords(text)).toEqual(want);
});

test.each([["12s", 12_000_000], ["1m30s", 90_000_000], ["500ms", 500_000], ["2.5", 2_500_000], ["0", 0]])("time %s", (text, want) => {
  expect(parseTime(text)).toBe(want);
});

test.each(["soon", "-1s", "", "1 s"])("%j is no time", (text) => {
  expect(() => parseTime(text)).toThrow(UsageError);
});

test.each([[0, "0.000000"], [2_114_388, "2.114388"], [59, "0.000059"], [61_000_000, "61.000000"]])("%i us as seconds", (at, want) => {
  expect(secondsText(at)).toBe(want);
});

test.each([[40, "40 us"], [3_580, "3.58 ms"], [304_000, "304 ms"], [12_500_000, "12.5 s"]])("%i us as a length", (length, want) => {
  expect(lengthText(length)).toBe(want);
});

describe("--fault", () => {
  const at = (time: number) => ({ kind: "time", at: time });
  const when = (text: string, nth = 1) => ({ kind: "condition", nth, condition: parseBreakpoint(text), text });
  test.each([
    ["scheduler.down", { id: "scheduler.down", params: {}, begins: at(0) }],
    ["image.not-found,image=web:2@2s", { id: "image.not-found", params: { image: "web:2" }, begins: at(2_000_000) }],
    ["image.not-found,image=web@sha256:abc", { id: "image.not-found", params: { image: "web@sha256:abc" }, begins: at(0) }],
    ["node.crash,node=n1@5s..1m5s", { id: "node.crash", params: { node: "n1" }, begins: at(5_000_000), ends: at(65_000_000) }],
    ["app.crash,exitCode=3,times=2", { id: "app.crash", params: { exitCode: 3, times: 2 }, begins: at(0) }],
    ["etcd.leader-crash@1.5..3", { id: "etcd.leader-crash", params: {}, begins: at(1_500_000), ends: at(3_000_000) }],
    ["etcd.leader-crash@2s..+500ms", { id: "etcd.leader-crash", params: {}, begins: at(2_000_000), ends: { kind: "after", delay: 500_000 } }],
    ["node.crash@msg:123", { id: "node.crash", params: {}, begins: { kind: "message", message: 123 } }],
    ["image.not-found,image=web@sha256:abc@when:event Pulling..+10s", { id: "image.not-found", params: { image: "web@sha256:abc" }, begins: when("event Pulling"), ends: { kind: "after", delay: 10_000_000 } }],
    ["cri.down@#3:kubelet@n1 -> kube-apiserver PATCH..when:event NodeNotReady", { id: "cri.down", params: {}, begins: when("kubelet@n1 -> kube-apiserver PATCH", 3), ends: when("event NodeNotReady") }],
    ["cri.down@when:kubelet says a..b", { id: "cri.down", params: {}, begins: when("kubelet says a..b") }],
  ])("%s", (text, want) => {
    expect(parseFault(text)).toEqual(want);
  });
  test.each(["moon.falls", "node.crash,node", "app.crash,exitCode=x", "node.crash,nod=n1", "scheduler.down@5s..2s", "scheduler.down@when:stop please", "scheduler.down@msg:x", "scheduler.down@#0:event Killing", "scheduler.down@1s..when:soon"])("%s is bad usage", (text) => {
    expect(() => parseFault(text)).toThrow(UsageError);
  });
});
