import { describe, expect, it, test } from "vitest";
import type { Pod } from "../api/types.ts";
import { createCluster } from "../cluster.ts";
import type { RuntimeContainerStatus, RuntimePod, SandboxStatus } from "../cri/messages.ts";
import { Simulation } from "../kernel/simulation.ts";
import { applyText } from "../scenarios/scenario.ts";
import { goingOf } from "./container-gc.ts";
import { byEvictionPriority, mergeThresholds, thresholdsMet, thresholdText } from "./eviction-thresholds.ts";
import { rankForEviction } from "./eviction.ts";
import { formatSize } from "./image-gc.ts";
import { parseThresholds, withDefaults } from "./kubelet-configuration.ts";
import { groupByPriority, shutdownGroups } from "./node-shutdown.ts";

const GIB = 1024 ** 3;

describe("KubeletConfiguration", () => {
  it("has upstream's defaults, none of them for pid.available", () => {
    const { thresholds, ...rest } = withDefaults({});
    expect(thresholds.map(({ signal, value }) => [signal, value])).toEqual([["imagefs.available", { percentage: Math.fround(0.15) }], ["imagefs.inodesFree", { percentage: Math.fround(0.05) }], ["memory.available", { quantity: 100 * 1024 ** 2 }], ["nodefs.available", { percentage: Math.fround(0.1) }], ["nodefs.inodesFree", { percentage: Math.fround(0.05) }]]);
    expect(rest).toMatchObject({ evictionPressureTransitionPeriod: 300e6, imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80, imageMinimumGCAge: 120e6, maxParallelImagePulls: 1, shutdownGracePeriod: 0 });
  });

  it.each<{ readonly name: string; readonly written: Parameters<typeof withDefaults>[0]; readonly signals: readonly string[] }>([
    { name: "one threshold clears the others", written: { evictionHard: { "memory.available": "500Mi" } }, signals: ["memory.available"] },
    { name: "unless they are merged", written: { evictionHard: { "pid.available": "5%" }, mergeDefaultEvictionSettings: true }, signals: ["imagefs.available", "imagefs.inodesFree", "memory.available", "nodefs.available", "nodefs.inodesFree", "pid.available"] },
    { name: "0% is none", written: { evictionHard: { "nodefs.available": "0%", "imagefs.available": "100%" } }, signals: [] },
    { name: "soft ones come after", written: { evictionHard: {}, evictionSoft: { "memory.available": "1Gi" }, evictionSoftGracePeriod: { "memory.available": "1m30s" } }, signals: ["memory.available"] },
  ])("$name", ({ written, signals }) => {
    expect(withDefaults(written).thresholds.map(({ signal }) => signal)).toEqual(signals);
  });

  it.each([
    [{}, 1], [{ serializeImagePulls: false }, 0], [{ serializeImagePulls: false, maxParallelImagePulls: 3 }, 3], [{ maxParallelImagePulls: 4 }, 4], [{ maxParallelImagePulls: 1 }, 1],
  ])("pulls at a time: %j", (written, want) => {
    expect(withDefaults(written).maxParallelImagePulls).toBe(want);
  });
});

