// Models kubernetes/pkg/kubelet/kuberuntime/kuberuntime_gc.go
import type { CriCall, RuntimePod } from "../cri/messages.ts";
import type { Message, Micros } from "../kernel/types.ts";
import type { Turn } from "./turn.ts";

export interface ContainerGCTimer extends Message {
  readonly type: "kubelet.containerGC";
}

/** ContainerGCPeriod */
const PERIOD: Micros = 60_000_000;
/** maxPerPodContainerCount: dead containers of one name that are kept, for their logs. */
const MAX_PER_POD_CONTAINER = 1;

/** The next round is done. Simplified: upstream's is every minute; here at those very instants, but only when something has ended. */
export function armContainerGC(turn: Turn): void {
  if (turn.state.containerGCAt > turn.now) return;
  const at = turn.nextTick("containerGC", PERIOD, turn.now + 1);
  turn.set({ containerGCAt: at });
  turn.ctx.after(at - turn.now, { type: "kubelet.containerGC" } satisfies ContainerGCTimer);
}

export function onContainerGCTimer(turn: Turn): void {
  collectContainers(turn, false, "remove");
}

/** Nothing of the Pod is kept: it is gone, or was evicted. `ended`: nor of one that is over but still an object. */
function isRemovable(turn: Turn, uid: string, ended: boolean): boolean {
  const worker = turn.worker(uid);
  if (worker === undefined) return true;
  return worker.phase === "finished" && (ended || !worker.inConfig || worker.verdict?.reason === "Evicted");
}

/**
 * Removes dead containers and their sandboxes: all of Pods that are gone, else all but the newest of each name.
 * `ended`: all of ended Pods as well. Returns the number of calls made.
 */
export function collectContainers(turn: Turn, ended: boolean, pending: "remove" | "reclaim"): number {
  let calls = 0;
  for (const [uid, pod] of turn.state.pleg.records.sorted()) {
    const going = goingOf(pod, isRemovable(turn, uid, ended));
    calls += going.length;
    for (const cri of going) turn.cri(cri, { for: pending }, `pod/${pod.namespace}/${pod.name}`, "source");
    if (going.length > 0) turn.explain(`The kubelet's garbage collection removes ${going.length} dead container${going.length === 1 ? "" : "s"} and sandboxes of ${pod.name}`, undefined, { level: "operator" });
  }
  return calls;
}

/** The calls that remove what of one Pod is to go. Containers and sandboxes are newest first. */
export function goingOf({ containers, sandboxes }: RuntimePod, all: boolean): readonly CriCall[] {
  const kept: Record<string, number> = {};
  const dead = containers.filter(({ state, name }) => {
    if (state === "running") return false;
    kept[name] = (kept[name] ?? 0) + 1;
    return all || (kept[name] ?? 0) > MAX_PER_POD_CONTAINER;
  });
  const holding = new Set(containers.filter((container) => !dead.includes(container)).map(({ sandboxId }) => sandboxId));
  const empty = sandboxes.filter(({ id, state }, i) => state !== "READY" && !holding.has(id) && (all || i > 0));
  return [...dead.map(({ id }): CriCall => ({ call: "RemoveContainer", containerId: id })), ...empty.map(({ id }): CriCall => ({ call: "RemovePodSandbox", sandboxId: id }))];
}
