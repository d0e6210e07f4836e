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
}

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";

/** Finalizers that the propagation policy asks for. */
function withPropagation(object: KubeObject, policy: string | undefined): KubeObject {
  const finalizers = (object.metadata.finalizers ?? []).filter((name) => policy === undefined || (name !== FOREGROUND && name !== ORPHAN));
  if (policy === "Foreground") finalizers.push(FOREGROUND);
  if (policy === "Orphan") finalizers.push(ORPHAN);
  return finalizers.length === (object.metadata.finalizers ?? []).length && policy === undefined ? object : { ...object, metadata: { ...object.metadata, finalizers } };
}

function marked(object: KubeObject, grace: number, now: Micros): KubeObject {
  const { metadata } = object;
  const generation = metadata.generation === undefined ? {} : { generation: metadata.generation + 1 };
  return { ...object, metadata: { ...metadata, ...generation, deletionTimestamp: rfc3339(now + grace * SECOND), deletionGracePeriodSeconds: grace } };
}

/** What a DELETE does to the stored object. `now` in microseconds. Namespaces are not handled here: they have a phase of their own. */
export function beforeDelete(stored: KubeObject, request: DeleteRequest, now: Micros): DeleteOutcome {
  const object = withPropagation(stored, request.propagationPolicy);
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
