// Models kubernetes/staging/src/k8s.io/apiserver/pkg/storage/cacher/watch_cache.go
import { objectKey, type WatchEvent } from "../../api/http.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import type { KubeObject } from "../../api/types.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Micros } from "../../kernel/types.ts";

/** One change as the cache keeps it: the object before and after, so that selectors can tell who enters and who leaves. */
export interface CacheEvent {
  readonly revision: number;
  readonly at: Micros;
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
  readonly deleted: boolean;
}

/** All objects of one resource and its recent changes. Lists and watches are served from here, not from etcd. */
export interface ResourceCache {
  readonly resource: ApiResource;
  readonly objects: PMap<KubeObject>;
  /** The newest changes, under "e<number>" from `start` to before `end`. */
  readonly log: PMap<CacheEvent>;
  readonly start: number;
  readonly end: number;
  readonly capacity: number;
  /** The revision of the list that filled the cache. */
  readonly listed: number;
}

const same = (a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean => a === b || (a?.length === b?.length && JSON.stringify(a) === JSON.stringify(b));

/** Whether a change can matter to who owns whom. */
export function changesOwnership({ object: { metadata: now }, previous, deleted }: CacheEvent): boolean {
  if (deleted || previous === undefined) return true;
  const { metadata: old } = previous;
  return now.deletionTimestamp !== old.deletionTimestamp || now.uid !== old.uid || !same(now.ownerReferences, old.ownerReferences) || !same(now.finalizers, old.finalizers);
}

const LOWER_BOUND = 100;
const UPPER_BOUND = 102_400;
/** The history grows while it covers less than this, and shrinks when three quarters of it are older. */
const FRESH: Micros = 75_000_000;

const eventKey = (index: number): string => `e${index}`;

export function newCache(resource: ApiResource, objects: readonly KubeObject[], revision: number): ResourceCache {
  return { resource, objects: PMap.from(objects.map((object) => [objectKey(object), object] as const)), log: PMap.empty(), start: 0, end: 0, capacity: LOWER_BOUND, listed: revision };
}

/** Takes a change; the oldest is forgotten when the history is full. */
export function addEvent(cache: ResourceCache, event: CacheEvent): ResourceCache {
  const key = objectKey(event.object);
  const objects = event.deleted ? cache.objects.delete(key) : cache.objects.set(key, event.object);
  const capacity = resized(cache, event.at);
  const { end } = cache;
  let { log, start } = cache;
  for (; end - start >= capacity; start++) log = log.delete(eventKey(start));
  return { resource: cache.resource, objects, log: log.set(eventKey(end), event), start, end: end + 1, capacity, listed: cache.listed };
}

function resized({ log, start, end, capacity }: ResourceCache, now: Micros): number {
  if (end - start < capacity) return capacity;
  const age = (index: number): Micros => now - (log.get(eventKey(index))?.at ?? now);
  if (age(start) < FRESH) return Math.min(capacity * 2, UPPER_BOUND);
  return age(end - Math.floor(capacity / 4)) > FRESH ? Math.max(Math.floor(capacity / 2), LOWER_BOUND) : capacity;
}

/** A watch from before this revision gets 410. */
export const oldestRevision = ({ log, start, listed }: ResourceCache): number => (start === 0 ? listed : (log.get(eventKey(start))?.revision ?? listed + 1) - 1);

/** Changes after `revision` in order; undefined when some of them are forgotten. */
export function eventsAfter(cache: ResourceCache, revision: number): readonly CacheEvent[] | undefined {
  if (revision < oldestRevision(cache)) return undefined;
  const events: CacheEvent[] = [];
  for (let index = cache.end - 1; index >= cache.start; index--) {
    const event = cache.log.get(eventKey(index));
    if (event === undefined || event.revision <= revision) break;
    events.push(event);
  }
  return events.reverse();
}

/** The objects as they were at `revision`: later changes are taken back. Undefined when some of them are forgotten. */
export function objectsAt(cache: ResourceCache, revision: number): PMap<KubeObject> | undefined {
  const later = eventsAfter(cache, revision);
  if (later === undefined) return undefined;
  let { objects } = cache;
  for (const { object, previous } of [...later].reverse()) objects = previous === undefined ? objects.delete(objectKey(object)) : objects.set(objectKey(object), previous);
  return objects;
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
