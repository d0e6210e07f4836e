import type { EtcdMemberView } from "../../../worker/protocol.ts";

/** How far an entry has come at one member. */
export type Stage = "applied" | "committed" | "on disk" | "in memory" | "other entry" | "lacks it" | "in snapshot";

export interface RaftRow {
  readonly index: number;
  readonly term: number;
  readonly writes: string;
  /** In the order of the members. */
  readonly stages: readonly Stage[];
  /** Stored by so many members on disk that it can no longer be lost. */
  readonly committed: boolean;
}

function stageAt(member: EtcdMemberView, index: number, term: number): Stage {
  if (index > member.last) return "lacks it";
  if (index < member.first) return "in snapshot";
  const entry = member.entries.find((one) => one.index === index);
  if (entry !== undefined && entry.term !== term) return "other entry";
  if (index <= member.applied) return "applied";
  if (index <= member.commit) return "committed";
  return index <= member.stable ? "on disk" : "in memory";
}

/** The member that leads by its own account, in the highest term; undefined during an election. */
export const leaderOf = (members: readonly EtcdMemberView[]): EtcdMemberView | undefined => members.filter(({ role }) => role === "leader").sort((a, b) => b.term - a.term)[0];

/** The newest entries of all logs, newest first, each with its stage at every member. Where logs differ, the leader's entry counts, or the one of the highest term. */
export function raftRows(members: readonly EtcdMemberView[], limit: number): readonly RaftRow[] {
  const leader = leaderOf(members);
  const commit = Math.max(0, ...members.map((member) => member.commit));
  const known = new Map<number, { readonly term: number; readonly writes: string }>();
  for (const member of [...members.filter((one) => one !== leader), ...(leader ? [leader] : [])]) {
    for (const entry of member.entries) if (member === leader || (known.get(entry.index)?.term ?? -1) < entry.term) known.set(entry.index, entry);
  }
  return [...known]
    .sort(([a], [b]) => b - a)
    .slice(0, limit)
    .map(([index, { term, writes }]) => ({ index, term, writes, stages: members.map((member) => stageAt(member, index, term)), committed: index <= commit }));
}

/** "etcd-1 lacks 12 to 14" for every member whose log is shorter than the longest. */
export function lacking(members: readonly EtcdMemberView[]): readonly string[] {
  const last = Math.max(0, ...members.map((member) => member.last));
  return members.filter((member) => member.last < last).map((member) => `${member.id} lacks ${member.last + 1 === last ? `entry ${last}` : `entries ${member.last + 1} to ${last}`}`);
}
