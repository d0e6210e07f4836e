// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/{managedfields,capmanagers}.go
import type { ManagedFieldsEntry } from "../types.ts";
import { type FieldSet, union } from "./field-set.ts";

/** One manager's set, as a versioned set with its time. */
export interface Managed {
  readonly entry: ManagedFieldsEntry;
  readonly set: FieldSet;
}

/** Managers by their identifier. */
export type Managers = Map<string, Managed>;

type Identity = Pick<ManagedFieldsEntry, "manager" | "operation" | "apiVersion" | "subresource">;

/** BuildManagerIdentifier: the JSON of what makes an entry its own. Those who apply are one in all versions. */
export function managerIdentifier({ manager, operation, apiVersion, subresource }: Identity): string {
  const version = operation === "Apply" ? "" : `,"apiVersion":${JSON.stringify(apiVersion)}`;
  return `{"manager":${JSON.stringify(manager)},"operation":"${operation}"${version}${subresource === undefined || subresource === "" ? "" : `,"subresource":${JSON.stringify(subresource)}`}}`;
}

/** Identifiers of entries by identity: stored entries stay the same object while nobody touches them. */
const identifiers = new WeakMap<ManagedFieldsEntry, string>();

function identifierOf(entry: ManagedFieldsEntry): string {
  let text = identifiers.get(entry);
  if (text === undefined) {
    text = managerIdentifier(entry);
    identifiers.set(entry, text);
  }
  return text;
}

/** Undefined when an entry is malformed. */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): Managers | undefined {
  const out: Managers = new Map();
  for (const entry of entries ?? []) {
    if ((entry.operation !== "Apply" && entry.operation !== "Update") || entry.fieldsType !== "FieldsV1" || (entry.apiVersion ?? "") === "") return undefined;
    out.set(identifierOf(entry), { entry, set: (entry.fieldsV1 ?? {}) as FieldSet });
  }
  return out;
}

export const withSet = ({ entry }: Managed, set: FieldSet): Managed => ({ entry, set });

function compareEntries(p: ManagedFieldsEntry, q: ManagedFieldsEntry): number {
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return order(p.operation, q.operation) || order(p.time ?? "", q.time ?? "") || order(p.manager, q.manager) || order(p.apiVersion, q.apiVersion) || order(p.subresource ?? "", q.subresource ?? "");
}

/** The entries in stored order; undefined when nobody manages anything. Sets that did not change keep their entry. */
export function encodeManagedFields(managers: Managers): readonly ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].map(({ entry, set }) => (entry.fieldsV1 === set ? entry : { ...entry, fieldsV1: set })).sort(compareEntries);
}

const MAX_UPDATE_MANAGERS = 10;
const OLD_UPDATES = "ancient-changes";

/** When too many managers have updated, the oldest of one version are put together. */
export function capUpdateManagers(managers: Managers): void {
  const updaters = [...managers].filter(([, { entry }]) => entry.operation === "Update");
  if (updaters.length <= MAX_UPDATE_MANAGERS) return;
  const key = ([id, { entry }]: [string, Managed]): string => `${entry.time ?? ""} ${id}`;
  updaters.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const firsts = new Map<string, string>();
  let left = updaters.length;
  for (const [id, managed] of updaters) {
    if (left <= MAX_UPDATE_MANAGERS) return;
    const { apiVersion, time } = managed.entry;
    const first = firsts.get(apiVersion);
    if (first === undefined) {
      firsts.set(apiVersion, id);
      continue;
    }
    const identity = { manager: OLD_UPDATES, operation: "Update", apiVersion } as const;
    const bucket = managerIdentifier(identity);
    const collected = managers.get(bucket) ?? managers.get(first);
    if (!managers.has(bucket)) managers.delete(first);
    managers.delete(id);
    const set = union(managed.set, collected?.set ?? {});
    managers.set(bucket, { entry: { ...identity, ...(time === undefined ? {} : { time }), fieldsType: "FieldsV1", fieldsV1: set }, set });
    left--;
  }
}
