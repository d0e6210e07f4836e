import { expect, test } from "vitest";
import type { FakeApiConfig } from "../../testdata/fake-apiserver.ts";
import { create, isHeld, JOB, patch, runJob } from "../../testdata/job-cluster.ts";
import { at, write } from "../../testdata/mini-cluster.ts";
import { deletePod, ended, patchPod, running } from "../../testdata/observer.ts";

const PODS = "/api/v1/namespaces/default/pods";
const STRAY = { apiVersion: "v1", kind: "Pod", metadata: { name: "stray", labels: { job: "calc" } }, spec: { containers: [] } };
const quota: FakeApiConfig["refuse"] = (request) => (request.method === "POST" && request.path.endsWith("/pods") ? { status: 403, reason: "Forbidden", message: 'pods "calc-abcde" is forbidden: exceeded quota: few' } : undefined);

/** The n-th request of a kind fails. */
function refusing(method: string, nth: number, status: number, message: string): Partial<FakeApiConfig> {
  let seen = 0;
  return { refuse: (request) => (request.method === method && !request.path.includes("events") && ++seen === nth ? { status, reason: "Broken", message } : undefined) };
}

interface Case {
  readonly name: string;
  readonly inputs: Parameters<typeof runJob>[0];
  readonly until: number;
  readonly config?: Partial<FakeApiConfig>;
  readonly states: readonly string[];
  readonly events: readonly string[];
  readonly requests: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: "refused creations: one at a time, a second, two and four later",
    inputs: [create({ completions: 3, parallelism: 3 })],
    until: 9,
    config: { refuse: quota },
    states: ["0.0 a0 r0 t0 s0 f0 u0/0"],
    events: ["0.0 FailedCreate: Error creating: pods \"calc-abcde\" is forbidden: exceeded quota: few", "1.0 FailedCreate: Error creating: pods \"calc-abcde\" is forbidden: exceeded quota: few", "3.0 FailedCreate: Error creating: pods \"calc-abcde\" is forbidden: exceeded quota: few", "7.0 FailedCreate: Error creating: pods \"calc-abcde\" is forbidden: exceeded quota: few"],
    requests: ["POST jobs", "POST pods", "PUT jobs/calc/status", "POST pods", "POST pods", "POST pods"],
  },
  {
    name: "a conflict on the status: all again a second later",
    inputs: [create({ completions: 1 }), at(3, ended(0, 0, 3))],
    until: 10,
    config: refusing("PUT", 2, 409, "the object has been modified"),
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "5.0 a0 r0 t0 s0 f0 u1/0 SuccessCriteriaMet:CompletionsReached", "5.0 a0 r0 t0 s1 f0 u0/0 SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "5.0 Completed: Job completed"],
    requests: ["POST jobs", "POST pods", "PUT jobs/calc/status", "PATCH pods/pod-0/status", "PUT jobs/calc/status", "PUT jobs/calc/status", "PATCH pods/pod-0", "PUT jobs/calc/status"],
  },
  {
    name: "a Pod that cannot be let go is counted in the next sync",
    inputs: [create({ completions: 2, parallelism: 2 }), at(3, ended(0, 0, 3), ended(1, 0, 3))],
    until: 10,
    config: refusing("PATCH", 3, 500, "broken"),
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a2 r0 t0 s0 f0 u0/0", "4.0 a0 r0 t0 s0 f0 u2/0 SuccessCriteriaMet:CompletionsReached", "4.0 a0 r0 t0 s1 f0 u1/0 SuccessCriteriaMet:CompletionsReached", "5.0 a0 r0 t0 s2 f0 u0/0 SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1", "5.0 Completed: Job completed"],
    requests: ["POST jobs", "POST pods", "POST pods", "PUT jobs/calc/status", "PATCH pods/pod-0/status", "PATCH pods/pod-1/status", "PUT jobs/calc/status", "PATCH pods/pod-1", "PATCH pods/pod-0", "PUT jobs/calc/status", "PATCH pods/pod-1", "PUT jobs/calc/status"],
  },
  {
    name: "a surplus Pod that cannot be let go is not deleted",
    inputs: [create({ completions: 2, parallelism: 2 }), patch(3, { parallelism: 1 })],
    until: 7,
    config: refusing("PATCH", 1, 500, "broken"),
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a2 r0 t0 s0 f0 u0/0", "4.0 a1 r0 t1 s0 f0 u0/0", "5.0 a1 r0 t0 s0 f0 u0/0"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1", "4.0 SuccessfulDelete: Deleted pod: pod-1"],
    requests: ["POST jobs", "POST pods", "POST pods", "PUT jobs/calc/status", "PATCH jobs/calc", "PATCH pods/pod-1", "PATCH pods/pod-1", "DELETE pods/pod-1", "PUT jobs/calc/status", "PUT jobs/calc/status"],
  },
  {
    name: "a Pod that cannot be deleted keeps the Job from its end",
    inputs: [create({ completions: 1, activeDeadlineSeconds: 2 })],
    until: 7,
    config: refusing("DELETE", 1, 500, "broken"),
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "3.0 a0 r0 t1 s0 f0 u0/1 FailureTarget:DeadlineExceeded", "3.0 a0 r0 t1 s0 f1 u0/0 FailureTarget:DeadlineExceeded", "4.0 a0 r0 t0 s0 f1 u0/0 FailureTarget:DeadlineExceeded", "4.0 a0 r0 t0 s0 f1 u0/0 FailureTarget:DeadlineExceeded Failed:DeadlineExceeded"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "2.0 FailedDelete: Error deleting: broken", "3.0 SuccessfulDelete: Deleted pod: pod-0", "4.0 DeadlineExceeded: Job was active longer than specified deadline"],
    requests: ["POST jobs", "POST pods", "PUT jobs/calc/status", "DELETE pods/pod-0", "DELETE pods/pod-0", "PUT jobs/calc/status", "PATCH pods/pod-0", "PUT jobs/calc/status", "PUT jobs/calc/status", "PUT jobs/calc/status"],
  },
  {
    name: "a Pod that lost its owner is let go at once, then taken back",
    inputs: [create({ completions: 1 }), at(3, patchPod(0, { metadata: { ownerReferences: null } }))],
    until: 8,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0"],
    requests: ["POST jobs", "POST pods", "PUT jobs/calc/status", "PATCH pods/pod-0", "PATCH pods/pod-0", "GET jobs/calc", "PATCH pods/pod-0"],
  },
  {
    name: "a Pod with other labels is released and replaced",
    inputs: [create({ completions: 1 }), at(3, patchPod(0, { metadata: { labels: { job: "other" } } }))],
    until: 8,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "4.0 SuccessfulCreate: Created pod: pod-1"],
    requests: ["POST jobs", "POST pods", "PUT jobs/calc/status", "PATCH pods/pod-0", "PATCH pods/pod-0", "POST pods"],
  },
  {
    name: "an orphan that fits is adopted and counted",
    inputs: [at(0, write("POST", PODS, STRAY)), create({ completions: 1 }), at(3, ended(0, 0, 3))],
    until: 8,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "4.0 a0 r0 t0 s0 f0 u1/0 SuccessCriteriaMet:CompletionsReached", "4.0 a0 r0 t0 s1 f0 u0/0 SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached"],
    events: ["4.0 Completed: Job completed"],
    requests: ["POST pods", "POST jobs", "GET jobs/calc", "PATCH pods/pod-0", "PUT jobs/calc/status", "PATCH pods/pod-0/status", "PUT jobs/calc/status", "PATCH pods/pod-0", "PUT jobs/calc/status"],
  },
  {
    name: "a Job that is being deleted in the foreground lets go of what has ended or goes",
    inputs: [create({ completions: 2, parallelism: 2 }), at(3, write("DELETE", JOB, { propagationPolicy: "Foreground" })), at(5, deletePod(0), deletePod(1))],
    until: 8,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a2 r0 t0 s0 f0 u0/0", "6.0 a0 r0 t0 s0 f0 u0/0"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0", "0.0 SuccessfulCreate: Created pod: pod-1"],
    requests: ["POST jobs", "POST pods", "POST pods", "PUT jobs/calc/status", "DELETE jobs/calc", "PATCH pods/pod-1", "PATCH pods/pod-0", "DELETE pods/pod-0", "DELETE pods/pod-1", "PUT jobs/calc/status"],
  },
  {
    name: "Pods of a Job that is gone are let go",
    inputs: [create({ completions: 1 }), at(2, running(0)), at(3, write("DELETE", JOB, {}))],
    until: 8,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a1 r0 t0 s0 f0 u0/0", "3.0 gone"],
    events: ["0.0 SuccessfulCreate: Created pod: pod-0"],
    requests: ["POST jobs", "POST pods", "PUT jobs/calc/status", "PATCH pods/pod-0/status", "DELETE jobs/calc", "PATCH pods/pod-0"],
  },
  {
    name: "in a namespace that is going nothing is told, and nothing tried again",
    inputs: [create({ completions: 3, parallelism: 3 }), at(0.001, write("DELETE", "/api/v1/namespaces/default", {}))],
    until: 8,
    states: ["0.0 a0 r0 t0 s0 f0 u0/0", "0.0 a3 r0 t0 s0 f0 u0/0", "1.0 a0 r0 t0 s0 f0 u0/0"],
    events: [],
    requests: ["POST jobs", "DELETE /api/v1/namespaces/default", "POST pods", "POST pods", "POST pods", "PUT jobs/calc/status", "PUT jobs/calc/status"],
  },
];

