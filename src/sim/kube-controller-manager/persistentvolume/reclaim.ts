// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go (reclaimVolume, unbindVolume, recycleVolumeOperation, deleteVolumeOperation)
import { BOUND_BY_CONTROLLER, type PersistentVolume, type PersistentVolumeClaim, PROVISIONED_BY } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import { isPodTerminated } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { isMigrated } from "./migrated.ts";
import { nextResync } from "./resync.ts";
import type { P, V, Work } from "./work.ts";
import { finalizersCall, phaseCall, updateCall } from "./writes.ts";

const IN_TREE = "kubernetes.io/pv-controller";
const nameOf = (volume: PersistentVolume): string => volume.metadata.name ?? "";

/** updateVolumePhaseWithEvent: the event comes only with the change. */
function fail(volume: PersistentVolume, reason: string, message: string): P {
  const call = phaseCall(volume, "Failed", message);
  return call === undefined ? {} : { batches: [[call]], next: { step: "write", events: [{ object: volume, type: "Warning", reason, message }] } };
}

const read = (volume: PersistentVolume, step: "recycle" | "delete" | "finalizer"): P => ({ batches: [[{ method: "GET", path: objectPath(volume), subject: subjectOf(volume) }]], next: { step, volume } });

/** What the reclaim policy asks for: Retain nothing, Recycle and Delete a plugin's work. */
export function reclaim(volume: PersistentVolume): P {
  if (isMigrated(volume)) return {};
  switch (volume.spec.persistentVolumeReclaimPolicy ?? "Retain") {
    case "Retain": return {};
    case "Recycle": return read(volume, "recycle");
    case "Delete": return deletable(volume);
    default: return fail(volume, "VolumeUnknownReclaimPolicy", "Volume has unrecognized PersistentVolumeReclaimPolicy");
  }
}

/** findDeletablePlugin: external provisioners delete what is theirs. */
function deletable(volume: PersistentVolume): P {
  const provisioner = volume.metadata.annotations?.[PROVISIONED_BY] ?? "";
  if (provisioner !== "" && !provisioner.startsWith("kubernetes.io/")) return {};
  if (provisioner !== "" && provisioner !== "kubernetes.io/host-path") return fail(volume, "VolumeFailedDelete", `no volume plugin matched name: ${provisioner}`);
  if (volume.spec.csi) return {};
  if (!volume.spec.hostPath) return fail(volume, "VolumeFailedDelete", `error getting deleter volume plugin for volume "${nameOf(volume)}": no deletable volume plugin matched`);
  return read(volume, "delete");
}

/** isVolumeReleased: its claim is gone, or bound to another volume. */
function isReleased(volume: PersistentVolume, view: V): boolean {
  const ref = volume.spec.claimRef;
  if ((ref?.uid ?? "") === "") return false;
  const claim = view.get<PersistentVolumeClaim>("persistentvolumeclaims", `${ref?.namespace ?? ""}/${ref?.name ?? ""}`);
  if (claim?.metadata.uid !== ref?.uid) return true;
  return (claim?.spec.volumeName ?? "") !== "" && claim?.spec.volumeName !== nameOf(volume);
}

/** The volume as the server has it. */
export function reclaimRead({ step, volume: old }: Extract<Work, { step: "recycle" | "delete" | "finalizer" }>, volume: PersistentVolume | undefined, view: V): P {
  if (volume === undefined) return {};
  if (step === "finalizer") return withoutFinalizer(volume);
  if (!isReleased(volume, view)) return {};
  if (step === "recycle") return recycle(old, volume, view);
  const path = volume.spec.hostPath?.path ?? "";
  if (!/\/tmp\/.+/.test(path)) return fail(volume, "VolumeFailedDelete", `host_path deleter only supports /tmp/.+ but received provided ${path}`);
  return read(volume, "finalizer");
}

function withoutFinalizer(volume: PersistentVolume): P {
  const finalizers = volume.metadata.finalizers ?? [];
  const remove = { method: "DELETE", path: objectPath(volume), subject: subjectOf(volume), level: "basic" } as const;
  return { batches: [...(finalizers.includes(IN_TREE) ? [[finalizersCall(volume, finalizers.filter((entry) => entry !== IN_TREE))]] : []), [remove]], next: { step: "write", events: [] } };
}

function recycle(old: PersistentVolume, volume: PersistentVolume, view: V): P {
  const ref = volume.spec.claimRef;
  const key = `${ref?.namespace ?? ""}/${ref?.name ?? ""}`;
  const users = view.byIndex<Pod>("podsByClaim", key).filter((pod) => !isPodTerminated(pod)).map((pod) => `${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`);
  if (users.length > 0 && view.get("persistentvolumeclaims", key) === undefined) {
    return { events: [{ object: old, type: "Normal", reason: "VolumeFailedRecycle", message: `Volume is used by pods: ${users.join(",")}` }], enqueue: [{ key: `volume:${nameOf(volume)}`, after: nextResync(view.now) }] };
  }
  if (!volume.spec.hostPath && !volume.spec.nfs) return fail(volume, "VolumeFailedRecycle", "No recycler plugin found for the volume!");
  // Simplified: upstream runs a Pod that empties the directory first, and tells the volume what happens to that Pod.
  return { ...unbind(volume), events: [{ object: volume, type: "Normal", reason: "VolumeRecycled", message: "Volume recycled" }] };
}

/** Free again: what the controller had chosen loses its claimRef, what a user wrote only the claim's uid. Its phase follows. */
export function unbind(volume: PersistentVolume): P {
  const annotations = volume.metadata.annotations;
  const chosen = annotations?.[BOUND_BY_CONTROLLER] !== undefined;
  const left = Object.keys(annotations ?? {}).length > 1;
  return { batches: [[updateCall(volume, chosen ? { metadata: { annotations: left ? { [BOUND_BY_CONTROLLER]: null } : null }, spec: { claimRef: null } } : { spec: { claimRef: { uid: null } } })]], next: { step: "unbound" } };
}