describe("thresholds", () => {
  const [hard, soft] = parseThresholds({ evictionHard: { "nodefs.available": "10%" }, evictionSoft: { "nodefs.available": "15Gi" }, evictionSoftGracePeriod: { "nodefs.available": "1m" }, evictionMinimumReclaim: { "nodefs.available": "2Gi" } });
  const all = [hard, soft].filter((threshold) => threshold !== undefined);
  const at = (gib: number) => ({ "nodefs.available": { capacity: 100 * GIB, available: gib * GIB } });

  it.each([
    { gib: 16, met: [], reclaim: [60e6] },
    { gib: 14, met: [60e6], reclaim: [60e6] },
    { gib: 11, met: [60e6], reclaim: [0, 60e6] },
    { gib: 9, met: [0, 60e6], reclaim: [0, 60e6] },
    { gib: 18, met: [], reclaim: [] },
  ])("at $gib GiB", ({ gib, met, reclaim }) => {
    expect(thresholdsMet(all, at(gib), false).map(({ gracePeriod }) => gracePeriod)).toEqual(met);
    expect(thresholdsMet(all, at(gib), true).map(({ gracePeriod }) => gracePeriod)).toEqual(reclaim);
  });

  it("prints percentages of 32 bits, and counts of inodes in decimals", () => {
    expect(all[0] && thresholdText(all[0], at(9))).toEqual({ quantity: "10737418400", available: "9Gi" });
    expect(thresholdText({ signal: "nodefs.inodesFree", value: { percentage: Math.fround(0.05) }, gracePeriod: 0 }, { "nodefs.inodesFree": { capacity: 1_000_000, available: 40_000 } })).toEqual({ quantity: "50000", available: "40k" });
  });

  it("takes memory first, and each only once", () => {
    const mixed = parseThresholds({ evictionHard: { "imagefs.available": "15%", "memory.available": "1Gi", "pid.available": "5%" } });
    expect(byEvictionPriority(mixed).map(({ signal }) => signal)).toEqual(["memory.available", "imagefs.available", "pid.available"]);
    expect(mergeThresholds(mixed, mixed)).toHaveLength(3);
  });
});

test.each([
  { resource: "pids", want: ["low", "many", "few"] },
  { resource: "inodes", want: ["low", "many", "few"] },
  // Both are above the request of none, but for "few".
  { resource: "ephemeral-storage", want: ["low", "many", "few"] },
])("ranking for $resource: $want", ({ resource, want }) => {
  const pod = (name: string, priority: number, request?: string): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { priority, containers: [{ name: "c", ...(request === undefined ? {} : { resources: { requests: { "ephemeral-storage": request } } }) }] } }) as Pod;
  const pods = [{ pod: pod("few", 5, "10"), usage: 9 }, { pod: pod("many", 5), usage: 30 }, { pod: pod("low", 1), usage: 1 }];
  expect(rankForEviction(pods, resource).map(({ pod: { metadata } }) => metadata.name)).toEqual(want);
});

test.each([[512, "512 B"], [1536, "1.5 KiB"], [95 * GIB, "95.0 GiB"], [2048 * GIB, "2.0 TiB"]])("formatSize(%d)", (bytes, want) => {
  expect(formatSize(bytes)).toBe(want);
});

describe("node shutdown", () => {
  const pod = (uid: string, priority?: number): Pod => ({ metadata: { uid }, spec: { containers: [], ...(priority === undefined ? {} : { priority }) } }) as unknown as Pod;

  it("gives critical Pods the last part of the time", () => {
    expect(groupByPriority(shutdownGroups(30e6, 10e6), [pod("a"), pod("b", -5), pod("c", 1_000_000_000), pod("d", 2_000_000_000), pod("e", 2_000_001_000)]).map(({ seconds, uids }) => [seconds, uids])).toEqual([[20, ["a", "b", "c"]], [10, ["d", "e"]]]);
  });

  it.each([[0, 0], [10e6, 30e6]])("is off for %d and %d", (requested, critical) => {
    expect(shutdownGroups(requested, critical)).toEqual([]);
  });
});

describe("container GC", () => {
  const container = (id: string, name: string, state: string, sandboxId: string) => ({ id, name, state, sandboxId }) as RuntimeContainerStatus;
  const sandbox = (id: string, state: string) => ({ id, state }) as SandboxStatus;
  const pod = { uid: "u", namespace: "n", name: "p", sandboxes: [sandbox("s2", "READY"), sandbox("s1", "NOTREADY"), sandbox("s0", "NOTREADY")], containers: [container("a2", "a", "running", "s2"), container("a1", "a", "exited", "s1"), container("a0", "a", "exited", "s0")] } satisfies RuntimePod;
  const ids = (all: boolean): readonly string[] => goingOf(pod, all).map((cri) => ("containerId" in cri ? cri.containerId : "sandboxId" in cri ? cri.sandboxId : ""));

  it("keeps the newest dead container of a name and what it needs", () => {
    expect(ids(false)).toEqual(["a0", "s0"]);
  });

  it("leaves only what runs of a Pod that is gone", () => {
    expect(ids(true)).toEqual(["a1", "a0", "s1", "s0"]);
  });
});

