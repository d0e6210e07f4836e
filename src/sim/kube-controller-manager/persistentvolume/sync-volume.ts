// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go (syncVolume, unbindVolume, reclaimVolume)
import { BOUND_BY_CONTROLLER, type PersistentVolume, type PersistentVolumeClaim, PROVISIONED_BY } from "../../api/storage.ts";
import { applyJsonMergePatch } from "../../api/patch.ts";
import { rfc3339 } from "../../api/time.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, isSuccess, messageOf, type Plan } from "../controller.ts";
import { objectPath, pathOf, subjectOf } from "../resources.ts";
import { phaseCall, statusCall } from "./bind.ts";

/** The server is asked whether a claim that the cache does not know is really gone; or a write follows that may fail. */
export type VolumeWork = { readonly step: "claim"; readonly volume: PersistentVolume } | { readonly step: "written" };

type VolumePlan = Pick<Plan<VolumeWork>, "batches" | "next" | "events" | "notes" | "enqueue" | "error">;

const modeOf = (object: PersistentVolume | PersistentVolumeClaim): string => object.spec.volumeMode ?? "Filesystem";
const nameOf = (object: { readonly metadata: { readonly name?: string } }): string => object.metadata.name ?? "";
const isOver = (volume: PersistentVolume): boolean => volume.status?.phase === "Released" || volume.status?.phase === "Failed";

/** One look at a volume: is it free, bound, or released by a claim that is gone? */
export function syncVolume(key: string, view: View): VolumePlan {
  const volume = view.get<PersistentVolume>("persistentvolumes", key);
  if (!volume) return {};
  const ref = volume.spec.claimRef;
  if (!ref || (ref.uid ?? "") === "") return phase(volume, "Available", view.now);
  const { namespace = "", name = "" } = ref;
  const claim = view.get<PersistentVolumeClaim>("persistentvolumeclaims", `${namespace}/${name}`);
  if (claim === undefined || claim.metadata.uid !== ref.uid) {
    if (isOver(volume)) return reclaim(volume, view.now);
    return { batches: [[{ method: "GET", path: pathOf("PersistentVolumeClaim", namespace, name), subject: `persistentvolumeclaim/${namespace}/${name}` }]], next: { step: "claim", volume } };
  }
  if ((claim.spec.volumeName ?? "") === "") {
    if (modeOf(claim) !== modeOf(volume)) return { events: modeEvents(volume, claim) };
    // The claim's own sync completes the binding.
    return { enqueue: [{ key: `claim:${namespace}/${name}` }] };
  }
  if (claim.spec.volumeName === key) return phase(volume, "Bound", view.now);
  if (volume.metadata.annotations?.[PROVISIONED_BY] !== undefined && volume.spec.persistentVolumeReclaimPolicy === "Delete") return isOver(volume) ? reclaim(volume, view.now) : release(volume, view.now);
  return unbind(volume, view.now);
}

/** The server's word on the claim. */
export function resumeVolume(work: VolumeWork, answers: readonly Answer[], view: View): VolumePlan {
  const failed = answers.find((answer) => answer.sent && !isSuccess(answer) && answer.status !== 404);
  if (failed) return { error: messageOf(failed) };
  if (work.step === "written") return {};
  const [answer] = answers;
  const found = answer && isSuccess(answer) ? (answer.body as PersistentVolumeClaim) : undefined;
  // The cache will hear of it.
  return found?.metadata.uid === work.volume.spec.claimRef?.uid ? {} : release(work.volume, view.now);
}

const warning = (object: PersistentVolume | PersistentVolumeClaim, reason: string, message: string): EventToRecord => ({ object, type: "Warning", reason, message });

const modeEvents = (volume: PersistentVolume, claim: PersistentVolumeClaim): readonly EventToRecord[] => [
  warning(volume, "VolumeMismatch", `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${nameOf(claim)}" due to incompatible volumeMode.`),
  warning(claim, "VolumeMismatch", `Cannot bind PersistentVolume "${nameOf(volume)}" to requested PersistentVolumeClaim due to incompatible volumeMode.`),
];

function phase(volume: PersistentVolume, to: "Available" | "Bound", now: Micros): VolumePlan {
  return volume.status?.phase === to ? {} : { batches: [[phaseCall(volume, to, now)]] };
}

/** The claim is gone. What the reclaim policy asks for follows when the cache shows the volume as Released. */
function release(volume: PersistentVolume, now: Micros): VolumePlan {
  const policy = volume.spec.persistentVolumeReclaimPolicy ?? "Retain";
  return {
    batches: [[phaseCall(volume, "Released", now)]],
    next: { step: "written" },
    notes: [{
      text: `persistentvolume-binder marks volume ${nameOf(volume)} as Released`.slice(0, 138),
      why: policy === "Delete" ? "Its claim is gone; the reclaim policy Delete lets the provisioner remove the disk" : `Its claim is gone; the reclaim policy ${policy} ${policy === "Retain" ? "keeps the data, and nobody can claim it until the claimRef is taken away" : "empties it for the next claim"}`,
      level: "basic", subject: subjectOf(volume), status: "idle",
    }],
  };
}

/** Free again: what the controller had chosen loses its claimRef, what a user wrote only the claim's uid. */
function unbind(volume: PersistentVolume, now: Micros): VolumePlan {
  const chosen = volume.metadata.annotations?.[BOUND_BY_CONTROLLER] !== undefined;
  const body = applyJsonMergePatch(volume, chosen ? { metadata: { annotations: { [BOUND_BY_CONTROLLER]: null } }, spec: { claimRef: null } } : { spec: { claimRef: { uid: null } } }) as PersistentVolume;
  const call: ApiCall = { method: "PUT", path: objectPath(volume), body, subject: subjectOf(volume), level: "basic" };
  return { batches: [[call], [phaseCall(body, "Available", now)]], next: { step: "written" } };
}

function fail(volume: PersistentVolume, reason: string, message: string, now: Micros): VolumePlan {
  if (volume.status?.phase === "Failed" && volume.status.message === message) return {};
  return { batches: [[statusCall(volume, { phase: "Failed", message, lastPhaseTransitionTime: rfc3339(now) })]], events: [warning(volume, reason, message)], next: { step: "written" } };
}

/** reclaimVolume: Retain does nothing, external provisioners delete what is theirs. */
function reclaim(volume: PersistentVolume, now: Micros): VolumePlan {
  const { persistentVolumeReclaimPolicy: policy = "Retain", hostPath, nfs, csi } = volume.spec;
  const name = nameOf(volume);
  if (policy === "Recycle") {
    if (!hostPath && !nfs) return fail(volume, "VolumeFailedRecycle", "No recycler plugin found for the volume!", now);
    // Simplified: upstream runs a Pod that empties the directory first.
    return { ...unbind(volume, now), events: [{ object: volume, type: "Normal", reason: "VolumeRecycled", message: "Volume recycled" }] };
  }
  const provisioner = volume.metadata.annotations?.[PROVISIONED_BY] ?? "";
  if (policy !== "Delete" || csi || (provisioner !== "" && !provisioner.startsWith("kubernetes.io/"))) return {};
  if (!hostPath) return fail(volume, "VolumeFailedDelete", `error getting deleter volume plugin for volume "${name}": no deletable volume plugin matched`, now);
  if (!/\/tmp\/.+/.test(hostPath.path)) return fail(volume, "VolumeFailedDelete", `host_path deleter only supports /tmp/.+ but received provided ${hostPath.path}`, now);
  return { batches: [[{ method: "DELETE", path: objectPath(volume), subject: subjectOf(volume) }]], next: { step: "written" } };
}
