import { expect, test } from "vitest";
import type { KubeObject, Pod } from "../api/types.ts";
import { controllerCluster } from "../testdata/controller-cluster.ts";
import { at, write } from "../testdata/mini-cluster.ts";
import { createDaemonSetController, daemonSetWatches } from "./daemon/daemonset-controller.ts";
import { createJobController, jobWatches } from "./job/job-controller.ts";
import { createStatefulSetController, statefulSetWatches } from "./statefulset/statefulset-controller.ts";

const PODS = "/api/v1/namespaces/default/pods";
const template = { metadata: { labels: { app: "x" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const pod = (name: string, labels: object = { app: "x" }): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", labels: labels as Record<string, string> }, spec: { nodeName: "n1", containers: [{ name: "c", image: "i" }] }, status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } });
const owned = (m: ReturnType<typeof controllerCluster>) => m.list<Pod>("Pod").map((object) => `${object.metadata.name?.replace(/-[a-z0-9]{5}$/, "-*")} ${object.metadata.ownerReferences?.[0]?.kind ?? "-"}`).sort();

test.each([
  { name: "a StatefulSet takes Pods of its names only", watches: statefulSetWatches, create: createStatefulSetController, path: "/apis/apps/v1/namespaces/default/statefulsets", kind: "StatefulSet", apiVersion: "apps/v1", spec: { replicas: 1, serviceName: "s", podManagementPolicy: "OrderedReady", updateStrategy: { type: "OnDelete" } }, pods: ["own-0", "stray"], want: ["own-0 StatefulSet", "stray -"] },
  { name: "a DaemonSet takes what it selects, and keeps one a node", watches: daemonSetWatches, create: createDaemonSetController, path: "/apis/apps/v1/namespaces/default/daemonsets", kind: "DaemonSet", apiVersion: "apps/v1", spec: { updateStrategy: { type: "OnDelete" } }, pods: ["stray"], want: ["stray DaemonSet"] },
  { name: "a Job takes what it selects", watches: jobWatches, create: createJobController, path: "/apis/batch/v1/namespaces/default/jobs", kind: "Job", apiVersion: "batch/v1", spec: { parallelism: 1, completions: 1, backoffLimit: 6, manualSelector: true }, pods: ["stray"], want: ["stray Job"] },
])("$name; what it selects no more is let go", ({ watches, create, path, kind, apiVersion, spec, pods, want }) => {
  const owner = { apiVersion, kind, metadata: { name: "own", namespace: "default" }, spec: { selector: { matchLabels: { app: "x" } }, template, ...spec } };
  const m = controllerCluster([{ watches, create: create as never }], [at(0, ...pods.map((name) => write("POST", PODS, pod(name)))), at(1, write("POST", path, owner)), at(6, write("PATCH", `${PODS}/${pods[0] ?? ""}`, { metadata: { labels: { app: "y" } } }))]);
  m.sim.run(5_900_000);
  expect(owned(m)).toEqual(want);
  m.sim.run(9_000_000);
  expect(owned(m)).toContain(`${pods[0] ?? ""} -`);
});

test("a Job of another controller is left alone", () => {
  const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "own", namespace: "default" }, spec: { parallelism: 1, completions: 1, selector: { matchLabels: { app: "x" } }, template, managedBy: "example.com/queue" } };
  const m = controllerCluster([{ watches: jobWatches, create: createJobController as never }], [at(1, write("POST", "/apis/batch/v1/namespaces/default/jobs", job))]);
  m.sim.run(5_000_000);
  expect(m.list("Pod")).toEqual([]);
});
