import type { Micros } from "../../../sim/api/time.ts";
import type { SoakRun } from "./invariant.ts";

/** An object as a run leaves it, and since when. */
export interface Left {
  readonly object: unknown;
  readonly at: Micros;
}

const known = new WeakMap<SoakRun, ReadonlyMap<string, Left>>();

/** What etcd's recording ends with, by key. What the world began with is there since long ago. */
export function last(run: SoakRun): ReadonlyMap<string, Left> {
  const before = known.get(run);
  if (before) return before;
  const left = new Map<string, Left>();
  for (const { key, object } of run.base) left.set(key, { object, at: Number.NEGATIVE_INFINITY });
  run.trace.revisions.forEach(({ key, verb, object }, i) => {
    if (verb === "delete") left.delete(key);
    else left.set(key, { object, at: run.trace.notes.at.get(run.trace.revisionNotes[i] ?? -1) });
  });
  known.set(run, left);
  return left;
}

/** The objects under a prefix, with their keys. */
export function lastUnder<T>(run: SoakRun, prefix: string): readonly { readonly key: string; readonly object: T; readonly at: Micros }[] {
  return [...last(run)].filter(([key]) => key.startsWith(prefix)).map(([key, { object, at }]) => ({ key, object: object as T, at }));
}
