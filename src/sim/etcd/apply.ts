// Models etcd/server/etcdserver/{apply,server}.go: committed entries become revisions, in order
import type { KubeObject } from "../api/types.ts";
import type { Ctx, Level } from "../kernel/types.ts";
import { watchLease } from "./lessor.ts";
import { failPending, type MemberState, type OpenWatch, reply, withMember } from "./member-state.ts";
import type { Entry, EtcdEvent, EtcdLeaseGrantResponse, EtcdTxnRequest, EtcdTxnResponse, EtcdWatchResponse, KeyValue, Proposal } from "./messages.ts";
import { applyTxn, compact, defragment, grantLease, NO_SPACE, revokeLease, type Store, type TxnResult } from "./mvcc/store.ts";

/** The object as a reader gets it: its resourceVersion is the key's mod_revision. */
const readable = (kv: KeyValue): KubeObject => ({ ...kv.value, metadata: { ...kv.value.metadata, resourceVersion: String(kv.modRevision) } });

/** Applies entries in order, answers the clients that wait here for them, and wakes the watchers. */
export function applyCommitted(ctx: Ctx, state: MemberState, entries: readonly Entry[]): MemberState {
  let next = state;
  const events: EtcdEvent[] = [];
  for (const { proposal } of entries) {
    if (proposal.kind === "txn" && proposal.txn !== undefined) next = applyWrite(ctx, next, proposal, proposal.txn, events);
    else if (proposal.kind !== "noop") next = applyOther(ctx, next, proposal, events);
  }
  return events.length > 0 && next.watches.length > 0 ? notify(ctx, next, events) : next;
}

function applyWrite(ctx: Ctx, state: MemberState, proposal: Proposal, txn: EtcdTxnRequest, events: EtcdEvent[]): MemberState {
  // apply.go applierV3Capped: what was proposed before the alarm was known is refused here.
  if (state.store.noSpace && txn.value !== undefined) return proposal.origin === state.raft.id ? failPending(ctx, state, proposal.id, NO_SPACE) : state;
  const result = applyTxn(state.store, txn);
  let next = result.store === state.store ? state : withMember(state, { store: result.store });
  if (result.event) events.push(result.event);
  if (next.raft.role === "leader" && result.event) record(ctx, next.raft.id, result.event.kv, result.verb, txn.subject, txn.level);
  if (proposal.origin === next.raft.id) next = answer(ctx, next, proposal.id, result);
  return next;
}

function applyOther(ctx: Ctx, state: MemberState, proposal: Proposal, events: EtcdEvent[]): MemberState {
  const { store, raft } = state;
  switch (proposal.kind) {
    case "compact":
      return withMember(state, { store: compact(store, proposal.compact ?? 0) });
    case "defragment":
      return withMember(state, { store: defragment(store) });
    case "alarm":
      if (raft.role === "leader" && proposal.alarm !== store.noSpace) ctx.explain({ text: proposal.alarm === true ? `${raft.id} raises the alarm NOSPACE: the database is full` : `${raft.id} clears the alarm NOSPACE`, why: "while it stands, every member refuses puts; reads and deletes go on", level: "basic", status: proposal.alarm === true ? "alarm NOSPACE" : `leader, term ${raft.term}` });
      return withMember(state, { store: { ...store, noSpace: proposal.alarm === true } });
    case "lease-grant": {
      const { lease = 0, ttl = 0 } = proposal;
      const granted = withMember(state, { store: grantLease(store, lease, ttl) });
      const armed = raft.role === "leader" ? watchLease(ctx, granted, lease, ttl) : granted;
      return proposal.origin === raft.id ? answerLease(ctx, armed, proposal.id, lease, ttl) : armed;
    }
    case "lease-revoke": {
      const revoked = revokeLease(store, proposal.lease ?? 0);
      if (raft.role === "leader" && revoked.events.length > 0) {
        ctx.explain({ text: `${raft.id} ends lease ${proposal.lease ?? 0}: ${revoked.events.length} ${revoked.events.length === 1 ? "key goes" : "keys go"} with it`, why: "Events are stored with a lease of an hour; nobody deletes them one by one", level: "operator" });
        for (const { kv } of revoked.events) record(ctx, raft.id, kv, "delete", kv.key, "source");
      }
      events.push(...revoked.events);
      return withMember(state, { store: revoked.store });
    }
    default:
      return state;
  }
}

