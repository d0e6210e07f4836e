// Models kubernetes/pkg/controller/namespace/deletion/status_condition_utils.go
import { rfc3339 } from "../../api/time.ts";
import type { Condition } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";

export interface Remaining {
  /** "pods." or "deployments.apps" to the number of instances. */
  readonly resources: readonly (readonly [string, number])[];
  readonly finalizers: readonly (readonly [string, number])[];
}

export const NOTHING_REMAINS: Remaining = { resources: [], finalizers: [] };

const sorted = (entries: readonly (readonly [string, number])[]): readonly (readonly [string, number])[] => [...entries].sort((a, b) => (a[0] < b[0] ? -1 : 1));

/** The five conditions of a namespace that is being deleted, in upstream's order. */
export function deletionConditions(old: readonly Condition[] | undefined, remaining: Remaining, now: Micros): readonly Condition[] {
  const content = sorted(remaining.resources).map(([name, n]) => `${name} has ${n} resource instances`).join(", ");
  const finalizers = sorted(remaining.finalizers).map(([name, n]) => `${name} in ${n} resource instances`).join(", ");
  const rows: readonly (readonly [string, string, string, string])[] = [
    ["NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered"],
    ["NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions", "All legacy kube types successfully parsed"],
    ["NamespaceDeletionContentFailure", "False", "ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
    content === "" ? ["NamespaceContentRemaining", "False", "ContentRemoved", "All content successfully removed"] : ["NamespaceContentRemaining", "True", "SomeResourcesRemain", `Some resources are remaining: ${content}`],
    finalizers === "" ? ["NamespaceFinalizersRemaining", "False", "ContentHasNoFinalizers", "All content-preserving finalizers finished"] : ["NamespaceFinalizersRemaining", "True", "SomeFinalizersRemain", `Some content in the namespace has finalizers remaining: ${finalizers}`],
  ];
  return rows.map(([type, status, reason, message]) => {
    const before = old?.find((entry) => entry.type === type);
    return { type, status, lastTransitionTime: before?.status === status ? (before.lastTransitionTime ?? null) : rfc3339(now), reason, message };
  });
}

export const sameConditions = (a: readonly Condition[] | undefined, b: readonly Condition[]): boolean => a?.length === b.length && b.every((entry, i) => entry.type === a[i]?.type && entry.status === a[i]?.status && entry.message === a[i]?.message);
