// Models etcd/server/etcdserver/{apply,server}.go: committed entries become revisions, in order
import type { KubeObject } from "../api/types.ts";
import type { Ctx, Level } from "../kernel/types.ts";
import { type MemberState, reply, withMember } from "./member-state.ts";
import type { Entry, EtcdEvent, EtcdTxnResponse, EtcdWatchResponse, KeyValue } from "./messages.ts";
import { applyTxn, compact, type Store, type TxnResult } from "./mvcc/store.ts";

/** The object as a reader gets it: its resourceVersion is the key's mod_revision. */
const readable = (kv: KeyValue): KubeObject => ({ ...kv.value, metadata: { ...kv.value.metadata, resourceVersion: String(kv.modRevision) } });

/** Applies entries in order, answers the clients that wait here for them, and wakes the watchers. */
export function applyCommitted(ctx: Ctx, state: MemberState, entries: readonly Entry[]): MemberState {
  let next = state;
  const events: EtcdEvent[] = [];
  for (const entry of entries) {
    const { proposal } = entry;
    if (proposal.kind === "compact") next = withMember(next, { store: compact(next.store, proposal.compact ?? 0) });
    if (proposal.kind !== "txn" || proposal.txn === undefined) continue;
    const result = applyTxn(next.store, proposal.txn);
    if (result.store !== next.store) next = withMember(next, { store: result.store });
    if (result.event) events.push(result.event);
    if (next.raft.role === "leader" && result.event && result.kv) record(ctx, next.raft.id, result, proposal.txn.subject, proposal.txn.level);
    if (proposal.origin === next.raft.id) next = answer(ctx, next, proposal.id, result);
  }
  return events.length > 0 && next.watches.length > 0 ? notify(ctx, next, events) : next;
}

function answer(ctx: Ctx, state: MemberState, id: number, result: TxnResult): MemberState {
  const pending = state.pending.get(`p${id}`);
  if (pending?.request.type !== "etcd.txn.request") return state;
  const response: EtcdTxnResponse = { type: "etcd.txn.response", request: pending.mail, succeeded: result.succeeded, revision: state.store.revision, ...(result.kv === undefined ? {} : { kv: result.kv }) };
  const { level, subject } = pending.request;
  return reply(ctx, withMember(state, { pending: state.pending.delete(`p${id}`) }), pending.client, response, "Txn", level === "source" ? "source" : "operator", ctx.latency("etcd.apply", `${ctx.now}`), subject);
}

function record(ctx: Ctx, id: string, result: TxnResult, subject: string, level: Level): void {
  const { kv, verb } = result;
  if (kv === undefined) return;
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
  for (const watch of state.watches) {
    // Thirty watches see each write and one or two want it: no list is made for the others.
    let mine: EtcdEvent[] | undefined;
    for (const event of events) if (event.kv.modRevision >= watch.startRevision && event.kv.key.startsWith(watch.prefix)) (mine ??= []).push(event);
    if (mine === undefined) continue;
    const response: EtcdWatchResponse = { type: "etcd.watch.response", watch: watch.id, events: mine, revision: next.store.revision };
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
