// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go (bind, unbindVolume)
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, type PersistentVolume, type PersistentVolumeClaim } from "../../api/storage.ts";
import { rfc3339 } from "../../api/time.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Micros } from "../../kernel/types.ts";
import { objectPath, subjectOf } from "../resources.ts";

type Target = PersistentVolume | PersistentVolumeClaim;

// Simplified: upstream PUTs whole objects; the patch carries the version it was made from, so that a stale one is refused alike.
const patch = (object: Target, change: Readonly<Record<string, unknown>>): ApiCall => {
  const { metadata, ...rest } = change;
  return { method: "PATCH", path: objectPath(object), contentType: "application/merge-patch+json", body: { ...rest, metadata: { ...(metadata as object | undefined), resourceVersion: object.metadata.resourceVersion } }, subject: subjectOf(object), level: "basic" };
};

/** Writes a status. */
export const statusCall = (object: Target, status: Readonly<Record<string, unknown>>): ApiCall => ({ method: "PATCH", path: `${objectPath(object)}/status`, contentType: "application/merge-patch+json", body: { status }, subject: subjectOf(object) });

export const finalizersCall = (object: Target, finalizers: readonly string[]): ApiCall => patch(object, { metadata: { finalizers: finalizers.length === 0 ? null : finalizers } });

export const annotateCall = (object: Target, annotations: Readonly<Record<string, string>>): ApiCall => patch(object, { metadata: { annotations } });

// Simplified: upstream's API server writes the time of the transition when it sees the phase change.
export const phaseCall = (volume: PersistentVolume, phase: string, now: Micros): ApiCall => statusCall(volume, { phase, lastPhaseTransitionTime: rfc3339(now), ...(phase === "Released" ? {} : { message: null, reason: null }) });

/** The four writes that tie a volume and a claim together, each only if it changes something. */
export function bindCalls(volume: PersistentVolume, claim: PersistentVolumeClaim, now: Micros): readonly (readonly ApiCall[])[] {
  const ref = volume.spec.claimRef;
  const calls: ApiCall[] = [];
  if (ref?.uid !== claim.metadata.uid) {
    const claimRef = { kind: "PersistentVolumeClaim", apiVersion: "v1", namespace: claim.metadata.namespace ?? "", name: claim.metadata.name ?? "", uid: claim.metadata.uid ?? "", resourceVersion: claim.metadata.resourceVersion ?? "" };
    const annotations = ref ? {} : { annotations: { [BOUND_BY_CONTROLLER]: "yes" } };
    calls.push(patch(volume, { metadata: annotations, spec: { claimRef } }));
  }
  if (volume.status?.phase !== "Bound") calls.push(phaseCall(volume, "Bound", now));
  const completed = claim.metadata.annotations?.[BIND_COMPLETED] !== undefined;
  if (claim.spec.volumeName !== volume.metadata.name || !completed) {
    const chosen = (claim.spec.volumeName ?? "") === "";
    calls.push(patch(claim, { metadata: { annotations: { [BIND_COMPLETED]: "yes", ...(chosen ? { [BOUND_BY_CONTROLLER]: "yes" } : {}) } }, spec: { volumeName: volume.metadata.name } }));
  }
  if (claim.status?.phase !== "Bound") calls.push(statusCall(claim, { phase: "Bound", accessModes: volume.spec.accessModes ?? [], capacity: volume.spec.capacity ?? {} }));
  return calls.map((call) => [call]);
}
