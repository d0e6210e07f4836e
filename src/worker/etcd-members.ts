import type { EtcdTxnRequest, Proposal } from "../sim/etcd/messages.ts";
import type { MemberState } from "../sim/etcd/member-state.ts";
import { slice } from "../sim/etcd/raft/log.ts";
import type { StateOf } from "./backend.ts";
import type { EtcdMemberView } from "./protocol-etcd.ts";

/** More entries than a panel shows. */
const TAIL = 40;

const shortKey = (key: string): string => key.replace(/^\/registry\//, "");

function proposalText({ kind, txn, compact, lease, ttl, alarm }: Proposal): string {
  switch (kind) {
    case "txn":
      return `${txn?.value === undefined ? "delete" : txn.modRevision === 0 ? "create" : "put"} ${shortKey(txn?.key ?? "")}`;
    case "compact":
      return `compact to revision ${compact ?? 0}`;
    case "noop":
      return "empty entry of a new leader";
    case "lease-grant":
      return `grant lease ${(lease ?? 0).toString(16)} for ${ttl ?? 0} s`;
    case "lease-revoke":
      return `revoke lease ${(lease ?? 0).toString(16)}`;
    case "alarm":
      return alarm === true ? "raise alarm NOSPACE" : "clear alarm NOSPACE";
    case "defragment":
      return "defragment";
  }
}

const aboutOf = (request: { readonly type: string } & Partial<Pick<EtcdTxnRequest, "key">>): string => (request.key === undefined ? "a lease" : shortKey(request.key));

function viewOf({ raft, store, pending, watches, quota, expiries }: MemberState): EtcdMemberView {
  const { log } = raft;
  return {
    id: raft.id, role: raft.role, term: raft.term, leader: raft.leader, first: log.first, last: log.last, stable: raft.stable, syncing: raft.syncing, commit: raft.commit, applied: raft.applied,
    entries: slice(log, Math.max(log.first, log.last - TAIL + 1), TAIL).map(({ index, term, proposal }) => ({ index, term, writes: proposalText(proposal) })),
    revision: store.revision, compacted: store.compacted, keys: store.keys.size, size: store.size, quota, noSpace: store.noSpace,
    leases: store.leases.sorted().map(([key, { id, ttl, keys }]) => ({ id, ttl, keys: keys.size, ...(expiries[key] === undefined ? {} : { endsAt: expiries[key].at }) })),
    pending: pending.sorted().map(([, { client, request, at }]) => ({ client, about: aboutOf(request), since: at })),
    watches: watches.length, lastHeard: raft.lastHeard, electionTimeout: raft.electionTimeout,
    progress: raft.role === "leader" ? Object.entries(raft.progress).filter(([member]) => member !== raft.id).map(([member, { match, next, recentActive }]) => ({ member, match, next, active: recentActive })) : [],
  };
}

/** All members of the etcd cluster that a run has, side by side. */
export function etcdMembers(state: StateOf): readonly EtcdMemberView[] {
  const views: EtcdMemberView[] = [];
  for (let n = 0; ; n++) {
    const member = state(`etcd-${n}`) as MemberState | undefined;
    if (member === undefined) return views;
    views.push(viewOf(member));
  }
}
