import { describe, expect, test } from "vitest";
import type { KubeObject, Pod, ReplicaSet } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { namespaceObject } from "../../testdata/controller-cluster.ts";
import { createStandIn, standInWatches } from "../../testdata/stand-in-kubelet.ts";
import { createReplicaSetController, createReplicationController, replicaSetWatches, replicationControllerWatches } from "./replicaset-controller.ts";

const SETS = "/apis/apps/v1/namespaces/default/replicasets";
const PODS = "/api/v1/namespaces/default/pods";
const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const set = (replicas: number, metadata: object = {}, spec: object = {}): KubeObject => ({ apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: "rs", namespace: "default", ...metadata }, spec: { replicas, selector: { matchLabels: { app: "web" } }, template, ...spec } });
const pod = (name: string, metadata: object = {}, spec: object = {}, status: object = {}): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", labels: { app: "web" }, ...metadata }, spec: { nodeName: "n1", containers: [{ name: "c", image: "i" }], ...spec }, status: { phase: "Running", conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2025-12-31T23:00:00Z" }], ...status } });
const scale = (replicas: number) => write("PATCH", `${SETS}/rs`, { spec: { replicas } });

function cluster(inputs: MiniInput[], { refuse, kubelet = false, objects = [] }: { refuse?: NonNullable<Parameters<typeof miniCluster>[4]>["refuse"]; kubelet?: boolean; objects?: readonly KubeObject[] } = {}) {
  const m = miniCluster(
    (world) => [createReplicaSetController({ world }), createReplicationController({ world }), ...(kubelet ? [createStandIn({ nodes: ["n1"], readyAfterMs: 300, deleteAfterMs: 1000 })] : [])] as Component[],
    [...replicaSetWatches(), ...replicationControllerWatches(), ...(kubelet ? standInWatches() : [])],
    [nodeObject("n1"), nodeObject("n2"), namespaceObject("default"), ...objects], inputs, refuse === undefined ? {} : { refuse },
  );
  return { ...m, until: (seconds: number) => m.sim.run(seconds * 1_000_000), get: () => m.list<ReplicaSet>("ReplicaSet")[0], pods: () => m.list<Pod>("Pod") };
}

const owned = { ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "rs", uid: "u1", controller: true, blockOwnerDeletion: true }] };
/** A set that was there before, with two Pods: which of them is deleted? */
function victim(a: KubeObject, b: KubeObject, others: readonly KubeObject[] = [], owner: object = {}) {
  const own = (object: KubeObject, uid: string): KubeObject => ({ ...object, metadata: { uid, resourceVersion: "1", creationTimestamp: "2025-12-31T22:00:00Z", ...owned, ...object.metadata } });
  const rs: KubeObject = { ...set(2, { uid: "u1", resourceVersion: "1", generation: 1, ...owner }), status: { replicas: 2 } };
  const m = cluster([at(1, scale(1))], { objects: [rs, own(a, "a"), own(b, "b"), ...others] });
  m.until(3);
  return m.events().filter((text) => text.startsWith("SuccessfulDelete")).join();
}

