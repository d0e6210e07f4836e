/** One entry of a member's log, in words. */
export interface EtcdEntryView {
  readonly index: number;
  readonly term: number;
  /** "put pods/default/nginx" */
  readonly writes: string;
}

/** What one etcd member knows at a time, as far as a reader compares members. */
export interface EtcdMemberView {
  readonly id: string;
  readonly role: string;
  readonly term: number;
  /** "" while unknown. */
  readonly leader: string;
  /** First index that is not in a snapshot only. */
  readonly first: number;
  readonly last: number;
  /** Last index on disk; `syncing` is the last of the fsync under way, 0 for none. */
  readonly stable: number;
  readonly syncing: number;
  readonly commit: number;
  readonly applied: number;
  /** The newest entries, oldest first. */
  readonly entries: readonly EtcdEntryView[];
  readonly revision: number;
  readonly compacted: number;
  readonly keys: number;
  /** Bytes of the database file, and how many it may have. */
  readonly size: number;
  readonly quota: number;
  readonly noSpace: boolean;
  readonly leases: readonly { readonly id: number; readonly ttl: number; readonly keys: number; readonly endsAt?: number }[];
  /** Requests of clients that wait for an answer. */
  readonly pending: readonly { readonly client: string; readonly about: string; readonly since: number }[];
  readonly watches: number;
  readonly lastHeard: number;
  readonly electionTimeout: number;
  /** Of a leader: how far it knows each follower to be. */
  readonly progress: readonly { readonly member: string; readonly match: number; readonly next: number; readonly active: boolean }[];
}
