import { etcdMembers } from "./etcd-members.ts";
import { type Fault, inside } from "./fault.ts";

export const etcdNoSpace = {
  id: "etcd.no-space",
  title: "etcd's database is full",
  group: "etcd",
  symptom: "Every create and update fails with etcdserver: mvcc: database space exceeded; reads and deletes go on",
  command: "kubectl get events -A",
  fix: "Compact the history, run etcdctl defrag on each member, then etcdctl alarm disarm; find out who writes so much.",
  params: [],
  ...inside("etcd.no-space", (_, view) => etcdMembers(view).map(({ id }) => id)),
} satisfies Fault;
