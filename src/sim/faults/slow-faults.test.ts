import { describe, expect, it } from "vitest";
import type { Deployment, KubeObject, Node, Pod } from "../api/types.ts";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { RunInput } from "../scenarios/recipe.ts";
import { create, fault, kubectl, pod, S, see, type Seen } from "../testdata/fault-run.ts";

const POD = "/registry/pods/default/p";
const run = (at: number, name: string): RunInput => kubectl(at, "run", name, "--image=nginx:1.27");
const bornAt = (seen: Seen, name: string): number => seen.all(`/registry/pods/default/${name}`)[0]?.at ?? Number.NaN;
const readyAt = (seen: Seen, key = POD): number => seen.all(key).find(({ object }) => (object as Pod | undefined)?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True"))?.at ?? Number.NaN;

/** Notes of one run that match, as "seconds component". */
function notes(until: number, pattern: RegExp, inputs: readonly RunInput[]): readonly string[] {
  const cluster = createCluster({ world: "ten-nodes", seed: 3, profile: "quiet", inputs });
  const { trace } = ((sim: Simulation) => (sim.run(until * S), sim))(Simulation.create(cluster.config, cluster.inputs));
  return Array.from({ length: trace.noteCount }, (_, i) => i).filter((i) => pattern.test(trace.strings.text(trace.notes.text.get(i)))).map((i) => `${Math.floor(trace.notes.at.get(i) / S)} ${trace.components[trace.notes.component.get(i)] ?? ""}`);
}

describe("etcd.slow-disk", () => {
  it("makes every write wait for it, and only while it lasts", () => {
    const seen = see(40, [fault(1, 20, "etcd.slow-disk"), run(2, "p"), run(25, "q")]);
    expect(bornAt(seen, "p")).toBeGreaterThan(2.5);
    expect(bornAt(seen, "q")).toBeLessThan(25.2);
    expect(readyAt(seen)).toBeGreaterThan(4);
    expect(readyAt(seen)).toBeLessThan(15);
  });

  it("half a second costs no election, two and a half on the leader alone does: then a faster member leads", () => {
    const led = (params: object, until: number) => notes(30, /becomes leader/, [fault(2, until, "etcd.slow-disk", { ...params }), run(3, "p"), run(4, "q"), run(5, "r")]);
    expect(led({}, 25)).toEqual([]);
    const moved = led({ member: "etcd-0", milliseconds: 2500 }, 25);
    expect(moved).toHaveLength(1);
    expect(moved[0]).toMatch(/etcd-[12]$/);
  });
});

describe("apiserver.watch-cache-lag", () => {
  const seen = see(60, [kubectl(1, "create", "deployment", "d", "--image=nginx:1.27"), fault(5, 40, "apiserver.watch-cache-lag"), kubectl(10, "scale", "deployment", "d", "--replicas=3"), kubectl(12, "get", "deployments"), kubectl(55, "get", "deployments")]);
  const pods = seen.keys("/registry/pods/default/d-").map((key) => seen.all(key)[0]?.at ?? Number.NaN).sort((a, b) => a - b);

  it("each step of the chain comes 5 s after the one before", () => {
    // The Deployment is seen after 5 s, its ReplicaSet after 10 s.
    expect(pods[1]).toBeGreaterThan(20);
    expect(pods[1]).toBeLessThan(21);
  });

  it("a list is not stale: it waits 3 s for the cache, then asks etcd", () => {
    expect(seen.printed("get", "deployments")).toMatch(/d +3\/3/);
    const early = see(20, [fault(1, 19, "apiserver.watch-cache-lag"), run(3, "p"), kubectl(4, "get", "pods", "-o", "name")]);
    expect(early.printed("get")).toBe("pod/p\n");
  });

  it("nothing is made twice, and all is well afterwards", () => {
    expect(pods).toHaveLength(3);
    expect((seen.last("/registry/deployments/default/d") as Deployment).status?.readyReplicas).toBe(3);
  });
});

describe("apiserver.overloaded", () => {
  const get = (at: number): RunInput => kubectl(at, "get", "namespaces", "default", "-o", "name");
  const delay = (user: string): readonly string[] => notes(35, /kubectl exits/, [fault(2, 25, "apiserver.overloaded", { user }), get(15)]);

  it("who asks as the same user waits: queued, refused with 429, tried again", () => {
    expect(Number(delay("kubernetes-admin")[0]?.split(" ")[0])).toBeGreaterThan(15);
    expect(notes(35, /kubectl will send/, [fault(2, 25, "apiserver.overloaded", {}), get(10), get(12), get(14)]).length).toBeGreaterThan(0);
  });

  it("other priority levels do not feel it", () => {
    expect(delay("system:serviceaccount:default:default")).toEqual(["15 kubectl"]);
    const seen = see(30, [kubectl(1, "create", "deployment", "d", "--image=nginx:1.27"), fault(4, 25, "apiserver.overloaded"), create(3, pod("x"))]);
    expect((seen.last("/registry/pods/default/x") as Pod).status?.phase).toBe("Running");
  });
});

describe("network.latency and network.loss", () => {
  const bound = pod("p", { nodeName: "worker-node-01" });
  const ready = (...inputs: RunInput[]): number => readyAt(see(60, [...inputs, create(3, bound)], { world: "ten-nodes" }));
  const usual = ready();

  it("a Pod on that node starts later, by the round trips that it needs", () => {
    const slow = ready(fault(1, 50, "network.latency", { node: "worker-node-01" }));
    expect(slow - usual).toBeGreaterThan(0.8);
    expect(slow - usual).toBeLessThan(4);
  });

  it("other nodes do not feel it", () => {
    expect(ready(fault(1, 50, "network.latency", { node: "worker-node-02" }))).toBeCloseTo(usual, 1);
  });

  it("what TCP loses comes later: nothing fails", () => {
    const lossy = ready(fault(1, 50, "network.loss", { node: "worker-node-01", percent: 40 }));
    expect(lossy - usual).toBeGreaterThan(0.15);
    expect(lossy - usual).toBeLessThan(30);
  });

  it("watch events keep their order when the network is mended", () => {
    const seen = see(40, [fault(1, 12, "network.latency", { node: "worker-node-01", milliseconds: 6000 }), create(3, bound), kubectl(11, "delete", "pod", "p", "--wait=false")], { world: "ten-nodes" });
    expect(seen.last(POD)).toBeUndefined();
  });
});

describe("clock.skew", () => {
  const node = "worker-node-01";
  const skewed = (direction: string, ...inputs: RunInput[]): Seen => see(240, [fault(5, 150, "clock.skew", { node, direction }), create(10, pod("p", { nodeName: node })), ...inputs], { world: "ten-nodes" });
  /** Seconds at which the node's Ready condition changed. */
  const changes = (seen: Seen): readonly string[] => seen.all(`/registry/minions/${node}`).map(({ at, object }) => ({ at, ready: (object as Node).status?.conditions?.find(({ type }) => type === "Ready")?.status })).filter(({ ready }, i, all) => ready !== (all[i - 1]?.ready ?? "True")).map(({ at, ready }) => `${Math.floor(at / 10) * 10} ${ready ?? ""}`);
  const started = (object: KubeObject | undefined): string => (object as Pod).status?.containerStatuses?.[0]?.state?.running?.startedAt ?? "";

  it("set back: no Lease seems newer than the last, the node is Unknown after 50 s, and at the kubelet's next status Ready", () => {
    const seen = skewed("behind");
    expect(changes(seen)).toEqual(["50 Unknown", "60 True"]);
    expect(started(seen.last(POD))).toMatch(/^2025-12-31T23:50:1/);
  });

  it("ahead: nobody minds, until it is set right", () => {
    const seen = skewed("ahead", kubectl(20, "get", "events", "--field-selector", "reason=Started"));
    expect(changes(seen)).toEqual(["190 Unknown", "200 True"]);
    expect(started(seen.last(POD))).toMatch(/^2026-01-01T00:10:1/);
    expect(seen.printed("get", "events")).toContain("<invalid>");
  });
});
