// Models etcd/api/etcdserverpb/rpc.proto (KV, Watch) and go.etcd.io/raft/raftpb/raft.proto
import type { KubeObject } from "../api/types.ts";
import type { Level, MailId } from "../kernel/types.ts";

/** One key as the store holds it. The value has no resourceVersion of its own: readers fill it from modRevision. */
export interface KeyValue {
  readonly key: string;
  readonly value: KubeObject;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
  /** The key goes when this lease ends. */
  readonly lease?: number;
}

/** `if mod_revision(key) == modRevision then put/delete else get`: the only transaction the API server uses. */
export interface EtcdTxnRequest {
  readonly type: "etcd.txn.request";
  readonly key: string;
  /** 0 for a key that must not exist. */
  readonly modRevision: number;
  /** Undefined deletes the key. */
  readonly value?: KubeObject;
  /** The lease that the key is attached to. */
  readonly lease?: number;
  /** Object reference for readers: "pod/default/nginx". */
  readonly subject: string;
  readonly level: Level;
}

export interface EtcdTxnResponse {
  readonly type: "etcd.txn.response";
  readonly request: MailId;
  readonly succeeded: boolean;
  readonly revision: number;
  /** The key as written (or as deleted); when the comparison failed, the key as it stands, if any. */
  readonly kv?: KeyValue;
}

/** A linearizable read: it is answered only when a majority has confirmed the leader. */
export interface EtcdRangeRequest {
  readonly type: "etcd.range.request";
  readonly key: string;
  /** All keys that begin with `key`. */
  readonly prefix?: boolean;
  /** Only the store's revision is asked for (what the watch cache waits for before a consistent list). */
  readonly countOnly?: boolean;
}

export interface EtcdRangeResponse {
  readonly type: "etcd.range.response";
  readonly request: MailId;
  readonly kvs: readonly KeyValue[];
  readonly revision: number;
}

export interface EtcdWatch {
  readonly id: string;
  readonly prefix: string;
  readonly startRevision: number;
}

/** Opens watches on one gRPC stream. */
export interface EtcdWatchRequest {
  readonly type: "etcd.watch.request";
  readonly watches: readonly EtcdWatch[];
}

export interface EtcdEvent {
  readonly type: "PUT" | "DELETE";
  readonly kv: KeyValue;
  readonly level: Level;
}

export interface EtcdWatchResponse {
  readonly type: "etcd.watch.response";
  readonly watch: string;
  readonly events: readonly EtcdEvent[];
  readonly revision: number;
  /** Set when the watch cannot start: the history before this revision is compacted. */
  readonly compacted?: number;
}

/** Asks for a lease: keys attached to it are deleted when it ends. */
export interface EtcdLeaseGrantRequest {
  readonly type: "etcd.lease-grant.request";
  /** Seconds. */
  readonly ttl: number;
}

export interface EtcdLeaseGrantResponse {
  readonly type: "etcd.lease-grant.response";
  readonly request: MailId;
  readonly id: number;
  readonly ttl: number;
}

/** Drops the history before `revision`. */
export interface EtcdCompactRequest {
  readonly type: "etcd.compact.request";
  readonly revision: number;
}

export type EtcdErrorCode = "Unavailable" | "DeadlineExceeded" | "ResourceExhausted" | "InvalidArgument";

/** The gRPC error of a request: "etcdserver: request timed out". */
export interface EtcdError {
  readonly type: "etcd.error";
  readonly request: MailId;
  /** gRPC's code: it decides whether the client tries again by itself. */
  readonly code: EtcdErrorCode;
  readonly message: string;
}

export type EtcdClientRequest = EtcdTxnRequest | EtcdRangeRequest | EtcdWatchRequest | EtcdCompactRequest | EtcdLeaseGrantRequest;
export type EtcdClientMessage = EtcdTxnResponse | EtcdRangeResponse | EtcdWatchResponse | EtcdLeaseGrantResponse | EtcdError;

/** What a log entry does when it is applied. "noop" is the empty entry of a new leader. */
export interface Proposal {
  readonly kind: "txn" | "compact" | "noop" | "lease-grant" | "lease-revoke" | "alarm" | "defragment";
  /** The member that a client waits at, and its number for the request. */
  readonly origin: string;
  readonly id: number;
  readonly txn?: EtcdTxnRequest;
  readonly compact?: number;
  /** Of a lease that is granted (with its seconds) or revoked. */
  readonly lease?: number;
  readonly ttl?: number;
  /** NOSPACE is raised or cleared. */
  readonly alarm?: boolean;
}

export interface Entry {
  readonly index: number;
  readonly term: number;
  readonly proposal: Proposal;
}

interface RaftBase {
  readonly type: "raft";
  readonly term: number;
}
export interface MsgApp extends RaftBase {
  readonly msg: "MsgApp";
  /** Index and term of the entry before the first of `entries`. */
  readonly index: number;
  readonly logTerm: number;
  readonly entries: readonly Entry[];
  readonly commit: number;
}
export interface MsgAppResp extends RaftBase {
  readonly msg: "MsgAppResp";
  readonly index: number;
  readonly reject: boolean;
  /** On a rejection: the last index that the follower has. */
  readonly hint: number;
}
export interface MsgHeartbeat extends RaftBase {
  readonly msg: "MsgHeartbeat";
  readonly commit: number;
  /** A ReadIndex round that this heartbeat confirms; 0 for none. */
  readonly context: number;
}
export interface MsgHeartbeatResp extends RaftBase {
  readonly msg: "MsgHeartbeatResp";
  readonly context: number;
  readonly last: number;
}
export interface MsgVote extends RaftBase {
  readonly msg: "MsgPreVote" | "MsgVote";
  readonly index: number;
  readonly logTerm: number;
}
export interface MsgVoteResp extends RaftBase {
  readonly msg: "MsgPreVoteResp" | "MsgVoteResp";
  readonly reject: boolean;
}
export interface MsgProp extends RaftBase {
  readonly msg: "MsgProp";
  readonly proposal: Proposal;
}
export interface MsgReadIndex extends RaftBase {
  readonly msg: "MsgReadIndex";
  readonly id: number;
}
export interface MsgReadIndexResp extends RaftBase {
  readonly msg: "MsgReadIndexResp";
  readonly id: number;
  readonly index: number;
}
/** The whole store, for a member whose next entry is no longer in the leader's log. */
export interface MsgSnap extends RaftBase {
  readonly msg: "MsgSnap";
  readonly index: number;
  readonly logTerm: number;
  /** The sender's store at `index`: plain immutable data of mvcc/store.ts. */
  readonly store: unknown;
}
export type RaftMessage = MsgApp | MsgAppResp | MsgHeartbeat | MsgHeartbeatResp | MsgVote | MsgVoteResp | MsgProp | MsgReadIndex | MsgReadIndexResp | MsgSnap;
