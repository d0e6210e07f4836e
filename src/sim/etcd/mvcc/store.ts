// Models etcd/server/storage/mvcc/{kvstore,key_index,watchable_store}.go
import { customKinds } from "../../api/apiextensions/served.ts";
import { API_RESOURCES, etcdKey, resourceForKind } from "../../api/schema/resources.ts";
import { sizeOf } from "../../api/size.ts";
import type { World } from "../../api/world.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { EtcdEvent, EtcdTxnRequest, KeyValue } from "../messages.ts";

/** v3rpc ErrGRPCNoSpace. */
export const NO_SPACE = "etcdserver: mvcc: database space exceeded";
/** --quota-backend-bytes, unless it is set. */
export const QUOTA_BYTES = 2 * 1024 * 1024 * 1024;

/** One counter for the whole store: +1 for each transaction that writes. */
export interface Store {
  readonly revision: number;
  /** Events before this revision are gone: a watch cannot start there. */
  readonly compacted: number;
  readonly keys: PMap<KeyValue>;
  /** The events of each revision since `compacted`, under "r<revision>": one, or as many as a lease had keys. */
  readonly history: PMap<readonly EtcdEvent[]>;
  readonly leases: PMap<Lease>;
  /** NOSPACE is raised: puts are refused until it is cleared. */
  readonly noSpace: boolean;
  /** Bytes of the database file. It grows with each put; space of what is compacted is used again. */
  readonly size: number;
  readonly free: number;
}

export interface Lease {
  readonly id: number;
  /** Seconds. */
  readonly ttl: number;
  readonly keys: PMap<true>;
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
  const size = world.objects.reduce((sum, object) => sum + sizeOf(object), 0);
  const store: Store = { revision, compacted: revision + 1, keys, history: PMap.empty(), leases: PMap.empty(), noSpace: false, size, free: 0 };
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
    return { store: changed(store, revision, [event], store.keys.delete(txn.key), detach(store.leases, current)), succeeded: true, kv, event, verb };
  }
  const lease = txn.lease === undefined ? undefined : store.leases.get(leaseKey(txn.lease));
  const kv: KeyValue = { key: txn.key, value: txn.value, createRevision: current?.createRevision ?? revision, modRevision: revision, version: (current?.version ?? 0) + 1, ...(lease === undefined ? {} : { lease: lease.id }) };
  const event: EtcdEvent = { type: "PUT", kv, level: txn.level };
  let leases = current === undefined ? store.leases : detach(store.leases, current);
  if (lease !== undefined) leases = leases.set(leaseKey(lease.id), { ...lease, keys: lease.keys.set(txn.key, true) });
  return { store: changed(store, revision, [event], store.keys.set(txn.key, kv), leases, sizeOf(txn.value)), succeeded: true, kv, event, verb };
}

function changed(store: Store, revision: number, events: readonly EtcdEvent[], keys: Store["keys"], leases: Store["leases"], bytes = 0): Store {
  const { compacted, history, noSpace, size, free } = store;
  return { revision, compacted, keys, history: history.set(`r${revision}`, events), leases, noSpace, size: size + Math.max(0, bytes - free), free: Math.max(0, free - bytes) };
}

const leaseKey = (id: number): string => `l${id}`;

function detach(leases: Store["leases"], kv: KeyValue): Store["leases"] {
  const lease = kv.lease === undefined ? undefined : leases.get(leaseKey(kv.lease));
  return lease === undefined ? leases : leases.set(leaseKey(lease.id), { ...lease, keys: lease.keys.delete(kv.key) });
}

/** lessor.Grant: a lease without keys. */
export const grantLease = (store: Store, id: number, ttl: number): Store => ({ ...store, leases: store.leases.set(leaseKey(id), { id, ttl, keys: PMap.empty() }) });

/** lessor.Revoke: the lease and all its keys go, in one revision. */
export function revokeLease(store: Store, id: number): { readonly store: Store; readonly events: readonly EtcdEvent[] } {
  const lease = store.leases.get(leaseKey(id));
  if (lease === undefined) return { store, events: [] };
  const leases = store.leases.delete(leaseKey(id));
  const revision = store.revision + 1;
  let { keys } = store;
  const events: EtcdEvent[] = [];
  for (const [key] of lease.keys.sorted()) {
    const kv = keys.get(key);
    if (kv === undefined) continue;
    keys = keys.delete(key);
    events.push({ type: "DELETE", kv: { ...kv, modRevision: revision }, level: "source" });
  }
  return { store: events.length === 0 ? { ...store, leases } : changed(store, revision, events, keys, leases), events };
}

/** The file gives back what compaction has freed. */
export const defragment = (store: Store): Store => {
  let size = 0;
  for (const kv of store.keys.values()) size += sizeOf(kv.value);
  return { ...store, size, free: 0 };
};

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
    for (const event of store.history.get(`r${revision}`) ?? []) if (event.kv.key.startsWith(prefix)) events.push(event);
  }
  return events;
}

/** Drops the events before `revision`. */
export function compact(store: Store, revision: number): Store {
  const upTo = Math.min(revision, store.revision + 1);
  if (upTo <= store.compacted) return store;
  let { history, free } = store;
  for (let r = store.compacted; r < upTo; r++) {
    for (const { type, kv } of history.get(`r${r}`) ?? []) if (type === "PUT" && store.keys.get(kv.key)?.modRevision !== kv.modRevision) free += sizeOf(kv.value);
    history = history.delete(`r${r}`);
  }
  return { ...store, history, free, compacted: upTo };
}
