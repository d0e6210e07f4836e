// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller_test.go: its situations, seen through the API alone
import { describe, expect, test } from "vitest";
import { rfc3339, rfc3339Micro } from "../../api/time.ts";
import type { KubeObject, Node, Pod } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { createNodeLifecycleController, nodeLifecycleWatches } from "./node-lifecycle-controller.ts";

const lease = (node: string): KubeObject => ({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: node, namespace: "kube-node-lease", uid: `lease-${node}`, resourceVersion: "1" }, spec: { holderIdentity: node, leaseDurationSeconds: 40, renewTime: rfc3339Micro(-1_000_000) } });
const renew = (node: string, seconds: number): MiniInput => at(seconds, write("PATCH", `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node}`, { spec: { renewTime: rfc3339Micro(Math.round(seconds * 1_000_000)) } }));
/** Renews every ten seconds, a second after them. */
const alive = (node: string, until: number, from = 0): MiniInput[] => Array.from({ length: Math.ceil((until - from) / 10) }, (_, i) => renew(node, from + i * 10 + 1));
const conditions = (ready: string, seconds: number, reason = "KubeletReady"): object[] => [{ type: "Ready", status: ready, reason, lastHeartbeatTime: rfc3339(seconds * 1_000_000), lastTransitionTime: rfc3339(seconds * 1_000_000) }];
const status = (node: string, ready: string, seconds: number): MiniInput => at(seconds, write("PATCH", `/api/v1/nodes/${node}/status`, { status: { conditions: conditions(ready, seconds) } }));
const pod = (name: string, nodeName: string, ready = "True"): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", uid: `uid-${name}`, resourceVersion: "1" }, spec: { nodeName, containers: [{ name: "c" }] }, status: { phase: "Running", conditions: [{ type: "Ready", status: ready, lastTransitionTime: "2025-12-31T00:00:00Z" }] } });

function cluster(objects: readonly KubeObject[], inputs: readonly MiniInput[], until: number, refuse?: (method: string, path: string, n: number) => number | undefined) {
  let n = 0;
  const m = miniCluster((world) => [createNodeLifecycleController({ world }) as Component], nodeLifecycleWatches(), objects, [...inputs].sort((a, b) => a.at - b.at), refuse === undefined ? {} : {
    refuse: (request) => {
      const code = request.path.includes("/events") ? undefined : refuse(request.method, request.path, n);
      if (code !== undefined) n++;
      return code === undefined ? undefined : { status: code, reason: code === 409 ? "Conflict" : "InternalError", message: "no" };
    },
  });
  m.sim.run(until * 1_000_000);
  const node = (name: string): Node | undefined => m.list<Node>("Node").find((entry) => entry.metadata.name === name);
  return { ...m, node, taints: (name: string) => (node(name)?.spec?.taints ?? []).map((taint) => `${taint.key.replace("node.kubernetes.io/", "")}:${taint.effect}`).sort(), ready: (name: string) => node(name)?.status?.conditions?.find((c) => c.type === "Ready"), marked: m.requests(/^PUT .*pods/), wrote: m.requests(/^(GET|PUT|PATCH) .*(nodes|pods)/) };
}
const nodes = (...names: string[]): KubeObject[] => names.flatMap((name) => [nodeObject(name), lease(name)]);
const DEAD = ["unreachable:NoExecute", "unreachable:NoSchedule"];

