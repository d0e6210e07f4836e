// Models etcd/server/etcdserver/{server,v3_server}.go: what clients see of a member
import type { World } from "../api/world.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, Ctx, Message, Micros, NetClosedMessage, StartMessage } from "../kernel/types.ts";
import { applyCommitted, loadSnapshot } from "./apply.ts";
import { sizeOf } from "../api/size.ts";
import type { FaultMessage } from "../faults/messages.ts";
import { expireLeases, promote } from "./lessor.ts";
import type { EtcdClientRequest, EtcdErrorCode, EtcdTxnRequest, EtcdWatchRequest, MsgSnap, Proposal, RaftMessage } from "./messages.ts";
import { fail, type MemberState, type Pending, reply, withMember } from "./member-state.ts";
import { eventsSince, NO_SPACE, QUOTA_BYTES, range, type Store, storeOf } from "./mvcc/store.ts";
import { termOf } from "./raft/log.ts";
import { type RaftTimer, readIndex, releaseReads, startRaft, stepRaft, stepTimer, submit } from "./raft/raft.ts";
import { newReady, type RaftState, type Ready, restartedRaft, settledRaft, withRaft } from "./raft/state.ts";

/** 5 s plus two election timeouts. */
export const REQUEST_TIMEOUT: Micros = 7_000_000;
/** A ReadIndex request that got no answer is repeated. */
const READ_RETRY: Micros = 500_000;
/** Proposals under way at one member at most: beyond it etcd answers "too many requests". */
const MAX_PENDING = 5_000;
/** --max-request-bytes. */
const MAX_REQUEST_BYTES = 1.5 * 1024 * 1024;
const SETTLED_TERM = 2;

export interface MemberConfig {
  readonly world: World;
  readonly id: string;
  readonly peers: readonly string[];
  /** Who leads at time 0. Default "etcd-0". */
  readonly leader?: string;
}

/** One etcd server: a raft member and a store with the history that watches start from. Lives on the machine of its name. */
export function createEtcdMember(config: MemberConfig): Component<MemberState> {
  const { world, id, peers } = config;
  const leader = config.leader ?? "etcd-0";
  const index = Number(world.resourceVersion);
  return {
    id,
    machine: id,
    connections: ["kube-apiserver"],
    init: (disk) => {
      const fresh = settledRaft(id, peers.filter((peer) => peer !== id), index, SETTLED_TERM, leader);
      return {
        raft: disk ? restartedRaft(fresh, disk.raft) : fresh, store: disk ? disk.store : storeOf(world),
        pending: PMap.empty(), nextId: disk?.nextId ?? 1, held: [], watches: [], reads: [], clientDue: 0, sweeping: false, retrying: false, expiries: {}, leaseTimer: -1, quota: disk?.quota ?? QUOTA_BYTES,
      };
    },
    step: (state, message, ctx) => step(state, message, ctx),
  };
}

function step(state: MemberState, message: Message, ctx: Ctx): MemberState {
  const ready = newReady();
  switch (message.type) {
    case "start":
      return start(state, (message as StartMessage).cold, ctx);
    case "raft":
      return settle(ctx, state, stepRaft(ctx, state.raft, ctx.from, message as RaftMessage, ready), ready);
    case "raft.election":
    case "raft.heartbeat":
    case "raft.synced":
      return settle(ctx, state, stepTimer(ctx, state.raft, message as RaftTimer, ready), ready);
    case "raft.snapshot":
      return sendSnapshot(state, (message as Message & { to: string }).to, ctx);
    case "etcd.txn.request":
    case "etcd.range.request":
    case "etcd.watch.request":
    case "etcd.compact.request":
    case "etcd.lease-grant.request":
      return onClient(state, message as EtcdClientRequest, ctx);
    case "etcd.lease":
      return expireLeases(ctx, state);
    case "fault":
      return onFault(state, message as FaultMessage, ctx);
    case "etcd.sweep":
      return sweep(state, ctx);
    case "etcd.retry":
      return retryReads(state, ctx);
    case "net.closed":
      return { ...state, watches: state.watches.filter((watch) => watch.client !== (message as NetClosedMessage).peer) };
    default:
      return state;
  }
}

