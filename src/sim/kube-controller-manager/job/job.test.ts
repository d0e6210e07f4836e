import { describe, expect, test } from "vitest";
import type { Pod } from "../../api/types.ts";
import { NO_BACKOFF, newBackoffRecord, remainingBackoff } from "./backoff.ts";
import { evaluate, TRACKING_FINALIZER } from "./evaluate.ts";
import { generateNameOf } from "./indexed.ts";
import { firstPending, formatIntervals, hasIndex, intervalsOf, mergeIntervals, overlapOf, parseIntervals, totalOf } from "./intervals.ts";
import { manage } from "./manage.ts";
import { matchPodFailurePolicy } from "./pod-failure-policy.ts";
import { matchSuccessPolicy } from "./success-policy.ts";
import { enactFinished, track } from "./track.ts";
import type { Job } from "./types.ts";

const job = (spec: Partial<Job["spec"]> = {}, status?: Job["status"]): Job => ({ apiVersion: "batch/v1", kind: "Job", metadata: { name: "calc", namespace: "ns", uid: "j" }, spec: { parallelism: 2, completions: 3, backoffLimit: 1, template: { spec: { containers: [] } }, ...spec }, ...(status ? { status } : {}) });
const pod = (name: string, phase: string, index?: number, extra: { readonly at?: string; readonly exitCode?: number; readonly failures?: number; readonly counted?: boolean } = {}): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name, namespace: "ns", uid: name,
    ...(extra.counted ? {} : { finalizers: [TRACKING_FINALIZER] }),
    annotations: { ...(index === undefined ? {} : { "batch.kubernetes.io/job-completion-index": String(index) }), ...(extra.failures === undefined ? {} : { "batch.kubernetes.io/job-index-failure-count": String(extra.failures) }) },
  },
  spec: { containers: [] },
  status: { phase, containerStatuses: phase === "Running" ? [] : [{ name: "main", ready: false, restartCount: 0, image: "", imageID: "", state: { terminated: { exitCode: extra.exitCode ?? (phase === "Failed" ? 1 : 0), finishedAt: extra.at ?? "2026-01-01T00:00:10Z" } } }] },
});

const MILLION = 1_000_000;
test.each([
  ["", 7, []],
  ["0-2,4", 7, [[0, 2], [4, 4]]],
  ["3,x,5-9", 7, [[3, 3], [5, 6]]],
  ["0,1,2,5", 7, [[0, 2], [5, 5]]],
  ["8,1", 7, []],
  ["0-999999", MILLION, [[0, MILLION - 1]]],
])("indexes of %j below %i", (text, completions, intervals) => expect(parseIntervals(text, completions)).toEqual(intervals));
test.each([[[0, 1], "0,1"], [[4, 0, 1, 2], "0-2,4"], [[], ""]])("indexes %j as text", (indexes, text) => expect(formatIntervals(intervalsOf(indexes))).toBe(text));
test("ranges are merged, counted and searched without a list of a million", () => {
  const most = mergeIntervals(parseIntervals("0-499999", MILLION), parseIntervals("500001-999999", MILLION));
  expect([totalOf(most), hasIndex(most, 500_000), firstPending(most, MILLION, 5), overlapOf(most, [[499_999, 500_002]])]).toEqual([MILLION - 1, false, [500_000], 3]);
});
test("the lowest indexes that are free come next", () => expect([firstPending([[0, 0], [2, 2]], 5, 2), firstPending([[0, 9]], 5, 2), firstPending([], 2, 9)]).toEqual([[1, 3], [], [0, 1]]));
test("a long name is cut in front of the index", () => expect(generateNameOf({ ...job(), metadata: { name: "x".repeat(70) } }, 12)).toBe(`${"x".repeat(54)}-12-`));

describe("back-off", () => {
  const failed = [pod("a", "Failed", undefined, { at: "2026-01-01T00:00:10Z" }), pod("b", "Failed", undefined, { at: "2026-01-01T00:00:20Z" })];
  test.each([
    ["failures add up", { failures: 1, lastFailure: 1 }, [], failed, { failures: 3, lastFailure: 20_000_000 }],
    ["a success forgets what was before it", { failures: 4, lastFailure: 1 }, [pod("s", "Succeeded", undefined, { at: "2026-01-01T00:00:15Z" })], failed, { failures: 1, lastFailure: 20_000_000 }],
    ["a later success forgets all", NO_BACKOFF, [pod("s", "Succeeded", undefined, { at: "2026-01-01T00:00:25Z" })], failed, NO_BACKOFF],
  ])("%s", (_name, old, succeeded, failures, record) => expect(newBackoffRecord(old, succeeded, failures)).toEqual(record));
  test("doubles from 10 s to 10 min", () => expect([1, 2, 3, 20].map((n) => remainingBackoff(n, 0) / 1_000_000)).toEqual([10, 20, 40, 600]));
});

