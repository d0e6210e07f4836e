import type { HttpRequest, HttpResponse } from "../../../sim/api/http.ts";
import type { KubeObject } from "../../../sim/api/types.ts";
import type { EtcdTxnResponse, KeyValue } from "../../../sim/etcd/messages.ts";
import type { PMap } from "../../../sim/kernel/pmap.ts";
import { broken, type Invariant, type SoakRun, subjectOf } from "./invariant.ts";

const DELIVERED = 1;
/** Longer than a heartbeat of raft, slow disks and links included. */
const RECENT = 2_000_000;

/** What is read of a member. */
interface Member {
  readonly store: { readonly revision: number; readonly keys: PMap<KeyValue> };
  readonly raft: { readonly commit: number };
}

const membersOf = ({ sim, trace, until }: SoakRun): readonly (readonly [string, Member])[] => trace.components.filter((id) => id.startsWith("etcd-")).map((id) => [id, sim.stateAt(id, until) as Member]);

/** Revisions of the run by number: a lease that ends has several keys in one. */
function recorded({ trace, base }: SoakRun): ReadonlyMap<number, readonly { readonly key: string; readonly uid: string | undefined }[]> {
  const byNumber = new Map<number, { key: string; uid: string | undefined }[]>();
  for (const { revision, key, object } of [...base, ...trace.revisions]) {
    const entry = { key, uid: (object as KubeObject | undefined)?.metadata?.uid };
    const list = byNumber.get(revision);
    if (list) list.push(entry);
    else byNumber.set(revision, [entry]);
  }
  return byNumber;
}

/** All that etcd said yes to is in its history, and its members end with one store that holds it. */
export const storedWrites: Invariant = {
  id: "stored-writes",
  says: "no write that etcd acknowledged is lost",
  check(run) {
    const { trace, until } = run;
    const found: string[] = [];
    const members = membersOf(run);
    const revisions = recorded(run);
    // Followers learn of the last commit with the leader's next message.
    const recent = new Set(trace.revisions.flatMap(({ key }, i) => (until - trace.notes.at.get(trace.revisionNotes[i] ?? -1) < RECENT ? [key] : [])));
    const old = Math.max(0, ...trace.revisions.flatMap(({ revision, key }) => (recent.has(key) ? [] : [revision])));
    for (const [id, { store }] of members) if (store.revision < old) found.push(broken(until, id, `is at revision ${store.revision}, but ${old} was applied long ago`));
    let before = 0;
    for (const { revision, key } of trace.revisions) {
      if (before !== 0 && revision !== before && revision !== before + 1) found.push(broken(trace.end, subjectOf(key), `revision ${revision} follows revision ${before}`));
      before = revision;
    }
    for (let id = 0; id < trace.mailCount; id++) {
      const message = trace.payloads[id] as Partial<EtcdTxnResponse>;
      if (message.type !== "etcd.txn.response" || message.succeeded !== true || message.kv === undefined) continue;
      const { key, modRevision } = message.kv;
      const at = trace.mail.dueAt.get(id);
      if (!(revisions.get(modRevision)?.some((entry) => entry.key === key) ?? false)) found.push(broken(at, subjectOf(key), `etcd acknowledged revision ${modRevision}, which is not in its history`));
    }
    // What the recording ends with is what the store holds.
    const ends = new Map<string, number>();
    for (const { key, revision, verb } of [...run.base, ...trace.revisions]) {
      if (verb === "delete") ends.delete(key);
      else ends.set(key, revision);
    }
    for (const [id, { store }] of members) {
      for (const [key, revision] of ends) if (!recent.has(key) && store.keys.get(key)?.modRevision !== revision) found.push(broken(until, subjectOf(key), `${id} holds revision ${store.keys.get(key)?.modRevision ?? "none"}, the last one written is ${revision}`));
      for (const kv of store.keys.values()) if (!ends.has(kv.key) && !recent.has(kv.key)) found.push(broken(until, subjectOf(kv.key), `${id} holds what was deleted or never written`));
    }
    return found;
  },
};

/** Answers whose object is not stored under the path that was asked. */
const NOT_STORED = /\/(?:tokenreviews|subjectaccessreviews|selfsubject\w+|localsubject\w+|scale|binding|eviction|token|exec|log|proxy)$/;

/** What a client was told is stored was stored, as the very object that it was told. */
export const acknowledgedWrites: Invariant = {
  id: "acknowledged-writes",
  says: "every write answered 2xx has its revision",
  check(run) {
    const { trace } = run;
    const { mail } = trace;
    const revisions = recorded(run);
    const found: string[] = [];
    for (let id = 0; id < trace.mailCount; id++) {
      const response = trace.payloads[id] as HttpResponse;
      if (response.type !== "http.response" || response.status < 200 || response.status > 299 || mail.outcome.get(id) !== DELIVERED) continue;
      const request = trace.payloads[response.request] as HttpRequest;
      if (request.type !== "http.request" || request.method === "GET" || request.query?.["dryRun"] !== undefined || NOT_STORED.test(request.path)) continue;
      const { metadata, kind } = (response.body ?? {}) as Partial<KubeObject>;
      if (metadata?.resourceVersion === undefined || metadata.uid === undefined || kind?.endsWith("List") === true) continue;
      const entries = revisions.get(Number(metadata.resourceVersion)) ?? [];
      if (!entries.some(({ uid }) => uid === undefined || uid === metadata.uid)) found.push(broken(mail.dueAt.get(id), `${kind ?? ""}/${metadata.namespace ?? ""}/${metadata.name ?? ""}`, `${request.method} ${request.path} was answered ${response.status} with revision ${metadata.resourceVersion}, which is ${entries.length === 0 ? "not in etcd's history" : "another object's"}`));
    }
    return found;
  },
};
