// Models kubernetes/pkg/scheduler/framework/preemption/preemption.go and plugins/defaultpreemption/default_preemption.go
import { parseRfc3339 } from "../api/time.ts";
import type { Pod } from "../api/types.ts";
import { type Cycle, type NodeStatuses, type Status, unresolvable, type Victims } from "./framework.ts";
import type { PodDisruptionBudget } from "./listers.ts";
import { addPod, labelsOf, namespaceOf, type NodeInfo, type PodInfo, priorityOf, removePod } from "./node-info.ts";
import { runAddPod, runFiltersWithNominated, runRemovePod } from "./run-filters.ts";
import { compileSelector, isEmptySelector, matchesSelector } from "./selector.ts";
import { getNode } from "./snapshot.ts";

// Added to each priority so that a sum over more victims is never smaller for negative priorities.
const PRIORITY_OFFSET = 2_147_483_648;

/** Pods that have not started count as started now: later than all others. */
function startTime(pod: Pod): number {
  const at = parseRfc3339(pod.status?.startTime ?? "");
  return Number.isNaN(at) ? Number.MAX_SAFE_INTEGER : at;
}

/** util.MoreImportantPod: negative if `a` is more important. Higher priority, then longer running. */
const byImportance = (a: PodInfo, b: PodInfo): number => priorityOf(b.pod) - priorityOf(a.pod) || startTime(a.pod) - startTime(b.pod);

const terminatingByPreemption = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp !== undefined &&
  (pod.status?.conditions ?? []).some((c) => c.type === "DisruptionTarget" && c.status === "True" && c.reason === "PreemptionByScheduler");

