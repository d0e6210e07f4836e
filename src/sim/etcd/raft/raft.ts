// Models go.etcd.io/raft/raft.go (Step) and read_only.go
import type { Ctx } from "../../kernel/types.ts";
import type { MsgSnap, Proposal, RaftMessage } from "../messages.ts";
import { broadcastHeartbeat, heartbeat, onElectionTimer, onHeartbeat, onHeartbeatResponse, onHeartbeatTimer, onVote, onVoteResponse, releaseHeartbeat } from "./election.ts";
import { emptyLog, termOf } from "./log.ts";
import { onAppend, onAppendResponse, onSynced, propose, type SyncedMessage } from "./replication.ts";
import { armElection, becomeFollower, drawTimeout, type RaftState, type Ready, sendRaft, withProgress, withRaft } from "./state.ts";

/** Arms this member's timers, at the start of the run or after a restart. */
export function startRaft(ctx: Ctx, raft: RaftState): RaftState {
  if (raft.role === "leader") return heartbeat(ctx, raft);
  const next = drawTimeout(ctx, withRaft(raft, { lastHeard: ctx.now }));
  return armElection(ctx, next, next.electionTimeout);
}

export type RaftTimer = { readonly type: "raft.election" } | { readonly type: "raft.heartbeat" } | SyncedMessage;

export function stepTimer(ctx: Ctx, raft: RaftState, message: RaftTimer, ready: Ready): RaftState {
  switch (message.type) {
    case "raft.election":
      return onElectionTimer(ctx, raft);
    case "raft.heartbeat":
      return onHeartbeatTimer(ctx, raft);
    case "raft.synced":
      return raft.syncing !== message.upTo ? raft : onSynced(ctx, releaseHeartbeat(ctx, raft), ready);
  }
}

/** Handles one message of a peer. */
export function stepRaft(ctx: Ctx, raft: RaftState, from: string, message: RaftMessage, ready: Ready): RaftState {
  if (message.msg === "MsgPreVote" || message.msg === "MsgVote") return onVote(ctx, raft, from, message);
  if (message.msg === "MsgPreVoteResp" || message.msg === "MsgVoteResp") {
    const before = raft.heartbeatTimer;
    const next = onVoteResponse(ctx, raft, from, message);
    if (next.heartbeatTimer !== before) ctx.cancel(before);
    return next;
  }
  if (message.msg === "MsgProp") return raft.role === "leader" ? propose(ctx, noteForwarder(raft, from), message.proposal) : raft;
  if (message.msg === "MsgReadIndex") return raft.role === "leader" ? readIndex(ctx, raft, from, message.id, ready) : raft;
  if (message.term < raft.term) {
    // An old leader learns the new term from the answer and steps down.
    if (message.msg === "MsgApp" || message.msg === "MsgHeartbeat") sendRaft(ctx, from, { type: "raft", msg: "MsgAppResp", term: raft.term, index: 0, reject: true, hint: 0 });
    return raft;
  }
  const fromLeader = message.msg === "MsgApp" || message.msg === "MsgHeartbeat" || message.msg === "MsgSnap";
  const newTerm = message.term > raft.term;
  const next = newTerm || (fromLeader && raft.role !== "follower") ? becomeFollower(ctx, raft, message.term, fromLeader ? from : "") : raft;
  if (newTerm && fromLeader) ctx.explain({ text: `${raft.id} follows ${from} in term ${message.term}`, level: "operator", status: `follower, term ${message.term}` });
  switch (message.msg) {
    case "MsgApp":
      return onAppend(ctx, next, from, message, ready);
    case "MsgAppResp":
      return next.role === "leader" ? onAppendResponse(ctx, next, from, message, ready) : next;
    case "MsgHeartbeat":
      return onHeartbeat(ctx, next, from, message, ready);
    case "MsgHeartbeatResp":
      return next.role === "leader" ? onHeartbeatResponse(ctx, next, from, message, ready) : next;
    case "MsgSnap":
      return onSnapshot(ctx, next, from, message, ready);
    case "MsgReadIndexResp":
      ready.reads.push({ member: raft.id, id: message.id, index: message.index });
      return next;
  }
}

const noteForwarder = (raft: RaftState, from: string): RaftState => {
  const progress = raft.progress[from];
  return progress === undefined || progress.forwards ? raft : withProgress(raft, from, { ...progress, forwards: true });
};

/** A client's proposal: the leader takes it, a follower forwards it and learns nothing if it is lost. False without a leader. */
export function submit(ctx: Ctx, raft: RaftState, proposal: Proposal): RaftState | undefined {
  if (raft.leader === "") return undefined;
  if (raft.role === "leader") return propose(ctx, raft, proposal);
  const level = proposal.txn?.level === "basic" ? "operator" : "source";
  ctx.explain({ text: `${raft.id} forwards the proposal to the leader ${raft.leader}`, why: "only the leader may append; a follower forwards and waits", level, ...(proposal.txn ? { subject: proposal.txn.subject } : {}) });
  sendRaft(ctx, raft.leader, { type: "raft", msg: "MsgProp", term: raft.term, proposal }, level);
  return raft;
}

/** A linearizable read begins: the leader asks a majority whether it still leads, a follower asks the leader. */
export function readIndex(ctx: Ctx, raft: RaftState, member: string, id: number, ready: Ready): RaftState {
  if (raft.role !== "leader") {
    if (raft.leader !== "") sendRaft(ctx, raft.leader, { type: "raft", msg: "MsgReadIndex", term: raft.term, id });
    return raft;
  }
  if (raft.peers.length === 0) {
    ready.reads.push({ member, id, index: raft.commit });
    return raft;
  }
  if (termOf(raft.log, raft.commit) !== raft.term) return withRaft(raft, { postponed: [...raft.postponed, { member, id }] });
  broadcastHeartbeat(ctx, raft, raft.nextContext);
  return withRaft(raft, { nextContext: raft.nextContext + 1, rounds: [...raft.rounds, { context: raft.nextContext, index: raft.commit, member, id, acks: [] }] });
}

/** Reads that came before the new leader's first commit. */
export function releaseReads(ctx: Ctx, raft: RaftState, ready: Ready): RaftState {
  if (raft.postponed.length === 0 || termOf(raft.log, raft.commit) !== raft.term) return raft;
  let next = withRaft(raft, { postponed: [] });
  for (const { member, id } of raft.postponed) next = readIndex(ctx, next, member, id, ready);
  return next;
}

function onSnapshot(ctx: Ctx, raft: RaftState, from: string, message: MsgSnap, ready: Ready): RaftState {
  const heard = withRaft(raft, { lastHeard: ctx.now, leader: from });
  if (message.index > raft.commit) {
    ready.snapshot = message.store;
    const { index } = message;
    const next = withRaft(heard, { log: emptyLog(index, message.logTerm), stable: index, syncing: 0, commit: index, applied: index });
    sendRaft(ctx, from, { type: "raft", msg: "MsgAppResp", term: raft.term, index, reject: false, hint: 0 }, "operator");
    return next;
  }
  sendRaft(ctx, from, { type: "raft", msg: "MsgAppResp", term: raft.term, index: raft.commit, reject: false, hint: 0 });
  return heard;
}
