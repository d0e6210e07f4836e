// Models kubernetes/pkg/controller/daemon/daemon_controller.go (manage, podsShouldBeOnNode)
import type { Pod } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros } from "../../kernel/types.ts";
import { REVISION_LABEL } from "../history/controller-history.ts";
import { isPodAvailable, isPodReady } from "../pods.ts";
import { allowsSurge } from "./rolling-update.ts";
import type { DaemonSet, Placement } from "./placement.ts";

const FIRST_BACKOFF: Micros = 1_000_000;
const MAX_BACKOFF: Micros = 900_000_000;

/** When a failed daemon Pod was last removed from a node, and how long the next must wait; by "uid/generation/node". */
export type FailedPods = Readonly<Record<string, { readonly at: Micros; readonly delay: Micros }>>;

export interface Changes {
  /** Nodes that need a Pod. */
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
  readonly events: readonly EventToRecord[];
  readonly failed: FailedPods;
  /** Look again after so long. */
  readonly after?: Micros;
}

interface Growing {
  readonly create: string[];
  readonly remove: Pod[];
  readonly events: EventToRecord[];
  failed: FailedPods;
  after: Micros | undefined;
}

const nameOf = (object: { readonly metadata: { readonly name?: string } }): string => object.metadata.name ?? "";

/** Ended Pods go, failed ones after a back-off. Returns those that live. */
function removeEnded(ds: DaemonSet, { name: node, pods }: Placement, now: Micros, changes: Growing): readonly Pod[] {
  const living: Pod[] = [];
  const tell = (pod: Pod, type: "Normal" | "Warning", reason: string, how: string): void => {
    changes.events.push({ object: ds, type, reason, message: `Found ${how} daemon pod ${pod.metadata.namespace ?? ""}/${nameOf(pod)} on node ${node}, will try to ${how === "failed" ? "kill" : "delete"} it` });
    changes.remove.push(pod);
  };
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    if (pod.status?.phase === "Succeeded") tell(pod, "Normal", "SucceededDaemonPod", "succeeded");
    else if (pod.status?.phase === "Failed") {
      const key = `${ds.metadata.uid ?? ""}/${ds.status?.observedGeneration ?? 0}/${node}`;
      const last = changes.failed[key];
      if (last && now - last.at < last.delay) {
        changes.after = Math.min(changes.after ?? last.delay, last.delay);
        continue;
      }
      const delay = last && now - last.at <= 2 * MAX_BACKOFF ? Math.min(2 * last.delay, MAX_BACKOFF) : FIRST_BACKOFF;
      changes.failed = { ...changes.failed, [key]: { at: now, delay } };
      tell(pod, "Warning", "FailedDaemonPod", "failed");
    } else living.push(pod);
  }
  return living;
}

/** With surge a node may have two: an old one that is ready, and a new one that is not available yet. */
function surplusWithSurge(ds: DaemonSet, hash: string, living: readonly Pod[], now: Micros): readonly Pod[] {
  const isFresh = (pod: Pod): boolean => pod.metadata.labels?.[REVISION_LABEL] === hash;
  const fresh = living.find(isFresh);
  const old = living.find((pod) => !isFresh(pod));
  const replaced = fresh && old && (!isPodReady(old) || isPodAvailable(fresh, ds.spec.minReadySeconds ?? 0, now));
  return [...living.filter((pod) => pod !== fresh && pod !== old), ...(replaced ? [old] : [])];
}

/** Which nodes lack a daemon Pod, and which Pods are too many or do not belong where they are. */
export function podsShouldBeOnNodes(ds: DaemonSet, hash: string, places: readonly Placement[], known: FailedPods, now: Micros): Changes {
  const changes: Growing = { create: [], remove: [], events: [], failed: known, after: undefined };
  for (const place of places) {
    if (place.node === undefined) continue;
    if (place.shouldRun && place.pods.length === 0) changes.create.push(place.name);
    else if (!place.shouldContinue) changes.remove.push(...place.pods.filter((pod) => pod.metadata.deletionTimestamp === undefined));
    else {
      const living = removeEnded(ds, place, now, changes);
      if (!allowsSurge(ds)) changes.remove.push(...living.slice(1));
      else if (living.length > 1) changes.remove.push(...surplusWithSurge(ds, hash, living, now));
      else if (living.length === 0 && place.shouldRun) changes.create.push(place.name);
    }
  }
  // Nobody else removes what waits for a node that is no more.
  for (const place of places) if (place.node === undefined) changes.remove.push(...place.pods.filter((pod) => !pod.spec.nodeName));
  const { after, ...rest } = changes;
  return after === undefined ? rest : { ...rest, after };
}
