// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go (syncVolume)
import { type PersistentVolume, type PersistentVolumeClaim, PROVISIONED_BY } from "../../api/storage.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import { type Answer, bodyOf, isSuccess, messageOf } from "../controller.ts";
import { pathOf, subjectOf } from "../resources.ts";
import { migrationChange } from "./migrated.ts";
import { reclaim, unbind } from "./reclaim.ts";
import type { P, V } from "./work.ts";
import { phaseCall, updateCall } from "./writes.ts";

const modeOf = (object: PersistentVolume | PersistentVolumeClaim): string => object.spec.volumeMode ?? "Filesystem";
const nameOf = (object: { readonly metadata: { readonly name?: string } }): string => object.metadata.name ?? "";
const isOver = (volume: PersistentVolume): boolean => volume.status?.phase === "Released" || volume.status?.phase === "Failed";
/** Keeps a volume that was made in the tree until what is behind it is gone. */
const IN_TREE = "kubernetes.io/pv-controller";

/** One look at a volume: is it free, bound, or released by a claim that is gone? */
export function syncVolume(key: string, view: V): P {
  const volume = view.get<PersistentVolume>("persistentvolumes", key);
  if (!volume) return {};
  const repaired = repair(volume);
  if (repaired !== undefined) return { batches: [[updateCall(volume, { metadata: repaired })]] };
  const ref = volume.spec.claimRef;
  if (!ref || (ref.uid ?? "") === "") return phase(volume, "Available");
  const { namespace = "", name = "" } = ref;
  const claim = view.get<PersistentVolumeClaim>("persistentvolumeclaims", `${namespace}/${name}`);
  const doubtful = claim === undefined ? !isOver(volume) : claim.metadata.uid !== ref.uid;
  if (!doubtful) return syncWith(volume, claim);
  return { batches: [[{ method: "GET", path: pathOf("PersistentVolumeClaim", namespace, name), subject: `persistentvolumeclaim/${namespace}/${name}` }]], next: { step: "claim", volume } };
}

/** updateVolumeMigrationAnnotationsAndFinalizers: only for volumes that were made in the tree. */
function repair(volume: PersistentVolume): Readonly<Record<string, unknown>> | undefined {
  const annotations = migrationChange(volume);
  const provisioner = volume.metadata.annotations?.[PROVISIONED_BY] ?? "";
  const finalizers = volume.metadata.finalizers ?? [];
  if (annotations !== undefined) return { annotations, finalizers: finalizers.filter((entry) => entry !== IN_TREE) };
  if (!provisioner.startsWith("kubernetes.io/") || (volume.metadata.annotations?.["pv.kubernetes.io/migrated-to"] ?? "") !== "") return undefined;
  const wanted = volume.spec.persistentVolumeReclaimPolicy === "Delete";
  if (finalizers.includes(IN_TREE) === wanted || (wanted && volume.metadata.deletionTimestamp !== undefined)) return undefined;
  const next = wanted ? [...finalizers, IN_TREE] : finalizers.filter((entry) => entry !== IN_TREE);
  return { finalizers: next.length === 0 ? null : next };
}

/** The server's word on the claim. */
export function claimRead(volume: PersistentVolume, answer: Answer | undefined): P {
  if (answer === undefined || (!isSuccess(answer) && answer.status !== 404)) return { error: answer === undefined ? "no answer" : messageOf(answer) };
  const found = bodyOf(answer) as PersistentVolumeClaim | undefined;
  return syncWith(volume, found?.metadata.uid === volume.spec.claimRef?.uid ? found : undefined);
}

function syncWith(volume: PersistentVolume, claim: PersistentVolumeClaim | undefined): P {
  if (claim === undefined) return isOver(volume) ? reclaim(volume) : release(volume);
  if ((claim.spec.volumeName ?? "") === "") {
    if (modeOf(claim) !== modeOf(volume)) return { events: modeEvents(volume, claim) };
    // The claim's own sync completes the binding.
    return { enqueue: [{ key: `claim:${claim.metadata.namespace ?? ""}/${nameOf(claim)}` }] };
  }
  if (claim.spec.volumeName === nameOf(volume)) return phase(volume, "Bound");
  if (volume.metadata.annotations?.[PROVISIONED_BY] !== undefined && volume.spec.persistentVolumeReclaimPolicy === "Delete") return isOver(volume) ? reclaim(volume) : release(volume);
  return unbind(volume);
}

const warning = (object: PersistentVolume | PersistentVolumeClaim, message: string): EventToRecord => ({ object, type: "Warning", reason: "VolumeMismatch", message });

const modeEvents = (volume: PersistentVolume, claim: PersistentVolumeClaim): readonly EventToRecord[] => [
  warning(volume, `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${nameOf(claim)}" due to incompatible volumeMode.`),
  warning(claim, `Cannot bind PersistentVolume "${nameOf(volume)}" to requested PersistentVolumeClaim due to incompatible volumeMode.`),
];

function phase(volume: PersistentVolume, to: "Available" | "Bound"): P {
  const call = phaseCall(volume, to);
  return call === undefined ? {} : { batches: [[call]] };
}

/** The claim is gone. What the reclaim policy asks for follows at once. */
function release(volume: PersistentVolume): P {
  const call = phaseCall(volume, "Released");
  if (call === undefined) return {};
  const policy = volume.spec.persistentVolumeReclaimPolicy ?? "Retain";
  return {
    batches: [[call]],
    next: { step: "released" },
    notes: [{
      text: `persistentvolume-binder marks volume ${nameOf(volume)} as Released`.slice(0, 138),
      why: policy === "Delete" ? "Its claim is gone; the reclaim policy Delete lets the provisioner remove the disk" : `Its claim is gone; the reclaim policy ${policy} ${policy === "Retain" ? "keeps the data, and nobody can claim it until the claimRef is taken away" : "empties it for the next claim"}`,
      level: "basic", subject: subjectOf(volume), status: "idle",
    }],
  };
}
