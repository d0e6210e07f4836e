import { describe, expect, test } from "vitest";
import type { Device, ResourceClaim, ResourceSlice } from "../api/resource-claims.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import type { Decision } from "./decision.ts";
import { listersOf } from "./listers.ts";
import { schedulePod } from "./schedule-pod.ts";
import { snapshotOf } from "./snapshot.ts";
import { asking, oneNode, Rig, stored, worldOf } from "./testdata/scheduler-rig.ts";

const resource = (kind: string, name: string, more: object, namespaced = true): KubeObject => stored({ apiVersion: "resource.k8s.io/v1", kind, metadata: { name }, ...more } as KubeObject, "1", namespaced);
const deviceClass = (name = "gpu", expression = 'device.driver == "gpu.example.com"'): KubeObject => resource("DeviceClass", name, { spec: { selectors: [{ cel: { expression } }] } }, false);
const slice = (node: string, devices: readonly (Device | string)[], more: object = {}): KubeObject =>
  resource("ResourceSlice", `${node}-gpu`, { spec: { driver: "gpu.example.com", pool: { name: node, generation: 1, resourceSliceCount: 1 }, nodeName: node, devices: devices.map((d) => (typeof d === "string" ? { name: d } : d)), ...more } }, false);
const gpu = (name: string, model: string, memory: string, more: Partial<Device> = {}): Device => ({ name, attributes: { model: { string: model }, numa: { int: name.endsWith("0") ? 0 : 1 } }, capacity: { memory: { value: memory } }, ...more });
const claim = (name: string, requests: readonly object[], more: object = {}, status?: object): KubeObject => resource("ResourceClaim", name, { spec: { devices: { requests, ...more } }, ...(status ? { status } : {}) });
const exactly = (name: string, more: object = {}): object => ({ name, exactly: { deviceClassName: "gpu", ...more } });
const selecting = (expression: string): object => ({ selectors: [{ cel: { expression } }] });
const using = (name: string, ...claims: string[]): Pod => asking(name, "100m", 0, { resourceClaims: claims.map((resourceClaimName, i) => ({ name: `c${i}`, resourceClaimName })) });
const given = (device: string, node = "n1", more: object = {}): object => ({
  allocation: { devices: { results: [{ request: "r", driver: "gpu.example.com", pool: node, device, ...more }] }, nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] }] } },
});

function decide(objects: readonly KubeObject[], pod: Pod): Decision {
  const nodes = ["n1", "n2"].map((name) => oneNode(name, "4"));
  return schedulePod(snapshotOf(nodes as never, [], listersOf(objects)), pod);
}
/** request=pool/device of all claims of the decision. */
const devices = (decision: Decision): string => (decision.claims ?? []).flatMap(({ allocation }) => (allocation?.devices.results ?? []).map((r) => `${r.request}=${r.pool}/${r.device}`)).join(" ");