function answer(ctx: Ctx, state: MemberState, id: number, result: TxnResult): MemberState {
  const pending = state.pending.get(`p${id}`);
  if (pending?.request.type !== "etcd.txn.request") return state;
  const response: EtcdTxnResponse = { type: "etcd.txn.response", request: pending.mail, succeeded: result.succeeded, revision: state.store.revision, ...(result.kv === undefined ? {} : { kv: result.kv }) };
  const { level, subject } = pending.request;
  return reply(ctx, withMember(state, { pending: state.pending.delete(`p${id}`) }), pending.client, response, "Txn", level === "source" ? "source" : "operator", ctx.latency("etcd.apply", `${ctx.now}`), subject);
}

function answerLease(ctx: Ctx, state: MemberState, id: number, lease: number, ttl: number): MemberState {
  const pending = state.pending.get(`p${id}`);
  if (pending === undefined) return state;
  const response: EtcdLeaseGrantResponse = { type: "etcd.lease-grant.response", request: pending.mail, id: lease, ttl };
  return reply(ctx, withMember(state, { pending: state.pending.delete(`p${id}`) }), pending.client, response, "LeaseGrant", "source", ctx.latency("etcd.apply", `${ctx.now}`));
}

function record(ctx: Ctx, id: string, kv: KeyValue, verb: TxnResult["verb"], subject: string, level: Level): void {
  ctx.explain({
    kind: "revision",
    text: `${id} applies revision ${kv.modRevision}: ${verb} ${kv.key}`,
    why: "one counter for the whole store; it becomes the object's resourceVersion",
    subject,
    level,
    revision: { revision: kv.modRevision, key: kv.key, verb, ...(verb === "delete" ? {} : { object: readable(kv) }) },
  });
}

/** One message a watch with all its new events. */
function notify(ctx: Ctx, state: MemberState, events: readonly EtcdEvent[]): MemberState {
  let next = state;
  const wanted: { readonly watch: OpenWatch; readonly mine: readonly EtcdEvent[] }[] = [];
  for (const watch of state.watches) {
    // Thirty watches see each write and one or two want it: no list is made for the others.
    let mine: EtcdEvent[] | undefined;
    for (const event of events) if (event.kv.modRevision >= watch.startRevision && event.kv.key.startsWith(watch.prefix)) (mine ??= []).push(event);
    if (mine !== undefined) wanted.push({ watch, mine });
  }
  // Only who has all of the messages may say that he has all of the revisions: a connection may break, or halt, between two of them.
  const before = Math.min(...events.map(({ kv }) => kv.modRevision)) - 1;
  for (const [i, { watch, mine }] of wanted.entries()) {
    const revision = wanted.slice(i + 1).some((other) => other.watch.client === watch.client) ? before : next.store.revision;
    const response: EtcdWatchResponse = { type: "etcd.watch.response", watch: watch.id, events: mine, revision };
    const level = mine.some((event) => event.level !== "source") ? "operator" : "source";
    next = reply(ctx, next, watch.client, response, "WatchResponse", level, ctx.latency("etcd.apply", `${ctx.now}`), mine[0]?.kv.key ?? "");
  }
  return next;
}

/** Replaces the store by the leader's. Watchers get what they missed. */
export function loadSnapshot(ctx: Ctx, state: MemberState, store: Store): MemberState {
  ctx.explain({ text: `${state.raft.id} loads a snapshot of revision ${store.revision} from the leader`, why: "the entries it lacks are no longer in the leader's log", level: "operator", status: "follower" });
  return withMember(state, { store });
}
