// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller_base.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { claimKeysOf, type PersistentVolume, type PersistentVolumeClaim } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Micros } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, type Plan, watchesOf } from "../controller.ts";
import { syncClaim } from "./sync-claim.ts";
import { resumeVolume, syncVolume, type VolumeWork } from "./sync-volume.ts";

const ID = "persistentvolume-binder";
const RESOURCES = ["persistentvolumes", "persistentvolumeclaims", "storageclasses", "pods"] as const;

function handle(change: Change, resource: string): Handled<BinderMemory> {
  const { object } = change;
  switch (resource) {
    case "persistentvolumes": {
      const volume = object as PersistentVolume;
      const ref = volume.spec.claimRef;
      const keys: Enqueue[] = [{ key: `volume:${objectKey(volume)}` }];
      if (change.type === "delete" && ref) keys.push({ key: `claim:${ref.namespace ?? ""}/${ref.name ?? ""}` });
      return { keys };
    }
    case "persistentvolumeclaims": {
      const claim = object as PersistentVolumeClaim;
      const keys: Enqueue[] = [{ key: `claim:${objectKey(claim)}` }];
      if (change.type === "delete" && claim.spec.volumeName) keys.push({ key: `volume:${claim.spec.volumeName}` });
      return { keys };
    }
    default:
      return {};
  }
}

/** When each waiting claim will be looked at again. */
export interface BinderMemory {
  readonly resync: PMap<Micros>;
}

/** A claim waits with one timer, however often it was looked at meanwhile. */
function waitOnce(key: string, view: View<BinderMemory>): Plan<VolumeWork, BinderMemory> {
  const plan = syncClaim(key, view);
  const after = plan.enqueue?.[0]?.after;
  if (after === undefined) return plan;
  if ((view.memory.resync.get(key) ?? 0) > view.now) return { ...plan, enqueue: [] };
  return { ...plan, memory: { resync: view.memory.resync.set(key, view.now + after) } };
}

function sync(key: string, view: View<BinderMemory>): Plan<VolumeWork, BinderMemory> {
  const at = key.indexOf(":");
  const name = key.slice(at + 1);
  return key.slice(0, at) === "claim" ? waitOnce(name, view) : syncVolume(name, view);
}

/** Binds claims and volumes to each other, and releases volumes whose claims are gone. */
export const createPersistentVolumeBinder = (config: ControllerConfig): Component<ControllerState<VolumeWork, BinderMemory>> =>
  createController<VolumeWork, BinderMemory>(
    {
      id: ID,
      account: "persistent-volume-binder",
      eventSource: "persistentvolume-controller",
      resources: RESOURCES,
      indexers: { podsByClaim: { resource: "pods", values: (object) => claimKeysOf(object as Pod) } },
      workers: 1,
      latency: "persistentvolume.sync",
      memory: { resync: PMap.empty() },
      handle,
      sync,
      resume: (_key, work, answers, view) => resumeVolume(work, answers, view),
    },
    config,
  );

export const persistentVolumeBinderWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
