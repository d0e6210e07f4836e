import { expect, test } from "vitest";
import { TraceIndex } from "../trace/trace-index.ts";
import { commandsOf } from "./commands-run.ts";
import { chromeTrace } from "../trace/formats/chrome.ts";
import { eventRows } from "./formats/events.ts";
import { hopRows } from "./formats/hops.ts";
import { logRows } from "./formats/logs.ts";
import { objectList, yamlText } from "./formats/objects.ts";
import { EPOCH_SECONDS } from "../sim/api/time.ts";
import { otlp } from "../trace/formats/otlp.ts";
import { stepRows, summary } from "./formats/steps.ts";
import { tinyRun } from "./testdata/tiny-cluster.ts";

const sim = tinyRun([{ at: 0, argv: ["web"] }, { at: 500, argv: ["bad"] }, { at: 999_900, argv: ["late"] }]);
const index = new TraceIndex(sim.trace, []);

test("each command has its own output, though they overlap", () => {
  expect(commandsOf(sim.trace)).toEqual([
    { at: 0, argv: ["web"], stdout: "pod/web created\n", stderr: "", exitCode: 0 },
    { at: 500, argv: ["bad"], stdout: "", stderr: "Error from server (Forbidden): no\n", exitCode: 1 },
    { at: 999_900, argv: ["late"], stdout: "", stderr: "", exitCode: undefined },
  ]);
});

test("hops have the documented shape; a cause that is a timer is followed to its hop", () => {
  const rows = [...hopRows(sim.trace, [{ number: 1, from: 0, to: 100 }])].filter((row) => row.at < 0.01);
  const [typed, post] = rows;
  expect(typed).toMatchObject({ from: "world", to: "kubectl", at: 0, delivered: 0, cause: null, chapter: 1, note: "kubectl reads the manifest." });
  expect(Object.keys(post ?? {})).toEqual(["id", "at", "delivered", "from", "to", "protocol", "verb", "subject", "status", "cause", "chapter", "note"]);
  expect(post).toMatchObject({ at: 0, delivered: 0.0002, from: "kubectl", to: "kube-apiserver", protocol: "HTTPS", verb: "POST", subject: "pod/default/web", status: null, cause: typed?.id });
  const answer = rows.find((row) => row.verb === "answer");
  expect(answer).toMatchObject({ at: 0.0012, delivered: 0.0014, status: 201, cause: post?.id, chapter: null });
});

test("a hop still on its way has not been delivered", () => {
  const rows = [...hopRows(sim.trace, [])];
  expect(rows.at(-1)).toMatchObject({ verb: "POST", subject: "pod/default/late", delivered: null });
});

test("events, logs, objects and steps", () => {
  expect(eventRows(sim.trace)).toEqual([{ at: 0.0012, type: "Normal", reason: "Scheduled", object: "pod/web", source: "default-scheduler", message: "ok", count: 1 }]);
  expect(logRows(sim.trace)).toEqual([{ at: 0.0012, source: "kube-apiserver", line: "I0101 created" }]);
  expect(stepRows(index, "basic").map((row) => row.text)).toEqual(Array(3).fill("kubectl reads the manifest."));
  expect(summary(index, "operator").split("\n").slice(0, 4)).toEqual([
    "STEP   AT (S)     AFTER    COMPONENT        WHAT HAPPENS",
    "1      0.000000   0 us     kubectl          kubectl reads the manifest.",
    "2      0.000500   500 us   kubectl          kubectl reads the manifest.",
    "3      0.001200   700 us   kube-apiserver   etcd stores pod web.",
  ]);
  expect(yamlText(objectList(index, sim.now))).toContain("- kind: Pod\n  metadata:\n    name: web\nkind: List\n");
});

test("a span's parent is the hop that caused it", () => {
  const { resourceSpans } = otlp(sim.trace, 1, EPOCH_SECONDS) as { resourceSpans: { scopeSpans: { spans: { spanId: string; parentSpanId?: string; name: string; startTimeUnixNano: string }[] }[] }[] };
  const spans = resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans));
  const post = spans.find((span) => span.name === "POST pod/default/web");
  expect(post?.startTimeUnixNano).toBe("1767225600000000000");
  expect(spans.find((span) => span.name === "answer")?.parentSpanId).toBe(post?.spanId);
});

test("Chrome's trace has a slice for each hop and arrows that pair", () => {
  const { traceEvents } = chromeTrace(sim.trace) as { traceEvents: { ph: string; id?: number }[] };
  const ids = (ph: string): unknown[] => traceEvents.filter((event) => event.ph === ph).map((event) => event.id);
  expect(traceEvents.filter((event) => event.ph === "X").length).toBe([...hopRows(sim.trace, [])].length);
  expect(ids("s")).toEqual(ids("f"));
});
