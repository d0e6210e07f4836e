// Models kubernetes/pkg/controller/daemon/{daemon_controller.go,util/daemonset_util.go}: where a daemon Pod belongs
import { matches, newRequirement, type Operator, type Requirement } from "../../api/labels.ts";
import { findUntoleratedTaint } from "../../api/tolerations.ts";
import type { Node, NodeSelectorTerm, PodSpec, Toleration } from "../../api/types.ts";

const toleration = (key: string, effect: string): Toleration => ({ key, operator: "Exists", effect });

/** AddOrUpdateTolerationInPodSpec: one for the same taints is replaced, so that it holds without end. */
function withToleration(list: readonly Toleration[], added: Toleration): readonly Toleration[] {
  const same = (entry: Toleration): boolean => entry.key === added.key && entry.effect === added.effect && entry.operator === added.operator && (entry.value ?? "") === "";
  return list.some(same) ? list.map((entry) => (same(entry) ? added : entry)) : [...list, added];
}

/** Tolerations that every daemon Pod gets. */
export function daemonTolerations(spec: PodSpec): readonly Toleration[] {
  const added = [
    toleration("node.kubernetes.io/not-ready", "NoExecute"),
    toleration("node.kubernetes.io/unreachable", "NoExecute"),
    toleration("node.kubernetes.io/disk-pressure", "NoSchedule"),
    toleration("node.kubernetes.io/memory-pressure", "NoSchedule"),
    toleration("node.kubernetes.io/pid-pressure", "NoSchedule"),
    toleration("node.kubernetes.io/unschedulable", "NoSchedule"),
    ...(spec.hostNetwork ? [toleration("node.kubernetes.io/network-unavailable", "NoSchedule")] : []),
  ];
  return added.reduce(withToleration, spec.tolerations ?? []);
}

const OPERATORS: Readonly<Record<string, Operator>> = { In: "in", NotIn: "notin", Exists: "exists", DoesNotExist: "!", Gt: "gt", Lt: "lt" };

/** All expressions and fields of a term; an empty term, or one with an error, matches nothing. */
function termMatches({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const requirements = matchExpressions.map(({ key, operator, values = [] }) => (OPERATORS[operator] === undefined ? operator : newRequirement(key, OPERATORS[operator], values)));
  if (!requirements.every((entry): entry is Requirement => typeof entry !== "string")) return false;
  const name = node.metadata.name ?? "";
  const fields = matchFields.every(({ key, operator, values = [] }) => key === "metadata.name" && values.length === 1 && (operator === "In" ? values[0] === name : operator === "NotIn" && values[0] !== name));
  return fields && matches(requirements, node.metadata.labels);
}

/** Whether a daemon Pod should be made for the node, and whether one that is there may stay. Resources do not matter. */
export function nodeShouldRun(spec: PodSpec, node: Node): { readonly shouldRun: boolean; readonly shouldContinue: boolean } {
  if (spec.nodeName && spec.nodeName !== node.metadata.name) return { shouldRun: false, shouldContinue: false };
  const labels = node.metadata.labels ?? {};
  const selected = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (!selected || (terms && !terms.some((term) => termMatches(term, node)))) return { shouldRun: false, shouldContinue: false };
  const tolerations = daemonTolerations(spec);
  const untolerated = findUntoleratedTaint(node.spec?.taints, tolerations, ["NoExecute", "NoSchedule"]);
  if (!untolerated) return { shouldRun: true, shouldContinue: true };
  return { shouldRun: false, shouldContinue: findUntoleratedTaint(node.spec?.taints, tolerations, ["NoExecute"]) === undefined };
}

/** Pins the Pod to its node by name, in place of its own required terms; the default scheduler binds it. */
export function pinnedSpec(spec: PodSpec, nodeName: string): PodSpec {
  return {
    ...spec,
    tolerations: daemonTolerations(spec),
    affinity: {
      ...spec.affinity,
      nodeAffinity: { ...spec.affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [nodeName] }] }] } },
    },
  };
}
