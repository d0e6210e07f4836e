// Models kubernetes/pkg/controller/volume/pvprotection/pv_protection_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { PersistentVolume } from "../../api/storage.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { finalizersCall } from "../persistentvolume/writes.ts";

const ID = "pv-protection-controller";
const RESOURCES = ["persistentvolumes"] as const;
const FINALIZER = "kubernetes.io/pv-protection";

const hasFinalizer = (volume: PersistentVolume): boolean => volume.metadata.finalizers?.includes(FINALIZER) ?? false;
const isCandidate = (volume: PersistentVolume): boolean => volume.metadata.deletionTimestamp !== undefined && hasFinalizer(volume);
const needsFinalizer = (volume: PersistentVolume): boolean => volume.metadata.deletionTimestamp === undefined && !hasFinalizer(volume);

function sync(key: string, view: View): Plan<string> {
  const volume = view.get<PersistentVolume>("persistentvolumes", key);
  if (!volume) return {};
  if (needsFinalizer(volume)) return { batches: [[finalizersCall(volume, [...(volume.metadata.finalizers ?? []), FINALIZER])]], next: key };
  if (!isCandidate(volume) || volume.status?.phase === "Bound") return {};
  return { batches: [[finalizersCall(volume, (volume.metadata.finalizers ?? []).filter((entry) => entry !== FINALIZER))]], next: key };
}

/** Keeps a deleted volume until it is no longer bound. */
export const createPVProtectionController = (config: ControllerConfig): Component<ControllerState<string>> =>
  createController<string, unknown>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      workers: 1,
      latency: "persistentvolume.sync",
      memory: undefined,
      handle(change) {
        const volume = change.object as PersistentVolume;
        return change.type !== "delete" && (isCandidate(volume) || needsFinalizer(volume)) ? { keys: [{ key: objectKey(volume) }] } : {};
      },
      sync,
      resume: (_key, _data, [answer]) => (answer === undefined || isSuccess(answer) || answer.status === 404 ? {} : { error: messageOf(answer) }),
    },
    config,
  );

export const pvProtectionWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
