// Models etcd/server/etcdserver/server.go: what one member holds above raft
import type { PMap } from "../kernel/pmap.ts";
import type { Ctx, MailId, Message, Micros } from "../kernel/types.ts";
import type { EtcdError, EtcdErrorCode, EtcdLeaseGrantRequest, EtcdRangeRequest, EtcdTxnRequest, EtcdWatch, Proposal } from "./messages.ts";
import type { Store } from "./mvcc/store.ts";
import type { RaftState } from "./raft/state.ts";

/** A client's request that waits for its entry to be applied, or for a read to be confirmed. */
export interface Pending {
  readonly client: string;
  readonly mail: MailId;
  readonly at: Micros;
  readonly request: EtcdTxnRequest | EtcdRangeRequest | EtcdLeaseGrantRequest;
}

export interface OpenWatch extends EtcdWatch {
  readonly client: string;
}

export interface MemberState {
  readonly raft: RaftState;
  readonly store: Store;
  readonly pending: PMap<Pending>;
  readonly nextId: number;
  /** Proposals of clients while there is no leader: they wait, as a blocked channel does upstream. */
  readonly held: readonly Proposal[];
  readonly watches: readonly OpenWatch[];
  /** Confirmed reads whose index is not applied here yet. */
  readonly reads: readonly { readonly id: number; readonly index: number }[];
  /** Messages to clients keep their order: none is due before this. */
  readonly clientDue: Micros;
  readonly sweeping: boolean;
  readonly retrying: boolean;
  /** Leader: when each lease ends. */
  readonly expiries: Readonly<Record<string, { readonly id: number; readonly at: Micros }>>;
  readonly leaseTimer: MailId;
  /** Bytes that the database file may have. */
  readonly quota: number;
}

const copyMember = (state: MemberState): MemberState => ({
  raft: state.raft, store: state.store, pending: state.pending, nextId: state.nextId, held: state.held, watches: state.watches, reads: state.reads, clientDue: state.clientDue, sweeping: state.sweeping, retrying: state.retrying,
  expiries: state.expiries, leaseTimer: state.leaseTimer, quota: state.quota,
});

/** A changed copy (kernel/copies.ts says why not by a spread). */
export const withMember = (state: MemberState, change: Partial<MemberState>): MemberState => Object.assign(copyMember(state), change);

/** To a client: in order, over the gRPC connection. */
export function reply<M extends Message>(ctx: Ctx, state: MemberState, client: string, message: M, verb: string, level: "operator" | "source", work: Micros, subject?: string): MemberState {
  const due = Math.max(ctx.now + work + ctx.latency("link.etcd", `${client}/${ctx.now}`), state.clientDue);
  ctx.send(client, message, { protocol: "gRPC", latency: due - ctx.now, verb, level, ...(subject === undefined ? {} : { subject }) });
  return withMember(state, { clientDue: due });
}

/** Refuses a request: "etcdserver: mvcc: database space exceeded". */
export function fail(ctx: Ctx, state: MemberState, client: string, mail: MailId, code: EtcdErrorCode, message: string, why: string): MemberState {
  ctx.explain({ text: `${state.raft.id} gives up on a request: ${message}`, why, level: "operator" });
  return reply(ctx, state, client, { type: "etcd.error", request: mail, code, message } satisfies EtcdError, "error", "operator", 0);
}

export function failPending(ctx: Ctx, state: MemberState, id: number, message: string): MemberState {
  const pending = state.pending.get(`p${id}`);
  if (pending === undefined) return state;
  return fail(ctx, withMember(state, { pending: state.pending.delete(`p${id}`) }), pending.client, pending.mail, "ResourceExhausted", message, "the entry was committed, but may not be applied");
}
