import { expect, test } from "vitest";
import { LEVELS } from "../trace/model.ts";
import { TraceIndex } from "../trace/trace-index.ts";
import { Trace } from "../trace/trace.ts";
import { alignment } from "./align.ts";

function run(...steps: readonly (readonly [at: number, text: string])[]): TraceIndex {
  const trace = new Trace();
  trace.components.push("kubelet@n");
  for (const [at, text] of steps) {
    const n = trace.notes;
    n.event.push(-1);
    n.at.push(at);
    n.component.push(0);
    n.kind.push(0);
    n.level.push(LEVELS.indexOf("basic"));
    n.text.push(trace.strings.id(text));
    n.why.push(0);
    n.status.push(0);
    n.subject.push(0);
  }
  return new TraceIndex(trace, []);
}

const a = run([0, "begin"], [10, "pull"], [110, "pulled"], [120, "run"]);
const b = run([0, "begin"], [10, "pull"], [510, "pulled"], [520, "run"]);

test.each([
  { name: "by time nothing moves", by: "time", note: -1, want: [0, 10, 60, 110, 120, 200] },
  { name: "by step the n-th stands over the n-th, and what is between is stretched", by: "step", note: -1, want: [0, 10, 260, 510, 520, 600] },
  { name: "by an event all is moved by as much as it is", by: "event", note: 2, want: [400, 410, 460, 510, 520, 600] },
  { name: "by an event that only one of them has, nothing moves", by: "event", note: 99, want: [0, 10, 60, 110, 120, 200] },
] as const)("$name", ({ by, note, want }) => {
  const other = note === 99 ? run([5, "something else"]) : b;
  const move = alignment(a, other, "basic", by, note === 99 ? 0 : note);
  expect([0, 10, 60, 110, 120, 200].map(move)).toEqual(want);
});
