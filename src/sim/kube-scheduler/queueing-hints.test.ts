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
const port = (hostIP: string): Pod => pod("p", { nodeName: "n", containers: [{ name: "c", ports: [{ containerPort: 1, hostPort: 80, hostIP }] }] });
const kind = (name: string, more: object = {}): KubeObject => ({ apiVersion: "v1", kind: name, metadata: { name: "x" }, ...more });
const csiNode = (count: number): KubeObject => kind("CSINode", { spec: { drivers: [{ name: "d", allocatable: { count } }] } });
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
    ["NodeUnschedulable", pod("p"), on("Node", "add", node("1", {}, { unschedulable: true })), false],
    ["NodeUnschedulable", pod("p"), on("Node", "update", node("1"), node("1")), false],
    ["NodeUnschedulable", pod("p"), on("OwnPod", "update", pod("p", { tolerations: [{ key: "other", operator: "Exists" }] }), pod("p")), false],
    ["NodeUnschedulable", pod("p"), on("OwnPod", "update", pod("p", { tolerations: [{ key: "node.kubernetes.io/unschedulable", operator: "Exists" }] }), pod("p")), true],
    ["TaintToleration", pod("p"), on("OwnPod", "update", pod("p", { tolerations: [{ key: "other", operator: "Exists" }] }), pod("p")), true],
    ["TaintToleration", pod("p"), on("OwnPod", "update", pod("q", { tolerations: [{ key: "other", operator: "Exists" }] }), pod("q")), false],
    ["TaintToleration", pod("p"), on("Node", "add", node("1", {}, tainted)), false],
    ["NodeName", pod("p", { nodeName: "x" }), on("Node", "add", node("1")), true],
    ["NodeName", pod("p", { nodeName: "x" }), on("Node", "update", node("2"), node("1")), false],
    ["NodeResourcesFit", pod("p"), on("AssignedPod", "delete", pod("q")), false],
    ["NodeResourcesFit", pod("p"), on("AssignedPod", "delete", { ...pod("q"), status: { nominatedNodeName: "n" } } as Pod), true],
    ["NodeResourcesFit", pod("p"), on("OwnPod", "update", pod("q", { containers: [{ name: "c" }] }), pod("q")), false],
    ["NodeResourcesFit", pod("p"), on("AssignedPod", "update", pod("q", { nodeName: "n", containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] }), other), true],
    ["NodeResourcesFit", pod("p"), on("AssignedPod", "update", pod("q", { nodeName: "n", containers: [{ name: "c", resources: { requests: { cpu: "2" } } }] }), pod("q", { nodeName: "n", containers: [{ name: "c", resources: { requests: { cpu: "2", memory: "1Gi" } } }] })), false],
    ["SchedulingGates", pod("p"), on("OwnPod", "update", pod("p"), pod("p", { schedulingGates: [{ name: "a" }] })), true],
    ["SchedulingGates", pod("p"), on("OwnPod", "update", pod("p", { schedulingGates: [{ name: "a" }] }), pod("p", { schedulingGates: [{ name: "a" }, { name: "b" }] })), false],
    ["InterPodAffinity", near, on("OwnPod", "update", pod("p", {}, { b: "c" }), near), true],
    ["InterPodAffinity", near, on("OwnPod", "update", pod("q", {}, { b: "c" }), pod("q")), false],
    ["NodeAffinity", pod("p", { nodeSelector: { a: "b" } }), on("Node", "update", node("1", { a: "b" }), node("1")), true],
    ["NodeAffinity", pod("p", { nodeSelector: { a: "b" } }), on("Node", "update", node("1", { c: "d" }), node("1")), false],
    ["PodTopologySpread", spread, on("AssignedPod", "add", other), true],
    ["PodTopologySpread", spread, on("AssignedPod", "add", pod("q", { nodeName: "n" }, { app: "y" })), false],
    ["PodTopologySpread", spread, on("AssignedPod", "delete", pod("q", { nodeName: "n" }, { app: "x" }, "elsewhere")), false],
    ["PodTopologySpread", spread, on("AssignedPod", "delete", pod("q", {}, { app: "x" })), false],
    ["PodTopologySpread", spread, on("AssignedPod", "update", pod("q", { nodeName: "n" }, { app: "x", b: "c" }), other), false],
    ["PodTopologySpread", spread, on("AssignedPod", "update", pod("q", { nodeName: "n" }, { app: "y" }), other), true],
    ["PodTopologySpread", spread, on("OwnPod", "update", pod("p", {}, { app: "x" }), pod("p")), true],
    ["PodTopologySpread", spread, on("OwnPod", "update", pod("p", {}, { b: "c" }), pod("p")), false],
    ["PodTopologySpread", spread, on("OwnPod", "update", pod("q", {}, { app: "x" }), pod("q")), false],
    ["PodTopologySpread", spread, on("Node", "update", node("1", { zone: "a" }, tainted), node("1", { zone: "a" })), true],
    ["PodTopologySpread", spread, on("Node", "update", node("2", { zone: "a" }), node("1", { zone: "a" })), false],
    ["PodTopologySpread", spread, on("Node", "update", node("1", { zone: "b" }), node("1", { zone: "a" })), true],
    ["PodTopologySpread", spread, on("Node", "delete", node("1", { zone: "a" })), true],
    ["PodTopologySpread", spread, on("Node", "delete", node("1")), false],
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
    ["NodeAffinity", pod("p", { nodeSelector: { a: "b" } }), on("Node", "update", node("1", { a: "b", c: "d" }), node("1", { a: "b" })), false],
    ["InterPodAffinity", near, on("Node", "add", node("1")), false],
    ["InterPodAffinity", near, on("Node", "update", node("1", { zone: "b" }), node("1", { zone: "a" })), true],
    ["InterPodAffinity", near, on("Node", "update", node("1", { zone: "a", x: "y" }), node("1", { zone: "a" })), false],
    ["InterPodAffinity", apart, on("Node", "add", node("1")), true],
    ["InterPodAffinity", apart, on("Node", "update", node("1"), node("1", { zone: "a" })), true],
    ["InterPodAffinity", apart, on("Node", "update", node("1", { zone: "a" }), node("1")), false],
    ["InterPodAffinity", near, on("AssignedPod", "update", other, pod("q", { nodeName: "n" }, { app: "y" })), true],
    ["InterPodAffinity", apart, on("AssignedPod", "update", pod("q", { nodeName: "n" }, { app: "y" }), other), true],
    ["InterPodAffinity", apart, on("AssignedPod", "update", other, pod("q", { nodeName: "n" }, { app: "y" })), false],
    ["NodePorts", port("10.0.0.1"), on("AssignedPod", "delete", port("0.0.0.0")), true],
    ["NodePorts", port("10.0.0.1"), on("AssignedPod", "delete", port("10.0.0.2")), false],
    ["VolumeRestrictions", claiming, on("AssignedPod", "delete", other), false],
    ["VolumeRestrictions", claiming, on("AssignedPod", "delete", claiming), true],
    ["VolumeZone", claiming, on("StorageClass", "add", kind("StorageClass", { volumeBindingMode: "Immediate" })), false],
    ["VolumeZone", claiming, on("StorageClass", "add", kind("StorageClass", { volumeBindingMode: "WaitForFirstConsumer" })), true],
    ["VolumeZone", claiming, on("PersistentVolume", "update", kind("PersistentVolume"), kind("PersistentVolume")), false],
    ["VolumeBinding", claiming, on("PersistentVolume", "update", kind("PersistentVolume"), kind("PersistentVolume")), true],
    ["VolumeBinding", claiming, on("CSINode", "update", kind("CSINode"), kind("CSINode")), false],
    ["VolumeBinding", claiming, on("CSIDriver", "add", kind("CSIDriver", { spec: {} })), false],
    ["VolumeBinding", claiming, on("CSIStorageCapacity", "update", kind("CSIStorageCapacity", { capacity: "2Gi" }), kind("CSIStorageCapacity", { capacity: "1Gi" })), true],
    ["VolumeBinding", claiming, on("CSIStorageCapacity", "update", kind("CSIStorageCapacity", { capacity: "1Gi" }), kind("CSIStorageCapacity", { capacity: "2Gi" })), false],
    ["NodeVolumeLimits", claiming, on("CSINode", "update", csiNode(3), csiNode(2)), true],
    ["NodeVolumeLimits", claiming, on("CSINode", "update", csiNode(2), csiNode(2)), false],
    ["DefaultPreemption", pod("p"), on("AssignedPod", "delete", other), false],
  ] as const)("%s %#", (plugin, waiting, event, want) => expect(isWorthRequeuing(waiting, [plugin], event, noListers, defaultArgs)).toBe(want));

  test("a Pod that no plugin rejected is worth any event", () => expect(isWorthRequeuing(pod("p"), [], on("Node", "add", node("1")), noListers, defaultArgs)).toBe(true));
});
