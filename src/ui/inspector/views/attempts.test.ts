import { expect, test } from "vitest";
import type { TraceIndex } from "../../../trace/trace-index.ts";
import { attemptsIn } from "./attempts.ts";

const NOTES = [
  { kind: "decision", subject: "pod/default/a", text: "kube-scheduler filters 3 nodes for default/a: 3 out, 0 left" },
  { kind: "decision", subject: "pod/default/a", text: "kube-scheduler finds no node for default/a" },
  { kind: "note", subject: "pod/default/a", text: "kube-scheduler takes default/a from activeQ: attempt 2" },
  { kind: "decision", subject: "pod/default/b", text: "kube-scheduler filters 1 node for default/b: 0 out, 1 left" },
  { kind: "decision", subject: "pod/default/b", text: "kube-scheduler takes n for default/b: the only node that fits needs no score" },
  { kind: "decision", subject: "pod/default/a", text: "kube-scheduler filters 3 nodes for default/a: 2 out, 1 left" },
];

test("one entry an attempt, the Pod tried last first", () => {
  const index = { notesUntil: () => NOTES.map((_, i) => i), trace: { note: (i: number) => ({ ...NOTES[i], at: i }) } } as unknown as TraceIndex;
  expect(attemptsIn(index, "kube-scheduler", 9).map(({ subject, attempts }) => [subject, attempts.map((a) => [a.note, a.outcome])])).toEqual([
    ["pod/default/a", [[1, "failed"], [5, "under way"]]],
    ["pod/default/b", [[4, "scheduled"]]],
  ]);
});
