// Models kubernetes/pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go: the rules themselves
import { matchesLabelSelector } from "./labels.ts";
import type { PolicyRule, RbacRole } from "./rbac.ts";

const sameList = (a: readonly string[] = [], b: readonly string[] = []): boolean => a.length === b.length && a.every((value, i) => value === b[i]);

export const sameRule = (a: PolicyRule, b: PolicyRule): boolean => sameList(a.verbs, b.verbs) && sameList(a.apiGroups, b.apiGroups) && sameList(a.resources, b.resources) && sameList(a.resourceNames, b.resourceNames) && sameList(a.nonResourceURLs, b.nonResourceURLs);

export const sameRules = (a: readonly PolicyRule[] = [], b: readonly PolicyRule[] = []): boolean => a.length === b.length && a.every((rule, i) => sameRule(rule, b[i] ?? {}));

/** The rules of an aggregating role: those of every role its selectors find, by name, each rule once. */
export function aggregatedRules(role: RbacRole, all: readonly RbacRole[]): readonly PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const found = all.filter((other) => other.metadata.name !== role.metadata.name && matchesLabelSelector(selector, other.metadata.labels)).sort((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
    for (const rule of found.flatMap((other) => other.rules ?? [])) if (!rules.some((known) => sameRule(known, rule))) rules.push(rule);
  }
  return rules;
}
