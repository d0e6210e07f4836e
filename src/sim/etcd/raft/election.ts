// Models go.etcd.io/raft/raft.go: elections with PreVote and CheckQuorum
import type { Ctx } from "../../kernel/types.ts";
import type { MsgHeartbeat, MsgHeartbeatResp, MsgVote, MsgVoteResp } from "../messages.ts";
import { isUpToDate, lastTerm } from "./log.ts";
import { commitTo, propose, sendAppend } from "./replication.ts";
import { armElection, becomeFollower, drawTimeout, ELECTION_TICKS, fsyncTime, heldUp, newProgress, quorum, type RaftState, type Ready, sendRaft, TICK, withProgress, withRaft } from "./state.ts";

/** Within this time after the leader's last word nobody helps a challenger (one tick less than the election timeout). */
const LEASE = (ELECTION_TICKS - 1) * TICK;

/** The election timer fired: if the leader has been heard in time only the rest is waited for, else a campaign begins. */
export function onElectionTimer(ctx: Ctx, raft: RaftState): RaftState {
  if (raft.role === "leader" || ctx.mail !== raft.electionTimer) return raft;
  // While the disk holds the loop up no tick is counted.
  const held = heldUp(ctx, raft);
  if (held > 0) return armElection(ctx, raft, held + TICK);
  const silent = ctx.now - raft.lastHeard;
  if (silent < raft.electionTimeout) return armElection(ctx, raft, raft.electionTimeout - silent);
  ctx.explain({ text: `${raft.id} has heard no leader for ${Math.round(silent / 1000)} ms and asks for pre-votes`, why: "followers wait a random 1 to 2 election timeouts, so that rarely two stand at once", level: "operator", status: "pre-candidate" });
  return campaign(ctx, raft, "MsgPreVote");
}

function campaign(ctx: Ctx, raft: RaftState, msg: "MsgPreVote" | "MsgVote"): RaftState {
  const pre = msg === "MsgPreVote";
  const term = raft.term + 1;
  let next = withRaft(raft, { role: pre ? "pre-candidate" : "candidate", leader: "", votes: { [raft.id]: true }, rounds: [], postponed: [], lastHeard: ctx.now, ...(pre ? {} : { term, vote: raft.id }) });
  next = drawTimeout(ctx, next);
  next = armElection(ctx, next, next.electionTimeout);
  // A vote for itself is on disk before it asks the others.
  const extra = pre ? 0 : fsyncTime(ctx, raft, `vote/${term}`);
  // One that is alone has its majority at once.
  if (raft.peers.length === 0) return pre ? campaign(ctx, next, "MsgVote") : becomeLeader(ctx, next);
  for (const peer of raft.peers) sendRaft(ctx, peer, { type: "raft", msg, term, index: raft.log.last, logTerm: lastTerm(raft.log) }, "operator", extra);
  return next;
}

/** A challenger asks. Answered yes if its log is as new as this one, no leader is alive, and this term's vote is free. */
export function onVote(ctx: Ctx, raft: RaftState, from: string, message: MsgVote): RaftState {
  const pre = message.msg === "MsgPreVote";
  const leaderAlive = raft.leader !== "" && (raft.role === "leader" || ctx.now - raft.lastHeard < LEASE);
  if (message.term > raft.term && leaderAlive) return raft;
  if (message.term < raft.term) {
    sendRaft(ctx, from, { type: "raft", msg: pre ? "MsgPreVoteResp" : "MsgVoteResp", term: raft.term, reject: true }, "operator");
    return raft;
  }
  const next = !pre && message.term > raft.term ? becomeFollower(ctx, raft, message.term, "") : raft;
  const free = pre ? message.term > raft.term : next.vote === "" || next.vote === from;
  const grant = free && isUpToDate(next.log, message.index, message.logTerm);
  sendRaft(ctx, from, { type: "raft", msg: pre ? "MsgPreVoteResp" : "MsgVoteResp", term: grant ? message.term : next.term, reject: !grant }, "operator", heldUp(ctx, raft) + (pre ? 0 : fsyncTime(ctx, raft, `vote/${message.term}`)));
  if (!pre && grant) {
    ctx.explain({ text: `${raft.id} votes for ${from} in term ${message.term}`, why: "its log is at least as new, and this term's vote was still free", level: "operator", status: `follower, term ${message.term}` });
    return withRaft(next, { vote: from, lastHeard: ctx.now });
  }
  return next;
}

export function onVoteResponse(ctx: Ctx, raft: RaftState, from: string, message: MsgVoteResp): RaftState {
  if (message.term > raft.term + (message.msg === "MsgPreVoteResp" && !message.reject ? 1 : 0)) return becomeFollower(ctx, raft, message.term, "");
  if (raft.role !== (message.msg === "MsgPreVoteResp" ? "pre-candidate" : "candidate")) return raft;
  const next = withRaft(raft, { votes: { ...raft.votes, [from]: !message.reject } });
  const yes = Object.values(next.votes).filter(Boolean).length;
  const no = Object.keys(next.votes).length - yes;
  if (yes >= quorum(raft)) return raft.role === "pre-candidate" ? campaign(ctx, next, "MsgVote") : becomeLeader(ctx, next);
  return no >= quorum(raft) ? becomeFollower(ctx, next, raft.term, "") : next;
}

