import { describe, expect, test } from "vitest";
import type { KubeObject, Node, Pod } from "../../api/types.ts";
import { defaultProfile } from "../config/load.ts";
import { pointsOf } from "./registry.ts";
import { defaultArgs, type SchedulerArgs } from "../args.ts";
import { type Cycle, CycleState, type Plugin } from "../framework.ts";
import { listersOf } from "../listers.ts";
import { podInfoOf } from "../node-info.ts";
import { snapshotOf } from "../snapshot.ts";
import { imageLocality } from "./image-locality.ts";
import { nodeAffinity } from "./node-affinity.ts";
import { nodeDeclaredFeatures } from "./node-declared-features.ts";
import { nodePorts } from "./node-ports.ts";
import { nodeResourcesBalancedAllocation } from "./node-resources-balanced-allocation.ts";
import { nodeResourcesFit } from "./node-resources-fit.ts";
import { nodeUnschedulable } from "./node-unschedulable.ts";
import { nodeVolumeLimits } from "./node-volume-limits.ts";
import { podTopologySpread } from "./pod-topology-spread.ts";
import { taintToleration } from "./taint-toleration.ts";
import { volumeBinding } from "./volume-binding.ts";
import { volumeRestrictions } from "./volume-restrictions.ts";
import { volumeZone } from "./volume-zone.ts";

type NodeOptions = { labels?: Record<string, string>; spec?: Node["spec"]; status?: Node["status"] };
const node = (name: string, { labels = {}, spec = {}, status = {} }: NodeOptions = {}): Node => ({ apiVersion: "v1", kind: "Node", metadata: { name, labels }, spec, status: { allocatable: { cpu: "4", memory: "8Gi", pods: "10" }, ...status } });
const pod = (spec: Partial<Pod["spec"]> = {}, labels: Record<string, string> = {}, name = "p"): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", uid: name, labels }, spec: { containers: [{ name: "c" }], ...spec } });
const asking = (cpu: string, memory = "0"): Partial<Pod["spec"]> => ({ containers: [{ name: "c", resources: { requests: { cpu, memory } } }] });

interface World {
  readonly nodes?: readonly Node[];
  readonly pods?: readonly Pod[];
  readonly objects?: readonly KubeObject[];
  readonly args?: Partial<SchedulerArgs>;
}

function cycleFor(p: Pod, { nodes = [node("n")], pods = [], objects = [], args = {} }: World): Cycle {
  return { pod: p, podInfo: podInfoOf(p), snapshot: snapshotOf(nodes, pods, listersOf(objects)), args: { ...defaultArgs, ...args }, state: new CycleState(), points: pointsOf(defaultProfile), weights: {}, draw: 0 };
}

/** The reason of each node, "" for one that passes; or the PreFilter's. */
function verdict(plugin: Plugin, p: Pod, world: World = {}): string {
  const cycle = cycleFor(p, world);
  const before = plugin.preFilter?.(cycle).status;
  if (before?.code === "Skip") return "skip";
  if (before && before.code !== "Success") return before.reasons.join("; ");
  return cycle.snapshot.nodes.map((n) => plugin.filter?.(cycle, n).reasons.join("; ") ?? "").join(" | ");
}

function scores(plugin: Plugin, p: Pod, world: World = {}): { raw: number[]; normalized: readonly number[] } | string {
  const cycle = cycleFor(p, world);
  const { nodes } = cycle.snapshot;
  if (plugin.preScore?.(cycle, nodes).code === "Skip") return "skip";
  const raw = nodes.map((n) => plugin.score?.(cycle, n).raw ?? 0);
  return { raw, normalized: plugin.normalize?.(cycle, nodes, raw).scores ?? raw };
}

const claim = (name: string, spec: object, annotations: Record<string, string> = {}): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name, namespace: "default", uid: name, annotations }, spec });
const volume = (name: string, spec: object, phase = "Available"): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name }, spec, status: { phase } });
const storageClass = (name: string, provisioner: string, volumeBindingMode = "WaitForFirstConsumer", more: object = {}): KubeObject => ({ apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name }, provisioner, volumeBindingMode, ...more }) as KubeObject;
const mounting = pod({ volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] });
const inZone = (zone: string) => ({ required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: [zone] }] }] } });
const BOUND = { "pv.kubernetes.io/bind-completed": "yes" };

