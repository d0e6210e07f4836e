// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/{fieldmanager,managedfieldsupdater,skipnonapplied,stripmeta,structuredmerge}.go
import type { KubeObject, ManagedFieldsEntry } from "../types.ts";
import type { Conflict } from "./conflict.ts";
import { difference, EMPTY, has, isEmptySet, setOf, union } from "./field-set.ts";
import { ownConflicts } from "./last-applied.ts";
import { capUpdateManagers, decodeManagedFields, encodeManagedFields, managerIdentifier, type Managers } from "./managed-fields.ts";
import { field } from "./path-element.ts";
import { applyConfig, type Scope, updateOwners } from "./updater.ts";
import { typedError } from "./validate-typed.ts";

/** One write: who, through which subresource ("" for none), and when (RFC 3339). */
export interface Write {
  readonly scope: Scope;
  readonly manager: string;
  readonly subresource: string;
  readonly now: string;
}

type Entries = readonly ManagedFieldsEntry[];

/** What nobody owns. */
const STRIPPED = setOf(
  ...["apiVersion", "kind", "metadata"].map((name) => [field(name)]),
  ...["name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields", "resourceVersion"].map((name) => [field("metadata"), field(name)]),
);

function entryOf({ manager, subresource, scope, now }: Write, operation: ManagedFieldsEntry["operation"], time = true): ManagedFieldsEntry {
  return { manager: manager === "" ? "unknown" : manager, operation, apiVersion: scope.apiVersion, ...(time ? { time: now } : {}), fieldsType: "FieldsV1", fieldsV1: EMPTY, ...(subresource === "" ? {} : { subresource }) };
}

/** Gives what changed to the writer, with the time; true when anything did. */
function track(write: Write, live: KubeObject, next: KubeObject, managers: Managers): void {
  const set = difference(updateOwners(write.scope, live, next, managers), STRIPPED);
  if (!isEmptySet(set)) {
    const entry = entryOf(write, "Update");
    const id = managerIdentifier(entry);
    managers.set(id, { entry, set: union(managers.get(id)?.set ?? EMPTY, set) });
  }
  capUpdateManagers(managers);
}

/** The same list when nothing in it changed. */
function encoded(managers: Managers, before: Entries | undefined): Entries | undefined {
  const after = encodeManagedFields(managers);
  return after !== undefined && before !== undefined && after.length === before.length && after.every((entry, i) => entry === before[i]) ? before : after;
}

/** Lists that say "forget all": empty, or one empty entry. */
export const isReset = (entries: unknown): boolean => Array.isArray(entries) && (entries.length === 0 || (entries.length === 1 && typeof entries[0] === "object" && Object.keys(entries[0] as object).length === 0));

/**
 * managedFields of `next` after a create or update. `live` is an empty object of the kind for a create. `asked` is what
 * the client sent: a list counts unless it is malformed, "reset" forgets all. Objects that nobody tracks stay so.
 */
export function updateManagedFields(write: Write, live: KubeObject, next: KubeObject, asked: Entries | "reset" | undefined): Entries | undefined {
  const stored = live.metadata.managedFields;
  const given = asked === "reset" ? new Map() : asked === undefined || asked.length === 0 ? undefined : decodeManagedFields(asked);
  const managers: Managers = given ?? decodeManagedFields(stored) ?? new Map();
  if (managers.size === 0 && (live.metadata.uid ?? "") !== "") return undefined;
  track(write, live, next, managers);
  return encoded(managers, given === undefined || asked === "reset" ? stored : asked);
}

export type ApplyResult =
  | { readonly object: KubeObject; readonly managedFields: Entries | undefined; readonly changed: boolean; readonly conflicts?: undefined; readonly error?: undefined }
  | { readonly conflicts: readonly Conflict[]; readonly error?: undefined }
  | { readonly error: string; readonly conflicts?: undefined };

const objectText = (object: KubeObject): string => {
  const slash = object.apiVersion.includes("/") ? object.apiVersion : `/${object.apiVersion}`;
  return `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}; ${slash}, Kind=${object.kind}`;
};

/**
 * Server-side apply of `config` to `live` (an empty object of the kind for a create): the merged object, not yet decoded
 * or defaulted; or the conflicts; or why the configuration does not fit its schema.
 */
export function applyManaged(write: Write, live: KubeObject, empty: KubeObject, config: KubeObject, force: boolean): ApplyResult {
  const { scope, now } = write;
  const node = scope.schema(scope.apiVersion);
  const before = live.metadata.managedFields;
  const decode = (): Managers => decodeManagedFields(before) ?? new Map();
  const prepare = (): Managers => {
    const managers = decode();
    if (managers.size === 0) track({ ...write, manager: "before-first-apply" }, empty, live, managers);
    return managers;
  };
  const problem = node === undefined ? "no corresponding type" : typedError(config, node);
  if (node === undefined || problem !== undefined) return { error: `failed to create typed patch object (${objectText(config)}): ${problem ?? ""}` };
  const entry = entryOf(write, "Apply", false);
  const id = managerIdentifier(entry);
  let managers = prepare();
  let applied = applyConfig(scope, live, config, node, managers, { id, entry }, force);
  if (applied.conflicts !== undefined && write.manager === "kubectl") {
    const others = ownConflicts(applied.conflicts, live, node);
    if (others.length > 0) return { conflicts: others };
    managers = prepare();
    applied = applyConfig(scope, live, config, node, managers, { id, entry }, true);
  }
  if (applied.conflicts !== undefined) return applied;
  const mine = managers.get(id);
  if (mine !== undefined) {
    const set = difference(mine.set, STRIPPED);
    if (isEmptySet(set)) managers.delete(id);
    else managers.set(id, { entry: applied.object === undefined ? mine.entry : { ...mine.entry, apiVersion: scope.apiVersion, time: now }, set });
  }
  return { object: applied.object ?? live, managedFields: encoded(managers, before), changed: applied.object !== undefined };
}

/** Entries of an operation that own all of a path. */
export const ownersOf = (entries: Entries | undefined, operation: ManagedFieldsEntry["operation"], path: readonly string[]): Entries =>
  (entries ?? []).filter((entry) => entry.operation === operation && has((entry.fieldsV1 ?? {}) as Parameters<typeof has>[0], path));
