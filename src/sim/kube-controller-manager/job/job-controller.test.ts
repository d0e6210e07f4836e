import { expect, test } from "vitest";
import { create, patch, runJob } from "../../testdata/job-cluster.ts";
import { at } from "../../testdata/mini-cluster.ts";
import { deletePod, ended, patchPod, podStatus, running } from "../../testdata/observer.ts";

const RESTARTING = { metadata: { labels: { job: "calc" } }, spec: { restartPolicy: "OnFailure", containers: [{ name: "main", image: "busybox" }] } };
const BOUND = { spec: { nodeName: "n1" } };

const CASES = [
  {
    name: "two completions: each Pod is counted by its uid first, then by number, and the end is told before it is reached",
    inputs: [create({ completions: 2, parallelism: 2 }), at(2, running(0), running(1)), at(5, ended(0, 0, 5)), at(7, ended(1, 0, 7))],
    until: 12,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a2 r0 t0 s0 f0 u0/0", "3.0 a2 r2 t0 s0 f0 u0/0", "6.0 a1 r1 t0 s0 f0 u1/0", "6.0 a1 r1 t0 s1 f0 u0/0", "7.0 a0 r0 t0 s1 f0 u1/0 SuccessCriteriaMet:CompletionsReached", "7.0 a0 r0 t0 s2 f0 u0/0 SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1", "7.0 Completed: Job completed"],
  },
  {
    name: "a work queue makes no Pod after the first success, and the last may fail",
    inputs: [create({ parallelism: 2 }), at(2, ended(0, 0, 2)), at(8, ended(1, 1, 8))],
    until: 12,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a2 r0 t0 s0 f0 u0/0", "3.0 a1 r0 t0 s0 f0 u1/0", "3.0 a1 r0 t0 s1 f0 u0/0", "9.0 a0 r0 t0 s1 f0 u0/1 SuccessCriteriaMet:CompletionsReached", "9.0 a0 r0 t0 s1 f1 u0/0 SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1", "9.0 Completed: Job completed"],
  },
  {
    name: "a failed Pod is replaced 10 s after its end, and the second failure is one too many",
    inputs: [create({ completions: 1, backoffLimit: 1 }), at(2, running(0)), at(5, ended(0, 1, 5)), at(20, ended(1, 1, 20))],
    until: 30,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "3.0 a1 r1 t0 s0 f0 u0/0", "6.0 a0 r0 t0 s0 f0 u0/1", "6.0 a0 r0 t0 s0 f1 u0/0", "15.0 a1 r0 t0 s0 f1 u0/0", "21.0 a0 r0 t0 s0 f1 u0/1 FailureTarget:BackoffLimitExceeded", "21.0 a0 r0 t0 s0 f2 u0/0 FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "15.0 SuccessfulCreate: Created pod: pod-1", "21.0 BackoffLimitExceeded: Job has reached the specified backoff limit"],
  },
  {
    name: "a success in between forgets the failures before it",
    inputs: [create({ completions: 3 }), at(5, ended(0, 1, 5)), at(16, ended(1, 1, 16)), at(37, ended(2, 0, 37)), at(39, ended(3, 1, 39))],
    until: 52,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "6.0 a0 r0 t0 s0 f0 u0/1", "6.0 a0 r0 t0 s0 f1 u0/0", "15.0 a1 r0 t0 s0 f1 u0/0", "16.0 a0 r0 t0 s0 f1 u0/1", "16.0 a0 r0 t0 s0 f2 u0/0", "36.0 a1 r0 t0 s0 f2 u0/0", "37.0 a1 r0 t0 s0 f2 u1/0", "37.0 a1 r0 t0 s1 f2 u0/0", "40.0 a0 r0 t0 s1 f2 u0/1", "40.0 a0 r0 t0 s1 f3 u0/0", "49.0 a1 r0 t0 s1 f3 u0/0"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "15.0 SuccessfulCreate: Created pod: pod-1", "36.0 SuccessfulCreate: Created pod: pod-2", "37.0 SuccessfulCreate: Created pod: pod-3", "49.0 SuccessfulCreate: Created pod: pod-4"],
  },
  {
    name: "restarts in place count against the limit",
    inputs: [create({ completions: 1, backoffLimit: 2, template: RESTARTING }), at(3, podStatus(0, { phase: "Running", containerStatuses: [{ name: "main", ready: false, restartCount: 2, image: "", imageID: "" }] }))],
    until: 8,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "4.0 a0 r0 t1 s0 f0 u0/1 FailureTarget:BackoffLimitExceeded", "4.0 a0 r0 t1 s0 f1 u0/0 FailureTarget:BackoffLimitExceeded", "5.0 a0 r0 t0 s0 f1 u0/0 FailureTarget:BackoffLimitExceeded", "5.0 a0 r0 t0 s0 f1 u0/0 FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "4.0 SuccessfulDelete: Deleted pod: pod-0", "5.0 BackoffLimitExceeded: Job has reached the specified backoff limit"],
  },
  {
    name: "suspended from birth, resumed, suspended again: Pods go uncounted",
    inputs: [create({ completions: 2, parallelism: 2, suspend: true }), patch(3, { suspend: false }), at(5, running(0), running(1)), patch(8, { suspend: true }), patch(12, { suspend: false })],
    until: 15,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a0 r0 t0 s0 f0 u0/0 Suspended:JobSuspended", "3.0 a2 r0 t0 s0 f0 u0/0 !Suspended:JobResumed", "6.0 a2 r2 t0 s0 f0 u0/0 !Suspended:JobResumed", "8.0 a0 r0 t2 s0 f0 u0/0 Suspended:JobSuspended", "9.0 a0 r0 t0 s0 f0 u0/0 Suspended:JobSuspended", "12.0 a2 r0 t0 s0 f0 u0/0 !Suspended:JobResumed"],
    events: ["0.0 Suspended: Job suspended", "3.0 SuccessfulCreate: Created pod: pod-0", "3.0 SuccessfulCreate: Created pod: pod-1", "3.0 Resumed: Job resumed", "8.0 SuccessfulDelete: Deleted pod: pod-0", "8.0 SuccessfulDelete: Deleted pod: pod-1", "8.0 Suspended: Job suspended", "12.0 SuccessfulCreate: Created pod: pod-2", "12.0 SuccessfulCreate: Created pod: pod-3", "12.0 Resumed: Job resumed"],
  },
  {
    name: "past its deadline",
    inputs: [create({ completions: 1, activeDeadlineSeconds: 5 }), at(2, running(0))],
    until: 10,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "3.0 a1 r1 t0 s0 f0 u0/0", "5.0 a0 r0 t1 s0 f0 u0/1 FailureTarget:DeadlineExceeded", "5.0 a0 r0 t1 s0 f1 u0/0 FailureTarget:DeadlineExceeded", "6.0 a0 r0 t0 s0 f1 u0/0 FailureTarget:DeadlineExceeded", "6.0 a0 r0 t0 s0 f1 u0/0 FailureTarget:DeadlineExceeded Failed:DeadlineExceeded"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "5.0 SuccessfulDelete: Deleted pod: pod-0", "6.0 DeadlineExceeded: Job was active longer than specified deadline"],
  },
  {
    name: "a deadline that is drawn in",
    inputs: [create({ completions: 1, activeDeadlineSeconds: 60 }), at(2, running(0)), patch(4, { activeDeadlineSeconds: 7 })],
    until: 10,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "3.0 a1 r1 t0 s0 f0 u0/0", "7.0 a0 r0 t1 s0 f0 u0/1 FailureTarget:DeadlineExceeded", "7.0 a0 r0 t1 s0 f1 u0/0 FailureTarget:DeadlineExceeded", "8.0 a0 r0 t0 s0 f1 u0/0 FailureTarget:DeadlineExceeded", "8.0 a0 r0 t0 s0 f1 u0/0 FailureTarget:DeadlineExceeded Failed:DeadlineExceeded"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "7.0 SuccessfulDelete: Deleted pod: pod-0", "8.0 DeadlineExceeded: Job was active longer than specified deadline"],
  },
  {
    name: "parallelism down and up",
    inputs: [create({ completions: 5, parallelism: 3 }), at(2, running(0), running(1)), patch(5, { parallelism: 1 }), patch(8, { parallelism: 2 })],
    until: 12,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a3 r0 t0 s0 f0 u0/0", "3.0 a3 r2 t0 s0 f0 u0/0", "5.0 a1 r1 t2 s0 f0 u0/0", "6.0 a1 r1 t0 s0 f0 u0/0", "8.0 a2 r1 t0 s0 f0 u0/0"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1", "0.0 SuccessfulCreate: Created pod: pod-2", "5.0 SuccessfulDelete: Deleted pod: pod-2", "5.0 SuccessfulDelete: Deleted pod: pod-1", "8.0 SuccessfulCreate: Created pod: pod-3"],
  },
  {
    name: "a deleted Pod has failed at once and is replaced while it still terminates",
    inputs: [create({ completions: 1 }), at(2, running(0), patchPod(0, BOUND)), at(4, deletePod(0)), at(30, ended(0, 143, 30))],
    until: 40,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "3.0 a1 r1 t0 s0 f0 u0/0", "4.0 a0 r0 t1 s0 f0 u0/1", "4.0 a0 r0 t1 s0 f1 u0/0", "14.0 a1 r0 t1 s0 f1 u0/0", "31.0 a1 r0 t0 s0 f1 u0/0"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "14.0 SuccessfulCreate: Created pod: pod-1"],
  },
  {
    name: "with podReplacementPolicy Failed a deleted Pod is waited for",
    inputs: [create({ completions: 1, podReplacementPolicy: "Failed" }), at(2, running(0), patchPod(0, BOUND)), at(4, deletePod(0)), at(20, ended(0, 143, 20)), at(21, deletePod(0, 0))],
    until: 40,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "3.0 a1 r1 t0 s0 f0 u0/0", "4.0 a0 r0 t1 s0 f0 u0/0", "21.0 a0 r0 t0 s0 f0 u0/1", "21.0 a0 r0 t0 s0 f1 u0/0", "30.0 a1 r0 t0 s0 f1 u0/0"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "30.0 SuccessfulCreate: Created pod: pod-1"],
  },
  {
    name: "no completions wanted: complete at once",
    inputs: [create({ completions: 0 })],
    until: 3,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a0 r0 t0 s0 f0 u0/0 SuccessCriteriaMet:CompletionsReached", "0.0 a0 r0 t0 s0 f0 u0/0 SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached"],
    events: ["0.0 Completed: Job completed"],
  },
  {
    name: "managed by another controller: nothing is done",
    inputs: [create({ completions: 1, managedBy: "example.com/other" })],
    until: 5,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0"],
    events: [],
  },
];

