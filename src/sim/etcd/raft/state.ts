// Models go.etcd.io/raft/{raft,tracker/progress}.go: what one member knows
import type { Ctx, Level, Link, MailId, Micros } from "../../kernel/types.ts";
import type { Entry, RaftMessage } from "../messages.ts";
import { cutAfter, emptyLog, type RaftLog } from "./log.ts";

export const TICK: Micros = 100_000;
/** --election-timeout=1000 in ticks of --heartbeat-interval=100. */
export const ELECTION_TICKS = 10;

export type Role = "follower" | "pre-candidate" | "candidate" | "leader";

/** How far a follower is, as the leader knows it. */
export interface Progress {
  readonly match: number;
  readonly next: number;
  readonly recentActive: boolean;
  /** Its clients' proposals arrive here: it wants to know of a commit at once. */
  readonly forwards: boolean;
  /** Messages on one stream keep their order: no later one is due before this. */
  readonly lastDue: Micros;
}

/** One ReadIndex round: the index that a reader may read at once a majority has answered the heartbeat. */
export interface ReadRound {
  readonly context: number;
  readonly index: number;
  readonly member: string;
  readonly id: number;
  readonly acks: readonly string[];
}

/** How a slow disk holds up the loop that writes, sends and counts ticks (etcd/server/etcdserver/raft.go). */
export interface Disk {
  /** What an fsync takes at least; 0 on a good disk, where nothing of this is felt. */
  readonly fsync: Micros;
  /** When the write under way is done. */
  readonly busyUntil: Micros;
  /** When a heartbeat was due that waits for it; -1 for none. */
  readonly heldSince: Micros;
}

const GOOD_DISK: Disk = { fsync: 0, busyUntil: 0, heldSince: -1 };

export interface RaftState {
  readonly id: string;
  readonly peers: readonly string[];
  readonly role: Role;
  readonly term: number;
  /** Whom this member voted for in `term`; "" for nobody. */
  readonly vote: string;
  /** The leader of `term`, "" while unknown. */
  readonly leader: string;
  readonly log: RaftLog;
  /** Last index on this member's disk. */
  readonly stable: number;
  /** Highest index known to agree with the leader's log: what may be acknowledged. */
  readonly matched: number;
  /** Last index of the fsync under way, 0 when the disk rests. */
  readonly syncing: number;
  readonly commit: number;
  readonly applied: number;
  readonly lastHeard: Micros;
  readonly electionTimeout: Micros;
  /** Number of timeouts drawn: the key of the next draw. */
  readonly draws: number;
  readonly electionTimer: MailId;
  readonly heartbeatTimer: MailId;
  readonly ticks: number;
  readonly votes: Readonly<Record<string, boolean>>;
  readonly progress: Readonly<Record<string, Progress>>;
  readonly rounds: readonly ReadRound[];
  readonly nextContext: number;
  /** Reads that wait for the new leader's first commit. */
  readonly postponed: readonly { readonly member: string; readonly id: number }[];
  /** When this member last became leader. */
  readonly electedAt: Micros;
  readonly disk: Disk;
}

/** What the server above raft must do after a step. */
export interface Ready {
  readonly committed: Entry[];
  readonly reads: { readonly member: string; readonly id: number; readonly index: number }[];
  /** A store to replace this member's, from MsgSnap. */
  snapshot?: unknown;
}

export const newReady = (): Ready => ({ committed: [], reads: [] });

/** A member of the settled cluster: everything up to `index` is committed and applied, `leader` leads `term`. */
export function settledRaft(id: string, peers: readonly string[], index: number, term: number, leader: string): RaftState {
  const isLeader = id === leader;
  const progress = Object.fromEntries(peers.map((peer) => [peer, newProgress(index)]));
  return {
    id, peers, role: isLeader ? "leader" : "follower", term, vote: leader, leader, log: emptyLog(index, term), stable: index, matched: index, syncing: 0, commit: index, applied: index,
    lastHeard: 0, electionTimeout: 0, draws: 0, electionTimer: -1, heartbeatTimer: -1, ticks: 0, votes: {}, progress, rounds: [], nextContext: 1, postponed: [],
    electedAt: -1, disk: GOOD_DISK,
  };
}