test.each(CASES)("$name", ({ inputs, until, config = {}, states, events, requests }) => {
  const run = runJob(inputs, until, config);
  expect([run.states, run.events, run.requests]).toEqual([states, events, requests]);
});

test("more successes than wanted, by orphans that were adopted", () => {
  const done = (name: string): object => ({ ...STRAY, metadata: { ...STRAY.metadata, name }, status: { phase: "Succeeded" } });
  const { events, job } = runJob([create({ completions: 1 }), at(2, write("POST", PODS, done("stray-1")), write("POST", PODS, done("stray-2")))], 8);
  expect(events.slice(1)).toEqual(["3.0 SuccessfulDelete: Deleted pod: pod-0", "4.0 TooManySucceededPods: Too many succeeded pods running after completion count reached", "4.0 Completed: Job completed"]);
  expect(job?.status?.succeeded).toBe(2);
});

test.each([
  ["of another kind's Pod", { kind: "ReplicaSet", apiVersion: "apps/v1" }, true],
  ["of a Pod whose Job is not there", { kind: "Job", apiVersion: "batch/v1" }, false],
])("the finalizer %s", (_name, owner, held) => {
  const pod = { ...STRAY, metadata: { ...STRAY.metadata, finalizers: ["batch.kubernetes.io/job-tracking"], ownerReferences: [{ ...owner, name: "other", uid: "u", controller: true }] } };
  const { pods } = runJob([at(0, write("POST", PODS, pod)), at(1, patchPod(0, { spec: { nodeName: "n1" } })), at(2, deletePod(0))], 5);
  expect(pods.map(isHeld)).toEqual([held]);
});