/** Why the Pod may not preempt others now; undefined if it may. `nominatedStatus` is the verdict on its nominated node. */
export function preemptionRefusal(cycle: Cycle, nominatedStatus: Status): string | undefined {
  const { pod, snapshot } = cycle;
  if (pod.spec.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const nominated = pod.status?.nominatedNodeName;
  if (!nominated || nominatedStatus.code === "UnschedulableAndUnresolvable") return undefined;
  const waits = getNode(snapshot, nominated)?.pods.some((p) => priorityOf(p.pod) < priorityOf(pod) && terminatingByPreemption(p.pod));
  return waits ? "not eligible due to a terminating pod on the nominated node." : undefined;
}

/** Splits Pods into those whose eviction would break a PodDisruptionBudget and the others, charging budgets in order. */
export function splitByBudget(pods: readonly PodInfo[], budgets: readonly PodDisruptionBudget[]): { violating: PodInfo[]; nonViolating: PodInfo[] } {
  const allowed = budgets.map((b) => b.status?.disruptionsAllowed ?? 0);
  const selectors = budgets.map((b) => compileSelector(b.spec.selector));
  const violating: PodInfo[] = [];
  const nonViolating: PodInfo[] = [];
  for (const info of pods) {
    const labels = labelsOf(info.pod);
    let violates = false;
    budgets.forEach((budget, i) => {
      const selector = selectors[i];
      if (Object.keys(labels).length === 0 || (budget.metadata.namespace ?? "") !== namespaceOf(info.pod)) return;
      if (!selector || isEmptySelector(selector) || !matchesSelector(selector, labels)) return;
      // An eviction of this Pod has been granted already.
      if (budget.status?.disruptedPods?.[info.pod.metadata.name ?? ""] !== undefined) return;
      const left = (allowed[i] ?? 0) - 1;
      allowed[i] = left;
      if (left < 0) violates = true;
    });
    (violates ? violating : nonViolating).push(info);
  }
  return { violating, nonViolating };
}

/** The fewest and least important Pods whose removal makes room on one node; or the status that stays without all of them. */
export function selectVictimsOnNode(outer: Cycle, node: NodeInfo): Victims | Status {
  const cycle: Cycle = { ...outer, state: outer.state.clone() };
  let info = node;
  const take = (pod: PodInfo): void => {
    info = removePod(info, pod.key);
    runRemovePod(cycle, pod, info);
  };
  const put = (pod: PodInfo): void => {
    info = addPod(info, pod);
    runAddPod(cycle, pod, info);
  };
  const potential = node.pods.filter((p) => priorityOf(p.pod) < priorityOf(cycle.pod));
  potential.forEach(take);
  if (potential.length === 0) return unresolvable("No preemption victims found for incoming pod");
  const emptied = runFiltersWithNominated(cycle, info);
  if (emptied.code !== "Success") return emptied;
  const { violating, nonViolating } = splitByBudget(potential.toSorted(byImportance), cycle.snapshot.listers.podDisruptionBudgets);
  const victims: PodInfo[] = [];
  const reprieve = (pod: PodInfo): boolean => {
    put(pod);
    if (runFiltersWithNominated(cycle, info).code === "Success") return true;
    take(pod);
    victims.push(pod);
    return false;
  };
  const numPDBViolations = violating.filter((pod) => !reprieve(pod)).length;
  nonViolating.forEach(reprieve);
  if (violating.length > 0 && nonViolating.length > 0) victims.sort(byImportance);
  if (victims.length === 0) return { code: "Error", reasons: [`expected at least one victim pod on node "${node.name}"`] };
  return { node: node.name, pods: victims.map((v) => v.pod), numPDBViolations };
}

const isVictims = (result: Victims | Status): result is Victims => "pods" in result;

export interface DryRun {
  readonly candidates: readonly Victims[];
  readonly statuses: ReadonlyMap<string, Status>;
}

/** Tries preemption on nodes that more room would help, until enough candidates are found and one breaks no budget. */
export function dryRunPreemption(cycle: Cycle, statuses: NodeStatuses): DryRun {
  const { args, snapshot } = cycle;
  const potential = snapshot.nodes.filter((node) => (statuses.byNode.get(node.name) ?? statuses.absent).code === "Unschedulable");
  const share = Math.floor((potential.length * args.minCandidateNodesPercentage) / 100);
  const enough = Math.min(Math.max(share, args.minCandidateNodesAbsolute), potential.length);
  const clean: Victims[] = [];
  const violating: Victims[] = [];
  const rejected = new Map<string, Status>();
  for (let i = 0; i < potential.length; i += 1) {
    if (clean.length > 0 && clean.length + violating.length >= enough) break;
    const node = potential[(cycle.draw + i) % potential.length];
    if (!node) continue;
    const result = selectVictimsOnNode(cycle, node);
    if (isVictims(result)) (result.numPDBViolations === 0 ? clean : violating).push(result);
    else rejected.set(node.name, result);
  }
  return { candidates: [...clean, ...violating], statuses: rejected };
}

/** When the most important victims began to run, the earliest of them. */
function earliestStart({ pods }: Victims): number {
  const top = pods.reduce((p, pod) => Math.max(p, priorityOf(pod)), Number.MIN_SAFE_INTEGER);
  return pods.filter((pod) => priorityOf(pod) === top).reduce((at, pod) => Math.min(at, startTime(pod)), Number.MAX_SAFE_INTEGER);
}

/** The criteria in order; the higher number wins, the next one is asked only on ties. */
export const CRITERIA: readonly { readonly name: string; readonly score: (v: Victims) => number }[] = [
  { name: "fewest PodDisruptionBudget violations", score: (v) => -v.numPDBViolations },
  { name: "lowest priority of the most important victim", score: (v) => -priorityOf(v.pods[0] ?? { apiVersion: "v1", kind: "Pod", metadata: {}, spec: { containers: [] } }) },
  { name: "smallest sum of priorities", score: (v) => -v.pods.reduce((sum, pod) => sum + priorityOf(pod) + PRIORITY_OFFSET, 0) },
  { name: "fewest victims", score: (v) => -v.pods.length },
  { name: "latest start of the most important victims", score: earliestStart },
];

/** pickOneNodeForPreemption. Ties after all criteria go to the first of a list that begins anywhere: upstream's is a Go map. */
export function pickOneNode(candidates: readonly Victims[]): Victims | undefined {
  let left = candidates;
  for (const { score } of CRITERIA) {
    if (left.length <= 1) break;
    const scores = left.map(score);
    const best = scores.reduce((m, s) => Math.max(m, s), Number.NEGATIVE_INFINITY);
    left = left.filter((_, i) => scores[i] === best);
  }
  return left[0];
}