function becomeLeader(ctx: Ctx, raft: RaftState): RaftState {
  ctx.explain({ text: `${raft.id} becomes leader of term ${raft.term} with ${Object.values(raft.votes).filter(Boolean).length} of ${raft.peers.length + 1} votes`, why: "only a member whose log holds every committed entry can win a majority", level: "basic", status: `leader, term ${raft.term}` });
  ctx.cancel(raft.electionTimer);
  // Activity is counted from here on: CheckQuorum gives the followers one election timeout to show themselves.
  const progress = Object.fromEntries(raft.peers.map((peer) => [peer, newProgress(0, raft.log.last + 1)]));
  const leading = withRaft(raft, { role: "leader", leader: raft.id, progress, votes: {}, ticks: 0, electedAt: ctx.now, electionTimer: -1, syncing: 0 });
  // The empty entry of the new term: only by committing it may older entries be counted as committed.
  const next = propose(ctx, leading, { kind: "noop", origin: raft.id, id: 0 });
  return heartbeat(ctx, next);
}

/** Leader, each 100 ms: heartbeats; each 10th time, whether a majority still answers. */
export function heartbeat(ctx: Ctx, raft: RaftState): RaftState {
  // A member without peers has nobody to tell and nobody to lose.
  if (raft.peers.length === 0) return raft;
  const ticks = raft.ticks + 1;
  if (ticks % ELECTION_TICKS === 0) {
    const active = 1 + raft.peers.filter((peer) => raft.progress[peer]?.recentActive === true).length;
    if (active < quorum(raft)) {
      ctx.explain({ text: `${raft.id} steps down: only ${active} of ${raft.peers.length + 1} members answer`, why: "CheckQuorum: a leader without a majority could not commit anything", level: "basic", status: `follower, term ${raft.term}, no leader` });
      return becomeFollower(ctx, raft, raft.term, "");
    }
  }
  const check = ticks % ELECTION_TICKS === 0;
  broadcastHeartbeat(ctx, raft, 0);
  const progress = check ? Object.fromEntries(raft.peers.map((peer) => [peer, { ...(raft.progress[peer] ?? newProgress(0)), recentActive: false }])) : raft.progress;
  return withRaft(raft, { ticks, progress, heartbeatTimer: ctx.after(TICK, { type: "raft.heartbeat" }) });
}

/** A heartbeat is due: while a slow disk holds the loop up it waits. */
export function onHeartbeatTimer(ctx: Ctx, raft: RaftState): RaftState {
  if (raft.role !== "leader" || ctx.mail !== raft.heartbeatTimer) return raft;
  return heldUp(ctx, raft) > 0 ? withRaft(raft, { disk: { ...raft.disk, heldSince: ctx.now } }) : heartbeat(ctx, raft);
}

/** The write is done: what waited for it goes out first. */
export function releaseHeartbeat(ctx: Ctx, raft: RaftState): RaftState {
  const { heldSince } = raft.disk;
  if (heldSince < 0) return raft;
  const free = withRaft(raft, { disk: { ...raft.disk, heldSince: -1 } });
  if (free.role !== "leader") return free;
  if (ctx.now - heldSince > TICK) ctx.explain({ text: `${raft.id}: leader failed to send out heartbeat on time; took too long, leader is overloaded likely from slow disk`, why: `it waited ${Math.round((ctx.now - heldSince) / 1000)} ms for the WAL; one loop writes, sends and counts ticks`, level: "operator", kind: "log", log: { source: raft.id, line: JSON.stringify({ level: "warn", msg: "leader failed to send out heartbeat on time; took too long, leader is overloaded likely from slow disk", "heartbeat-interval": "100ms", "expected-duration": "200ms", "exceeded-duration": `${Math.round((ctx.now - heldSince - TICK) / 1000)}ms` }) } });
  return heartbeat(ctx, free);
}

export function broadcastHeartbeat(ctx: Ctx, raft: RaftState, context: number): void {
  const held = heldUp(ctx, raft);
  for (const peer of raft.peers) sendRaft(ctx, peer, { type: "raft", msg: "MsgHeartbeat", term: raft.term, commit: Math.min(raft.commit, raft.progress[peer]?.match ?? 0), context }, "source", held);
}

export function onHeartbeat(ctx: Ctx, raft: RaftState, from: string, message: MsgHeartbeat, ready: Ready): RaftState {
  sendRaft(ctx, from, { type: "raft", msg: "MsgHeartbeatResp", term: raft.term, context: message.context, last: raft.log.last }, "source", heldUp(ctx, raft));
  const heard = withRaft(raft, { lastHeard: ctx.now, leader: from });
  return commitTo(heard, message.commit, ready);
}

export function onHeartbeatResponse(ctx: Ctx, raft: RaftState, from: string, message: MsgHeartbeatResp, ready: Ready): RaftState {
  const progress = raft.progress[from];
  if (progress === undefined) return raft;
  let next = progress.recentActive ? raft : withProgress(raft, from, { ...progress, recentActive: true });
  // A follower that has not acknowledged all, with nothing on its way to it, is sent again what it may lack.
  const behind = progress.match < raft.log.last && progress.lastDue + TICK < ctx.now;
  if (message.context === 0 && behind) {
    const match = Math.min(progress.match, message.last);
    // Of one that has never answered nothing is known: it is asked whether the newest entry fits.
    const back = { ...progress, recentActive: true, match, next: match === 0 ? raft.log.last : match + 1 };
    next = sendAppend(ctx, withProgress(next, from, back), from, true);
  }
  return message.context === 0 ? next : confirmRead(next, from, message.context, ready);
}

function confirmRead(raft: RaftState, from: string, context: number, ready: Ready): RaftState {
  const round = raft.rounds.find((candidate) => candidate.context === context);
  if (round === undefined) return raft;
  const acks = round.acks.includes(from) ? round.acks : [...round.acks, from];
  if (acks.length + 1 < quorum(raft)) return withRaft(raft, { rounds: raft.rounds.map((r) => (r === round ? { ...round, acks } : r)) });
  ready.reads.push({ member: round.member, id: round.id, index: round.index });
  return withRaft(raft, { rounds: raft.rounds.filter((r) => r !== round) });
}
