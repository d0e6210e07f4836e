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
