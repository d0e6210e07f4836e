import { describe, expect, test } from "vitest";
import { durationText, familyOf, parseTime, subjectText, timeParts, timeText } from "./words.ts";

describe("durationText", () => {
  test.each([
    { micros: 0, want: "0 µs" },
    { micros: 40, want: "40 µs" },
    { micros: 999, want: "999 µs" },
    { micros: 1_000, want: "1 ms" },
    { micros: 3_580, want: "3.58 ms" },
    { micros: 316_900, want: "317 ms" },
    { micros: 100_000, want: "100 ms" },
    { micros: 3_400_000, want: "3.4 s" },
    { micros: 10_000_000, want: "10 s" },
    { micros: 340_000_000, want: "5 min 40 s" },
    { micros: 300_000_000, want: "5 min" },
    { micros: -2_000, want: "−2 ms" },
  ])("$micros is $want", ({ micros, want }) => expect(durationText(micros)).toBe(want));
});

describe("parseTime", () => {
  test.each([
    { text: "2.114388 s", want: 2_114_388 },
    { text: "50ms", want: 50_000 },
    { text: " 40 us ", want: 40 },
    { text: "3", want: 3_000_000 },
    { text: "1.5m", want: 90_000_000 },
    { text: "soon", want: undefined },
    { text: "", want: undefined },
    { text: "1 h", want: undefined },
  ])("$text", ({ text, want }) => expect(parseTime(text)).toBe(want));
});

test("points in time keep microseconds", () => {
  expect(timeText(2_114_388)).toBe("2.114388 s");
  expect(timeParts(12_000_001)).toEqual(["12", ".000001"]);
});

test.each([
  ["kubelet@worker-node-03", "kubelet"],
  ["etcd-2", "etcd"],
  ["replicaset-controller", "controllers"],
  ["kube-proxy@n", "network"],
  ["kubectl", "client"],
])("%s belongs to %s", (id, want) => expect(familyOf(id)).toBe(want));

test.each([
  ["pod/default/nginx", "Pod default/nginx"],
  ["node/n1", "Node n1"],
  ["widget/a/b", "widget a/b"],
  ["/api/v1/pods", "/api/v1/pods"],
])("%s reads %s", (subject, want) => expect(subjectText(subject)).toBe(want));
