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
  return index.set(value, (index.get(value) ?? NONE).set(key, object));
}

function drop(index: Index, value: string, key: string): Index {
  const left = (index.get(value) ?? NONE).delete(key);
  return left.size === 0 ? index.delete(value) : index.set(value, left);
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

const sortedValues = <T extends KubeObject>(store: PMap<KubeObject> | undefined): readonly T[] => (store === undefined ? [] : (store.sorted().map((entry) => entry[1]) as unknown as T[]));

/** A read-only window onto the caches at this moment. */
export function viewOf<M>(resources: readonly string[], state: { readonly informers: readonly Informer[]; readonly indexes: Readonly<Record<string, Index>>; readonly memory: M }, ctx: Ctx): View<M> {
  const store = (resource: string): PMap<KubeObject> | undefined => state.informers[resources.indexOf(resource)]?.store;
  return {
    now: ctx.now,
    memory: state.memory,
    rand: (purpose, n) => ctx.rand(purpose, n),
    get: <T extends KubeObject>(resource: string, key: string) => store(resource)?.get(key) as T | undefined,
    list: <T extends KubeObject>(resource: string) => sortedValues<T>(store(resource)),
    byIndex: <T extends KubeObject>(index: string, value: string) => sortedValues<T>(state.indexes[index]?.get(value)),
  };
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
