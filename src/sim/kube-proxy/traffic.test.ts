import { expect, test } from "vitest";
import type { KubeObject } from "../api/types.ts";
import type { TrafficRequest } from "../api/traffic.ts";
import { createCoreDNS, coreDNSWatches } from "../coredns/coredns.ts";
import { createEndpointSliceController, endpointSliceWatches } from "../kube-controller-manager/endpointslice/endpointslice-controller.ts";
import type { Component } from "../kernel/types.ts";
import { at, miniCluster, nodeObject, write } from "../testdata/mini-cluster.ts";
import { kubeDnsService, kubeDnsSlice } from "../scenarios/worlds/coredns.ts";
import { createUsers, type UsersState, usersWatches } from "../users/users.ts";
import { createKubeProxy, kubeProxyWatches } from "./kube-proxy.ts";
import { createNetfilter } from "./netfilter.ts";

const nodes = [...["n0", "n1"].map((name) => nodeObject(name)), kubeDnsService(false), kubeDnsSlice("192.168.50.10")];
const service: KubeObject = { apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "default" }, spec: { clusterIP: "10.96.0.20", selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080, protocol: "TCP" }] } };
const pod = (name: string, nodeName: string, podIP: string): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", labels: { app: "web" } }, spec: { nodeName, containers: [{ name: "c" }] }, status: { phase: "Running", podIP, podIPs: [{ ip: podIP }], conditions: [{ type: "Ready", status: "False" }] } });
const ready = (name: string, status: string) => write("PATCH", `/api/v1/namespaces/default/pods/${name}/status`, { status: { conditions: [{ type: "Ready", status }] } });

/** Stands for all processes of a node: every port answers 200. */
const processes = (node: string): Component => ({
  id: `process@${node}`,
  machine: node,
  init: () => ({ hits: [] as string[] }),
  step(state, message, ctx) {
    if (message.type !== "traffic.request") return state;
    const request = message as TrafficRequest;
    if (request.dns) {
      ctx.send("coredns", { type: "traffic.relayed", request, mail: ctx.mail, carrier: ctx.from, servedBy: "coredns", node } as never, { protocol: "DNS", latency: 40, verb: "dns" });
      return state;
    }
    ctx.send(ctx.from, { type: "traffic.response", request: ctx.mail, status: 200, servedBy: `pod ${request.toIP}:${request.toPort}` } as never, { protocol: "HTTP", latency: 500, verb: "answer", status: 200 });
    return { hits: [...(state as { hits: string[] }).hits, request.toIP] };
  },
});

/** A program on n0 that sends what it is told to. */
const socket: Component = {
  id: "socket",
  machine: "n0",
  init: () => ({}),
  step(state, message, ctx) {
    if (message.type === "send") ctx.send("netfilter@n0", (message as unknown as { packet: TrafficRequest }).packet, { protocol: "TCP", latency: 40, verb: "UDP" });
    return state;
  },
};

function cluster(inputs: ReturnType<typeof at>[]) {
  const watches = [...endpointSliceWatches(), ...coreDNSWatches(), ...usersWatches(), ...["n0", "n1"].flatMap((name) => kubeProxyWatches({ name, podCIDR: "", address: "", index: 0 }))];
  return miniCluster(
    (world) => [
      createEndpointSliceController({ world }),
      createCoreDNS({ world }),
      createUsers({ world }),
      socket,
      ...world.nodes.flatMap((node) => [createKubeProxy({ world, node }), createNetfilter({ world, node }), processes(node.name)]),
    ] as Component[],
    watches,
    nodes,
    inputs,
  );
}

test("refused until the rules are in, then 200 from the Pod, spread over two, refused again", () => {
  const m = cluster([
    at(1, write("POST", "/api/v1/namespaces/default/services", service)),
    at(1.2, write("POST", "/api/v1/namespaces/default/pods", pod("a", "n1", "10.244.1.5"))),
    at(4, ready("a", "True")),
    at(10, write("POST", "/api/v1/namespaces/default/pods", pod("b", "n0", "10.244.0.5")), ready("b", "True")),
    at(40, ready("a", "False"), ready("b", "False")),
  ]);
  m.sim.run(60_000_000);
  const users = m.sim.stateAt("users", m.sim.now) as UsersState;
  const results = m.notes(/A user of/).map((note) => note.replace(/^\S+ /, ""));
  expect(results[0]).toMatch(/connection refused: the rules of n[01] say: default\/web has no endpoints$/);
  expect(results).toContain("A user of default/web gets 200 from pod 10.244.1.5:8080");
  expect(results).toContain("A user of default/web gets 200 from pod 10.244.0.5:8080");
  expect(results.at(-1)).toMatch(/connection refused/);
  expect(users.clients[0]).toMatchObject({ where: "inside" });
  expect(users.clients[0]!.ok).toBeGreaterThan(30);
  expect(users.clients[0]!.failed).toBeGreaterThan(15);
  const hits = ["n0", "n1"].map((node) => (m.sim.stateAt(`process@${node}`, m.sim.now) as { hits: string[] }).hits.length);
  expect(Math.min(...hits)).toBeGreaterThan(8);
});

