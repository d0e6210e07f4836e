// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/managedfields/scalehandler.go
import type { ManagedFieldsEntry } from "../types.ts";
import { difference, type FieldSet, has, isEmptySet, setOf } from "./field-set.ts";
import { decodeManagedFields, encodeManagedFields, type Managers, withSet } from "./managed-fields.ts";
import { field } from "./path-element.ts";

const SCALE_VERSION = "autoscaling/v1";
const REPLICAS = [field("spec"), field("replicas")];

type Entries = readonly ManagedFieldsEntry[] | undefined;

/** Entries of the Scale view: of its parent's owners, those who own the replicas. `path` is where the parent keeps them. */
export function toScaleEntries(parent: Entries, path: readonly string[] = REPLICAS): Entries {
  const out: Managers = new Map();
  for (const [id, managed] of decodeManagedFields(parent) ?? []) {
    if (has(managed.set, path)) out.set(id, { entry: { ...managed.entry, apiVersion: SCALE_VERSION }, set: setOf(REPLICAS) });
  }
  return encodeManagedFields(out);
}

/**
 * The parent's entries after a write to its Scale view. Owners are told apart by identifiers, in which updaters carry
 * their version: those of the parent's version are not found again among the view's, and come back without a time.
 */
export function toParentEntries(parent: Entries, scale: Entries, apiVersion: string, path: readonly string[] = REPLICAS): Entries {
  const mine = decodeManagedFields(parent) ?? new Map();
  const theirs = decodeManagedFields(scale) ?? new Map();
  const out: Managers = new Map();
  for (const [id, managed] of mine) {
    if (!has(managed.set, path) || theirs.delete(id)) {
      out.set(id, managed);
      continue;
    }
    const left = difference(managed.set, setOf(path));
    if (!isEmptySet(left)) out.set(id, withSet(managed, left));
  }
  for (const [id, { entry, set }] of theirs) {
    if (!has(set, REPLICAS)) continue;
    const { time: _, ...rest } = entry;
    const time = mine.get(id)?.entry.time;
    const own: FieldSet = setOf(path);
    out.set(id, { entry: { ...rest, apiVersion, ...(time === undefined ? {} : { time }), fieldsV1: own }, set: own });
  }
  return encodeManagedFields(out);
}
