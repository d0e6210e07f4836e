import { expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import { controllerCluster } from "../../testdata/controller-cluster.ts";
import { at, type MiniInput, write } from "../../testdata/mini-cluster.ts";
import { createExpandController, expandWatches } from "./expand-controller.ts";

const CLAIM = "/api/v1/namespaces/default/persistentvolumeclaims/c";
const claim = (asked: string, has: string, phase = "Bound"): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "c", namespace: "default", uid: "u" }, spec: { volumeName: "pv", resources: { requests: { storage: asked } } }, status: { phase, capacity: { storage: has } } });
const volume = (uid = "u", annotations: Readonly<Record<string, string>> = {}): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "pv", annotations }, spec: { claimRef: { namespace: "default", name: "c", uid } } });
const SAID = ["ExternalExpanding: waiting for an external controller to expand this PVC"];
const grow = at(1, write("PATCH", CLAIM, { spec: { resources: { requests: { storage: "5Gi" } } } }));
const run = (objects: readonly KubeObject[], inputs: readonly MiniInput[]) => {
  const m = controllerCluster([{ watches: expandWatches, create: createExpandController as never }], inputs, objects);
  m.sim.run(1_500_000);
  return { said: m.events(), read: m.requests(/^GET .*persistentvolumes/).length };
};

test.each([
  { name: "it asks for more", objects: [claim("1Gi", "1Gi"), volume()], inputs: [grow], said: SAID, read: 1 },
  { name: "it asks for more while it is not bound", objects: [claim("1Gi", "1Gi", "Pending"), volume()], inputs: [grow], said: [], read: 0 },
  { name: "its size has come: nothing is left to do", objects: [claim("5Gi", "1Gi"), volume()], inputs: [at(1, write("PATCH", `${CLAIM}/status`, { status: { capacity: { storage: "5Gi" } } }))], said: [], read: 1 },
  { name: "its label changes", objects: [claim("5Gi", "1Gi"), volume()], inputs: [at(1, write("PATCH", CLAIM, { metadata: { labels: { a: "b" } } }))], said: [], read: 0 },
  { name: "its volume still waits for its file system", objects: [claim("5Gi", "1Gi"), volume("u", { "volume.alpha.kubernetes.io/pre-resize-capacity": "1Gi" })], inputs: [at(1, write("PATCH", `${CLAIM}/status`, { status: { capacity: { storage: "5Gi" } } }))], said: SAID, read: 1 },
])("a claim, when $name", ({ objects, inputs, said, read }) => expect(run(objects, inputs)).toEqual({ said, read }));

test("a volume that is another's, or is not there, is looked for again and again", () => {
  expect(run([claim("1Gi", "1Gi"), volume("other")], [grow]).read).toBeGreaterThan(4);
  expect(run([claim("1Gi", "1Gi")], [grow]).read).toBeGreaterThan(4);
});
