import { describe, expect, test } from "vitest";
import type { Deployment, KubeObject, Pod, ReplicaSet } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { namespaceObject } from "../../testdata/controller-cluster.ts";
import { createStandIn, standInWatches } from "../../testdata/stand-in-kubelet.ts";
import { createReplicaSetController, replicaSetWatches } from "../replicaset/replicaset-controller.ts";
import { createDeploymentController, deploymentWatches } from "./deployment-controller.ts";

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const SETS = "/apis/apps/v1/namespaces/default/replicasets";

/** Images of the test are ready unless they end in "!". */
const template = (image: string) => ({ metadata: { labels: { app: "web" }, annotations: { "sim.example/ready": image.endsWith("!") ? "never" : "soon" } }, spec: { containers: [{ name: "c", image }] } });
const deployment = (replicas: number, spec: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "default", ...metadata },
  spec: { replicas, selector: { matchLabels: { app: "web" } }, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } }, progressDeadlineSeconds: 600, revisionHistoryLimit: 10, template: template("a"), ...spec },
});
const create = (object: KubeObject) => write("POST", DEPLOYMENTS, object);
const patch = (spec: object, metadata?: object) => write("PATCH", `${DEPLOYMENTS}/web`, { spec, ...(metadata ? { metadata } : {}) });
const image = (name: string) => patch({ template: template(name) });

function cluster(inputs: MiniInput[], refuse?: Parameters<typeof miniCluster>[4]) {
  const components = (world: Parameters<Parameters<typeof miniCluster>[0]>[0]) => [createDeploymentController({ world }), createReplicaSetController({ world }), createStandIn({ nodes: ["n1"], readyAfterMs: 300, deleteAfterMs: 300, gapMs: 50 })] as Component[];
  const m = miniCluster(components, [...deploymentWatches(), ...replicaSetWatches(), ...standInWatches()], [nodeObject("n1"), namespaceObject("default")], inputs, refuse);
  const sets = () => [...m.list<ReplicaSet>("ReplicaSet")].sort((a, b) => Number(a.metadata.annotations?.["deployment.kubernetes.io/revision"]) - Number(b.metadata.annotations?.["deployment.kubernetes.io/revision"]));
  return {
    ...m, sets,
    get: () => m.list<Deployment>("Deployment")[0],
    until: (seconds: number) => m.sim.run(seconds * 1_000_000),
    condition: (type: string) => m.list<Deployment>("Deployment")[0]?.status?.conditions?.find((entry) => entry.type === type),
    /** "up a 0>3": scalings by the image of the ReplicaSet's Pods. */
    scalings: () => m.events().flatMap((text) => {
      const [, way, name, from, to] = /^ScalingReplicaSet: (?:\(combined from similar events\): )?Scaled (up|down) replica set (\S+) from (\d+) to (\d+)$/.exec(text) ?? [];
      const rs = m.list<ReplicaSet>("ReplicaSet").find((entry) => entry.metadata.name === name);
      return way === undefined ? [] : [`${way} ${rs?.spec.template?.spec.containers[0]?.image ?? "?"} ${from ?? ""}>${to ?? ""}`];
    }),
  };
}

test.each([
  [4, "25%", "25%", ["up b 0>1", "down a 4>3", "up b 1>2", "down a 3>2", "up b 2>3", "down a 2>1", "up b 3>4", "down a 1>0"]],
  [2, 1, 0, ["up b 0>1", "down a 2>1", "up b 1>2", "down a 1>0"]],
  [2, 0, 1, ["down a 2>1", "up b 0>1", "down a 1>0", "up b 1>2"]],
  [3, "100%", 0, ["up b 0>3", "down a 3>2", "down a 2>1", "down a 1>0"]],
  [3, 0, "100%", ["down a 3>0", "up b 0>3"]],
  // Both come to nothing: one may be missing after all.
  [1, "0%", "30%", ["down a 1>0", "up b 0>1"]],
  [1, "25%", "25%", ["up b 0>1", "down a 1>0"]],
])("an update of %i with surge %s and unavailable %s", (replicas, maxSurge, maxUnavailable, want) => {
  const m = cluster([at(0, create(deployment(replicas, { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } } }))), at(3, image("b"))]);
  m.until(12);
  expect(m.scalings().slice(1)).toEqual(want);
  expect(m.condition("Progressing")).toMatchObject({ status: "True", reason: "NewReplicaSetAvailable", message: `ReplicaSet "${m.sets()[1]?.metadata.name ?? ""}" has successfully progressed.` });
});

