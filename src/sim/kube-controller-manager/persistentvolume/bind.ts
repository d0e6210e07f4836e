// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go (bind)
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, type PersistentVolume, type PersistentVolumeClaim } from "../../api/storage.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { type Answer, bodyOf, messageOf } from "../controller.ts";
import type { P, Work } from "./work.ts";
import { claimStatusCall, phaseCall, updateCall } from "./writes.ts";

function reserve(volume: PersistentVolume, claim: PersistentVolumeClaim): ApiCall | undefined {
  const ref = volume.spec.claimRef;
  if (ref?.uid === claim.metadata.uid && ref?.uid !== undefined) return undefined;
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = claim.metadata;
  // What a user has reserved is not marked as the controller's choice.
  return updateCall(volume, { metadata: ref ? {} : { annotations: { [BOUND_BY_CONTROLLER]: "yes" } }, spec: { claimRef: { kind: "PersistentVolumeClaim", apiVersion: "v1", namespace, name, uid, resourceVersion } } });
}

function point(volume: PersistentVolume, claim: PersistentVolumeClaim): ApiCall | undefined {
  const completed = claim.metadata.annotations?.[BIND_COMPLETED] !== undefined;
  const chosen = claim.spec.volumeName !== volume.metadata.name;
  if (completed && !chosen) return undefined;
  return updateCall(claim, { metadata: { annotations: { [BIND_COMPLETED]: "yes", ...(chosen ? { [BOUND_BY_CONTROLLER]: "yes" } : {}) } }, spec: { volumeName: volume.metadata.name } });
}

const STAGES = [reserve, (volume: PersistentVolume) => phaseCall(volume, "Bound"), point, (volume: PersistentVolume, claim: PersistentVolumeClaim) => claimStatusCall(claim, "Bound", volume)] as const;

/** The next of the four writes that tie a volume and a claim together, each only if it changes something. */
export function bindFrom(stage: number, volume: PersistentVolume, claim: PersistentVolumeClaim): P {
  for (let at = stage; at < STAGES.length; at++) {
    const call = STAGES[at]?.(volume, claim);
    if (call !== undefined) return { batches: [[call]], next: { step: "bind", stage: at, volume, claim } };
  }
  return {};
}

/** Each write goes on from what the server made of the one before; a refusal ends it, and the key comes back. */
export function bindAnswered({ stage, volume, claim }: Extract<Work, { step: "bind" }>, answer: Answer): P {
  const body = bodyOf(answer);
  if (body === undefined) return { error: messageOf(answer) };
  return stage < 2 ? bindFrom(stage + 1, body as PersistentVolume, claim) : bindFrom(stage + 1, volume, body as PersistentVolumeClaim);
}
