// Models kubernetes/staging/src/k8s.io/client-go/util/workqueue/{queue,default_rate_limiters}.go
import type { Micros } from "../api/time.ts";

/** Keys to work on: one worker a key at a time; additions meanwhile collapse into one more run. */
export interface WorkQueue {
  readonly queue: readonly string[];
  readonly dirty: readonly string[];
  readonly processing: readonly string[];
  readonly failures: Readonly<Record<string, number>>;
}

export const EMPTY_QUEUE: WorkQueue = { queue: [], dirty: [], processing: [], failures: {} };

const BASE_DELAY: Micros = 5_000;
const MAX_DELAY: Micros = 1_000_000_000;

export function addKey(q: WorkQueue, key: string): WorkQueue {
  if (q.dirty.includes(key)) return q;
  const dirty = [...q.dirty, key];
  return { queue: q.processing.includes(key) ? q.queue : [...q.queue, key], dirty, processing: q.processing, failures: q.failures };
}

/** Takes the next key; undefined if there is none. */
export function getKey(q: WorkQueue): { queue: WorkQueue; key: string } | undefined {
  const [key, ...rest] = q.queue;
  if (key === undefined) return undefined;
  return { key, queue: { queue: rest, dirty: q.dirty.filter((k) => k !== key), processing: [...q.processing, key], failures: q.failures } };
}

export function doneKey(q: WorkQueue, key: string): WorkQueue {
  const processing = q.processing.filter((k) => k !== key);
  return { queue: q.dirty.includes(key) ? [...q.queue, key] : q.queue, dirty: q.dirty, processing, failures: q.failures };
}

/** Counts a failure and says after how long to add the key again: 5 ms x 2^n, at most 1000 s. */
export function rateLimit(q: WorkQueue, key: string, base: Micros = BASE_DELAY, max: Micros = MAX_DELAY): { queue: WorkQueue; delay: Micros } {
  const failures = q.failures[key] ?? 0;
  let delay = base;
  for (let i = 0; i < failures && delay < max; i++) delay *= 2;
  return { delay: Math.min(delay, max), queue: { queue: q.queue, dirty: q.dirty, processing: q.processing, failures: { ...q.failures, [key]: failures + 1 } } };
}

export function forgetKey(q: WorkQueue, key: string): WorkQueue {
  if (q.failures[key] === undefined) return q;
  const { [key]: _, ...failures } = q.failures;
  return { queue: q.queue, dirty: q.dirty, processing: q.processing, failures };
}
