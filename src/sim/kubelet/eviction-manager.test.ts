import { expect, test } from "vitest";
import { createCluster } from "../cluster.ts";
import type { Node, Pod } from "../api/types.ts";
import { Simulation } from "../kernel/simulation.ts";
import { applyText } from "../scenarios/scenario.ts";

const stress = (name: string, size: string, extra = ""): string => `
---
apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec: {nodeName: worker-node-01, ${extra}containers: [{name: c, image: polinux/stress, command: [stress], args: ["--vm", "1", "--vm-bytes", "${size}", "--vm-hang", "1"]}]}`;

function run(text: string, until: number) {
  const { config, inputs } = createCluster({ world: "three-nodes", seed: 1, profile: "quiet", inputs: [applyText("a.yaml", text, 0)] });
  const sim = Simulation.create(config, inputs);
  sim.run(until * 1_000_000);
  const events = sim.trace.revisions.flatMap(({ object, verb }) => {
    const event = object as { readonly kind?: string; readonly reason?: string; readonly message?: string; readonly involvedObject?: { readonly name?: string } };
    return verb === "create" && event.kind === "Event" && /Evict|OOM|Memory/.test(event.reason ?? "") ? [`${event.involvedObject?.name ?? ""} ${event.reason ?? ""}: ${(event.message ?? "").trim()}`] : [];
  });
  const last = <T>(key: string): T | undefined => sim.trace.revisions.findLast((revision) => revision.key === key)?.object as T | undefined;
  return { events, pod: (name: string) => last<Pod>(`/registry/pods/default/${name}`), node: last<Node>("/registry/minions/worker-node-01") };
}

test("below 100Mi the Pod furthest above its request is ended, the node says so for five minutes", () => {
  const { events, pod, node } = run(`${stress("big", "5000M")}${stress("hog", "2600M")}`, 40);
  expect(events).toEqual([
    "worker-node-01 EvictionThresholdMet: Attempting to reclaim memory",
    "big Evicted: The node was low on resource: memory. Threshold quantity: 100Mi, available: 92Mi. Container c was using 5000Mi, request is 0, has larger consumption of memory.",
    "worker-node-01 NodeHasInsufficientMemory: Node worker-node-01 status is now: NodeHasInsufficientMemory",
  ]);
  expect(pod("big")?.status).toMatchObject({ phase: "Failed", reason: "Evicted", conditions: expect.arrayContaining([expect.objectContaining({ type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet" })]) });
  expect(pod("hog")?.status?.phase).toBe("Running");
  expect(node?.status?.conditions?.find(({ type }) => type === "MemoryPressure")).toMatchObject({ status: "True", reason: "KubeletHasInsufficientMemory" });
  expect(run(`${stress("big", "5000M")}${stress("hog", "2600M")}`, 360).node?.status?.conditions?.find(({ type }) => type === "MemoryPressure")?.status).toBe("False");
});

test("priority decides among those above their request; a critical Pod stays", () => {
  const { events } = run(`${stress("critical", "5000M", "priorityClassName: system-node-critical, ")}${stress("small", "2600M")}`, 40);
  expect(events[1]).toMatch(/^small Evicted: /);
});

test("with nothing left the kernel kills, and the kubelet tells of it", () => {
  const { events, pod } = run(stress("huge", "9000M"), 12);
  expect(events[0]).toMatch(/^worker-node-01 SystemOOM: System OOM encountered, victim process: stress, pid: \d+$/);
  expect(pod("huge")?.status?.containerStatuses?.[0]?.lastState?.terminated ?? pod("huge")?.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ reason: "OOMKilled", exitCode: 137 });
});
