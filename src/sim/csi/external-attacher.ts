// Models kubernetes-csi/external-attacher pkg/controller/csi_handler.go
import { objectKey, type WatchSpec } from "../api/http.ts";
import { MILLIPOD_DRIVER, type PersistentVolume, type VolumeAttachment } from "../api/storage.ts";
import { rfc3339 } from "../api/time.ts";
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import type { ApiCall } from "../client-go/api-client.ts";
import type { Change } from "../client-go/informer.ts";
import type { Component } from "../kernel/types.ts";
import { capability } from "./capability.ts";
import { createSidecar, type Job, type SidecarAnswer, type SidecarState, sidecarWatches, type SidecarTurn, WATCHED } from "./sidecar.ts";

/** "protect" puts the finalizers, "report" writes the outcome. */
export interface AttacherJob extends Job<"queued" | "protect volume" | "protect" | "ControllerPublishVolume" | "report" | "report error" | "ControllerUnpublishVolume" | "release" | "release volume"> {
  readonly error?: string;
}

type Turn = SidecarTurn<AttacherJob>;

/** external-attacher/ and the driver's name with dashes. */
const FINALIZER = `external-attacher/${MILLIPOD_DRIVER.replaceAll(".", "-")}`;
const { volumes, attachments } = WATCHED;
const QUEUED: AttacherJob = { step: "queued", failures: 0, waits: -1, since: 0 };

const wantsWork = (attachment: VolumeAttachment): boolean =>
  attachment.spec.attacher === MILLIPOD_DRIVER && (attachment.metadata.deletionTimestamp === undefined ? attachment.status?.attached !== true : (attachment.metadata.finalizers ?? []).includes(FINALIZER));

const isAttached = (turn: Turn, volume: string): boolean => turn.list<VolumeAttachment>(attachments).some((attachment) => attachment.spec.source.persistentVolumeName === volume);
const holds = (turn: Turn, volume: PersistentVolume): boolean => volume.metadata.deletionTimestamp !== undefined && (volume.metadata.finalizers ?? []).includes(FINALIZER) && !isAttached(turn, volume.metadata.name ?? "");

function changed(turn: Turn, change: Change, kind: string): void {
  const { object } = change;
  if (kind === "PersistentVolume") return release(turn, change.type === "delete" ? undefined : (object as PersistentVolume));
  const key = `attachment:${objectKey(object)}`;
  const attachment = object as VolumeAttachment;
  if (change.type === "delete") {
    turn.drop(key);
    return release(turn, turn.get<PersistentVolume>(volumes, attachment.spec.source.persistentVolumeName ?? ""));
  }
  const job = turn.job(key);
  const leaving = change.type === "update" && change.old.metadata.deletionTimestamp === undefined && attachment.metadata.deletionTimestamp !== undefined;
  // Detaching does not wait for the back-off of an attachment that failed.
  if (wantsWork(attachment) && (!job || (leaving && job.step === "backoff"))) turn.enqueue(key, QUEUED);
}

function release(turn: Turn, volume: PersistentVolume | undefined): void {
  const key = `volume:${volume?.metadata.name ?? ""}`;
  if (volume && holds(turn, volume) && !turn.job(key)) turn.enqueue(key, QUEUED);
}

const withoutFinalizer = (object: KubeObject): readonly string[] | null => {
  const rest = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
  return rest.length === 0 ? null : rest;
};

const volumeOf = (turn: Turn, attachment: VolumeAttachment): PersistentVolume | undefined => turn.get<PersistentVolume>(volumes, attachment.spec.source.persistentVolumeName ?? "");
const merge = (path: string, body: unknown, subject: string): ApiCall => ({ method: "PATCH", path, contentType: "application/merge-patch+json", body, subject });
const pathOf = (attachment: VolumeAttachment): string => `${attachments.path}/${attachment.metadata.name ?? ""}`;
const subjectOf = (attachment: VolumeAttachment): string => `volumeattachment/${attachment.metadata.name ?? ""}`;

function begin(turn: Turn, key: string): void {
  if (key.startsWith("volume:")) {
    const volume = turn.get<PersistentVolume>(volumes, key.slice(7));
    if (!volume || !holds(turn, volume)) return turn.drop(key);
    return turn.api(key, merge(`${volumes.path}/${key.slice(7)}`, { metadata: { resourceVersion: volume.metadata.resourceVersion, finalizers: withoutFinalizer(volume) } }, `persistentvolume/${key.slice(7)}`), { step: "release volume" });
  }
  const attachment = turn.get<VolumeAttachment>(attachments, key.slice(11));
  if (!attachment || !wantsWork(attachment)) return turn.drop(key);
  if (attachment.metadata.deletionTimestamp !== undefined) return detach(turn, key, attachment);
  const volume = volumeOf(turn, attachment);
  if (!volume?.spec.csi) return report(turn, key, attachment, `could not find PersistentVolume ${attachment.spec.source.persistentVolumeName ?? ""}`);
  if (!(volume.metadata.finalizers ?? []).includes(FINALIZER)) return turn.api(key, merge(`${volumes.path}/${volume.metadata.name ?? ""}`, { metadata: { resourceVersion: volume.metadata.resourceVersion, finalizers: [...(volume.metadata.finalizers ?? []), FINALIZER] } }, `persistentvolume/${volume.metadata.name ?? ""}`), { step: "protect volume" });
  protect(turn, key, attachment);
}

