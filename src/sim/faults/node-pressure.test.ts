import { describe, expect, it } from "vitest";
import { createCluster } from "../cluster.ts";
import type { KubeEvent, Node, Pod } from "../api/types.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { RunInput } from "../scenarios/recipe.ts";

const S = 1_000_000;
const NODE = "worker-node-01";
const node = { node: NODE };
const apply = (at: number, text: string): RunInput => ({ at: at * S, type: "command", argv: ["apply", "-f", "a.yaml"], files: { "a.yaml": text } });
const fault = (at: number, until: number, id: string, params: Readonly<Record<string, string | number>> = {}): RunInput => ({ at: at * S, type: "fault", id, params, until: until * S });
const pod = (name: string, script = "sleep 100000", spec = "", container = ""): string => `---\napiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {nodeName: ${NODE}, ${spec} containers: [{name: c, image: "busybox:1.36", command: [sh, -c, "${script}"]${container}}]}\n`;

function run(until: number, inputs: readonly RunInput[], world = "three-nodes") {
  const cluster = createCluster({ world, seed: 1, profile: "quiet", inputs });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(until * S);
  const { revisions } = sim.trace;
  const last = <T>(key: string): T | undefined => revisions.findLast((revision) => revision.key === key)?.object as T | undefined;
  return {
    events: (pattern: RegExp) => revisions.flatMap(({ object, verb }) => {
      const event = object as KubeEvent;
      return verb === "create" && event?.kind === "Event" && pattern.test(event.reason ?? "") ? [`${event.involvedObject?.name ?? ""} ${event.reason ?? ""}: ${event.message ?? ""}`] : [];
    }),
    pod: (name: string) => last<Pod>(`/registry/pods/default/${name}`),
    conditions: (type: string) => revisions.flatMap(({ key, object }) => (key === `/registry/minions/${NODE}` ? ((object as Node).status?.conditions?.filter((entry) => entry.type === type) ?? []) : [])).filter(({ status }, i, all) => status !== all[i - 1]?.status),
    taints: () => last<Node>(`/registry/minions/${NODE}`)?.spec?.taints ?? [],
    images: () => [...(sim.stateAt(`containerd@${NODE}`, until * S) as { readonly images: { keys(): Iterable<string> } }).images.keys()],
    notes: (pattern: RegExp) => Array.from({ length: sim.trace.noteCount }, (_, i) => sim.trace.strings.text(sim.trace.notes.text.get(i))).filter((text) => pattern.test(text)),
  };
}

const seconds = (text: string | null | undefined): number => Number(text?.slice(17, 19) ?? 0) + 60 * Number(text?.slice(14, 16) ?? 0);

describe("node.memory-pressure", () => {
  const seen = run(360, [apply(0.1, pod("asks", "sleep 100000", "", ", resources: {requests: {memory: 64Mi}}") + pod("plain")), fault(20, 29, "node.memory-pressure", node)]);

  it("evicts the Pod above its request within ten seconds, and lets go of the one within it", () => {
    expect(seen.events(/Evict|NodeHas/)).toEqual([
      `${NODE} EvictionThresholdMet: Attempting to reclaim memory`,
      "plain Evicted: The node was low on resource: memory. Threshold quantity: 100Mi, available: 60Mi. Container c was using 1Mi, request is 0, has larger consumption of memory. ",
      `${NODE} NodeHasInsufficientMemory: Node ${NODE} status is now: NodeHasInsufficientMemory`,
      // It is one Pod in a pass, and the memory of this one was not enough.
      "asks Evicted: The node was low on resource: memory. Threshold quantity: 100Mi, available: 61Mi. ",
      `${NODE} NodeHasSufficientMemory: Node ${NODE} status is now: NodeHasSufficientMemory`,
    ]);
  });

  it("keeps the condition for five minutes after it was last seen, and the taint with it", () => {
    const [begun, ended] = seen.conditions("MemoryPressure").map(({ lastTransitionTime }) => seconds(lastTransitionTime)).slice(-2);
    expect((ended ?? 0) - (begun ?? 0)).toBeGreaterThanOrEqual(300);
    expect((ended ?? 0) - (begun ?? 0)).toBeLessThan(325);
    expect(seen.taints()).toEqual([]);
  });
});

