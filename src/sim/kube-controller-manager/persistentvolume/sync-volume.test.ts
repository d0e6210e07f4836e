import { expect, test } from "vitest";
import type { PersistentVolume } from "../../api/storage.ts";
import type { KubeObject } from "../../api/types.ts";
import { controllerCluster } from "../../testdata/controller-cluster.ts";
import { at, write } from "../../testdata/mini-cluster.ts";
import { createPersistentVolumeBinder, persistentVolumeBinderWatches } from "./persistentvolume-binder.ts";

const VOLUMES = "/api/v1/persistentvolumes";
const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const volume = (name: string, spec: object, annotations: Readonly<Record<string, string>> = {}): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name, annotations }, spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], storageClassName: "", claimRef: { namespace: "default", name: "gone", uid: "u" }, ...spec }, status: { phase: "Bound" } });
const run = (object: KubeObject, ...more: KubeObject[]) => {
  const m = controllerCluster([{ watches: persistentVolumeBinderWatches, create: createPersistentVolumeBinder as never }], [at(0, ...more.map((entry) => write("POST", CLAIMS, entry))), at(1, write("POST", VOLUMES, object))]);
  m.sim.run(4_000_000);
  const [left] = m.list<PersistentVolume>("PersistentVolume");
  return { phase: left?.status?.phase, ref: left?.spec.claimRef, events: m.events(), asked: m.requests(/^GET .*persistentvolumeclaims\/gone$/).length };
};

test.each([
  { name: "Retain", spec: { persistentVolumeReclaimPolicy: "Retain", hostPath: { path: "/data" } }, phase: "Released", events: [] },
  { name: "Delete of a directory below /tmp", spec: { persistentVolumeReclaimPolicy: "Delete", hostPath: { path: "/tmp/x" } }, phase: undefined, events: [] },
  { name: "Delete of another directory", spec: { persistentVolumeReclaimPolicy: "Delete", hostPath: { path: "/data" } }, phase: "Failed", events: ["VolumeFailedDelete: host_path deleter only supports /tmp/.+ but received provided /data"] },
  { name: "Delete where nobody can", spec: { persistentVolumeReclaimPolicy: "Delete", nfs: { server: "s", path: "/" } }, phase: "Failed", events: ['VolumeFailedDelete: error getting deleter volume plugin for volume "pv": no deletable volume plugin matched'] },
  { name: "Delete by a driver", spec: { persistentVolumeReclaimPolicy: "Delete", csi: { driver: "d", volumeHandle: "h" } }, phase: "Released", events: [] },
  { name: "Recycle", spec: { persistentVolumeReclaimPolicy: "Recycle", nfs: { server: "s", path: "/" } }, phase: "Available", events: ["VolumeRecycled: Volume recycled"] },
  { name: "Recycle where nobody can", spec: { persistentVolumeReclaimPolicy: "Recycle", local: { path: "/" } }, phase: "Failed", events: ["VolumeFailedRecycle: No recycler plugin found for the volume!"] },
])("its claim is gone: $name", ({ spec, phase, events }) => {
  const got = run(volume("pv", spec));
  expect([got.phase, got.events]).toEqual([phase, events]);
  expect(got.asked).toBe(1);
});

const bound: KubeObject = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "gone", namespace: "default", annotations: { "pv.kubernetes.io/bind-completed": "yes" } }, spec: { volumeName: "other", storageClassName: "" } };

test("a claim that was bound elsewhere gives back the volume that the controller had chosen", () => {
  const m = controllerCluster([{ watches: persistentVolumeBinderWatches, create: createPersistentVolumeBinder as never }], [at(0, write("POST", CLAIMS, bound))]);
  m.sim.run(500_000);
  const uid = m.list("PersistentVolumeClaim")[0]?.metadata.uid ?? "";
  const chosen = run(volume("pv", { claimRef: { namespace: "default", name: "gone", uid } }, { "pv.kubernetes.io/bound-by-controller": "yes" }), bound);
  expect([chosen.phase, chosen.ref]).toEqual(["Available", undefined]);
  const written = run(volume("pv", { claimRef: { namespace: "default", name: "gone", uid } }), bound);
  expect([written.phase, written.ref]).toEqual(["Available", { namespace: "default", name: "gone" }]);
});
