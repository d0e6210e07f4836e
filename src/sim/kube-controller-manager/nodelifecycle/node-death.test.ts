import { expect, test } from "vitest";
import { rfc3339Micro } from "../../api/time.ts";
import type { KubeObject, Node, Pod } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { at, miniCluster, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { createTaintEvictionController, taintEvictionWatches } from "../tainteviction/taint-eviction-controller.ts";
import { createNodeLifecycleController, nodeLifecycleWatches } from "./node-lifecycle-controller.ts";

const lease = (node: string): KubeObject => ({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: node, namespace: "kube-node-lease", uid: `lease-${node}`, resourceVersion: "1" }, spec: { holderIdentity: node, leaseDurationSeconds: 40, renewTime: rfc3339Micro(-1_000_000) } });
const tolerate = (key: string) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 });
const pod = (name: string, nodeName: string): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default", uid: `uid-${name}`, resourceVersion: "1" },
  spec: { nodeName, containers: [{ name: "c" }], tolerations: [tolerate("node.kubernetes.io/not-ready"), tolerate("node.kubernetes.io/unreachable")] },
  status: { phase: "Running", podIP: "10.244.1.5", conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2025-12-31T00:00:00Z" }] },
});
const renew = (node: string, seconds: number) => at(seconds, write("PATCH", `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node}`, { spec: { renewTime: rfc3339Micro(seconds * 1_000_000) } }));

const watches = [...nodeLifecycleWatches(), ...taintEvictionWatches()];
const build = (nodes: string[], inputs: ReturnType<typeof at>[]) =>
  miniCluster((world) => [createNodeLifecycleController({ world }) as Component, createTaintEvictionController({ world }) as Component], watches, [...nodes.map((name) => nodeObject(name)), ...nodes.map(lease), pod("web", "n2")], inputs);

test("a silent node: Unknown after 50 s, tainted at once, its Pod deleted 300 s later", () => {
  // n1 keeps renewing every 10 s, n2 stops after 20 s.
  const inputs = Array.from({ length: 40 }, (_, i) => i * 10 + 1).flatMap((s) => (s <= 21 ? [renew("n1", s), renew("n2", s)] : [renew("n1", s)]));
  const m = build(["n1", "n2"], inputs);
  m.sim.run(71_000_000);
  expect(m.events()).toEqual([]);
  m.sim.run(79_000_000);
  const n2 = () => m.list<Node>("Node")[1]!;
  expect(n2().status?.conditions?.find((c) => c.type === "Ready")).toMatchObject({ status: "Unknown", reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status." });
  expect(n2().spec?.taints?.map((t) => `${t.key}:${t.effect}`).sort()).toEqual(["node.kubernetes.io/unreachable:NoExecute", "node.kubernetes.io/unreachable:NoSchedule"]);
  expect(m.list<Pod>("Pod")[0]?.status?.conditions?.[0]).toMatchObject({ type: "Ready", status: "False" });
  expect(m.events()).toEqual(["NodeNotReady: Node n2 status is now: NodeNotReady", "NodeNotReady: Node is not ready"]);
  m.sim.run(370_000_000);
  expect(m.list<Pod>("Pod")[0]?.metadata.deletionTimestamp).toBeUndefined();
  m.sim.run(380_000_000);
  expect(m.list<Pod>("Pod")[0]?.metadata.deletionTimestamp).toBeDefined();
  expect(m.list<Pod>("Pod")[0]?.status?.conditions?.find((c) => c.type === "DisruptionTarget")).toMatchObject({ status: "True", reason: "DeletionByTaintManager" });
  expect(m.events().at(-1)).toBe("TaintManagerEviction: Marking for deletion Pod default/web");
});

test("when every node is silent nothing is tainted NoExecute", () => {
  const m = build(["n1", "n2"], []);
  m.sim.run(80_000_000);
  expect(m.list<Node>("Node").flatMap((node) => node.spec?.taints ?? []).map((t) => t.effect)).toEqual(["NoSchedule", "NoSchedule"]);
});

test("a node that is heard of again loses its taints and the eviction is cancelled", () => {
  const ready = { status: { conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: "2026-01-01T00:01:40Z" }] } };
  const inputs = Array.from({ length: 20 }, (_, i) => i * 10 + 1).flatMap((s) => (s > 100 ? [renew("n1", s), renew("n2", s)] : [renew("n1", s)]));
  inputs.push(at(101.5, write("PATCH", "/api/v1/nodes/n2/status", ready)));
  inputs.sort((a, b) => a.at - b.at);
  (inputs.find((i) => i.at === 101_500_000)!.actions[0] as { message: { headers?: object } }).message.headers = { "Content-Type": "strategic" };
  const m = build(["n1", "n2"], inputs);
  m.sim.run(120_000_000);
  expect(m.list<Node>("Node")[1]?.spec?.taints ?? []).toEqual([]);
  expect(m.events().at(-1)).toBe("TaintManagerEviction: Cancelling deletion of Pod default/web");
});
