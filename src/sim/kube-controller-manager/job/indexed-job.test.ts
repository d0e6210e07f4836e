import { expect, test } from "vitest";
import { create, patch, runJob } from "../../testdata/job-cluster.ts";
import { at } from "../../testdata/mini-cluster.ts";
import { deletePod, ended, patchPod, running } from "../../testdata/observer.ts";
import { COMPLETION_INDEX, INDEX_FAILURE_COUNT, INDEX_IGNORED_FAILURE_COUNT } from "./indexed.ts";
import type { PodFailurePolicy } from "./types.ts";

const BOUND = { spec: { nodeName: "n1" } };
const INDEXED = { completionMode: "Indexed" };
const policy = (action: "FailJob" | "FailIndex" | "Count" | "Ignore", values: readonly number[]): PodFailurePolicy => ({ rules: [{ action, onExitCodes: { operator: "In", values } }] });
const DISRUPTED = { conditions: [{ type: "DisruptionTarget", status: "True" }] };

const CASES = [
  {
    name: "indexes: each its own back-off, and the Job fails when no index is left to run",
    inputs: [create({ ...INDEXED, completions: 3, parallelism: 2, backoffLimitPerIndex: 1 }), at(2, ended(0, 1, 2)), at(4, ended(1, 0, 4)), at(20, ended(2, 0, 20)), at(22, ended(3, 1, 22))],
    until: 30,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a2 r0 t0 s0 f0 u0/0 bad=", "3.0 a1 r0 t0 s0 f0 u0/0 bad=", "4.0 a1 r0 t0 s1 f0 u0/0 done=1 bad=", "12.0 a2 r0 t0 s1 f0 u0/0 done=1 bad=", "13.0 a2 r0 t0 s1 f0 u0/1 done=1 bad=", "13.0 a2 r0 t0 s1 f1 u0/0 done=1 bad=", "21.0 a1 r0 t0 s2 f1 u0/0 done=1,2 bad=", "22.0 a0 r0 t0 s2 f1 u0/1 done=1,2 bad=0 FailureTarget:FailedIndexes", "22.0 a0 r0 t0 s2 f2 u0/0 done=1,2 bad=0 FailureTarget:FailedIndexes Failed:FailedIndexes"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1", "4.0 SuccessfulCreate: Created pod: pod-2", "12.0 SuccessfulCreate: Created pod: pod-3", "22.0 FailedIndexes: Job has failed indexes"],
  },
  {
    name: "too many failed indexes end the Job and what runs",
    inputs: [create({ ...INDEXED, completions: 4, parallelism: 2, backoffLimitPerIndex: 0, maxFailedIndexes: 0 }), at(2, ended(0, 1, 2))],
    until: 8,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a2 r0 t0 s0 f0 u0/0 bad=", "3.0 a0 r0 t1 s0 f0 u0/2 bad=0 FailureTarget:MaxFailedIndexesExceeded", "3.0 a0 r0 t1 s0 f2 u0/0 bad=0 FailureTarget:MaxFailedIndexesExceeded", "4.0 a0 r0 t0 s0 f2 u0/0 bad=0 FailureTarget:MaxFailedIndexesExceeded", "4.0 a0 r0 t0 s0 f2 u0/0 bad=0 FailureTarget:MaxFailedIndexesExceeded Failed:MaxFailedIndexesExceeded"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1", "3.0 SuccessfulDelete: Deleted pod: pod-1", "4.0 MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes"],
  },
  {
    name: "a success policy: enough indexes, the others are deleted uncounted, and the end waits for them",
    inputs: [create({ ...INDEXED, completions: 3, parallelism: 3, successPolicy: { rules: [{ succeededIndexes: "0,2", succeededCount: 1 }] } }), at(2, running(0), running(1), running(2), patchPod(1, BOUND)), at(4, ended(0, 0, 4)), at(9, deletePod(1, 0))],
    until: 15,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a3 r0 t0 s0 f0 u0/0", "3.0 a3 r3 t0 s0 f0 u0/0", "4.0 a0 r0 t2 s1 f0 u0/0 done=0 SuccessCriteriaMet:SuccessPolicy", "5.0 a0 r0 t1 s1 f0 u0/0 done=0 SuccessCriteriaMet:SuccessPolicy", "10.0 a0 r0 t0 s1 f0 u0/0 done=0 SuccessCriteriaMet:SuccessPolicy", "10.0 a0 r0 t0 s1 f0 u0/0 done=0 SuccessCriteriaMet:SuccessPolicy Complete:SuccessPolicy"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1", "0.0 SuccessfulCreate: Created pod: pod-2", "4.0 SuccessfulDelete: Deleted pod: pod-1", "4.0 SuccessfulDelete: Deleted pod: pod-2", "10.0 Completed: Job completed"],
  },
  {
    name: "fewer completions: what is beyond goes uncounted",
    inputs: [create({ ...INDEXED, completions: 3, parallelism: 3 }), at(2, ended(0, 0, 2)), patch(5, { completions: 2, parallelism: 2 }), at(8, ended(1, 0, 8))],
    until: 15,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a3 r0 t0 s0 f0 u0/0", "3.0 a2 r0 t0 s1 f0 u0/0 done=0", "5.0 a1 r0 t1 s1 f0 u0/0 done=0", "6.0 a1 r0 t0 s1 f0 u0/0 done=0", "9.0 a0 r0 t0 s2 f0 u0/0 done=0,1 SuccessCriteriaMet:CompletionsReached", "9.0 a0 r0 t0 s2 f0 u0/0 done=0,1 SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1", "0.0 SuccessfulCreate: Created pod: pod-2", "5.0 SuccessfulDelete: Deleted pod: pod-2", "9.0 Completed: Job completed"],
  },
  {
    name: "more completions",
    inputs: [create({ ...INDEXED, completions: 1, parallelism: 1 }), patch(3, { completions: 2, parallelism: 2 })],
    until: 8,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "3.0 a2 r0 t0 s0 f0 u0/0"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "3.0 SuccessfulCreate: Created pod: pod-1"],
  },
  {
    name: "rule FailIndex spends an index whatever its limit",
    inputs: [create({ ...INDEXED, completions: 2, parallelism: 2, backoffLimitPerIndex: 3, podFailurePolicy: policy("FailIndex", [42]) }), at(2, ended(0, 42, 2)), at(5, ended(1, 0, 5))],
    until: 12,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a2 r0 t0 s0 f0 u0/0 bad=", "3.0 a1 r0 t0 s0 f0 u0/1 bad=0", "3.0 a1 r0 t0 s0 f1 u0/0 bad=0", "6.0 a0 r0 t0 s1 f1 u0/0 done=1 bad=0 FailureTarget:FailedIndexes", "6.0 a0 r0 t0 s1 f1 u0/0 done=1 bad=0 FailureTarget:FailedIndexes Failed:FailedIndexes"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1", "6.0 FailedIndexes: Job has failed indexes"],
  },
  {
    name: "rule Ignore: a disrupted Pod does not count",
    inputs: [create({ completions: 1, backoffLimit: 0, podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] } }), at(3, ended(0, 1, 3, DISRUPTED))],
    until: 16,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "4.0 a0 r0 t0 s0 f0 u0/0", "13.0 a1 r0 t0 s0 f0 u0/0"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "13.0 SuccessfulCreate: Created pod: pod-1"],
  },
  {
    name: "rule FailJob by a condition",
    inputs: [create({ completions: 2, parallelism: 2, podFailurePolicy: { rules: [{ action: "FailJob", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] } }), at(3, ended(0, 1, 3, DISRUPTED))],
    until: 8,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a2 r0 t0 s0 f0 u0/0", "4.0 a0 r0 t1 s0 f0 u0/2 FailureTarget:PodFailurePolicy", "4.0 a0 r0 t1 s0 f2 u0/0 FailureTarget:PodFailurePolicy", "5.0 a0 r0 t0 s0 f2 u0/0 FailureTarget:PodFailurePolicy", "5.0 a0 r0 t0 s0 f2 u0/0 FailureTarget:PodFailurePolicy Failed:PodFailurePolicy"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1", "4.0 SuccessfulDelete: Deleted pod: pod-1", "5.0 PodFailurePolicy: Pod default/pod-0 has condition DisruptionTarget matching FailJob rule at index 0"],
  },
  {
    name: "rule FailJob by exit code, once the deleted Pod has ended",
    inputs: [create({ completions: 1, podFailurePolicy: policy("FailJob", [42]) }), at(2, running(0), patchPod(0, BOUND)), at(3, deletePod(0, 30)), at(8, ended(0, 42, 8))],
    until: 14,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "3.0 a1 r1 t0 s0 f0 u0/0", "4.0 a0 r0 t1 s0 f0 u0/0", "9.0 a0 r0 t0 s0 f0 u0/1 FailureTarget:PodFailurePolicy", "9.0 a0 r0 t0 s0 f1 u0/0 FailureTarget:PodFailurePolicy Failed:PodFailurePolicy"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "9.0 PodFailurePolicy: Container main for pod default/pod-0 failed with exit code 42 matching FailJob rule at index 0"],
  },
  {
    name: "rule Count counts as without a rule",
    inputs: [create({ completions: 1, backoffLimit: 0, podFailurePolicy: policy("Count", [42]) }), at(3, ended(0, 42, 3))],
    until: 8,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "4.0 a0 r0 t0 s0 f0 u0/1 FailureTarget:BackoffLimitExceeded", "4.0 a0 r0 t0 s0 f1 u0/0 FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "4.0 BackoffLimitExceeded: Job has reached the specified backoff limit"],
  },
];

