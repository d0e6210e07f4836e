import { describe, expect, test } from "vitest";
import { SECOND } from "../api/time.ts";
import type { Node, Pod } from "../api/types.ts";
import { noListers } from "./listers.ts";
import { activate, add, addUnschedulable, emptyQueue, flushBackoff, flushUnschedulable, isBackingOff, move, pop, type QueueContext, type QueuedPod, remove, type SchedulingQueue, update } from "./queue.ts";
import type { ClusterEvent } from "./queueing-hints.ts";

const pod = (name: string, priority = 0, spec: Partial<Pod["spec"]> = {}): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name, uid: name }, spec: { priority, containers: [{ name: "c", resources: { requests: { cpu: "1" } } }], ...spec } });
const bigNode: Node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" }, status: { allocatable: { cpu: "4", pods: "10" } } };
const nodeAdded: ClusterEvent = { resource: "Node", change: "add", object: bigNode };

const at = (now: number, preempting: readonly string[] = []): QueueContext => ({ listers: noListers, preempting, now });

function take(queue: SchedulingQueue): { queue: SchedulingQueue; next: QueuedPod } {
  const popped = pop(queue);
  if (!popped) throw new Error("empty");
  return popped;
}

/** A Pod that was rejected `times` times, the last time at `now`. */
function rejected(times: number, now: number, plugins: readonly string[] = ["NodeResourcesFit"]): SchedulingQueue {
  let queue = add(emptyQueue(), pod("p"), at(0));
  for (let i = 0; i < times; i += 1) {
    const { queue: popped, next } = take(queue);
    queue = addUnschedulable(popped, next, next.pod, plugins, at(now));
    if (i < times - 1) queue = { ...queue, unschedulablePods: [], activeQ: queue.unschedulablePods };
  }
  return queue;
}

test("activeQ: priority first, then who came first", () => {
  let queue = emptyQueue();
  for (const [i, [name, priority]] of ([["a", 0], ["b", 5], ["c", 0], ["d", 5], ["e", 9]] as const).entries()) queue = add(queue, pod(name, priority), at(i));
  expect(queue.activeQ.map((q) => q.key)).toEqual(["e", "b", "d", "a", "c"]);
  expect(remove(queue, "d").activeQ.map((q) => q.key)).toEqual(["e", "b", "a", "c"]);
});

describe("a rejected Pod", () => {
  test("waits for an event that its plugin asked for", () => {
    const queue = rejected(1, 100);
    expect(queue.unschedulablePods.map((q) => q.key)).toEqual(["p"]);
    const annotated: ClusterEvent = { resource: "Node", change: "update", object: bigNode, old: bigNode };
    expect(move(queue, annotated, at(200))).toBe(queue);
    const woken = move(queue, nodeAdded, at(200));
    expect(woken.unschedulablePods).toEqual([]);
  });

  test.each([[1, 1], [2, 2], [3, 4], [4, 8], [5, 10], [9, 10]])("after %i rejections backs off %i s", (times, seconds) => {
    const woken = move(rejected(times, 0), nodeAdded, at(0));
    expect(woken.podBackoffQ).toHaveLength(1);
    // The second in which it ends still belongs to it: what ends in one second is let go together.
    expect(flushBackoff(woken, at((seconds + 1) * SECOND - 1)).activeQ).toHaveLength(0);
    expect(flushBackoff(woken, at((seconds + 1) * SECOND)).activeQ).toHaveLength(1);
  });

  test("is taken from podBackoffQ before its time if nothing else is to do", () => {
    const woken = move(rejected(3, 0), nodeAdded, at(0));
    expect(take(woken).next.key).toBe("p");
    const { next } = take(add(woken, pod("other"), at(5)));
    expect(next.key).toBe("other");
  });

  test("is not taken early after an error", () => {
    const { queue, next } = take(add(emptyQueue(), pod("p"), at(0)));
    const failed = addUnschedulable(queue, next, next.pod, [], at(0));
    expect(failed.podErrorBackoffQ).toHaveLength(1);
    expect(pop(failed)).toBeUndefined();
    expect(flushBackoff(failed, at(2 * SECOND)).activeQ).toHaveLength(1);
  });

  test("does not miss an event that came while it was being scheduled", () => {
    const { queue, next } = take(add(emptyQueue(), pod("p"), at(0)));
    const during = move(queue, nodeAdded, at(1));
    const back = addUnschedulable(during, next, next.pod, ["NodeResourcesFit"], at(2));
    expect(back.podBackoffQ).toHaveLength(1);
    expect(back.events).toEqual([]);
    expect(back.inFlight).toEqual([]);
  });

  test("is tried again after five minutes without any event", () => {
    const queue = rejected(1, 0);
    expect(flushUnschedulable(queue, at(300 * SECOND))).toBe(queue);
    expect(flushUnschedulable(queue, at(300 * SECOND + 1)).activeQ).toHaveLength(1);
  });

  test("wakes when its own tolerations change", () => {
    const queue = rejected(1, 0, ["TaintToleration"]);
    const changed = pod("p", 0, { tolerations: [{ operator: "Exists" }] });
    expect(update(queue, pod("p"), changed, at(5 * SECOND)).activeQ.map((q) => q.pod)).toEqual([changed]);
  });

  test("does not miss its own change that came while it was being scheduled, nor takes another's for its own", () => {
    const tolerant = (name: string): Pod => pod(name, 0, { tolerations: [{ operator: "Exists" }] });
    const first = take(add(add(emptyQueue(), pod("p"), at(0)), pod("q"), at(1)));
    const second = take(first.queue);
    const during = update(second.queue, pod("p"), tolerant("p"), at(2));
    expect([...during.activeQ, ...during.unschedulablePods]).toEqual([]);
    const p = addUnschedulable(during, first.next, tolerant("p"), ["TaintToleration"], at(3));
    expect(p.podBackoffQ.map((q) => q.key)).toEqual(["p"]);
    const q = addUnschedulable(p, second.next, pod("q"), ["TaintToleration"], at(4));
    expect(q.unschedulablePods.map((x) => x.key)).toEqual(["q"]);
  });

  test("of which no plugin says why (no nodes at all) counts as an error", () => {
    const { queue, next } = take(add(emptyQueue(), pod("p"), at(0)));
    const [back] = addUnschedulable(queue, next, next.pod, [], at(0)).podErrorBackoffQ;
    expect(back).toMatchObject({ errorCount: 1, unschedulableCount: 0 });
    const again = rejected(1, 0).unschedulablePods[0];
    expect(again).toMatchObject({ errorCount: 0, unschedulableCount: 1 });
  });
});

