import { expect, test } from "vitest";
import { flag, flagList, isOn, parseFlags, timeoutOf } from "./flags.ts";

test("words, flags and what stands behind two dashes", () => {
  const options = parseFlags(["run", "r", "--image=busybox", "-it", "-n", "shop", "-l", "a=b,c=d", "--env=A=1", "--env", "B=2", "--", "sh", "-c", "x"]);
  expect(options).toMatchObject({ command: "run", args: ["r"], dash: ["sh", "-c", "x"], namespace: "shop", namespaceGiven: true });
  expect(flag(options, "labels")).toBe("a=b,c=d");
  expect(flag(options, "image")).toBe("busybox");
  expect(options.flags["env"]).toEqual(["A=1", "B=2"]);
  expect([isOn(options, "stdin"), isOn(options, "tty"), isOn(options, "rm")]).toEqual([true, true, false]);
  expect(flagList(parseFlags(["create", "role", "--verb=get,list", "--verb=watch"]), "verb")).toEqual(["get", "list", "watch"]);
});

test("a letter means what its command says", () => {
  expect(parseFlags(["logs", "web", "-p", "-f"])).toMatchObject({ previous: true, files: [] });
  expect(flag(parseFlags(["patch", "pod", "web", "-p", "{}"]), "patch")).toBe("{}");
  expect(parseFlags(["delete", "-f", "x.yaml"]).files).toEqual(["x.yaml"]);
});

test.each([
  [["get", "--nope"], "error: unknown flag: --nope\nSee 'kubectl get --help' for usage."],
  [["get", "-Z"], "error: unknown shorthand flag: 'Z' in -Z\nSee 'kubectl get --help' for usage."],
  [["get", "-o"], "error: flag needs an argument: 'o' in -o\nSee 'kubectl get --help' for usage."],
  [["rollout", "status", "--to-revision=1"], "error: unknown flag: --to-revision\nSee 'kubectl rollout status --help' for usage."],
  [["get", "pods", "--watch=x"], "error: invalid argument \"x\" for \"-w, --watch\" flag: strconv.ParseBool: parsing \"x\": invalid syntax\nSee 'kubectl get --help' for usage."],
  [["get", "--output"], "error: flag needs an argument: --output\nSee 'kubectl get --help' for usage."],
  [["apply", "--dry-run=maybe"], 'error: Invalid dry-run value (maybe). Must be "none", "server", or "client".'],
])("%j", (argv, error) => expect(parseFlags(argv).error).toBe(error));

test.each([["", 0], ["5", 5_000_000], ["1m", 60_000_000], ["x", undefined]])("request timeout %j", (text, expected) => expect(timeoutOf(text)).toBe(expected));
