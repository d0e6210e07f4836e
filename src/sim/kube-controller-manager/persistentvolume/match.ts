// Models kubernetes/pkg/controller/volume/persistentvolume/index.go and staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go (FindMatchingVolume)
import { matchesLabelSelector } from "../../api/labels.ts";
import { value } from "../../api/quantity.ts";
import { classOf, type PersistentVolume, type PersistentVolumeClaim } from "../../api/storage.ts";

const capacity = (volume: PersistentVolume): number => value(volume.spec.capacity?.["storage"]);
const requested = (claim: PersistentVolumeClaim): number => value(claim.spec.resources?.requests?.["storage"]);
const modeOf = (object: PersistentVolume | PersistentVolumeClaim): string => object.spec.volumeMode ?? "Filesystem";
const attributesClass = (object: PersistentVolume | PersistentVolumeClaim): string => object.spec.volumeAttributesClassName ?? "";

const offersModes = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean => (claim.spec.accessModes ?? []).every((mode) => (volume.spec.accessModes ?? []).includes(mode));
const modeCount = (volume: PersistentVolume): number => new Set(volume.spec.accessModes).size;

/** IsVolumeBoundToClaim: its claimRef names this claim, by uid once it has one. */
export function isReservedFor(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const ref = volume.spec.claimRef;
  if (!ref || ref.name !== claim.metadata.name || ref.namespace !== claim.metadata.namespace) return false;
  return (ref.uid ?? "") === "" || ref.uid === claim.metadata.uid;
}

/** checkVolumeSatisfyClaim: what hinders a volume that the claim names from being bound to it; undefined if nothing does. */
export function volumeMismatch(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined) return `the volume is marked for deletion "${volume.metadata.name ?? ""}"`;
  if (capacity(volume) < requested(claim)) return "requested PV is too small";
  if (classOf(volume) !== classOf(claim)) return "storageClassName does not match";
  if (attributesClass(volume) !== attributesClass(claim)) return "volumeAttributesClassName does not match";
  if (modeOf(volume) !== modeOf(claim)) return "incompatible volumeMode";
  return offersModes(volume, claim) ? undefined : "incompatible accessMode";
}

/**
 * The volume to bind a claim to. Volumes with as few access modes as possible come first; among those with the same
 * modes one reserved for the claim, else the smallest free one that fits. A claim that waits for its first Pod
 * (`delayed`) gets only a reserved one: the scheduler chooses among the others.
 */
export function findMatchingVolume(claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[], delayed: boolean): PersistentVolume | undefined {
  const groups = new Map<string, PersistentVolume[]>();
  for (const volume of volumes) {
    if (!offersModes(volume, claim)) continue;
    const modes = [...new Set(volume.spec.accessModes)].sort().join();
    groups.set(modes, [...(groups.get(modes) ?? []), volume]);
  }
  const ordered = [...groups.values()].sort(([a], [b]) => (a && b ? modeCount(a) - modeCount(b) : 0));
  for (const group of ordered) {
    const found = smallest(claim, group, delayed);
    if (found) return found;
  }
  return undefined;
}

function smallest(claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[], delayed: boolean): PersistentVolume | undefined {
  let best: PersistentVolume | undefined;
  for (const volume of volumes) {
    const reserved = isReservedFor(volume, claim);
    if (volume.spec.claimRef && !reserved) continue;
    if (capacity(volume) < requested(claim) || modeOf(volume) !== modeOf(claim) || attributesClass(volume) !== attributesClass(claim)) continue;
    if (volume.metadata.deletionTimestamp !== undefined) continue;
    if (reserved) return volume;
    if (delayed || volume.status?.phase !== "Available" || classOf(volume) !== classOf(claim)) continue;
    if (claim.spec.selector && !matchesLabelSelector(claim.spec.selector, volume.metadata.labels)) continue;
    if (!best || capacity(volume) < capacity(best)) best = volume;
  }
  return best;
}
