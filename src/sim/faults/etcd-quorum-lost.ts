import type { ComponentId, WorldView } from "../kernel/types.ts";
import { etcdMembers } from "./etcd-members.ts";
import type { Fault } from "./fault.ts";

/** All members but the first: one is left, and one of three is no majority. One that is alone is the victim itself. */
function victims(view: WorldView): readonly ComponentId[] {
  const members = etcdMembers(view).map(({ id }) => id);
  return members.length === 1 ? members : members.slice(1);
}

export const etcdQuorumLost = {
  id: "etcd.quorum-lost",
  title: "etcd loses its majority",
  group: "etcd",
  symptom: "Writes fail after 34 s, reads after 60 s; lists from the watch cache and running Pods go on",
  command: "kubectl get --raw /livez/etcd",
  fix: "Bring one of the two members back: two of three elect a leader and go on by themselves.",
  params: [],
  begin: (_, view) => victims(view).map((component) => ({ type: "stop", component, how: "process" })),
  end: (_, view) => victims(view).map((component) => ({ type: "start", component })),
} satisfies Fault;
