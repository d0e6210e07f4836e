// Models kubernetes/pkg/controller/daemon/update.go (rollingUpdate)
import { scaledValue } from "../../api/int-or-string.ts";
import type { Pod } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { isPodAvailable } from "../pods.ts";
import { type DaemonSet, isUpdated, type Placement } from "./placement.ts";

export interface Step {
  /** Nodes that get a new Pod beside the old one. */
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
  readonly error?: string;
}

const surgeOf = (ds: DaemonSet, desired: number): number => (ds.spec.updateStrategy?.type === "RollingUpdate" ? (scaledValue(ds.spec.updateStrategy.rollingUpdate?.maxSurge ?? 0, desired, true) ?? 0) : 0);

/** Whether two Pods may be on one node for a while. */
export const allowsSurge = (ds: DaemonSet): boolean => surgeOf(ds, 1) > 0;

interface Pair {
  readonly place: Placement;
  readonly fresh?: Pod;
  readonly old?: Pod;
  /** Several of one kind: the other loop cleans that up first. */
  readonly excess: boolean;
}

function pairOn(ds: DaemonSet, hash: string, place: Placement): Pair {
  const living = place.pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const [fresh, ...moreFresh] = living.filter((pod) => isUpdated(pod, ds, hash));
  const [old, ...moreOld] = living.filter((pod) => !isUpdated(pod, ds, hash));
  return { place, ...(fresh ? { fresh } : {}), ...(old ? { old } : {}), excess: moreFresh.length + moreOld.length > 0 };
}

/** Old Pods go, at most so many nodes being without an available one. */
function withoutSurge(pairs: readonly Pair[], limit: number, available: (pod: Pod) => boolean): Step {
  const allowed: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const { fresh, old, excess } of pairs) {
    if (excess || (fresh === undefined) === (old === undefined)) unavailable++;
    else if (fresh) unavailable += available(fresh) ? 0 : 1;
    else if (old && !available(old)) {
      allowed.push(old);
      unavailable++;
    } else if (old && unavailable < limit) candidates.push(old);
  }
  return { create: [], remove: [...allowed, ...candidates.slice(0, Math.max(0, limit - unavailable))] };
}

/** New Pods come beside old ones, at most so many at a time; an old one goes when the new one is available. */
function withSurge(pairs: readonly Pair[], limit: number, desired: number, available: (pod: Pod) => boolean): Step {
  const remove: Pod[] = [];
  const stranded: Pod[] = [];
  const allowed: string[] = [];
  const candidates: string[] = [];
  let [surge, availableNodes] = [0, 0];
  for (const { place, fresh, old, excess } of pairs) {
    if (excess) {
      surge++;
      continue;
    }
    const first = old ?? fresh;
    if (first && available(first)) availableNodes++;
    if (!old) continue;
    const { name } = place;
    if (fresh) {
      if (available(fresh)) remove.push(old);
      else surge++;
    } else if (place.node === undefined) return { create: [], remove: [], error: `couldn't get node for nodeName "${name}": node "${name}" not found` };
    else if (!place.shouldRun) (available(old) ? stranded : remove).push(old);
    else if (!available(old)) allowed.push(name);
    else if (surge < limit) candidates.push(name);
  }
  remove.push(...stranded.slice(0, Math.max(0, availableNodes - desired)));
  return { create: [...allowed, ...candidates.slice(0, Math.max(0, limit - surge))], remove };
}

/** The next step of replacing Pods of older templates. */
export function rollingUpdate(ds: DaemonSet, hash: string, places: readonly Placement[], now: Micros): Step {
  const desired = places.filter((place) => place.shouldRun).length;
  const surge = surgeOf(ds, desired);
  const unavailable = ds.spec.updateStrategy?.rollingUpdate === undefined ? 0 : (scaledValue(ds.spec.updateStrategy.rollingUpdate.maxUnavailable ?? 0, desired, true) ?? 0);
  const pairs = places.filter((place) => place.shouldRun || place.pods.length > 0).map((place) => pairOn(ds, hash, place));
  const available = (pod: Pod): boolean => isPodAvailable(pod, ds.spec.minReadySeconds ?? 0, now);
  return surge > 0 ? withSurge(pairs, surge, desired, available) : withoutSurge(pairs, desired > 0 ? Math.max(1, unavailable) : unavailable, available);
}
