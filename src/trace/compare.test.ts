import { expect, test } from "vitest";
import { compareRuns } from "./compare.ts";
import { LEVELS } from "./model.ts";
import { TraceIndex } from "./trace-index.ts";
import { Trace } from "./trace.ts";

function run(steps: readonly (readonly [at: number, text: string])[], revisions: readonly (readonly [at: number, key: string, object: unknown])[]): TraceIndex {
  const trace = new Trace();
  trace.components.push("kubelet@n");
  const note = (at: number, text: string, kind: number): void => {
    const n = trace.notes;
    n.event.push(-1);
    n.at.push(at);
    n.component.push(0);
    n.kind.push(kind);
    n.level.push(LEVELS.indexOf("basic"));
    n.text.push(trace.strings.id(text));
    n.why.push(0);
    n.status.push(0);
    n.subject.push(0);
  };
  for (const [at, text] of steps) note(at, text, 0);
  revisions.forEach(([at, key, object], i) => {
    note(at, "", 2);
    trace.revisions.push({ revision: i + 1, key, verb: i === 0 ? "create" : "update", object });
    trace.revisionNotes.push(trace.noteCount - 1);
  });
  return new TraceIndex(trace, []);
}

const pod = (ready: string): unknown => ({ metadata: { name: "web", namespace: "default" }, status: { conditions: [{ type: "Ready", status: ready }] } });
const KEY = "/registry/pods/default/web";
const a = run([[1, "x"], [2, "y"], [3, "z"]], [[1, KEY, pod("False")], [500, KEY, pod("True")]]);

test("two runs part at the first step that differs in words or time", () => {
  const b = run([[1, "x"], [4, "pull fails"]], [[1, KEY, pod("False")], [9, "/registry/events/default/e", { reason: "Failed", message: "no", count: 3, involvedObject: { kind: "Pod", name: "web" } }]]);
  expect(compareRuns(a, b, "basic")).toEqual({
    parting: { at: 2, inA: "y", inB: "pull fails", noteA: 1, noteB: 1, same: 1 },
    pods: [{ key: KEY, name: "web", readyA: 500, endA: "Pending, ready", endB: "Pending" }],
    events: [{ reason: "Failed", about: "Pod web", a: 0, b: 3, message: "no" }],
    states: [{ name: "pod/web", a: "Pending, ready", b: "Pending" }],
  });
});

test("a run that stops earlier parts where it stops", () => {
  expect(compareRuns(a, run([[1, "x"]], []), "basic").parting).toMatchObject({ at: 2, inA: "y", inB: "nothing more" });
});

test("equal runs do not part", () => {
  expect(compareRuns(a, a, "basic")).toEqual({ pods: [{ key: KEY, name: "web", readyA: 500, readyB: 500, endA: "Pending, ready", endB: "Pending, ready" }], events: [], states: [] });
});