/** A member that starts again: hard state, log and applied index come from its disk, the rest is forgotten. */
export function restartedRaft(fresh: RaftState, disk: RaftState): RaftState {
  const { term, vote, stable, applied, draws } = disk;
  const log = cutAfter(disk.log, stable);
  return withRaft(fresh, { disk: slowedDisk(disk.disk.fsync), role: "follower", leader: "", term, vote, log, stable, applied, commit: applied, matched: applied, draws });
}

const copyRaft = (raft: RaftState): RaftState => ({
  id: raft.id, peers: raft.peers, role: raft.role, term: raft.term, vote: raft.vote, leader: raft.leader, log: raft.log, stable: raft.stable, matched: raft.matched, syncing: raft.syncing, commit: raft.commit, applied: raft.applied,
  lastHeard: raft.lastHeard, electionTimeout: raft.electionTimeout, draws: raft.draws, electionTimer: raft.electionTimer, heartbeatTimer: raft.heartbeatTimer, ticks: raft.ticks, votes: raft.votes, progress: raft.progress,
  rounds: raft.rounds, nextContext: raft.nextContext, postponed: raft.postponed, electedAt: raft.electedAt, disk: raft.disk,
});

export const slowedDisk = (fsync: Micros): Disk => (fsync === 0 ? GOOD_DISK : { ...GOOD_DISK, fsync });

/** A write to the WAL, until it is on the disk. `key` names it. */
export const fsyncTime = (ctx: Ctx, { disk }: RaftState, key: string): Micros => Math.max(disk.fsync, ctx.latency("etcd.wal-fsync", key));

/** How long a slow disk still keeps this member from sending. */
export const heldUp = (ctx: Ctx, { disk, syncing }: RaftState): Micros => (disk.fsync === 0 || syncing === 0 ? 0 : Math.max(0, disk.busyUntil - ctx.now));

/** A changed copy (kernel/copies.ts says why not by a spread). */
export const withRaft = (raft: RaftState, change: Partial<RaftState>): RaftState => Object.assign(copyRaft(raft), change);

export const withProgress = (raft: RaftState, peer: string, progress: Progress): RaftState => withRaft(raft, { progress: { ...raft.progress, [peer]: progress } });

export const newProgress = (match: number, next = match + 1): Progress => ({ match, next, recentActive: true, forwards: false, lastDue: 0 });

export const quorum = (raft: RaftState): number => Math.floor((raft.peers.length + 1) / 2) + 1;

/** Sends one raft message; `extra` is time spent before it goes out (a vote is on disk before it is answered). */
export function sendRaft(ctx: Ctx, to: string, message: RaftMessage, level: Level = "source", extra: Micros = 0): void {
  const link: Link = { protocol: "raft", latency: ctx.latency("link.etcd-peer", `${message.msg}/${to}/${ctx.now}`) + extra, verb: message.msg, level };
  ctx.send(to, message, link);
}

/** raft.go resetRandomizedElectionTimeout: 10 to 19 ticks of this member's own clock, drawn anew at each change of role. */
export function drawTimeout(ctx: Ctx, raft: RaftState): RaftState {
  const ticks = ELECTION_TICKS + (ctx.rand("election", raft.draws) % ELECTION_TICKS);
  return withRaft(raft, { electionTimeout: ticks * TICK - (ctx.rand("tick-phase", 0) % TICK), draws: raft.draws + 1 });
}

export function armElection(ctx: Ctx, raft: RaftState, delay: Micros): RaftState {
  ctx.cancel(raft.electionTimer);
  return withRaft(raft, { electionTimer: ctx.after(delay, { type: "raft.election" }) });
}

export const becomeFollower = (ctx: Ctx, raft: RaftState, term: number, leader: string): RaftState => {
  const next = drawTimeout(ctx, withRaft(raft, { role: "follower", term, vote: term === raft.term ? raft.vote : "", leader, matched: raft.commit, votes: {}, rounds: [], postponed: [], lastHeard: ctx.now }));
  return armElection(ctx, next, next.electionTimeout);
};