describe("filters", () => {
  test.each([
    { name: "a cordoned node", plugin: nodeUnschedulable, p: pod(), world: { nodes: [node("n", { spec: { unschedulable: true } })] }, want: "node(s) were unschedulable" },
    { name: "a tolerated cordon", plugin: nodeUnschedulable, p: pod({ tolerations: [{ operator: "Exists" }] }), world: { nodes: [node("n", { spec: { unschedulable: true } })] }, want: "" },
    { name: "PreferNoSchedule does not filter", plugin: taintToleration, p: pod(), world: { nodes: [node("n", { spec: { taints: [{ key: "k", effect: "PreferNoSchedule" }] } })] }, want: "" },
    { name: "NoExecute filters", plugin: taintToleration, p: pod(), world: { nodes: [node("n", { spec: { taints: [{ key: "k", effect: "NoExecute" }] } })] }, want: "node(s) had untolerated taint(s)" },
    { name: "no node affinity at all", plugin: nodeAffinity, p: pod(), world: {}, want: "skip" },
    { name: "contradictory node names", plugin: nodeAffinity, p: pod({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["a"] }, { key: "metadata.name", operator: "In", values: ["b"] }] }] } } } }), world: {}, want: "pod affinity terms conflict" },
    { name: "Gt compares numbers", plugin: nodeAffinity, p: pod({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: "gen", operator: "Gt", values: ["9"] }] }] } } } }), world: { nodes: [node("a", { labels: { gen: "10" } }), node("b", { labels: { gen: "9" } })] }, want: " | node(s) didn't match Pod's node affinity/selector" },
    { name: "a port is free on another address", plugin: nodePorts, p: pod({ containers: [{ name: "c", ports: [{ containerPort: 1, hostPort: 80, hostIP: "10.0.0.1" }] }] }), world: { pods: [pod({ nodeName: "n", containers: [{ name: "c", ports: [{ containerPort: 1, hostPort: 80, hostIP: "10.0.0.2" }] }] }, {}, "q")] }, want: "" },
    { name: "an extended resource", plugin: nodeResourcesFit, p: pod({ containers: [{ name: "c", resources: { requests: { "example.com/gpu": "1", cpu: "8" } } }] }), world: {}, want: "Insufficient cpu; Insufficient example.com/gpu" },
    { name: "an init container asks for more than the rest", plugin: nodeResourcesFit, p: pod({ initContainers: [{ name: "i", resources: { requests: { cpu: "5" } } }], ...asking("1") }), world: {}, want: "Insufficient cpu" },
    { name: "a feature that the node does not declare", plugin: nodeDeclaredFeatures, p: pod({ hostNetwork: true, hostUsers: false }), world: {}, want: "node(s) didn't match Pod's required features" },
  ] satisfies readonly { name: string; plugin: Plugin; p: Pod; world: World; want: string }[])("$name", ({ plugin, p, world, want }) => expect(verdict(plugin, p, world)).toBe(want));
});

describe("volumes", () => {
  const zones = [node("a", { labels: { zone: "a" } }), node("b", { labels: { zone: "b" } })];
  const wffc = storageClass("local", "kubernetes.io/no-provisioner");
  test.each([
    { name: "a missing claim", plugin: volumeRestrictions, objects: [], want: 'persistentvolumeclaim "data" not found' },
    { name: "an unbound claim that binds at once", plugin: volumeBinding, objects: [claim("data", { storageClassName: "fast" }), storageClass("fast", "csi", "Immediate")], want: "pod has unbound immediate PersistentVolumeClaims" },
    { name: "a lost claim", plugin: volumeBinding, objects: [{ ...claim("data", { volumeName: "pv" }), status: { phase: "Lost" } }], want: 'persistentvolumeclaim "data" bound to non-existent persistentvolume "pv"' },
    { name: "a bound volume pins the Pod", plugin: volumeBinding, objects: [claim("data", { volumeName: "pv" }, BOUND), volume("pv", { nodeAffinity: inZone("b") }, "Bound")], want: "node(s) didn't match PersistentVolume's node affinity | " },
    { name: "a bound volume that is gone", plugin: volumeBinding, objects: [claim("data", { volumeName: "pv" }, BOUND)], want: "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s) | node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)" },
    { name: "a local volume on one node", plugin: volumeBinding, objects: [wffc, claim("data", { storageClassName: "local", accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } }), volume("pv", { storageClassName: "local", accessModes: ["ReadWriteOnce"], capacity: { storage: "2Gi" }, nodeAffinity: inZone("a") })], want: " | node(s) didn't find available persistent volumes to bind" },
    { name: "a local volume that is too small", plugin: volumeBinding, objects: [wffc, claim("data", { storageClassName: "local", resources: { requests: { storage: "3Gi" } } }), volume("pv", { storageClassName: "local", capacity: { storage: "2Gi" } })], want: "node(s) didn't find available persistent volumes to bind | node(s) didn't find available persistent volumes to bind" },
    { name: "provisioning is possible anywhere", plugin: volumeBinding, objects: [storageClass("csi", "csi.example.com"), claim("data", { storageClassName: "csi" })], want: " | " },
    { name: "provisioning is allowed in one zone", plugin: volumeBinding, objects: [storageClass("csi", "csi.example.com", "WaitForFirstConsumer", { allowedTopologies: [{ matchLabelExpressions: [{ key: "zone", values: ["b"] }] }] }), claim("data", { storageClassName: "csi" })], want: "node(s) didn't find available persistent volumes to bind | " },
    { name: "a volume's zone labels", plugin: volumeZone, objects: [claim("data", { volumeName: "pv" }), { ...volume("pv", {}), metadata: { name: "pv", labels: { "topology.kubernetes.io/zone": "b__c" } } }], nodes: [node("a", { labels: { "topology.kubernetes.io/zone": "a" } }), node("b", { labels: { "topology.kubernetes.io/zone": "b" } }), node("c")], want: "node(s) had no available volume zone |  | " },
    { name: "too many volumes of a driver", plugin: nodeVolumeLimits, objects: [claim("data", { volumeName: "pv" }), claim("other", { volumeName: "pv2" }), volume("pv", { csi: { driver: "d", volumeHandle: "1" } }), volume("pv2", { csi: { driver: "d", volumeHandle: "2" } }), { apiVersion: "storage.k8s.io/v1", kind: "CSINode", metadata: { name: "a" }, spec: { drivers: [{ name: "d", allocatable: { count: 1 } }] } }], want: "node(s) exceed max volume count | " },
  ] satisfies readonly { name: string; plugin: Plugin; objects: readonly KubeObject[]; nodes?: readonly Node[]; want: string }[])("$name", ({ plugin, objects, want, ...rest }) => {
    const other = pod({ nodeName: "a", volumes: [{ name: "v", persistentVolumeClaim: { claimName: "other" } }] }, {}, "q");
    expect(verdict(plugin, mounting, { nodes: "nodes" in rest ? rest.nodes : zones, pods: [other], objects })).toBe(want);
  });

  test("a ReadWriteOncePod claim in use rejects every node, and may be preempted", () => {
    const user = pod({ nodeName: "a", volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] }, {}, "q");
    const reason = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod";
    expect(verdict(volumeRestrictions, mounting, { nodes: zones, pods: [user], objects: [claim("data", { accessModes: ["ReadWriteOncePod"] })] })).toBe(`${reason} | ${reason}`);
  });
});

