import { expect, test } from "vitest";
import type { WaitView } from "../../worker/protocol.ts";
import { countdownForms, leftText, rungText, saidText } from "./wait-words.ts";

const SECOND = 1_000_000;
const wait = (change: Partial<WaitView>): WaitView => ({ id: "x", kind: "crash-loop", about: "/registry/pods/default/web", name: "default/web", part: "", component: "kubelet@n", since: 0, until: 40 * SECOND, ladder: [10, 20, 40].map((s) => s * SECOND), rung: 2, facts: [], weight: 80, ...change });

test.each([
  { micros: 0, want: "0.0 s" },
  { micros: 1, want: "0.1 s" },
  { micros: 2_549_129, want: "2.6 s" },
  { micros: 9_999_999, want: "10.0 s" },
  { micros: 10_000_001, want: "11 s" },
  { micros: 119 * SECOND, want: "119 s" },
  { micros: 120 * SECOND, want: "2:00 min" },
  { micros: 257_567_630, want: "4:18 min" },
])("$micros µs are $want left: never less than is left", ({ micros, want }) => expect(leftText(micros)).toBe(want));

test.each([
  { micros: 5_000, want: "5 ms" },
  { micros: SECOND, want: "1 s" },
  { micros: 1.5 * SECOND, want: "1.5 s" },
  { micros: 160 * SECOND, want: "160 s" },
  { micros: 300 * SECOND, want: "5 min" },
])("a rung of $micros µs is $want", ({ micros, want }) => expect(rungText(micros)).toBe(want));

test.each([
  { name: "a rung of a ladder", of: wait({}), t: 17 * SECOND, want: "back-off 40 s, 23 s left, rung 3 of 3" },
  { name: "whole seconds, rounded up", of: wait({}), t: 32.4 * SECOND, want: "back-off 40 s, 8 s left, rung 3 of 3" },
  { name: "no ladder", of: wait({ kind: "toleration", ladder: [], rung: undefined as never, until: 300 * SECOND }), t: 0, want: "evicted in 5:00 min" },
  { name: "a grace period", of: wait({ kind: "grace", ladder: [], rung: undefined as never }), t: 10 * SECOND, want: "grace, 30 s left" },
  { name: "no end", of: wait({ kind: "gate", ladder: [], rung: undefined as never, until: undefined as never }), t: 0, want: "gated, no end set" },
])("a place's name says: $name", ({ of, t, want }) => expect(saidText(of, t)).toBe(want));

test("a countdown has ever shorter forms, and the last is the time alone", () => {
  const forms = countdownForms(wait({}), "23 s");
  expect(forms[0]).toBe("back-off 40 s · 23 s left · rung 3 of 3");
  expect(forms.at(-1)).toBe("23 s");
  expect([...forms].sort((a, b) => b.length - a.length)).toEqual(forms);
});
