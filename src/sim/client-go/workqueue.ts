// Models kubernetes/staging/src/k8s.io/client-go/util/workqueue/{queue,default_rate_limiters}.go
import type { Micros } from "../api/time.ts";

/** Keys to work on: one worker a key at a time; additions meanwhile collapse into one more run. */
export interface WorkQueue {
  readonly queue: readonly string[];
  readonly dirty: readonly string[];
  readonly processing: readonly string[];
  readonly failures: Readonly<Record<string, number>>;
  /** When the bucket that all retries share would be full again: 10 a second, 100 at once. */
  readonly full: Micros;
}

export const EMPTY_QUEUE: WorkQueue = { queue: [], dirty: [], processing: [], failures: {}, full: 0 };

const BASE_DELAY: Micros = 5_000;
const MAX_DELAY: Micros = 1_000_000_000;
const TOKEN_EVERY: Micros = 100_000;
const BUCKET: Micros = 100 * TOKEN_EVERY;

export function addKey(q: WorkQueue, key: string): WorkQueue {
  if (q.dirty.includes(key)) return q;
  const dirty = [...q.dirty, key];
  return { queue: q.processing.includes(key) ? q.queue : [...q.queue, key], dirty, processing: q.processing, failures: q.failures, full: q.full };
}

/** Takes the next key; undefined if there is none. */
export function getKey(q: WorkQueue): { queue: WorkQueue; key: string } | undefined {
  const [key, ...rest] = q.queue;
  if (key === undefined) return undefined;
  return { key, queue: { queue: rest, dirty: q.dirty.filter((k) => k !== key), processing: [...q.processing, key], failures: q.failures, full: q.full } };
}

export function doneKey(q: WorkQueue, key: string): WorkQueue {
  const processing = q.processing.filter((k) => k !== key);
  return { queue: q.dirty.includes(key) ? [...q.queue, key] : q.queue, dirty: q.dirty, processing, failures: q.failures, full: q.full };
}

/** The first and the longest wait of a key that fails. */
export interface RetryLimits {
  readonly base: Micros;
  readonly max: Micros;
}

export const RETRY_LIMITS: RetryLimits = { base: BASE_DELAY, max: MAX_DELAY };

/** ItemExponentialFailureRateLimiter: the wait after a key has failed `failures` times before: base x 2^n, at most max. */
export function retryDelay(failures: number, { base, max }: RetryLimits): Micros {
  let delay = base;
  for (let i = 0; i < failures && delay < max; i++) delay *= 2;
  return Math.min(delay, max);
}

/** Counts a failure and says after how long to add the key again: 5 ms x 2^n, at most 1000 s, and longer when the shared bucket is empty. */
export function rateLimit(q: WorkQueue, key: string, now: Micros, base: Micros = BASE_DELAY, max: Micros = MAX_DELAY): { queue: WorkQueue; delay: Micros } {
  const failures = q.failures[key] ?? 0;
  const full = Math.max(q.full, now) + TOKEN_EVERY;
  return { delay: Math.max(retryDelay(failures, { base, max }), full - now - BUCKET), queue: { queue: q.queue, dirty: q.dirty, processing: q.processing, failures: { ...q.failures, [key]: failures + 1 }, full } };
}

export function forgetKey(q: WorkQueue, key: string): WorkQueue {
  if (q.failures[key] === undefined) return q;
  const { [key]: _, ...failures } = q.failures;
  return { queue: q.queue, dirty: q.dirty, processing: q.processing, failures, full: q.full };
}