test.each([
  ["up", 10, { maxSurge: 3, maxUnavailable: 2 }, 15, ["up a 0>10", "up b! 0>3", "down a 10>8", "up b! 3>5", "up a 8>11", "up b! 5>7"]],
  // Then the rollout goes on within its new bounds; the second event of the same words moves the first to the end.
  ["down", 10, { maxSurge: 3, maxUnavailable: 2 }, 5, ["up a 0>10", "up b! 0>3", "down a 10>8", "down a 8>5", "down b! 5>3", "down a 5>3", "up b! 3>5"]],
  ["to nothing", 4, { maxSurge: 1, maxUnavailable: 1 }, 0, ["up a 0>4", "up b! 0>1", "down a 4>3", "up b! 1>2", "down a 3>0", "down b! 2>0"]],
])("a stuck update that is scaled %s shares the change", (_way, replicas, rollingUpdate, to, want) => {
  const m = cluster([at(0, create(deployment(replicas, { strategy: { type: "RollingUpdate", rollingUpdate } }))), at(4, image("b!")), at(6, patch({ replicas: to }))]);
  m.until(10);
  expect(m.scalings()).toEqual(want);
  const max = String(to + rollingUpdate.maxSurge);
  for (const rs of m.sets()) expect(rs.metadata.annotations).toMatchObject({ "deployment.kubernetes.io/desired-replicas": String(to), "deployment.kubernetes.io/max-replicas": max });
});

describe("the condition Progressing", () => {
  test("tells of each step of a first rollout, and of a pause", () => {
    const m = cluster([at(0, create(deployment(2))), at(3, patch({ paused: true })), at(5, patch({ paused: false }))]);
    const seen: string[] = [];
    for (let t = 0; t < 6; t += 0.002) {
      m.until(t);
      const now = m.condition("Progressing");
      const text = now === undefined ? "" : `${now.status} ${now.reason ?? ""}: ${(now.message ?? "").replace(/web-[a-z0-9]+/, "RS")}`;
      if (text !== seen.at(-1)) seen.push(text);
    }
    expect(seen).toEqual(["", 'True NewReplicaSetCreated: Created new replica set "RS"', 'True ReplicaSetUpdated: ReplicaSet "RS" is progressing.', 'True NewReplicaSetAvailable: ReplicaSet "RS" has successfully progressed.', "Unknown DeploymentPaused: Deployment is paused", "Unknown DeploymentResumed: Deployment is resumed", 'True NewReplicaSetAvailable: ReplicaSet "RS" has successfully progressed.']);
  });

  test.each([
    ["goes to ProgressDeadlineExceeded a second after the deadline", [], 5.2, "ReplicaSetUpdated", 6.2, "ProgressDeadlineExceeded"],
    ["does not while paused, and counts anew from the resumption", [at(2, patch({ paused: true })), at(20, patch({ paused: false }))], 24.5, "DeploymentResumed", 26.2, "ProgressDeadlineExceeded"],
    ["is not replaced by a pause once it is exceeded", [at(10, patch({ paused: true }))], 9, "ProgressDeadlineExceeded", 12, "ProgressDeadlineExceeded"],
    ["is gone without a deadline", [at(2, patch({ progressDeadlineSeconds: 2_147_483_647 }))], 1.9, "ReplicaSetUpdated", 4, undefined],
  ] as const)("%s", (_name, inputs, first, before, second, after) => {
    const m = cluster([at(0, create(deployment(2, { progressDeadlineSeconds: 5, template: template("a!") }))), ...inputs]);
    m.until(first);
    expect(m.condition("Progressing")?.reason).toBe(before);
    m.until(second);
    expect(m.condition("Progressing")?.reason).toBe(after);
    if (after !== undefined) expect(m.condition("Progressing")).toMatchObject({ status: "False", message: expect.stringMatching(/^ReplicaSet "web-[a-z0-9]+" has timed out progressing\.$/) });
  });
});

test("a ReplicaSet's failure is the Deployment's too, with its time", () => {
  const m = cluster([at(0, create(deployment(2)))], { refuse: (request) => (request.method === "POST" && request.path.endsWith("/pods") ? { status: 403, reason: "Forbidden", message: "no room" } : undefined) });
  m.until(3);
  const failure = m.sets()[0]?.status?.conditions?.[0];
  expect(m.condition("ReplicaFailure")).toEqual({ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "no room", lastUpdateTime: failure?.lastTransitionTime, lastTransitionTime: failure?.lastTransitionTime });
  expect(m.condition("Available")).toMatchObject({ status: "False", reason: "MinimumReplicasUnavailable", message: "Deployment does not have minimum availability." });
});

