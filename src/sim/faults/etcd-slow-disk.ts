import type { ComponentId, WorldView } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { etcdMembers } from "./etcd-members.ts";
import { type Fault, inside, text } from "./fault.ts";

function disksOf(params: FaultParams, view: WorldView): readonly ComponentId[] {
  const named = text(params, "member");
  return etcdMembers(view).map(({ id }) => id).filter((id) => named === "all" || id === named);
}

export const etcdSlowDisk = {
  id: "etcd.slow-disk",
  title: "etcd's disk is slow",
  group: "etcd",
  symptom: "Every write takes as long as the disk, reads too; the leader's heartbeats are late, and above a second another member is elected",
  command: "kubectl get --raw /livez/etcd",
  fix: "Give etcd a disk of its own, an SSD: the 99th percentile of etcd_disk_wal_fsync_duration_seconds belongs under 10 ms.",
  params: [
    { name: "member", label: "Member", default: "all", options: ["all", "etcd-0", "etcd-1", "etcd-2"] },
    { name: "milliseconds", label: "Milliseconds of an fsync", default: 500 },
  ],
  ...inside("etcd.slow-disk", disksOf),
} satisfies Fault;
