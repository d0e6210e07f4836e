// Models kubernetes/staging/src/k8s.io/component-helpers/storage/{volume,ephemeral}
import { value } from "../api/quantity.ts";
import type { Node, Pod } from "../api/types.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "./listers.ts";
import { nodeTermsMatch } from "./node-selector.ts";
import { compileSelector, matchesSelector } from "./selector.ts";

const BETA_CLASS = "volume.beta.kubernetes.io/storage-class";
export const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
export const SELECTED_NODE = "volume.kubernetes.io/selected-node";
export const NOT_SUPPORTED_PROVISIONER = "kubernetes.io/no-provisioner";

/** A claim that a Pod mounts; of a generic ephemeral volume the claim is named after Pod and volume. */
export interface PodClaim {
  readonly name: string;
  readonly ephemeral: boolean;
}

export function podClaims(pod: Pod): PodClaim[] {
  return (pod.spec.volumes ?? []).flatMap((volume): PodClaim[] => {
    if (volume.persistentVolumeClaim) return [{ name: volume.persistentVolumeClaim.claimName, ephemeral: false }];
    return volume.ephemeral ? [{ name: `${pod.metadata.name ?? ""}-${volume.name}`, ephemeral: true }] : [];
  });
}

type Classed = PersistentVolumeClaim | PersistentVolume;
export const storageClassOf = (object: Classed): string => object.metadata.annotations?.[BETA_CLASS] ?? object.spec.storageClassName ?? "";

/** ephemeral.VolumeIsForPod: the claim of an ephemeral volume must be owned by the Pod. */
export const ownedByPod = (pod: Pod, claim: PersistentVolumeClaim): boolean =>
  (claim.metadata.ownerReferences ?? []).some((o) => o.controller === true && o.uid === pod.metadata.uid);

export const isFullyBound = (claim: PersistentVolumeClaim): boolean => Boolean(claim.spec.volumeName) && claim.metadata.annotations?.[BIND_COMPLETED] !== undefined;

/** volume.CheckNodeAffinity: may this node reach the volume? */
export function volumeReaches(volume: PersistentVolume, node: Node): boolean {
  const required = volume.spec.nodeAffinity?.required;
  return !required || nodeTermsMatch(required.nodeSelectorTerms ?? [], node);
}

export const requestedStorage = (claim: PersistentVolumeClaim): number => value(claim.spec.resources?.requests?.["storage"] ?? 0);
const capacity = (volume: PersistentVolume): number => value(volume.spec.capacity?.["storage"] ?? 0);
const modeOf = (object: Classed): string => object.spec.volumeMode ?? "Filesystem";

export function isPreboundTo(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const ref = volume.spec.claimRef;
  if (!ref || ref.name !== claim.metadata.name || ref.namespace !== claim.metadata.namespace) return false;
  return !ref.uid || ref.uid === claim.metadata.uid;
}

/** volume.FindMatchingVolume for a delayed binding: a volume bound beforehand, else the smallest that fits and reaches the node. */
export function findMatchingVolume(claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[], node: Node, taken: ReadonlySet<string>): PersistentVolume | undefined {
  const wanted = requestedStorage(claim);
  const selector = claim.spec.selector && compileSelector(claim.spec.selector);
  let best: PersistentVolume | undefined;
  for (const volume of volumes) {
    if (taken.has(volume.metadata.name ?? "")) continue;
    const prebound = isPreboundTo(volume, claim);
    if (volume.spec.claimRef && !prebound) continue;
    if (capacity(volume) < wanted || modeOf(volume) !== modeOf(claim)) continue;
    if ((claim.spec.volumeAttributesClassName ?? "") !== (volume.spec.volumeAttributesClassName ?? "")) continue;
    if (volume.metadata.deletionTimestamp) continue;
    const reaches = volumeReaches(volume, node);
    if (prebound) return reaches ? volume : undefined;
    if (volume.status?.phase !== "Available" || (selector && !matchesSelector(selector, volume.metadata.labels))) continue;
    if (storageClassOf(volume) !== storageClassOf(claim) || !reaches) continue;
    if (!(claim.spec.accessModes ?? []).every((mode) => (volume.spec.accessModes ?? []).includes(mode))) continue;
    if (!best || capacity(best) > capacity(volume)) best = volume;
  }
  return best;
}
