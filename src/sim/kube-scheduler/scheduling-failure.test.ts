import { describe, expect, test } from "vitest";
import type { KubeObject, Pod } from "../api/types.ts";
import { asking, oneNode, Rig, stored, worldOf } from "./testdata/scheduler-rig.ts";

const rig = (...objects: KubeObject[]): Rig => new Rig(worldOf([oneNode(), ...objects]));
const later = (pod: Pod, resourceVersion: string, change: { metadata?: object; spec?: object; status?: object }): Pod => ({ ...pod, metadata: { ...pod.metadata, ...change.metadata, resourceVersion }, spec: { ...pod.spec, ...change.spec }, ...(change.status ? { status: { ...pod.status, ...change.status } } : {}) }) as Pod;
const running = (name: string, cpu: string, priority = 0): Pod => ({ ...asking(name, cpu, priority, { nodeName: "n1" }), status: { phase: "Running" } });

describe("what happens to the Pod meanwhile", () => {
  test("deleted while it was being scheduled: its Binding fails, and it is not queued again", () => {
    const r = rig();
    const pod = asking("web", "100m");
    r.watch("ADDED", pod);
    r.run(150);
    r.watch("DELETED", pod);
    r.run(20_000);
    r.answer(r.requests("POST", "/binding")[0]?.id ?? 0, 404, { kind: "Status", message: 'pods "web" not found' });
    expect(r.notes()).toEqual(['running Bind plugin "DefaultBinder": pods "web" not found']);
    expect(r.requests("PATCH", "/pods/web/status")[0]?.request.body).toMatchObject({ status: { conditions: [{ reason: "SchedulerError" }] } });
    expect([r.state.assumed, r.state.queue.podErrorBackoffQ, r.state.queue.inFlight]).toEqual([[], [], []]);
  });

  test("bound by somebody else: it cannot be assumed", () => {
    const r = rig();
    const pod = asking("web", "100m");
    r.watch("ADDED", pod);
    r.run(150);
    r.watch("MODIFIED", later(pod, "12", { spec: { nodeName: "n1" } }));
    r.run(20_000);
    expect(r.requests("POST", "/binding")).toEqual([]);
    expect(r.notes()).toEqual(["pod uid-web(default/web) is in the cache, so can't be assumed"]);
    expect(r.state.queue.inFlight).toEqual([]);
  });

  test("deleted and made anew under its name: nothing is said of the old one", () => {
    const r = rig();
    const pod = asking("web", "5");
    r.watch("ADDED", pod);
    r.run(150);
    r.watch("DELETED", pod);
    r.watch("ADDED", later(pod, "12", { metadata: { uid: "uid-2" }, spec: { containers: [{ name: "c", resources: { requests: { cpu: "100m" } } }] } }));
    r.run(20_000);
    expect(r.notes()).toEqual([]);
    expect(r.requests("PATCH", "/status")).toEqual([]);
    expect(r.requests("POST", "/binding").map(({ request }) => (request.body as KubeObject).metadata.uid)).toEqual(["uid-2"]);
  });

  test("told to go while its Binding is under way: its room is free at once, and others are told", () => {
    const r = rig();
    const pod = asking("web", "800m");
    r.watch("ADDED", pod);
    r.run(20_000);
    r.watch("ADDED", asking("next", "800m"));
    r.run(40_000);
    expect(r.state.queue.unschedulablePods).toHaveLength(1);
    r.watch("MODIFIED", later(pod, "12", { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }));
    expect(r.state.assumed).toEqual([]);
    r.run(60_000);
    expect(r.requests("POST", "/binding").map(({ request }) => request.path.split("/")[6])).toEqual(["web", "next"]);
  });
});

