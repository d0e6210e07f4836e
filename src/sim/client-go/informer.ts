// Models kubernetes/staging/src/k8s.io/client-go/tools/cache/{reflector,shared_informer}.go
import { type HttpResponse, objectKey, streamOf, type WatchClosedMessage, type WatchEventMessage, type WatchSpec } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Ctx, MailId, Message, Micros, NetClosedMessage, NetErrorMessage } from "../kernel/types.ts";
import { API_SERVER, type ApiClient, apiRequest } from "./api-client.ts";

/** A local copy of one resource, kept fresh by a watch. It may be stale: that is the point. */
export interface Informer {
  readonly watch: WatchSpec;
  readonly stream: string;
  readonly store: PMap<KubeObject>;
  /** Where the watch resumes. */
  readonly resourceVersion: string;
  readonly phase: "synced" | "listing" | "connecting" | "backing off";
  readonly pending: MailId;
  readonly attempts: number;
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

// Reflector backoff: 800 ms doubling to 30 s, with jitter up to 2x (client-go/tools/cache/reflector.go).
const FIRST_RETRY: Micros = 800_000;
const MAX_RETRY: Micros = 30_000_000;

const copyInformer = (informer: Informer): Informer => ({
  watch: informer.watch, stream: informer.stream, store: informer.store, resourceVersion: informer.resourceVersion, phase: informer.phase, pending: informer.pending, attempts: informer.attempts,
});

/** A changed copy (kernel/copies.ts says why not by a spread). */
const withInformer = (informer: Informer, change: Partial<Informer>): Informer => Object.assign(copyInformer(informer), change);

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
  return { watch, stream: streamOf(watch), store: storeOf(objects), resourceVersion, phase: "synced", pending: -1, attempts: 0 };
}

/** An informer with an empty cache, as after a restart; `startInformer` fills it. */
export function emptyInformer(watch: WatchSpec): Informer {
  return syncedInformer(watch, [], "");
}

const selectors = (watch: WatchSpec): Record<string, string> => ({
  ...(watch.fieldSelector ? { fieldSelector: watch.fieldSelector } : {}),
  ...(watch.labelSelector ? { labelSelector: watch.labelSelector } : {}),
});

/** LISTs (resourceVersion 0: from the watch cache), to be followed by a WATCH from the list's resourceVersion. */
export function startInformer(ctx: Ctx, client: ApiClient, informer: Informer): Informer {
  const pending = apiRequest(ctx, client, { method: "GET", path: informer.watch.path, query: { ...selectors(informer.watch), limit: "500", resourceVersion: "0" }, subject: `list ${informer.watch.resource}` });
  return withInformer(informer, { phase: "listing", pending });
}

function connect(ctx: Ctx, client: ApiClient, informer: Informer): Informer {
  const query = { ...selectors(informer.watch), allowWatchBookmarks: "true", resourceVersion: informer.resourceVersion, watch: "true" };
  const pending = apiRequest(ctx, client, { method: "GET", path: informer.watch.path, query, stream: informer.stream, subject: `watch ${informer.watch.resource}` });
  return withInformer(informer, { phase: "connecting", pending });
}

function retryLater(ctx: Ctx, informer: Informer): Informer {
  let delay = FIRST_RETRY;
  for (let i = 0; i < informer.attempts && delay < MAX_RETRY; i++) delay *= 2;
  delay = Math.min(delay, MAX_RETRY);
  ctx.after(delay + (ctx.rand(`reflector/${informer.stream}`, informer.attempts) % delay), { type: "informer.retry", stream: informer.stream } satisfies InformerRetry);
  return withInformer(informer, { phase: "backing off", pending: -1, attempts: informer.attempts + 1 });
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

function onEvent(informer: Informer, message: WatchEventMessage): { informer: Informer; changes: Change[] } {
  const { object, type } = message.event;
  const resourceVersion = object.metadata.resourceVersion ?? informer.resourceVersion;
  if (type === "BOOKMARK") return { informer: withInformer(informer, { resourceVersion }), changes: [] };
  const key = objectKey(object);
  const old = informer.store.get(key);
  if (type === "DELETED") return { informer: withInformer(informer, { store: informer.store.deleteShared(key), resourceVersion }), changes: old ? [{ type: "delete", object }] : [] };
  const change: Change = old ? { type: "update", object, old } : { type: "add", object };
  return { informer: withInformer(informer, { store: informer.store.setShared(key, object), resourceVersion }), changes: [change] };
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
      // 410 Gone: the resourceVersion is no longer in the watch cache; list again.
      if (event.event.type === "ERROR") return { informer: startInformer(ctx, client, informer), changes: [] };
      return onEvent(informer, event);
    }
    case "watch.closed":
      if ((message as WatchClosedMessage).stream !== informer.stream) return undefined;
      return { informer: connect(ctx, client, informer), changes: [] };
    case "net.closed":
      if ((message as NetClosedMessage).peer !== API_SERVER || informer.phase === "backing off") return undefined;
      return { informer: retryLater(ctx, informer), changes: [] };
    case "net.error":
      if ((message as NetErrorMessage).hop !== informer.pending) return undefined;
      return { informer: retryLater(ctx, informer), changes: [] };
    case "informer.retry":
      if ((message as InformerRetry).stream !== informer.stream || informer.phase !== "backing off") return undefined;
      return { informer: informer.resourceVersion === "" ? startInformer(ctx, client, informer) : connect(ctx, client, informer), changes: [] };
    case "http.response":
      return onResponse(ctx, client, informer, message as HttpResponse);
    default:
      return undefined;
  }
}

function onResponse(ctx: Ctx, client: ApiClient, informer: Informer, response: HttpResponse): { informer: Informer; changes: readonly Change[] } | undefined {
  if (response.request !== informer.pending) return undefined;
  if (response.status === 410) return { informer: startInformer(ctx, client, informer), changes: [] };
  if (response.status !== 200) return { informer: retryLater(ctx, informer), changes: [] };
  if (informer.phase === "connecting") return { informer: withInformer(informer, { phase: "synced", pending: -1, attempts: 0 }), changes: [] };
  const list = response.body as { metadata: { resourceVersion: string }; items: readonly KubeObject[] };
  const { informer: filled, changes } = replaceAll(informer, list.items, list.metadata.resourceVersion);
  return { informer: connect(ctx, client, filled), changes };
}
