import { describe, expect, test } from "vitest";
import type { EndpointSlice, KubeObject } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { namespaceObject } from "../../testdata/controller-cluster.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { createEndpointSliceController, endpointSliceWatches } from "./endpointslice-controller.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const PODS = "/api/v1/namespaces/default/pods";
const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const service = (spec: object = {}, metadata: object = {}): KubeObject => ({ apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "default", ...metadata }, spec: { clusterIP: "10.96.0.9", ipFamilies: ["IPv4"], selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: 8080, protocol: "TCP" }], ...spec } });
const pod = (n: number, { ready = true, node = "n1", ips = [`10.1.${Math.floor(n / 200)}.${n % 200}`], ports = [] as object[], ...extra }: { ready?: boolean; node?: string; ips?: readonly string[]; ports?: object[]; spec?: object; phase?: string } = {}): KubeObject => ({
  apiVersion: "v1", kind: "Pod", metadata: { name: `p${String(n).padStart(3, "0")}`, namespace: "default", labels: { app: "web" } },
  spec: { nodeName: node, containers: [{ name: "c", ports }], ...extra.spec },
  status: { phase: extra.phase ?? "Running", podIP: ips[0], podIPs: ips.map((ip) => ({ ip })), conditions: [{ type: "Ready", status: ready ? "True" : "False", lastTransitionTime: "2026-01-01T00:00:00Z" }] },
});
const post = (object: KubeObject) => write("POST", object.kind === "Pod" ? PODS : SERVICES, object);
const cpu = (name: string, zone: string, amount: string): KubeObject => {
  const node = nodeObject(name, zone);
  return { ...node, status: { ...(node.status as object), allocatable: { cpu: amount } } };
};
const NODES = [cpu("n1", "z1", "4"), cpu("n2", "z2", "4")];

function cluster(inputs: MiniInput[], { refuse, nodes = NODES }: { refuse?: NonNullable<Parameters<typeof miniCluster>[4]>["refuse"]; nodes?: readonly KubeObject[] } = {}) {
  const m = miniCluster((world) => [createEndpointSliceController({ world })] as Component[], endpointSliceWatches(), [...nodes, namespaceObject("default")], inputs, refuse === undefined ? {} : { refuse });
  const slices = () => m.list<EndpointSlice>("EndpointSlice");
  const flags = (entry: NonNullable<EndpointSlice["endpoints"]>[number]) => `${entry.conditions?.ready ? "R" : "-"}${entry.conditions?.serving ? "S" : "-"}${entry.conditions?.terminating ? "T" : "-"}`;
  return {
    ...m, slices, until: (seconds: number) => m.sim.run(seconds * 1_000_000),
    /** "IPv4 http:8080 p001 RS- n1 z1": family, ports, then each endpoint. */
    shown: () => slices().map((slice) => [`${slice.addressType} ${(slice.ports ?? []).map((port) => `${port.name ?? ""}:${port.port ?? 0}`).join("+")}`, ...(slice.endpoints ?? []).map((entry) => `${entry.targetRef?.name ?? ""} ${flags(entry)} ${entry.nodeName ?? ""} ${entry.zone ?? ""}`)]).sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1)),
    writes: () => m.requests(/(POST|PUT|DELETE) .*endpointslices/).map((text) => text.split(" ")[0] ?? ""),
  };
}

test.each([
  ["two families", { ipFamilies: ["IPv4", "IPv6"] }, [["IPv4 http:8080", "p001 RS- n1 z1", "p002 RS- n2 z2"], ["IPv6 http:8080", "p001 RS- n1 z1"]]],
  ["the second family alone", { ipFamilies: ["IPv6"] }, [["IPv6 http:8080", "p001 RS- n1 z1"]]],
  ["no Pod of the family", { ipFamilies: ["IPv6"], selector: { app: "none" } }, [["IPv6 "]]],
  ["no family told: headless means both", { ipFamilies: undefined, clusterIP: "None", selector: { app: "none" } }, [["IPv4 "], ["IPv6 "]]],
  ["no selector", { selector: undefined }, []],
  ["another name for something outside", { type: "ExternalName" }, []],
])("%s", (_name, spec, want) => {
  const m = cluster([at(0, post(pod(1, { ips: ["10.1.0.1", "fd00::1"] })), post(pod(2, { node: "n2" })), post(service(spec)))]);
  m.until(2);
  expect(m.shown()).toEqual(want);
});

