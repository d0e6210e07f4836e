// Models kubernetes/staging/src/k8s.io/apiserver/pkg/storage/cacher/watch_cache.go
import { objectKey, type WatchEvent } from "../../api/http.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import type { KubeObject } from "../../api/types.ts";
import { PMap } from "../../kernel/pmap.ts";

/** One change as the cache keeps it: the object before and after, so that selectors can tell who enters and who leaves. */
export interface CacheEvent {
  readonly revision: number;
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
  readonly deleted: boolean;
}

interface Link {
  readonly event: CacheEvent;
  readonly next: Link | undefined;
}

/** All objects of one resource and its recent changes. Lists and watches are served from here, not from etcd. */
export interface ResourceCache {
  readonly resource: ApiResource;
  readonly objects: PMap<KubeObject>;
  /** Newest first; `older` is the previous generation, dropped when this one is full. */
  readonly recent: Link | undefined;
  readonly older: Link | undefined;
  readonly count: number;
  /** A watch from before this revision gets 410. */
  readonly oldest: number;
}

// Simplified: upstream's history grows from 100 to 102,400 events so as to cover 75 s; here it is two generations of this many.
const GENERATION = 2_000;

export function newCache(resource: ApiResource, objects: readonly KubeObject[], revision: number): ResourceCache {
  return { resource, objects: PMap.from(objects.map((object) => [objectKey(object), object] as const)), recent: undefined, older: undefined, count: 0, oldest: revision };
}

export function addEvent(cache: ResourceCache, event: CacheEvent): ResourceCache {
  const key = objectKey(event.object);
  const objects = event.deleted ? cache.objects.delete(key) : cache.objects.set(key, event.object);
  const full = cache.count >= GENERATION;
  const dropped = full ? cache.older?.event.revision : undefined;
  return { resource: cache.resource, objects, recent: { event, next: full ? undefined : cache.recent }, older: full ? cache.recent : cache.older, count: full ? 1 : cache.count + 1, oldest: dropped ?? cache.oldest };
}

/** Changes after `revision` in order; undefined when some of them are forgotten. */
export function eventsAfter(cache: ResourceCache, revision: number): readonly CacheEvent[] | undefined {
  if (revision < cache.oldest) return undefined;
  const events: CacheEvent[] = [];
  for (let link = cache.recent; link !== undefined && link.event.revision > revision; link = link.next) events.push(link.event);
  for (let link = cache.older; link !== undefined && link.event.revision > revision; link = link.next) events.push(link.event);
  return events.reverse();
}

/** What one watcher is told: an object that begins or ceases to match comes as ADDED or DELETED. */
export function eventFor(event: CacheEvent, selects: (object: KubeObject) => boolean): WatchEvent | undefined {
  const before = event.previous !== undefined && selects(event.previous);
  const after = !event.deleted && selects(event.object);
  if (!before && !after) return undefined;
  if (after) return { type: before ? "MODIFIED" : "ADDED", object: event.object };
  if (event.deleted) return { type: "DELETED", object: event.object };
  const { previous } = event;
  if (previous === undefined) return undefined;
  // The object as the watcher knew it, at the revision at which it left.
  const resourceVersion = event.object.metadata.resourceVersion;
  return { type: "DELETED", object: { ...previous, metadata: { ...previous.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) } } };
}
