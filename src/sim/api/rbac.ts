// Models kubernetes/staging/src/k8s.io/api/rbac/v1 and pkg/apis/rbac/v1/evaluation_helpers.go
import type { KubeObject } from "./types.ts";

export const RBAC_GROUP = "rbac.authorization.k8s.io";

export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
export interface RbacSubject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}
export interface RoleRef {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}
export interface RbacBinding extends KubeObject {
  readonly subjects?: readonly RbacSubject[];
  readonly roleRef: RoleRef;
}
/** A Role, or a ClusterRole that may be put together from others. */
export interface RbacRole extends KubeObject {
  readonly rules?: readonly PolicyRule[];
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly { readonly matchLabels?: Readonly<Record<string, string>> }[] };
}

/** What an authorizer is asked: a request about a resource, or about a path when `resource` is "". */
export interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

const holds = (list: readonly string[] | undefined, value: string): boolean => list !== undefined && (list.includes(value) || list.includes("*"));
const starred = (pattern: string, path: string): boolean => pattern.endsWith("*") && path.startsWith(pattern.replace(/\*+$/, ""));

/** Whether one rule covers a request. */
export function ruleAllows(rule: PolicyRule, asked: Attributes): boolean {
  if (!holds(rule.verbs, asked.verb)) return false;
  if (asked.resource === "") return (rule.nonResourceURLs ?? []).some((url) => url === asked.path || starred(url, asked.path));
  if (!holds(rule.apiGroups, asked.group)) return false;
  const { subresource } = asked;
  const fits = holds(rule.resources, subresource === "" ? asked.resource : `${asked.resource}/${subresource}`) || (subresource !== "" && rule.resources?.includes(`*/${subresource}`) === true);
  return fits && (rule.resourceNames === undefined || rule.resourceNames.length === 0 || rule.resourceNames.includes(asked.name));
}

const all = (have: readonly string[] | undefined, wanted: readonly string[] | undefined): boolean => (wanted ?? []).every((value) => have?.includes(value) === true);
const allOrStar = (have: readonly string[] | undefined, wanted: readonly string[] | undefined): boolean => have?.includes("*") === true || all(have, wanted);

/** Whether a rule grants everything of another one that has a single verb, resource and name. */
function covers(owner: PolicyRule, part: PolicyRule): boolean {
  const resources = allOrStar(owner.resources, part.resources) || (part.resources ?? []).every((path) => owner.resources?.includes(path) === true || (path.includes("/") && owner.resources?.includes(`*/${path.slice(path.indexOf("/") + 1)}`) === true));
  const urls = (part.nonResourceURLs ?? []).every((path) => owner.nonResourceURLs?.some((url) => url === path || starred(url, path)) === true);
  const unnamed = (owner.resourceNames ?? []).length === 0;
  const names = unnamed || ((part.resourceNames ?? []).length > 0 && all(owner.resourceNames, part.resourceNames));
  return allOrStar(owner.verbs, part.verbs) && allOrStar(owner.apiGroups, part.apiGroups) && resources && urls && names;
}

/** A rule as rules of one verb, one resource and one name each. */
function breakdown(rule: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = [];
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs = [] } = rule;
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        const base = { apiGroups: [group], resources: [resource], verbs: [verb] };
        parts.push(...(resourceNames.length === 0 ? [base] : resourceNames.map((name) => ({ ...base, resourceNames: [name] }))));
      }
    }
  }
  for (const url of nonResourceURLs) for (const verb of verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  return parts;
}

/** What `wanted` grants and `owned` does not, in its smallest parts. */
export const missingRules = (owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] => wanted.flatMap(breakdown).filter((part) => !owned.some((owner) => covers(owner, part)));

/** policy_compact.go: rules of one resource and name, which differ only by verb, become one. */
export function compactRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const simple = new Map<string, PolicyRule>();
  const rest: PolicyRule[] = [];
  for (const rule of rules) {
    if (rule.apiGroups?.length !== 1 || rule.resources?.length !== 1 || (rule.resourceNames?.length ?? 0) > 1) {
      rest.push(rule);
      continue;
    }
    const key = `${rule.apiGroups[0]}|${rule.resources[0]}|${rule.resourceNames?.[0] ?? "-"}|${rule.resourceNames?.length ?? 0}`;
    const known = simple.get(key);
    simple.set(key, known === undefined ? rule : { ...known, verbs: [...(known.verbs ?? []), ...(rule.verbs ?? [])] });
  }
  return [...rest, ...simple.values()];
}

/** Go's %q of a list. */
export const quoted = (list: readonly string[]): string => `[${list.map((text) => JSON.stringify(text)).join(" ")}]`;

/** A rule as error texts name it. */
export function ruleText(rule: PolicyRule): string {
  const part = (name: string, list: readonly string[] | undefined): string[] => (list === undefined || list.length === 0 ? [] : [`${name}:${quoted(list)}`]);
  return `{${[...part("APIGroups", rule.apiGroups), ...part("Resources", rule.resources), ...part("NonResourceURLs", rule.nonResourceURLs), ...part("ResourceNames", rule.resourceNames), ...part("Verbs", rule.verbs)].join(", ")}}`;
}