test("a family that a Service gives up takes its slices along, after what is written for the others", () => {
  const m = cluster([at(0, post(pod(1, { ips: ["10.1.0.1", "fd00::1"] })), post(service({ ipFamilies: ["IPv4", "IPv6"] }))), at(2, write("PATCH", `${SERVICES}/web`, { metadata: { labels: { team: "a" } }, spec: { ipFamilies: ["IPv4"] } }))]);
  m.until(4);
  expect(m.writes()).toEqual(["POST", "POST", "PUT", "DELETE"]);
  expect(m.shown()).toEqual([["IPv4 http:8080", "p001 RS- n1 z1"]]);
});

test("hundreds of Pods are packed by the hundred, and few slices are written when they change", () => {
  const pods = Array.from({ length: 250 }, (_, i) => pod(i + 1));
  const sizes = (m: ReturnType<typeof cluster>) => m.slices().map((slice) => (slice.endpoints ?? []).length).sort((a, b) => a - b);
  const m = cluster([at(0, ...pods.map(post)), at(2, post(service())), at(4, write("DELETE", `${PODS}/p001`, { gracePeriodSeconds: 0 })), at(6, post(pod(301)), post(pod(302)))]);
  m.until(3);
  expect([sizes(m), m.writes()]).toEqual([[50, 100, 100], ["POST", "POST", "POST"]]);
  m.until(5);
  expect([sizes(m), m.writes().slice(3)]).toEqual([[50, 99, 100], ["PUT"]]);
  m.until(8);
  // One sync for each new Pod: the first fills the fullest slice with room for it.
  expect([sizes(m), m.writes().slice(4)]).toEqual([[51, 100, 100], ["PUT", "PUT"]]);
});

test("ports are looked up in each Pod by name, and stand in the order of their hashes", () => {
  const ports = [{ name: "http", port: 80, targetPort: "web", protocol: "TCP" }, { name: "metrics", port: 9090, targetPort: 9090, protocol: "TCP" }, { name: "admin", port: 1, targetPort: 1, protocol: "TCP" }];
  const named = (containerPort: number) => ({ ports: [{ name: "web", containerPort, protocol: "TCP" }] });
  const sidecar = { spec: { initContainers: [{ name: "s", restartPolicy: "Always", ports: [{ name: "web", containerPort: 8081, protocol: "TCP" }] }] } };
  const m = cluster([at(0, post(pod(1, named(8080))), post(pod(2, sidecar)), post(pod(3)), post(service({ ports })))]);
  m.until(2);
  expect(m.shown()).toEqual([["IPv4 admin:1+metrics:9090", "p003 RS- n1 z1"], ["IPv4 http:8080+admin:1+metrics:9090", "p001 RS- n1 z1"], ["IPv4 http:8081+admin:1+metrics:9090", "p002 RS- n1 z1"]]);
});

test.each([
  [{}, {}, "team=a kubernetes.io/service-name=web endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io", ["p001 RS-", "p002 ---", "p003 -ST"]],
  [{ publishNotReadyAddresses: true }, {}, "team=a kubernetes.io/service-name=web endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io", ["p001 RS-", "p002 R--", "p003 RST"]],
  [{ clusterIP: "None" }, { "kubernetes.io/service-name": "mine" }, "team=a service.kubernetes.io/headless= kubernetes.io/service-name=web endpointslice.kubernetes.io/managed-by=endpointslice-controller.k8s.io", ["p001 RS-", "p002 ---", "p003 -ST"]],
])("a Service of %j: labels, and who is ready, serving and terminating", (spec, labels, want, endpoints) => {
  const m = cluster([at(0, ...[1, 3].map((n) => post(pod(n))), post(pod(2, { ready: false })), post(pod(4, { phase: "Succeeded" })), post(service(spec, { labels: { team: "a", ...labels } }))), at(1, write("DELETE", `${PODS}/p003`))]);
  m.until(3);
  const [slice] = m.slices();
  expect(Object.entries(slice?.metadata.labels ?? {}).map((entry) => entry.join("=")).join(" ")).toBe(want);
  expect(m.shown()[0]?.slice(1).map((text) => text.replace(" n1 z1", "")).sort()).toEqual(endpoints);
  expect(slice?.metadata.generateName).toBe("web-");
  expect(slice?.metadata.ownerReferences?.map(({ kind, name, controller, blockOwnerDeletion }) => ({ kind, name, controller, blockOwnerDeletion }))).toEqual([{ kind: "Service", name: "web", controller: true, blockOwnerDeletion: true }]);
});

