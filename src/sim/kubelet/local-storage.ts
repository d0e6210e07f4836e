// Models kubernetes/pkg/kubelet/eviction/eviction_manager.go localStorageEviction with pkg/kubelet/server/stats/volume_stat_calculator.go
import type { Message, Micros } from "../kernel/types.ts";
import type { VolumeOverLimit } from "../process/messages.ts";
import { localStorageEviction } from "./eviction.ts";
import type { Turn } from "./turn.ts";

export interface LocalStorageTimer extends Message {
  readonly type: "kubelet.localStorage";
  readonly uid: string;
}

/** volumeStatsAggPeriod: a Pod's volumes are measured again after one to two of these. */
const STATS_PERIOD: Micros = 60_000_000;
const MONITORING_INTERVAL: Micros = 10_000_000;

/**
 * An emptyDir holds more than its sizeLimit, or no longer does. Simplified: upstream walks all volumes every one to two minutes;
 * here the kernel says when one is over its limit, and the measurement that will see it comes at such a time.
 */
export function onOverLimit(turn: Turn, { podUid, volume, bytes }: VolumeOverLimit): void {
  const worker = turn.worker(podUid);
  if (!worker) return;
  const before = worker.volumeBytes ?? {};
  turn.update(podUid, { volumeBytes: { ...before, [volume]: bytes } });
  if (before[volume] !== undefined) return;
  const measured = turn.now + (turn.ctx.rand(`volume-stats/${podUid}`, 0) % (2 * STATS_PERIOD));
  turn.explain(`The emptyDir ${volume} has grown to ${bytes} bytes`, worker.pod, { level: "basic", why: "Nothing stops the write: the kubelet measures each Pod's volumes every one to two minutes, and the eviction manager looks every 10 s" });
  turn.ctx.after(turn.nextTick("eviction", MONITORING_INTERVAL, measured + 1) - turn.now, { type: "kubelet.localStorage", uid: podUid } satisfies LocalStorageTimer);
}

/** The eviction manager's pass that sees the measurement: no Pod of another kind is asked first, and the node is under no pressure. */
export function onLocalStorage(turn: Turn, { uid }: LocalStorageTimer): void {
  const worker = turn.worker(uid);
  if (worker?.phase !== "syncing") return;
  const { pod } = worker;
  const volumeBytes = worker.volumeBytes ?? {};
  const verdict = localStorageEviction(pod, Object.fromEntries(Object.entries(volumeBytes).map(([name, bytes]) => [name, String(bytes)])));
  turn.update(uid, { volumeBytes: {} });
  if (!verdict) return;
  turn.event(pod, "Warning", "Evicted", verdict.message);
  turn.explain(`The kubelet evicts ${pod.metadata.name ?? ""}: ${verdict.message}`.slice(0, 138), pod, { level: "basic", why: "Its phase becomes Failed, and it is not restarted on this node; the grace is 1 s" });
  turn.engine.updatePod(turn, uid, { kill: true, verdict });
}
