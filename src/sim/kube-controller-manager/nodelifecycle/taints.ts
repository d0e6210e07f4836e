// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go (doNoScheduleTaintingPass) and pkg/util/taints/taints.go
import type { Node, Taint } from "../../api/types.ts";

export const NOT_READY = "node.kubernetes.io/not-ready";
export const UNREACHABLE = "node.kubernetes.io/unreachable";
const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

export type TaintRef = Pick<Taint, "key" | "effect">;

/** Condition type to status to taint key. */
const CONDITION_TAINTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: "node.kubernetes.io/memory-pressure" },
  DiskPressure: { True: "node.kubernetes.io/disk-pressure" },
  NetworkUnavailable: { True: "node.kubernetes.io/network-unavailable" },
  PIDPressure: { True: "node.kubernetes.io/pid-pressure" },
};
const MANAGED = new Set([...Object.values(CONDITION_TAINTS).flatMap((row) => Object.values(row)), UNSCHEDULABLE]);

export const noExecute = (key: string): TaintRef => ({ key, effect: "NoExecute" });
export const isSame = (a: TaintRef, b: TaintRef): boolean => a.key === b.key && a.effect === b.effect;
export const hasTaint = (node: Node, taint: TaintRef): boolean => node.spec?.taints?.some((entry) => isSame(entry, taint)) ?? false;

/** The NoSchedule taints that a node's conditions and cordon call for, in the order of the conditions. */
function wantedNoSchedule(node: Node): readonly string[] {
  const keys = (node.status?.conditions ?? []).flatMap(({ type, status }) => CONDITION_TAINTS[type]?.[status] ?? []);
  return node.spec?.unschedulable ? [...keys, UNSCHEDULABLE] : keys;
}

/** What must come and go among the node's NoSchedule taints; undefined when nothing must. */
export function noScheduleDiff(node: Node): { readonly add: readonly TaintRef[]; readonly remove: readonly TaintRef[] } | undefined {
  const wanted = wantedNoSchedule(node);
  const have = (node.spec?.taints ?? []).filter((taint) => taint.effect === "NoSchedule" && MANAGED.has(taint.key));
  const add = wanted.filter((key) => !have.some((taint) => taint.key === key)).map((key): TaintRef => ({ key, effect: "NoSchedule" }));
  const remove = have.filter((taint) => !wanted.includes(taint.key));
  return add.length + remove.length === 0 ? undefined : { add, remove };
}

/** AddOrUpdateTaint for each: one that is there is replaced at its place. */
export function withTaints(taints: readonly Taint[], add: readonly TaintRef[], timeAdded: string): readonly Taint[] {
  let next = taints;
  for (const { key, effect } of add) {
    const taint: Taint = { key, effect, timeAdded };
    const at = next.findIndex((entry) => isSame(entry, taint));
    next = at < 0 ? [...next, taint] : next.with(at, taint);
  }
  return next;
}
