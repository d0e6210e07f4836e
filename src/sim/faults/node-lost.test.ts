import { describe, expect, it } from "vitest";
import type { Node, Pod } from "../api/types.ts";
import { create, fault, kubectl, pod, S, type Seen, see } from "../testdata/fault-run.ts";

const NODE = "worker-node-03";
const THREE = { world: "three-nodes" };
const on = { nodeName: NODE };
const deployment = (replicas: number): object => ({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: { replicas, selector: { matchLabels: { app: "web" } }, template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "nginx:1.27" }] } } } });
const readyOf = (object: unknown): string => (object as Node | undefined)?.status?.conditions?.find(({ type }) => type === "Ready")?.status ?? "";
/** Seconds and Ready status of each change of the node. */
const readiness = (seen: Seen): readonly (readonly [number, string])[] => {
  const found: (readonly [number, string])[] = [];
  for (const { at, object } of seen.all(`/registry/minions/${NODE}`)) if (readyOf(object) !== (found.at(-1)?.[1] ?? "True")) found.push([Math.round(at), readyOf(object)]);
  return found;
};
const started = (seen: Seen, name: string): number => seen.reasons(name).filter((reason) => reason === "Started").length;

describe("node.partition", () => {
  it("is as a crash for who looks from outside; healed, what was evicted is killed and the rest runs on", () => {
    const tolerant = pod("stays", { ...on, tolerations: [{ operator: "Exists" }] });
    const seen = see(600, [create(1, pod("p", on), tolerant), fault(20, 500, "node.partition", { node: NODE }), kubectl(90, "logs", "p")], { ...THREE, look: [60, 300, 400, 499, 590] });
    expect(readiness(seen).map(([, is]) => is)).toEqual(["Unknown", "True"]);
    const [unknown = 0, ready = 0] = readiness(seen).map(([at]) => at);
    expect(unknown).toBeGreaterThanOrEqual(60);
    expect(unknown).toBeLessThanOrEqual(75);
    expect(ready).toBeGreaterThan(500);
    expect(ready).toBeLessThanOrEqual(520);
    expect(seen.rows("p")).toEqual(["1/1 Running 0", "1/1 Running 0", "1/1 Terminating 0", "1/1 Terminating 0", ""]);
    expect(seen.rows("stays")[4]).toBe("1/1 Running 0");
    expect(seen.eventAt("p", "Killing")).toBeGreaterThan(500);
    expect(seen.reasons("p")).toEqual(["Pulling", "Pulled", "Created", "Started", "NodeNotReady", "TaintManagerEviction", "Killing"]);
    expect(seen.printed("logs")).toMatch(/^Error from server: Get "https:\/\/[\d.]+:10250\/containerLogs\/default\/p\/c": dial tcp [\d.]+:10250: i\/o timeout\n$/);
  });

  it("of half a minute nobody hears: what was sent meanwhile arrives, watches live on", () => {
    const seen = see(90, [create(1, pod("p", on)), fault(20, 50, "node.partition", { node: NODE }), create(25, pod("q", on)), kubectl(26, "delete", "pod", "p", "--wait=false")], { ...THREE, look: [45, 60] });
    expect(readiness(seen)).toEqual([]);
    expect([seen.rows("p"), seen.rows("q")]).toEqual([["1/1 Terminating 0", ""], ["0/1 Pending 0", "1/1 Running 0"]]);
    expect(seen.eventAt("p", "Killing")).toBeGreaterThan(50);
    expect(seen.eventAt("p", "Killing")).toBeLessThan(53);
  });

  it("two nodes are cut off, one comes back", () => {
    const seen = see(140, [fault(5, 90, "node.partition", { node: NODE }), fault(5, 900, "node.partition", { node: "worker-node-02" })], THREE);
    expect(readyOf(seen.last(`/registry/minions/${NODE}`))).toBe("True");
    expect(readyOf(seen.last("/registry/minions/worker-node-02"))).toBe("Unknown");
  });
});

