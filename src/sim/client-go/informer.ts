// Models kubernetes/staging/src/k8s.io/client-go/tools/cache/{reflector,shared_informer}.go
import { type HttpResponse, objectKey, streamOf, type WatchClosedMessage, type WatchEventMessage, type WatchSpec } from "../api/http.ts";
import { SECOND } from "../api/time.ts";
import type { KubeObject, Status } from "../api/types.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Ctx, MailId, Message, Micros, NetClosedMessage, NetErrorMessage } from "../kernel/types.ts";
import { API_SERVER, type ApiCall, type ApiClient, apiRequest } from "./api-client.ts";
import { PARTIAL, PARTIAL_LIST } from "./metadata.ts";
import { BACKOFF_RESET, backoffDelay, type Failed, failureText, goType, isExpired, isTooLarge, logFailedToWatch, logWatchEnded, REFLECTOR } from "./reflector-errors.ts";
import { genericStatus, retryDelay } from "./retry.ts";

/** The annotation of the bookmark that ends the initial events of a watch. */
const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

/** A local copy of one resource, kept fresh by a watch. It may be stale: that is the point. */
export interface Informer {
  readonly watch: WatchSpec;
  readonly stream: string;
  readonly store: PMap<KubeObject>;
  /** Where the watch resumes. */
  readonly resourceVersion: string;
  /** "streaming": one watch brings everything and then goes on; "listing" is for servers that cannot do that. */
  readonly phase: "synced" | "streaming" | "listing" | "connecting" | "backing off";
  /** What is done again after the wait. */
  readonly next: "streaming" | "listing" | "connecting";
  /** Streamed so far: it replaces the store when the stream says that this is all. */
  readonly fresh: PMap<KubeObject>;
  /** The server knows our resourceVersion no more, or not yet: ask for the newest. */
  readonly unavailable: boolean;
  readonly pending: MailId;
  /** Waits so far, and when the last began: after two quiet minutes they are forgotten. */
  readonly attempts: number;
  readonly waitedAt: Micros;
  /** Times that this request was sent again because an answer said Retry-After. */
  readonly sent: number;
}

/** What a handler is told: the store before and after differ by exactly this. */
export type Change =
  | { readonly type: "add"; readonly object: KubeObject; readonly old?: undefined }
  | { readonly type: "update"; readonly object: KubeObject; readonly old: KubeObject }
  | { readonly type: "delete"; readonly object: KubeObject; readonly old?: undefined };

export interface InformerRetry {
  readonly type: "informer.retry";
  readonly stream: string;
}

const copyInformer = (informer: Informer): Informer => ({
  watch: informer.watch, stream: informer.stream, store: informer.store, resourceVersion: informer.resourceVersion, phase: informer.phase, next: informer.next, fresh: informer.fresh, unavailable: informer.unavailable, pending: informer.pending, attempts: informer.attempts, waitedAt: informer.waitedAt, sent: informer.sent,
});

/** A changed copy (kernel/copies.ts says why not by a spread). */
const withInformer = (informer: Informer, change: Partial<Informer>): Informer => Object.assign(copyInformer(informer), change);

const NOTHING: PMap<KubeObject> = PMap.empty();

/** The last list of a world that was made a store: the controllers are born with the same one. */
const born = new WeakMap<KubeObject, { readonly objects: readonly KubeObject[]; readonly store: PMap<KubeObject> }>();

function storeOf(objects: readonly KubeObject[]): PMap<KubeObject> {
  const [first] = objects;
  if (first === undefined) return PMap.empty();
  const known = born.get(first);
  if (known !== undefined && known.objects.length === objects.length && known.objects.every((object, i) => object === objects[i])) return known.store;
  const store = PMap.from(objects.map((object) => [objectKey(object), object] as const));
  born.set(first, { objects, store });
  return store;
}

/** An informer whose cache already holds `objects` as of `resourceVersion`; the API server is born with its watch open. */
export function syncedInformer(watch: WatchSpec, objects: readonly KubeObject[], resourceVersion: string): Informer {
  return { watch, stream: streamOf(watch), store: storeOf(objects), resourceVersion, phase: "synced", next: "connecting", fresh: NOTHING, unavailable: false, pending: -1, attempts: 0, waitedAt: 0, sent: 0 };
}