describe("node.disk-pressure", () => {
  it("removes dead containers and unused images before any Pod, and that is enough", () => {
    const short = run(330, [apply(0.1, pod("keeps")), apply(1, `apiVersion: v1\nkind: Pod\nmetadata: {name: old}\nspec: {nodeName: ${NODE}, restartPolicy: Never, containers: [{name: c, image: "python:3.12", command: [sh, -c, "exit 0"]}]}`), { at: 20 * S, type: "command", argv: ["delete", "pod", "old"], files: {} }, fault(310, 900, "node.disk-pressure", { ...node, amount: 15 })]);
    expect(short.events(/Evict|NodeHas/)).toEqual([`${NODE} EvictionThresholdMet: Attempting to reclaim ephemeral-storage`, `${NODE} NodeHasDiskPressure: Node ${NODE} status is now: NodeHasDiskPressure`]);
    expect(short.images().some((name) => name.includes("python"))).toBe(false);
    expect(short.images().some((name) => name.includes("busybox"))).toBe(true);
  });

  it("evicts who holds most, and refuses new Pods until five minutes after", () => {
    const seen = run(560, [apply(0.1, pod("a") + pod("b", "dd if=/dev/zero of=/tmp/x bs=1M count=9000; sleep 100000")), fault(20, 200, "node.disk-pressure", { ...node, amount: 8 }), apply(60, pod("late"))]);
    expect(seen.events(/Evict|NodeHas/)).toEqual([
      `${NODE} EvictionThresholdMet: Attempting to reclaim ephemeral-storage`,
      "b Evicted: The node was low on resource: ephemeral-storage. Threshold quantity: 15300821600, available: 8160437862. Container c was using 9216028Ki, request is 0, has larger consumption of ephemeral-storage. ",
      `${NODE} NodeHasDiskPressure: Node ${NODE} status is now: NodeHasDiskPressure`,
      "late Evicted: The node had condition: [DiskPressure]. ",
      `${NODE} NodeHasNoDiskPressure: Node ${NODE} status is now: NodeHasNoDiskPressure`,
    ]);
    expect(seen.pod("a")?.status?.phase).toBe("Running");
    expect(seen.pod("late")?.status).toMatchObject({ phase: "Failed", reason: "Evicted", message: "Pod was rejected: The node had condition: [DiskPressure]. " });
    expect(seen.notes(/removes 2 dead container.* of b/)).toHaveLength(1);
  });

  it("tells twice in a row that image garbage collection could not free enough", () => {
    // Between 85 % used and 15 % left is a narrow band: nothing is evicted, whose Events would use up what the recorder allows.
    const seen = run(700, [fault(20, 900, "node.disk-pressure", { ...node, amount: 16 }), apply(21, pod("writes", "dd if=/dev/zero of=/tmp/f bs=1M count=480; sleep 100000"))]);
    const sentence = "Insufficient free disk space on the node's image filesystem (85% of 95.0 GiB used). Failed to free sufficient space by deleting unused images (freed 0 bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data.";
    expect(seen.events(/GC|FreeDisk/)).toEqual([`${NODE} FreeDiskSpaceFailed: ${sentence}`, `${NODE} ImageGCFailed: ${sentence}`]);
  });
});

describe("node.pid-pressure", () => {
  const inputs = (evictionHard: string): readonly RunInput[] => [apply(0.1, pod("low", "sleep 100000") + pod("high", "sleep 100000", "priorityClassName: system-node-critical,")), fault(20, 60, "node.pid-pressure", { ...node, evictionHard })];

  it("evicts by priority where the kubelet has a threshold", () => {
    const seen = run(50, inputs("10%"));
    expect(seen.events(/Evict|NodeHas/)).toEqual([`${NODE} EvictionThresholdMet: Attempting to reclaim pids`, "low Evicted: The node was low on resource: pids. Threshold quantity: 6553, available: 3276. ", `${NODE} NodeHasInsufficientPID: Node ${NODE} status is now: NodeHasInsufficientPID`]);
  });

  it("goes unseen by default", () => {
    expect(run(50, inputs("0%")).events(/Evict|NodeHas/)).toEqual([]);
  });
});

