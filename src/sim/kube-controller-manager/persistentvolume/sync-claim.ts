// Models kubernetes/pkg/controller/volume/persistentvolume/pv_controller.go (syncUnboundClaim, syncBoundClaim, provisionClaim)
import { BETA_STORAGE_PROVISIONER, BIND_COMPLETED, BOUND_BY_CONTROLLER, classOf, hasClass, type PersistentVolume, type PersistentVolumeClaim, SELECTED_NODE, STORAGE_PROVISIONER, type StorageClass } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import { objectKey } from "../../api/http.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Note } from "../../kernel/types.ts";
import { isPodTerminated } from "../pods.ts";
import { subjectOf } from "../resources.ts";
import { bindFrom } from "./bind.ts";
import { findMatchingVolume, isReservedFor, volumeMismatch } from "./match.ts";
import { driverFor, migrationChange } from "./migrated.ts";
import { nextResync } from "./resync.ts";
import type { P, V } from "./work.ts";
import { claimStatusCall, updateCall } from "./writes.ts";

const DEFAULT_CLASS = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];

const event = (object: PersistentVolumeClaim, type: EventToRecord["type"], reason: string, message: string): EventToRecord => ({ object, type, reason, message });
const nameOf = (claim: PersistentVolumeClaim): string => claim.metadata.name ?? "";
const note = (claim: PersistentVolumeClaim, text: string, why: string): Note => ({ text: text.slice(0, 138), why, level: "basic", subject: subjectOf(claim), status: "idle" });

/** One look at a claim: binds it, has a volume made for it, or says what it waits for. */
export function syncClaim(key: string, view: V): P {
  const claim = view.get<PersistentVolumeClaim>("persistentvolumeclaims", key);
  if (!claim) return {};
  const annotations = migrationChange(claim);
  if (annotations !== undefined) return { batches: [[updateCall(claim, { metadata: { annotations } })]] };
  return claim.metadata.annotations?.[BIND_COMPLETED] === undefined ? syncUnbound(claim, view) : syncBound(claim, view);
}

/** The claim stays as it is; the controller's resync looks again. */
const later = (claim: PersistentVolumeClaim, view: V, plan: P): P => ({ ...plan, enqueue: [{ key: `claim:${objectKey(claim)}`, after: nextResync(view.now) }] });

/** The same, and it is Pending. */
function pending(claim: PersistentVolumeClaim, view: V, plan: P): P {
  const call = claimStatusCall(claim, "Pending");
  return later(claim, view, call === undefined ? plan : { ...plan, batches: [[call]] });
}

function bind(volume: PersistentVolume, claim: PersistentVolumeClaim): P {
  const plan = bindFrom(0, volume, claim);
  if (plan.batches === undefined) return plan;
  return { ...plan, notes: [note(claim, `persistentvolume-binder binds claim ${nameOf(claim)} and volume ${volume.metadata.name ?? ""} to each other`, "Up to four writes: the volume names its claim, the claim its volume, and both become Bound")] };
}

function syncUnbound(claim: PersistentVolumeClaim, view: V): P {
  const named = claim.spec.volumeName ?? "";
  if (named !== "") return syncNamed(claim, named, view);
  const className = classOf(claim);
  const storageClass = className === "" ? undefined : view.get<StorageClass>("storageclasses", className);
  const delayed = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
  const volume = findMatchingVolume(claim, view.list<PersistentVolume>("persistentvolumes"), delayed);
  if (volume) return bind(volume, claim);
  const byDefault = hasClass(claim) ? undefined : defaultClass(view.list<StorageClass>("storageclasses"));
  if (byDefault !== undefined) {
    const why = "It was made when there was no default class; now there is one";
    return { batches: [[updateCall(claim, { spec: { storageClassName: byDefault } })]], notes: [note(claim, `persistentvolume-binder gives claim ${nameOf(claim)} the class ${byDefault}`, why)] };
  }
  if (delayed && claim.metadata.annotations?.[SELECTED_NODE] === undefined) return waitForConsumer(claim, view);
  if (className !== "") return provision(claim, className, storageClass, view);
  return pending(claim, view, { events: [event(claim, "Normal", "FailedBinding", "no persistent volumes available for this claim and no storage class is set")] });
}

/** GetDefaultClass: the newest of those that say so, and of equally old ones the first by name. */
function defaultClass(classes: readonly StorageClass[]): string | undefined {
  const age = (storageClass: StorageClass): string => storageClass.metadata.creationTimestamp ?? "";
  const found = classes.filter((entry) => DEFAULT_CLASS.some((key) => entry.metadata.annotations?.[key] === "true"));
  return found.reduce<StorageClass | undefined>((best, entry) => (best === undefined || age(entry) > age(best) ? entry : best), undefined)?.metadata.name;
}

