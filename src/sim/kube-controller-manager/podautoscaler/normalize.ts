// Models kubernetes/pkg/controller/podautoscaler/horizontal.go (normalizeDesiredReplicas, normalizeDesiredReplicasWithBehaviors)
import type { Micros } from "../../kernel/types.ts";
import type { Autoscaler, History, ScalingRules } from "./types.ts";

const SECOND: Micros = 1_000_000;
/** --horizontal-pod-autoscaler-downscale-stabilization. */
const DOWNSCALE_WINDOW = 300;
const MAX_INT32 = 2_147_483_647;

interface Verdict {
  readonly reason: string;
  readonly message: string;
}

export interface Normalized {
  readonly replicas: number;
  /** Condition AbleToScale. */
  readonly able: Verdict;
  /** Condition ScalingLimited. */
  readonly limit: Verdict & { readonly limited: boolean };
  readonly history: History;
}

export interface Sizes {
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  readonly max: number;
}

const READY: Verdict = { reason: "ReadyForNewScale", message: "recommended size matches current size" };
const DOWN_STABILIZED: Verdict = { reason: "ScaleDownStabilized", message: "recent recommendations were higher than current one, applying the highest recent recommendation" };
const UP_STABILIZED: Verdict = { reason: "ScaleUpStabilized", message: "recent recommendations were lower than current one, applying the lowest recent recommendation" };
const WITHIN: Verdict = { reason: "DesiredWithinRange", message: "the desired count is within the acceptable range" };
const TOO_MANY: Verdict = { reason: "TooManyReplicas", message: "the desired replica count is more than the maximum replica count" };
const TOO_FEW: Verdict = { reason: "TooFewReplicas", message: "the desired replica count is less than the minimum replica count" };
const UP_LIMIT: Verdict = { reason: "ScaleUpLimit", message: "the desired replica count is increasing faster than the maximum scale rate" };
const DOWN_LIMIT: Verdict = { reason: "ScaleDownLimit", message: "the desired replica count is decreasing faster than the maximum scale rate" };

/** The newest recommendation takes the place of the last outdated one, if any. */
function remember(history: History, replicas: number, now: Micros, outdated: (at: Micros) => boolean): History {
  const at = history.recommendations.findLastIndex((entry) => outdated(entry.at));
  const entry = { replicas, at: now };
  return { ...history, recommendations: at < 0 ? [...history.recommendations, entry] : history.recommendations.with(at, entry) };
}

function byRules({ current, desired, min, max }: Sizes): { readonly replicas: number; readonly verdict: Verdict } {
  const fastest = Math.max(2 * current, 4);
  if (desired < min) return { replicas: min, verdict: TOO_FEW };
  const most = Math.min(max, fastest);
  return desired > most ? { replicas: most, verdict: max > fastest ? UP_LIMIT : TOO_MANY } : { replicas: desired, verdict: WITHIN };
}

/** Without a behavior: the highest recommendation of five minutes, at most twice the size (or 4) at once. */
function normalizePlain(sizes: Sizes, history: History, now: Micros): Normalized {
  const cutoff = now - DOWNSCALE_WINDOW * SECOND;
  const stabilized = history.recommendations.filter((entry) => entry.at >= cutoff).reduce((most, entry) => Math.max(most, entry.replicas), sizes.desired);
  const { replicas, verdict } = byRules({ ...sizes, desired: stabilized });
  return { replicas, able: stabilized === sizes.desired ? READY : DOWN_STABILIZED, limit: { ...verdict, limited: replicas !== stabilized }, history: remember(history, sizes.desired, now, (at) => at < cutoff) };
}

const changeIn = (events: History["ups"], seconds: number, now: Micros): number => events.reduce((sum, event) => (event.at > now - seconds * SECOND ? sum + event.change : sum), 0);