test("going back re-uses the old ReplicaSet, with a new revision and its history; a revision too old for the limit is gone", () => {
  const m = cluster([at(0, create(deployment(1, { revisionHistoryLimit: 1 }))), at(3, image("b")), at(6, image("a")), at(9, image("c")), at(12, image("d"))]);
  m.until(8);
  expect(m.sets().map(({ metadata, spec }) => [spec.template?.spec.containers[0]?.image, metadata.annotations?.["deployment.kubernetes.io/revision"], metadata.annotations?.["deployment.kubernetes.io/revision-history"]])).toEqual([["b", "2", undefined], ["a", "3", "1"]]);
  expect(m.get()?.metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("3");
  m.until(20);
  expect(m.sets().map(({ spec }) => spec.template?.spec.containers[0]?.image)).toEqual(["c", "d"]);
});

test.each([
  ["1", "DeploymentRollback", 'Rolled back deployment "web" to revision 1', "a"],
  ["0", "DeploymentRollback", 'Rolled back deployment "web" to revision 1', "a"],
  ["2", "DeploymentRollbackTemplateUnchanged", 'The rollback revision contains the same template as current deployment "web"', "b"],
  ["9", "DeploymentRollbackRevisionNotFound", "Unable to find the revision to rollback to.", "b"],
])("the old wish to roll back to %s: %s", (revision, reason, message, left) => {
  const m = cluster([at(0, create(deployment(1))), at(3, image("b")), at(6, patch({}, { annotations: { "deprecated.deployment.rollback.to": revision } }))]);
  m.until(9);
  expect(m.events()).toContain(`${reason}: ${message}`);
  expect(m.get()?.spec.template.spec.containers[0]?.image).toBe(left);
  expect(m.get()?.metadata.annotations).not.toHaveProperty(["deprecated.deployment.rollback.to"]);
});

test("an existing ReplicaSet is taken after a fresh look at the Deployment; the write of its size that follows is refused and repeated", () => {
  const first = cluster([at(0, create(deployment(2)))]);
  first.until(1);
  const name = first.sets()[0]?.metadata.name ?? "";
  // Nobody collects garbage here: the owner goes, its reference stays until it is taken off.
  const again = cluster([at(0, create(deployment(2))), at(2, write("DELETE", `${DEPLOYMENTS}/web`)), at(2.5, write("PATCH", `${SETS}/${name}`, { metadata: { ownerReferences: null } })), at(3, create(deployment(3)))]);
  again.until(3);
  const before = again.requests(/./).length;
  again.until(6);
  const calls = again.requests(/./).slice(before).filter((text) => /deployments|replicasets/.test(text) && !text.endsWith("/status"));
  expect(calls.slice(0, 4)).toEqual([`GET ${DEPLOYMENTS}/web`, `PATCH ${SETS}/${name}`, `PUT ${SETS}/${name}`, `PUT ${SETS}/${name}`]);
  expect(again.sets().map((rs) => [rs.metadata.ownerReferences?.length, rs.spec.replicas])).toEqual([[1, 3]]);
});

test("annotations and minReadySeconds reach the present ReplicaSet; kubectl's own annotation does not", () => {
  const m = cluster([at(0, create(deployment(1))), at(2, patch({ minReadySeconds: 7 }, { annotations: { note: "x", "kubectl.kubernetes.io/last-applied-configuration": "{}" } }))]);
  m.until(4);
  const [rs] = m.sets();
  expect(rs?.metadata.annotations).toEqual({ note: "x", "deployment.kubernetes.io/desired-replicas": "1", "deployment.kubernetes.io/max-replicas": "2", "deployment.kubernetes.io/revision": "1" });
  expect(rs?.spec).toMatchObject({ replicas: 1, minReadySeconds: 7 });
});

test("Recreate counts what still terminates, and starts when the last old Pod is gone", () => {
  const m = cluster([at(0, create(deployment(2, { strategy: { type: "Recreate" } }))), at(3, image("b"))]);
  m.until(3.2);
  expect(m.get()?.status).toMatchObject({ terminatingReplicas: 2, observedGeneration: 2 });
  expect(m.sets().length).toBe(1);
  m.until(6);
  expect(m.scalings()).toEqual(["up a 0>2", "down a 2>0", "up b 0>2"]);
  expect(m.list<Pod>("Pod").map((pod) => pod.spec.containers[0]?.image)).toEqual(["b", "b"]);
});

test("a Deployment that is going only counts", () => {
  const m = cluster([at(0, create(deployment(2, {}, { finalizers: ["example.com/hold"] }))), at(3, write("DELETE", `${DEPLOYMENTS}/web`)), at(4, patch({ replicas: 5 })), at(5, image("b"))]);
  m.until(7);
  expect([m.sets().length, m.list("Pod").length, m.get()?.status?.observedGeneration]).toEqual([1, 2, 4]);
});

test("a selector of everything is refused with an event", () => {
  const m = cluster([at(0, create(deployment(2, { selector: {} })))]);
  m.until(1);
  expect(m.events()).toContain("SelectingAll: This deployment is selecting all pods. A non-empty selector is required.");
  expect(m.get()?.status).toEqual({ observedGeneration: 1 });
  expect(m.sets()).toEqual([]);
});
