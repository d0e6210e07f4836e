import { describe, expect, test } from "vitest";
import { dealHand, dispatch, enqueue, finish, isIdle, leave, NO_QUEUES, type QueueSet, waitingIn } from "./queue-set.ts";

const SHAPE = { queues: 64, handSize: 6, queueLengthLimit: 3 };
const LIMIT = 1;

function fill(requests: readonly (readonly [flow: string, key: string, seats?: number])[]): QueueSet {
  let set: QueueSet = NO_QUEUES;
  for (const [flow, key, seats = 1] of requests) set = enqueue(set, SHAPE, LIMIT, flow, { key, seats }, 0)?.set ?? set;
  return set;
}

/** Serves all, one at a time, each for 10 ms. */
function order(start: QueueSet): readonly string[] {
  const served: string[] = [];
  let set = start;
  for (let now = 0; ; now += 10_000) {
    const called = dispatch(set, SHAPE, LIMIT, 0, now);
    if (called === undefined) return served;
    served.push(called.key);
    set = finish(called.set, LIMIT, called.index, called.seats, 10_000, now + 10_000);
  }
}

describe("queues of a priority level", () => {
  test("a hand has distinct queues and belongs to its flow", () => {
    for (const flow of ["a", "b", "c", "jane", "bob"]) {
      const hand = dealHand(flow, 64, 6);
      expect(new Set(hand).size).toBe(6);
      expect(hand.every((card) => card >= 0 && card < 64)).toBe(true);
      expect(dealHand(flow, 64, 6)).toEqual(hand);
    }
    expect(dealHand("a", 64, 6)).not.toEqual(dealHand("b", 64, 6));
    expect([...dealHand("x", 6, 6)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("one flow's flood does not starve another", () => {
    const flood = Array.from({ length: 12 }, (_, i) => ["elephant", `e${i}`] as const);
    const served = order(fill([...flood, ["mouse", "m0"], ["mouse", "m1"]]));
    expect(served).toHaveLength(14);
    expect(Math.max(served.indexOf("m0"), served.indexOf("m1"))).toBeLessThan(10);
    expect(served.filter((key) => key.startsWith("m"))).toEqual(["m0", "m1"]);
  });

  test("a full hand refuses; who leaves makes room", () => {
    const set = fill(Array.from({ length: 18 }, (_, i) => ["elephant", `e${i}`] as const));
    expect(waitingIn(set)).toBe(18);
    expect(enqueue(set, SHAPE, LIMIT, "elephant", { key: "late", seats: 1 }, 0)).toBeUndefined();
    const left = leave(set, LIMIT, "e3", 5);
    expect(left && waitingIn(left)).toBe(17);
    expect(leave(set, LIMIT, "unknown", 5)).toBeUndefined();
  });

  test("a request that needs more seats than there are waits until it is alone", () => {
    const set = fill([["a", "wide", 5]]);
    expect(dispatch(set, SHAPE, LIMIT, 1, 0)).toBeUndefined();
    const called = dispatch(set, SHAPE, LIMIT, 0, 0);
    expect(called?.key).toBe("wide");
    expect(called && isIdle(finish(called.set, LIMIT, called.index, 5, 10, 10))).toBe(true);
  });
});