function start(state: MemberState, cold: boolean, ctx: Ctx): MemberState {
  if (!cold) return withMember(state, { raft: startRaft(ctx, state.raft) });
  const { raft } = state;
  ctx.explain({ text: `${raft.id} restarts and reads its log up to entry ${raft.log.last} from disk`, why: "what was fsynced is there again; what it missed comes from the leader, by entries or by a whole snapshot", level: "operator", status: "follower, catching up" });
  return withMember(state, { raft: startRaft(ctx, raft) });
}

/** What follows from a raft step: entries to apply, reads to answer, proposals that may go out now that there is a leader. */
function settle(ctx: Ctx, state: MemberState, raft: RaftState, ready: Ready): MemberState {
  let next: MemberState = raft === state.raft ? state : withMember(state, { raft });
  if (raft.role === "leader" && state.raft.role !== "leader") next = promote(ctx, next);
  if (ready.snapshot !== undefined) next = loadSnapshot(ctx, next, ready.snapshot as Store);
  if (ready.committed.length > 0) {
    next = applyCommitted(ctx, next, ready.committed);
    const released = releaseReads(ctx, next.raft, ready);
    if (released !== next.raft) next = withMember(next, { raft: released });
  }
  if (ready.reads.length > 0) next = onReads(ctx, next, ready.reads);
  if (next.reads.length > 0) next = answerReads(ctx, next);
  if (next.held.length > 0 && next.raft.leader !== "") next = releaseHeld(ctx, next);
  return next;
}

function releaseHeld(ctx: Ctx, state: MemberState): MemberState {
  let { raft } = state;
  for (const proposal of state.held) if (state.pending.has(`p${proposal.id}`)) raft = submit(ctx, raft, proposal) ?? raft;
  return withMember(state, { raft, held: [] });
}

function onClient(state: MemberState, message: EtcdClientRequest, ctx: Ctx): MemberState {
  switch (message.type) {
    case "etcd.watch.request":
      return openWatches(state, message, ctx);
    case "etcd.compact.request":
      return { ...state, raft: submit(ctx, state.raft, { kind: "compact", origin: state.raft.id, id: 0, compact: message.revision }) ?? state.raft };
    case "etcd.lease-grant.request":
      if (state.store.noSpace) return fail(ctx, state, ctx.from, ctx.mail, "ResourceExhausted", NO_SPACE, FULL);
      return submitOrHold(ctx, remember(ctx, state, message), { kind: "lease-grant", origin: state.raft.id, id: state.nextId, lease: leaseId(ctx, state.nextId), ttl: message.ttl });
    case "etcd.txn.request": {
      const refused = refusal(state, message);
      if (refused !== undefined) return fail(ctx, refused.full ? raiseAlarm(ctx, state) : state, ctx.from, ctx.mail, refused.code, refused.message, refused.why);
      return submitOrHold(ctx, remember(ctx, state, message), { kind: "txn", origin: state.raft.id, id: state.nextId, txn: message });
    }
    case "etcd.range.request": {
      const next = remember(ctx, state, message);
      const ready = newReady();
      return armRetry(ctx, settle(ctx, next, readIndex(ctx, next.raft, next.raft.id, state.nextId, ready), ready));
    }
  }
}

const FULL = "the database file has reached its quota; compact, defragment and clear the alarm";

