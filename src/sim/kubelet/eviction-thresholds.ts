// Models kubernetes/pkg/kubelet/eviction/helpers.go: thresholds against what was observed
import { quantityFromValue } from "../api/quantity.ts";
import type { Micros } from "../kernel/types.ts";
import type { Capacity, SummaryResponse } from "../process/messages.ts";
import type { Threshold, ThresholdValue } from "./kubelet-configuration.ts";

export type Observations = Readonly<Record<string, Capacity>>;

const CONDITIONS: Readonly<Record<string, string>> = { memory: "MemoryPressure", nodefs: "DiskPressure", imagefs: "DiskPressure", pid: "PIDPressure" };

/**
 * Images and containers are on the node's own disk: both of its signals see the same. Simplified: upstream observes containerfs and
 * allocatableMemory besides, which on such a node are never short before the others.
 */
export const observe = ({ memory, disk, inodes, pids }: SummaryResponse): Observations => ({ "memory.available": memory, "nodefs.available": disk, "nodefs.inodesFree": inodes, "imagefs.available": disk, "imagefs.inodesFree": inodes, "pid.available": pids });

export const conditionOfSignal = (signal: string): string => CONDITIONS[signal.slice(0, signal.indexOf("."))] ?? "";

const amount = (value: ThresholdValue, capacity: number): number => ("quantity" in value ? value.quantity : Math.trunc(capacity * value.percentage));

/** Those below their value. `enforceMinReclaim`: that are not above it by as much as shall be reclaimed. */
export function thresholdsMet(thresholds: readonly Threshold[], seen: Observations, enforceMinReclaim: boolean): readonly Threshold[] {
  return thresholds.filter(({ signal, value, minReclaim }) => {
    const observed = seen[signal];
    if (observed === undefined) return false;
    const more = enforceMinReclaim && minReclaim !== undefined ? amount(minReclaim, observed.capacity) : 0;
    return amount(value, observed.capacity) + more > observed.available;
  });
}

/** Two thresholds for one signal differ in how long they must be met, or in their value. */
export const thresholdKey = ({ signal, gracePeriod, value }: Threshold): string => `${signal}/${gracePeriod}/${"quantity" in value ? value.quantity : value.percentage}`;

/** Both lists, each threshold once. */
export const mergeThresholds = (a: readonly Threshold[], b: readonly Threshold[]): readonly Threshold[] => [...a, ...b.filter((threshold) => !a.some((other) => thresholdKey(other) === thresholdKey(threshold)))];

/** byEvictionPriority: memory before all others. Simplified: upstream leaves the order of the others to chance. */
export const byEvictionPriority = (thresholds: readonly Threshold[]): readonly Threshold[] => [...thresholds].sort((a, b) => Number(b.signal === "memory.available") - Number(a.signal === "memory.available"));

/** A threshold's amount as messages print it, and what there is. */
export function thresholdText({ signal, value }: Threshold, seen: Observations): { readonly quantity: string; readonly available: string } {
  const observed = seen[signal] ?? { capacity: 0, available: 0 };
  const counted = signal.endsWith("inodesFree") || signal.startsWith("pid");
  return { quantity: quantityFromValue(amount(value, observed.capacity), "BinarySI"), available: quantityFromValue(observed.available, counted ? "DecimalSI" : "BinarySI") };
}

/** When each of the thresholds that are met was met first. */
export const firstObserved = (met: readonly Threshold[], before: Readonly<Record<string, Micros>>, now: Micros): Readonly<Record<string, Micros>> => Object.fromEntries(met.map((threshold) => [thresholdKey(threshold), before[thresholdKey(threshold)] ?? now]));
