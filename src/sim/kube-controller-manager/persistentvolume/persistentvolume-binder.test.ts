// Models kubernetes/pkg/controller/volume/persistentvolume/{binder,provision,delete,recycle}_test.go: their situations, seen through the API alone
import { describe, expect, test } from "vitest";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/storage.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { createPersistentVolumeBinder, persistentVolumeBinderWatches } from "./persistentvolume-binder.ts";

const VOLUMES = "/api/v1/persistentvolumes";
const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
const BOUND = { "pv.kubernetes.io/bind-completed": "yes" };
type Notes = Readonly<Record<string, string>>;
const volume = (name: string, spec: object = {}, status: object = { phase: "Available" }, annotations?: Notes): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name, uid: `uid-${name}`, ...(annotations === undefined ? {} : { annotations }) }, spec: { capacity: { storage: "10Gi" }, accessModes: ["ReadWriteOnce"], storageClassName: "manual", ...spec }, status });
const claim = (spec: object = {}, annotations?: Notes, status: object = { phase: "Pending" }, name = "c"): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name, namespace: "default", uid: `uid-${name}`, resourceVersion: "7", ...(annotations === undefined ? {} : { annotations }) }, spec: { accessModes: ["ReadWriteOnce"], storageClassName: "manual", resources: { requests: { storage: "5Gi" } }, ...spec }, status });
const storageClass = (name: string, more: object = {}, metadata: object = {}): KubeObject => ({ apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name, uid: `uid-${name}`, ...metadata }, provisioner: "d.example", volumeBindingMode: "Immediate", ...more }) as KubeObject;
const pod = (name: string, nodeName = ""): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", uid: `uid-${name}` }, spec: { nodeName, containers: [{ name: "c" }], volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c" } }] }, status: { phase: "Pending" } });
const ref = (name: string, uid?: string) => ({ claimRef: { namespace: "default", name, ...(uid === undefined ? {} : { uid }) } });

function run(objects: readonly KubeObject[], inputs: readonly MiniInput[] = [], until = 3, refuse?: (method: string, path: string, n: number) => number | undefined) {
  let n = 0;
  const m = miniCluster((world) => [createPersistentVolumeBinder({ world }) as Component], persistentVolumeBinderWatches(), [nodeObject("n1"), ...objects], inputs, refuse === undefined ? {} : {
    refuse: (request) => {
      const code = request.path.includes("/events") ? undefined : refuse(request.method, request.path, n);
      if (code !== undefined) n++;
      return code === undefined ? undefined : { status: code, reason: "Conflict", message: "no" };
    },
  });
  m.sim.run(until * 1_000_000);
  return {
    ...m,
    claim: (name = "c") => m.list<PersistentVolumeClaim>("PersistentVolumeClaim").find((entry) => entry.metadata.name === name),
    volume: (name = "pv") => m.list<PersistentVolume>("PersistentVolume").find((entry) => entry.metadata.name === name),
    said: m.events(),
    counts: m.list("Event").map((event) => (event as unknown as { count: number }).count),
    asked: m.requests(/^(GET|PUT|PATCH|DELETE|POST) .*(persistentvolume)/),
  };
}