/** What is refused before it is proposed. */
function refusal(state: MemberState, { value }: EtcdTxnRequest): { readonly code: EtcdErrorCode; readonly message: string; readonly why: string; readonly full?: boolean } | undefined {
  if (state.pending.size >= MAX_PENDING) return { code: "ResourceExhausted", message: "etcdserver: too many requests", why: "more proposals are under way than it can apply" };
  if (value === undefined) return undefined;
  const bytes = sizeOf(value);
  if (bytes > MAX_REQUEST_BYTES) return { code: "InvalidArgument", message: "etcdserver: request is too large", why: "a request may have 1.5 MiB" };
  return state.store.noSpace || state.store.size + bytes > state.quota ? { code: "ResourceExhausted", message: NO_SPACE, why: FULL, full: !state.store.noSpace } : undefined;
}

const raiseAlarm = (ctx: Ctx, state: MemberState): MemberState => withMember(state, { raft: submit(ctx, state.raft, { kind: "alarm", origin: state.raft.id, id: 0, alarm: true }) ?? state.raft });

/** Lease ids are random numbers; here of 31 bits. */
const leaseId = (ctx: Ctx, n: number): number => 1 + (ctx.rand("lease", n) % 0x7fff_fffe);

/** A proposal goes to the leader; while there is none it waits. */
function submitOrHold(ctx: Ctx, state: MemberState, proposal: Proposal): MemberState {
  const raft = submit(ctx, state.raft, proposal);
  return withMember(state, raft === undefined ? { held: [...state.held, proposal] } : { raft });
}

/** The fault "etcd.no-space": the file has grown to its quota. Its end is an operator who defragments and clears the alarm. */
function onFault(state: MemberState, message: FaultMessage, ctx: Ctx): MemberState {
  if (message.id === "etcd.slow-disk") return withMember(state, { raft: withRaft(state.raft, { disk: { ...state.raft.disk, fsync: message.on ? Number(message.params["milliseconds"]) * 1000 : 0 } }) });
  if (message.id !== "etcd.no-space") return state;
  if (message.on) return withMember(state, { quota: state.store.size });
  const roomy = withMember(state, { quota: QUOTA_BYTES });
  if (state.raft.role !== "leader") return roomy;
  let { raft } = state;
  for (const proposal of [{ kind: "defragment", origin: raft.id, id: 0 }, { kind: "alarm", origin: raft.id, id: 0, alarm: false }] as const) raft = submit(ctx, raft, proposal) ?? raft;
  return withMember(roomy, { raft });
}

function remember(ctx: Ctx, state: MemberState, request: Pending["request"]): MemberState {
  if (!state.sweeping) ctx.after(REQUEST_TIMEOUT, { type: "etcd.sweep" });
  return withMember(state, { sweeping: true, nextId: state.nextId + 1, pending: state.pending.set(`p${state.nextId}`, { client: ctx.from, mail: ctx.mail, at: ctx.now, request }) });
}

function onReads(ctx: Ctx, state: MemberState, reads: Ready["reads"]): MemberState {
  let next = state;
  for (const { member, id, index } of reads) {
    if (member === state.raft.id) next = withMember(next, { reads: [...next.reads, { id, index }] });
    else ctx.send(member, { type: "raft", msg: "MsgReadIndexResp", term: state.raft.term, id, index } satisfies RaftMessage, { protocol: "raft", latency: ctx.latency("link.etcd-peer", `${member}/${id}`), verb: "MsgReadIndexResp", level: "source" });
  }
  return next;
}

/** Confirmed reads whose index has been applied here. */
function answerReads(ctx: Ctx, state: MemberState): MemberState {
  const due = state.reads.filter((read) => read.index <= state.raft.applied);
  if (due.length === 0) return state;
  let next = withMember(state, { reads: state.reads.filter((read) => read.index > state.raft.applied) });
  for (const { id } of due) {
    const pending = next.pending.get(`p${id}`);
    if (pending?.request.type !== "etcd.range.request") continue;
    const { key, prefix, countOnly } = pending.request;
    const kvs = countOnly ? [] : range(next.store, key, prefix ?? false);
    next = reply(ctx, withMember(next, { pending: next.pending.delete(`p${id}`) }), pending.client, { type: "etcd.range.response", request: pending.mail, kvs, revision: next.store.revision }, "Range", "source", ctx.latency("etcd.range", `${ctx.now}`));
  }
  return next;
}