describe("a node that is silent", () => {
  const inputs = [...alive("n1", 200), ...alive("n2", 21)];

  test("is Unknown 50 s after the pass that saw its last lease, in this order of requests", () => {
    const before = cluster([...nodes("n1", "n2"), pod("web", "n2")], inputs, 72.4);
    expect([before.events(), before.wrote.filter((request) => request.includes("/n2"))]).toEqual([[], []]);
    const m = cluster([...nodes("n1", "n2"), pod("web", "n2"), pod("other", "n1")], inputs, 79);
    expect(m.ready("n2")).toMatchObject({ status: "Unknown", reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status.", lastTransitionTime: "2026-01-01T00:01:17Z" });
    expect(m.node("n2")?.status?.conditions?.map((c) => c.status)).toEqual(["Unknown", "Unknown", "Unknown", "Unknown"]);
    expect(m.taints("n2")).toEqual(DEAD);
    expect(m.events()).toEqual(["NodeNotReady: Node n2 status is now: NodeNotReady", "NodeNotReady: Node is not ready"]);
    expect(m.list<Pod>("Pod").map((entry) => entry.status?.conditions?.[0]?.status)).toEqual(["True", "False"]);
    const asked = m.wrote.filter((request) => !request.includes("leases") && !request.includes("?"));
    expect(asked.filter((request) => request.startsWith("PUT"))).toEqual(["PUT /api/v1/nodes/n2/status", "PUT /api/v1/namespaces/default/pods/web/status"]);
    expect(asked.filter((request) => request.endsWith("/nodes/n2"))).toEqual(["GET /api/v1/nodes/n2", "PATCH /api/v1/nodes/n2", "GET /api/v1/nodes/n2", "PATCH /api/v1/nodes/n2"]);
  });

  test("a status that is refused is written again after 20 ms, from what the server has", () => {
    const m = cluster(nodes("n1", "n2"), inputs, 79, (method, path, n) => (method === "PUT" && path.endsWith("n2/status") && n < 2 ? 409 : undefined));
    expect(m.requests(/n2\/status/)).toHaveLength(3);
    expect(m.ready("n2")?.status).toBe("Unknown");
    expect(m.events()).toEqual(["NodeNotReady: Node n2 status is now: NodeNotReady"]);
  });

  test("taints of another writer are kept: a conflict is read again", () => {
    const m = cluster(nodes("n1", "n2"), inputs, 79, (method, path, n) => (method === "PATCH" && path.endsWith("nodes/n2") && n < 1 ? 409 : undefined));
    expect(m.taints("n2")).toEqual(DEAD);
  });

  test.each([
    { name: "a Pod whose write failed is told, and marked in the next pass", code: 500, events: 2, ready: "False", until: 84 },
    { name: "one that is gone is not told", code: 404, events: 0, ready: "True", until: 79 },
  ])("$name", ({ code, events, ready, until }) => {
    const m = cluster([...nodes("n1", "n2"), pod("web", "n2")], inputs, until, (method, path, n) => (method === "PUT" && path.includes("/pods/") && n < 1 ? code : undefined));
    const told = m.list("Event").filter((event) => (event as unknown as { message: string }).message === "Node is not ready");
    expect(told.reduce((sum, event) => sum + ((event as unknown as { count?: number }).count ?? 1), 0)).toBe(events);
    expect(m.list<Pod>("Pod")[0]?.status?.conditions?.[0]?.status).toBe(ready);
  });

  test("a Pod that comes to it later is marked too", () => {
    const late = at(90, write("POST", "/api/v1/namespaces/default/pods", { ...pod("late", "n2"), metadata: { name: "late", namespace: "default" } }));
    const m = cluster(nodes("n1", "n2"), [...inputs, late], 91);
    expect(m.list<Pod>("Pod")[0]?.status?.conditions?.[0]?.status).toBe("False");
    expect(m.events().at(-1)).toBe("NodeNotReady: Node is not ready");
  });
});

describe("a node that never was heard of", () => {
  const bare = (name: string, created: string): KubeObject => ({ apiVersion: "v1", kind: "Node", metadata: { name, creationTimestamp: created }, spec: {}, status: {} });

  test("has 60 s from its creation, then all conditions", () => {
    const join = at(20, write("POST", "/api/v1/nodes", bare("new", "")));
    expect(cluster(nodes("n1"), [join, ...alive("n1", 100)], 82).ready("new")).toBeUndefined();
    const m = cluster(nodes("n1"), [join, ...alive("n1", 100)], 88);
    expect(m.node("new")?.status?.conditions).toEqual(["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => ({ type, status: "Unknown", reason: "NodeStatusNeverUpdated", message: "Kubelet never posted node status.", lastHeartbeatTime: "2026-01-01T00:00:20Z", lastTransitionTime: "2026-01-01T00:01:22Z" })));
    // Its Pods were never ready: no NodeNotReady.
    expect(m.events()).toEqual(["RegisteredNode: Node new event: Registered Node new in Controller"]);
    expect(m.taints("new")).toEqual(DEAD);
  });

  test("comes and goes with events in the next pass", () => {
    const m = cluster(nodes("n1"), [at(3, write("POST", "/api/v1/nodes", bare("new", ""))), at(14, write("DELETE", "/api/v1/nodes/new")), ...alive("n1", 30)], 20);
    expect(m.events()).toEqual(["RegisteredNode: Node new event: Registered Node new in Controller", "RemovingNode: Node new event: Removing Node new from Controller"]);
    const [registered] = m.list("Event");
    expect(registered).toMatchObject({ involvedObject: { kind: "Node", name: "new", uid: expect.any(String) }, firstTimestamp: "2026-01-01T00:00:07Z", source: { component: "node-controller" } });
    expect((registered as unknown as { involvedObject: object }).involvedObject).not.toHaveProperty("resourceVersion");
  });
});

describe("what the kubelet itself says", () => {
  test.each([
    { name: "not ready: no event and no mark, the taints of not-ready", steps: [status("n2", "False", 3)], until: 12, taints: ["not-ready:NoExecute", "not-ready:NoSchedule"] },
    { name: "ready again: all taints go", steps: [status("n2", "False", 3), status("n2", "True", 20)], until: 30, taints: [] },
    { name: "ready before its turn: never tainted NoExecute", steps: [status("n2", "False", 2.48), status("n2", "True", 2.51)], until: 30, taints: [] },
    { name: "pressure and a cordon", steps: [at(1, write("PATCH", "/api/v1/nodes/n2", { spec: { unschedulable: true } })), at(1, write("PATCH", "/api/v1/nodes/n2/status", { status: { conditions: ["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable", "Ready"].map((type) => ({ type, status: "True" })) } }))], until: 2, taints: ["disk-pressure:NoSchedule", "memory-pressure:NoSchedule", "network-unavailable:NoSchedule", "pid-pressure:NoSchedule", "unschedulable:NoSchedule"] },
  ])("$name", ({ steps, until, taints }) => {
    const m = cluster([...nodes("n1", "n2"), pod("web", "n2")], [...steps, ...alive("n1", until), ...alive("n2", until)], until);
    expect([m.taints("n2"), m.events(), m.marked]).toEqual([taints, [], []]);
  });

  test("from Unknown to not ready the NoExecute taint is swapped at once, and the user's own stay", () => {
    const own = at(0.5, write("PATCH", "/api/v1/nodes/n2", { spec: { taints: [{ key: "mine", effect: "NoExecute", value: "x" }] } }));
    const m = cluster(nodes("n1", "n2"), [own, ...alive("n1", 130), ...alive("n2", 21), status("n2", "False", 100)], 104);
    expect(m.taints("n2")).toEqual(["mine:NoExecute", "not-ready:NoExecute", "not-ready:NoSchedule"]);
  });

  test("the beta labels follow the stable ones", () => {
    const labels = { "kubernetes.io/os": "linux", "kubernetes.io/arch": "arm64", "beta.kubernetes.io/os": "windows" };
    const m = cluster(nodes("n1"), [at(1, write("PATCH", "/api/v1/nodes/n1", { metadata: { labels } }))], 2);
    expect(m.node("n1")?.metadata.labels).toMatchObject({ "beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "arm64" });
    expect(m.requests(/nodes\/n1$/).slice(-2)).toEqual(["GET /api/v1/nodes/n1", "PATCH /api/v1/nodes/n1"]);
  });
});

describe("many at once", () => {
  const names = (count: number, from = 1): string[] => Array.from({ length: count }, (_, i) => `n${String(from + i).padStart(2, "0")}`);
  const noExecute = (m: ReturnType<typeof cluster>): string[] => m.list<Node>("Node").filter((node) => node.spec?.taints?.some((taint) => taint.effect === "NoExecute")).map((node) => node.metadata.name ?? "");
  const up = (list: string[], until: number): MiniInput[] => list.flatMap((name) => alive(name, until));

  test.each([
    { name: "two of five in a zone: one each 10 s", dead: 2, of: 5, until: 54, want: 1 },
    { name: "two of five in a zone: the second after 10 s", dead: 2, of: 5, until: 64, want: 2 },
    { name: "three of five: none in a small zone that is in partial disruption", dead: 3, of: 5, until: 90, want: 0 },
    { name: "all of them: none, it is rather the control plane that is cut off", dead: 3, of: 3, until: 120, want: 0 },
  ])("$name", ({ dead, of, until, want }) => {
    const all = names(of);
    const m = cluster(nodes(...all), up(all.slice(dead), until), until);
    // The first pass saw their last leases at 2.5 s; the pass at 52.5 s is on the limit, the one at 57.5 s beyond.
    expect(noExecute(cluster(nodes(...all), up(all.slice(dead), 57), 57))).toEqual([]);
    const later = cluster(nodes(...all), up(all.slice(dead), until + 4), until + 4);
    expect([m.list("Node").length, noExecute(later).length]).toEqual([of, want]);
  });

  test("a large zone in partial disruption: one each 100 s", () => {
    const all = names(51);
    const until = 280;
    const m = cluster(nodes(...all), up(all.slice(30), until), until);
    expect(noExecute(m)).toHaveLength(3);
  });

  test("a zone that is down in a cluster that is not keeps the rate of 10 s", () => {
    const away = names(3, 50);
    const objects = [...nodes("n1"), ...away.flatMap((name) => [nodeObject(name, "z2"), lease(name)])];
    expect(noExecute(cluster(objects, alive("n1", 90), 90))).toEqual(away);
  });

  test("a node that is excluded does not count", () => {
    const excluded = nodeObject("n2");
    const objects = [...nodes("n1"), { ...excluded, metadata: { ...excluded.metadata, labels: { ...excluded.metadata.labels, "node.kubernetes.io/exclude-disruption": "" } } }, lease("n2")];
    // n1 is silent, and the only one that counts: full disruption.
    expect(noExecute(cluster(objects, alive("n2", 120), 120))).toEqual([]);
  });

  test("after full disruption every node has its 50 s anew, and the first taint waits 10 s", () => {
    const back = [...alive("n1", 400, 100), status("n1", "True", 101)];
    const m = cluster(nodes("n1", "n2", "n3"), back, 111.5);
    expect([m.taints("n1"), noExecute(m)]).toEqual([[], []]);
    expect(noExecute(cluster(nodes("n1", "n2", "n3"), back, 113))).toHaveLength(1);
  });
});