/** How large or how small the policies of one direction let the target become now. */
function policyLimit(current: number, history: History, rules: ScalingRules, now: Micros, up: boolean): number {
  if (rules.selectPolicy === "Disabled") return current;
  const least = rules.selectPolicy === "Min";
  // The policy of the smallest change is the lowest limit on the way up and the highest on the way down.
  const lowest = up === least;
  let result = lowest ? MAX_INT32 : -MAX_INT32 - 1;
  for (const { type, value, periodSeconds } of rules.policies ?? []) {
    const start = current - changeIn(history.ups, periodSeconds, now) + changeIn(history.downs, periodSeconds, now);
    const proposed = type === "Pods" ? start + (up ? value : -value) : up ? Math.ceil(start * (1 + value / 100)) : Math.trunc(start * (1 - value / 100));
    result = lowest ? Math.min(result, proposed) : Math.max(result, proposed);
  }
  return result;
}

function stabilize({ current, desired }: Sizes, history: History, upWindow: number, downWindow: number, now: Micros): { readonly replicas: number; readonly history: History } {
  const [upCutoff, downCutoff] = [now - upWindow * SECOND, now - downWindow * SECOND];
  let [lowest, highest] = [desired, desired];
  for (const { replicas, at } of history.recommendations) {
    if (at > upCutoff) lowest = Math.min(lowest, replicas);
    if (at > downCutoff) highest = Math.max(highest, replicas);
  }
  const raised = Math.max(current, lowest);
  return { replicas: raised > highest ? highest : raised, history: remember(history, desired, now, (at) => at < upCutoff && at < downCutoff) };
}

function byRate({ current, desired, min, max }: Sizes, history: History, up: ScalingRules, down: ScalingRules, now: Micros): { readonly replicas: number; readonly verdict: Verdict } {
  if (desired > current) {
    const limit = Math.max(current, policyLimit(current, history, up, now, true));
    const most = Math.min(max, limit);
    return desired > most ? { replicas: most, verdict: max > limit ? UP_LIMIT : TOO_MANY } : { replicas: desired, verdict: WITHIN };
  }
  if (desired < current) {
    const limit = Math.min(current, policyLimit(current, history, down, now, false));
    const fewest = Math.max(min, limit);
    return desired < fewest ? { replicas: fewest, verdict: min < limit ? DOWN_LIMIT : TOO_FEW } : { replicas: desired, verdict: WITHIN };
  }
  return { replicas: desired, verdict: WITHIN };
}

/** From what the metrics ask for to what may be done now. */
export function normalize({ spec }: Autoscaler, sizes: Sizes, history: History, now: Micros): Normalized {
  if (spec.behavior === undefined) return normalizePlain(sizes, history, now);
  const up = spec.behavior.scaleUp ?? {};
  const down = spec.behavior.scaleDown ?? {};
  const stable = stabilize(sizes, history, up.stabilizationWindowSeconds ?? 0, down.stabilizationWindowSeconds ?? DOWNSCALE_WINDOW, now);
  const { replicas, verdict } = byRate({ ...sizes, desired: stable.replicas }, history, up, down, now);
  const stabilized = sizes.desired >= sizes.current ? UP_STABILIZED : DOWN_STABILIZED;
  return { replicas, able: stable.replicas === sizes.desired ? READY : stabilized, limit: { ...verdict, limited: replicas !== stable.replicas }, history: stable.history };
}

/** storeScaleEvent: policies count what was changed within their periods. */
export function withScaleEvent({ spec }: Autoscaler, history: History, from: number, to: number, now: Micros): History {
  if (spec.behavior === undefined) return history;
  const up = to > from;
  const rules = up ? spec.behavior.scaleUp : spec.behavior.scaleDown;
  const longest = (rules?.policies ?? []).reduce((most, policy) => Math.max(most, policy.periodSeconds), 0);
  const events = (up ? history.ups : history.downs).filter((event) => event.at >= now - longest * SECOND);
  const next = [...events, { change: Math.abs(to - from), at: now }];
  return up ? { ...history, ups: next } : { ...history, downs: next };
}
