// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go (bind, unbindVolume)
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, type PersistentVolume, type PersistentVolumeClaim } from "../../api/storage.ts";
import { applyJsonMergePatch } from "../../api/patch.ts";
import { rfc3339 } from "../../api/time.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Micros } from "../../kernel/types.ts";
import { objectPath, subjectOf } from "../resources.ts";

type Target = PersistentVolume | PersistentVolumeClaim;

/** A PUT of the object as it is cached with a change; null takes a field away. */
function update<T extends Target>(object: T, change: Readonly<Record<string, unknown>>): { readonly call: ApiCall; readonly written: T } {
  const written = applyJsonMergePatch(object, change) as T;
  return { written, call: { method: "PUT", path: objectPath(object), body: written, subject: subjectOf(object), level: "basic" } };
}

/** Writes a status. The version is left out: the write before it has changed it. */
export function statusCall(object: Target, status: Readonly<Record<string, unknown>>): ApiCall {
  const body = applyJsonMergePatch(object, { status, metadata: { resourceVersion: null } });
  return { method: "PUT", path: `${objectPath(object)}/status`, body, subject: subjectOf(object) };
}

export const finalizersCall = (object: Target, finalizers: readonly string[]): ApiCall => update(object, { metadata: { finalizers: finalizers.length === 0 ? null : finalizers } }).call;

export const annotateCall = (object: Target, annotations: Readonly<Record<string, string>>): ApiCall => update(object, { metadata: { annotations } }).call;

// Simplified: upstream's API server writes the time of the transition when it sees the phase change.
export const phaseCall = (volume: PersistentVolume, phase: string, now: Micros): ApiCall => statusCall(volume, { phase, lastPhaseTransitionTime: rfc3339(now), ...(phase === "Released" ? {} : { message: null, reason: null }) });

/** The four writes that tie a volume and a claim together, each only if it changes something. */
export function bindCalls(volume: PersistentVolume, claim: PersistentVolumeClaim, now: Micros): readonly (readonly ApiCall[])[] {
  const ref = volume.spec.claimRef;
  const calls: ApiCall[] = [];
  let [boundVolume, boundClaim] = [volume, claim];
  if (ref?.uid !== claim.metadata.uid) {
    const claimRef = { kind: "PersistentVolumeClaim", apiVersion: "v1", namespace: claim.metadata.namespace ?? "", name: claim.metadata.name ?? "", uid: claim.metadata.uid ?? "", resourceVersion: claim.metadata.resourceVersion ?? "" };
    const annotations = ref ? {} : { annotations: { [BOUND_BY_CONTROLLER]: "yes" } };
    const { call, written } = update(volume, { metadata: annotations, spec: { claimRef } });
    calls.push(call);
    boundVolume = written;
  }
  if (volume.status?.phase !== "Bound") calls.push(phaseCall(boundVolume, "Bound", now));
  const completed = claim.metadata.annotations?.[BIND_COMPLETED] !== undefined;
  if (claim.spec.volumeName !== volume.metadata.name || !completed) {
    const chosen = (claim.spec.volumeName ?? "") === "";
    const { call, written } = update(claim, { metadata: { annotations: { [BIND_COMPLETED]: "yes", ...(chosen ? { [BOUND_BY_CONTROLLER]: "yes" } : {}) } }, spec: { volumeName: volume.metadata.name } });
    calls.push(call);
    boundClaim = written;
  }
  if (claim.status?.phase !== "Bound") calls.push(statusCall(boundClaim, { phase: "Bound", accessModes: volume.spec.accessModes ?? [], capacity: volume.spec.capacity ?? {} }));
  return calls.map((call) => [call]);
}
