import { describe, expect, test } from "vitest";
import type { KubeObject, Pod } from "../api/types.ts";
import { asking, oneNode, Rig, stored, worldOf } from "./testdata/scheduler-rig.ts";

const object = (kind: string, name: string, more: object, annotations?: Record<string, string>): KubeObject =>
  stored({ apiVersion: kind === "StorageClass" ? "storage.k8s.io/v1" : "v1", kind, metadata: { name, ...(annotations ? { annotations } : {}) }, ...more } as KubeObject, "1", kind === "PersistentVolumeClaim");

const csi = object("StorageClass", "csi", { provisioner: "csi.example.com", volumeBindingMode: "WaitForFirstConsumer" });
const local = object("StorageClass", "local", { provisioner: "kubernetes.io/no-provisioner", volumeBindingMode: "WaitForFirstConsumer" });
const claim = (name: string, storageClassName: string): KubeObject => object("PersistentVolumeClaim", name, { spec: { storageClassName, accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } });
const disk = (name: string, node: string): KubeObject =>
  object("PersistentVolume", name, {
    spec: { storageClassName: "local", capacity: { storage: "2Gi" }, accessModes: ["ReadWriteOnce"], nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "host", operator: "In", values: [node] }] }] } } },
    status: { phase: "Available" },
  });
const using = (name: string, ...claims: string[]): Pod => asking(name, "100m", 0, { volumes: claims.map((claimName, i) => ({ name: `v${i}`, persistentVolumeClaim: { claimName } })) });
const nodes = [oneNode("n1", "4", { host: "n1" })];
const changed = (o: KubeObject, resourceVersion: string, annotations: Record<string, string> | undefined, spec: object = {}): KubeObject => {
  const { annotations: _, ...metadata } = o.metadata;
  return { ...o, metadata: { ...metadata, resourceVersion, ...(annotations ? { annotations } : {}) }, spec: { ...(o["spec"] as object), ...spec } } as KubeObject;
};
const SELECTED = { "volume.kubernetes.io/selected-node": "n1" };
const COMPLETED = { ...SELECTED, "pv.kubernetes.io/bind-completed": "yes" };

/** A Pod on its way with one claim that a provisioner is asked for; the PUT is answered. */
function provisioning(): { rig: Rig; data: KubeObject } {
  const data = claim("data", "csi");
  const rig = new Rig(worldOf([...nodes, csi, data]));
  rig.watch("ADDED", using("db", "data"));
  rig.run(20_000);
  const [put] = rig.requests("PUT", "/persistentvolumeclaims/data");
  rig.answer(put?.id ?? 0, 200, changed(data, "20", SELECTED));
  rig.watch("MODIFIED", changed(data, "20", SELECTED));
  return { rig, data };
}