test.each(CASES)("$name", ({ inputs, until, states, events }) => {
  const run = runJob(inputs, until);
  expect([run.states, run.events]).toEqual([states, events]);
});

test("a start is counted from the last resumption, and none is kept while suspended", () => {
  const started = (until: number): string | undefined => runJob([create({ completions: 1 }), patch(3, { suspend: true }), patch(7, { suspend: false })], until).job?.status?.startTime;
  expect([started(2), started(5), started(9)]).toEqual(["2026-01-01T00:00:00Z", undefined, "2026-01-01T00:00:07Z"]);
});

test("at most 500 Pods are made and 500 ended ones counted in one sync, in batches that double", () => {
  const { states, job } = runJob([create({ completions: 520, parallelism: 520 }), at(4, ...Array.from({ length: 520 }, (_, n) => ended(n, 0, 4)))], 12);
  expect(states.map((line) => line.slice(line.indexOf(" ") + 1))).toEqual(expect.arrayContaining(["a500 r0 t0 s0 f0 u0/0", "a520 r0 t0 s0 f0 u0/0", "a0 r0 t0 s0 f0 u500/0 SuccessCriteriaMet:CompletionsReached", "a0 r0 t0 s500 f0 u20/0 SuccessCriteriaMet:CompletionsReached"]));
  expect(job?.status).toMatchObject({ succeeded: 520, completionTime: expect.any(String) as string });
});
