import { expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { namespaceObject } from "../../testdata/controller-cluster.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { createEndpointController, type Endpoints, endpointWatches } from "./endpoint-controller.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const PODS = "/api/v1/namespaces/default/pods";
const ENDPOINTS = "/api/v1/namespaces/default/endpoints";
const service = (spec: object = {}, metadata: object = {}): KubeObject => ({ apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "default", ...metadata }, spec: { clusterIP: "10.96.0.9", ipFamilies: ["IPv4"], selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: 8080, protocol: "TCP" }], ...spec } });
const pod = (n: number, { ready = true, ips = [`10.1.${Math.floor(n / 200)}.${n % 200}`], ports = [] as object[] }: { ready?: boolean; ips?: readonly string[]; ports?: object[] } = {}): KubeObject => ({
  apiVersion: "v1", kind: "Pod", metadata: { name: `p${n}`, namespace: "default", labels: { app: "web" } }, spec: { nodeName: "n1", containers: [{ name: "c", ports }] },
  status: { phase: "Running", podIP: ips[0], podIPs: ips.map((ip) => ({ ip })), conditions: [{ type: "Ready", status: ready ? "True" : "False", lastTransitionTime: "2026-01-01T00:00:00Z" }] },
});
const post = (object: KubeObject) => write("POST", object.kind === "Pod" ? PODS : SERVICES, object);

function cluster(inputs: MiniInput[], refuse?: NonNullable<Parameters<typeof miniCluster>[4]>["refuse"], objects: readonly KubeObject[] = []) {
  const m = miniCluster((world) => [createEndpointController({ world })] as Component[], endpointWatches(), [nodeObject("n1"), namespaceObject("default"), ...objects], inputs, refuse === undefined ? {} : { refuse });
  const get = () => m.list<Endpoints>("Endpoints")[0];
  return {
    ...m, get, until: (seconds: number) => m.sim.run(seconds * 1_000_000),
    /** "http:8080 10.1.0.1 !10.1.0.2": ports, then addresses, "!" before those that are not ready. */
    shown: () => (get()?.subsets ?? []).map((subset) => [(subset.ports ?? []).map((port) => `${port.name ?? ""}:${port.port}`).join("+"), ...(subset.addresses ?? []).map(({ ip }) => ip), ...(subset.notReadyAddresses ?? []).map(({ ip }) => `!${ip}`)].join(" ")),
    writes: () => m.requests(/(POST|PUT|DELETE) .*endpoints/).map((text) => text.split(" ")[0] ?? ""),
  };
}

test.each([
  ["ready and not", {}, ["http:8080 10.1.0.1 10.1.0.4 !10.1.0.2"]],
  ["all published, those on their way out too", { publishNotReadyAddresses: true }, ["http:8080 10.1.0.1 10.1.0.2 10.1.0.3 10.1.0.4"]],
  ["the first family only", { ipFamilies: ["IPv6", "IPv4"] }, ["http:8080 fd00::4"]],
  ["headless without ports", { clusterIP: "None", ports: [] }, [" 10.1.0.1 10.1.0.4 !10.1.0.2"]],
  ["ports by name", { ports: [{ name: "http", port: 80, targetPort: "web", protocol: "TCP" }] }, ["http:9000 10.1.0.4"]],
  ["several ports share their addresses, in the order of hashes", { ports: [{ name: "a", port: 1, targetPort: 1, protocol: "TCP" }, { name: "b", port: 2, targetPort: 2, protocol: "TCP" }] }, ["b:2+a:1 10.1.0.1 10.1.0.4 !10.1.0.2"]],
])("%s", (_name, spec, want) => {
  const m = cluster([at(0, post(pod(1)), post(pod(2, { ready: false })), post(pod(3)), post(pod(4, { ips: ["10.1.0.4", "fd00::4"], ports: [{ name: "web", containerPort: 9000, protocol: "TCP" }] }))), at(0.5, write("DELETE", `${PODS}/p3`)), at(1, post(service(spec)))]);
  m.until(3);
  expect(m.shown()).toEqual(want);
});