function run(world: string, text: string, until: number) {
  const { config, inputs } = createCluster({ world, seed: 1, profile: "quiet", inputs: [applyText("a.yaml", text, 0)] });
  const sim = Simulation.create(config, inputs);
  sim.run(until * 1e6);
  return sim;
}

const WORLD = (kubelet: string): string => `
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}
status: {capacity: {cpu: "4", memory: 8Gi, pods: "110", ephemeral-storage: 95Gi}, allocatable: {cpu: "4", memory: 8Gi, pods: "110", ephemeral-storage: 95Gi}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kubelet-config, namespace: kube-system}
data:
  kubelet: |
    apiVersion: kubelet.config.k8s.io/v1beta1
    kind: KubeletConfiguration
    ${kubelet}
`;
test("a soft threshold is acted on once it has been met for its grace period, and must be exceeded by what is to be reclaimed", () => {
  const sim = run(WORLD('evictionSoft: {memory.available: "2Gi"}\n    evictionSoftGracePeriod: {memory.available: "35s"}\n    evictionMinimumReclaim: {memory.available: "500Mi"}'), ["4000M", "1900M"].map((size, i) => `---\napiVersion: v1\nkind: Pod\nmetadata: {name: p${i}}\nspec: {nodeName: n1, containers: [{name: c, image: polinux/stress, command: [stress], args: ["--vm", "1", "--vm-bytes", "${size}", "--vm-hang", "1"]}]}\n`).join(""), 90);
  const seen = sim.trace.revisions.flatMap((revision) => {
    const event = revision.object as { readonly kind?: string; readonly reason?: string; readonly message?: string };
    return revision.verb === "create" && event?.kind === "Event" && /Evict|NodeHas/.test(event.reason ?? "") ? [`${event.reason ?? ""}: ${event.message ?? ""}`] : [];
  });
  expect(seen[0]).toBe("NodeHasInsufficientMemory: Node n1 status is now: NodeHasInsufficientMemory");
  expect(seen[1]).toBe("EvictionThresholdMet: Attempting to reclaim memory");
  expect(seen[2]).toMatch(/^Evicted: The node was low on resource: memory\. Threshold quantity: 2Gi, available: 1\d+Mi\. Container c was using 4000Mi/);
  expect(seen).toHaveLength(3);
});

const two = ["python:3.12", "redis:7.4"].map((image, i) => `---\napiVersion: v1\nkind: Pod\nmetadata: {name: p${i}}\nspec: {nodeName: n1, containers: [{name: c, image: "${image}", command: [sleep, "1000"]}]}\n`).join("");

describe("parallel pulls", () => {
  const both = (kubelet: string): number => Math.max(...Array.from({ length: 40 }, (_, i) => {
    const { operations } = sims(kubelet).stateAt("containerd@n1", (i + 1) * 250_000) as { readonly operations: readonly { readonly cri: { readonly call: string } }[] };
    return operations.filter(({ cri }) => cri.call === "PullImage").length;
  }));
  const made = new Map<string, Simulation>();
  const sims = (kubelet: string): Simulation => made.get(kubelet) ?? made.set(kubelet, run(WORLD(kubelet), two, 12)).get(kubelet) ?? run(WORLD(kubelet), two, 12);

  it.each([["serializeImagePulls: true", 1], ["serializeImagePulls: false", 2]])("with %s there are %d at a time", (kubelet, want) => {
    expect(both(kubelet)).toBe(want);
  });
});

test("a log beyond 10Mi is rotated at the monitor's next look: kubectl logs shows the new file only", () => {
  const sim = run("three-nodes", '---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {nodeName: worker-node-01, containers: [{name: c, image: "busybox:1.36", command: [sh, -c, "sleep 1; for i in 1 2 3; do printf \'%04000000d\\\\n\' 0; done; sleep 30; echo after; sleep 1000"]}]}', 40);
  const { containers } = sim.stateAt("process@worker-node-01", 40e6) as { readonly containers: { values(): readonly { readonly log: readonly string[]; readonly rotated?: readonly number[] }[] } };
  expect(containers.values().map(({ log, rotated }) => ({ log, rotated }))).toEqual([{ log: ["after"], rotated: [3 * (4_000_000 + 41)] }]);
});
