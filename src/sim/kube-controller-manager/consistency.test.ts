import { expect, test } from "vitest";
import type { KubeObject } from "../api/types.ts";
import type { Component } from "../kernel/types.ts";
import { namespaceObject } from "../testdata/controller-cluster.ts";
import { at, miniCluster, nodeObject, write } from "../testdata/mini-cluster.ts";
import { createDeploymentController, deploymentWatches } from "./deployment/deployment-controller.ts";
import { createEndpointController, endpointWatches } from "./endpoint/endpoint-controller.ts";
import { createEndpointSliceController, endpointSliceWatches } from "./endpointslice/endpointslice-controller.ts";
import { createReplicaSetController, replicaSetWatches } from "./replicaset/replicaset-controller.ts";

const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const of = (kind: string, spec: object): KubeObject => ({ apiVersion: kind === "Service" ? "v1" : "apps/v1", kind, metadata: { name: "web", namespace: "default" }, spec: { selector: { matchLabels: { app: "web" } }, template, ...spec } });
const service = of("Service", { selector: { app: "web" }, ipFamilies: ["IPv4"], clusterIP: "10.96.0.9", ports: [{ port: 80, targetPort: 80, protocol: "TCP" }], template: undefined });
const pod: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "default", labels: { app: "web" } }, spec: { nodeName: "n1", containers: [{ name: "c" }] }, status: { phase: "Running", podIP: "10.1.0.1", podIPs: [{ ip: "10.1.0.1" }], conditions: [{ type: "Ready", status: "True" }] } };
const SERVICES = "/api/v1/namespaces/default/services";

// A watch that is not open stands for one that is far behind.
test.each([
  ["a ReplicaSet's key waits with its back-off, and says for which version", createReplicaSetController, replicaSetWatches(), "pods", [at(0, write("POST", "/apis/apps/v1/namespaces/default/replicasets", of("ReplicaSet", { replicas: 1 }))), at(1, write("PATCH", "/apis/apps/v1/namespaces/default/replicasets/web", { metadata: { labels: { a: "b" } } }))], /replicaset-controller will retry default\/web in/, [5, 10, 20, 40, 80, 160]],
  ["a Service's slices are left alone for a second, then two", createEndpointSliceController, endpointSliceWatches(), "endpointslices", [at(0, write("POST", SERVICES, service)), at(1, write("POST", "/api/v1/namespaces/default/pods", pod))], /endpointslice-controller will retry default\/web in/, [1000, 2000, 4000]],
  ["Endpoints that the cache does not have yet are made in vain", createEndpointController, endpointWatches(), "endpoints", [at(0, write("POST", SERVICES, service)), at(1, write("POST", "/api/v1/namespaces/default/pods", pod))], /endpoint-controller will retry default\/web in/, [5, 10, 20]],
  ["a Deployment's status that is written on an old version is refused and tried again", createDeploymentController, deploymentWatches(), "replicasets", [at(0, write("POST", "/apis/apps/v1/namespaces/default/deployments", of("Deployment", { replicas: 1, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } })))], /deployment-controller will retry default\/web in/, [5, 10, 20]],
])("with a cache that lacks its own writes %s", (_name, create, watches, missing, inputs, pattern, want) => {
  const m = miniCluster((world) => [create({ world }) as Component], watches.filter(({ resource }) => resource !== missing), [nodeObject("n1"), namespaceObject("default")], inputs);
  m.sim.run(9_000_000);
  const delays = m.notes(pattern).map((text) => Number(/in ([\d.]+) ms/.exec(text)?.[1]));
  expect(delays.slice(0, want.length)).toEqual(want);
});

test("a key that comes again while its write is on the way back waits for it, a millisecond at most", () => {
  const m = miniCluster((world) => [createReplicaSetController({ world }) as Component], replicaSetWatches(), [nodeObject("n1"), namespaceObject("default")], [at(0, write("POST", "/apis/apps/v1/namespaces/default/replicasets", of("ReplicaSet", { replicas: 4 })))]);
  m.sim.run(3_000_000);
  expect(m.notes(/will retry/)).toEqual([]);
  expect(m.requests(/PUT/).length).toBeLessThanOrEqual(3);
});