/** An informer with an empty cache, as after a restart; `startInformer` fills it. */
export function emptyInformer(watch: WatchSpec): Informer {
  return syncedInformer(watch, [], "");
}

const selectors = (watch: WatchSpec): Record<string, string> => ({
  ...(watch.fieldSelector ? { fieldSelector: watch.fieldSelector } : {}),
  ...(watch.labelSelector ? { labelSelector: watch.labelSelector } : {}),
});

const MIN_WATCH_SECONDS = 300;

/** A watch is asked to end after five to ten minutes, so that a dead connection is found. */
const watchQuery = (ctx: Ctx, informer: Informer): Record<string, string> =>
  (informer.watch.monitor !== undefined ? { ...selectors(informer.watch), watch: "true" } : { ...selectors(informer.watch), allowWatchBookmarks: "true", timeoutSeconds: `${MIN_WATCH_SECONDS + (ctx.rand(`watch/${informer.stream}/${ctx.now}`, 0) % MIN_WATCH_SECONDS)}`, watch: "true" });

/** How one reads and watches what is monitored for its metadata. */
const asked = ({ monitor }: WatchSpec, accept: string): Pick<ApiCall, "accept" | "ownership"> => (monitor === undefined ? {} : monitor === "metadata" ? { accept } : { ownership: true });

/** WatchList: one watch that begins with every object and says when that was all. */
export function startInformer(ctx: Ctx, client: ApiClient, informer: Informer): Informer {
  if (informer.watch.monitor !== undefined) return list(ctx, client, informer);
  const resourceVersion = informer.unavailable ? "" : informer.resourceVersion;
  const query = { ...watchQuery(ctx, informer), ...(resourceVersion === "" ? {} : { resourceVersion }), resourceVersionMatch: "NotOlderThan", sendInitialEvents: "true" };
  const pending = apiRequest(ctx, client, { method: "GET", path: informer.watch.path, query, stream: informer.stream, subject: `watch ${informer.watch.resource}` });
  return withInformer(informer, { phase: "streaming", next: "streaming", fresh: NOTHING, pending });
}

/** Pages of 500 from etcd, or all at once from the watch cache when a resourceVersion is named. */
function list(ctx: Ctx, client: ApiClient, informer: Informer): Informer {
  const resourceVersion = informer.unavailable ? "" : informer.resourceVersion || "0";
  const query = { ...selectors(informer.watch), ...(resourceVersion === "" || resourceVersion === "0" ? { limit: "500" } : {}), ...(resourceVersion === "" ? {} : { resourceVersion }) };
  const pending = apiRequest(ctx, client, { method: "GET", path: informer.watch.path, query, subject: `list ${informer.watch.resource}`, ...asked(informer.watch, PARTIAL_LIST) });
  return withInformer(informer, { phase: "listing", next: "listing", fresh: NOTHING, pending });
}

function connect(ctx: Ctx, client: ApiClient, informer: Informer): Informer {
  const query = { ...watchQuery(ctx, informer), resourceVersion: informer.resourceVersion };
  const pending = apiRequest(ctx, client, { method: "GET", path: informer.watch.path, query, stream: informer.stream, subject: `watch ${informer.watch.resource}`, ...asked(informer.watch, PARTIAL) });
  return withInformer(informer, { phase: "connecting", next: "connecting", pending });
}

function again(ctx: Ctx, client: ApiClient, informer: Informer): Informer {
  return informer.next === "streaming" ? startInformer(ctx, client, informer) : informer.next === "listing" ? list(ctx, client, informer) : connect(ctx, client, informer);
}

