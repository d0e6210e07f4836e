// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller_base.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { claimKeysOf, type PersistentVolume, type PersistentVolumeClaim } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import { type Answer, bodyOf, type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, isSuccess, messageOf, watchesOf } from "../controller.ts";
import { bindAnswered } from "./bind.ts";
import { reclaim, reclaimRead } from "./reclaim.ts";
import { syncClaim } from "./sync-claim.ts";
import { claimRead, syncVolume } from "./sync-volume.ts";
import type { P, V, Work } from "./work.ts";
import { phaseCall } from "./writes.ts";

const ID = "persistentvolume-binder";
const RESOURCES = ["persistentvolumes", "persistentvolumeclaims", "storageclasses", "pods"] as const;

function handle(change: Change, resource: string): Handled<undefined> {
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

function sync(key: string, view: V): P {
  const at = key.indexOf(":");
  const name = key.slice(at + 1);
  return key.slice(0, at) === "claim" ? syncClaim(name, view) : syncVolume(name, view);
}

/** One write is through, or was refused. */
function written(work: Extract<Work, { step: "write" }>, answers: readonly Answer[]): P {
  const refused = answers.find((answer) => answer.sent && !isSuccess(answer));
  if (refused === undefined) return { events: work.events };
  if (work.failed === undefined) return refused.status === 404 ? {} : { error: messageOf(refused) };
  return { events: [{ object: work.failed.object, type: "Warning", reason: "ProvisioningFailed", message: `${work.failed.words}${messageOf(refused)}` }] };
}

function resume(_key: string, work: Work, answers: readonly Answer[], view: V): P {
  const [answer] = answers;
  if (work.step === "write") return written(work, answers);
  if (answer === undefined) return {};
  if (work.step === "bind") return bindAnswered(work, answer);
  if (work.step === "claim") return claimRead(work.volume, answer);
  const volume = bodyOf(answer) as PersistentVolume | undefined;
  if (work.step !== "released" && work.step !== "unbound") return reclaimRead(work, volume, view);
  if (volume === undefined) return { error: messageOf(answer) };
  if (work.step === "released") return reclaim(volume);
  const call = phaseCall(volume, "Available");
  return call === undefined ? {} : { batches: [[call]] };
}

/** Binds claims and volumes to each other, and releases volumes whose claims are gone. */
export const createPersistentVolumeBinder = (config: ControllerConfig): Component<ControllerState<Work, undefined>> =>
  createController<Work, undefined>(
    {
      id: ID,
      account: "persistent-volume-binder",
      eventSource: "persistentvolume-controller",
      resources: RESOURCES,
      indexers: { podsByClaim: { resource: "pods", values: (object) => claimKeysOf(object as Pod) } },
      workers: 1,
      latency: "persistentvolume.sync",
      memory: undefined,
      handle,
      sync,
      resume,
    },
    config,
  );

export const persistentVolumeBinderWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
