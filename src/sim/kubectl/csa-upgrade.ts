// Models kubernetes/staging/src/k8s.io/client-go/util/csaupgrade/upgrade.go
import { type FieldSet, union } from "../api/fieldmanager/field-set.ts";
import type { ManagedFieldsEntry } from "../api/types.ts";

type Entries = readonly ManagedFieldsEntry[];

const setOf = (entry: ManagedFieldsEntry | undefined): FieldSet => (entry?.fieldsV1 ?? {}) as FieldSet;

function upgradeOne(entries: Entries, from: string, to: string): Entries {
  const isOld = (entry: ManagedFieldsEntry): boolean => entry.manager === from && entry.operation === "Update" && (entry.subresource ?? "") === "";
  const applier = entries.findIndex((entry) => entry.manager === to && entry.operation === "Apply" && (entry.subresource ?? "") === "");
  const at = applier >= 0 ? applier : entries.findIndex(isOld);
  const target = entries[at];
  if (target === undefined) return entries;
  const heir: ManagedFieldsEntry = { ...target, manager: to, operation: "Apply" };
  const renamed = entries.map((entry, i) => (i === at ? heir : entry));
  const old = renamed.find((entry) => isOld(entry) && entry.apiVersion === heir.apiVersion);
  return renamed.map((entry, i) => (i === at ? { ...heir, fieldsV1: union(setOf(heir), setOf(old)) } : entry)).filter((entry) => !isOld(entry));
}

/** What these updaters own goes to the applier `to`, who is made of the first of them if need be; undefined when nothing changes. */
export function upgradeManagedFields(entries: Entries | undefined, from: readonly string[], to: string): Entries | undefined {
  let out = entries ?? [];
  for (const name of from) out = upgradeOne(out, name, to);
  return out.length === (entries ?? []).length && out.every((entry, i) => entry === entries?.[i]) ? undefined : out;
}