test("labels follow the Service, marks are its own; an unchanged object is not written", () => {
  const m = cluster([at(0, post(pod(1)), post(service({}, { labels: { team: "a" } }))), at(2, write("PATCH", `${SERVICES}/web`, { metadata: { annotations: { x: "y" } } })), at(3, write("PATCH", `${SERVICES}/web`, { metadata: { labels: { team: "b" } } })), at(4, write("PATCH", `${SERVICES}/web`, { spec: { clusterIP: "None" } }))]);
  m.until(2.5);
  expect([m.writes(), m.get()?.metadata.labels]).toEqual([["POST"], { team: "a", "endpoints.kubernetes.io/managed-by": "endpoint-controller" }]);
  expect(m.get()?.subsets?.[0]?.addresses?.[0]).toMatchObject({ ip: "10.1.0.1", nodeName: "n1", targetRef: { kind: "Pod", namespace: "default", name: "p1" } });
  m.until(6);
  // That a Service is headless now is no reason by itself.
  expect([m.writes(), m.get()?.metadata.labels]).toEqual([["POST", "PUT"], { team: "b", "endpoints.kubernetes.io/managed-by": "endpoint-controller" }]);
});

test("beyond a thousand addresses it is cut, ready ones first, and says so until it fits again", () => {
  const m = cluster([at(0, ...Array.from({ length: 700 }, (_, i) => post(pod(i + 1))), ...Array.from({ length: 400 }, (_, i) => post(pod(i + 701, { ready: false })))), at(2, post(service())), at(4, write("PATCH", `${SERVICES}/web`, { spec: { selector: { app: "none" } } }))]);
  m.until(3);
  const [subset] = m.get()?.subsets ?? [];
  expect([subset?.addresses?.length, subset?.notReadyAddresses?.length]).toEqual([700, 300]);
  expect(m.get()?.metadata.annotations).toMatchObject({ "endpoints.kubernetes.io/over-capacity": "truncated" });
  m.until(6);
  expect(m.get()?.subsets).toBeUndefined();
  expect(m.get()?.metadata.annotations ?? {}).not.toHaveProperty(["endpoints.kubernetes.io/over-capacity"]);
});

test("they go with their Service, and come back when somebody removes them", () => {
  const m = cluster([at(0, post(service())), at(1, write("DELETE", `${ENDPOINTS}/web`)), at(2, write("DELETE", `${SERVICES}/web`))]);
  m.until(1.5);
  expect(m.get()).toBeDefined();
  m.until(3);
  // Their own deletion comes back as a change, and is tried in vain.
  expect([m.get(), m.writes()]).toEqual([undefined, ["POST", "DELETE", "POST", "DELETE", "DELETE"]]);
});

test.each([
  ["creation", "POST", "FailedToCreateEndpoint: Failed to create endpoint for service default/web: boom"],
  ["update", "PUT", "FailedToUpdateEndpoint: Failed to update endpoint default/web: boom"],
])("a failed %s is told, and tried again", (_what, method, event) => {
  const m = cluster([at(0, post(service())), at(1, post(pod(1)))], (request) => (request.method === method && request.path.includes("/endpoints") ? { status: 500, reason: "InternalError", message: "boom" } : undefined));
  m.until(1.1);
  expect(m.events()).toEqual([event]);
  expect(m.notes(/will retry default\/web in 5 ms/).length).toBe(1);
});

test("when it starts anew, Endpoints left behind without a Service are removed; a leader's lock is not", () => {
  const left = (name: string, annotations?: object): KubeObject => ({ apiVersion: "v1", kind: "Endpoints", metadata: { name, namespace: "default", uid: name, resourceVersion: "1", ...(annotations ? { annotations } : {}) } }) as KubeObject;
  const m = cluster([at(1, { type: "stop", component: "endpoint-controller", how: "process" }), at(2, { type: "start", component: "endpoint-controller" })], undefined, [left("old"), left("lock", { "control-plane.alpha.kubernetes.io/leader": "{}" })]);
  m.until(1.5);
  expect(m.list("Endpoints").length).toBe(2);
  m.until(5);
  expect(m.list("Endpoints").map(({ metadata }) => metadata.name)).toEqual(["lock"]);
});
