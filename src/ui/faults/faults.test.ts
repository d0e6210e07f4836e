import { expect, test } from "vitest";
import { LEVELS } from "../../trace/model.ts";
import { TraceIndex } from "../../trace/trace-index.ts";
import { Trace } from "../../trace/trace.ts";
import type { FaultInfo } from "../../worker/protocol.ts";
import { compareRuns } from "./compare.ts";
import { paramValue, searchFaults } from "./search.ts";

const fault = (id: string, group: string, symptom: string): FaultInfo => ({ id, title: id, group, symptom, command: "", fix: "", params: [] });
const faults = [fault("authz.denied", "API", "403 Forbidden"), fault("node.crash", "node", "NotReady"), fault("node.reboot", "node", "RESTARTS grow")];

test.each([
  { query: "", want: ["API: authz.denied", "node: node.crash node.reboot"] },
  { query: "403", want: ["API: authz.denied"] },
  { query: "node RESTARTS", want: ["node: node.reboot"] },
  { query: "zzz", want: [] },
])("search $query", ({ query, want }) => expect(searchFaults(faults, query).map((group) => `${group.group}: ${group.faults.map((one) => one.id).join(" ")}`)).toEqual(want));

test.each([
  { text: "5", fallback: 1, want: 5 },
  { text: "x", fallback: 1, want: undefined },
  { text: "", fallback: 1, want: undefined },
  { text: "", fallback: "a", want: "" },
  { text: "true", fallback: false, want: true },
])("$text for a $fallback", ({ text, fallback, want }) => expect(paramValue(text, fallback)).toBe(want));

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

const pod = (ready: string): unknown => ({ status: { conditions: [{ type: "Ready", status: ready }] } });
const KEY = "/registry/pods/default/web";
const a = run([[1, "x"], [2, "y"], [3, "z"]], [[1, KEY, pod("False")], [500, KEY, pod("True")]]);

test("two runs part at the first step that differs in words or time", () => {
  const b = run([[1, "x"], [4, "pull fails"]], [[1, KEY, pod("False")], [9, "/registry/events/default/e", { reason: "Failed" }]]);
  expect(compareRuns(a, b, "basic")).toEqual({ parting: { at: 2, inA: "y", inB: "pull fails", noteB: 1 }, pod: "default/web", readyA: 500, eventsOnlyB: ["Failed"] });
});

test("a run that stops earlier parts where it stops", () => {
  expect(compareRuns(a, run([[1, "x"]], []), "basic").parting).toMatchObject({ at: 2, inA: "y", inB: "nothing more" });
});

test("equal runs do not part", () => {
  expect(compareRuns(a, a, "basic")).toMatchObject({ readyA: 500, readyB: 500, eventsOnlyB: [] });
  expect(compareRuns(a, a, "basic").parting).toBeUndefined();
});
