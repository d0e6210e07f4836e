// Models kubernetes/pkg/apis/rbac/v1/helpers.go and pkg/registry/rbac/validation/policy_compact.go
export interface Rule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
const words = (values: readonly string[] | undefined): string => `[${(values ?? []).join(" ")}]`;

interface RuleRow {
  readonly group: string;
  readonly resource: string;
  readonly names: readonly string[];
  readonly verbs: readonly string[];
  readonly url: string;
}
/** Rules taken apart, those of one resource joined, in the order of how Go prints them. */
export function ruleRows(rules: readonly Rule[]): readonly RuleRow[] {
  const joined = new Map<string, RuleRow>();
  const urls: RuleRow[] = [];
  for (const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } of rules) {
    for (const group of apiGroups) {
      for (const resource of resources) {
        for (const names of resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name])) {
          const key = `${resource}.${group}/${words(names)}`;
          joined.set(key, { group, resource, names, verbs: [...new Set([...(joined.get(key)?.verbs ?? []), ...verbs])], url: "" });
        }
      }
    }
    for (const url of nonResourceURLs) urls.push({ group: "", resource: "", names: [], verbs, url });
  }
  const sortText = ({ group, resource, names, verbs, url }: RuleRow): string => `${words(verbs)},[${group}],[${resource}],${words(names)},[${url}]`;
  return [...joined.values(), ...urls].map((row) => [sortText(row), row] as const).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, row]) => row);
}
export const ruleLine = ({ group, resource, names, verbs, url }: RuleRow): string => `${group === "" ? resource : `${resource}.${group}`}\t${url === "" ? "[]" : `[${url}]`}\t${words(names)}\t${words(verbs)}\n`;
