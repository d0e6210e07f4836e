import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import { http, type Op, requestsOf, runWith, T } from "../../testdata/control-plane.ts";
import type { Job } from "../job/types.ts";
import { createTTLAfterFinishedController, expiryOf, ttlAfterFinishedWatches } from "./ttl-after-finished-controller.ts";

const job = (ttl: number | undefined, type: string, going = false): Job => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "calc", ...(going ? { deletionTimestamp: "2026-01-01T00:00:20Z" } : {}) },
  spec: { template: { spec: { containers: [] } }, ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }) },
  status: { conditions: [{ type, status: "True", lastTransitionTime: "2026-01-01T00:00:10Z" }] },
});

test.each([
  ["complete", job(3, "Complete"), 13_000_000],
  ["failed, at once", job(0, "Failed"), 10_000_000],
  ["about to end", job(3, "SuccessCriteriaMet"), undefined],
  ["without a TTL", job(undefined, "Complete"), undefined],
  ["already going", job(3, "Complete", true), undefined],
])("%s", (_name, finished, at) => expect(expiryOf(finished)).toBe(at));

const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const POD = { restartPolicy: "Never", dnsPolicy: "ClusterFirst", schedulerName: "default-scheduler", securityContext: {}, terminationGracePeriodSeconds: 30, containers: [{ name: "c", image: "busybox:1", imagePullPolicy: "IfNotPresent", resources: {}, terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File" }] };
/** A Job in the cluster that ended at second 0. */
const ended = (ttl: number | undefined): KubeObject => {
  const finished = job(ttl, "Complete");
  return { ...finished, metadata: { name: "calc", namespace: "default" }, spec: { ...finished.spec, parallelism: 1, completions: 1, backoffLimit: 6, suspend: false, completionMode: "NonIndexed", podReplacementPolicy: "TerminatingOrFailed", selector: { matchLabels: { job: "calc" } }, manualSelector: true, template: { metadata: { labels: { job: "calc" } }, spec: POD } }, status: { conditions: [{ type: "Complete", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }] } } as unknown as KubeObject;
};
const ttl = (seconds: number, value: number): Op => http(seconds * T, { method: "PATCH", path: `${JOBS}/calc`, body: { spec: { ttlSecondsAfterFinished: value } } });
const calls = (objects: readonly KubeObject[], ops: readonly Op[]): readonly string[] => requestsOf(runWith([{ watches: ttlAfterFinishedWatches, create: createTTLAfterFinishedController as never }], ops, 60 * T, objects), "ttl-after-finished-controller").map(({ at, call, status }) => `${Math.floor(at / T)} ${call.replace(`${JOBS}/`, "")} ${status}`);

describe("through the API", () => {
  test.each([
    { name: "it is looked at once more, then deleted", objects: [ended(10)], ops: [], want: ["10 GET calc 200", "10 DELETE calc 200"] },
    { name: "a time that was set late", objects: [ended(undefined)], ops: [ttl(20, 5)], want: ["20 GET calc 200", "20 DELETE calc 200"] },
    { name: "a time that was made longer before it was over", objects: [ended(10)], ops: [ttl(5, 30)], want: ["30 GET calc 200", "30 DELETE calc 200"] },
    { name: "somebody else was faster", objects: [ended(10)], ops: [http(9 * T, { method: "DELETE", path: `${JOBS}/calc`, body: { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" } })], want: [] },
  ])("$name", ({ objects, ops, want }) => expect(calls(objects, ops)).toEqual(want));

  test("its dependents go first, and only this very Job", () => {
    const sim = runWith([{ watches: ttlAfterFinishedWatches, create: createTTLAfterFinishedController as never }], [], 20 * T, [ended(10)]);
    expect(requestsOf(sim, "ttl-after-finished-controller").find(({ call }) => call.startsWith("DELETE"))?.body).toEqual({ apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground", preconditions: { uid: "uid-calc" } });
  });
});
