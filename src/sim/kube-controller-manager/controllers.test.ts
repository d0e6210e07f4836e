import { expect, test } from "vitest";
import type { EndpointSlice, KubeObject, Pod, ReplicaSet } from "../api/types.ts";
import type { Component } from "../kernel/types.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../testdata/mini-cluster.ts";
import { createStandIn, standInWatches } from "../testdata/stand-in-kubelet.ts";
import { CONTROLLERS } from "./registry.ts";

const NODES = ["n1", "n2", "n3"];
const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "default", uid: "ns", resourceVersion: "1" }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } };
const watches = [...CONTROLLERS.flatMap((controller) => controller.watches()), ...standInWatches()];

const cluster = (inputs: MiniInput[], refuse?: Parameters<typeof miniCluster>[4]) =>
  miniCluster(
    (world) => [...CONTROLLERS.map((controller) => controller.create({ world })), createStandIn({ nodes: NODES, readyAfterMs: 300, deleteAfterMs: 300, gapMs: 50 }) as Component],
    watches,
    [...NODES.map((name) => nodeObject(name)), namespace],
    inputs,
    refuse,
  );

const template = (image: string, annotations?: Record<string, string>) => ({ metadata: { labels: { app: "web" }, ...(annotations ? { annotations } : {}) }, spec: { containers: [{ name: "c", image }] } });
const deployment = (replicas: number, spec: object = {}): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default" },
  spec: { replicas, selector: { matchLabels: { app: "web" } }, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } }, progressDeadlineSeconds: 600, revisionHistoryLimit: 10, template: template("app:1"), ...spec },
});
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const create = (object: KubeObject) => write("POST", DEPLOYMENTS, object);
const patch = (spec: object) => write("PATCH", `${DEPLOYMENTS}/web`, { spec });
const hashless = (text: string) => text.replace(/web-[a-z0-9]{8,10}(-[a-z0-9]{5})?/g, (_all, pod: string | undefined) => (pod ? "POD" : "RS"));
const pods = (m: ReturnType<typeof cluster>) => m.list<Pod>("Pod").filter((pod) => pod.metadata.deletionTimestamp === undefined);

test("a Deployment becomes a ReplicaSet becomes Pods in batches of 1, 2, 4", () => {
  const m = cluster([at(0, create(deployment(5)))]);
  m.sim.run(3_000_000);
  expect(m.events().map(hashless)).toEqual(["ScalingReplicaSet: Scaled up replica set RS from 0 to 5", ...Array.from({ length: 5 }, () => "SuccessfulCreate: Created pod: POD")]);
  const [d] = m.list<KubeObject & { status: { conditions: { type: string; status: string; reason: string }[]; availableReplicas: number } }>("Deployment");
  expect(d?.status.availableReplicas).toBe(5);
  expect(d?.status.conditions.map((c) => `${c.type}=${c.status}/${c.reason}`)).toEqual(["Available=True/MinimumReplicasAvailable", "Progressing=True/NewReplicaSetAvailable"]);
  expect(d?.metadata.annotations).toEqual({ "deployment.kubernetes.io/revision": "1" });
  const [rs] = m.list<ReplicaSet>("ReplicaSet");
  expect(rs?.metadata.annotations).toEqual({ "deployment.kubernetes.io/desired-replicas": "5", "deployment.kubernetes.io/max-replicas": "7", "deployment.kubernetes.io/revision": "1" });
  // Nothing moves any more: every controller has seen its own writes and agrees.
  const count = m.sim.trace.mailCount;
  m.sim.run(4_900_000);
  expect(m.requests(/PUT|POST|PATCH/).length).toBeGreaterThan(10);
  expect(m.sim.trace.mailCount - count).toBeLessThan(10);
});

