import { expect, test } from "vitest";
import type { EndpointSlice, Service } from "../api/types.ts";
import { install, NO_RULES, type Packet, route, type RuleSet } from "./dispatch.ts";
import type { ProxyMode } from "./messages.ts";
import { rulesOf } from "./service-rules.ts";

const node = { address: "192.168.50.11", clusterCIDR: "10.244.0.0/16", serviceCIDR: "10.96.0.0/12" };
const service = (spec: object, status?: object): Service => ({ apiVersion: "v1", kind: "Service", metadata: { namespace: "default", name: "web" }, spec: { clusterIP: "10.96.0.20", ports: [{ port: 80, protocol: "TCP" }], ...spec }, ...(status === undefined ? {} : { status }) }) as Service;
interface Ep { readonly ip: string; readonly on?: string; readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean; readonly zones?: readonly string[] }
const slice = (...endpoints: Ep[]): EndpointSlice => ({ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata: {}, addressType: "IPv4", ports: [{ port: 8080, protocol: "TCP" }], endpoints: endpoints.map(({ ip, on = "other", ready = true, serving = ready, terminating = false, zones }) => ({ addresses: [ip], nodeName: on, conditions: { ready, serving, terminating }, ...(zones ? { hints: { forZones: zones.map((name) => ({ name })) } } : {}) })) }) as EndpointSlice;

function rules(object: Service, slices: EndpointSlice[], mode: ProxyMode = "iptables"): RuleSet {
  const made = rulesOf(object, slices, "n1", "z1");
  return install(NO_RULES, { mode, full: true, changes: [made === undefined ? { key: "default/web" } : { key: "default/web", rules: made }] });
}
const inside = (toIP: string, toPort = 80): Packet => ({ fromIP: "10.244.1.9", toIP, toPort, protocol: "TCP" });
const outside = (toIP: string, toPort: number): Packet => ({ fromIP: "203.0.113.7", toIP, toPort, protocol: "TCP" });
/** Draws so high that only the last rule of a chain matches. */
const last = () => 4_294_967_295;
const where = (set: RuleSet, packet: Packet, draw = last, now = 0): string => {
  const way = route(set, packet, node, now, draw);
  return way.to === "endpoint" ? `${way.endpoint.ip}:${way.endpoint.port}${way.masquerade ? " masqueraded" : ""}` : way.to === "address" ? "address" : `${way.to}: ${way.why}`;
};

test("no endpoints: refused; other ports of a ClusterIP: nothing in iptables, refused in nftables; unused addresses: dropped there", () => {
  expect(where(rules(service({}), []), inside("10.96.0.20"))).toBe("reject: default/web has no endpoints");
  expect(where(rules(service({}), [slice({ ip: "10.244.2.2" })]), inside("10.96.0.20", 81))).toBe("address");
  const nft = rules(service({}), [slice({ ip: "10.244.2.2" })], "nftables");
  expect([where(nft, inside("10.96.0.20", 81)), where(nft, inside("10.96.9.9"))]).toEqual(["reject: no Service has port 81 at 10.96.0.20", "drop: no Service has the address 10.96.9.9"]);
  expect(rulesOf(service({ clusterIP: "None" }), [], "n1", "z")).toBeUndefined();
  expect(rulesOf(service({ type: "ExternalName", clusterIP: "" }), [], "n1", "z")).toBeUndefined();
});

test("terminating endpoints serve while none is ready; not ready ones never; the one that is not ready but published does", () => {
  const at = (...endpoints: Ep[]) => where(rules(service({}), [slice(...endpoints)]), inside("10.96.0.20"));
  expect(at({ ip: "10.244.2.2", ready: false, serving: true, terminating: true })).toBe("10.244.2.2:8080");
  expect(at({ ip: "10.244.2.2", ready: false, serving: true, terminating: true }, { ip: "10.244.2.1" })).toBe("10.244.2.1:8080");
  expect(at({ ip: "10.244.2.2", ready: false, serving: false, terminating: true })).toBe("reject: default/web has no endpoints");
  expect(at({ ip: "10.244.2.2", ready: true, serving: false })).toBe("10.244.2.2:8080");
});

test("policies: internal Local drops without a local endpoint; external Local keeps the client's address, and lets the cluster's own past it", () => {
  const far = [slice({ ip: "10.244.2.2" })];
  expect(where(rules(service({ internalTrafficPolicy: "Local" }), far), inside("10.96.0.20"))).toMatch(/^drop: default\/web has no local endpoints/);
  const port = { type: "NodePort", externalTrafficPolicy: "Local", ports: [{ port: 80, nodePort: 30_080, protocol: "TCP" }] };
  const nodePort = rules(service(port), far);
  expect(where(nodePort, outside(node.address, 30_080))).toMatch(/^drop: default\/web has no local/);
  expect(where(nodePort, inside(node.address, 30_080))).toBe("10.244.2.2:8080");
  expect(where(rules(service(port), [slice({ ip: "10.244.1.2", on: "n1" }, { ip: "10.244.2.2" })]), outside(node.address, 30_080))).toBe("10.244.1.2:8080");
  expect(where(rules(service({ ...port, externalTrafficPolicy: "Cluster" }), far), outside(node.address, 30_080))).toBe("10.244.2.2:8080 masqueraded");
});

test("hairpin, source ranges, external addresses, hints", () => {
  expect(where(rules(service({}), [slice({ ip: "10.244.1.9", on: "n1" })]), inside("10.96.0.20"))).toBe("10.244.1.9:8080 masqueraded");
  const balanced = rules(service({ type: "LoadBalancer", loadBalancerSourceRanges: ["198.51.100.0/24"], externalIPs: ["192.168.99.1"] }, { loadBalancer: { ingress: [{ ip: "192.0.2.10" }] } }), [slice({ ip: "10.244.2.2" })]);
  expect([where(balanced, outside("192.0.2.10", 80)), where(balanced, outside("192.168.99.1", 80))]).toEqual(["drop: 203.0.113.7 is in none of the loadBalancerSourceRanges of default/web", "10.244.2.2:8080 masqueraded"]);
  expect(where(rules(service({ type: "LoadBalancer" }, { loadBalancer: { ingress: [{ ip: "192.0.2.10", ipMode: "Proxy" }] } }), [slice({ ip: "10.244.2.2" })]), outside("192.0.2.10", 80))).toBe("address");
  expect(where(rules(service({}), [slice({ ip: "10.244.1.2", zones: ["z1"] }, { ip: "10.244.2.2", zones: ["z2"] })]), inside("10.96.0.20"))).toBe("10.244.1.2:8080");
});

test("session affinity keeps a client's endpoint until it is unused for its timeout", () => {
  const set = rules(service({ sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }), [slice({ ip: "10.244.2.2" }, { ip: "10.244.2.3" })]);
  const first = route(set, inside("10.96.0.20"), node, 0, last);
  if (first.to !== "endpoint") throw new Error(first.to);
  expect(first.endpoint.ip).toBe("10.244.2.3");
  const lowest = () => 0;
  expect(where(first.set, inside("10.96.0.20"), lowest, 59_000_000)).toBe("10.244.2.3:8080");
  expect(where(first.set, inside("10.96.0.20"), lowest, 61_000_000)).toBe("10.244.2.2:8080");
});
