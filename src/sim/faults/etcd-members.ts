import type { PMap } from "../kernel/pmap.ts";
import type { ComponentId, WorldView } from "../kernel/types.ts";

/** What faults read of an etcd member's state. `etcd-members.test.ts` holds it to the state that a running member has. */
export interface EtcdMember {
  readonly id: ComponentId;
  readonly raft: { readonly role: string; readonly term: number };
  readonly store: { readonly keys: PMap<{ readonly createRevision: number; readonly value: unknown }> };
}

/** The members of etcd, also those that are down: a stopped component keeps the state it had. */
export function etcdMembers(view: WorldView): readonly EtcdMember[] {
  return view.components.filter((id) => id.startsWith("etcd-")).map((id) => ({ ...(view.stateOf(id) as Omit<EtcdMember, "id">), id }));
}