describe("of two Pods the one goes", () => {
  const since = (lastTransitionTime: string) => ({ conditions: [{ type: "Ready", status: "True", lastTransitionTime }] });
  const restarts = (restartCount: number, restartPolicy?: string) => (restartPolicy === undefined ? { containerStatuses: [{ name: "c", restartCount }] } : { initContainerStatuses: [{ name: "s", restartCount }] });
  const deployed = { ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "d1", controller: true }] };
  const sibling: KubeObject = { ...set(1, { name: "old", uid: "u2", resourceVersion: "1", ...deployed }), status: { replicas: 1 } };
  const neighbour: KubeObject = { ...pod("z", { uid: "z", resourceVersion: "1", ownerReferences: [{ ...owned.ownerReferences[0], name: "old", uid: "u2" }] }) };
  test.each([
    ["that has no node", pod("a"), pod("b", {}, { nodeName: undefined })],
    ["that is pending", pod("a"), pod("b", {}, {}, { phase: "Pending" })],
    ["that is not ready", pod("a"), pod("b", {}, {}, { conditions: [{ type: "Ready", status: "False" }] })],
    ["that costs less", pod("a"), pod("b", { annotations: { "controller.kubernetes.io/pod-deletion-cost": "-1" } })],
    ["whose rival's cost counts, and its own is no number", pod("a", { annotations: { "controller.kubernetes.io/pod-deletion-cost": "1" } }), pod("b", { annotations: { "controller.kubernetes.io/pod-deletion-cost": "+5" } })],
    ["that has been ready for less than half as long", pod("a", {}, {}, since("2025-12-31T22:00:00Z")), pod("b", {}, {}, since("2025-12-31T23:59:00Z"))],
    ["of the lower uid when both were ready for about as long", pod("b", { uid: "0" }, {}, since("2025-12-31T22:00:00Z")), pod("a", { uid: "1" }, {}, since("2025-12-31T22:10:00Z"))],
    ["that restarted more", pod("a", {}, {}, restarts(1)), pod("b", {}, {}, restarts(2))],
    ["whose sidecar restarted more", pod("a"), pod("b", {}, { initContainers: [{ name: "s", restartPolicy: "Always" }] }, restarts(1, "Always"))],
    ["that is younger", pod("a"), pod("b", { creationTimestamp: "2025-12-31T23:58:00Z" })],
  ])("%s", (_name, a, b) => {
    expect(victim(a, b)).toBe("SuccessfulDelete: Deleted pod: b");
  });

  test("on the node with more Pods of the same owner's sets; a set without an owner does not count", () => {
    const [a, b] = [pod("a", {}, { nodeName: "n2" }), pod("b", { creationTimestamp: "2025-12-31T01:00:00Z" })];
    expect(victim(a, b, [sibling, neighbour], deployed)).toBe("SuccessfulDelete: Deleted pod: b");
    expect(victim(a, b, [sibling, neighbour])).toBe("SuccessfulDelete: Deleted pod: a");
  });
});

test("creations go out in doubling batches, at most 500 in one sync", () => {
  const m = cluster([at(0, write("POST", SETS, set(520)))]);
  m.until(30);
  expect(m.notes(/creates \d+ Pods? for/).map((text) => text.replace(/^[\d.]+ /, ""))).toEqual(["replicaset-controller creates 500 Pods for ReplicaSet rs", "replicaset-controller creates 20 Pods for ReplicaSet rs"]);
  expect(m.pods().length).toBe(520);
});

test("adoption asks for the set anew, once, and goes on in the same sync; a Pod that fits no more is let go", () => {
  const m = cluster([at(0, write("POST", PODS, pod("x"))), at(0, write("POST", PODS, pod("y"))), at(1, write("POST", SETS, set(3))), at(3, write("PATCH", `${PODS}/x`, { metadata: { labels: { app: "debug" } } }))]);
  m.until(2.5);
  expect(m.requests(/replicasets\/rs|pods/).slice(2)).toEqual([`GET ${SETS}/rs`, `PATCH ${PODS}/x`, `PATCH ${PODS}/y`, `POST ${PODS}`, `PUT ${SETS}/rs/status`, `PUT ${SETS}/rs/status`]);
  expect(m.pods().map(({ metadata }) => metadata.ownerReferences?.map(({ kind, name, controller, blockOwnerDeletion }) => ({ kind, name, controller, blockOwnerDeletion })))).toEqual(Array.from({ length: 3 }, () => [{ kind: "ReplicaSet", name: "rs", controller: true, blockOwnerDeletion: true }]));
  m.until(5);
  expect(m.pods().find(({ metadata }) => metadata.name === "x")?.metadata.ownerReferences).toEqual([]);
  expect(m.pods().length).toBe(4);
});

test.each([
  ["is another one by now", { uid: "other" }],
  ["is on its way out", { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["x"] }],
])("no Pod is adopted when the set %s", (_name, fresh) => {
  // The controller's watch of sets is not open: its cache has the set as it was.
  const known: KubeObject = { ...set(0, { uid: "u1", resourceVersion: "1", generation: 1 }), status: { replicas: 0, terminatingReplicas: 0, observedGeneration: 1 } };
  const m = miniCluster((world) => [createReplicaSetController({ world: { ...world, objects: [...world.objects, known] } })] as Component[], replicaSetWatches().filter(({ resource }) => resource === "pods"), [namespaceObject("default"), { ...known, metadata: { ...known.metadata, ...fresh } }], [at(1, write("POST", PODS, pod("x")))]);
  m.sim.run(2_000_000);
  expect(m.requests(/PATCH/)).toEqual([]);
  expect(m.requests(/GET .*replicasets\/rs/).length).toBeGreaterThan(1);
});

