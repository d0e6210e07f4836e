// Models kubernetes/staging/src/k8s.io/component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, Pod } from "../api/types.ts";
import { labelsOf } from "./node-info.ts";

const INTEGER = /^[+-]?\d+$/;

function requirementMatches(requirement: NodeSelectorRequirement, value: string | undefined): boolean {
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
    case "Lt": {
      const bound = values[0];
      if (value === undefined || bound === undefined || !INTEGER.test(value) || !INTEGER.test(bound)) return false;
      return requirement.operator === "Gt" ? Number(value) > Number(bound) : Number(value) < Number(bound);
    }
    default:
      return false;
  }
}

/** One term: expressions and fields are AND-ed; a term with neither matches nothing. */
export function nodeTermMatches(term: NodeSelectorTerm, node: Node): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return false;
  const labels = labelsOf(node);
  return (
    expressions.every((r) => requirementMatches(r, labels[r.key])) &&
    fields.every((r) => r.key === "metadata.name" && requirementMatches(r, node.metadata.name))
  );
}

/** Terms are OR-ed; no terms at all match nothing. */
export const nodeTermsMatch = (terms: readonly NodeSelectorTerm[], node: Node): boolean => terms.some((term) => nodeTermMatches(term, node));

/** RequiredNodeAffinity.Match: spec.nodeSelector AND the required terms. */
export function requiredNodeAffinityMatches(pod: Pod, node: Node): boolean {
  const labels = labelsOf(node);
  const selector = pod.spec.nodeSelector ?? {};
  for (const key of Object.keys(selector)) if (labels[key] !== selector[key]) return false;
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || nodeTermsMatch(required.nodeSelectorTerms ?? [], node);
}
