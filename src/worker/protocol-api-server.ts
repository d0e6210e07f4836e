/** One client's watch on a resource. */
export interface WatcherView {
  readonly client: string;
  /** Which objects it wants: "namespace default, spec.nodeName=node-1"; "" for all. */
  readonly selects: string;
  /** When its next bookmark is due; undefined for a watch without. */
  readonly bookmarkAt?: number;
}

/** The watch cache of one resource. */
export interface CacheView {
  /** "deployments.apps" */
  readonly resource: string;
  readonly objects: number;
  /** Watches can start after this revision; one from before gets 410. */
  readonly oldest: number;
  /** Revision of the newest change that is remembered; `oldest` if there is none. */
  readonly newest: number;
  readonly events: number;
  readonly capacity: number;
  readonly watchers: readonly WatcherView[];
}

/** A request that is not answered yet, and where in its chain it stands. */
export interface RequestView {
  readonly client: string;
  readonly method: string;
  readonly path: string;
  readonly gate: string;
  /** "6 of 11" is 6 and 11. */
  readonly position: number;
  readonly gates: number;
  readonly since: number;
}

/** What the API server holds at a time, as far as a reader asks. */
export interface ApiServerView {
  /** The etcd member that it talks to. */
  readonly member: string;
  readonly revision: number;
  readonly ready: boolean;
  readonly seats: readonly { readonly level: string; readonly used: number }[];
  readonly webhooks: readonly string[];
  readonly caches: readonly CacheView[];
  readonly requests: readonly RequestView[];
}
