// Models kubernetes/pkg/controller: what a controller is made of
import type { PMap } from "../kernel/pmap.ts";
import type { ApiCall } from "../client-go/api-client.ts";
import type { EventRecorder, EventToRecord } from "../client-go/event-recorder.ts";
import type { Change, Informer } from "../client-go/informer.ts";
import type { RetryLimits, WorkQueue } from "../client-go/workqueue.ts";
import type { Ctx, MailId, Message, Micros, Note } from "../kernel/types.ts";
import type { Index, Indexer, View } from "./caches.ts";
import type { Written } from "./sync-state.ts";

/** What came back from one call; status 0: no connection, or not sent because an earlier batch failed. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly sent: boolean;
}

export interface Enqueue {
  readonly key: string;
  /** Microseconds from now; at once when absent. */
  readonly after?: Micros;
}

/** What a sync wants done. Batches of API calls go out in order, the calls of one batch together. */
export interface Plan<D = unknown, M = unknown> {
  readonly batches?: readonly (readonly ApiCall[])[];
  /** The segment that passes before each batch but the first. */
  readonly batchLatency?: string;
  /** The segment that passes before the first batch, if not the controller's own. */
  readonly latency?: string;
  /** A pause before the first batch: what a function that tries again sleeps for. */
  readonly wait?: Micros;
  /** When all batches are through or one has failed, `resume` is called with this. Without it any failure fails the sync. */
  readonly next?: D;
  readonly events?: readonly EventToRecord[];
  readonly notes?: readonly Note[];
  readonly memory?: M;
  readonly enqueue?: readonly Enqueue[];
  /** The sync failed: the key comes back after its back-off. */
  readonly error?: string;
}

export interface Handled<M> {
  readonly keys?: readonly Enqueue[];
  readonly memory?: M;
  readonly events?: readonly EventToRecord[];
}

/** Of a controller that finds out itself what to watch: its informers are part of its memory. */
export interface OwnInformers<M> {
  /** The memory of a process that does not run. */
  readonly stopped: M;
  /** What the settled world leaves to do. */
  settled(memory: M): Handled<M>;
  /** The memory of a process that begins: it knows nothing and asks. */
  launch(ctx: Ctx): M;
  /** Of a lazy controller: now there is something to do. */
  wake?(memory: M, ctx: Ctx): M;
  /** Its informers are filled: workers may run. */
  isReady(memory: M): boolean;
  /** Undefined: the message is none of its own. */
  receive(message: Message, view: View<M>, ctx: Ctx): Handled<M> | undefined;
  tick(name: string, view: View<M>, ctx: Ctx): Handled<M>;
}

/** A tick comes every `period`, first after `first`. */
export interface Ticker {
  readonly name: string;
  readonly period: Micros;
  readonly first: Micros;
  /** The first one of a process that has just started, and the pause until the next look whether its caches are filled. */
  readonly cold?: Micros;
}

/** One controller: what it watches, which keys a change concerns, and what to do for a key. All pure. */
export interface ControllerSpec<D = unknown, M = unknown> {
  readonly id: string;
  /** Service account and last part of the user agent. */
  readonly account: string;
  /** Acts as the process, not by a service account. */
  readonly rootClient?: true;
  /** Event source, if not the id. */
  readonly eventSource?: string;
  /** Plural resource names, watched over all namespaces. */
  readonly resources: readonly string[];
  readonly indexers?: Readonly<Record<string, Indexer>>;
  readonly workers: number;
  /** Only the first resource is watched until it has an object: before, the others could cause no work. Simplified: upstream's shared informers are there anyway. */
  readonly lazy?: true;
  /**
   * StaleControllerConsistency: resources of which a key's own last writes must be in the cache before its next sync.
   * Simplified: a controller that does not say waits, with all its keys, for all it wrote; upstream's others work with what they have.
   */
  readonly consistent?: readonly string[];
  /** Without end when absent. */
  readonly maxRetries?: number;
  readonly retryBase?: Micros;
  readonly retryMax?: Micros;
  /** Latency segment from taking a key to the first request. */
  readonly latency: string;
  readonly memory: M;
  readonly tickers?: readonly Ticker[];
  readonly own?: OwnInformers<M>;
  handle(change: Change, resource: string, view: View<M>): Handled<M>;
  sync(key: string, view: View<M>): Plan<D, M>;
  resume?(key: string, data: D, answers: readonly Answer[], view: View<M>): Plan<D, M>;
  /** Once, when the caches of a process that begins to work are filled. */
  synced?(view: View<M>): Handled<M>;
  tick?(name: string, view: View<M>): Handled<M>;
}

export interface Sync<D> {
  readonly key: string;
  readonly plan: Plan<D>;
  readonly batch: number;
  /** Mails of the current batch that are not answered; empty while thinking. */
  readonly waiting: readonly MailId[];
  readonly sent: readonly MailId[];
  readonly answers: readonly Answer[];
}

export interface ControllerState<D = unknown, M = unknown> {
  readonly informers: readonly Informer[];
  readonly indexes: Readonly<Record<string, Index>>;
  readonly queue: WorkQueue;
  /** Keys to be added later, and when: one time a key, the earliest. */
  readonly delayed: PMap<Micros>;
  readonly syncs: readonly Sync<D>[];
  readonly recorder: EventRecorder;
  readonly memory: M;
  /** All caches are filled: workers run. */
  readonly ready: boolean;
  /** What was written for each key, or for "" where all keys wait for all writes. */
  readonly written: PMap<Written>;
  /** Counts the times it began anew: timers of an earlier life are ignored. */
  readonly run: number;
  /** How many keys it works on at once. */
  readonly workers: number;
  /** How its queue spaces the retries of a key. */
  readonly retry: RetryLimits;
}

const copyController = <D, M>(state: ControllerState<D, M>): ControllerState<D, M> => ({
  informers: state.informers, indexes: state.indexes, queue: state.queue, delayed: state.delayed, syncs: state.syncs, recorder: state.recorder, memory: state.memory, ready: state.ready, written: state.written, run: state.run, workers: state.workers, retry: state.retry,
});

/** A changed copy (kernel/copies.ts says why not by a spread). */
export const withController = <D, M>(state: ControllerState<D, M>, change: Partial<ControllerState<D, M>>): ControllerState<D, M> => Object.assign(copyController(state), change);
