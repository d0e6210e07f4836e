import type { KubeObject } from "../../../sim/api/types.ts";
import { broken, type Invariant, subjectOf, versionsUnder } from "./invariant.ts";

/** What of the life of any object is wrong between two versions of it. */
function wrong(before: KubeObject, object: KubeObject): string | undefined {
  const [old, now] = [before.metadata, object.metadata];
  if (old.uid !== undefined && old.uid !== now.uid) return `its uid changes from ${old.uid} to ${now.uid ?? "none"}`;
  if (old.creationTimestamp !== now.creationTimestamp) return `its creationTimestamp changes from ${String(old.creationTimestamp)} to ${String(now.creationTimestamp)}`;
  if ((now.generation ?? 0) < (old.generation ?? 0)) return `its generation falls from ${old.generation ?? 0} to ${now.generation ?? 0}`;
  if (old.deletionTimestamp !== undefined && now.deletionTimestamp === undefined) return "its deletionTimestamp is taken back";
  return undefined;
}

/** Every object is created, then changed, then deleted, and stays itself between. */
export const objectLives: Invariant = {
  id: "object-lives",
  says: "an object keeps its identity from create to delete",
  check(run) {
    const found: string[] = [];
    const uids = new Set(run.base.map(({ object }) => (object as KubeObject).metadata?.uid));
    for (const { at, key, verb, object, before } of versionsUnder<KubeObject>(run, "/registry/")) {
      if (verb === "create" && before !== undefined) found.push(broken(at, subjectOf(key), "is created while it is there"));
      if (verb === "create" && object !== undefined) {
        const { uid } = object.metadata;
        if (uid !== undefined && uids.has(uid)) found.push(broken(at, subjectOf(key), `has the uid ${uid}, which another object had before`));
        uids.add(uid);
      }
      if (verb !== "create" && before === undefined) found.push(broken(at, subjectOf(key), `is ${verb === "update" ? "changed" : "deleted"} while it is not there`));
      const said = object === undefined || before === undefined || verb !== "update" ? undefined : wrong(before, object);
      if (said !== undefined) found.push(broken(at, subjectOf(key), said));
      const seen = (object?.status as { readonly observedGeneration?: number } | undefined)?.observedGeneration;
      if (object !== undefined && seen !== undefined && object.metadata.generation !== undefined && seen > object.metadata.generation) found.push(broken(at, subjectOf(key), `observedGeneration ${seen} is ahead of generation ${object.metadata.generation}`));
    }
    return found;
  },
};
