// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go (updateVolumePhase, updateClaimStatus and the like): one request each
import { applyJsonMergePatch } from "../../api/patch.ts";
import { compareQuantity } from "../../api/quantity.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/storage.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { objectPath, subjectOf } from "../resources.ts";

type Target = PersistentVolume | PersistentVolumeClaim;

/** Size of the claim before its file system was grown, on volumes that still wait for that. */
const PRE_RESIZE = "volume.alpha.kubernetes.io/pre-resize-capacity";

/** A PUT of the object with a change; null takes a field away. */
export const updateCall = (object: Target, change: Readonly<Record<string, unknown>>): ApiCall => ({ method: "PUT", path: objectPath(object), body: applyJsonMergePatch(object, change), subject: subjectOf(object), level: "basic" });

const statusCall = (object: Target, status: Readonly<Record<string, unknown>>): ApiCall => ({ method: "PUT", path: `${objectPath(object)}/status`, body: applyJsonMergePatch(object, { status }), subject: subjectOf(object) });

export const finalizersCall = (object: Target, finalizers: readonly string[]): ApiCall => updateCall(object, { metadata: { finalizers: finalizers.length === 0 ? null : finalizers } });

/** updateVolumePhase; undefined when the volume is in that phase. */
export const phaseCall = (volume: PersistentVolume, phase: string, message?: string): ApiCall | undefined => (volume.status?.phase === phase ? undefined : statusCall(volume, { phase, message: message ?? null }));

const same = (a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean => (a ?? []).length === (b ?? []).length && (a ?? []).every((entry, at) => entry === b?.[at]);

/** updateClaimStatus; undefined when nothing changes. Without a volume, what came from one is taken away. */
export function claimStatusCall(claim: PersistentVolumeClaim, phase: string, volume?: PersistentVolume): ApiCall | undefined {
  const { status } = claim;
  const change: Record<string, unknown> = status?.phase === phase ? {} : { phase };
  if (volume === undefined) {
    for (const field of ["accessModes", "capacity", "currentVolumeAttributesClassName"] as const) if (status?.[field] !== undefined) change[field] = null;
  } else {
    if (!same(status?.accessModes, volume.spec.accessModes)) change["accessModes"] = volume.spec.accessModes ?? null;
    const before = volume.metadata.annotations?.[PRE_RESIZE];
    // Only as it becomes bound: later a difference may mean that the file system is smaller than the disk.
    if (status?.phase !== phase && before !== undefined) change["capacity"] = { ...status?.capacity, storage: before };
    else if (status?.phase !== phase && (status?.capacity?.["storage"] === undefined || compareQuantity(status.capacity["storage"], volume.spec.capacity?.["storage"]) !== 0)) change["capacity"] = volume.spec.capacity ?? {};
    const attributes = volume.spec.volumeAttributesClassName;
    if (status?.phase === "Pending" && phase === "Bound" && status.currentVolumeAttributesClassName !== attributes) change["currentVolumeAttributesClassName"] = attributes ?? null;
  }
  return Object.keys(change).length === 0 ? undefined : statusCall(claim, change);
}
