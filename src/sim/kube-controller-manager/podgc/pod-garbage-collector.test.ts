import { describe, expect, test } from "vitest";
import type { KubeObject, Pod } from "../../api/types.ts";
import { http, type Op, requestsOf, runWith, stored, T } from "../../testdata/control-plane.ts";
import type { ControllerEntry } from "../registry.ts";
import { createPodGarbageCollector, podGCWatches } from "./pod-garbage-collector.ts";

const GC: ControllerEntry = { watches: podGCWatches, create: createPodGarbageCollector as never };
const PODS = "/api/v1/namespaces/default/pods";
interface Wanted {
  readonly node?: string;
  readonly phase?: string;
  readonly reason?: string;
  readonly going?: true;
  readonly created?: string;
}
const pod = (name: string, { node, phase = "Running", reason, going, created }: Wanted = {}): KubeObject => ({
  apiVersion: "v1", kind: "Pod",
  metadata: { name, namespace: "default", generation: 2, ...(created === undefined ? {} : { creationTimestamp: created }), ...(going ? { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 30, finalizers: ["example.com/keep"] } : {}) },
  spec: { containers: [{ name: "c", image: "nginx" }], ...(node === undefined ? {} : { nodeName: node }) },
  status: { phase, ...(reason === undefined ? {} : { reason }), conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2025-12-01T00:00:00Z" }] },
}) as KubeObject;
const node = (name: string, ready: string, taints: readonly object[] = []): KubeObject => ({ apiVersion: "v1", kind: "Node", metadata: { name }, spec: { taints }, status: { conditions: [{ type: "Ready", status: ready }] } }) as KubeObject;
const OUT = { key: "node.kubernetes.io/out-of-service", value: "nodeshutdown", effect: "NoExecute" };

type Sim = ReturnType<typeof runWith>;
const calls = (sim: Sim): readonly string[] => requestsOf(sim, "pod-garbage-collector").map(({ at, call, status }) => `${Math.floor(at / T)} ${call.replace(`${PODS}/`, "")}${status < 300 ? "" : ` ${status}`}`);

interface Situation {
  readonly name: string;
  readonly objects: readonly KubeObject[];
  readonly ops?: readonly Op[];
  readonly want: readonly string[];
}

describe("what it asks for, by the second: it looks at 11 s and every 20 s", () => {
  test.each<Situation>([
    { name: "a node that is missing: 40 s of quarantine, then the server is asked", objects: [pod("a", { node: "gone" }), pod("b", { node: "n1" })], want: ["51 GET /api/v1/nodes/gone 404", "51 PATCH a/status", "51 DELETE a"] },
    { name: "a finished Pod is not patched", objects: [pod("a", { node: "gone", phase: "Succeeded" })], want: ["51 GET /api/v1/nodes/gone 404", "51 DELETE a"] },
    { name: "a node that comes in time", objects: [pod("a", { node: "late" })], ops: [http(20 * T, { method: "POST", path: "/api/v1/nodes", body: node("late", "True") })], want: [] },
    { name: "terminating and never bound", objects: [pod("a", { going: true, phase: "Pending" }), pod("b", { phase: "Pending" })], want: ["11 PATCH a/status", "11 DELETE a", "31 DELETE a", "51 DELETE a"] },
    { name: "terminating on a node out of service that is not ready", objects: [node("out", "Unknown", [OUT]), pod("a", { going: true, node: "out" }), pod("b", { node: "out" })], want: ["11 PATCH a/status", "11 DELETE a", "31 DELETE a", "51 DELETE a"] },
    { name: "a node that is ready keeps its Pods, whatever is said of it", objects: [node("out", "True", [OUT]), pod("a", { going: true, node: "out" })], want: [] },
    { name: "so does one that is merely not ready", objects: [node("sick", "False"), pod("a", { going: true, node: "sick" })], want: [] },
  ])("$name", ({ objects, ops = [], want }) => expect(calls(runWith([GC], ops, 60 * T, objects))).toEqual(want));
});

test("the status says why: Failed, with the condition of a disruption for orphans only", () => {
  const sim = runWith([GC], [], 60 * T, [pod("a", { node: "gone" }), pod("b", { going: true, phase: "Pending" })]);
  const bodies = new Map(requestsOf(sim, "pod-garbage-collector").filter(({ call }) => call.startsWith("PATCH")).map(({ call, body }) => [call, body] as const));
  expect(bodies.get(`PATCH ${PODS}/a/status`)).toEqual({ metadata: { uid: "uid-a" }, status: { observedGeneration: 2, phase: "Failed", conditions: [{ type: "DisruptionTarget", status: "True", reason: "DeletionByPodGC", message: "PodGC: node no longer exists", observedGeneration: 2, lastTransitionTime: "2026-01-01T00:00:51Z" }] } });
  expect(bodies.get(`PATCH ${PODS}/b/status`)).toEqual({ metadata: { uid: "uid-b" }, status: { observedGeneration: 2, phase: "Failed" } });
  const kept = stored(sim, "Pod").find(({ metadata }) => metadata.name === "b") as Pod | undefined;
  expect(kept?.status?.conditions?.map(({ type }) => type)).toEqual(["Ready"]);
});

test("a DELETE is forced and names no precondition", () => {
  const sim = runWith([GC], [], 20 * T, [pod("b", { going: true })]);
  expect(requestsOf(sim, "pod-garbage-collector").find(({ call }) => call.startsWith("DELETE"))?.body).toEqual({ apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 });
});

test("beyond 12500 finished Pods: the evicted first, then the oldest, names last", () => {
  const many = Array.from({ length: 12_497 }, (_, i) => pod(`z${i}`, { phase: "Succeeded", created: "2025-12-02T00:00:00Z" }));
  const more = [pod("young", { phase: "Succeeded", created: "2025-12-03T00:00:00Z" }), pod("old", { phase: "Failed", created: "2025-12-01T00:00:00Z" }), pod("same-b", { phase: "Failed", created: "2025-12-01T12:00:00Z" }), pod("same-a", { phase: "Failed", created: "2025-12-01T12:00:00Z" }), pod("evicted", { phase: "Failed", reason: "Evicted", created: "2025-12-04T00:00:00Z" }), pod("running")];
  const sim = runWith([GC], [], 12 * T, [...many, ...more]);
  expect([...calls(sim)].sort((a, b) => (a < b ? -1 : 1))).toEqual(["11 DELETE evicted", "11 DELETE old"]);
});
