// Models kubernetes/staging/src/k8s.io/apiserver/pkg/storage/cacher: filling the caches
import { customKinds, discoverable } from "../../api/apiextensions/served.ts";
import { API_RESOURCES, type ApiResource } from "../../api/schema/resources.ts";
import type { KubeObject } from "../../api/types.ts";
import { fnv32a } from "../../api/go-hash.ts";
import { streamOf, type WatchSpec } from "../../api/http.ts";
import { SECOND } from "../../api/time.ts";
import type { World } from "../../api/world.ts";
import type { KeyValue } from "../../etcd/messages.ts";
import { PMap } from "../../kernel/pmap.ts";
import { decodeValue } from "../storage/metadata.ts";
import { newCache, type ResourceCache } from "./cache.ts";
import { addWatcher, NO_WATCHERS, type WatcherSet, watcherOf } from "./watchers.ts";

/** One a resource type that is stored, whatever versions serve it. */
const STORED: readonly ApiResource[] = API_RESOURCES.filter((api, i) => !api.createOnly && API_RESOURCES.findIndex((other) => other.etcdPrefix === api.etcdPrefix) === i);
const byKind = new Map(API_RESOURCES.map((api) => [api.kind, STORED.find((stored) => stored.etcdPrefix === api.etcdPrefix)] as const));
const byPath: ReadonlyMap<string, string> = new Map(API_RESOURCES.map((api) => [`${api.group === "" ? "/api" : "/apis"}/${api.apiVersion}/${api.resource}`, api.etcdPrefix] as const));

export function emptyCaches(revision = 0): PMap<ResourceCache> {
  return PMap.from(STORED.map((api) => [api.etcdPrefix, newCache(api, [], revision)] as const));
}

function fill(objects: readonly KubeObject[], revision: number): PMap<ResourceCache> {
  const groups = new Map<string, KubeObject[]>();
  const custom = customKinds(objects);
  for (const object of objects) {
    const prefix = (custom.get(`${object.apiVersion}/${object.kind}`) ?? byKind.get(object.kind))?.etcdPrefix;
    if (prefix === undefined) continue;
    const group = groups.get(prefix);
    if (group) group.push(object);
    else groups.set(prefix, [object]);
  }
  const served = new Map([...STORED, ...custom.values()].map((api) => [api.etcdPrefix, api] as const));
  return PMap.from([...served.values()].map((api) => [api.etcdPrefix, newCache(api, groups.get(api.etcdPrefix) ?? [], revision)] as const));
}

/** The caches of a server that has run for long. */
export const warmCaches = (world: World): PMap<ResourceCache> => fill(world.objects, Number(world.resourceVersion));

export const fillCaches = (kvs: readonly KeyValue[], revision: number): PMap<ResourceCache> => fill(kvs.map(decodeValue), revision);

/** Watches that were opened at different times have their bookmarks at different times. */
const firstBookmark = (spec: WatchSpec): number => (1 + (fnv32a(streamOf(spec)) % 60)) * SECOND;

/** The watches open at time 0. Simplified: their deadlines of 30 to 60 minutes are all an hour ahead. */
export function warmWatchers(world: World): PMap<WatcherSet> {
  let sets = PMap.empty<WatcherSet>();
  const custom = new Map<string, string>(discoverable(world.objects).map((api) => [`/apis/${api.apiVersion}/${api.resource}`, api.etcdPrefix] as const));
  for (const spec of world.watches) {
    const prefix = byPath.get(spec.path) ?? custom.get(spec.path);
    if (prefix !== undefined) sets = sets.set(prefix, addWatcher(sets.get(prefix) ?? NO_WATCHERS, watcherOf(spec, 3_600_000_000, firstBookmark(spec))));
  }
  return sets;
}