describe("local storage limits", () => {
  const over = "sleep 3; dd if=/dev/zero of=/d/f bs=1M count=20; sleep 100000";

  it.each([
    { name: "an emptyDir's sizeLimit, once its volumes have been counted", text: pod("p", over, "volumes: [{name: d, emptyDir: {sizeLimit: 10Mi}}],", ", volumeMounts: [{name: d, mountPath: /d}]"), message: 'Usage of EmptyDir volume "d" exceeds the limit "10Mi". ', by: 130 },
    { name: "a container's limit", text: pod("p", over.replace("/d/", "/tmp/"), "", ", resources: {limits: {ephemeral-storage: 10Mi}}"), message: "Pod ephemeral local storage usage exceeds the total limit of containers 10Mi. ", by: 20 },
  ])("$name", ({ text, message, by }) => {
    const seen = run(by, [apply(0.1, text)]);
    expect(seen.events(/Evict|NodeHas/)).toEqual([`p Evicted: ${message}`]);
    expect(seen.pod("p")?.status).toMatchObject({ phase: "Failed", reason: "Evicted", message });
    expect(seen.pod("p")?.status?.conditions?.some(({ type }) => type === "DisruptionTarget")).toBe(false);
  });

  it("lets a Pod be that stays below", () => {
    expect(run(60, [apply(0.1, pod("p", over.replace("/d/", "/tmp/"), "", ", resources: {limits: {ephemeral-storage: 21Mi}}"))]).events(/Evict/)).toEqual([]);
  });
});

describe("node.shutdown", () => {
  const pods = pod("slow", "sleep 100000", "terminationGracePeriodSeconds: 5,") + pod("critical", "sleep 100000", "priorityClassName: system-node-critical, terminationGracePeriodSeconds: 60,");

  it("ends Pods by priority within their times, refuses new ones, and is off", () => {
    const seen = run(100, [apply(0.1, pods), fault(20, 80, "node.shutdown", node), apply(22, pod("late"))]);
    expect(seen.events(/Shutdown|NodeNotReady|NodeReady/)).toEqual([`${NODE} NodeShutdown: Shutdown manager detected shutdown event`, `${NODE} NodeNotReady: Node ${NODE} status is now: NodeNotReady`, "late NodeShutdown: Pod was rejected as the node is shutting down.", `${NODE} NodeReady: Node ${NODE} status is now: NodeReady`]);
    const message = "Pod was terminated in response to imminent node shutdown.";
    const end = (name: string): number => seconds(seen.pod(name)?.status?.containerStatuses?.[0]?.state?.terminated?.finishedAt);
    for (const name of ["slow", "critical"]) expect(seen.pod(name)?.status).toMatchObject({ phase: "Failed", reason: "Terminated", message, conditions: expect.arrayContaining([expect.objectContaining({ type: "DisruptionTarget", reason: "TerminationByKubelet", message })]) });
    expect([end("slow"), end("critical")]).toEqual([25, 35]);
    expect(seen.pod("late")?.status).toMatchObject({ phase: "Failed", reason: "NodeShutdown", message: "Pod was rejected: Pod was rejected as the node is shutting down." });
    expect(seen.conditions("Ready").map(({ message: text }) => text)).toContain("node is shutting down");
  });

  it("is as a loss of power without grace periods, as by default", () => {
    const seen = run(90, [apply(0.1, pods), fault(20, 200, "node.shutdown", { ...node, gracePeriod: 0 })]);
    expect(seen.events(/Shutdown/)).toEqual([]);
    expect(seen.pod("slow")?.status?.phase).toBe("Running");
    expect(seen.conditions("Ready").at(-1)).toMatchObject({ status: "Unknown", reason: "NodeStatusUnknown" });
  });
});

describe("app.oom and app.memory-leak", () => {
  const limited = `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: nginx, image: "nginx:1.27", resources: {limits: {memory: 256Mi}}}]}`;

  it.each(["app.oom", "app.memory-leak"])("%s ends a container at its limit, each time anew, until it is healed", (id) => {
    const seen = run(120, [apply(0.1, limited), fault(5, 25, id)]);
    const [status] = seen.pod("p")?.status?.containerStatuses ?? [];
    expect(status).toMatchObject({ state: { running: expect.anything() }, lastState: { terminated: { reason: "OOMKilled", exitCode: 137 } } });
    expect(status?.restartCount).toBeGreaterThanOrEqual(2);
  });

  it("a leak without a limit runs the node short: the Pod is evicted", () => {
    const seen = run(300, [apply(0.1, `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {nodeName: ${NODE}, containers: [{name: nginx, image: "nginx:1.27"}]}`), fault(5, 290, "node.memory-pressure", { ...node, amount: 2000 }), fault(5, 290, "app.memory-leak", { mibPerSecond: 8 })]);
    expect(seen.events(/Evicted|OOM/)[0]).toMatch(/^p Evicted: The node was low on resource: memory\. /);
  });
});