describe("a Pod that preempts others", () => {
  const deleted: ClusterEvent = { resource: "AssignedPod", change: "delete", object: pod("victim", 0, { nodeName: "n" }) };

  test("is gated while it does, then looked at only when a Pod is deleted", () => {
    const gated = move(rejected(1, 0), nodeAdded, at(5 * SECOND, ["p"]));
    expect(gated.unschedulablePods[0]).toMatchObject({ gated: "waiting for the preemption for this pod to be finished", gatingPlugin: "DefaultPreemption", unschedulablePlugins: ["NodeResourcesFit", "DefaultPreemption"] });
    expect(move(gated, nodeAdded, at(6 * SECOND))).toBe(gated);
    expect(move(gated, deleted, at(6 * SECOND, ["p"])).unschedulablePods).toHaveLength(1);
    expect(move(gated, deleted, at(6 * SECOND)).activeQ.map((q) => [q.key, q.gated])).toEqual([["p", ""]]);
  });

  test("is gated on its way into backoffQ too, from where it could be popped", () => {
    const gated = move(rejected(1, 0), nodeAdded, at(0, ["p"]));
    expect([gated.podBackoffQ.length, gated.unschedulablePods.length]).toEqual([0, 1]);
  });

  test("is activated when an eviction fails, at once or when it comes back", () => {
    expect(activate(rejected(1, 0), pod("p"), at(0)).activeQ).toHaveLength(1);
    const { queue, next } = take(add(emptyQueue(), pod("p"), at(0)));
    const back = addUnschedulable(activate(queue, pod("p"), at(1)), next, next.pod, ["NodeResourcesFit"], at(2));
    expect(back.podBackoffQ).toHaveLength(1);
  });
});

describe("a gated Pod", () => {
  const gates = (...names: string[]): Pod => pod("p", 0, { schedulingGates: names.map((name) => ({ name })) });
  const gated = add(emptyQueue(), gates("a", "b"), at(0));

  test("waits for all its gates to go and for nothing else, not even five minutes", () => {
    expect(gated.unschedulablePods[0]).toMatchObject({ gated: "waiting for scheduling gates: [a b]", gatingPlugin: "SchedulingGates", unschedulablePlugins: ["SchedulingGates"] });
    expect(move(gated, nodeAdded, at(1))).toBe(gated);
    expect(flushUnschedulable(gated, at(400 * SECOND))).toBe(gated);
    const one = update(gated, gates("a", "b"), gates("b"), at(2));
    expect(one.unschedulablePods[0]?.gated).toBe("waiting for scheduling gates: [b]");
    expect(update(one, gates("b"), gates(), at(3)).activeQ.map((q) => [q.key, q.timestamp])).toEqual([["p", 0]]);
  });
});

test("a back-off that ends in this second is not over", () => {
  const [waiting] = move(rejected(1, 300_000), nodeAdded, at(300_000)).podBackoffQ;
  expect(waiting && [SECOND, 2 * SECOND - 1, 2 * SECOND].map((now) => isBackingOff(emptyQueue().config, waiting, now))).toEqual([true, true, false]);
});