function protect(turn: Turn, key: string, attachment: VolumeAttachment): void {
  if ((attachment.metadata.finalizers ?? []).includes(FINALIZER)) return publish(turn, key, attachment);
  turn.api(key, merge(pathOf(attachment), { metadata: { finalizers: [...(attachment.metadata.finalizers ?? []), FINALIZER] } }, subjectOf(attachment)), { step: "protect" });
}

function publish(turn: Turn, key: string, attachment: VolumeAttachment): void {
  const volume = volumeOf(turn, attachment);
  const csi = volume?.spec.csi;
  if (!csi) return turn.drop(key);
  turn.ctx.explain({ text: `external-attacher asks the CSI driver to attach ${volume.metadata.name ?? ""} to ${attachment.spec.nodeName}`.slice(0, 138), why: "The VolumeAttachment says that it should be so", level: "basic", subject: subjectOf(attachment), status: `attaching to ${attachment.spec.nodeName}` });
  turn.rpc(key, {
    method: "ControllerPublishVolume",
    body: { volume_id: csi.volumeHandle, node_id: attachment.spec.nodeName, volume_capability: capability(volume.spec.accessModes?.[0] ?? "ReadWriteOnce", csi.fsType), readonly: csi.readOnly ?? false, volume_context: csi.volumeAttributes ?? {} },
  }, subjectOf(attachment), { step: "ControllerPublishVolume", since: turn.ctx.now });
}

function detach(turn: Turn, key: string, attachment: VolumeAttachment): void {
  const handle = volumeOf(turn, attachment)?.spec.csi?.volumeHandle;
  if (handle === undefined) return detached(turn, key, attachment);
  turn.ctx.explain({ text: `external-attacher asks the CSI driver to detach ${attachment.spec.source.persistentVolumeName ?? ""} from ${attachment.spec.nodeName}`.slice(0, 138), level: "basic", subject: subjectOf(attachment), status: `detaching from ${attachment.spec.nodeName}` });
  turn.rpc(key, { method: "ControllerUnpublishVolume", body: { volume_id: handle, node_id: attachment.spec.nodeName } }, subjectOf(attachment), { step: "ControllerUnpublishVolume", since: turn.ctx.now });
}

/** Without its finalizer the attachment goes. */
function detached(turn: Turn, key: string, attachment: VolumeAttachment): void {
  turn.api(key, merge(pathOf(attachment), { metadata: { finalizers: withoutFinalizer(attachment) } }, subjectOf(attachment)), { step: "release" });
}

function report(turn: Turn, key: string, attachment: VolumeAttachment, error: string | undefined): void {
  const status = error === undefined ? { attached: true, attachError: null } : { attached: false, attachError: { time: rfc3339(turn.ctx.now), message: error } };
  turn.ctx.explain({ text: error === undefined ? `external-attacher writes attached=true: the disk is at ${attachment.spec.nodeName}` : `external-attacher writes attachError: ${error}`.slice(0, 138), level: "basic", subject: subjectOf(attachment), status: "idle", ...(error === undefined ? {} : { why: error }) });
  turn.api(key, merge(`${pathOf(attachment)}/status`, { status }, subjectOf(attachment)), { step: error === undefined ? "report" : "report error", ...(error === undefined ? {} : { error }) });
}

function answered(turn: Turn, key: string, job: AttacherJob, answer: SidecarAnswer): void {
  if (key.startsWith("volume:")) return answer.error === undefined || answer.status === 404 ? turn.drop(key) : turn.backOff(key, answer.error);
  const attachment = turn.get<VolumeAttachment>(attachments, key.slice(11));
  if (!attachment) return turn.drop(key);
  const { error } = answer;
  switch (job.step) {
    case "ControllerPublishVolume": return report(turn, key, attachment, error);
    case "ControllerUnpublishVolume": return error === undefined ? detached(turn, key, attachment) : turn.backOff(key, error);
    case "report error": return turn.backOff(key, job.error ?? error ?? "");
    default:
  }
  if (error !== undefined) return answer.status === 404 ? turn.drop(key) : turn.backOff(key, error);
  // Deleted while it was being attached: detach next.
  if (job.step === "protect volume") return protect(turn, key, attachment);
  if (job.step === "protect") return publish(turn, key, attachment);
  turn.drop(key);
  if (job.step === "report" && attachment.metadata.deletionTimestamp !== undefined) turn.enqueue(key, QUEUED);
}

const SPEC = { id: "external-attacher", account: "csi-attacher", watched: [attachments, volumes] };

export const externalAttacherWatches = (): WatchSpec[] => sidecarWatches(SPEC);

/** Component external-attacher: makes VolumeAttachments of its driver true. */
export const createExternalAttacher = ({ world, machine }: { readonly world: World; readonly machine: string }): Component<SidecarState<AttacherJob>> =>
  createSidecar<AttacherJob>({ ...SPEC, eventSource: "external-attacher", rpcTimeout: 15_000_000, changed, begin, answered }, world, machine);
