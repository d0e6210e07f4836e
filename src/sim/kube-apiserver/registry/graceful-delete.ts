// Models kubernetes/staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go (BeforeDelete) and generic/registry/store.go
import { parseRfc3339, rfc3339, type Micros, SECOND } from "../../api/time.ts";
import type { KubeObject, Pod } from "../../api/types.ts";
import { podDeletionGrace } from "./pods.ts";

export type DeleteOutcome =
  /** The object goes now. */
  | { readonly type: "remove" }
  /** The object stays, marked: the kubelet or a finalizer's owner ends it. */
  | { readonly type: "mark"; readonly object: KubeObject }
  /** A second DELETE that changes nothing. */
  | { readonly type: "unchanged" };

export interface DeleteRequest {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
}

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";
/** DefaultGarbageCollectionPolicy: kinds whose dependents have always lived on when nobody said otherwise. */
const ORPHANING = new Set(["batch/v1/Job", "v1/ReplicationController"]);
/** Kinds that own nothing: no finalizer is set for them. */
const OWNERLESS = new Set(["v1/Event", "events.k8s.io/v1/Event"]);

/** deletionFinalizersForGarbageCollection: an explicit wish, else a finalizer that is there, else what the kind does by default. */
function propagationOf({ apiVersion, kind, metadata: { finalizers = [] } }: KubeObject, { propagationPolicy, orphanDependents }: DeleteRequest): string {
  const id = `${apiVersion}/${kind}`;
  if (OWNERLESS.has(id)) return "Background";
  if (orphanDependents !== undefined) return orphanDependents ? "Orphan" : "Background";
  if (propagationPolicy !== undefined) return propagationPolicy;
  if (finalizers.includes(ORPHAN)) return "Orphan";
  if (finalizers.includes(FOREGROUND)) return "Foreground";
  return ORPHANING.has(id) ? "Orphan" : "Background";
}

/** The object with the finalizer that its propagation needs, and no other of these; the same one when nothing changes. */
function withPropagation(object: KubeObject, request: DeleteRequest): KubeObject {
  const finalizers = object.metadata.finalizers ?? [];
  const policy = propagationOf(object, request);
  const wanted = policy === "Orphan" ? ORPHAN : policy === "Foreground" ? FOREGROUND : "";
  const kept = finalizers.filter((name) => name === wanted || (name !== FOREGROUND && name !== ORPHAN));
  const next = wanted === "" || kept.includes(wanted) ? kept : [...kept, wanted];
  return next.length === finalizers.length && next.every((name, i) => name === finalizers[i]) ? object : { ...object, metadata: { ...object.metadata, finalizers: next } };
}

function marked(object: KubeObject, grace: number, now: Micros): KubeObject {
  const { metadata } = object;
  const generation = metadata.generation === undefined ? {} : { generation: metadata.generation + 1 };
  return { ...object, metadata: { ...metadata, ...generation, deletionTimestamp: rfc3339(now + grace * SECOND), deletionGracePeriodSeconds: grace } };
}

/** What a DELETE does to the stored object. `now` in microseconds. Namespaces are not handled here: they have a phase of their own. */
export function beforeDelete(stored: KubeObject, request: DeleteRequest, now: Micros): DeleteOutcome {
  const object = withPropagation(stored, request);
  const graceful = object.apiVersion === "v1" && object.kind === "Pod";
  const grace = graceful ? podDeletionGrace(object as Pod, request.gracePeriodSeconds) : 0;
  const pending = (object.metadata.finalizers ?? []).length > 0;
  const already = object.metadata.deletionTimestamp;
  if (already === undefined) {
    if (grace === 0 && !pending) return { type: "remove" };
    return { type: "mark", object: marked(object, grace, now) };
  }
  const current = object.metadata.deletionGracePeriodSeconds ?? 0;
  // A second DELETE may only bring the end nearer; grace 0 is the kubelet saying that it is done.
  if (grace === 0) {
    if (!pending) return { type: "remove" };
    if (current === 0) return object === stored ? { type: "unchanged" } : { type: "mark", object };
    return { type: "mark", object: { ...object, metadata: { ...object.metadata, deletionGracePeriodSeconds: 0, deletionTimestamp: rfc3339(now) } } };
  }
  if (grace >= current) return { type: "unchanged" };
  const started = parseRfc3339(already) - current * SECOND;
  return { type: "mark", object: { ...object, metadata: { ...object.metadata, deletionTimestamp: rfc3339(started + grace * SECOND), deletionGracePeriodSeconds: grace } } };
}
