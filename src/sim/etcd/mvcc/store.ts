// Models etcd/server/storage/mvcc/{kvstore,key_index,watchable_store}.go
import { customKinds } from "../../api/apiextensions/served.ts";
import { API_RESOURCES, etcdKey, resourceForKind } from "../../api/schema/resources.ts";
import type { World } from "../../api/world.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { EtcdEvent, EtcdTxnRequest, KeyValue } from "../messages.ts";

/** One counter for the whole store: +1 for each transaction that writes. */
export interface Store {
  readonly revision: number;
  /** Events before this revision are gone: a watch cannot start there. */
  readonly compacted: number;
  readonly keys: PMap<KeyValue>;
  /** The event of each revision since `compacted`, under "r<revision>". */
  readonly history: PMap<EtcdEvent>;
}

export interface TxnResult {
  readonly store: Store;
  readonly succeeded: boolean;
  readonly kv?: KeyValue;
  readonly event?: EtcdEvent;
  readonly verb: "create" | "update" | "delete";
}

const born = new WeakMap<World, Store>();

/** The store of the settled world: every object under its /registry key, at its resourceVersion. */
export function storeOf(world: World): Store {
  const known = born.get(world);
  if (known) return known;
  let keys = PMap.empty<KeyValue>();
  const custom = customKinds(world.objects);
  for (const value of world.objects) {
    const resource = resourceForKind(value.apiVersion, value.kind) ?? custom.get(`${value.apiVersion}/${value.kind}`) ?? API_RESOURCES.find((r) => r.kind === value.kind);
    if (!resource) continue;
    const key = etcdKey(resource, value.metadata.namespace, value.metadata.name ?? "");
    const modRevision = Number(value.metadata.resourceVersion ?? world.resourceVersion);
    keys = keys.set(key, { key, value, createRevision: modRevision, modRevision, version: 1 });
  }
  const revision = Number(world.resourceVersion);
  const store: Store = { revision, compacted: revision + 1, keys, history: PMap.empty() };
  born.set(world, store);
  return store;
}

/** The last results, by revision: every member applies the same transaction to the same store, so two of three need not work. */
const REMEMBERED = 64;
const applied: { readonly store: Store; readonly txn: EtcdTxnRequest; readonly result: TxnResult }[] = [];

/** `execute`, whose result the members share. */
export function applyTxn(store: Store, txn: EtcdTxnRequest): TxnResult {
  const slot = store.revision % REMEMBERED;
  const known = applied[slot];
  if (known !== undefined && known.store === store && known.txn === txn) return known.result;
  const result = execute(store, txn);
  applied[slot] = { store, txn, result };
  return result;
}

/** Applies one transaction: compares mod_revision, then writes, or only reads. */
function execute(store: Store, txn: EtcdTxnRequest): TxnResult {
  const current = store.keys.get(txn.key);
  const verb = txn.value === undefined ? "delete" : current === undefined ? "create" : "update";
  if ((current?.modRevision ?? 0) !== txn.modRevision) return { store, succeeded: false, verb, ...(current === undefined ? {} : { kv: current }) };
  const revision = store.revision + 1;
  if (txn.value === undefined) {
    if (current === undefined) return { store, succeeded: true, verb };
    const kv: KeyValue = { ...current, modRevision: revision };
    const event: EtcdEvent = { type: "DELETE", kv, level: txn.level };
    return { store: { revision, compacted: store.compacted, keys: store.keys.delete(txn.key), history: store.history.set(`r${revision}`, event) }, succeeded: true, kv, event, verb };
  }
  const kv: KeyValue = { key: txn.key, value: txn.value, createRevision: current?.createRevision ?? revision, modRevision: revision, version: (current?.version ?? 0) + 1 };
  const event: EtcdEvent = { type: "PUT", kv, level: txn.level };
  return { store: { revision, compacted: store.compacted, keys: store.keys.set(txn.key, kv), history: store.history.set(`r${revision}`, event) }, succeeded: true, kv, event, verb };
}

/** Keys in order: one, or all that begin with `key`. */
export function range(store: Store, key: string, prefix: boolean): readonly KeyValue[] {
  if (!prefix) {
    const kv = store.keys.get(key);
    return kv === undefined ? [] : [kv];
  }
  return store.keys.values().filter((kv) => kv.key.startsWith(key)).sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Events under a prefix from `startRevision` on; undefined when that history is compacted. */
export function eventsSince(store: Store, prefix: string, startRevision: number): readonly EtcdEvent[] | undefined {
  if (startRevision < store.compacted) return undefined;
  const events: EtcdEvent[] = [];
  for (let revision = startRevision; revision <= store.revision; revision++) {
    const event = store.history.get(`r${revision}`);
    if (event?.kv.key.startsWith(prefix)) events.push(event);
  }
  return events;
}

/** Drops the events before `revision`. */
export function compact(store: Store, revision: number): Store {
  const upTo = Math.min(revision, store.revision + 1);
  if (upTo <= store.compacted) return store;
  let history = store.history;
  for (let r = store.compacted; r < upTo; r++) history = history.delete(`r${r}`);
  return { ...store, history, compacted: upTo };
}
