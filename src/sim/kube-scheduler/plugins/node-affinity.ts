// Models kubernetes/pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go
import type { NodeSelectorTerm, Pod } from "../../api/types.ts";
import { type Cycle, defaultNormalize, type Plugin, skip, success, unresolvable } from "../framework.ts";
import { nodeTermMatches, nodeTermsMatch, requiredNodeAffinityMatches } from "../node-selector.ts";

const requiredTerms = (pod: Pod): readonly NodeSelectorTerm[] | undefined => {
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required && (required.nodeSelectorTerms ?? []);
};

const addedTerms = ({ args }: Cycle): readonly NodeSelectorTerm[] | undefined => args.addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;

const preferences = ({ pod, args }: Cycle) => [
  ...(args.addedAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
  ...(pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
];

/** The node names that the terms pin the Pod to (DaemonSet Pods); undefined if some term leaves the name open. */
function pinnedNames(terms: readonly NodeSelectorTerm[]): Set<string> | undefined {
  const names = new Set<string>();
  for (const term of terms) {
    const pins = (term.matchFields ?? []).filter((r) => r.key === "metadata.name" && r.operator === "In").map((r) => r.values ?? []);
    const [first, ...rest] = pins;
    if (!first) return undefined;
    for (const name of first) if (rest.every((values) => values.includes(name))) names.add(name);
  }
  return names;
}

/** spec.nodeSelector and spec.affinity.nodeAffinity. */
export const nodeAffinity = {
  name: "NodeAffinity",

  preFilter(cycle) {
    const terms = requiredTerms(cycle.pod);
    if (!terms && !cycle.pod.spec.nodeSelector && !addedTerms(cycle)) return { status: skip };
    if (!terms || terms.length === 0) return { status: success };
    const names = pinnedNames(terms);
    if (names?.size === 0) return { status: unresolvable("pod affinity terms conflict") };
    return names ? { status: success, nodeNames: names } : { status: success };
  },

  filter(cycle, { node }) {
    const added = addedTerms(cycle);
    if (added && !nodeTermsMatch(added, node)) return unresolvable("node(s) didn't match scheduler-enforced node affinity");
    return requiredNodeAffinityMatches(cycle.pod, node) ? success : unresolvable("node(s) didn't match Pod's node affinity/selector");
  },

  preScore: (cycle) => (preferences(cycle).length === 0 ? skip : success),

  score(cycle, { node }) {
    const terms = preferences(cycle);
    const weights = terms.filter((t) => t.weight !== 0 && nodeTermMatches(t.preference, node)).map((t) => t.weight);
    const raw = weights.reduce((sum, weight) => sum + weight, 0);
    return { raw, formula: `sum of the weights of matching preferences: ${weights.join(" + ") || "none match"}`, inputs: { preferences: terms.length, matching: weights.length } };
  },

  normalize: (_cycle, _nodes, raw) => defaultNormalize(raw, false),
} satisfies Plugin;
