import { describe, expect, test } from "vitest";
import type { KubeObject, Node, Pod } from "../api/types.ts";
import { defaultArgs } from "./args.ts";
import { noListers } from "./listers.ts";
import { type ClusterEvent, isWorthRequeuing } from "./queueing-hints.ts";

const pod = (name: string, spec: Partial<Pod["spec"]> = {}, labels: Record<string, string> = {}, namespace = "default"): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name, uid: name, namespace, labels }, spec: { containers: [{ name: "c", resources: { requests: { cpu: "2" } } }], ...spec } });
const node = (cpu: string, labels: Record<string, string> = {}, spec: Node["spec"] = {}): Node => ({ apiVersion: "v1", kind: "Node", metadata: { name: "n", labels }, spec, status: { allocatable: { cpu, pods: "10" } } });

const on = (resource: ClusterEvent["resource"], change: ClusterEvent["change"], object: KubeObject, old?: KubeObject): ClusterEvent => ({ resource, change, object, ...(old ? { old } : {}) });
const spread = pod("p", { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: { matchLabels: { app: "x" } } }] });
const near = pod("p", { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "zone", labelSelector: { matchLabels: { app: "x" } } }] } } });
const apart = pod("p", { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "zone", labelSelector: { matchLabels: { app: "x" } } }] } } });
const claiming = pod("p", { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] });
const claim = (name: string, namespace = "default"): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name, namespace }, spec: {} });
const tainted = { taints: [{ key: "k", effect: "NoSchedule" }] };
const other = pod("q", { nodeName: "n" }, { app: "x" });

describe("which events wake a rejected Pod", () => {
  test.each([
    ["NodeResourcesFit", pod("p"), on("AssignedPod", "delete", other), true],
    ["NodeResourcesFit", pod("p"), on("AssignedPod", "add", other), false],
    ["NodeResourcesFit", pod("p"), on("Node", "add", node("1")), false],
    ["NodeResourcesFit", pod("p"), on("Node", "add", node("4")), true],
    ["NodeResourcesFit", pod("p"), on("Node", "update", node("4"), node("4")), false],
    ["NodeResourcesFit", pod("p"), on("Node", "update", node("4"), node("1")), true],
    ["NodeResourcesFit", pod("p"), on("OwnPod", "update", pod("p", { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] }), pod("p")), true],
    ["TaintToleration", pod("p"), on("Node", "update", node("1"), node("1", {}, tainted)), true],
    ["TaintToleration", pod("p"), on("Node", "update", node("1", {}, tainted), node("1", {}, tainted)), false],
    ["TaintToleration", pod("p"), on("AssignedPod", "delete", other), false],
    ["NodeUnschedulable", pod("p"), on("Node", "update", node("1"), node("1", {}, { unschedulable: true })), true],
    ["NodeAffinity", pod("p", { nodeSelector: { a: "b" } }), on("Node", "update", node("1", { a: "b" }), node("1")), true],
    ["NodeAffinity", pod("p", { nodeSelector: { a: "b" } }), on("Node", "update", node("1", { c: "d" }), node("1")), false],
    ["PodTopologySpread", spread, on("AssignedPod", "add", other), true],
    ["PodTopologySpread", spread, on("AssignedPod", "add", pod("q", {}, { app: "y" })), false],
    ["PodTopologySpread", spread, on("AssignedPod", "delete", pod("q", {}, { app: "x" }, "elsewhere")), false],
    ["PodTopologySpread", spread, on("Node", "add", node("1", { zone: "a" })), true],
    ["PodTopologySpread", spread, on("Node", "add", node("1")), false],
    ["InterPodAffinity", near, on("AssignedPod", "add", other), true],
    ["InterPodAffinity", near, on("AssignedPod", "delete", other), false],
    ["InterPodAffinity", apart, on("AssignedPod", "delete", other), true],
    ["InterPodAffinity", apart, on("AssignedPod", "add", other), false],
    ["NodePorts", pod("p", { containers: [{ name: "c", ports: [{ containerPort: 1, hostPort: 80 }] }] }), on("AssignedPod", "delete", other), false],
    ["VolumeBinding", claiming, on("PersistentVolumeClaim", "update", claim("data"), claim("data")), true],
    ["VolumeBinding", claiming, on("PersistentVolumeClaim", "add", claim("other")), false],
    ["VolumeBinding", claiming, on("PersistentVolumeClaim", "add", claim("data", "elsewhere")), false],
    ["DefaultPreemption", pod("p"), on("AssignedPod", "delete", other), false],
  ] as const)("%s %#", (plugin, waiting, event, want) => expect(isWorthRequeuing(waiting, [plugin], event, noListers, defaultArgs)).toBe(want));

  test("a Pod that no plugin rejected is worth any event", () => expect(isWorthRequeuing(pod("p"), [], on("Node", "add", node("1")), noListers, defaultArgs)).toBe(true));
});
