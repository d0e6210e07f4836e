// Models kubernetes/staging/src/k8s.io/client-go/util/workqueue/{queue,default_rate_limiters}.go
import type { Micros } from "../api/time.ts";
import { PMap } from "../kernel/pmap.ts";

/**
 * Keys to work on: one worker a key at a time; additions meanwhile collapse into one more run. Persistent maps, since a
 * controller of a thousand nodes adds a thousand keys at once.
 */
export interface WorkQueue {
  /** Keys by their number in the line: those from `first` on, before `next`. */
  readonly line: PMap<string>;
  readonly first: number;
  readonly next: number;
  readonly dirty: PMap<true>;
  readonly processing: readonly string[];
  readonly failures: PMap<number>;
  /** When the bucket that all retries share would be full again: 10 a second, 100 at once. */
  readonly full: Micros;
}

export const EMPTY_QUEUE: WorkQueue = { line: PMap.empty(), first: 0, next: 0, dirty: PMap.empty(), processing: [], failures: PMap.empty(), full: 0 };

const BASE_DELAY: Micros = 5_000;
const MAX_DELAY: Micros = 1_000_000_000;
const TOKEN_EVERY: Micros = 100_000;
const BUCKET: Micros = 100 * TOKEN_EVERY;

/** Keys in the order in which they will be taken. */
export const queuedKeys = ({ line, first, next }: Pick<WorkQueue, "line" | "first" | "next">): readonly string[] => Array.from({ length: next - first }, (_, i) => line.get(String(first + i)) ?? "");

const append = (q: WorkQueue, key: string): Pick<WorkQueue, "line" | "first" | "next"> => ({ line: q.line.set(String(q.next), key), first: q.first, next: q.next + 1 });

export function addKey(q: WorkQueue, key: string): WorkQueue {
  if (q.dirty.has(key)) return q;
  const { line, first, next } = q.processing.includes(key) ? q : append(q, key);
  return { line, first, next, dirty: q.dirty.set(key, true), processing: q.processing, failures: q.failures, full: q.full };
}

/** Takes the next key; undefined if there is none. */
export function getKey(q: WorkQueue): { queue: WorkQueue; key: string } | undefined {
  const at = String(q.first);
  const key = q.line.get(at);
  if (key === undefined) return undefined;
  return { key, queue: { line: q.line.delete(at), first: q.first + 1, next: q.next, dirty: q.dirty.delete(key), processing: [...q.processing, key], failures: q.failures, full: q.full } };
}

export function doneKey(q: WorkQueue, key: string): WorkQueue {
  const { line, first, next } = q.dirty.has(key) ? append(q, key) : q;
  return { line, first, next, dirty: q.dirty, processing: q.processing.filter((k) => k !== key), failures: q.failures, full: q.full };
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
  const failures = q.failures.get(key) ?? 0;
  const full = Math.max(q.full, now) + TOKEN_EVERY;
  return { delay: Math.max(retryDelay(failures, { base, max }), full - now - BUCKET), queue: { line: q.line, first: q.first, next: q.next, dirty: q.dirty, processing: q.processing, failures: q.failures.set(key, failures + 1), full } };
}

export function forgetKey(q: WorkQueue, key: string): WorkQueue {
  if (!q.failures.has(key)) return q;
  return { line: q.line, first: q.first, next: q.next, dirty: q.dirty, processing: q.processing, failures: q.failures.delete(key), full: q.full };
}
