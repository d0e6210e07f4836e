import { expect, test } from "vitest";
import { addKey, doneKey, EMPTY_QUEUE, forgetKey, getKey, queuedKeys, rateLimit, type WorkQueue } from "./workqueue.ts";

test("a key is worked on once at a time; what is added meanwhile is one more run", () => {
  let queue = addKey(addKey(addKey(EMPTY_QUEUE, "a"), "b"), "a");
  const first = getKey(queue);
  expect([first?.key, queuedKeys(first?.queue ?? EMPTY_QUEUE)]).toEqual(["a", ["b"]]);
  queue = addKey(addKey(first?.queue ?? EMPTY_QUEUE, "a"), "a");
  expect(queuedKeys(queue)).toEqual(["b"]);
  expect(queuedKeys(doneKey(queue, "a"))).toEqual(["b", "a"]);
});

/** Delays in ms of so many failures, each at its time in ms. */
function delays(times: readonly number[], keyOf: (i: number) => string = () => "a"): readonly number[] {
  let queue: WorkQueue = EMPTY_QUEUE;
  return times.map((time, i) => {
    const limited = rateLimit(queue, keyOf(i), time * 1000);
    queue = limited.queue;
    return limited.delay / 1000;
  });
}

test.each([
  ["one key waits longer each time, up to 1000 s", delays(Array.from({ length: 20 }, (_, i) => i * 1e6)), [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240, 20480, 40960, 81920, 163840, 327680, 655360, 1e6, 1e6]],
  ["keys share a bucket of a hundred, refilled ten times a second", delays(Array.from({ length: 103 }, () => 0), (i) => `k${i}`).slice(98), [5, 5, 100, 200, 300]],
  ["which is full again after ten seconds", delays([...Array.from({ length: 100 }, () => 0), 50, 10_050], (i) => `k${i}`).slice(100), [50, 5]],
])("%s", (_name, got, want) => {
  expect(got).toEqual(want);
});

test("a success forgets the failures of its key", () => {
  const limited = rateLimit(rateLimit(EMPTY_QUEUE, "a", 0).queue, "a", 0);
  expect(limited.delay).toBe(10_000);
  expect(rateLimit(forgetKey(limited.queue, "a"), "a", 0).delay).toBe(5_000);
});
