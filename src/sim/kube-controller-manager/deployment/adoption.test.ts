import { expect, test } from "vitest";
import type { Deployment, KubeObject, ReplicaSet } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { namespaceObject } from "../../testdata/controller-cluster.ts";
import { createStandIn, standInWatches } from "../../testdata/stand-in-kubelet.ts";
import { createReplicaSetController, createReplicationController, replicaSetWatches, replicationControllerWatches } from "../replicaset/replicaset-controller.ts";
import { createDeploymentController, deploymentWatches } from "./deployment-controller.ts";
import { makeReplicaSet } from "./replica-sets.ts";

const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "app:1" }] } };
const deployment: Deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "default" }, spec: { replicas: 2, selector: { matchLabels: { app: "web" } }, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }, progressDeadlineSeconds: 600, revisionHistoryLimit: 10, template } } as unknown as Deployment;
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const SETS = "/apis/apps/v1/namespaces/default/replicasets";
const cluster = (inputs: MiniInput[], refuse?: Parameters<typeof miniCluster>[4]) =>
  miniCluster((world) => [createDeploymentController({ world }), createReplicaSetController({ world }), createReplicationController({ world }), createStandIn({ nodes: ["n1"], readyAfterMs: 300, deleteAfterMs: 300, gapMs: 50 })] as Component[], [...deploymentWatches(), ...replicaSetWatches(), ...replicationControllerWatches(), ...standInWatches()], [nodeObject("n1"), namespaceObject("default")], inputs, refuse);
const { ownerReferences: _owned, ...made } = makeReplicaSet(deployment, []).metadata;
const orphan: KubeObject = { ...makeReplicaSet(deployment, []), metadata: made };
const ownersOf = (m: ReturnType<typeof cluster>) => m.list<ReplicaSet>("ReplicaSet").map((rs) => (rs.metadata.ownerReferences ?? []).map((owner) => owner.name).join());

test("a ReplicaSet without an owner that fits is adopted and used; one whose labels do not fit any more is let go", () => {
  const m = cluster([at(0, write("POST", SETS, orphan)), at(1, write("POST", DEPLOYMENTS, deployment)), at(4, write("PATCH", `${SETS}/${made.name ?? ""}`, { metadata: { labels: { app: "other" } } }))]);
  m.sim.run(3_900_000);
  expect(ownersOf(m)).toEqual(["web"]);
  expect(m.list("Pod").length).toBe(2);
  m.sim.run(8_000_000);
  expect(ownersOf(m)).toContain("");
});

test("a stranger under the new ReplicaSet's name is a collision of hashes: another name is tried", () => {
  const stranger = { ...orphan, metadata: { ...made, labels: { app: "else" } } };
  const m = cluster([at(0, write("POST", SETS, stranger)), at(1, write("POST", DEPLOYMENTS, deployment))]);
  m.sim.run(5_000_000);
  expect(m.list<Deployment>("Deployment")[0]?.status?.collisionCount).toBe(1);
  expect(ownersOf(m).sort()).toEqual(["", "web"]);
});

test("a creation that is refused is told in condition Progressing and as an event", () => {
  const m = cluster([at(1, write("POST", DEPLOYMENTS, deployment))], { refuse: (request) => (request.method === "POST" && request.path === SETS ? { status: 403, reason: "Forbidden", message: "no" } : undefined) });
  m.sim.run(2_000_000);
  expect(m.events()[0]).toMatch(/^ReplicaSetCreateError: Failed to create new replica set "web-[a-z0-9]+": no$/);
  expect(m.list<Deployment>("Deployment")[0]?.status?.conditions?.find(({ type }) => type === "Progressing")).toMatchObject({ status: "False", reason: "ReplicaSetCreateError" });
});

test("a ReplicationController keeps its Pods by a plain selector, and adopts", () => {
  const rc = { apiVersion: "v1", kind: "ReplicationController", metadata: { name: "old", namespace: "default" }, spec: { replicas: 3, selector: { app: "rc" }, template: { metadata: { labels: { app: "rc" } }, spec: template.spec } } };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "mine", namespace: "default", labels: { app: "rc" } }, spec: template.spec };
  const m = cluster([at(0, write("POST", "/api/v1/namespaces/default/pods", pod)), at(1, write("POST", "/api/v1/namespaces/default/replicationcontrollers", rc)), at(3, write("PATCH", "/api/v1/namespaces/default/replicationcontrollers/old", { spec: { replicas: 1 } }))]);
  m.sim.run(2_900_000);
  expect(m.list("Pod").map((object) => object.metadata.ownerReferences?.[0]?.kind)).toEqual(["ReplicationController", "ReplicationController", "ReplicationController"]);
  m.sim.run(5_000_000);
  expect(m.list("Pod").length).toBe(1);
  expect(m.list<ReplicaSet>("ReplicationController")[0]?.status).toEqual({ replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1, availableReplicas: 1, observedGeneration: 2 });
});
