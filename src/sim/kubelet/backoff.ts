// Models kubernetes/staging/src/k8s.io/client-go/util/flowcontrol/backoff.go
import type { Micros } from "../api/time.ts";

const SECOND: Micros = 1_000_000;
/** A back-off is forgotten when more than this lies between the last restart and the next exit, whatever the maximum. */
export const RESET_AFTER: Micros = 600 * SECOND;

export interface BackoffEntry {
  readonly value: Micros;
  readonly lastUpdate: Micros;
}

export interface Backoff {
  readonly initial: Micros;
  readonly max: Micros;
  /** Expiry of an entry: `eventTime - lastUpdate > expire`. Image pulls use twice the maximum. */
  readonly expire: Micros;
  readonly entries: Readonly<Record<string, BackoffEntry>>;
}

export const newBackoff = (initial: Micros, max: Micros, expire: Micros = 2 * max): Backoff => ({ initial, max, expire, entries: {} });

/** Initial and maximal crash-loop back-off of a node's configuration, in seconds. */
export function crashLoopSettings(config: { readonly maxContainerRestartPeriodSeconds?: number; readonly reduceDefault?: boolean }): { initial: number; max: number } {
  const max = config.maxContainerRestartPeriodSeconds ?? (config.reduceDefault ? 60 : 300);
  return { initial: Math.min(config.reduceDefault ? 1 : 10, max), max };
}

const expired = (backoff: Backoff, entry: BackoffEntry, at: Micros): boolean => at - entry.lastUpdate > backoff.expire;

/** Doubles (or starts) the value of a key. */
export function nextBackoff(backoff: Backoff, key: string, eventTime: Micros, now: Micros): Backoff {
  const entry = backoff.entries[key];
  const value = entry === undefined || expired(backoff, entry, eventTime) ? backoff.initial : Math.min(entry.value * 2, backoff.max);
  return { ...backoff, entries: { ...backoff.entries, [key]: { value, lastUpdate: now } } };
}

/** Whether less than the key's value has passed since `eventTime` (an exit). */
export function isInBackoffSince(backoff: Backoff, key: string, eventTime: Micros, now: Micros): boolean {
  const entry = backoff.entries[key];
  if (entry === undefined || expired(backoff, entry, eventTime)) return false;
  return now - eventTime < entry.value;
}

/** Whether less than the key's value has passed since the entry was made (a failed pull). */
export function isInBackoffSinceUpdate(backoff: Backoff, key: string, now: Micros): boolean {
  const entry = backoff.entries[key];
  if (entry === undefined || expired(backoff, entry, now)) return false;
  return now - entry.lastUpdate < entry.value;
}

export const backoffValue = (backoff: Backoff, key: string): Micros => backoff.entries[key]?.value ?? 0;

export function dropBackoff(backoff: Backoff, prefix: string): Backoff {
  const kept = Object.entries(backoff.entries).filter(([key]) => !key.startsWith(prefix));
  return kept.length === Object.keys(backoff.entries).length ? backoff : { ...backoff, entries: Object.fromEntries(kept) };
}