test.each([
  ["conflict", 409, [`PUT ${SETS}/rs/status`, `GET ${SETS}/rs`, `PUT ${SETS}/rs/status`]],
  ["error", 500, [`PUT ${SETS}/rs/status`, `GET ${SETS}/rs`, `PUT ${SETS}/rs/status`]],
])("a status that meets a %s is written once more on the set as it is", (_name, status, want) => {
  const m = cluster([at(0, write("POST", SETS, set(0)))], { refuse: (request, state) => (request.path.endsWith("/status") && !state.requests.some((text) => text.startsWith(`GET ${SETS}/rs`)) ? { status, reason: "x", message: "no" } : undefined) });
  m.until(1);
  expect(m.requests(/replicasets\/rs/)).toEqual(want);
  expect(m.get()?.status).toEqual({ replicas: 0, terminatingReplicas: 0, observedGeneration: 1 });
});

test("what fails is kept in the status until it works, worded as for the one who asked", () => {
  const m = cluster([at(0, write("POST", SETS, set(2))), at(2, scale(0))], { refuse: (request) => (request.method === "DELETE" ? { status: 500, reason: "InternalError", message: "boom" } : undefined) });
  m.until(4);
  expect(m.events()).toContain("FailedDelete: Error deleting: boom");
  expect(m.get()?.status?.conditions?.map(({ type, status, reason, message }) => ({ type, status, reason, message }))).toEqual([{ type: "ReplicaFailure", status: "True", reason: "FailedDelete", message: "unable to delete pods: boom" }]);
});

test("in a namespace that ends every creation fails silently, and nothing more is tried for five minutes", () => {
  const late = cluster([at(1, scale(4)), at(100, write("PATCH", `${SETS}/rs`, { metadata: { labels: { a: "b" } } })), at(302, write("PATCH", `${SETS}/rs`, { metadata: { labels: { a: "c" } } }))], { objects: [{ ...set(0, { uid: "u1", resourceVersion: "1", generation: 1 }), status: { replicas: 0 } }], refuse: (request) => (request.method === "POST" && request.path === PODS ? { status: 403, reason: "Forbidden", message: "pods is forbidden because it is being terminated" } : undefined) });
  late.until(290);
  expect([late.events(), late.notes(/creates 4 Pods/).length]).toEqual([[], 1]);
  late.until(310);
  expect(late.notes(/creates 4 Pods/).length).toBe(2);
});

test("Pods count as available only after minReadySeconds, to the second", () => {
  const m = cluster([at(0, write("POST", SETS, set(2, {}, { minReadySeconds: 5 })))], { kubelet: true });
  m.until(4.9);
  expect(m.get()?.status).toMatchObject({ readyReplicas: 2 });
  expect(m.get()?.status).not.toHaveProperty("availableReplicas");
  m.until(5.4);
  expect(m.get()?.status).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
});

test("Pods on their way out are counted apart; ReplicationControllers do not tell of them", () => {
  const rc = { apiVersion: "v1", kind: "ReplicationController", metadata: { name: "rc", namespace: "default" }, spec: { replicas: 2, selector: { app: "rc" }, template: { ...template, metadata: { labels: { app: "rc" } } } } };
  const m = cluster([at(0, write("POST", SETS, set(3))), at(0, write("POST", "/api/v1/namespaces/default/replicationcontrollers", rc)), at(3, scale(1)), at(3, write("PATCH", "/api/v1/namespaces/default/replicationcontrollers/rc", { spec: { replicas: 1 } }))], { kubelet: true });
  m.until(3.5);
  expect(m.get()?.status).toEqual({ replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1, availableReplicas: 1, terminatingReplicas: 2, observedGeneration: 2 });
  expect(m.list("ReplicationController")[0]?.status).toEqual({ replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1, availableReplicas: 1, observedGeneration: 2 });
  m.until(6);
  expect(m.get()?.status).toMatchObject({ terminatingReplicas: 0 });
});

test("a set that is going makes and removes nothing", () => {
  const m = cluster([at(0, write("POST", SETS, set(1, { finalizers: ["example.com/hold"] }))), at(1, write("DELETE", `${SETS}/rs`)), at(2, scale(3))]);
  m.until(4);
  expect([m.pods().length, m.get()?.status?.observedGeneration]).toEqual([1, 3]);
});
