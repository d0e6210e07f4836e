// Models kubernetes/staging/src/k8s.io/client-go/tools/cache/thread_safe_store.go: indexes over a cache
import { objectKey } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import type { Change, Informer } from "../client-go/informer.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Ctx, Micros } from "../kernel/types.ts";

/** Index value ("default", an owner's uid) to object key to object. */
export type Index = PMap<PMap<KubeObject>>;

export interface Indexer {
  readonly resource: string;
  values(object: KubeObject): readonly string[];
}

/** What a controller may look at: its caches, its memory, the clock and keyed draws. */
export interface View<M = unknown> {
  readonly now: Micros;
  readonly memory: M;
  rand(purpose: string, n: number): number;
  get<T extends KubeObject>(resource: string, key: string): T | undefined;
  /** In key order. */
  list<T extends KubeObject>(resource: string): readonly T[];
  /** In key order. */
  byIndex<T extends KubeObject>(index: string, value: string): readonly T[];
}

const NONE: PMap<KubeObject> = PMap.empty<KubeObject>();

function put(index: Index, value: string, key: string, object: KubeObject): Index {
  return index.setShared(value, (index.get(value) ?? NONE).setShared(key, object));
}

function drop(index: Index, value: string, key: string): Index {
  const left = (index.get(value) ?? NONE).deleteShared(key);
  return left.size === 0 ? index.deleteShared(value) : index.setShared(value, left);
}

export function buildIndex(indexer: Indexer, objects: readonly KubeObject[]): Index {
  let index: Index = PMap.empty();
  for (const object of objects) for (const value of indexer.values(object)) index = put(index, value, objectKey(object), object);
  return index;
}

export function applyChange(indexer: Indexer, index: Index, change: Change): Index {
  const key = objectKey(change.object);
  const now = change.type === "delete" ? [] : indexer.values(change.object);
  const before = change.type === "update" ? indexer.values(change.old) : change.type === "delete" ? indexer.values(change.object) : [];
  let next = index;
  for (const value of before) if (!now.includes(value)) next = drop(next, value, key);
  for (const value of now) next = put(next, value, key, change.object);
  return next;
}

const sortedValues = <T extends KubeObject>(store: PMap<KubeObject> | undefined): readonly T[] => (store === undefined ? [] : (store.sortedValues() as unknown as T[]));

/** A read-only window onto the caches at this moment. */
export const viewOf = <M>(resources: readonly string[], state: Caches<M>, ctx: Ctx): View<M> => new CacheView(resources, state, ctx);

interface Caches<M> {
  readonly informers: readonly Informer[];
  readonly indexes: Readonly<Record<string, Index>>;
  readonly memory: M;
}

/** A class rather than an object of closures: a view is made for every change that a controller hears of. */
class CacheView<M> implements View<M> {
  readonly now: Micros;
  readonly memory: M;
  private readonly resources: readonly string[];
  private readonly state: Caches<M>;
  private readonly ctx: Ctx;

  constructor(resources: readonly string[], state: Caches<M>, ctx: Ctx) {
    this.now = ctx.now;
    this.memory = state.memory;
    this.resources = resources;
    this.state = state;
    this.ctx = ctx;
  }

  private store(resource: string): PMap<KubeObject> | undefined {
    return this.state.informers[this.resources.indexOf(resource)]?.store;
  }

  rand(purpose: string, n: number): number {
    return this.ctx.rand(purpose, n);
  }

  get<T extends KubeObject>(resource: string, key: string): T | undefined {
    return this.store(resource)?.get(key) as T | undefined;
  }

  list<T extends KubeObject>(resource: string): readonly T[] {
    return sortedValues<T>(this.store(resource));
  }

  byIndex<T extends KubeObject>(index: string, value: string): readonly T[] {
    return sortedValues<T>(this.state.indexes[index]?.get(value));
  }
}

export const byNamespace = (resource: string): Indexer => ({ resource, values: (object) => [object.metadata.namespace ?? ""] });

/** By the uid of the managing owner; "" for objects without one, per namespace, so that orphans can be adopted. */
export const byController = (resource: string): Indexer => ({
  resource,
  values: (object) => {
    const owner = object.metadata.ownerReferences?.find((reference) => reference.controller);
    return [owner ? owner.uid : `orphan/${object.metadata.namespace ?? ""}`];
  },
});
