// Models sigs.k8s.io/structured-merge-diff/v6/merge/update.go
import type { KubeObject } from "../types.ts";
import { compare, type Comparison, isSame } from "./compare.ts";
import type { Conflict } from "./conflict.ts";
import { difference, EMPTY, type FieldSet, intersection, isEmptySet, pathsOf, union } from "./field-set.ts";
import { type Managed, type Managers, withSet } from "./managed-fields.ts";
import type { SchemaNode } from "./schema-node.ts";
import { ensureNamedFieldsAreMembers, removeItems, toFieldSet } from "./to-field-set.ts";
import { mergeValues } from "./typed-merge.ts";
import { equalValues } from "./typed-value.ts";

/** What a write knows of its object: versions, their schemas, and the fields that its strategy does not take from clients. */
export interface Scope {
  /** Version of this request. */
  readonly apiVersion: string;
  schema(apiVersion: string): SchemaNode | undefined;
  /** The object in another version; undefined when there is no such version. */
  convert(object: KubeObject, apiVersion: string): KubeObject | undefined;
  /** Leaves out what the strategy resets. */
  filter(set: FieldSet, apiVersion: string): FieldSet;
}

function compareIn(scope: Scope, left: KubeObject, right: KubeObject, apiVersion: string): Comparison | undefined {
  const node = scope.schema(apiVersion);
  const [mine, theirs] = apiVersion === scope.apiVersion ? [left, right] : [scope.convert(left, apiVersion), scope.convert(right, apiVersion)];
  if (node === undefined || mine === undefined || theirs === undefined) return undefined;
  const { removed, modified, added } = compare(mine, theirs, node);
  return { removed: scope.filter(removed, apiVersion), modified: scope.filter(modified, apiVersion), added: scope.filter(added, apiVersion) };
}

/**
 * Takes from all others what changes; those of versions that are gone lose everything. The conflicts, unless forced.
 * Simplified: upstream first rewrites sets whose lists or maps have become atomic, or no longer are, in a newer schema of their version.
 */
function takeOwnership(scope: Scope, left: KubeObject, right: KubeObject, managers: Managers, workflow: string, force: boolean): Comparison | readonly Conflict[] {
  const own = compareIn(scope, left, right, scope.apiVersion) ?? { removed: EMPTY, modified: EMPTY, added: EMPTY };
  const versions = new Map<string, Comparison | undefined>([[scope.apiVersion, own]]);
  const conflicts: Conflict[] = [];
  for (const [id, managed] of managers) {
    if (id === workflow) continue;
    const { apiVersion } = managed.entry;
    if (!versions.has(apiVersion)) versions.set(apiVersion, compareIn(scope, left, right, apiVersion));
    const found = versions.get(apiVersion);
    if (found === undefined) {
      managers.delete(id);
      continue;
    }
    if (isSame(found)) continue;
    const changed = intersection(managed.set, union(found.modified, found.added));
    if (!force) for (const path of pathsOf(changed)) conflicts.push({ id, owner: managed.entry, path });
    const set = difference(difference(managed.set, changed), found.removed);
    if (isEmptySet(set)) managers.delete(id);
    else if (set !== managed.set) managers.set(id, withSet(managed, set));
  }
  return conflicts.length > 0 ? conflicts : own;
}

const isConflicts = (value: Comparison | readonly Conflict[]): value is readonly Conflict[] => Array.isArray(value);

/** Who owns what after an update: `managers` is changed in place, and what the update itself owns comes back. */
export function updateOwners(scope: Scope, live: KubeObject, next: KubeObject, managers: Managers): FieldSet {
  const found = takeOwnership(scope, live, next, managers, "", true);
  if (isConflicts(found)) return EMPTY;
  return scope.filter(union(found.modified, found.added), scope.apiVersion);
}

export type Applied =
  | { readonly object: KubeObject | undefined; readonly conflicts?: undefined }
  | { readonly conflicts: readonly Conflict[] };

/**
 * Lays `config` over `live`, takes away what this manager applied before and no longer names, and settles ownership in
 * `managers`. The object is undefined when nothing changes.
 */
export function applyConfig(scope: Scope, live: KubeObject, config: KubeObject, node: SchemaNode, managers: Managers, manager: { readonly id: string; readonly entry: Managed["entry"] }, force: boolean): Applied {
  const last = managers.get(manager.id);
  const merged = mergeValues(live, config, node) as KubeObject;
  const set = scope.filter(toFieldSet(config, node), scope.apiVersion);
  managers.set(manager.id, { entry: { ...manager.entry, ...(last?.entry.time === undefined ? {} : { time: last.entry.time }) }, set });
  const pruned = last === undefined || isEmptySet(last.set) ? merged : prune(scope, merged, managers, last);
  const found = takeOwnership(scope, live, pruned, managers, manager.id, force);
  if (isConflicts(found)) return { conflicts: found };
  if (isEmptySet(set)) managers.delete(manager.id);
  return { object: equalValues(live, pruned) ? undefined : pruned };
}

/** Removes what the manager has applied before, and adds back what it or others own, or what nobody had removed. */
function prune(scope: Scope, merged: KubeObject, managers: Managers, last: Managed): KubeObject {
  const version = last.entry.apiVersion;
  const node = scope.schema(version);
  const converted = scope.convert(merged, version);
  if (node === undefined || converted === undefined) return merged;
  const without = removeItems(converted, ensureNamedFieldsAreMembers(last.set, node), node) as KubeObject;
  const owned = addBackOwned(scope, converted, without, version, managers);
  const [prunedSet, mergedSet, lastSet] = [toFieldSet(owned, node), toFieldSet(converted, node), last.set].map((set) => ensureNamedFieldsAreMembers(set, node)) as [FieldSet, FieldSet, FieldSet];
  const kept = removeItems(converted, intersection(difference(mergedSet, prunedSet), lastSet), node) as KubeObject;
  return scope.convert(kept, scope.apiVersion) ?? kept;
}

/** The version of the last apply first, so that conversions find what they need. */
function addBackOwned(scope: Scope, merged: KubeObject, without: KubeObject, version: string, managers: Managers): KubeObject {
  const byVersion = new Map<string, FieldSet>();
  for (const { entry, set } of managers.values()) byVersion.set(entry.apiVersion, union(byVersion.get(entry.apiVersion) ?? EMPTY, set));
  let [all, pruned] = [merged, without];
  for (const each of [...byVersion.keys()].sort((a, b) => (a === version ? -1 : b === version ? 1 : a < b ? -1 : 1))) {
    const node = scope.schema(each);
    const [mergedIn, prunedIn] = [scope.convert(all, each), scope.convert(pruned, each)];
    if (node === undefined || mergedIn === undefined || prunedIn === undefined) continue;
    const ensured = (set: FieldSet): FieldSet => ensureNamedFieldsAreMembers(set, node);
    const gone = difference(ensured(toFieldSet(mergedIn, node)), union(ensured(toFieldSet(prunedIn, node)), ensured(byVersion.get(each) ?? EMPTY)));
    all = mergedIn;
    pruned = (removeItems(mergedIn, gone, node) ?? mergedIn) as KubeObject;
  }
  return scope.convert(pruned, version) ?? pruned;
}