/** Waits as the back-off says, then does `next`. */
function retryLater(ctx: Ctx, informer: Informer, next: Informer["next"]): Informer {
  const attempts = ctx.now - informer.waitedAt > BACKOFF_RESET ? 0 : informer.attempts;
  const delay = backoffDelay(attempts, ctx.rand(`reflector/${informer.stream}/${ctx.now}`, attempts));
  ctx.after(delay, { type: "informer.retry", stream: informer.stream } satisfies InformerRetry);
  return withInformer(informer, { phase: "backing off", next, pending: -1, attempts: attempts + 1, waitedAt: ctx.now, sent: 0 });
}

function replaceAll(informer: Informer, items: readonly KubeObject[], resourceVersion: string): { informer: Informer; changes: Change[] } {
  const changes: Change[] = [];
  let store = PMap.empty<KubeObject>();
  for (const object of items) {
    const key = objectKey(object);
    const old = informer.store.get(key);
    if (old === undefined) changes.push({ type: "add", object });
    else if (old.metadata.resourceVersion !== object.metadata.resourceVersion) changes.push({ type: "update", object, old });
    store = store.set(key, object);
  }
  for (const [key, object] of informer.store.sorted()) if (!store.has(key)) changes.push({ type: "delete", object });
  return { informer: withInformer(informer, { store, resourceVersion }), changes };
}

/** An event of a stream that has not said yet that it has told everything. */
function onInitialEvent(informer: Informer, { event: { object, type } }: WatchEventMessage): { informer: Informer; changes: readonly Change[] } {
  if (type === "BOOKMARK" && object.metadata.annotations?.[INITIAL_EVENTS_END] === "true") {
    const filled = replaceAll(informer, informer.fresh.sortedValues(), object.metadata.resourceVersion ?? "");
    return { informer: withInformer(filled.informer, { phase: "synced", next: "connecting", fresh: NOTHING, unavailable: false }), changes: filled.changes };
  }
  const key = objectKey(object);
  const fresh = type === "BOOKMARK" ? informer.fresh : type === "DELETED" ? informer.fresh.delete(key) : informer.fresh.set(key, object);
  return { informer: withInformer(informer, { fresh }), changes: [] };
}

function onEvent(informer: Informer, message: WatchEventMessage): { informer: Informer; changes: readonly Change[] } {
  if (informer.phase === "streaming") return onInitialEvent(informer, message);
  const { object, type } = message.event;
  const resourceVersion = object.metadata.resourceVersion ?? informer.resourceVersion;
  if (type === "BOOKMARK") return { informer: withInformer(informer, { resourceVersion }), changes: [] };
  const key = objectKey(object);
  const old = informer.store.get(key);
  if (type === "DELETED") return { informer: withInformer(informer, { store: informer.store.deleteShared(key), resourceVersion }), changes: old ? [{ type: "delete", object }] : [] };
  const change: Change = old ? { type: "update", object, old } : { type: "add", object };
  return { informer: withInformer(informer, { store: informer.store.setShared(key, object), resourceVersion }), changes: [change] };
}

/** What the server said instead of an event ends the watch. */
function onErrorEvent(ctx: Ctx, client: ApiClient, informer: Informer, status: Status): Informer {
  if (informer.phase === "streaming") return onFailure(ctx, client, informer, { status });
  if (status.code === 429) return retryLater(ctx, informer, "connecting");
  if (!isExpired(status)) logWatchEnded(ctx, informer.watch, status.message ?? "");
  return retryLater(ctx, informer, "streaming");
}

/** The request that was under way has failed. */
function onFailure(ctx: Ctx, client: ApiClient, informer: Informer, failed: Failed): Informer {
  const retriable = failed === "refused" || (failed !== "closed" && failed.status.code === 429);
  const stale = typeof failed === "object" && (isExpired(failed.status) || isTooLarge(failed.status));
  switch (informer.phase) {
    case "streaming":
      if (retriable) return retryLater(ctx, informer, "streaming");
      return stale ? startInformer(ctx, client, withInformer(informer, { unavailable: true })) : list(ctx, client, informer);
    case "listing":
      if (stale && !informer.unavailable) return list(ctx, client, withInformer(informer, { unavailable: true }));
      logFailedToWatch(ctx, informer.watch, `failed to list ${goType(informer.watch)}: ${failureText(informer.watch, failed)}`);
      return retryLater(ctx, informer, "streaming");
    case "connecting":
      if (retriable) return retryLater(ctx, informer, "connecting");
      if (failed === "closed") logWatchEnded(ctx, informer.watch, `very short watch: ${REFLECTOR}: Unexpected watch close - watch lasted less than a second and no items received`);
      else if (!stale) logFailedToWatch(ctx, informer.watch, failureText(informer.watch, failed));
      return retryLater(ctx, informer, "streaming");
    default:
      return informer;
  }
}