describe("the status that is written", () => {
  test("names only what differs, and the order of conditions", () => {
    const r = rig();
    const old = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "before", lastProbeTime: null, lastTransitionTime: "2026-01-01T00:00:00Z" };
    r.watch("ADDED", { ...asking("web", "5"), status: { conditions: [{ type: "Other", status: "True" }, old] } } as Pod);
    r.run(20_000);
    expect(r.requests("PATCH", "/pods/web/status")[0]?.request.body).toEqual({
      status: {
        "$setElementOrder/conditions": [{ type: "Other" }, { type: "PodScheduled" }],
        conditions: [{ type: "PodScheduled", message: "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling." }],
      },
    });
  });

  test("is not written again when the next attempt says the same", () => {
    const r = rig();
    r.watch("ADDED", asking("web", "5"));
    r.run(20_000);
    const [patch] = r.requests("PATCH", "/pods/web/status");
    r.watch("MODIFIED", later(asking("web", "5"), "12", { status: { conditions: (patch?.request.body as { status?: { conditions: [] } } | undefined)?.status?.conditions } }));
    r.run(400_000_000);
    expect(r.state.attempts).toHaveLength(2);
    expect(r.requests("PATCH", "/pods/web/status")).toHaveLength(1);
  });

  test("no nodes: SchedulerError's back-off, but the reason is Unschedulable", () => {
    const r = new Rig(worldOf([]));
    r.watch("ADDED", { ...asking("web", "1"), status: { nominatedNodeName: "gone" } });
    r.run(20_000);
    expect(r.requests("PATCH", "/pods/web/status")[0]?.request.body).toMatchObject({ status: { nominatedNodeName: null, conditions: [{ reason: "Unschedulable", message: "no nodes available to schedule pods" }] } });
    expect(r.state.queue.podErrorBackoffQ).toHaveLength(1);
  });

  test("a failed Binding withdraws the promise of a node", () => {
    const r = rig();
    r.watch("ADDED", { ...asking("web", "100m"), status: { nominatedNodeName: "n1" } });
    r.run(20_000);
    r.answer(r.requests("POST", "/binding")[0]?.id ?? 0, 500, { kind: "Status", message: "no" });
    expect(r.requests("PATCH", "/pods/web/status")[0]?.request.body).toMatchObject({ status: { nominatedNodeName: null } });
    expect(r.state.snapshot.nominated).toEqual([]);
  });
});

describe("a promised node", () => {
  /** "high" has been promised n1 and waits for "low" to leave. */
  function promised(): { r: Rig; high: Pod } {
    const r = rig(running("low", "800m", 1));
    const high = asking("high", "500m", 100);
    r.watch("ADDED", high);
    r.run(20_000);
    return { r, high };
  }

  test("stays promised through an update from before the promise was written", () => {
    const { r, high } = promised();
    r.watch("MODIFIED", later(high, "12", { metadata: { labels: { a: "b" } } }));
    expect(r.state.snapshot.nominated.map((p) => [p.metadata.name, p.status?.nominatedNodeName, p.metadata.labels])).toEqual([["high", "n1", { a: "b" }]]);
    r.watch("MODIFIED", later(high, "13", { status: { nominatedNodeName: "n1" } }));
    r.watch("MODIFIED", later(high, "14", { status: {} }));
    expect(r.state.snapshot.nominated).toEqual([]);
  });

  test("counts against others of its priority or less, and wakes them when it is given up", () => {
    const { r, high } = promised();
    r.watch("MODIFIED", later(high, "13", { status: { nominatedNodeName: "n1" } }));
    r.watch("DELETED", running("low", "800m", 1));
    r.watch("ADDED", asking("other", "600m", 50));
    r.run(25_000);
    expect(r.notes()).toContain("0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.");
    r.watch("DELETED", later(high, "14", { status: { nominatedNodeName: "n1" } }));
    r.run(900_000);
    expect(r.requests("POST", "/binding").map(({ request }) => request.path.split("/")[6])).toContain("other");
  });
});

test("a finished Pod is seen as deleted: its room is free", () => {
  const r = rig(running("done", "800m"));
  r.watch("ADDED", asking("next", "800m"));
  r.run(20_000);
  expect(r.state.queue.unschedulablePods).toHaveLength(1);
  r.watch("DELETED", stored({ ...running("done", "800m"), status: { phase: "Succeeded" } }, "12"));
  r.run(40_000);
  expect(r.requests("POST", "/binding")).toHaveLength(1);
});

test("a Pod that resizes to less, as the kubelet says, makes room", () => {
  const status = (cpu: string): object => ({ phase: "Running", containerStatuses: [{ name: "c", resources: { requests: { cpu } }, allocatedResources: { cpu } }] });
  const big = later(running("big", "300m"), "2", { status: status("800m") });
  const r = rig(big);
  r.watch("ADDED", asking("next", "600m"));
  r.run(20_000);
  expect(r.state.queue.unschedulablePods).toHaveLength(1);
  r.watch("MODIFIED", later(big, "3", { status: status("300m") }));
  r.run(900_000);
  expect(r.requests("POST", "/binding")).toHaveLength(1);
});