describe("node.crash", () => {
  const taints = (seen: Seen, node: string): readonly string[] => [...new Set(seen.all(`/registry/minions/${node}`).flatMap(({ object }) => (object as Node | undefined)?.spec?.taints?.map(({ key, effect }) => `${key ?? ""}:${effect}`) ?? []))];

  it("NotReady after its grace, tainted, evicted 300 s later; what ran there is Terminating until the node returns", () => {
    const seen = see(520, [create(1, pod("p", on)), fault(20, 450, "node.crash", { node: NODE })], { ...THREE, look: [60, 300, 400, 449, 500] });
    const [[unknown = 0] = []] = readiness(seen);
    expect(unknown).toBeGreaterThanOrEqual(60);
    expect(unknown).toBeLessThanOrEqual(75);
    expect(taints(seen, NODE)).toEqual(["node.kubernetes.io/unreachable:NoSchedule", "node.kubernetes.io/unreachable:NoExecute"]);
    expect(seen.eventAt("p", "TaintManagerEviction") - unknown).toBeCloseTo(300, -1);
    expect(seen.rows("p")).toEqual(["1/1 Running 0", "1/1 Running 0", "1/1 Terminating 0", "1/1 Terminating 0", ""]);
    expect(readiness(seen).map(([, is]) => is)).toEqual(["Unknown", "True"]);
  });

  it("of no node anything is heard: the taint that evicts is taken back", () => {
    const seen = see(500, [create(1, pod("p", on)), fault(20, 480, "kubelet.stopped")], { ...THREE, look: [470] });
    expect(readiness(seen).map(([, is]) => is)).toEqual(["Unknown", "True"]);
    const there = seen.all(`/registry/minions/${NODE}`).findLast(({ at }) => at < 470)?.object as Node | undefined;
    expect(there?.spec?.taints?.map(({ effect }) => effect)).toEqual(["NoSchedule"]);
    expect(seen.events("p").join()).not.toContain("Marking for deletion");
    expect(seen.rows("p")).toEqual(["1/1 Running 0"]);
  });
});

describe("node.reboot", () => {
  const seen = see(140, [create(1, pod("p", on), pod("once", { ...on, restartPolicy: "Never" })), { at: 20 * S, type: "fault", id: "node.reboot", params: { node: NODE } }], { ...THREE, look: [50, 130] });

  it("after its minute the sandboxes are new and RESTARTS has grown", () => {
    expect(seen.rows("p")).toEqual(["1/1 Running 0", "1/1 Running 1"]);
    expect(seen.reasons("p")).toContain("SandboxChanged");
    expect((seen.last("/registry/pods/default/p") as Pod).status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({ exitCode: 255, reason: "Unknown" });
    expect(readiness(seen).map(([, is]) => is)).toEqual(["Unknown", "True"]);
  });

  it("what must not be restarted has failed", () => {
    expect(started(seen, "once")).toBe(1);
    expect((seen.last("/registry/pods/default/once") as Pod).status?.phase).toBe("Failed");
  });
});

describe("node.cordon and node.drain", () => {
  it("cordon: what is there runs on, what is new waits, and is placed when the cordon is taken back", () => {
    const seen = see(40, [create(1, pod("p")), fault(5, 20, "node.cordon"), create(8, pod("q"))], { look: [15, 35] });
    expect([seen.rows("p"), seen.rows("q")]).toEqual([["1/1 Running 0", "1/1 Running 0"], ["0/1 Pending 0", "1/1 Running 0"]]);
    expect(seen.events("q")[0]).toBe("FailedScheduling: 0/1 nodes are available: 1 node(s) were unschedulable. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
    expect(seen.printed("uncordon")).toBe("node/kind-control-plane uncordoned\n");
  });

  it("drain: Pods are evicted by their grace and come up elsewhere; the node is free again at the end", () => {
    const seen = see(60, [create(1, deployment(2)), fault(20, 50, "node.drain", { node: NODE })], { ...THREE, look: [45] });
    expect(seen.printed("drain", NODE)).toMatch(/^node\/worker-node-03 cordoned\n(evicting pod default\/web-\S+\n)+(pod\/web-\S+ evicted\n)+node\/worker-node-03 drained\n$/);
    const pods = seen.keys("/registry/pods/default/web").map((key) => seen.last(key) as Pod | undefined).filter((object) => object !== undefined);
    expect(pods.map(({ spec, status }) => [spec.nodeName === NODE, status?.phase])).toEqual([[false, "Running"], [false, "Running"]]);
    expect((seen.last(`/registry/minions/${NODE}`) as Node).spec?.unschedulable).toBeUndefined();
  });

  it("a budget holds the drain up; its end is a Control-C, and nobody is evicted", () => {
    const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "web" }, spec: { minAvailable: 2, selector: { matchLabels: { app: "web" } } } };
    const seen = see(70, [create(1, deployment(2), budget), fault(20, 40, "node.drain", { node: NODE })], THREE);
    expect(seen.printed("drain", NODE)).toContain('(will retry after 5s): Cannot evict pod as it would violate the pod\'s disruption budget.\n');
    expect(seen.keys("/registry/pods/default/web")).toHaveLength(2);
    expect(seen.printed("uncordon", NODE)).toBe("node/worker-node-03 uncordoned\n");
  });

  it("a Pod without a controller stops a drain that is not forced", () => {
    expect(see(30, [create(1, pod("p", on)), fault(10, 25, "node.drain", { node: NODE, force: false })], THREE).printed("drain", NODE)).toContain("cannot delete Pods that declare no controller (use --force to override): default/p");
  });
});