/** The connection is gone: an open watch is opened again at once, from where it was. */
function onClosed(ctx: Ctx, client: ApiClient, informer: Informer): Informer {
  if (informer.phase === "synced") return connect(ctx, client, informer);
  if (informer.phase !== "listing") return onFailure(ctx, client, informer, "closed");
  ctx.after(SECOND, { type: "informer.retry", stream: informer.stream } satisfies InformerRetry);
  return withInformer(informer, { phase: "backing off", pending: -1 });
}

/**
 * Lets the informer handle a message that is its own (its list or watch answer, an event of its stream, a broken
 * connection, its retry timer). Undefined if the message is none of its business.
 */
export function stepInformer(ctx: Ctx, client: ApiClient, informer: Informer, message: Message): { informer: Informer; changes: readonly Change[] } | undefined {
  switch (message.type) {
    case "watch.event": {
      const event = message as WatchEventMessage;
      if (event.stream !== informer.stream) return undefined;
      if (event.event.type === "ERROR") return { informer: onErrorEvent(ctx, client, informer, event.event.object as unknown as Status), changes: [] };
      return onEvent(informer, event);
    }
    case "watch.closed":
      if ((message as WatchClosedMessage).stream !== informer.stream) return undefined;
      return { informer: informer.phase === "streaming" ? startInformer(ctx, client, informer) : connect(ctx, client, informer), changes: [] };
    case "net.closed":
      if ((message as NetClosedMessage).peer !== API_SERVER || informer.phase === "backing off") return undefined;
      return { informer: onClosed(ctx, client, informer), changes: [] };
    case "net.error":
      if ((message as NetErrorMessage).hop !== informer.pending) return undefined;
      return { informer: onFailure(ctx, client, informer, "refused"), changes: [] };
    case "informer.retry":
      if ((message as InformerRetry).stream !== informer.stream || informer.phase !== "backing off") return undefined;
      return { informer: again(ctx, client, informer), changes: [] };
    case "http.response":
      return onResponse(ctx, client, informer, message as HttpResponse);
    default:
      return undefined;
  }
}

function onResponse(ctx: Ctx, client: ApiClient, informer: Informer, response: HttpResponse): { informer: Informer; changes: readonly Change[] } | undefined {
  if (response.request !== informer.pending) return undefined;
  if (response.status !== 200) return { informer: refused(ctx, client, informer, response), changes: [] };
  if (informer.phase !== "listing") return { informer: withInformer(informer, { phase: informer.phase === "streaming" ? "streaming" : "synced", pending: -1, sent: 0 }), changes: [] };
  const answer = response.body as { metadata: { resourceVersion: string }; items: readonly KubeObject[] };
  const { informer: filled, changes } = replaceAll(informer, answer.items, answer.metadata.resourceVersion);
  return { informer: connect(ctx, client, withInformer(filled, { unavailable: false, sent: 0 })), changes };
}

/** A refusal that names a time is asked again after it, ten times; the reflector hears of the others. */
function refused(ctx: Ctx, client: ApiClient, informer: Informer, response: HttpResponse): Informer {
  const delay = retryDelay(response, informer.sent + 1);
  const status = genericStatus(response.status, response.body, `get ${informer.watch.resource}`) ?? (response.body as Status);
  if (delay === undefined) return onFailure(ctx, client, withInformer(informer, { sent: 0 }), { status: { ...status, code: response.status } });
  ctx.after(delay, { type: "informer.retry", stream: informer.stream } satisfies InformerRetry);
  return withInformer(informer, { phase: "backing off", pending: -1, sent: informer.sent + 1 });
}