describe("a claim that names no volume", () => {
  test("is bound in four writes: the volume names its claim, the claim its volume, and both become Bound", () => {
    const m = run([volume("pv"), claim()]);
    expect(m.asked).toEqual([`PUT ${VOLUMES}/pv`, `PUT ${VOLUMES}/pv/status`, `PUT ${CLAIMS}/c`, `PUT ${CLAIMS}/c/status`]);
    expect(m.volume()).toMatchObject({ metadata: { annotations: { "pv.kubernetes.io/bound-by-controller": "yes" } }, spec: { claimRef: { kind: "PersistentVolumeClaim", apiVersion: "v1", namespace: "default", name: "c", uid: "uid-c", resourceVersion: "7" } }, status: { phase: "Bound" } });
    expect(m.claim()).toMatchObject({ metadata: { annotations: { ...BOUND, "pv.kubernetes.io/bound-by-controller": "yes" } }, spec: { volumeName: "pv" }, status: { phase: "Bound", capacity: { storage: "10Gi" }, accessModes: ["ReadWriteOnce"] } });
    expect(m.said).toEqual([]);
  });

  const choice = (of: object, volumes: readonly KubeObject[], classes: readonly KubeObject[] = []): string | undefined => run([claim(of), ...volumes, ...classes]).claim()?.spec.volumeName;
  const size = (storage: string) => ({ capacity: { storage } });
  test.each([
    { name: "the smallest that is large enough", of: {}, volumes: [volume("a"), volume("b", size("6Gi")), volume("c", size("4Gi"))], want: "b" },
    { name: "as few access modes as possible before the size", of: {}, volumes: [volume("a", { ...size("6Gi"), accessModes: ["ReadWriteOnce", "ReadOnlyMany"] }), volume("b", size("90Gi"))], want: "b" },
    { name: "more access modes when there is no other", of: {}, volumes: [volume("a", { accessModes: ["ReadWriteOnce", "ReadWriteMany"] })], want: "a" },
    { name: "all access modes asked for", of: { accessModes: ["ReadOnlyMany", "ReadWriteOnce"] }, volumes: [volume("a"), volume("b", { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] })], want: "b" },
    { name: "of its class only", of: {}, volumes: [volume("a", { storageClassName: "other" })], want: undefined },
    { name: "of the same volume mode", of: {}, volumes: [volume("a", { volumeMode: "Block" })], want: undefined },
    { name: "of the same attributes class", of: { volumeAttributesClassName: "fast" }, volumes: [volume("a"), volume("b", { ...size("50Gi"), volumeAttributesClassName: "fast" })], want: "b" },
    { name: "by selector", of: { selector: { matchLabels: { disk: "b" } } }, volumes: [volume("a"), { ...volume("b", size("50Gi")), metadata: { name: "b", labels: { disk: "b" } } }], want: "b" },
    { name: "one reserved by name, though larger", of: {}, volumes: [volume("a"), volume("b", { ...size("90Gi"), ...ref("c") })], want: "b" },
    { name: "not one reserved for an earlier claim of that name", of: {}, volumes: [volume("a", ref("c", "before"), { phase: "Released" })], want: undefined },
    { name: "not one that is being deleted", of: {}, volumes: [{ ...volume("a"), metadata: { name: "a", deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["f"] } }], want: undefined },
    { name: "delayed: the scheduler chooses", of: {}, volumes: [volume("a")], classes: [storageClass("manual", { volumeBindingMode: "WaitForFirstConsumer" })], want: undefined },
    { name: "delayed: but a reserved one is taken", of: {}, volumes: [volume("a", ref("c"))], classes: [storageClass("manual", { volumeBindingMode: "WaitForFirstConsumer" })], want: "a" },
  ])("gets $name", ({ of, volumes, classes, want }) => expect(choice(of, volumes, classes)).toBe(want));

  test.each([
    { name: "nothing fits and no class is named", objects: [claim({ storageClassName: "" })], said: ["FailedBinding: no persistent volumes available for this claim and no storage class is set"] },
    { name: "its class does not exist", objects: [claim()], said: ['ProvisioningFailed: storageclass.storage.k8s.io "manual" not found'] },
    { name: "its class has no provisioner", objects: [claim(), storageClass("manual", { provisioner: "kubernetes.io/no-provisioner" })], said: ["ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner"] },
    { name: "it waits for its first Pod", objects: [claim(), storageClass("manual", { volumeBindingMode: "WaitForFirstConsumer" })], said: ["WaitForFirstConsumer: waiting for first consumer to be created before binding"] },
    { name: "its Pods are not on nodes", objects: [claim(), storageClass("manual", { volumeBindingMode: "WaitForFirstConsumer" }), pod("a"), pod("b"), pod("c", "n1")], said: ["WaitForPodScheduled: waiting for pods a,b to be scheduled"] },
    { name: "its Pod is not on a node", objects: [claim(), storageClass("manual", { volumeBindingMode: "WaitForFirstConsumer" }), pod("a")], said: ["WaitForPodScheduled: waiting for pod a to be scheduled"] },
  ])("says so when $name, and again each 15 s", ({ objects, said }) => {
    const m = run(objects, [], 35);
    expect([m.said, m.claim()?.status?.phase]).toEqual([said, "Pending"]);
    expect(m.counts).toEqual([4]);
  });

  const external = (provisioner: string): string => `ExternalProvisioning: Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
  test.each([
    { name: "a driver", provisioner: "d.example", want: "d.example" },
    { name: "the driver that does the work of a plugin of old", provisioner: "kubernetes.io/aws-ebs", want: "ebs.csi.aws.com" },
  ])("is left to $name by annotations", ({ provisioner, want }) => {
    const m = run([claim(), storageClass("manual", { provisioner })]);
    expect([m.said, m.claim()?.metadata.annotations]).toEqual([[external(want)], { "volume.beta.kubernetes.io/storage-provisioner": want, "volume.kubernetes.io/storage-provisioner": want }]);
  });

  test("a refused annotation is told, and tried again by the resync", () => {
    const m = run([claim(), storageClass("manual")], [], 25, (method, path, n) => (method === "PUT" && path.endsWith("/c") && n === 0 ? 409 : undefined));
    expect(m.said).toEqual(["ProvisioningFailed: Error saving claim: no", external("d.example")]);
  });

  test("a delayed claim with a chosen node is left to the driver", () => {
    const m = run([claim({}, { "volume.kubernetes.io/selected-node": "n1" }), storageClass("manual", { volumeBindingMode: "WaitForFirstConsumer" })]);
    expect(m.said).toEqual([external("d.example")]);
  });

  test("gets the default class when one comes, the newest of several; none if it wants none", () => {
    const asDefault = { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } };
    const late = [at(5, write("POST", CLASSES, storageClass("old", {}, asDefault))), at(7, write("POST", CLASSES, storageClass("new", {}, asDefault)))];
    const m = run([claim({ storageClassName: undefined }), claim({ storageClassName: "" }, undefined, { phase: "Pending" }, "none")], late, 25);
    expect([m.claim()?.spec.storageClassName, m.claim("none")?.spec.storageClassName]).toEqual(["new", ""]);
    expect(m.said.at(-1)).toBe(external("d.example"));
  });

  test("a volume that comes later is found by the resync", () => {
    const late = [at(5, write("POST", VOLUMES, volume("pv")))];
    expect(run([claim()], late, 15).claim()?.status?.phase).toBe("Pending");
    expect(run([claim()], late, 21).claim()?.status?.phase).toBe("Bound");
  });

  test.each([1, 2, 3, 4])("a conflict in write %i does no harm", (at_) => {
    let seen = 0;
    const m = run([volume("pv"), claim()], [], 5, (method) => (method === "PUT" && ++seen === at_ ? 409 : undefined));
    expect([m.volume()?.status?.phase, m.claim()?.status?.phase, m.claim()?.spec.volumeName]).toEqual(["Bound", "Bound", "pv"]);
  });
});

describe("a claim that names its volume", () => {
  const named = (spec: object = {}, annotations?: Notes): KubeObject => claim({ volumeName: "pv", ...spec }, annotations);
  test.each([
    { name: "that is not there: waits", objects: [named()], said: [], phase: "Pending" },
    { name: "that is free: bound, without the controller's mark on the claim", objects: [named(), volume("pv")], said: [], phase: "Bound" },
    { name: "that is reserved for it: bound", objects: [named(), volume("pv", ref("c"))], said: [], phase: "Bound" },
    { name: "that is too small", objects: [named(), volume("pv", { capacity: { storage: "1Gi" } })], said: ['VolumeMismatch: Cannot bind to requested volume "pv": requested PV is too small'], phase: "Pending" },
    { name: "of another class", objects: [named(), volume("pv", { storageClassName: "x" })], said: ['VolumeMismatch: Cannot bind to requested volume "pv": storageClassName does not match'], phase: "Pending" },
    { name: "of another attributes class", objects: [named(), volume("pv", { volumeAttributesClassName: "x" })], said: ['VolumeMismatch: Cannot bind to requested volume "pv": volumeAttributesClassName does not match'], phase: "Pending" },
    { name: "of another mode", objects: [named(), volume("pv", { volumeMode: "Block" })], said: ['VolumeMismatch: Cannot bind to requested volume "pv": incompatible volumeMode'], phase: "Pending" },
    { name: "with other access modes", objects: [named(), volume("pv", { accessModes: ["ReadOnlyMany"] })], said: ['VolumeMismatch: Cannot bind to requested volume "pv": incompatible accessMode'], phase: "Pending" },
    { name: "that is another's", objects: [named(), volume("pv", ref("other", "u"), { phase: "Released" })], said: ['FailedBinding: volume "pv" already bound to a different claim.'], phase: "Pending" },
  ])("$name", ({ objects, said, phase }) => {
    const m = run(objects);
    expect([m.said, m.claim()?.status?.phase, m.claim()?.metadata.annotations?.["pv.kubernetes.io/bound-by-controller"]]).toEqual([said, phase, undefined]);
  });

  test("that another has, although the controller chose it: an error, again and again", () => {
    const m = run([named({}, { "pv.kubernetes.io/bound-by-controller": "yes" }), volume("pv", ref("other", "u"), { phase: "Released" })], [], 1);
    expect(m.said).toEqual(['FailedBinding: volume "pv" already bound to a different claim.']);
    expect(m.counts[0]).toBeGreaterThan(4);
  });

  test("what the volume is passes to the claim's status as it becomes bound", () => {
    const m = run([named({ volumeAttributesClassName: "fast" }), volume("pv", { volumeAttributesClassName: "fast", accessModes: ["ReadWriteOnce", "ReadOnlyMany"] }, { phase: "Available" }, { "volume.alpha.kubernetes.io/pre-resize-capacity": "3Gi" })]);
    expect(m.claim()?.status).toEqual({ phase: "Bound", accessModes: ["ReadWriteOnce", "ReadOnlyMany"], capacity: { storage: "3Gi" }, currentVolumeAttributesClassName: "fast" });
  });
});

describe("a claim that was bound", () => {
  const bound = (spec: object = {}): KubeObject => claim({ volumeName: "pv", ...spec }, BOUND, { phase: "Bound", capacity: { storage: "10Gi" }, accessModes: ["ReadWriteOnce"] });
  test.each([
    { name: "has lost its volume's name", objects: [bound({ volumeName: "" })], said: ["ClaimLost: Bound claim has lost reference to PersistentVolume. Data on the volume is lost!"], phase: "Lost" },
    { name: "has lost its volume", objects: [bound()], said: ["ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!"], phase: "Lost" },
    { name: "finds another claim on its volume", objects: [bound(), volume("pv", ref("other", "u"), { phase: "Bound" }), claim({ volumeName: "pv" }, BOUND, { phase: "Bound", capacity: { storage: "10Gi" }, accessModes: ["ReadWriteOnce"] }, "other")], said: ["ClaimMisbound: Two claims are bound to the same volume, this one is bound incorrectly"], phase: "Lost" },
    { name: "finds its volume without a claim: bound again", objects: [bound(), volume("pv")], said: [], phase: "Bound" },
  ])("$name", ({ objects, said, phase }) => {
    const m = run(objects);
    expect([m.said.filter((text) => !text.startsWith("ClaimMisbound") || phase === "Lost").slice(0, 1), m.claim()?.status?.phase]).toEqual([said, phase]);
    if (phase === "Lost") expect(m.claim()?.status).toEqual({ phase: "Lost" });
  });

  test("a volume that goes is missed at once; one that comes back is found by the resync", () => {
    const goes = at(1, write("DELETE", `${VOLUMES}/pv`));
    expect(run([bound(), volume("pv", ref("c", "uid-c"), { phase: "Bound" })], [goes], 1.5).claim()?.status?.phase).toBe("Lost");
    const back = at(5, write("POST", VOLUMES, volume("pv", ref("c", "uid-c"), {})));
    expect(run([bound(), volume("pv", ref("c", "uid-c"), { phase: "Bound" })], [goes, back], 25).claim()?.status?.phase).toBe("Bound");
  });
});

describe("a volume", () => {
  const used = (spec: object, annotations?: Notes, status: object = { phase: "Bound" }): KubeObject => volume("pv", { storageClassName: "", ...ref("gone", "u"), ...spec }, status, annotations);

  test.each([
    { name: "that is new becomes Available", objects: [volume("pv", {}, {})], phase: "Available" },
    { name: "that is reserved is Available too", objects: [volume("pv", ref("later"), {})], phase: "Available" },
    { name: "of a claim that names it is Bound", objects: [volume("pv", ref("c", "uid-c"), {}), claim({ volumeName: "pv" }, BOUND, { phase: "Bound", capacity: { storage: "10Gi" }, accessModes: ["ReadWriteOnce"] })], phase: "Bound" },
    { name: "made for a claim is bound to it", objects: [volume("pv", ref("c", "uid-c"), {}), claim()], phase: "Bound" },
  ])("$name", ({ objects, phase }) => expect(run(objects).volume()?.status?.phase).toBe(phase));

  test.each([
    { name: "Retain", spec: { persistentVolumeReclaimPolicy: "Retain", hostPath: { path: "/data" } }, phase: "Released", said: [], asked: ["GET claim", "PUT status"] },
    { name: "Delete of a directory below /tmp", spec: { persistentVolumeReclaimPolicy: "Delete", hostPath: { path: "/tmp/x" } }, phase: undefined, said: [], asked: ["GET claim", "PUT status", "GET", "GET", "DELETE"] },
    { name: "Delete of another directory", spec: { persistentVolumeReclaimPolicy: "Delete", hostPath: { path: "/data" } }, phase: "Failed", said: ["VolumeFailedDelete: host_path deleter only supports /tmp/.+ but received provided /data"], asked: ["GET claim", "PUT status", "GET", "PUT status"] },
    { name: "Delete where nobody can", spec: { persistentVolumeReclaimPolicy: "Delete", nfs: { server: "s", path: "/" } }, phase: "Failed", said: ['VolumeFailedDelete: error getting deleter volume plugin for volume "pv": no deletable volume plugin matched'], asked: ["GET claim", "PUT status", "PUT status"] },
    { name: "Delete by a driver", spec: { persistentVolumeReclaimPolicy: "Delete", csi: { driver: "d", volumeHandle: "h" } }, phase: "Released", said: [], asked: ["GET claim", "PUT status"] },
    { name: "Recycle", spec: { persistentVolumeReclaimPolicy: "Recycle", nfs: { server: "s", path: "/" } }, phase: "Available", said: ["VolumeRecycled: Volume recycled"], asked: ["GET claim", "PUT status", "GET", "PUT", "PUT status"] },
    { name: "Recycle where nobody can", spec: { persistentVolumeReclaimPolicy: "Recycle", local: { path: "/" } }, phase: "Failed", said: ["VolumeFailedRecycle: No recycler plugin found for the volume!"], asked: ["GET claim", "PUT status", "GET", "PUT status"] },
  ])("its claim is gone: $name", ({ spec, phase, said, asked }) => {
    const m = run([used(spec)], [], 10);
    expect([m.volume()?.status?.phase, m.said]).toEqual([phase, said]);
    expect(m.asked.map((request) => request.replace(`${CLAIMS}/gone`, "claim").replace(`${VOLUMES}/pv/status`, "status").replace(` ${VOLUMES}/pv`, "")).slice(0, asked.length)).toEqual(asked);
  });

  test("why it failed stands in its status", () => expect(run([used({ persistentVolumeReclaimPolicy: "Delete", hostPath: { path: "/data" } })]).volume()?.status).toMatchObject({ phase: "Failed", message: "host_path deleter only supports /tmp/.+ but received provided /data" }));

  test("its claim is gone and another has its name: released, after a look at the server", () => {
    const m = run([volume("pv", ref("c", "before"), { phase: "Bound" }), claim({ storageClassName: "" })]);
    expect([m.volume()?.status?.phase, m.asked[0]]).toEqual(["Released", `GET ${CLAIMS}/c`]);
  });

  test("it is recycled only when no Pod uses it", () => {
    const m = run([volume("pv", { ...ref("c", "u"), persistentVolumeReclaimPolicy: "Recycle", hostPath: { path: "/x" } }, { phase: "Bound" }), pod("user", "n1")], [], 25);
    expect([m.said, m.volume()?.status?.phase]).toEqual([["VolumeFailedRecycle: Volume is used by pods: default/user"], "Released"]);
    // At once, when the cache hears of the phase, and with each resync.
    expect(m.counts).toEqual([4]);
  });

  const elsewhere = claim({ volumeName: "other", storageClassName: "" }, BOUND, { phase: "Lost" }, "gone");
  test.each([
    { name: "what the controller chose is free again", spec: {}, annotations: { "pv.kubernetes.io/bound-by-controller": "yes" }, want: ["Available", undefined] },
    { name: "what a user reserved stays reserved", spec: {}, annotations: undefined, want: ["Available", { namespace: "default", name: "gone" }] },
    { name: "what was made for it is not needed any more", spec: { persistentVolumeReclaimPolicy: "Delete", csi: { driver: "d", volumeHandle: "h" } }, annotations: { "pv.kubernetes.io/provisioned-by": "d" }, want: ["Released", { namespace: "default", name: "gone", uid: "uid-gone" }] },
  ])("its claim is bound elsewhere: $name", ({ spec, annotations, want }) => {
    const m = run([used({ ...ref("gone", "uid-gone"), ...spec }, annotations as Notes | undefined), elsewhere]);
    expect([m.volume()?.status?.phase, m.volume()?.spec.claimRef]).toEqual(want);
  });

  test("of another volume mode than its claim: told to both", () => {
    const m = run([volume("pv", { ...ref("c", "uid-c"), volumeMode: "Block" }, { phase: "Available" }), claim({ storageClassName: "manual" })], [], 1);
    expect(m.said).toEqual(expect.arrayContaining(['VolumeMismatch: Cannot bind PersistentVolume to requested PersistentVolumeClaim "c" due to incompatible volumeMode.', 'VolumeMismatch: Cannot bind PersistentVolume "pv" to requested PersistentVolumeClaim due to incompatible volumeMode.']));
  });

  test("made by a plugin of old: the annotation says which driver looks after it", () => {
    const m = run([used({ persistentVolumeReclaimPolicy: "Delete", awsElasticBlockStore: { volumeID: "v" } }, { "pv.kubernetes.io/provisioned-by": "kubernetes.io/aws-ebs" })]);
    expect([m.volume()?.metadata.annotations?.["pv.kubernetes.io/migrated-to"], m.volume()?.status?.phase, m.said]).toEqual(["ebs.csi.aws.com", "Released", []]);
  });

  test("made in the tree: held by a finalizer as long as it is to be deleted", () => {
    const made = (policy: string, finalizers: string[]): KubeObject => ({ ...volume("pv", { persistentVolumeReclaimPolicy: policy, hostPath: { path: "/tmp/x" } }), metadata: { name: "pv", annotations: { "pv.kubernetes.io/provisioned-by": "kubernetes.io/host-path" }, finalizers } });
    expect(run([made("Delete", [])]).volume()?.metadata.finalizers).toEqual(["kubernetes.io/pv-controller"]);
    expect(run([made("Retain", ["kubernetes.io/pv-controller"])]).volume()?.metadata.finalizers ?? []).toEqual([]);
  });
});
