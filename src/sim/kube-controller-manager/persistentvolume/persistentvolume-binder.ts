// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller_base.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { claimKeysOf, type PersistentVolume, type PersistentVolumeClaim } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, type Plan, watchesOf } from "../controller.ts";
import { isPodTerminal } from "../pods.ts";
import { CLAIM_FINALIZER, isHeld, releaseClaim, releaseVolume, VOLUME_FINALIZER } from "./protection.ts";
import { syncClaim } from "./sync-claim.ts";
import { syncVolume } from "./sync-volume.ts";

const ID = "persistentvolume-binder";
const RESOURCES = ["persistentvolumes", "persistentvolumeclaims", "storageclasses", "pods"] as const;

function handle(change: Change, resource: string, view: View): Handled<unknown> {
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
      if (change.type !== "delete" && !isPodTerminal(pod)) return {};
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

function sync(key: string, view: View): Plan<unknown> {
  const at = key.indexOf(":");
  const name = key.slice(at + 1);
  switch (key.slice(0, at)) {
    case "claim": return syncClaim(name, view);
    case "volume": return syncVolume(name, view);
    case "release-claim": return releaseClaim(name, view);
    default: return releaseVolume(name, view);
  }
}

/** Binds claims and volumes to each other, and releases volumes whose claims are gone. */
export const createPersistentVolumeBinder = (config: ControllerConfig): Component<ControllerState> =>
  createController<unknown, unknown>(
    {
      id: ID,
      account: ID,
      eventSource: "persistentvolume-controller",
      resources: RESOURCES,
      indexers: { podsByClaim: { resource: "pods", values: (object) => claimKeysOf(object as Pod) } },
      workers: 1,
      latency: "persistentvolume.sync",
      memory: undefined,
      handle,
      sync,
    },
    config,
  );

export const persistentVolumeBinderWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
