import { expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { createTTLAfterFinishedController, ttlAfterFinishedWatches } from "./ttl-after-finished-controller.ts";

const JOB = "/apis/batch/v1/namespaces/default/jobs/calc";
const FINISHED = { conditions: [{ type: "Complete", status: "True", lastTransitionTime: "2026-01-01T00:00:10Z" }] };
const job = (ttl: number | undefined, status: object = FINISHED): KubeObject => ({ apiVersion: "batch/v1", kind: "Job", metadata: { name: "calc", namespace: "default", uid: "j", resourceVersion: "2" }, spec: ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }, status } as KubeObject);

/** Requests of the controller until a second. */
function requests(object: KubeObject, until: number, inputs: readonly MiniInput[] = []): readonly string[] {
  const cluster = miniCluster((world) => [createTTLAfterFinishedController({ world }) as Component], ttlAfterFinishedWatches(), [nodeObject("n1"), object], inputs);
  cluster.sim.run(until * 1_000_000);
  return cluster.requests(/^(GET|DELETE)/).map((request) => request.replace(JOB, "calc"));
}

test.each([
  ["not before its time", job(3), 12.9, [], []],
  ["when its time is over: asked once more, then deleted", job(3), 13.1, [], ["GET calc", "DELETE calc"]],
  ["at once with 0", job(0), 10.1, [], ["GET calc", "DELETE calc"]],
  ["failed ones as well", job(1, { conditions: [{ type: "Failed", status: "True", lastTransitionTime: "2026-01-01T00:00:10Z" }] }), 11.1, [], ["GET calc", "DELETE calc"]],
  ["never without a TTL", job(undefined), 60, [], []],
  ["not while it runs", job(0, {}), 60, [], []],
  ["a TTL that is set later", job(undefined), 30, [at(20, write("PATCH", JOB, { spec: { ttlSecondsAfterFinished: 5 } }))], ["GET calc", "DELETE calc"]],
  ["a longer TTL that comes in time", job(3), 14, [at(12, write("PATCH", JOB, { spec: { ttlSecondsAfterFinished: 30 } }))], []],
  ["one that ends", job(2, {}), 33, [at(29, write("PUT", `${JOB}/status`, { metadata: {}, status: { conditions: [{ type: "Complete", status: "True", lastTransitionTime: "2026-01-01T00:00:29Z" }] } }))], ["GET calc", "DELETE calc"]],
])("%s", (_name, object, until, inputs, wanted) => expect(requests(object, until, inputs)).toEqual(wanted));