test("minSyncPeriod: the slice's second change waits until a second after the first sync", () => {
  const m = cluster([
    at(1, write("POST", "/api/v1/namespaces/default/services", service)),
    at(5, write("POST", "/api/v1/namespaces/default/pods", pod("a", "n1", "10.244.1.5"))),
    at(5.1, ready("a", "True")),
  ]);
  m.sim.run(9_000_000);
  const times = m.notes(/kube-proxy on n1/).map((note) => Number(note.split(" ")[0]));
  // Service; its slice one period later; the not ready endpoint at once; the ready one a period after that.
  expect(times.length).toBe(4);
  // The period begins when the tool has ended (4 to 200 ms).
  expect(times[1]! - times[0]!).toBeGreaterThan(1.003);
  expect(times[1]! - times[0]!).toBeLessThan(1.2);
  expect(times[2]!).toBeLessThan(5.05);
  expect(times[3]! - times[2]!).toBeGreaterThan(1.003);
});

test("with kube-proxy stopped on a node its rules go stale, and that node only", () => {
  const m = cluster([
    at(1, write("POST", "/api/v1/namespaces/default/services", service), write("POST", "/api/v1/namespaces/default/pods", pod("a", "n1", "10.244.1.5")), ready("a", "True")),
    at(5, { type: "stop", component: "kube-proxy@n0", how: "process" }),
    at(6, write("POST", "/api/v1/namespaces/default/pods", pod("b", "n0", "10.244.0.5")), ready("b", "True")),
    at(20, { type: "start", component: "kube-proxy@n0" }),
  ]);
  const endpoints = (node: string) => (m.sim.stateAt(`netfilter@${node}`, m.sim.now) as { rules: { get(k: string): { ports: { cluster: { ip: string }[] }[] } } }).rules.get("default/web").ports[0]!.cluster.map((e) => e.ip);
  m.sim.run(15_000_000);
  expect(endpoints("n0")).toEqual(["10.244.1.5"]);
  expect(endpoints("n1")).toEqual(["10.244.0.5", "10.244.1.5"]);
  m.sim.run(25_000_000);
  expect(endpoints("n0")).toEqual(["10.244.0.5", "10.244.1.5"]);
});

test("UDP: a socket stays with its endpoint, until that one does not serve and others do (conntrack cleanup)", () => {
  const udp: KubeObject = { apiVersion: "v1", kind: "Service", metadata: { name: "log", namespace: "default" }, spec: { clusterIP: "10.96.0.30", selector: { app: "web" }, ports: [{ port: 514, targetPort: 514, protocol: "UDP" }] } };
  const packet: TrafficRequest = { type: "traffic.request", protocol: "UDP", fromIP: "10.244.0.9", fromPort: 40_000, toIP: "10.96.0.30", toPort: 514, client: "process@n0" };
  const send = { type: "deliver", to: "socket", verb: "UDP", message: { type: "send", packet } } as never;
  const m = cluster([
    at(1, write("POST", "/api/v1/namespaces/default/services", udp), write("POST", "/api/v1/namespaces/default/pods", pod("a", "n0", "10.244.0.5")), ready("a", "True")),
    at(4, send),
    at(6, write("POST", "/api/v1/namespaces/default/pods", pod("b", "n0", "10.244.0.6")), ready("b", "True")),
    at(9, send),
    at(10, ready("a", "False")),
    at(13, send),
  ]);
  const hits = () => (m.sim.stateAt("process@n0", m.sim.now) as { hits: string[] }).hits;
  m.sim.run(12_000_000);
  expect(hits()).toEqual(["10.244.0.5", "10.244.0.5"]);
  expect(m.notes(/stale UDP connections/).length).toBe(1);
  m.sim.run(14_000_000);
  expect(hits().at(-1)).toBe("10.244.0.6");
});

test("a dead node: connections to its Pod time out at the client after 5 s", () => {
  const m = cluster([
    at(1, write("POST", "/api/v1/namespaces/default/services", service), write("POST", "/api/v1/namespaces/default/pods", pod("a", "n1", "10.244.1.5")), ready("a", "True")),
    at(6, { type: "stop", component: "process@n1", how: "machine" }),
  ]);
  m.sim.run(20_000_000);
  expect(m.notes(/i\/o timeout/).length).toBeGreaterThan(1);
});
