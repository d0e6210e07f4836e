import { describe, expect, it } from "vitest";
import type { Node, Pod } from "../api/types.ts";
import { create, fault, kubectl, pod, see } from "../testdata/fault-run.ts";

const gpuPod = (name: string, count: number, spec: object = {}): object => pod(name, { restartPolicy: "Never", nodeSelector: { "kubernetes.io/hostname": "gpu-node-01" }, ...spec }, { command: ["sleep", "1000"], image: "busybox:1.36", resources: { limits: { "nvidia.com/gpu": String(count) } } });
const NODE = "/registry/minions/gpu-node-01";
const allocatable = (node: unknown) => (node as Node).status?.allocatable?.["nvidia.com/gpu"];

describe("device.unhealthy", () => {
  // The status tick of gpu-node-01 comes within 10 s of the plugin's word: a Pod bound before that is refused.
  const struck = (healthy: number) => see(60, [create(1, gpuPod("first", 1)), fault(20, 40, "device.unhealthy", { node: "gpu-node-01", resource: "nvidia.com/gpu", healthy }), create(20.001, gpuPod("p", 1)), create(31, gpuPod("late", 1))], { world: "gpu-nodes", look: [15, 35, 59] });

  it.each([
    [1, "Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0, which is unexpected"],
    [0, "Allocate failed due to no healthy devices present; cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected"],
  ])("%i healthy: a Pod that was bound too soon is refused, later ones wait, and running ones go on", (healthy, message) => {
    const seen = struck(healthy);
    expect(seen.events("p")).toContain(`UnexpectedAdmissionError: ${message}`);
    expect((seen.last("/registry/pods/default/p") as Pod).status).toMatchObject({ phase: "Failed", reason: "UnexpectedAdmissionError", message: `Pod was rejected: ${message}` });
    expect(seen.rows("p").slice(1)).toEqual(["0/1 UnexpectedAdmissionError 0", "0/1 UnexpectedAdmissionError 0"]);
    expect(seen.rows("first")).toEqual(["1/1 Running 0", "1/1 Running 0", "1/1 Running 0"]);
    expect(seen.rows("late").slice(1)).toEqual(["0/1 Pending 0", "1/1 Running 0"]);
    expect(seen.events("late")[0]).toContain("1 Insufficient nvidia.com/gpu");
    const nodes = seen.all(NODE).map(({ object }) => allocatable(object)).filter((value, i, all) => value !== all[i - 1]);
    expect(nodes.filter((value) => value !== undefined).slice(-2)).toEqual([String(healthy), "2"]);
    expect(new Set(seen.all(NODE).map(({ object }) => (object as Node).status?.capacity?.["nvidia.com/gpu"]))).toEqual(new Set(["2"]));
  });

  it("says that nothing changes where no plugin runs", () => {
    const seen = see(30, [fault(5, 20, "device.unhealthy", { node: "worker-node-01" }), create(6, gpuPod("p", 2))], { world: "gpu-nodes", look: [29] });
    expect(seen.rows("p")).toEqual(["1/1 Running 0"]);
  });
});

const CLAIM = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "store" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } };
const stored = (name: string, securityContext: object): object => pod(name, { securityContext, terminationGracePeriodSeconds: 0, nodeSelector: { "kubernetes.io/hostname": "worker-node-01" }, volumes: [{ name: "store", persistentVolumeClaim: { claimName: "store" } }] }, { volumeMounts: [{ name: "store", mountPath: "/data" }] });
const startedAt = (seen: ReturnType<typeof see>, name: string): number => seen.all(`/registry/pods/default/${name}`).find(({ object }) => (object as Pod | undefined)?.status?.containerStatuses?.[0]?.state?.running !== undefined)?.at ?? Number.NaN;

describe("csi.many-files", () => {
  const slow = (securityContext: object, until = 400) => see(until, [fault(0, 1000, "csi.many-files", { files: 1_000_000 }), create(1, CLAIM, stored("p", securityContext))], { world: "three-nodes", look: [60] });

  it("holds a Pod with fsGroup in ContainerCreating, and says after 30 s why", () => {
    const seen = slow({ fsGroup: 1000 });
    expect(seen.rows("p")).toEqual(["0/1 ContainerCreating 0"]);
    const events = seen.events("p").filter((event) => event.startsWith("VolumePermissionChangeInProgress"));
    expect(events[0]).toMatch(/^VolumePermissionChangeInProgress: Setting volume ownership for [0-9a-f-]{36}\/volumes\/kubernetes\.io~csi\/pvc-[0-9a-f-]{36}\/mount is taking longer than expected, consider using OnRootMismatch - https:\/\/kubernetes\.io\/docs\/tasks\/configure-pod-container\/security-context\/#configure-volume-permission-and-ownership-change-policy-for-pods$/);
    expect(startedAt(seen, "p")).toBeGreaterThan(60);
    expect(startedAt(seen, "p")).toBeLessThan(300);
  });

  it("costs nothing without fsGroup", () => expect(startedAt(slow({}, 60), "p")).toBeLessThan(40));

  it("is walked once with OnRootMismatch, at every start by default", () => {
    const again = (securityContext: object): number => {
      const seen = see(500, [fault(0, 1000, "csi.many-files", { files: 1_000_000 }), create(1, CLAIM, stored("p", securityContext)), kubectl(300, "delete", "pod", "p"), create(310, stored("q", securityContext))], { world: "three-nodes" });
      return startedAt(seen, "q") - 310;
    };
    expect(again({ fsGroup: 1000 })).toBeGreaterThan(60);
    expect(again({ fsGroup: 1000, fsGroupChangePolicy: "OnRootMismatch" })).toBeLessThan(20);
  });
});
