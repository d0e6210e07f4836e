import type { ComponentId, WorldView } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { type EtcdMember, etcdMembers } from "./etcd-members.ts";
import { type Fault, text } from "./fault.ts";

/** Members that believe to lead, by term. A crashed one keeps the belief it died with, at a lower term than its successor. */
const leaders = (members: readonly EtcdMember[]): readonly EtcdMember[] =>
  members.filter(({ raft }) => raft.role === "leader").sort((a, b) => a.raft.term - b.raft.term);

function victim(params: FaultParams, view: WorldView, which: 0 | -1): ComponentId | undefined {
  const members = etcdMembers(view);
  const named = text(params, "member");
  if (named !== "leader") return members.find(({ id }) => id === named)?.id;
  // During an election nobody leads: then any member's crash is the same lesson.
  return (leaders(members).at(which) ?? members[0])?.id;
}

export const etcdLeaderCrash = {
  id: "etcd.leader-crash",
  title: "The etcd leader crashes",
  group: "etcd",
  symptom: "Writes hang for a second or more; one in flight fails with etcdserver: request timed out",
  command: "kubectl get --raw /livez/etcd",
  fix: "Nothing to do: the other two members elect a leader; restart the third so that the next crash is survived too.",
  params: [{ name: "member", label: "Member", default: "leader", options: ["leader", "etcd-0", "etcd-1", "etcd-2"] }],
  begin: (params, view) => {
    const member = victim(params, view, -1);
    return member === undefined ? [] : [{ type: "stop", component: member, how: "process" }];
  },
  end: (params, view) => {
    const member = victim(params, view, 0);
    return member === undefined ? [] : [{ type: "start", component: member }];
  },
} satisfies Fault;
