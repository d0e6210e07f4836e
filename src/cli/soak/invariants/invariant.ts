import type { Micros } from "../../../sim/api/time.ts";
import type { Simulation } from "../../../sim/kernel/simulation.ts";
import type { RunRecipe } from "../../../sim/scenarios/recipe.ts";
import type { Revision } from "../../../trace/model.ts";
import type { Trace } from "../../../trace/trace.ts";
import { secondsText } from "../../time-text.ts";

/** A finished run, healed and quiet at its end. */
export interface SoakRun {
  readonly recipe: RunRecipe;
  readonly sim: Simulation;
  readonly trace: Trace;
  /** What etcd held at time 0. */
  readonly base: readonly Revision[];
  readonly until: Micros;
}

/** What is true of every run, whatever goes wrong in it. */
export interface Invariant {
  readonly id: string;
  /** The sentence that holds. */
  readonly says: string;
  /** What contradicts it, in order of time; each names the time and the object. Pure. */
  check(run: SoakRun): readonly string[];
}

/** "12.345678 s: pod/default/web: what is wrong" */
export const broken = (at: Micros, subject: string, what: string): string => `${secondsText(at)} s: ${subject}: ${what}`;

/** Every version of an object that was stored during the run, with the one before it: from the recording, in order of revisions. */
export interface Version<T> {
  readonly at: Micros;
  readonly key: string;
  readonly verb: Revision["verb"];
  readonly object: T | undefined;
  readonly before: T | undefined;
  readonly revision: number;
}

/** The versions of all objects under a prefix of etcd's keys; those that the world began with are only `before`. */
export function versionsUnder<T>({ trace, base }: SoakRun, prefix: string): readonly Version<T>[] {
  const known = new Map<string, T>();
  for (const { key, object } of base) if (key.startsWith(prefix)) known.set(key, object as T);
  const versions: Version<T>[] = [];
  trace.revisions.forEach(({ key, verb, object, revision }, i) => {
    if (!key.startsWith(prefix)) return;
    versions.push({ at: trace.notes.at.get(trace.revisionNotes[i] ?? -1), key, verb, object: object as T | undefined, before: known.get(key), revision });
    if (verb === "delete") known.delete(key);
    else known.set(key, object as T);
  });
  return versions;
}

/** "pods/default/web" out of "/registry/pods/default/web". */
export const subjectOf = (key: string): string => key.replace(/^\/registry\//, "");
