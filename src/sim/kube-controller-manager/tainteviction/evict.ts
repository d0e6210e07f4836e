// Models kubernetes/pkg/controller/tainteviction/taint_eviction.go: how long a Pod may stay
import { toleratesTaint } from "../../api/tolerations.ts";
import type { Taint, Toleration } from "../../api/types.ts";

/** Seconds until eviction by the tolerations that were used; undefined for never. No toleration at all: at once. */
export function minTolerationSeconds(used: readonly Pick<Toleration, "tolerationSeconds">[]): number | undefined {
  if (used.length === 0) return 0;
  let min: number | undefined;
  for (const { tolerationSeconds } of used) {
    if (tolerationSeconds === undefined || tolerationSeconds === null) continue;
    if (tolerationSeconds <= 0) return 0;
    min = min === undefined ? tolerationSeconds : Math.min(min, tolerationSeconds);
  }
  return min;
}

export const noExecuteTaints = (taints: readonly Taint[] | undefined): readonly Taint[] => (taints ?? []).filter((taint) => taint.effect === "NoExecute");

/** For each taint the first toleration that matches; undefined when some taint has none. */
export function matchingTolerations(taints: readonly Taint[], tolerations: readonly Toleration[] | undefined): readonly Toleration[] | undefined {
  const used: Toleration[] = [];
  for (const taint of taints) {
    const match = tolerations?.find((toleration) => toleratesTaint(toleration, taint));
    if (!match) return undefined;
    used.push(match);
  }
  return used;
}

/** Seconds that a Pod may stay on a node with these taints; undefined for ever. */
export function evictAfter(taints: readonly Taint[], tolerations: readonly Toleration[] | undefined): number | undefined {
  if (taints.length === 0) return undefined;
  const used = matchingTolerations(taints, tolerations);
  return used === undefined ? 0 : minTolerationSeconds(used);
}

const sameTaint = (a: Taint, b: Taint | undefined): boolean => a.key === b?.key && a.value === b.value && a.timeAdded === b.timeAdded;

/** The same NoExecute taints in the same order, with the times they were added at. */
export const sameTaints = (a: readonly Taint[], b: readonly Taint[]): boolean => a === b || (a.length === b.length && a.every((taint, at) => sameTaint(taint, b[at])));

const sameToleration = (a: Toleration, b: Toleration | undefined): boolean => b !== undefined && a.key === b.key && a.operator === b.operator && a.value === b.value && a.effect === b.effect && (a.tolerationSeconds ?? null) === (b.tolerationSeconds ?? null);

export const sameTolerations = (a: readonly Toleration[] = [], b: readonly Toleration[] = []): boolean => a === b || (a.length === b.length && a.every((toleration, at) => sameToleration(toleration, b[at])));
