// Models kubernetes/pkg/controller/garbagecollector/garbagecollector.go
import type { WatchSpec } from "../../api/http.ts";
import type { KubeObject } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, type Plan, reasonOf, watchesOf } from "../controller.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { dependentsOf, getItem, hasFinalizer, isDeletingDependents, isNew, isOrphaning, itemKey, MONITORED, ownerIndexers, ownerState, resourceOf } from "./graph.ts";

const ID = "garbage-collector";

const attempt = (object: KubeObject): Enqueue => ({ key: `delete ${itemKey(resourceOf(object), object)}` });

/** Owners that wait in foreground deletion for this object. */
function waitingOwners(object: KubeObject, view: View): Enqueue[] {
  return (object.metadata.ownerReferences ?? []).filter((owner) => ownerState(view, owner, object.metadata.namespace) === "waiting").map((owner) => ({ key: `delete ${MONITORED.find((resource) => view.get(resource, `${object.metadata.namespace ?? ""}/${owner.name}`)?.metadata.uid === owner.uid) ?? ""} ${object.metadata.namespace ?? ""}/${owner.name}` }));
}

function handle(change: Change, _resource: string, view: View): Handled<unknown> {
  const { object } = change;
  if (change.type === "delete") return { keys: [...dependentsOf(view, object.metadata.uid ?? "").map(attempt), ...waitingOwners(object, view)] };
  const old = change.type === "update" ? change.old : undefined;
  const owners = object.metadata.ownerReferences;
  if (object.metadata.deletionTimestamp !== undefined && old?.metadata.deletionTimestamp === undefined) {
    if (isOrphaning(object)) return { keys: [{ key: `orphan ${itemKey(resourceOf(object), object)}` }] };
    if (isDeletingDependents(object)) return { keys: [...dependentsOf(view, object.metadata.uid ?? "").map(attempt), attempt(object)] };
  }
  if (old === undefined) return owners !== undefined && isNew(object) && owners.some((owner) => ownerState(view, owner, object.metadata.namespace) !== "solid") ? { keys: [attempt(object)] } : {};
  // A dependent that lost its owner may have been the last that an owner waited for.
  if (old.metadata.ownerReferences === owners) return {};
  return { keys: [...(owners === undefined ? [] : [attempt(object)]), ...waitingOwners(old, view)] };
}

function sync(key: string, view: View): Plan {
  const at = key.indexOf(" ");
  const object = getItem(view, key.slice(at + 1));
  if (!object) return {};
  return key.startsWith("orphan ") ? orphanDependents(object, view) : attemptToDelete(object, view);
}

const patchMetadata = (object: KubeObject, metadata: Readonly<Record<string, unknown>>): ApiCall => ({
  method: "PATCH",
  path: objectPath(object),
  contentType: "application/merge-patch+json",
  body: { metadata: { ...metadata, uid: object.metadata.uid } },
  subject: subjectOf(object),
});

function withoutFinalizer(object: KubeObject, name: string): ApiCall {
  const rest = (object.metadata.finalizers ?? []).filter((entry) => entry !== name);
  return patchMetadata(object, { finalizers: rest.length === 0 ? null : rest });
}

function withoutOwners(object: KubeObject, gone: (uid: string) => boolean): ApiCall {
  const rest = (object.metadata.ownerReferences ?? []).filter((owner) => !gone(owner.uid));
  return patchMetadata(object, { ownerReferences: rest.length === 0 ? null : rest });
}

/** attemptToDeleteItem: an object lives while one solid owner does. Simplified: upstream re-reads item and absent owners from the server first. */
function attemptToDelete(object: KubeObject, view: View): Plan {
  const uid = object.metadata.uid ?? "";
  if (isDeletingDependents(object)) return processDeletingDependents(object, view);
  if (object.metadata.deletionTimestamp !== undefined) return {};
  const owners = object.metadata.ownerReferences ?? [];
  if (owners.length === 0) return {};
  const states = owners.map((owner) => ({ owner, state: ownerState(view, owner, object.metadata.namespace) }));
  const gone = states.filter((entry) => entry.state !== "solid").map((entry) => entry.owner.uid);
  if (gone.length === 0) return {};
  if (gone.length < owners.length) return { batches: [[withoutOwners(object, (owner) => gone.includes(owner))]], next: "patch" };
  const foreground = states.some((entry) => entry.state === "waiting") && dependentsOf(view, uid).length > 0;
  const propagationPolicy = hasFinalizer(object, "orphan") ? "Orphan" : foreground || hasFinalizer(object, "foregroundDeletion") ? "Foreground" : "Background";
  const name = object.metadata.name ?? "";
  const note: Note = { text: `garbage-collector deletes ${object.kind} ${name}`, why: `its owner ${owners[0]?.kind ?? ""} ${owners[0]?.name ?? ""} ${states[0]?.state === "waiting" ? "waits for it (foreground deletion)" : "does not exist any more"}`, level: object.kind === "EndpointSlice" ? "operator" : "basic", subject: subjectOf(object) };
  return { batches: [[{ method: "DELETE", path: objectPath(object), body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy, preconditions: { uid } }, subject: subjectOf(object) }]], notes: [note], next: "delete" };
}

function processDeletingDependents(object: KubeObject, view: View): Plan {
  const uid = object.metadata.uid ?? "";
  const blocking = dependentsOf(view, uid).filter((dependent) => dependent.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion));
  if (blocking.length > 0) return { enqueue: blocking.filter((dependent) => !isDeletingDependents(dependent) && dependent.metadata.deletionTimestamp === undefined).map(attempt) };
  const note: Note = { text: `garbage-collector lets ${object.kind} ${object.metadata.name ?? ""} go`, why: "foreground deletion: none of its dependents is left", subject: subjectOf(object) };
  return { batches: [[withoutFinalizer(object, "foregroundDeletion")]], notes: [note], next: "finalizer" };
}

/** orphanDependents: the references to the owner are removed, then the owner may go. */
function orphanDependents(object: KubeObject, view: View): Plan {
  if (!isOrphaning(object)) return {};
  const uid = object.metadata.uid ?? "";
  const dependents = dependentsOf(view, uid);
  const note: Note = { text: `garbage-collector orphans ${dependents.length} dependents of ${object.kind} ${object.metadata.name ?? ""}`, why: "propagationPolicy Orphan: they live on without an owner", level: "basic", subject: subjectOf(object) };
  return { batches: [dependents.map((dependent) => withoutOwners(dependent, (owner) => owner === uid)), [withoutFinalizer(object, "orphan")]], notes: [note], next: "orphan" };
}

/** Deletes what nobody owns any more, and holds or releases owners by the way they were deleted. */
export const createGarbageCollector = (config: ControllerConfig): Component<ControllerState> =>
  createController<unknown, unknown>(
    {
      id: ID,
      account: "generic-garbage-collector",
      eventSource: "garbage-collector-controller",
      resources: MONITORED,
      indexers: ownerIndexers,
      workers: 20,
      latency: "garbagecollector.sync",
      memory: undefined,
      handle,
      sync,
      resume: (_key, _data, answers) => {
        const error = reasonOf(answers.filter((answer) => answer.status !== 404));
        return error === undefined ? {} : { error };
      },
    },
    config,
  );

export const garbageCollectorWatches = (): WatchSpec[] => watchesOf(ID, MONITORED);
