// Models go.etcd.io/raft/raft.go (bcastAppend, handleAppendEntries, maybeCommit) and etcd/server/etcdserver/raft.go
import type { Ctx, Level, Message } from "../../kernel/types.ts";
import type { Entry, MsgApp, MsgAppResp, Proposal } from "../messages.ts";
import { append, entryAt, slice, termOf, truncate } from "./log.ts";
import { fsyncTime, quorum, type RaftState, type Ready, sendRaft, TICK, withProgress, withRaft } from "./state.ts";

/** The disk reports that the WAL is written up to an index. */
export interface SyncedMessage extends Message {
  readonly type: "raft.synced";
  readonly upTo: number;
}

/** Entries in one MsgApp at most. */
const MAX_ENTRIES = 200;

/** How a user's own write travels to the followers is part of the story; the others' is background. */
const levelOf = (entries: readonly Entry[]): Level => (entries.some((entry) => entry.proposal.txn?.level === "basic") ? "basic" : "source");
const loudness = (proposal: Proposal): Level => (proposal.txn?.level === "basic" ? "operator" : "source");

/** Leader: appends a proposal and lets it out, unless a disk write is under way: then it goes with the next batch. */
export function propose(ctx: Ctx, raft: RaftState, proposal: Proposal): RaftState {
  const index = raft.log.last + 1;
  const next = withRaft(raft, { log: append(raft.log, [{ index, term: raft.term, proposal }]) });
  ctx.explain({ text: `${raft.id} appends entry ${index} to its raft log${proposal.txn ? ` for ${proposal.txn.subject}` : ""}`, why: "the leader orders all writes; nothing is decided yet", level: loudness(proposal), status: `leader, term ${raft.term}`, ...(proposal.txn ? { subject: proposal.txn.subject } : {}) });
  return raft.syncing === 0 ? flush(ctx, next) : next;
}

/** One Ready: MsgApp to the followers in parallel with this member's own WAL write. */
export function flush(ctx: Ctx, raft: RaftState): RaftState {
  let next = raft;
  if (raft.role === "leader") for (const peer of raft.peers) next = sendAppend(ctx, next, peer, false);
  if (next.log.last === next.stable || next.syncing !== 0) return next;
  const took = fsyncTime(ctx, next, `${next.log.last}/${next.term}`);
  ctx.after(took, { type: "raft.synced", upTo: next.log.last } satisfies SyncedMessage);
  return withRaft(next, { syncing: next.log.last, disk: next.disk.fsync === 0 ? next.disk : { ...next.disk, busyUntil: ctx.now + took } });
}

/** MsgApp from `next` on, or the store itself when those entries are gone; `empty` sends one even without entries (a commit, a probe). */
export function sendAppend(ctx: Ctx, raft: RaftState, peer: string, empty: boolean): RaftState {
  const progress = raft.progress[peer];
  if (progress === undefined) return raft;
  const index = progress.next - 1;
  const logTerm = termOf(raft.log, index);
  if (logTerm === undefined) {
    ctx.send(raft.id, { type: "raft.snapshot", to: peer }, { protocol: "local", latency: 0, verb: "snapshot", level: "source" });
    // One snapshot is under way: the next is not sent before this one must have arrived.
    return withProgress(raft, peer, { ...progress, lastDue: ctx.now + 10 * TICK });
  }
  const entries = slice(raft.log, progress.next, MAX_ENTRIES);
  if (entries.length === 0 && !empty) return raft;
  const message: MsgApp = { type: "raft", msg: "MsgApp", term: raft.term, index, logTerm, entries, commit: raft.commit };
  const handling = entries.length > 0 ? ctx.latency("etcd.propose", `${peer}/${ctx.now}`) : 0;
  const due = Math.max(ctx.now + handling + ctx.latency("link.etcd-peer", `MsgApp/${peer}/${ctx.now}`), progress.lastDue);
  ctx.send(peer, message, { protocol: "raft", latency: due - ctx.now, verb: "MsgApp", level: levelOf(entries), ...(entries[0]?.proposal.txn ? { subject: entries[0].proposal.txn.subject } : {}) });
  return withProgress(raft, peer, { match: progress.match, next: (entries.at(-1)?.index ?? index) + 1, recentActive: progress.recentActive, forwards: progress.forwards, lastDue: due });
}

/** The WAL write is on disk: a follower acknowledges, the leader counts itself. */
export function onSynced(ctx: Ctx, raft: RaftState, ready: Ready): RaftState {
  let next = withRaft(raft, { stable: Math.min(raft.syncing, raft.log.last), syncing: 0 });
  if (next.role === "leader") next = maybeCommit(ctx, next, ready);
  else if (next.leader !== "") acknowledge(ctx, next);
  return next.log.last > next.stable || next.role === "leader" ? flush(ctx, next) : next;
}