function armRetry(ctx: Ctx, state: MemberState): MemberState {
  if (state.retrying) return state;
  ctx.after(READ_RETRY, { type: "etcd.retry" });
  return withMember(state, { retrying: true });
}

function retryReads(state: MemberState, ctx: Ctx): MemberState {
  let next = withMember(state, { retrying: false });
  const waiting = state.pending.sorted().filter(([, pending]) => pending.request.type === "etcd.range.request");
  for (const [key] of waiting) {
    const ready = newReady();
    next = settle(ctx, next, readIndex(ctx, next.raft, next.raft.id, Number(key.slice(1)), ready), ready);
  }
  return waiting.length > 0 ? armRetry(ctx, next) : next;
}

/** The 7 s are over for some requests. */
function sweep(state: MemberState, ctx: Ctx): MemberState {
  let next = withMember(state, { sweeping: false });
  const held = new Set(state.held.map(({ id }) => `p${id}`));
  let earliest: Micros = Number.POSITIVE_INFINITY;
  for (const [key, pending] of state.pending.sorted()) {
    if (pending.at + REQUEST_TIMEOUT > ctx.now) {
      earliest = Math.min(earliest, pending.at + REQUEST_TIMEOUT);
      continue;
    }
    next = withMember(next, { pending: next.pending.delete(key) });
    // What was never proposed, for want of a leader, ends with the context's own error.
    if (held.has(key)) next = fail(ctx, next, pending.client, pending.mail, "DeadlineExceeded", "context deadline exceeded", "for 7 s there was no leader to propose it to");
    else next = fail(ctx, next, pending.client, pending.mail, "Unavailable", timeoutText(state.raft, pending.at), "the entry was not committed, or not heard of, within 7 s; it may still be stored later");
  }
  if (!Number.isFinite(earliest)) return next;
  ctx.after(earliest - ctx.now, { type: "etcd.sweep" });
  return withMember(next, { sweeping: true });
}

/** v3_server.go parseProposeCtxErr: a member that was itself elected while the request waited knows why. */
function timeoutText(raft: RaftState, at: Micros): string {
  const leaderFailed = raft.electedAt >= 0 && at > raft.electedAt - 2_000_000 && at < raft.electedAt;
  return leaderFailed ? "etcdserver: request timed out, possibly due to previous leader failure" : "etcdserver: request timed out";
}

function openWatches(state: MemberState, message: EtcdWatchRequest, ctx: Ctx): MemberState {
  const client = ctx.from;
  const ids = new Set(message.watches.map((watch) => watch.id));
  let next: MemberState = { ...state, watches: [...state.watches.filter((watch) => watch.client !== client || !ids.has(watch.id)), ...message.watches.map((watch) => ({ ...watch, client }))] };
  for (const watch of message.watches) {
    if (watch.startRevision > state.store.revision) continue;
    const events = eventsSince(state.store, watch.prefix, watch.startRevision);
    if (events?.length === 0) continue;
    const compacted = events === undefined ? { compacted: state.store.compacted } : {};
    next = reply(ctx, next, client, { type: "etcd.watch.response", watch: watch.id, events: events ?? [], revision: state.store.revision, ...compacted }, "WatchResponse", "source", 0);
  }
  return next;
}

function sendSnapshot(state: MemberState, to: string, ctx: Ctx): MemberState {
  const { raft, store } = state;
  if (raft.role !== "leader") return state;
  const message: MsgSnap = { type: "raft", msg: "MsgSnap", term: raft.term, index: raft.applied, logTerm: termOf(raft.log, raft.applied) ?? raft.term, store };
  ctx.send(to, message, { protocol: "raft", latency: ctx.latency("link.etcd-peer", `snap/${to}/${ctx.now}`), verb: "MsgSnap", level: "operator" });
  return state;
}
