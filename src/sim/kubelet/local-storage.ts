// Models kubernetes/pkg/kubelet/server/stats/volume_stat_calculator.go: what a Pod holds on the node's disk, and when it is counted
import { podLimits } from "../api/pod-resources.ts";
import { quantityFromValue, value } from "../api/quantity.ts";
import { parseRfc3339 } from "../api/time.ts";
import type { Pod } from "../api/types.ts";
import type { Micros } from "../kernel/types.ts";
import type { SummaryResponse, UsageWatch } from "../process/messages.ts";
import type { Turn } from "./turn.ts";

const SECOND: Micros = 1_000_000;
/** volumeStatsAggPeriod: new Pods are found as often, and each then counts after one to two of these. */
const AGG_PERIOD: Micros = 60 * SECOND;

/** The first instant at or after `at` at which the Pod's volumes are counted. */
export function volumeStatsAt(turn: Turn, pod: Pod, at: Micros): Micros {
  const started = parseRfc3339(pod.status?.startTime ?? "");
  let next = turn.nextTick("volumeStats", AGG_PERIOD, Number.isNaN(started) ? at : started);
  for (let n = 0; next < at; n++) next += AGG_PERIOD + (turn.ctx.rand(`volumeStats/${pod.metadata.uid ?? ""}`, n) % AGG_PERIOD);
  return next;
}

/** The limits of a Pod's local storage in bytes: emptyDirs by name, containers as "/NAME", the Pod "/"; undefined if there are none. */
function limitsOf(pod: Pod): Readonly<Record<string, number>> | undefined {
  const limits: Record<string, number> = {};
  for (const { name, emptyDir } of pod.spec.volumes ?? []) {
    const limit = emptyDir?.sizeLimit === undefined || emptyDir.medium === "Memory" ? 0 : value(emptyDir.sizeLimit);
    if (limit > 0) limits[name] = limit;
  }
  for (const { name, resources } of pod.spec.containers) {
    const limit = value(resources?.limits?.["ephemeral-storage"]);
    if (limit > 0) limits[`/${name}`] = limit;
  }
  const total = podLimits(pod.spec)["ephemeral-storage"];
  if (total !== undefined) {
    limits["/"] = value(total);
    // The whole is the sum of all emptyDirs on disk: those without a limit are counted as well.
    for (const { name, emptyDir } of pod.spec.volumes ?? []) if (emptyDir && emptyDir.medium !== "Memory") limits[name] ??= Number.MAX_SAFE_INTEGER;
  }
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** Has the kernel count what the Pod may not hold more of. Simplified: upstream's kubelet walks directories, unless their file system counts by project quotas. */
export function watchLocalStorage(turn: Turn, pod: Pod): void {
  const limits = limitsOf(pod);
  if (limits === undefined) return;
  turn.ctx.send(`process@${turn.config.node.name}`, { type: "usage.watch", podUid: pod.metadata.uid ?? "", limits } satisfies UsageWatch, { protocol: "disk", latency: 100, verb: "quota", subject: `pod/${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`, level: "source" });
}

/** What its emptyDirs on disk and its containers hold. */
export function localUsage(pod: Pod, { containers, volumes }: SummaryResponse): { readonly volumes: Readonly<Record<string, string>>; readonly containers: Readonly<Record<string, string>> } {
  const bytes = (n: number): string => quantityFromValue(n, "BinarySI");
  const onDisk = new Set((pod.spec.volumes ?? []).filter(({ emptyDir }) => emptyDir && emptyDir.medium !== "Memory").map(({ name }) => name));
  const uid = pod.metadata.uid ?? "";
  return {
    volumes: Object.fromEntries(volumes.filter((entry) => entry.uid === uid && onDisk.has(entry.volume)).map((entry) => [entry.volume, bytes(entry.bytes)])),
    containers: Object.fromEntries(containers.filter((entry) => entry.uid === uid).map((entry) => [entry.container, bytes(entry.rootfs + entry.logs)])),
  };
}
