// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go (syncUnboundClaim, syncBoundClaim, provisionClaim)
import { BETA_STORAGE_PROVISIONER, BIND_COMPLETED, BOUND_BY_CONTROLLER, classOf, type PersistentVolume, type PersistentVolumeClaim, SELECTED_NODE, STORAGE_PROVISIONER, type StorageClass } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import { objectKey } from "../../api/http.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import type { Plan } from "../controller.ts";
import { isPodTerminal } from "../pods.ts";
import { subjectOf } from "../resources.ts";
import { annotateCall, bindCalls, statusCall } from "./bind.ts";
import { findMatchingVolume, isReservedFor, volumeMismatch } from "./match.ts";
import { nextResync } from "./resync.ts";

const event = (object: PersistentVolumeClaim, type: EventToRecord["type"], reason: string, message: string): EventToRecord => ({ object, type, reason, message });
const nameOf = (claim: PersistentVolumeClaim): string => claim.metadata.name ?? "";
const note = (claim: PersistentVolumeClaim, text: string, why: string): Note => ({ text: text.slice(0, 138), why, level: "basic", subject: subjectOf(claim), status: "idle" });

/** One look at a claim: binds it, has a volume made for it, or says what it waits for. */
export function syncClaim(key: string, view: View): Plan<never, never> {
  const claim = view.get<PersistentVolumeClaim>("persistentvolumeclaims", key);
  if (!claim) return {};
  return claim.metadata.annotations?.[BIND_COMPLETED] === undefined ? syncUnbound(claim, view) : syncBound(claim, view);
}

/** The claim stays as it is; the controller's resync looks again. */
const pending = (claim: PersistentVolumeClaim, view: View, plan: Plan<never, never>): Plan<never, never> => ({ ...plan, enqueue: [{ key: `claim:${objectKey(claim)}`, after: nextResync(view.now) }] });

function bind(volume: PersistentVolume, claim: PersistentVolumeClaim, view: View): Plan<never, never> {
  const batches = bindCalls(volume, claim, view.now);
  if (batches.length === 0) return {};
  const name = volume.metadata.name ?? "";
  return { batches, notes: [note(claim, `persistentvolume-binder binds claim ${nameOf(claim)} and volume ${name} to each other`, "Four writes: the volume names its claim, the claim its volume, and both become Bound")] };
}

function syncUnbound(claim: PersistentVolumeClaim, view: View): Plan<never, never> {
  const named = claim.spec.volumeName ?? "";
  if (named !== "") return syncNamed(claim, named, view);
  const className = classOf(claim);
  const storageClass = className === "" ? undefined : view.get<StorageClass>("storageclasses", className);
  const delayed = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
  const volume = findMatchingVolume(claim, view.list<PersistentVolume>("persistentvolumes"), delayed);
  if (volume) return bind(volume, claim, view);
  if (delayed && claim.metadata.annotations?.[SELECTED_NODE] === undefined) return waitForConsumer(claim, view);
  if (className !== "") return provision(claim, className, storageClass, view);
  return pending(claim, view, { events: [event(claim, "Normal", "FailedBinding", "no persistent volumes available for this claim and no storage class is set")] });
}

function waitForConsumer(claim: PersistentVolumeClaim, view: View): Plan<never, never> {
  const pods = view.byIndex<Pod>("podsByClaim", objectKey(claim)).filter((pod) => !pod.spec.nodeName && !isPodTerminal(pod)).map((pod) => pod.metadata.name ?? "");
  const [reason, message] =
    pods.length === 0 ? ["WaitForFirstConsumer", "waiting for first consumer to be created before binding"] : ["WaitForPodScheduled", `waiting for ${pods.length === 1 ? "pod" : "pods"} ${pods.join(",")} to be scheduled`];
  return pending(claim, view, {
    events: [event(claim, "Normal", reason, message)],
    notes: [note(claim, `persistentvolume-binder leaves claim ${nameOf(claim)} Pending: ${message}`, "volumeBindingMode WaitForFirstConsumer: a volume made now might be where the Pod cannot run")],
  });
}

function provision(claim: PersistentVolumeClaim, className: string, storageClass: StorageClass | undefined, view: View): Plan<never, never> {
  const fail = (message: string): Plan<never, never> => pending(claim, view, { events: [event(claim, "Warning", "ProvisioningFailed", message)], notes: [note(claim, `persistentvolume-binder can have no volume made for claim ${nameOf(claim)}`, message)] });
  if (!storageClass) return fail(`storageclass.storage.k8s.io "${className}" not found`);
  const provisioner = storageClass.provisioner ?? "";
  if (provisioner.startsWith("kubernetes.io/")) return fail(`no volume plugin matched name: ${provisioner}`);
  const annotations = claim.metadata.annotations ?? {};
  const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
  const said = [event(claim, "Normal", "ExternalProvisioning", message)];
  if (annotations[STORAGE_PROVISIONER] === provisioner) return pending(claim, view, { events: said });
  return pending(claim, view, {
    batches: [[annotateCall(claim, { [BETA_STORAGE_PROVISIONER]: provisioner, [STORAGE_PROVISIONER]: provisioner })]],
    events: said,
    notes: [note(claim, `persistentvolume-binder leaves claim ${nameOf(claim)} to ${provisioner}`, "It makes no volumes itself: an annotation tells the external provisioner to")],
  });
}

/** A claim that names its volume. */
function syncNamed(claim: PersistentVolumeClaim, named: string, view: View): Plan<never, never> {
  const volume = view.get<PersistentVolume>("persistentvolumes", named);
  if (!volume) return pending(claim, view, {});
  if (!volume.spec.claimRef) {
    const mismatch = volumeMismatch(volume, claim);
    if (mismatch === undefined) return bind(volume, claim, view);
    return pending(claim, view, { events: [event(claim, "Warning", "VolumeMismatch", `Cannot bind to requested volume "${named}": ${mismatch}`)] });
  }
  if (isReservedFor(volume, claim)) return bind(volume, claim, view);
  if (claim.metadata.annotations?.[BOUND_BY_CONTROLLER] !== undefined) return pending(claim, view, {});
  return pending(claim, view, { events: [event(claim, "Warning", "FailedBinding", `volume "${named}" already bound to a different claim.`)] });
}

/** A claim that was bound: its volume must still be there, and be its own. */
function syncBound(claim: PersistentVolumeClaim, view: View): Plan<never, never> {
  const named = claim.spec.volumeName ?? "";
  const volume = named === "" ? undefined : view.get<PersistentVolume>("persistentvolumes", named);
  if (volume && (!volume.spec.claimRef || volume.spec.claimRef.uid === claim.metadata.uid)) return bind(volume, claim, view);
  if (claim.status?.phase === "Lost") return {};
  const [reason, message] = volume
    ? ["ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly"]
    : ["ClaimLost", named === "" ? "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!" : "Bound claim has lost its PersistentVolume. Data on the volume is lost!"];
  return { batches: [[statusCall(claim, { phase: "Lost", capacity: null, accessModes: null })]], events: [event(claim, "Warning", reason, message)], notes: [note(claim, `persistentvolume-binder marks claim ${nameOf(claim)} as Lost`, message)] };
}