describe("a claim that binds on first use", () => {
  test("is annotated with the node, and the Binding waits until it is bound", () => {
    const { rig, data } = provisioning();
    expect(rig.requests("PUT", "/persistentvolumeclaims/data")[0]?.request.body).toHaveProperty("metadata.annotations", SELECTED);
    expect(rig.requests("PATCH", "/pods/db/status")[0]?.request.body).toEqual({ status: { nominatedNodeName: "n1" } });
    rig.run(3_000_000);
    expect(rig.requests("POST", "/binding")).toEqual([]);
    rig.watch("MODIFIED", changed(data, "30", COMPLETED, { volumeName: "pvc-1" }));
    rig.run(5_000_000);
    // The volume that the claim names is not known yet.
    expect(rig.requests("POST", "/binding")).toEqual([]);
    rig.watch("ADDED", object("PersistentVolume", "pvc-1", { spec: {} }));
    rig.run(7_000_000);
    expect(rig.requests("POST", "/binding")).toHaveLength(1);
  });

  test.each<[string, (rig: Rig, data: KubeObject) => void, string]>([
    ["whose provisioner takes the node off again", (rig, data) => rig.watch("MODIFIED", changed(data, "30", { other: "x" })), 'provisioning failed for PVC "data"'],
    ["that loses all its annotations", (rig, data) => rig.watch("MODIFIED", changed(data, "30", undefined)), 'selectedNode annotation reset for PVC "data"'],
    ["that is deleted", (rig, data) => rig.watch("DELETED", data), 'failed to check provisioning pvc: persistentvolumeclaims "default/data" not found'],
    ["of a Pod that is deleted", (rig) => rig.watch("DELETED", using("db", "data")), 'pod does not exist any more: pod "db" not found'],
    ["that is never bound within ten minutes", (rig) => rig.run(600_500_000), "context deadline exceeded"],
  ])("%s fails the binding cycle", (_, happen, text) => {
    const { rig, data } = provisioning();
    happen(rig, data);
    rig.run(602_000_000);
    expect(rig.notes().filter((note) => note.startsWith("running PreBind"))[0]).toBe(`running PreBind plugin "VolumeBinding": binding volumes: ${text}`);
    expect(rig.state.bindings.map((b) => b.startedAt > 1_000_000)).not.toContain(false);
  });

  test("that cannot be written fails with the API server's words; what was assumed is taken back", () => {
    const data = claim("data", "csi");
    const rig = new Rig(worldOf([...nodes, csi, data]));
    rig.watch("ADDED", using("db", "data"));
    rig.run(20_000);
    expect(rig.state.snapshot.listers.persistentVolumeClaims[0]?.metadata.annotations).toEqual(SELECTED);
    rig.answer(rig.requests("PUT", "/persistentvolumeclaims/data")[0]?.id ?? 0, 409, { kind: "Status", message: "conflict" });
    expect(rig.notes()).toContain('running PreBind plugin "VolumeBinding": conflict');
    expect(rig.state.snapshot.listers.persistentVolumeClaims).toEqual([data]);
    expect(rig.state.queue.podErrorBackoffQ).toHaveLength(1);
  });
});

test("a free volume is claimed, and the next Pod sees it as taken before the API server does", () => {
  const rig = new Rig(worldOf([...nodes, local, claim("a", "local"), claim("b", "local"), disk("disk-1", "n1")]));
  rig.watch("ADDED", using("first", "a"));
  rig.watch("ADDED", using("second", "b"));
  rig.run(20_000);
  const puts = rig.requests("PUT", "/persistentvolumes/");
  expect(puts).toHaveLength(1);
  expect(puts[0]?.request.body).toMatchObject({ metadata: { annotations: { "pv.kubernetes.io/bound-by-controller": "yes" } }, spec: { claimRef: { kind: "PersistentVolumeClaim", namespace: "default", name: "a", uid: "uid-PersistentVolumeClaim-a" } } });
  expect(rig.notes()[0]).toContain("1 node(s) didn't find available persistent volumes to bind");
});

test("volumes are written one after the other", () => {
  const rig = new Rig(worldOf([...nodes, csi, claim("a", "csi"), claim("b", "csi")]));
  rig.watch("ADDED", using("db", "a", "b"));
  rig.run(20_000);
  expect(rig.requests("PUT", "/persistentvolumeclaims/").map(({ request }) => request.path.split("/").at(-1))).toEqual(["a"]);
  rig.answer(rig.requests("PUT", "/persistentvolumeclaims/a")[0]?.id ?? 0, 200);
  expect(rig.requests("PUT", "/persistentvolumeclaims/").map(({ request }) => request.path.split("/").at(-1))).toEqual(["a", "b"]);
});

test("a Pod that waits for volumes is preempted in the scheduler's memory", () => {
  const data = claim("data", "csi");
  const rig = new Rig(worldOf([oneNode(), csi, data]));
  rig.watch("ADDED", asking("low", "800m", 1, { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] }));
  rig.run(20_000);
  rig.watch("ADDED", asking("high", "500m", 100));
  rig.run(40_000);
  expect(rig.requests("DELETE", "/pods/low")).toEqual([]);
  expect(rig.notes()).toContain("Preempted by pod uid-high on node n1 (in kube-scheduler memory).");
  expect(rig.notes()).toContain('running PreBind plugin "VolumeBinding": preempted by DefaultPreemption');
  rig.run(2_000_000);
  expect(rig.requests("POST", "/binding").map(({ request }) => request.path)).toEqual(["/api/v1/namespaces/default/pods/high/binding"]);
});