describe("hints", () => {
  const hints = (m: ReturnType<typeof cluster>) => m.slices().flatMap((slice) => slice.endpoints ?? []).map((entry) => `${entry.targetRef?.name ?? ""} ${(entry.hints?.forZones ?? []).map(({ name }) => name).join()}/${(entry.hints?.forNodes ?? []).map(({ name }) => name).join()}`).sort();
  const pods = [pod(1), pod(2, { node: "n2" }), pod(3, { ready: false })].map(post);
  test.each([
    [undefined, ["p001 /", "p002 /", "p003 /"]],
    ["PreferClose", ["p001 z1/", "p002 z2/", "p003 /"]],
    ["PreferSameZone", ["p001 z1/", "p002 z2/", "p003 /"]],
    ["PreferSameNode", ["p001 z1/n1", "p002 z2/n2", "p003 /"]],
    ["Nonsense", ["p001 /", "p002 /", "p003 /"]],
  ])("by trafficDistribution %s; they go when it does", (trafficDistribution, want) => {
    const m = cluster([at(0, ...pods, post(service(trafficDistribution === undefined ? {} : { trafficDistribution }))), at(3, write("PATCH", `${SERVICES}/web`, { spec: { trafficDistribution: null } }))]);
    m.until(2);
    expect(hints(m)).toEqual(want);
    m.until(5);
    expect(hints(m)).toEqual(["p001 /", "p002 /", "p003 /"]);
    expect(m.writes().length).toBe(want[0] === "p001 /" ? 1 : 2);
  });

  test("on a node without a zone: for the node alone", () => {
    const bare = { ...NODES[0], metadata: { ...NODES[0]?.metadata, labels: {} } } as KubeObject;
    const m = cluster([at(0, post(pod(1)), post(service({ trafficDistribution: "PreferSameNode" })))], { nodes: [bare] });
    m.until(2);
    expect(hints(m)).toEqual(["p001 /n1"]);
  });

  const AUTO = { annotations: { "service.kubernetes.io/topology-mode": "Auto" } };
  const events = (m: ReturnType<typeof cluster>) => m.events().filter((text) => text.startsWith("Topology"));
  test.each([
    ["share the endpoints by the zones' CPU", NODES, [1, 1, 1, 2], ["p001 z2/", "p002 z1/", "p003 z1/", "p004 z2/"], "TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4"],
    ["need as many endpoints as zones", NODES, [1], ["p001 /"], "TopologyAwareHintsDisabled: Insufficient number of endpoints (1 endpoints, 2 zones), addressType: IPv4"],
    ["need a fair share for each zone", [...NODES, cpu("n3", "z3", "1")], [1, 2, 3], ["p001 /", "p002 /", "p003 /"], "TopologyAwareHintsDisabled: Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (3 endpoints, 3 zones), addressType: IPv4"],
    ["need two zones with CPU", [NODES[0] as KubeObject, nodeObject("n2", "z2")], [1, 2], ["p001 /", "p002 /"], "TopologyAwareHintsDisabled: Insufficient Node information: allocatable CPU or zone not specified on one or more nodes, addressType: IPv4"],
  ])("by the annotation %s", (_name, nodes, placed, want, event) => {
    const m = cluster([at(0, ...placed.map((node, i) => post(pod(i + 1, { node: `n${node}` })))), at(1, post(service({}, AUTO)))], { nodes });
    m.until(3);
    expect(hints(m)).toEqual(want);
    expect(events(m)).toEqual([event]);
  });

  test("by the annotation go with it, and when a zone's node does", () => {
    const m = cluster([at(0, post(pod(1)), post(pod(2, { node: "n2" })), post(service({}, AUTO))), at(3, write("DELETE", "/api/v1/nodes/n2")), at(6, write("PATCH", `${SERVICES}/web`, { metadata: { annotations: null } }))]);
    m.until(2);
    expect(hints(m)).toEqual(["p001 z1/", "p002 z2/"]);
    m.until(5);
    expect(events(m).at(-1)).toMatch(/^TopologyAwareHintsDisabled: Insufficient Node information/);
    m.until(8);
    expect(hints(m)).toEqual(["p001 /"]);
  });
});

