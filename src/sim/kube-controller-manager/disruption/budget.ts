// Models kubernetes/pkg/controller/disruption/disruption.go: the arithmetic of a PodDisruptionBudget
import { scaledValue } from "../../api/int-or-string.ts";
import { parseRfc3339, rfc3339 } from "../../api/time.ts";
import type { Condition, IntOrString, KubeObject, LabelSelector, Pod } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { isPodReady } from "../pods.ts";

/** A Pod that was evicted but is still there after so long counts again. */
const DELETION_TIMEOUT: Micros = 120_000_000;

export interface PodDisruptionBudget extends KubeObject {
  readonly spec?: { readonly selector?: LabelSelector; readonly minAvailable?: IntOrString; readonly maxUnavailable?: IntOrString };
  readonly status?: BudgetStatus;
}

export interface BudgetStatus {
  readonly observedGeneration?: number;
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly expectedPods?: number;
  readonly conditions?: readonly Condition[];
}

/** Percentages and maxUnavailable count Pods as their controllers want them; a whole minAvailable those that are there. */
export const needsScale = ({ spec }: PodDisruptionBudget): boolean => spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === "string";

/** How many Pods there should be, and how many of them healthy. `scale` is what the Pods' controllers want in sum. */
export function expectation({ spec }: PodDisruptionBudget, pods: number, scale: number): { readonly expected: number; readonly desired: number } {
  if (spec?.maxUnavailable !== undefined) return { expected: scale, desired: Math.max(0, scale - (scaledValue(spec.maxUnavailable, scale, true) ?? 0)) };
  if (spec?.minAvailable === undefined) return { expected: 0, desired: 0 };
  if (typeof spec.minAvailable === "number") return { expected: pods, desired: spec.minAvailable };
  return { expected: scale, desired: scaledValue(spec.minAvailable, scale, true) ?? 0 };
}

/** Evicted Pods that are still expected to go, and when the first of them counts again. */
export function stillDisrupted(pods: readonly Pod[], status: BudgetStatus | undefined, now: Micros): { readonly disrupted: Readonly<Record<string, string>>; readonly recheck?: Micros; readonly late: readonly Pod[] } {
  const disrupted: Record<string, string> = {};
  const late: Pod[] = [];
  let recheck: Micros | undefined;
  for (const pod of pods) {
    const since = status?.disruptedPods?.[pod.metadata.name ?? ""];
    if (since === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
    const until = parseRfc3339(since) + DELETION_TIMEOUT;
    if (until < now) late.push(pod);
    else {
      disrupted[pod.metadata.name ?? ""] = since;
      recheck = Math.min(recheck ?? until, until);
    }
  }
  return { disrupted, late, ...(recheck === undefined ? {} : { recheck }) };
}

export const countHealthy = (pods: readonly Pod[], disrupted: Readonly<Record<string, string>>): number => pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && disrupted[pod.metadata.name ?? ""] === undefined && isPodReady(pod)).length;

const isAllowed = (entry: Condition): boolean => entry.type === "DisruptionAllowed";

/** meta.SetStatusCondition: the time changes with the status only. */
function withAllowed(conditions: readonly Condition[] = [], allowed: boolean, reason: string, message: string, generation: number, now: Micros): readonly Condition[] {
  const at = conditions.findIndex(isAllowed);
  const old = conditions[at];
  const status = allowed ? "True" : "False";
  const next: Condition = { type: "DisruptionAllowed", status, observedGeneration: generation, lastTransitionTime: old?.status === status ? (old.lastTransitionTime ?? rfc3339(now)) : rfc3339(now), reason, message };
  return old === undefined ? [...conditions, next] : conditions.with(at, next);
}

/** The status when the number of Pods is unknown: nothing may be disrupted. */
export const failedStatus = ({ status = {} }: PodDisruptionBudget, error: string, now: Micros): BudgetStatus => ({ ...status, disruptionsAllowed: 0, conditions: withAllowed(status.conditions, false, "SyncFailed", error, status.observedGeneration ?? 0, now) });

const sameMap = (a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean => Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([key, value]) => b[key] === value);

/** The budget's status; the same one if nothing changed. Without expected Pods nothing may be disrupted. */
export function budgetStatus(pdb: PodDisruptionBudget, healthy: number, { expected, desired }: { readonly expected: number; readonly desired: number }, disrupted: Readonly<Record<string, string>>, now: Micros): BudgetStatus {
  const old = pdb.status ?? {};
  const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
  const generation = pdb.metadata.generation ?? 0;
  const [verdict, reason] = allowed > 0 ? ["True", "SufficientPods"] : ["False", "InsufficientPods"];
  const condition = old.conditions?.find(isAllowed);
  const told = condition !== undefined && condition.status === verdict && condition.reason === reason;
  const same = (old.currentHealthy ?? 0) === healthy && (old.desiredHealthy ?? 0) === desired && (old.expectedPods ?? 0) === expected && (old.disruptionsAllowed ?? 0) === allowed && sameMap(old.disruptedPods, disrupted) && old.observedGeneration === generation;
  if (same && told) return old;
  const conditions = withAllowed(old.conditions, allowed > 0, reason ?? "", "", generation, now);
  return { observedGeneration: generation, ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }), disruptionsAllowed: allowed, currentHealthy: healthy, desiredHealthy: desired, expectedPods: expected, conditions };
}

/** Go's text of a selector, as it stands in an event. */
export function selectorString(selector: LabelSelector | undefined): string {
  if (!selector) return "nil";
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `${key}: ${value},`).join("");
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(" ")}],},`).join("");
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}
