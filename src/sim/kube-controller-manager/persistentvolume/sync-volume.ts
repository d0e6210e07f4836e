// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go (syncVolume, reclaimVolume)
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/storage.ts";
import type { View } from "../caches.ts";
import type { Plan } from "../controller.ts";
import { subjectOf } from "../resources.ts";
import { phaseCall } from "./bind.ts";

/** One look at a volume: is it free, bound, or released by a claim that is gone? */
export function syncVolume(key: string, view: View): Plan<never, never> {
  const volume = view.get<PersistentVolume>("persistentvolumes", key);
  if (!volume) return {};
  const ref = volume.spec.claimRef;
  if (!ref || (ref.uid ?? "") === "") return phase(volume, "Available", view);
  const found = view.get<PersistentVolumeClaim>("persistentvolumeclaims", `${ref.namespace ?? ""}/${ref.name ?? ""}`);
  const claim = found?.metadata.uid === ref.uid ? found : undefined;
  if (!claim) return release(volume, view);
  // The claim's own sync completes the binding.
  if ((claim.spec.volumeName ?? "") === "") return { enqueue: [{ key: `claim:${ref.namespace ?? ""}/${ref.name ?? ""}` }] };
  if (claim.spec.volumeName === key) return phase(volume, "Bound", view);
  // Simplified: a volume whose claim was bound to another one meanwhile is released; upstream unbinds those it had chosen itself.
  return release(volume, view);
}

function phase(volume: PersistentVolume, to: "Available" | "Bound", view: View): Plan<never, never> {
  return volume.status?.phase === to ? {} : { batches: [[phaseCall(volume, to, view.now)]] };
}

// Simplified: the policy Recycle, deprecated upstream, does nothing.
function release(volume: PersistentVolume, view: View): Plan<never, never> {
  if (volume.status?.phase === "Released" || volume.status?.phase === "Failed") return {};
  const policy = volume.spec.persistentVolumeReclaimPolicy ?? "Retain";
  return {
    batches: [[phaseCall(volume, "Released", view.now)]],
    notes: [{
      text: `persistentvolume-binder marks volume ${volume.metadata.name ?? ""} as Released`.slice(0, 138),
      why: policy === "Delete" ? "Its claim is gone; the reclaim policy Delete lets the provisioner remove the disk" : "Its claim is gone; the reclaim policy Retain keeps the data, and nobody can claim it until the claimRef is taken away",
      level: "basic", subject: subjectOf(volume), status: "idle",
    }],
  };
}
