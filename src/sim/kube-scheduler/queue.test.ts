import { describe, expect, test } from "vitest";
import { SECOND } from "../api/time.ts";
import type { Node, Pod } from "../api/types.ts";
import { noListers } from "./listers.ts";
import { add, addUnschedulable, emptyQueue, flushBackoff, flushUnschedulable, move, pop, type QueuedPod, remove, type SchedulingQueue, update } from "./queue.ts";
import type { ClusterEvent } from "./queueing-hints.ts";

const pod = (name: string, priority = 0, spec: Partial<Pod["spec"]> = {}): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name, uid: name }, spec: { priority, containers: [{ name: "c", resources: { requests: { cpu: "1" } } }], ...spec } });
const bigNode: Node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" }, status: { allocatable: { cpu: "4", pods: "10" } } };
const nodeAdded: ClusterEvent = { resource: "Node", change: "add", object: bigNode };

function take(queue: SchedulingQueue): { queue: SchedulingQueue; next: QueuedPod } {
  const popped = pop(queue);
  if (!popped) throw new Error("empty");
  return popped;
}

/** A Pod that was rejected `times` times, the last time at `now`. */
function rejected(times: number, now: number, plugins: readonly string[] = ["NodeResourcesFit"]): SchedulingQueue {
  let queue = add(emptyQueue(), pod("p"), 0);
  for (let i = 0; i < times; i += 1) {
    const { queue: popped, next } = take(queue);
    queue = addUnschedulable(popped, next, { pod: next.pod, plugins, error: false }, noListers, now);
    if (i < times - 1) queue = { ...queue, unschedulablePods: [], activeQ: queue.unschedulablePods };
  }
  return queue;
}

test("activeQ: priority first, then who came first", () => {
  let queue = emptyQueue();
  for (const [i, [name, priority]] of ([["a", 0], ["b", 5], ["c", 0], ["d", 5], ["e", 9]] as const).entries()) queue = add(queue, pod(name, priority), i);
  expect(queue.activeQ.map((q) => q.key)).toEqual(["e", "b", "d", "a", "c"]);
  expect(remove(queue, "d").activeQ.map((q) => q.key)).toEqual(["e", "b", "a", "c"]);
});

describe("a rejected Pod", () => {
  test("waits for an event that its plugin asked for", () => {
    const queue = rejected(1, 100);
    expect(queue.unschedulablePods.map((q) => q.key)).toEqual(["p"]);
    const annotated: ClusterEvent = { resource: "Node", change: "update", object: bigNode, old: bigNode };
    expect(move(queue, annotated, noListers, 200)).toBe(queue);
    const woken = move(queue, nodeAdded, noListers, 200);
    expect(woken.unschedulablePods).toEqual([]);
  });

  test.each([[1, 1], [2, 2], [3, 4], [4, 8], [5, 10], [9, 10]])("after %i rejections backs off %i s", (times, seconds) => {
    const woken = move(rejected(times, 0), nodeAdded, noListers, 0);
    expect(woken.podBackoffQ).toHaveLength(1);
    expect(flushBackoff(woken, seconds * SECOND - 1).activeQ).toHaveLength(0);
    expect(flushBackoff(woken, seconds * SECOND).activeQ).toHaveLength(1);
  });

  test("is taken from podBackoffQ before its time if nothing else is to do", () => {
    const woken = move(rejected(3, 0), nodeAdded, noListers, 0);
    expect(take(woken).next.key).toBe("p");
    const { next } = take(add(woken, pod("other"), 5));
    expect(next.key).toBe("other");
  });

  test("is not taken early after an error", () => {
    const { queue, next } = take(add(emptyQueue(), pod("p"), 0));
    const failed = addUnschedulable(queue, next, { pod: next.pod, plugins: [], error: true }, noListers, 0);
    expect(failed.podErrorBackoffQ).toHaveLength(1);
    expect(pop(failed)).toBeUndefined();
    expect(flushBackoff(failed, SECOND).activeQ).toHaveLength(1);
  });

  test("does not miss an event that came while it was being scheduled", () => {
    const { queue, next } = take(add(emptyQueue(), pod("p"), 0));
    const during = move(queue, nodeAdded, noListers, 1);
    const back = addUnschedulable(during, next, { pod: next.pod, plugins: ["NodeResourcesFit"], error: false }, noListers, 2);
    expect(back.podBackoffQ).toHaveLength(1);
    expect(back.events).toEqual([]);
    expect(back.inFlight).toEqual([]);
  });

  test("is tried again after five minutes without any event", () => {
    const queue = rejected(1, 0);
    expect(flushUnschedulable(queue, 300 * SECOND)).toBe(queue);
    expect(flushUnschedulable(queue, 300 * SECOND + 1).activeQ).toHaveLength(1);
  });

  test("wakes when its own tolerations change", () => {
    const queue = rejected(1, 0, ["TaintToleration"]);
    const changed = pod("p", 0, { tolerations: [{ operator: "Exists" }] });
    expect(update(queue, pod("p"), changed, noListers, 5 * SECOND).activeQ.map((q) => q.pod)).toEqual([changed]);
  });
});