test.each(CASES)("$name", ({ inputs, until, states, events }) => {
  const run = runJob(inputs, until);
  expect([run.states, run.events]).toEqual([states, events]);
});

test("a Pod knows its index, and how often the index has failed before it", () => {
  const { made } = runJob([create({ ...INDEXED, completions: 2, parallelism: 2, backoffLimitPerIndex: 5, podFailurePolicy: policy("Ignore", [7]) }), at(2, ended(1, 1, 2)), at(20, ended(2, 7, 20))], 60);
  expect(made.map(({ metadata, spec }) => [metadata.generateName, metadata.annotations?.[COMPLETION_INDEX], metadata.labels?.[COMPLETION_INDEX], metadata.annotations?.[INDEX_FAILURE_COUNT], metadata.annotations?.[INDEX_IGNORED_FAILURE_COUNT], spec.hostname, spec.containers[0]?.env?.[0]?.name])).toEqual([
    ["calc-0-", "0", "0", "0", undefined, "calc-0", "JOB_COMPLETION_INDEX"],
    ["calc-1-", "1", "1", "0", undefined, "calc-1", "JOB_COMPLETION_INDEX"],
    ["calc-1-", "1", "1", "1", undefined, "calc-1", "JOB_COMPLETION_INDEX"],
    ["calc-1-", "1", "1", "1", "1", "calc-1", "JOB_COMPLETION_INDEX"],
  ]);
});

test("a range of a billion indexes is no work", () => {
  const { made, job } = runJob([create({ ...INDEXED, completions: 2_000_000_000, parallelism: 2 }), at(2, ended(1, 0, 2))], 6);
  expect(made.map(({ metadata }) => metadata.generateName)).toEqual(["calc-0-", "calc-1-", "calc-2-"]);
  expect(job?.status?.completedIndexes).toBe("1");
});
