import type { ComponentId, WorldView } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { type Fault, text } from "./fault.ts";

interface Leadership {
  readonly member: ComponentId;
  readonly term: number;
}

/** Members that believe to lead, by term. A crashed one keeps the belief it died with, at a lower term than its successor. */
function leaders(view: WorldView): readonly Leadership[] {
  const found: Leadership[] = [];
  for (const member of members(view)) {
    const state = view.stateOf(member);
    if (typeof state !== "object" || state === null || !("role" in state) || state.role !== "leader") continue;
    found.push({ member, term: "term" in state && typeof state.term === "number" ? state.term : 0 });
  }
  return found.sort((a, b) => a.term - b.term);
}

const members = (view: WorldView): readonly ComponentId[] => view.components.filter((id) => id.startsWith("etcd-"));

function victim(params: FaultParams, view: WorldView, which: "newest" | "oldest"): ComponentId | undefined {
  const named = text(params, "member");
  if (named !== "leader") return members(view).includes(named) ? named : undefined;
  const all = leaders(view);
  // During an election nobody leads: then any member's crash is the same lesson.
  return (which === "newest" ? all[all.length - 1] : all[0])?.member ?? members(view)[0];
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
    const member = victim(params, view, "newest");
    return member === undefined ? [] : [{ type: "stop", component: member, how: "process" }];
  },
  end: (params, view) => {
    const member = victim(params, view, "oldest");
    return member === undefined ? [] : [{ type: "start", component: member }];
  },
} satisfies Fault;
