// Models kubernetes/pkg/controller/namespace/deletion/status_condition_utils.go
import { rfc3339 } from "../../api/time.ts";
import type { Condition } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";

/** What one pass over a namespace has found. */
export interface Found {
  /** "pods." or "deployments.apps" to the number of instances. */
  readonly remaining: readonly (readonly [string, number])[];
  readonly finalizers: readonly (readonly [string, number])[];
  /** Group versions that discovery could not tell about. */
  readonly undiscovered: readonly string[];
  readonly contentErrors: readonly string[];
}

export const NOTHING_FOUND: Found = { remaining: [], finalizers: [], undiscovered: [], contentErrors: [] };

const sorted = (texts: readonly string[]): string => [...texts].sort((a, b) => (a < b ? -1 : 1)).join(", ");

/** ErrGroupDiscoveryFailed of servers that did not answer. */
export const discoveryError = (groupVersions: readonly string[]): string => `unable to retrieve the complete list of server APIs: ${sorted(groupVersions.map((name) => `${name}: stale GroupVersion discovery: ${name}`))}`;

type Row = readonly [type: string, status: "True" | "False", reason: string, message: string];

/** The five conditions of a namespace that is being deleted, in upstream's order. */
function rows({ remaining, finalizers, undiscovered, contentErrors }: Found): readonly Row[] {
  return [
    undiscovered.length === 0 ? ["NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered"] : ["NamespaceDeletionDiscoveryFailure", "True", "DiscoveryFailed", `Discovery failed for some groups, ${undiscovered.length} failing: ${discoveryError(undiscovered)}`],
    ["NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions", "All legacy kube types successfully parsed"],
    contentErrors.length === 0 ? ["NamespaceDeletionContentFailure", "False", "ContentDeleted", "All content successfully deleted, may be waiting on finalization"] : ["NamespaceDeletionContentFailure", "True", "ContentDeletionFailed", `Failed to delete all resource types, ${contentErrors.length} remaining: ${sorted(contentErrors)}`],
    remaining.length === 0 ? ["NamespaceContentRemaining", "False", "ContentRemoved", "All content successfully removed"] : ["NamespaceContentRemaining", "True", "SomeResourcesRemain", `Some resources are remaining: ${sorted(remaining.map(([name, n]) => `${name} has ${n} resource instances`))}`],
    finalizers.length === 0 ? ["NamespaceFinalizersRemaining", "False", "ContentHasNoFinalizers", "All content-preserving finalizers finished"] : ["NamespaceFinalizersRemaining", "True", "SomeFinalizersRemain", `Some content in the namespace has finalizers remaining: ${sorted(finalizers.map(([name, n]) => `${name} in ${n} resource instances`))}`],
  ];
}

/** The conditions as they shall be, those of others kept; undefined if nothing changes. */
export function deletionConditions(old: readonly Condition[] | undefined, found: Found, now: Micros): readonly Condition[] | undefined {
  const conditions = [...(old ?? [])];
  let changed = false;
  for (const [type, status, reason, message] of rows(found)) {
    const at = conditions.findIndex((entry) => entry.type === type);
    const before = conditions[at];
    if (before?.status === status && before.reason === reason && before.message === message) continue;
    changed = true;
    const next: Condition = { type, status, lastTransitionTime: before?.status === status ? (before.lastTransitionTime ?? null) : rfc3339(now), reason, message };
    if (at < 0) conditions.push(next);
    else conditions[at] = next;
  }
  return changed ? conditions : undefined;
}
