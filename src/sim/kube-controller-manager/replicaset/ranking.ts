// Models kubernetes/pkg/controller/controller_utils.go (ActivePodsWithRanks) and replicaset/replica_set.go (getPodsToDelete)
import { parseRfc3339 } from "../../api/time.ts";
import type { Pod } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { isPodActive, isPodReady, readySince } from "../pods.ts";

const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const MAX_INT32 = 2_147_483_647;
const PHASE_ORDER: readonly string[] = ["Pending", "Unknown", "Running"];

const phaseRank = (pod: Pod): number => Math.max(0, PHASE_ORDER.indexOf(pod.status?.phase ?? ""));

function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.[DELETION_COST] ?? "";
  const cost = /^(0|[1-9]\d*|-\d+)$/.test(text) ? Number(text) : 0;
  return cost > MAX_INT32 || cost < -MAX_INT32 - 1 ? 0 : cost;
}

/** Whole powers of two of the age in nanoseconds: ages within a factor of two count as equal. -1 for no age. */
function logarithmicRank(age: Micros): number {
  return age <= 0 ? -1 : (BigInt(age) * 1000n).toString(2).length - 1;
}

const uidOrder = (a: Pod, b: Pod): number => ((a.metadata.uid ?? "") < (b.metadata.uid ?? "") ? -1 : 1);

/** Younger first by logarithmic age; equal ages by uid. A missing time comes first. */
function byAge(a: Pod, b: Pod, since: (pod: Pod) => Micros | undefined, now: Micros | undefined): number {
  const [x, y] = [since(a), since(b)];
  if (x === y) return 0;
  if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
  if (now === undefined) return y - x;
  return logarithmicRank(now - x) - logarithmicRank(now - y) || uidOrder(a, b);
}

function maxRestarts(pod: Pod): { readonly regular: number; readonly sidecar: number } {
  const sidecars = new Set(pod.spec.initContainers?.filter((container) => container.restartPolicy === "Always").map((container) => container.name));
  const regular = (pod.status?.containerStatuses ?? []).reduce((max, status) => Math.max(max, status.restartCount), 0);
  const sidecar = (pod.status?.initContainerStatuses ?? []).filter((status) => sidecars.has(status.name)).reduce((max, status) => Math.max(max, status.restartCount), 0);
  return { regular, sidecar };
}

function createdAt(pod: Pod): Micros | undefined {
  const at = parseRfc3339(pod.metadata.creationTimestamp ?? "");
  return Number.isNaN(at) ? undefined : at;
}

/** Negative when `a` is to be deleted before `b`. Ranks count related Pods on the Pod's node. `now` undefined: plain ages. */
export function deletionOrder(a: Pod, b: Pod, rankA: number, rankB: number, now: Micros | undefined): number {
  const assigned = (pod: Pod): number => (pod.spec.nodeName ? 1 : 0);
  const ready = (pod: Pod): number => (isPodReady(pod) ? 1 : 0);
  const first = assigned(a) - assigned(b) || phaseRank(a) - phaseRank(b) || ready(a) - ready(b) || deletionCost(a) - deletionCost(b) || rankB - rankA;
  if (first !== 0) return first;
  if (isPodReady(a) && isPodReady(b)) {
    const age = byAge(a, b, readySince, now);
    if (age !== 0) return age;
  }
  const [x, y] = [maxRestarts(a), maxRestarts(b)];
  return y.regular - x.regular || y.sidecar - x.sidecar || byAge(a, b, createdAt, now);
}

/** ActivePods: as above, without costs, ranks and logarithms. */
export function activePodsOrder(a: Pod, b: Pod): number {
  const free = (pod: Pod): Pod => (pod.metadata.annotations?.[DELETION_COST] === undefined ? pod : { ...pod, metadata: { ...pod.metadata, annotations: {} } });
  return deletionOrder(free(a), free(b), 0, 0, undefined);
}

/** The `count` Pods to delete, first deleted first. `related` are the Pods of all ReplicaSets of the same owner. */
export function podsToDelete(pods: readonly Pod[], related: readonly Pod[], count: number, now: Micros | undefined): readonly Pod[] {
  // When all must go, their order does not matter.
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  for (const pod of related) if (isPodActive(pod)) onNode.set(pod.spec.nodeName ?? "", (onNode.get(pod.spec.nodeName ?? "") ?? 0) + 1);
  const rank = (pod: Pod): number => onNode.get(pod.spec.nodeName ?? "") ?? 0;
  return [...pods].sort((a, b) => deletionOrder(a, b, rank(a), rank(b), now)).slice(0, Math.max(0, count));
}
