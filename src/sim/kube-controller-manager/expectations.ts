// Models kubernetes/pkg/controller/controller_utils.go (UIDTrackingControllerExpectations)
import { PMap } from "../kernel/pmap.ts";
import type { Micros } from "../kernel/types.ts";

/** What an owner has asked for and not seen yet: Pods to appear, and keys of Pods to go. */
export interface Expectation {
  readonly adds: number;
  readonly dels: readonly string[];
  readonly at: Micros;
}

/** By the owner's key. */
export type Expectations = PMap<Expectation>;

export const NO_EXPECTATIONS: Expectations = PMap.empty();

/** ExpectationsTimeout: who has waited so long looks again. */
const TIMEOUT: Micros = 300_000_000;

/** Whether everything that was asked for has been seen, or waited for too long. */
export function satisfied(all: Expectations, key: string, now: Micros): boolean {
  const known = all.get(key);
  return known === undefined || (known.adds <= 0 && known.dels.length === 0) || now - known.at > TIMEOUT;
}

export const expectCreations = (all: Expectations, key: string, adds: number, at: Micros): Expectations => all.set(key, { adds, dels: [], at });
export const expectDeletions = (all: Expectations, key: string, dels: readonly string[], at: Micros): Expectations => all.set(key, { adds: 0, dels, at });

/** SetExpectations: of both at once, in place of what was expected before. */
export const expectBoth = (all: Expectations, key: string, adds: number, dels: readonly string[], at: Micros): Expectations => (adds === 0 && dels.length === 0 && !all.has(key) ? all : all.set(key, { adds, dels, at }));

export function creationsObserved(all: Expectations, key: string, count = 1): Expectations {
  const known = all.get(key);
  return known === undefined || count === 0 ? all : all.set(key, { ...known, adds: known.adds - count });
}

export function deletionsObserved(all: Expectations, key: string, pods: readonly string[]): Expectations {
  const known = all.get(key);
  if (known === undefined || !pods.some((pod) => known.dels.includes(pod))) return all;
  return all.set(key, { ...known, dels: known.dels.filter((pod) => !pods.includes(pod)) });
}
