// Models kubernetes/pkg/controller/volume/vacprotection/vac_protection_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/storage.ts";
import type { KubeObject } from "../../api/types.ts";
import type { World } from "../../api/world.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, lazyWatchesOf, type Plan } from "../controller.ts";
import { objectPath, subjectOf } from "../resources.ts";

const ID = "volumeattributesclass-protection-controller";
const RESOURCES = ["volumeattributesclasses", "persistentvolumeclaims", "persistentvolumes"] as const;
const FINALIZER = "kubernetes.io/vac-protection";

const holds = (object: KubeObject): boolean => object.metadata.finalizers?.includes(FINALIZER) ?? false;
const isLeaving = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;

/** Classes of volume attributes that a claim or a volume names: what is wanted, what is, and what is under way. */
function namesOf(object: KubeObject): readonly string[] {
  const { spec, status } = object as PersistentVolumeClaim | PersistentVolume;
  const wanted = spec.volumeAttributesClassName;
  const claim = object.kind === "PersistentVolumeClaim" ? (status as PersistentVolumeClaim["status"]) : undefined;
  return [wanted, claim?.currentVolumeAttributesClassName, claim?.modifyVolumeStatus?.targetVolumeAttributesClassName].flatMap((name) => name || []);
}

function handle(change: Change, resource: string): Handled<undefined> {
  if (resource === "volumeattributesclasses") return change.type !== "delete" && isLeaving(change.object) === holds(change.object) ? { keys: [{ key: objectKey(change.object) }] } : {};
  if (change.type === "add") return {};
  // Only who stops naming a class can let it go.
  const now = change.type === "delete" ? [] : namesOf(change.object);
  const keys = namesOf(change.type === "update" ? change.old : change.object).filter((name) => !now.includes(name)).map((key) => ({ key }));
  return keys.length === 0 ? {} : { keys };
}

function put(object: KubeObject, finalizers: readonly string[]): ApiCall {
  const { finalizers: _old, ...metadata } = object.metadata;
  return { method: "PUT", path: objectPath(object), body: { ...object, metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers } }, subject: subjectOf(object), level: "basic" };
}

function sync(key: string, view: View<undefined>): Plan<never, undefined> {
  const found = view.get<KubeObject>("volumeattributesclasses", key);
  if (!found || isLeaving(found) !== holds(found)) return {};
  const finalizers = found.metadata.finalizers ?? [];
  if (!isLeaving(found)) return { batches: [[put(found, [...finalizers, FINALIZER])]] };
  const [user] = [...view.byIndex<KubeObject>("volumesByClass", key), ...view.byIndex<KubeObject>("claimsByClass", key)];
  if (user === undefined) return { batches: [[put(found, finalizers.filter((entry) => entry !== FINALIZER))]] };
  return { notes: [{ text: `Class ${key} stays Terminating: ${subjectOf(user)} names it`.slice(0, 138), why: `Its finalizer ${FINALIZER} keeps it`, level: "basic", subject: subjectOf(found), status: "idle" }] };
}

/** Keeps a deleted VolumeAttributesClass until no volume and no claim names it. */
export const createVACProtectionController = (config: ControllerConfig): Component<ControllerState<never, undefined>> =>
  createController<never, undefined>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      lazy: true,
      indexers: { claimsByClass: { resource: "persistentvolumeclaims", values: namesOf }, volumesByClass: { resource: "persistentvolumes", values: namesOf } },
      workers: 1,
      latency: "persistentvolume.sync",
      memory: undefined,
      handle,
      sync,
    },
    config,
  );

export const vacProtectionWatches = (world?: World): WatchSpec[] => lazyWatchesOf(ID, RESOURCES, world);
