// Models kubernetes/pkg/controller/volume/vacprotection/vac_protection_controller_test.go
import { expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import { controllerCluster } from "../../testdata/controller-cluster.ts";
import { at, type MiniInput, write } from "../../testdata/mini-cluster.ts";
import { createVACProtectionController, vacProtectionWatches } from "./vac-protection-controller.ts";

const CLASSES = "/apis/storage.k8s.io/v1/volumeattributesclasses";
const CLAIM = "/api/v1/namespaces/default/persistentvolumeclaims/c";
const fast = (finalizers: readonly string[] = ["kubernetes.io/vac-protection"]): KubeObject => ({ apiVersion: "storage.k8s.io/v1", kind: "VolumeAttributesClass", metadata: { name: "fast", finalizers: [...finalizers] } });
const claim = (spec: object, status: object = {}): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "c", namespace: "default" }, spec, status });
const volume = (spec: object): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "pv" }, spec });
const left = (objects: readonly KubeObject[], inputs: readonly MiniInput[], until = 3): readonly (readonly string[] | undefined)[] => {
  const m = controllerCluster([{ watches: vacProtectionWatches, create: createVACProtectionController as never }], inputs, objects);
  m.sim.run(until * 1_000_000);
  return m.list("VolumeAttributesClass").map((entry) => entry.metadata.finalizers);
};
const remove = at(1, write("DELETE", `${CLASSES}/fast`));

test("a class that was made without its finalizer gets it", () => expect(left([], [at(0, write("POST", CLASSES, fast(["mine"])))])).toEqual([["mine", "kubernetes.io/vac-protection"]]));

test.each([
  { name: "nobody names it", objects: [], kept: false },
  { name: "a claim wants it", objects: [claim({ volumeAttributesClassName: "fast" })], kept: true },
  { name: "a claim has it", objects: [claim({}, { currentVolumeAttributesClassName: "fast" })], kept: true },
  { name: "a claim is on its way to it", objects: [claim({}, { modifyVolumeStatus: { targetVolumeAttributesClassName: "fast" } })], kept: true },
  { name: "a volume has it", objects: [volume({ volumeAttributesClassName: "fast" })], kept: true },
  { name: "others are named", objects: [volume({ volumeAttributesClassName: "slow" }), claim({})], kept: false },
])("a deleted class, $name", ({ objects, kept }) => expect(left([fast(), ...objects], [remove]).length).toBe(kept ? 1 : 0));

test.each([
  { name: "the claim goes", step: at(2, write("DELETE", CLAIM)) },
  { name: "the claim turns to another", step: at(2, write("PATCH", CLAIM, { spec: { volumeAttributesClassName: "slow" } })) },
])("it goes when $name", ({ step }) => {
  const objects = [fast(), claim({ volumeAttributesClassName: "fast" })];
  expect([left(objects, [remove, step], 1.9).length, left(objects, [remove, step]).length]).toEqual([1, 0]);
});