test("a rolling update keeps 3 of 4 available and ends with the old ReplicaSet at 0", () => {
  const m = cluster([at(0, create(deployment(4))), at(3, patch({ template: template("app:2") }))]);
  let least = 4;
  for (let t = 3_000_000; t < 9_000_000; t += 20_000) {
    m.sim.run(t);
    least = Math.min(least, pods(m).filter((pod) => pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True")).length);
    expect(pods(m).length).toBeLessThanOrEqual(5);
  }
  expect(least).toBe(3);
  expect(m.list<ReplicaSet>("ReplicaSet").map((rs) => rs.spec.replicas).sort()).toEqual([0, 4]);
  expect(m.events().filter((text) => text.startsWith("Scaling")).map(hashless).slice(1, 4)).toEqual([
    "ScalingReplicaSet: Scaled up replica set RS from 0 to 1",
    "ScalingReplicaSet: Scaled down replica set RS from 4 to 3",
    "ScalingReplicaSet: Scaled up replica set RS from 1 to 2",
  ]);
});

test("Recreate: no new Pod before the last old one is gone", () => {
  const m = cluster([at(0, create(deployment(2, { strategy: { type: "Recreate" } }))), at(3, patch({ template: template("app:2") }))]);
  const images: string[] = [];
  for (let t = 3_000_000; t < 6_000_000; t += 10_000) {
    m.sim.run(t);
    const now = [...new Set(m.list<Pod>("Pod").map((pod) => pod.spec.containers[0]?.image ?? ""))].sort().join("+");
    if (images.at(-1) !== now) images.push(now);
  }
  expect(images).toEqual(["app:1", "", "app:2"]);
});

test("a stuck rollout exceeds its progress deadline", () => {
  const m = cluster([at(0, create(deployment(2, { progressDeadlineSeconds: 5 }))), at(2, patch({ template: template("app:2", { "sim.example/ready": "never" }) }))]);
  m.sim.run(12_000_000);
  const [d] = m.list<KubeObject & { status: { conditions: { reason: string; message: string }[] } }>("Deployment");
  expect(d?.status.conditions.find((c) => c.reason === "ProgressDeadlineExceeded")?.message).toMatch(/^ReplicaSet "web-[a-z0-9]+" has timed out progressing\.$/);
});

test("scale down: the Pod that is not ready goes first", () => {
  const m = cluster([at(0, create(deployment(3)))]);
  m.sim.run(2_000_000);
  const victim = m.list<Pod>("Pod")[1]?.metadata.name ?? "";
  const later = cluster([at(0, create(deployment(3))), at(2, write("PATCH", `/api/v1/namespaces/default/pods/${victim}/status`, { status: { conditions: [{ type: "Ready", status: "False" }] } })), at(2.5, patch({ replicas: 2 }))]);
  later.sim.run(4_000_000);
  expect(later.events().at(-1)).toBe(`SuccessfulDelete: Deleted pod: ${victim}`);
});

test("a refused creation is tried once, told as an event and in the status, and repeated with back-off", () => {
  const m = cluster([at(0, create(deployment(5)))], { refuse: (request) => (request.method === "POST" && request.path.endsWith("/pods") ? { status: 403, reason: "Forbidden", message: "pods is forbidden: exceeded quota" } : undefined) });
  m.sim.run(1_000_000);
  const attempts = m.requests(/POST .*\/pods$/).length;
  expect(attempts).toBeGreaterThanOrEqual(6);
  expect(attempts).toBeLessThanOrEqual(11);
  expect(m.events()).toContain("FailedCreate: Error creating: pods is forbidden: exceeded quota");
  expect(m.list<ReplicaSet>("ReplicaSet")[0]?.status?.conditions?.[0]).toMatchObject({ type: "ReplicaFailure", status: "True", reason: "FailedCreate" });
});

test("one slice over a Pod's life: empty, not ready, ready, terminating, gone", () => {
  const states: string[] = [];
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "default" }, spec: { clusterIP: "10.96.0.9", selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080, protocol: "TCP" }] } };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "default", labels: { app: "web" } }, spec: { nodeName: "n1", containers: [{ name: "c" }] }, status: { phase: "Running", podIP: "10.244.0.7", conditions: [{ type: "Ready", status: "False" }] } };
  const m = cluster([
    at(0, write("POST", "/api/v1/namespaces/default/services", service)),
    at(1, write("POST", "/api/v1/namespaces/default/pods", pod)),
    at(2, write("PATCH", "/api/v1/namespaces/default/pods/p/status", { status: { conditions: [{ type: "Ready", status: "True" }] } })),
    at(3, write("DELETE", "/api/v1/namespaces/default/pods/p")),
    at(5, write("DELETE", "/api/v1/namespaces/default/services/web")),
  ]);
  for (let t = 0; t < 6_000_000; t += 20_000) {
    m.sim.run(t);
    const [slice] = m.list<EndpointSlice>("EndpointSlice");
    const text = slice === undefined ? "none" : (slice.endpoints ?? []).map((e) => `${e.conditions?.ready ? "R" : "-"}${e.conditions?.serving ? "S" : "-"}${e.conditions?.terminating ? "T" : "-"}`).join(",");
    if (states.at(-1) !== text) states.push(text);
  }
  expect(states).toEqual(["none", "", "---", "RS-", "-ST", "", "none"]);
  expect(m.list("Endpoints")).toEqual([]);
});

test("background deletion: owner, then ReplicaSet, then Pods", () => {
  const m = cluster([at(0, create(deployment(2))), at(3, write("DELETE", `${DEPLOYMENTS}/web`))]);
  m.sim.run(5_000_000);
  expect([...m.list("ReplicaSet"), ...m.list("Pod")]).toEqual([]);
});