test("a Pod on an unknown node is left out, told and tried again after a second, unless all are published", () => {
  const m = cluster([at(0, post(pod(1)), post(pod(2, { node: "gone" })), post(service()))]);
  m.until(4);
  const message = "FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service default/web: skipping Pod p002 for Service default/web: Node gone Not Found";
  expect(m.events()).toEqual([message]);
  expect(m.notes(/will retry default\/web/).map((text) => text.replace(/^[\d.]+ /, ""))).toEqual(["endpointslice-controller will retry default/web in 1000 ms", "endpointslice-controller will retry default/web in 2000 ms", "endpointslice-controller will retry default/web in 4000 ms"]);
  expect(m.shown()).toEqual([["IPv4 http:8080", "p001 RS- n1 z1"]]);
  const all = cluster([at(0, post(pod(2, { node: "gone" })), post(service({ publishNotReadyAddresses: true })))]);
  all.until(2);
  expect(all.shown()).toEqual([["IPv4 http:8080", "p002 RS- gone "]]);
});

test.each([
  ["changed", (name: string) => write("PATCH", `${SLICES}/${name}`, { endpoints: [] })],
  ["removed", (name: string) => write("DELETE", `${SLICES}/${name}`)],
])("a slice %s by somebody else is put right a second later, no sooner", (_what, act) => {
  const first = cluster([at(0, post(pod(1)), post(service()))]);
  first.until(2);
  const m = cluster([at(0, post(pod(1)), post(service())), at(3, act(first.slices()[0]?.metadata.name ?? ""))]);
  m.until(3.9);
  expect(m.shown().flat()).not.toContain("p001 RS- n1 z1");
  m.until(4.2);
  expect(m.shown()).toEqual([["IPv4 http:8080", "p001 RS- n1 z1"]]);
});

test("slices of a Service of the same name that was there before are removed, not re-used; one that is going gets no new ones", () => {
  const other = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: { name: "web-old", namespace: "default", labels: { "kubernetes.io/service-name": "web", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" }, ownerReferences: [{ apiVersion: "v1", kind: "Service", name: "web", uid: "before", controller: true }] }, addressType: "IPv4", endpoints: null, ports: [{ name: "http", port: 8080, protocol: "TCP" }] };
  const m = cluster([at(0, write("POST", SLICES, other), post(service({}, { finalizers: ["example.com/hold"] }))), at(2, write("DELETE", `${SERVICES}/web`)), at(3, write("DELETE", `${SERVICES}/web`), post(pod(1)))]);
  m.until(1);
  expect(m.slices().map(({ metadata }) => metadata.name === "web-old")).toEqual([false]);
  expect(m.writes().slice(1)).toEqual(["POST", "DELETE"]);
});

test.each([
  ["is told and tried again", { status: 500, reason: "InternalError", message: "boom" }, ["FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service default/web: failed to create EndpointSlice for Service default/web: boom"], 3],
  ["in a namespace that ends is not", { status: 403, reason: "Forbidden", message: "no: because it is being terminated" }, [], 1],
])("a creation that fails %s", (_name, answer, want, tries) => {
  const m = cluster([at(0, post(service()))], { refuse: (request) => (request.method === "POST" && request.path === SLICES ? answer : undefined) });
  m.until(4);
  expect(m.events()).toEqual(want);
  expect(m.notes(/will retry/).length).toBe(tries === 1 ? 0 : tries);
});
