import { expect, test } from "vitest";
import type { EndpointSlice, KubeObject } from "../../api/types.ts";
import { controllerCluster } from "../../testdata/controller-cluster.ts";
import { at, write } from "../../testdata/mini-cluster.ts";
import { createEndpointSliceMirroringController, endpointSliceMirroringWatches } from "./endpointslicemirroring-controller.ts";

const ENDPOINTS = "/api/v1/namespaces/default/endpoints";
const SERVICES = "/api/v1/namespaces/default/services";
const service = (spec: object = {}): KubeObject => ({ apiVersion: "v1", kind: "Service", metadata: { name: "db", namespace: "default" }, spec: { ports: [{ port: 5432 }], ...spec } });
const endpoints = (subsets: unknown, metadata: object = {}): KubeObject => ({ apiVersion: "v1", kind: "Endpoints", metadata: { name: "db", namespace: "default", ...metadata }, subsets }) as KubeObject;
const cluster = (...inputs: Parameters<typeof controllerCluster>[1]) => controllerCluster([{ watches: endpointSliceMirroringWatches, create: createEndpointSliceMirroringController as never }], inputs);
const slices = (m: ReturnType<typeof cluster>) => m.list<EndpointSlice>("EndpointSlice").map((slice) => `${slice.addressType} ${(slice.ports ?? []).map((port) => port.port).join("+")} ${(slice.endpoints ?? []).map((entry) => `${entry.addresses[0]}${entry.conditions?.ready ? "" : "!"}`).join(",")}`).sort();
const ready = (...ips: string[]) => ips.map((ip) => ({ ip }));

test("hand-made Endpoints become slices by family and ports, follow changes, and go with the selector", () => {
  const m = cluster(
    at(0, write("POST", SERVICES, service())),
    at(1, write("POST", ENDPOINTS, endpoints([{ addresses: ready("10.0.0.2", "10.0.0.1", "fd00::1"), notReadyAddresses: ready("10.0.0.3"), ports: [{ port: 5432 }] }, { addresses: ready("10.0.0.9"), ports: [{ port: 80 }] }], { labels: { team: "x" }, annotations: { note: "y", "kubectl.kubernetes.io/last-applied-configuration": "z" } }))),
    at(2, write("PATCH", `${ENDPOINTS}/db`, { subsets: [{ addresses: ready("10.0.0.1", "nonsense"), ports: [{ port: 5432 }] }] })),
    at(3, write("PATCH", `${SERVICES}/db`, { spec: { selector: { app: "db" } } })),
  );
  m.sim.run(1_900_000);
  expect(slices(m)).toEqual(["IPv4 5432 10.0.0.1,10.0.0.2,10.0.0.3!", "IPv4 80 10.0.0.9", "IPv6 5432 fd00::1"]);
  const [slice] = m.list<EndpointSlice>("EndpointSlice");
  expect(slice?.metadata.labels).toEqual({ team: "x", "kubernetes.io/service-name": "db", "endpointslice.kubernetes.io/managed-by": "endpointslicemirroring-controller.k8s.io" });
  expect(slice?.metadata.annotations).toEqual({ note: "y" });
  m.sim.run(2_900_000);
  expect(slices(m)).toEqual(["IPv4 5432 10.0.0.1"]);
  expect(m.events()).toEqual(["InvalidIPAddress: Skipped 1 invalid IP addresses when mirroring to EndpointSlices"]);
  m.sim.run(3_900_000);
  expect(slices(m)).toEqual([]);
});

test.each([
  ["without a Service", [], endpoints([{ addresses: ready("10.0.0.1") }])],
  ["with the label that says so", [service()], endpoints([{ addresses: ready("10.0.0.1") }], { labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } })],
  ["of a leader election", [service()], endpoints([{ addresses: ready("10.0.0.1") }], { annotations: { "control-plane.alpha.kubernetes.io/leader": "{}" } })],
  ["of a Service with a selector", [service({ selector: { app: "x" } })], endpoints([{ addresses: ready("10.0.0.1") }])],
])("not mirrored: Endpoints %s", (_name, services, object) => {
  const m = cluster(at(0, ...services.map((entry) => write("POST", SERVICES, entry))), at(0.5, write("POST", ENDPOINTS, object)));
  m.sim.run(2_000_000);
  expect(slices(m)).toEqual([]);
});