describe("devices for a claim", () => {
  const two = [slice("n2", [gpu("gpu-0", "a", "10Gi"), gpu("gpu-1", "b", "40Gi")]), deviceClass()];
  test.each<[string, readonly KubeObject[], string]>([
    ["the first that the class selects", [...two, claim("c", [exactly("r")])], "r=n2/gpu-0"],
    ["by an attribute", [...two, claim("c", [exactly("r", selecting('device.attributes["gpu.example.com"].model == "b"'))])], "r=n2/gpu-1"],
    ["by capacity", [...two, claim("c", [exactly("r", selecting('device.capacity["gpu.example.com"].memory.compareTo(quantity("20Gi")) >= 0'))])], "r=n2/gpu-1"],
    ["by an attribute of a domain that no device knows", [...two, claim("c", [exactly("r", selecting('!("x" in device.attributes["other.example.com"])'))])], "r=n2/gpu-0"],
    ["as many as it counts", [...two, claim("c", [exactly("r", { allocationMode: "ExactCount", count: 2 })])], "r=n2/gpu-0 r=n2/gpu-1"],
    ["all that there are", [...two, claim("c", [exactly("r", { allocationMode: "All" })])], "r=n2/gpu-0 r=n2/gpu-1"],
    ["never one twice", [...two, claim("c", [exactly("r"), exactly("s")])], "r=n2/gpu-0 s=n2/gpu-1"],
    ["another choice for the first request if the second needs its device", [...two, claim("c", [exactly("r"), exactly("s", selecting('device.attributes["gpu.example.com"].model == "a"'))])], "r=n2/gpu-1 s=n2/gpu-0"],
    ["one that another claim has, for its administrator", [...two, claim("c", [exactly("r", { adminAccess: true })]), claim("d", [exactly("r")], {}, given("gpu-0", "n2"))], "r=n2/gpu-0"],
    ["one that an administrator has too", [...two, claim("c", [exactly("r")]), claim("d", [exactly("r")], {}, given("gpu-0", "n2", { adminAccess: true }))], "r=n2/gpu-0"],
    ["not one that another claim has", [...two, claim("c", [exactly("r")]), claim("d", [exactly("r")], {}, given("gpu-0", "n2"))], "r=n2/gpu-1"],
    ["the first alternative that can be met", [...two, claim("c", [{ name: "r", firstAvailable: [{ name: "big", deviceClassName: "gpu", count: 3 }, { name: "small", deviceClassName: "gpu" }] }])], "r/small=n2/gpu-0"],
    ["with an attribute in common", [slice("n1", [gpu("x0", "a", "1Gi"), gpu("x1", "a", "1Gi"), gpu("y1", "a", "1Gi")]), deviceClass(), claim("c", [exactly("r"), exactly("s")], { constraints: [{ matchAttribute: "gpu.example.com/numa" }] })], "r=n1/x1 s=n1/y1"],
    ["with an attribute that differs", [slice("n1", [gpu("x1", "a", "1Gi"), gpu("y1", "a", "1Gi"), gpu("x0", "a", "1Gi")]), deviceClass(), claim("c", [exactly("r"), exactly("s")], { constraints: [{ distinctAttribute: "gpu.example.com/numa" }] })], "r=n1/x1 s=n1/x0"],
    ["not one that is tainted", [slice("n1", [gpu("x", "a", "1Gi", { taints: [{ key: "sick", effect: "NoSchedule" }] }), "y"]), deviceClass(), claim("c", [exactly("r")])], "r=n1/y"],
    ["one whose taint the request tolerates", [slice("n1", [gpu("x", "a", "1Gi", { taints: [{ key: "sick", effect: "NoExecute" }] })]), deviceClass(), claim("c", [exactly("r", { tolerations: [{ key: "sick", operator: "Exists" }] })])], "r=n1/x"],
    ["of every node, if the pool is for all", [slice("shared", ["x"], { nodeName: undefined, allNodes: true }), deviceClass(), claim("c", [exactly("r")])], "r=shared/x"],
  ])("%s", (_, objects, expected) => {
    const decision = decide(objects, using("p", "c"));
    expect([decision.outcome, devices(decision)]).toEqual(["scheduled", expected]);
  });

  test.each<[string, readonly KubeObject[], string]>([
    ["too few devices", [...two, claim("c", [exactly("r", { count: 3 })])], "0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."],
    ["all of none", [deviceClass(), claim("c", [exactly("r", { allocationMode: "All" })])], "0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."],
    ["no class", [claim("c", [exactly("r")])], "0/2 nodes are available: request r: device class gpu does not exist. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."],
    ["a class of an alternative", [deviceClass(), claim("c", [{ name: "r", firstAvailable: [{ name: "a", deviceClassName: "gpu" }, { name: "b", deviceClassName: "tpu" }] }])], "0/2 nodes are available: request r/b: device class tpu does not exist. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."],
    ["two devices of one name", [slice("n1", ["x", "x"]), deviceClass(), claim("c", [exactly("r")])], "0/2 nodes are available: 1 cannot allocate all claims, 1 invalid resource pools were encountered. still not schedulable, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."],
    ["a pool that is just being published", [slice("n1", ["x"], { pool: { name: "n1", generation: 1, resourceSliceCount: 2 } }), deviceClass(), claim("c", [exactly("r")])], "0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."],
    ["more than a claim can have", [deviceClass(), claim("c", [exactly("r", { count: 33 })])], 'running "DynamicResources" filter plugin: claim default/c: number of requested devices 33 exceeds the claim limit of 32'],
  ])("%s", (_, objects, message) => {
    expect(decide(objects, using("p", "c")).message).toBe(message);
  });

  test("that it has already ties the Pod to their node; unused ones out of reach are given back", () => {
    const claims = [claim("c", [exactly("r")], {}, given("gpu-0", "n2")), deviceClass()];
    expect(decide(claims, using("p", "c"))).toMatchObject({ outcome: "scheduled", node: "n2" });
    const elsewhere = decide([deviceClass(), claim("c", [exactly("r")], {}, given("gpu-0", "n9"))], using("p", "c"));
    expect(elsewhere.message).toContain("2 resourceclaim not available on the node. deallocation of ResourceClaim completed, preemption:");
    expect(elsewhere.deallocates?.metadata.name).toBe("c");
    const shared = { ...given("gpu-0", "n9"), reservedFor: [{ resource: "pods", name: "a", uid: "a" }] };
    expect(decide([deviceClass(), claim("c", [exactly("r")], {}, shared)], using("p", "c")).deallocates).toBeUndefined();
  });

  test("score more for an earlier alternative", () => {
    const objects = [slice("n1", ["x"]), slice("n2", ["x", "y"]), deviceClass(), claim("c", [{ name: "r", firstAvailable: [{ name: "two", deviceClassName: "gpu", count: 2 }, { name: "one", deviceClassName: "gpu" }] }])];
    const scores = decide(objects, using("p", "c")).scores.find((s) => s.plugin === "DynamicResources");
    expect(Object.fromEntries((scores?.nodes ?? []).map((n) => [n.node, [n.raw, n.normalized, n.weighted]]))).toEqual({ n1: [7, 87, 174], n2: [8, 100, 200] });
  });
});