describe("scores", () => {
  const two = [node("a"), node("b", { status: { allocatable: { cpu: "2", memory: "8Gi", pods: "10" } } })];
  const full = { type: "RequestedToCapacityRatio", resources: [{ name: "cpu", weight: 1 }], shape: [{ utilization: 0, score: 0 }, { utilization: 100, score: 10 }] } as const;
  test.each([
    { name: "least allocated: free shares, defaults for what is not asked", plugin: nodeResourcesFit, p: pod(), world: { nodes: two }, raw: [(97 + 97) / 2, (95 + 97) / 2] },
    { name: "most allocated", plugin: nodeResourcesFit, p: pod(asking("1")), world: { nodes: two, args: { scoringStrategy: { type: "MostAllocated", resources: [{ name: "cpu", weight: 1 }] } } }, raw: [25, 50] },
    { name: "a shape that packs", plugin: nodeResourcesFit, p: pod(asking("1")), world: { nodes: two, args: { scoringStrategy: full } }, raw: [25, 50] },
    { name: "balance: 75 is neutral", plugin: nodeResourcesBalancedAllocation, p: pod(asking("1", "2Gi")), world: {}, raw: [75] },
    { name: "balance: worse", plugin: nodeResourcesBalancedAllocation, p: pod(asking("4")), world: {}, raw: [50] },
    { name: "an image on one of two nodes counts half", plugin: imageLocality, p: pod({ containers: [{ name: "c", image: "x" }] }), world: { nodes: [node("a", { status: { images: [{ names: ["x:latest"], sizeBytes: 2000 * 1024 * 1024 }] } }), node("b")] }, raw: [100, 0] },
  ] satisfies readonly { name: string; plugin: Plugin; p: Pod; world: World; raw: number[] }[])("$name", ({ plugin, p, world, raw }) => expect(scores(plugin, p, world)).toMatchObject({ raw }));

  test("balance is skipped for a Pod that asks for nothing", () => expect(scores(nodeResourcesBalancedAllocation, pod())).toBe("skip"));

  test("spreading by default needs a Service or a controller that selects the Pod", () => {
    const service: KubeObject = { apiVersion: "v1", kind: "Service", metadata: { name: "s", namespace: "default" }, spec: { selector: { app: "x" } } };
    const hosts = [node("a", { labels: { "kubernetes.io/hostname": "a" } }), node("b", { labels: { "kubernetes.io/hostname": "b" } })];
    const pods = [pod({ nodeName: "a" }, { app: "x" }, "q")];
    expect(scores(podTopologySpread, pod({}, { app: "x" }), { nodes: hosts, pods })).toBe("skip");
    // One Pod on a: round(1 x ln(4) + 2) = 3 against 2; no zones, so only the hostname counts.
    expect(scores(podTopologySpread, pod({}, { app: "x" }), { nodes: hosts, pods, objects: [service] })).toEqual({ raw: [3, 2], normalized: [66, 100] });
  });
});
