import { expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import { controllerCluster } from "../../testdata/controller-cluster.ts";
import { at, write } from "../../testdata/mini-cluster.ts";
import { createEphemeralVolumeController, ephemeralVolumeWatches } from "../ephemeral/ephemeral-volume-controller.ts";
import { createPVProtectionController, pvProtectionWatches } from "../pvprotection/pv-protection-controller.ts";
import { createPVCProtectionController, pvcProtectionWatches } from "./pvc-protection-controller.ts";

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const PODS = "/api/v1/namespaces/default/pods";
const FINALIZER = ["kubernetes.io/pvc-protection"];
const claim = (finalizers: readonly string[] = FINALIZER): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data", namespace: "default", finalizers: [...finalizers] }, spec: {} });
const pod = (nodeName: string | undefined, volume: object): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "default" }, spec: { ...(nodeName ? { nodeName } : {}), volumes: [volume], containers: [{ name: "c" }] } });
const named = { name: "v", persistentVolumeClaim: { claimName: "data" } };
const cluster = (...inputs: Parameters<typeof controllerCluster>[1]) => controllerCluster([
  { watches: pvcProtectionWatches, create: createPVCProtectionController as never },
  { watches: pvProtectionWatches, create: createPVProtectionController as never },
  { watches: ephemeralVolumeWatches, create: createEphemeralVolumeController as never },
], inputs);
const claims = (m: ReturnType<typeof cluster>) => m.list("PersistentVolumeClaim").map((object) => object.metadata.name);

test("a claim that was made without its finalizer gets it", () => {
  const m = cluster(at(0, write("POST", CLAIMS, claim([]))));
  m.sim.run(1_000_000);
  expect(m.list("PersistentVolumeClaim")[0]?.metadata.finalizers).toEqual(FINALIZER);
});

test("a deleted claim waits for the Pod that uses it, even when that has ended", () => {
  const m = cluster(
    at(0, write("POST", CLAIMS, claim()), write("POST", PODS, pod("n1", named))),
    at(1, write("DELETE", `${CLAIMS}/data`)),
    at(2, write("PATCH", `${PODS}/p/status`, { status: { phase: "Succeeded" } })),
    at(3, write("DELETE", `${PODS}/p`)),
  );
  m.sim.run(2_900_000);
  expect(claims(m)).toEqual(["data"]);
  m.sim.run(4_000_000);
  expect(claims(m)).toEqual([]);
});

test("a Pod without a node holds nothing; the server is asked before the claim goes", () => {
  const m = cluster(at(0, write("POST", CLAIMS, claim()), write("POST", PODS, pod(undefined, named))), at(1, write("DELETE", `${CLAIMS}/data`)));
  m.sim.run(2_000_000);
  expect(claims(m)).toEqual([]);
  expect(m.requests(/^GET .*default\/pods$/).length).toBe(1);
});

test("the claim of an ephemeral volume is made for its Pod, made again when lost, and refused when a stranger has the name", () => {
  const volume = { name: "scratch", ephemeral: { volumeClaimTemplate: { metadata: { labels: { a: "b" } }, spec: { accessModes: ["ReadWriteOnce"] } } } };
  const m = cluster(at(0, write("POST", PODS, pod("n1", volume))), at(1, write("PATCH", `${CLAIMS}/p-scratch`, { metadata: { finalizers: null } })), at(1.1, write("DELETE", `${CLAIMS}/p-scratch`)));
  m.sim.run(900_000);
  const [made] = m.list("PersistentVolumeClaim");
  expect([made?.metadata.name, made?.metadata.labels, made?.metadata.ownerReferences?.[0]?.kind]).toEqual(["p-scratch", { a: "b" }, "Pod"]);
  m.sim.run(3_000_000);
  expect(claims(m)).toEqual(["p-scratch"]);
  const stranger = cluster(at(0, write("POST", CLAIMS, { ...claim(), metadata: { name: "p-scratch", namespace: "default" } })), at(0.5, write("POST", PODS, pod("n1", volume))));
  stranger.sim.run(700_000);
  expect(stranger.events()[0]).toBe("FailedBinding: ephemeral volume scratch: PVC default/p-scratch was not created for pod default/p (pod is not owner)");
});

test("a deleted volume waits until it is not bound any more", () => {
  const volume = { apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "pv", finalizers: ["kubernetes.io/pv-protection"] }, spec: {}, status: { phase: "Bound" } };
  const m = cluster(at(0, write("POST", "/api/v1/persistentvolumes", volume)), at(1, write("DELETE", "/api/v1/persistentvolumes/pv")), at(2, write("PATCH", "/api/v1/persistentvolumes/pv/status", { status: { phase: "Released" } })));
  m.sim.run(1_900_000);
  expect(m.list("PersistentVolume").length).toBe(1);
  m.sim.run(3_000_000);
  expect(m.list("PersistentVolume").length).toBe(0);
});