test("a namespace is emptied 5 s after its deletion, Pods first, and vanishes", () => {
  const m = cluster([at(0, create(deployment(2))), at(3, write("DELETE", "/api/v1/namespaces/default"))]);
  m.sim.run(7_900_000);
  expect(pods(m).length).toBe(2);
  m.sim.run(8_200_000);
  expect(pods(m).length).toBe(0);
  m.sim.run(9_000_000);
  expect([...m.list("Namespace"), ...m.list("Deployment"), ...m.list("ConfigMap")]).toEqual([]);
});

test("after a restart the controllers list again and finish what was asked meanwhile", () => {
  const stop = CONTROLLERS.flatMap((controller) => controller.watches()[0]?.component ?? []);
  const m = cluster([
    at(1, ...stop.map((component) => ({ type: "stop", component, how: "process" }) as const)),
    at(2, create(deployment(2))),
    at(5, ...stop.map((component) => ({ type: "start", component }) as const)),
  ]);
  m.sim.run(4_900_000);
  expect(m.list("ReplicaSet")).toEqual([]);
  m.sim.run(8_000_000);
  expect(pods(m).length).toBe(2);
});

test("when the API server restarts, watches resume and syncs are repeated", () => {
  const m = cluster([at(0, create(deployment(3))), at(0.008, { type: "stop", component: "kube-apiserver", how: "process" })]);
  m.sim.run(100_000);
  expect(m.notes(/will retry/).length).toBeGreaterThan(0);
});

test("a CronJob starts a Job at each tick, told by events, and keeps three ended ones", () => {
  const jobTemplate = { spec: { completions: 1, parallelism: 1, backoffLimit: 6, selector: { matchLabels: { app: "tick" } }, template: { metadata: { labels: { app: "tick" }, annotations: { "sim.example/exit-code": "0", "sim.example/run-ms": "500" } }, spec: { restartPolicy: "Never", tolerations: [{ operator: "Exists" }], containers: [{ name: "c", image: "x" }] } } } };
  const cronJob = { apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "tick", namespace: "default" }, spec: { schedule: "*/1 * * * *", concurrencyPolicy: "Allow", successfulJobsHistoryLimit: 3, jobTemplate } };
  const m = cluster([at(10, write("POST", "/apis/batch/v1/namespaces/default/cronjobs", cronJob))]);
  m.sim.run(65_000_000);
  // Minute 29453761 of Unix time is 2026-01-01T00:01:00Z.
  expect(m.events().filter((text) => /job/i.test(text))).toEqual(["SuccessfulCreate: Created job tick-29453761", "Completed: Job completed", "SawCompletedJob: Saw completed job: tick-29453761, condition: Complete"]);
  m.sim.run(310_000_000);
  expect(m.list("Job").map((job) => job.metadata.name)).toEqual(["tick-29453763", "tick-29453764", "tick-29453765"]);
  expect(m.events()).toContain("SuccessfulDelete: Deleted job tick-29453761");
});

test("a StatefulSet starts its Pods one after another by number, a DaemonSet one on each node", () => {
  const spec = { replicas: 3, serviceName: "db", selector: { matchLabels: { app: "web" } }, template: template("db:1"), podManagementPolicy: "OrderedReady", updateStrategy: { type: "RollingUpdate" } };
  const m = cluster([
    at(0, write("POST", "/apis/apps/v1/namespaces/default/statefulsets", { apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "db", namespace: "default" }, spec })),
    at(0, write("POST", "/apis/apps/v1/namespaces/default/daemonsets", { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "agent", namespace: "default" }, spec: { selector: { matchLabels: { app: "agent" } }, template: { metadata: { labels: { app: "agent" } }, spec: { containers: [{ name: "c", image: "a" }] } } } })),
  ]);
  m.sim.run(200_000);
  expect(m.list<Pod>("Pod").filter((pod) => pod.metadata.name?.startsWith("db-")).length).toBe(1);
  m.sim.run(4_000_000);
  expect(m.list<Pod>("Pod").filter((pod) => pod.metadata.name?.startsWith("db-")).map((pod) => pod.metadata.name)).toEqual(["db-0", "db-1", "db-2"]);
  expect(m.list<Pod>("Pod").filter((pod) => pod.metadata.name?.startsWith("agent-")).map((pod) => pod.spec.nodeName).sort()).toEqual(NODES);
  expect(m.events().filter((text) => text.includes("StatefulSet"))).toEqual([0, 1, 2].map((n) => `SuccessfulCreate: Create Pod db-${n} in StatefulSet db successful`));
});
