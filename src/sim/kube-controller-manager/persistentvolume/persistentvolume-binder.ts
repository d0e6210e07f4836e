// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller_base.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { claimKeysOf, type PersistentVolume, type PersistentVolumeClaim } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Micros } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, type Plan, watchesOf } from "../controller.ts";
import { CLAIM_FINALIZER, isHeld, releaseClaim, releaseVolume, VOLUME_FINALIZER } from "./protection.ts";
import { syncClaim } from "./sync-claim.ts";
import { syncVolume } from "./sync-volume.ts";

const ID = "persistentvolume-binder";
const RESOURCES = ["persistentvolumes", "persistentvolumeclaims", "storageclasses", "pods"] as const;

function handle(change: Change, resource: string, view: View): Handled<BinderMemory> {
  const { object } = change;
  switch (resource) {
    case "persistentvolumes": {
      const volume = object as PersistentVolume;
      const ref = volume.spec.claimRef;
      const keys: Enqueue[] = [{ key: `volume:${objectKey(volume)}` }];
      if (isHeld(volume, VOLUME_FINALIZER)) keys.push({ key: `release-volume:${objectKey(volume)}` });
      if (change.type === "delete" && ref) keys.push({ key: `claim:${ref.namespace ?? ""}/${ref.name ?? ""}` });
      return { keys };
    }
    case "persistentvolumeclaims": {
      const claim = object as PersistentVolumeClaim;
      const keys: Enqueue[] = [{ key: `claim:${objectKey(claim)}` }];
      if (isHeld(claim, CLAIM_FINALIZER)) keys.push({ key: `release-claim:${objectKey(claim)}` });
      if (change.type === "delete" && claim.spec.volumeName) keys.push({ key: `volume:${claim.spec.volumeName}` });
      return { keys };
    }
    case "pods": {
      const pod = object as Pod;
      if (change.type !== "delete") return {};
      const held = claimKeysOf(pod).filter((key) => {
        const claim = view.get<PersistentVolumeClaim>("persistentvolumeclaims", key);
        return claim !== undefined && isHeld(claim, CLAIM_FINALIZER);
      });
      return held.length === 0 ? {} : { keys: held.map((key) => ({ key: `release-claim:${key}` })) };
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
function waitOnce(key: string, view: View<BinderMemory>): Plan<unknown, BinderMemory> {
  const plan = syncClaim(key, view);
  const after = plan.enqueue?.[0]?.after;
  if (after === undefined) return plan;
  if ((view.memory.resync.get(key) ?? 0) > view.now) return { ...plan, enqueue: [] };
  return { ...plan, memory: { resync: view.memory.resync.set(key, view.now + after) } };
}

function sync(key: string, view: View<BinderMemory>): Plan<unknown, BinderMemory> {
  const at = key.indexOf(":");
  const name = key.slice(at + 1);
  switch (key.slice(0, at)) {
    case "claim": return waitOnce(name, view);
    case "volume": return syncVolume(name, view);
    case "release-claim": return releaseClaim(name, view);
    default: return releaseVolume(name, view);
  }
}

/** Binds claims and volumes to each other, and releases volumes whose claims are gone. */
export const createPersistentVolumeBinder = (config: ControllerConfig): Component<ControllerState<unknown, BinderMemory>> =>
  createController<unknown, BinderMemory>(
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
    },
    config,
  );

export const persistentVolumeBinderWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