function acknowledge(ctx: Ctx, raft: RaftState): void {
  sendRaft(ctx, raft.leader, { type: "raft", msg: "MsgAppResp", term: raft.term, index: Math.min(raft.stable, raft.matched), reject: false, hint: 0 }, levelOf(lastEntry(raft)));
}

const lastEntry = (raft: RaftState): Entry[] => {
  const entry = entryAt(raft.log, raft.stable);
  return entry ? [entry] : [];
};

/** Follower: takes entries that fit its log, refuses others with a hint. */
export function onAppend(ctx: Ctx, raft: RaftState, from: string, message: MsgApp, ready: Ready): RaftState {
  const heard = withRaft(raft, { lastHeard: ctx.now, leader: from });
  if (message.index < raft.commit && message.entries.length === 0) return commitTo(heard, message.commit, ready);
  const term = termOf(raft.log, message.index);
  if (term !== message.logTerm && message.index >= raft.log.first - 1) {
    sendRaft(ctx, from, { type: "raft", msg: "MsgAppResp", term: raft.term, index: message.index, reject: true, hint: Math.min(raft.log.last, message.index - 1) });
    return heard;
  }
  const last = message.entries.at(-1)?.index ?? message.index;
  const conflict = message.entries.find((entry) => entry.index <= raft.log.last && entry.index >= raft.log.first && termOf(raft.log, entry.index) !== entry.term);
  const log = append(raft.log, message.entries);
  const next = commitTo(
    withRaft(heard, { log, matched: Math.max(raft.matched, last), stable: conflict === undefined ? raft.stable : Math.min(raft.stable, conflict.index - 1), syncing: conflict === undefined ? raft.syncing : 0 }),
    Math.min(message.commit, last),
    ready,
  );
  // Simplified: upstream answers an empty MsgApp too; here only one that brings or probes entries is answered.
  if (message.entries.length === 0 && raft.matched >= last) return next;
  if (next.log.last === next.stable) {
    acknowledge(ctx, next);
    return next;
  }
  return next.syncing === 0 ? flush(ctx, next) : next;
}

/** Leader: a follower has entries on its disk, or refuses them. */
export function onAppendResponse(ctx: Ctx, raft: RaftState, from: string, message: MsgAppResp, ready: Ready): RaftState {
  const progress = raft.progress[from];
  if (progress === undefined) return raft;
  if (message.reject) {
    if (message.index <= progress.match) return raft;
    const next = Math.max(1, Math.min(message.index, message.hint + 1));
    return sendAppend(ctx, withProgress(raft, from, { ...progress, recentActive: true, next, match: Math.min(progress.match, next - 1) }), from, true);
  }
  const match = Math.max(progress.match, message.index);
  let state = withProgress(raft, from, { match, next: Math.max(progress.next, match + 1), recentActive: true, forwards: progress.forwards, lastDue: progress.lastDue });
  if (match !== progress.match) state = maybeCommit(ctx, state, ready);
  return sendAppend(ctx, state, from, false);
}

/** An entry of this term that a majority has on disk is committed, and all before it. */
export function maybeCommit(ctx: Ctx, raft: RaftState, ready: Ready): RaftState {
  const matches = [raft.stable, ...raft.peers.map((peer) => raft.progress[peer]?.match ?? 0)].sort((a, b) => b - a);
  const index = matches[quorum(raft) - 1] ?? 0;
  if (index <= raft.commit || termOf(raft.log, index) !== raft.term) return raft;
  const entry = entryAt(raft.log, index);
  const subject = entry?.proposal.txn?.subject;
  ctx.explain({ text: `${raft.id} commits entry ${index}: ${matches.filter((m) => m >= index).length} of ${raft.peers.length + 1} members have it on disk`, why: "a majority has fsynced it, so no crash of one member can lose it", level: entry ? levelOf([entry]) : "source", ...(subject === undefined ? {} : { subject }) });
  let next = commitTo(raft, index, ready);
  // Simplified: upstream sends the new commit index to all at once; here those without clients learn it from the next message.
  for (const peer of raft.peers) if (raft.progress[peer]?.forwards === true) next = sendAppend(ctx, next, peer, true);
  return next;
}

/** Moves the commit index and hands the newly committed entries up to be applied in order. */
export function commitTo(raft: RaftState, commit: number, ready: Ready): RaftState {
  const index = Math.min(commit, raft.log.last);
  if (index <= raft.commit) return raft;
  for (let i = raft.applied + 1; i <= index; i++) {
    const entry = entryAt(raft.log, i);
    if (entry) ready.committed.push(entry);
  }
  return withRaft(raft, { commit: index, applied: index, log: truncate(raft.log, index) });
}