test("beyond a thousand addresses of a subset they are left out and told of", () => {
  const many = Array.from({ length: 1003 }, (_, i) => ({ ip: `10.0.${Math.floor(i / 250)}.${i % 250}` }));
  const m = cluster(at(0, write("POST", SERVICES, service())), at(1, write("POST", ENDPOINTS, endpoints([{ addresses: many, ports: [{ port: 5432 }] }]))));
  m.sim.run(2_000_000);
  expect(m.list<EndpointSlice>("EndpointSlice").map((slice) => slice.endpoints?.length)).toEqual([1000]);
  expect(m.events()).toEqual(["TooManyAddressesToMirror: A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 3 addresses were skipped"]);
});

test("an address keeps its host name, node and Pod; the slice belongs to the Endpoints", () => {
  const targetRef = { kind: "Pod", name: "p", namespace: "default", uid: "u" };
  const m = cluster(at(0, write("POST", SERVICES, service())), at(1, write("POST", ENDPOINTS, endpoints([{ addresses: [{ ip: "10.0.0.1", hostname: "a", nodeName: "n1", targetRef }], ports: [{ name: "sql", port: 5432, protocol: "TCP", appProtocol: "tcp" }] }]))));
  m.sim.run(2_000_000);
  const [slice] = m.list<EndpointSlice>("EndpointSlice");
  expect(slice?.endpoints).toEqual([{ addresses: ["10.0.0.1"], conditions: { ready: true }, hostname: "a", nodeName: "n1", targetRef }]);
  expect(slice?.ports).toEqual([{ name: "sql", port: 5432, protocol: "TCP", appProtocol: "tcp" }]);
  expect(slice?.metadata.ownerReferences?.map(({ kind, name, controller }) => ({ kind, name, controller }))).toEqual([{ kind: "Endpoints", name: "db", controller: true }]);
});

test.each([
  ["labels", { labels: { team: "x" } }],
  ["annotations", { annotations: { note: "x" } }],
])("new %s reach the slice; the same again writes nothing", (_what, metadata) => {
  const m = cluster(at(0, write("POST", SERVICES, service())), at(1, write("POST", ENDPOINTS, endpoints([{ addresses: ready("10.0.0.1") }]))), at(2, write("PATCH", `${ENDPOINTS}/db`, { metadata })), at(3, write("PATCH", `${ENDPOINTS}/db`, { metadata: { annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" } } })));
  m.sim.run(4_000_000);
  expect(m.list<EndpointSlice>("EndpointSlice")[0]?.metadata).toMatchObject(metadata);
  expect(m.requests(/(POST|PUT) .*endpointslices/).map((text) => text.split(" ")[0])).toEqual(["POST", "PUT"]);
});

test("a slice that somebody changes or removes is put right at once; all go with the Endpoints", () => {
  const begin = [at(0, write("POST", SERVICES, service())), at(1, write("POST", ENDPOINTS, endpoints([{ addresses: ready("10.0.0.1"), ports: [{ port: 1 }] }])))];
  const first = cluster(...begin);
  first.sim.run(1_500_000);
  const name = first.list("EndpointSlice")[0]?.metadata.name ?? "";
  const path = `/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/${name}`;
  const m = cluster(...begin, at(2, write("PATCH", path, { endpoints: [] })), at(3, write("DELETE", path)), at(4, write("DELETE", `${ENDPOINTS}/db`)));
  m.sim.run(2_200_000);
  expect(slices(m)).toEqual(["IPv4 1 10.0.0.1"]);
  m.sim.run(3_200_000);
  expect(slices(m)).toEqual(["IPv4 1 10.0.0.1"]);
  m.sim.run(5_000_000);
  expect(slices(m)).toEqual([]);
});
