// Models kubernetes/pkg/controller/volume/{pvcprotection,pvprotection}
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import type { View } from "../caches.ts";
import type { Plan } from "../controller.ts";
import { subjectOf } from "../resources.ts";
import { finalizersCall } from "./bind.ts";

export const CLAIM_FINALIZER = "kubernetes.io/pvc-protection";
export const VOLUME_FINALIZER = "kubernetes.io/pv-protection";

const without = (object: PersistentVolume | PersistentVolumeClaim, finalizer: string): readonly string[] => (object.metadata.finalizers ?? []).filter((entry) => entry !== finalizer);
export const isHeld = (object: PersistentVolume | PersistentVolumeClaim, finalizer: string): boolean => object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers ?? []).includes(finalizer);

// Simplified: upstream has a controller of its own for claims and one for volumes.
/** A deleted claim goes once no Pod on a node uses it; one that has ended counts until it is deleted. */
export function releaseClaim(key: string, view: View): Plan<never, never> {
  const claim = view.get<PersistentVolumeClaim>("persistentvolumeclaims", key);
  if (!claim || !isHeld(claim, CLAIM_FINALIZER)) return {};
  const user = view.byIndex<Pod>("podsByClaim", key).find((pod) => pod.spec.nodeName);
  if (user) return { notes: [{ text: `Claim ${claim.metadata.name ?? ""} stays Terminating: Pod ${user.metadata.name ?? ""} uses it`, why: `Its finalizer ${CLAIM_FINALIZER} keeps it`, level: "basic", subject: subjectOf(claim), status: "idle" }] };
  return { batches: [[finalizersCall(claim, without(claim, CLAIM_FINALIZER))]] };
}

/** A deleted volume goes once it is no longer bound. */
export function releaseVolume(key: string, view: View): Plan<never, never> {
  const volume = view.get<PersistentVolume>("persistentvolumes", key);
  if (!volume || !isHeld(volume, VOLUME_FINALIZER) || volume.status?.phase === "Bound") return {};
  return { batches: [[finalizersCall(volume, without(volume, VOLUME_FINALIZER))]] };
}