test.each([
  ["FailJob", 42, { failJob: "Container main for pod ns/p failed with exit code 42 matching FailJob rule at index 0", counts: true, action: "FailJob" }],
  ["Ignore", 42, { counts: false, action: "Ignore" }],
  ["Ignore", 1, { counts: true }],
] as const)("policy %s, exit code %i", (action, exitCode, verdict) => expect(matchPodFailurePolicy({ rules: [{ action, onExitCodes: { operator: "In", values: [42] } }] }, pod("p", "Failed", undefined, { exitCode }))).toEqual(verdict));

test.each([
  [{ succeededIndexes: "0-1" }, [0], undefined],
  [{ succeededIndexes: "0-1" }, [0, 1], "Matched rules at index 0"],
  [{ succeededIndexes: "0-1", succeededCount: 1 }, [1], "Matched rules at index 0"],
  [{ succeededCount: 2 }, [2, 4], "Matched rules at index 0"],
])("success policy %j with %j", (rule, succeeded, text) => expect(matchSuccessPolicy({ rules: [rule] }, 5, intervalsOf(succeeded))).toBe(text));

const conditionOf = (j: Job, pods: readonly Pod[], now = 20_000_000): string => {
  const { finished } = evaluate(j, pods, NO_BACKOFF, now);
  return finished ? `${finished.type} ${finished.reason}` : "";
};
const indexed = { completionMode: "Indexed", backoffLimit: 2_147_483_647, backoffLimitPerIndex: 0 };
test.each([
  ["one failure is allowed", job(), [pod("a", "Failed")], ""],
  ["two are too many", job(), [pod("a", "Failed"), pod("b", "Failed")], "FailureTarget BackoffLimitExceeded"],
  ["counted ones are not counted again", job({}, { failed: 1 }), [pod("a", "Failed", undefined, { counted: true })], ""],
  ["past its deadline", job({ activeDeadlineSeconds: 5 }, { startTime: "2026-01-01T00:00:10Z" }), [], "FailureTarget DeadlineExceeded"],
  ["an index fails while another runs", job(indexed), [pod("a", "Failed", 0), pod("b", "Running", 1)], ""],
  ["an index fails, the others are done", job(indexed), [pod("a", "Failed", 0), pod("b", "Succeeded", 1), pod("c", "Succeeded", 2)], "FailureTarget FailedIndexes"],
  ["too many indexes fail", job({ ...indexed, maxFailedIndexes: 0 }), [pod("a", "Failed", 0)], "FailureTarget MaxFailedIndexesExceeded"],
  ["what was decided stays", job({}, { conditions: [{ type: "FailureTarget", status: "True", reason: "X", message: "" }] }), [], "Failed X"],
])("%s", (_name, j, pods, text) => expect(conditionOf(j, pods)).toBe(text));

test("an index with failures left waits for its back-off, and its failed Pod is held till then", () => {
  const standing = evaluate(job({ ...indexed, backoffLimitPerIndex: 1, completions: 1, parallelism: 1 }), [pod("a", "Failed", 0, { failures: 0 })], NO_BACKOFF, 12_000_000);
  expect(standing.delayed.map((entry) => entry.metadata.name)).toEqual(["a"]);
  expect(manage(standing, 12_000_000)).toMatchObject({ create: [], after: 8_000_000 });
  const later = manage(standing, 20_000_000).create;
  expect(later.map((entry) => [entry.metadata.generateName, entry.metadata.annotations?.["batch.kubernetes.io/job-index-failure-count"], entry.metadata.finalizers])).toEqual([["calc-0-", "1", [TRACKING_FINALIZER]]]);
  expect(track(standing, { active: 0, ready: 0, terminating: 0 }, undefined, false, 0).release).toEqual([]);
});

test("a Pod is counted in two writes: its uid, then, when it is let go, its number", () => {
  const standing = evaluate(job({ completions: 1 }), [pod("a", "Succeeded")], NO_BACKOFF, 0);
  const first = track(standing, { active: 0, ready: 0, terminating: 0 }, undefined, false, 0);
  expect(first).toMatchObject({ needsFlush: true, job: { status: { uncountedTerminatedPods: { succeeded: ["a"] } } } });
  const after = { ...first.job, metadata: { ...first.job.metadata, resourceVersion: "2" } };
  const second = track(evaluate(after, [pod("a", "Succeeded", undefined, { counted: true })], NO_BACKOFF, 0), { active: 0, ready: 0, terminating: 0 }, undefined, false, 0);
  expect(second.job.status).toMatchObject({ succeeded: 1, uncountedTerminatedPods: {} });
});

test("the last condition waits for Pods that still terminate", () => {
  const standing = evaluate(job({}, { failed: 2 }), [], NO_BACKOFF, 0);
  const types = (terminating: number): readonly string[] => {
    const tracking = track(standing, { active: 0, ready: 0, terminating }, standing.finished, false, 0);
    return enactFinished(tracking.job, tracking, 0).status?.conditions?.map((entry) => entry.type) ?? [];
  };
  expect([types(1), types(0)]).toEqual([["FailureTarget"], ["FailureTarget", "Failed"]]);
});