function waitForConsumer(claim: PersistentVolumeClaim, view: V): P {
  const pods = view.byIndex<Pod>("podsByClaim", objectKey(claim)).filter((pod) => !pod.spec.nodeName && !isPodTerminated(pod)).map((pod) => pod.metadata.name ?? "");
  const [reason, message] =
    pods.length === 0 ? ["WaitForFirstConsumer", "waiting for first consumer to be created before binding"] : ["WaitForPodScheduled", `waiting for ${pods.length === 1 ? "pod" : "pods"} ${pods.join(",")} to be scheduled`];
  return pending(claim, view, {
    events: [event(claim, "Normal", reason, message)],
    notes: [note(claim, `persistentvolume-binder leaves claim ${nameOf(claim)} Pending: ${message}`, "volumeBindingMode WaitForFirstConsumer: a volume made now might be where the Pod cannot run")],
  });
}

function provision(claim: PersistentVolumeClaim, className: string, storageClass: StorageClass | undefined, view: V): P {
  const fail = (message: string): P => later(claim, view, { events: [event(claim, "Warning", "ProvisioningFailed", message)], notes: [note(claim, `persistentvolume-binder can have no volume made for claim ${nameOf(claim)}`, message)] });
  if (!storageClass) return fail(`storageclass.storage.k8s.io "${className}" not found`);
  const plugin = storageClass.provisioner ?? "";
  const provisioner = driverFor(plugin) ?? plugin;
  if (provisioner.startsWith("kubernetes.io/")) return fail(`no volume plugin matched name: ${provisioner}`);
  const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
  const said = [event(claim, "Normal", "ExternalProvisioning", message)];
  if (claim.metadata.annotations?.[STORAGE_PROVISIONER] === provisioner) return later(claim, view, { events: said });
  return later(claim, view, {
    batches: [[updateCall(claim, { metadata: { annotations: { [BETA_STORAGE_PROVISIONER]: provisioner, [STORAGE_PROVISIONER]: provisioner } } })]],
    next: { step: "write", events: said, failed: { object: claim, words: "Error saving claim: " } },
    notes: [note(claim, `persistentvolume-binder leaves claim ${nameOf(claim)} to ${provisioner}`, "It makes no volumes itself: an annotation tells the external provisioner to")],
  });
}

/** A claim that names its volume. */
function syncNamed(claim: PersistentVolumeClaim, named: string, view: V): P {
  const volume = view.get<PersistentVolume>("persistentvolumes", named);
  if (!volume) return pending(claim, view, {});
  if (!volume.spec.claimRef) {
    const mismatch = volumeMismatch(volume, claim);
    if (mismatch === undefined) return bind(volume, claim);
    return pending(claim, view, { events: [event(claim, "Warning", "VolumeMismatch", `Cannot bind to requested volume "${named}": ${mismatch}`)] });
  }
  if (isReservedFor(volume, claim)) return bind(volume, claim);
  const taken = [event(claim, "Warning", "FailedBinding", `volume "${named}" already bound to a different claim.`)];
  if (claim.metadata.annotations?.[BOUND_BY_CONTROLLER] === undefined) return pending(claim, view, { events: taken });
  const { namespace = "", name = "" } = volume.spec.claimRef;
  return { events: taken, error: `invalid binding of claim "${objectKey(claim)}" to volume "${named}": volume already claimed by "${namespace}/${name}"` };
}

/** A claim that was bound: its volume must still be there, and be its own. */
function syncBound(claim: PersistentVolumeClaim, view: V): P {
  const named = claim.spec.volumeName ?? "";
  const volume = named === "" ? undefined : view.get<PersistentVolume>("persistentvolumes", named);
  if (volume && (!volume.spec.claimRef || volume.spec.claimRef.uid === claim.metadata.uid)) return bind(volume, claim);
  // A volume that comes back is found by the resync.
  if (claim.status?.phase === "Lost") return later(claim, view, {});
  const [reason, message] = volume
    ? ["ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly"]
    : ["ClaimLost", named === "" ? "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!" : "Bound claim has lost its PersistentVolume. Data on the volume is lost!"];
  const call = claimStatusCall(claim, "Lost");
  return { ...(call === undefined ? {} : { batches: [[call]] }), next: { step: "write", events: [event(claim, "Warning", reason, message)] }, notes: [note(claim, `persistentvolume-binder marks claim ${nameOf(claim)} as Lost`, message)] };
}
