import type { Action } from "../kernel/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { etcdMembers } from "./etcd-members.ts";
import { type Fault, text } from "./fault.ts";

const ruleOf = (params: FaultParams): string => `etcd.partition/${text(params, "member")}`;

export const etcdPartition = {
  id: "etcd.partition",
  title: "One etcd member is cut off",
  group: "etcd",
  symptom: "The member cut off can commit nothing; the other two go on, with a new leader if it led",
  command: "kubectl get --raw /livez/etcd",
  fix: "Mend the network: the member hears of the newer term, follows, and is sent the entries it lacks.",
  params: [{ name: "member", label: "Member", default: "etcd-2", options: ["etcd-0", "etcd-1", "etcd-2"] }],
  begin: (params, view): readonly Action[] => {
    const member = text(params, "member");
    const others = etcdMembers(view).map(({ id }) => id).filter((id) => id !== member);
    return others.flatMap((other) => [
      { type: "link", rule: { id: ruleOf(params), from: member, to: other, drop: true } },
      { type: "link", rule: { id: ruleOf(params), from: other, to: member, drop: true } },
    ]);
  },
  end: (params): readonly Action[] => [{ type: "unlink", id: ruleOf(params) }],
} satisfies Fault;