const allocatable = [oneNode("n1", "4"), slice("n1", ["x", "y"]), deviceClass()];
const answered = (object: unknown, resourceVersion: string): KubeObject => ({ ...(object as KubeObject), metadata: { ...(object as KubeObject).metadata, resourceVersion } });
const claimPuts = (rig: Rig) => rig.requests("PUT", "/resourceclaims/");

describe("PreBind", () => {
  function started(...pods: Pod[]): Rig {
    const rig = new Rig(worldOf([...allocatable, claim("c", [exactly("r")])]));
    for (const pod of pods) rig.watch("ADDED", pod);
    rig.run(100_000);
    return rig;
  }

  test("writes the finalizer, then devices and user, then the Binding", () => {
    const rig = started(using("p", "c"));
    expect(rig.requests("PATCH", "/pods/p/status")[0]?.request.body).toEqual({ status: { nominatedNodeName: "n1" } });
    const [first] = claimPuts(rig);
    expect(first?.request.body).toHaveProperty("metadata.finalizers", ["resource.kubernetes.io/delete-protection"]);
    rig.answer(first?.id ?? 0, 200, answered(first?.request.body, "20"));
    const second = claimPuts(rig)[1];
    expect(second?.request.path).toBe("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c/status");
    expect((second?.request.body as ResourceClaim | undefined)?.status).toMatchObject({ allocation: { devices: { results: [{ request: "r", driver: "gpu.example.com", pool: "n1", device: "x" }] } }, reservedFor: [{ resource: "pods", name: "p", uid: "uid-p" }] });
    expect(rig.requests("POST", "/binding")).toEqual([]);
    rig.answer(second?.id ?? 0, 200, answered(second?.request.body, "21"));
    rig.run(200_000);
    expect(rig.requests("POST", "/binding")).toHaveLength(1);
    expect(rig.state.snapshot.listers).toMatchObject({ pendingClaims: [], resourceClaims: [{ metadata: { resourceVersion: "21" } }] });
  });

  test("makes a second Pod of the claim wait until it is written", () => {
    const rig = started(using("p", "c"), using("q", "c"));
    expect(rig.notes()).toContain("0/1 nodes are available: resource claim default/c is in the process of being allocated. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
    for (const i of [0, 1]) rig.answer(claimPuts(rig)[i]?.id ?? 0, 200, answered(claimPuts(rig)[i]?.request.body, `2${i}`));
    rig.watch("MODIFIED", answered(claimPuts(rig)[1]?.request.body, "21"));
    rig.run(3_000_000);
    expect((claimPuts(rig)[2]?.request.body as ResourceClaim | undefined)?.status?.reservedFor?.map((r) => r.name)).toEqual(["p", "q"]);
  });

  test.each<[string, (rig: Rig) => void, string]>([
    ["refused", (rig) => rig.answer(claimPuts(rig)[0]?.id ?? 0, 422, { kind: "Status", message: "no" }), "add finalizer to claim default/c: no"],
    ["refused in its status", (rig) => {
      rig.answer(claimPuts(rig)[0]?.id ?? 0, 200, answered(claimPuts(rig)[0]?.request.body, "20"));
      rig.answer(claimPuts(rig)[1]?.id ?? 0, 500, { kind: "Status", message: "no" });
    }, "add allocation and reservation to claim default/c: no"],
    ["allocated by another scheduler", (rig) => {
      rig.answer(claimPuts(rig)[0]?.id ?? 0, 409, { kind: "Status", message: "conflict" });
      rig.answer(rig.requests("GET", "/resourceclaims/c")[0]?.id ?? 0, 200, { ...claim("c", [exactly("r")], {}, given("y")) });
    }, "claim default/c got allocated elsewhere in the meantime"],
  ])("fails if the claim is %s", (_, happen, text) => {
    const rig = started(using("p", "c"));
    happen(rig);
    expect(rig.notes()).toEqual([`running PreBind plugin "DynamicResources": ${text}`]);
    expect(rig.state.snapshot.listers.pendingClaims).toEqual([]);
    expect(rig.state.queue.podErrorBackoffQ).toHaveLength(1);
  });
});

describe("a Pod whose claim is not there", () => {
  const fromTemplate = asking("p", "100m", 0, { resourceClaims: [{ name: "c", resourceClaimTemplateName: "t" }] });
  test.each<[string, readonly KubeObject[], Pod, string]>([
    ["named", [], using("p", "c"), 'could not find ResourceClaim "default/c"'],
    ["being deleted", [{ ...claim("c", []), metadata: { ...claim("c", []).metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } }], using("p", "c"), 'resourceclaim "c" is being deleted'],
    ["not made from its template yet", [], fromTemplate, 'pod "default/p": ResourceClaim not created yet'],
    ["somebody else's", [claim("c", [])], { ...fromTemplate, status: { resourceClaimStatuses: [{ name: "c", resourceClaimName: "c" }] } }, "ResourceClaim default/c was not created for Pod default/p (Pod is not owner)"],
  ])("is gated without any event: %s", (_, objects, pod, gate) => {
    const rig = new Rig(worldOf([...allocatable, ...objects]));
    rig.watch("ADDED", pod);
    rig.run(100_000);
    expect(rig.state.queue.unschedulablePods.map((q) => [q.gatingPlugin, q.gated])).toEqual([["DynamicResources", gate]]);
    expect([...rig.notes(), ...rig.requests("PATCH", "/pods/")]).toEqual([]);
  });

  test("comes into the queue with the claim, or with its name in the Pod's status", () => {
    const rig = new Rig(worldOf(allocatable));
    rig.watch("ADDED", using("p", "c"));
    rig.watch("ADDED", claim("other", []));
    expect(rig.state.queue.unschedulablePods).toHaveLength(1);
    rig.watch("ADDED", { ...claim("c", [exactly("r")]), metadata: { ...claim("c", []).metadata, resourceVersion: "30" } });
    expect(rig.state.queue.unschedulablePods).toEqual([]);
    const named: Pod = { ...fromTemplate, metadata: { ...fromTemplate.metadata, name: "q", uid: "uid-q" } };
    rig.watch("ADDED", named);
    expect(rig.state.queue.unschedulablePods).toHaveLength(1);
    rig.watch("MODIFIED", { ...named, metadata: { ...named.metadata, resourceVersion: "31" }, status: { resourceClaimStatuses: [{ name: "c" }] } } as Pod);
    expect(rig.state.queue.unschedulablePods).toEqual([]);
  });
});

test.each<[string, (rig: Rig) => void, boolean]>([
  ["a claim gives devices back", (rig) => rig.watch("MODIFIED", answered({ ...claim("d", [exactly("r")]) }, "40")), true],
  ["another claim is made", (rig) => rig.watch("ADDED", answered(claim("e", []), "40")), false],
  ["a ResourceSlice changes", (rig) => rig.watch("MODIFIED", answered(slice("n1", ["x", "y"]), "40") as ResourceSlice), true],
  ["a ResourceSlice goes", (rig) => rig.watch("DELETED", slice("n1", ["x"]) as ResourceSlice), false],
  ["a DeviceClass is made", (rig) => rig.watch("ADDED", answered(deviceClass("tpu"), "40")), true],
  ["a node gets a label", (rig) => rig.watch("MODIFIED", answered({ ...oneNode("n1", "4", { a: "b" }) }, "40")), true],
  ["a node is cordoned", (rig) => rig.watch("MODIFIED", answered({ ...oneNode("n1", "4"), spec: { unschedulable: true } }, "40")), false],
])("a Pod without devices is tried again when %s", (_, happen, woken) => {
  const rig = new Rig(worldOf([oneNode("n1", "4"), slice("n1", ["x"]), deviceClass(), claim("c", [exactly("r")]), claim("d", [exactly("r")], {}, given("x"))]));
  rig.watch("ADDED", using("p", "c"));
  rig.run(100_000);
  expect(rig.state.queue.unschedulablePods).toHaveLength(1);
  happen(rig);
  expect(rig.state.queue.unschedulablePods.length === 0).toBe(woken);
});
