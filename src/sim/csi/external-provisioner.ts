// Models kubernetes-csi/external-provisioner pkg/controller/controller.go and kubernetes-sigs/sig-storage-lib-external-provisioner
import { objectKey, type WatchSpec } from "../api/http.ts";
import { quantityFromValue, value } from "../api/quantity.ts";
import { classOf, type CSINode, MILLIPOD_DRIVER, type PersistentVolume, type PersistentVolumeClaim, PROVISIONED_BY, SELECTED_NODE, BETA_STORAGE_PROVISIONER, STORAGE_PROVISIONER, type StorageClass, type VolumeAttachment } from "../api/storage.ts";
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import type { Change } from "../client-go/informer.ts";
import type { Component } from "../kernel/types.ts";
import { capability } from "./capability.ts";
import type { CreatedVolume, CsiCall } from "./messages.ts";
import { createSidecar, type Job, type SidecarAnswer, type SidecarState, sidecarWatches, type SidecarTurn, WATCHED } from "./sidecar.ts";

export interface ProvisionerJob extends Job<"queued" | "CreateVolume" | "save" | "DeleteVolume" | "delete" | "finalizer"> {
  /** "claim:default/data" or "volume:pvc-...". */
  readonly volume?: CreatedVolume;
}

type Turn = SidecarTurn<ProvisionerJob>;

const FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";
const PROVISIONER_ID = "external-provisioner";
const { claims, volumes, classes, attachments, csiNodes, nodes } = WATCHED;
const QUEUED: ProvisionerJob = { step: "queued", failures: 0, waits: -1, since: 0 };

/** shouldProvision: the binder has named us, and a claim that waits for its first Pod has a node. */
function shouldProvision(turn: Turn, claim: PersistentVolumeClaim): boolean {
  const annotations = claim.metadata.annotations ?? {};
  if ((annotations[STORAGE_PROVISIONER] ?? annotations[BETA_STORAGE_PROVISIONER]) !== MILLIPOD_DRIVER || (claim.spec.volumeName ?? "") !== "") return false;
  if (claim.metadata.deletionTimestamp !== undefined) return false;
  const storageClass = turn.get<StorageClass>(classes, classOf(claim));
  return storageClass?.volumeBindingMode !== "WaitForFirstConsumer" || (annotations[SELECTED_NODE] ?? "") !== "";
}

/** shouldDelete: ours, released, and nobody wants to keep it. */
function shouldDelete(volume: PersistentVolume): boolean {
  if (volume.metadata.annotations?.[PROVISIONED_BY] !== MILLIPOD_DRIVER || volume.spec.persistentVolumeReclaimPolicy !== "Delete") return false;
  if (volume.metadata.deletionTimestamp !== undefined && !(volume.metadata.finalizers ?? []).includes(FINALIZER)) return false;
  return volume.status?.phase === "Released";
}

function changed(turn: Turn, change: Change, kind: string): void {
  const { object } = change;
  if (kind === "PersistentVolumeClaim") {
    const key = `claim:${objectKey(object)}`;
    if (change.type === "delete" || !shouldProvision(turn, object as PersistentVolumeClaim)) {
      if (turn.job(key)?.step === "backoff") turn.drop(key);
    } else if (!turn.job(key)) turn.enqueue(key, QUEUED);
  } else if (kind === "PersistentVolume") {
    const key = `volume:${objectKey(object)}`;
    if (change.type !== "delete" && shouldDelete(object as PersistentVolume) && !turn.job(key)) turn.enqueue(key, QUEUED);
  }
}

const subjectOf = (key: string): string => (key.startsWith("claim:") ? `persistentvolumeclaim/${key.slice(6)}` : `persistentvolume/${key.slice(7)}`);

function begin(turn: Turn, key: string): void {
  if (key.startsWith("volume:")) return beginDelete(turn, key);
  const claim = turn.get<PersistentVolumeClaim>(claims, key.slice(6));
  if (!claim || !shouldProvision(turn, claim)) return turn.drop(key);
  const storageClass = turn.get<StorageClass>(classes, classOf(claim));
  if (!storageClass) return failed(turn, key, claim, `storageclass.storage.k8s.io "${classOf(claim)}" not found`);
  const saved = turn.job(key)?.volume;
  if (saved) return save(turn, key, claim, storageClass, saved);
  turn.event({ object: claim, type: "Normal", reason: "Provisioning", message: `External provisioner is provisioning volume for claim "${key.slice(6)}"` });
  turn.ctx.explain({ text: `external-provisioner asks the CSI driver for a volume for claim ${claim.metadata.name ?? ""}`, why: claim.metadata.annotations?.[SELECTED_NODE] === undefined ? "Its class binds at once" : `The scheduler chose ${claim.metadata.annotations[SELECTED_NODE]}: now the volume can be made where the Pod will run`, level: "basic", subject: subjectOf(key), status: `provisioning ${key.slice(6)}` });
  turn.rpc(key, createCall(turn, claim, storageClass), subjectOf(key), { step: "CreateVolume", since: turn.ctx.now });
}

const volumeName = (claim: PersistentVolumeClaim): string => `pvc-${claim.metadata.uid ?? ""}`;

function createCall(turn: Turn, claim: PersistentVolumeClaim, storageClass: StorageClass): CsiCall {
  const topology = topologyOf(turn, claim);
  return {
    method: "CreateVolume",
    body: {
      name: volumeName(claim),
      capacity_range: { required_bytes: value(claim.spec.resources?.requests?.["storage"]) },
      volume_capabilities: (claim.spec.accessModes ?? ["ReadWriteOnce"]).map((mode) => capability(mode, storageClass.parameters?.["csi.storage.k8s.io/fstype"])),
      parameters: { ...storageClass.parameters, "csi.storage.k8s.io/pvc/name": claim.metadata.name ?? "", "csi.storage.k8s.io/pvc/namespace": claim.metadata.namespace ?? "", "csi.storage.k8s.io/pv/name": volumeName(claim), "csi.storage.k8s.io/storageclass": storageClass.metadata.name ?? "" },
      ...(topology === undefined ? {} : { accessibility_requirements: { preferred: [{ segments: topology }] } }),
    },
  };
}

/** Where the volume must be reachable: the chosen node's labels for the keys that its driver registered. */
function topologyOf(turn: Turn, claim: PersistentVolumeClaim): Readonly<Record<string, string>> | undefined {
  const name = claim.metadata.annotations?.[SELECTED_NODE] ?? "";
  const keys = turn.get<CSINode>(csiNodes, name)?.spec.drivers?.find((driver) => driver.name === MILLIPOD_DRIVER)?.topologyKeys ?? [];
  if (keys.length === 0) return undefined;
  const labels = turn.get(nodes, name)?.metadata.labels ?? {};
  return Object.fromEntries(keys.map((key) => [key, labels[key] ?? ""]));
}

function save(turn: Turn, key: string, claim: PersistentVolumeClaim, storageClass: StorageClass, created: CreatedVolume): void {
  const segments = created.accessible_topology?.map((topology) => Object.entries(topology.segments)) ?? [];
  const terms = segments.map((pairs) => ({ matchExpressions: pairs.map(([label, text]) => ({ key: label, operator: "In" as const, values: [text] })) }));
  const bytes = created.capacity_bytes;
  const volume: PersistentVolume = {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: volumeName(claim), annotations: { [PROVISIONED_BY]: MILLIPOD_DRIVER, "volume.kubernetes.io/provisioner-deletion-secret-name": "", "volume.kubernetes.io/provisioner-deletion-secret-namespace": "" }, finalizers: [FINALIZER] },
    spec: {
      accessModes: claim.spec.accessModes ?? ["ReadWriteOnce"],
      capacity: { storage: claim.spec.resources?.requests?.["storage"] ?? quantityFromValue(bytes, "BinarySI") },
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", name: claim.metadata.name ?? "", namespace: claim.metadata.namespace ?? "", resourceVersion: claim.metadata.resourceVersion ?? "", uid: claim.metadata.uid ?? "" },
      csi: { driver: MILLIPOD_DRIVER, fsType: storageClass.parameters?.["csi.storage.k8s.io/fstype"] ?? "ext4", volumeAttributes: { "storage.kubernetes.io/csiProvisionerIdentity": `1767225600000-0-${MILLIPOD_DRIVER}` }, volumeHandle: created.volume_id },
      ...(terms.length === 0 ? {} : { nodeAffinity: { required: { nodeSelectorTerms: terms } } }),
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
      storageClassName: storageClass.metadata.name ?? "",
      ...(claim.spec.volumeMode === undefined ? {} : { volumeMode: claim.spec.volumeMode }),
    },
  };
  turn.ctx.explain({ text: `external-provisioner saves PersistentVolume ${volumeName(claim)}`.slice(0, 138), why: `It describes disk ${created.volume_id}, and is reserved for the claim from the start (claimRef)`, level: "basic", subject: subjectOf(key) });
  turn.api(key, { method: "POST", path: volumes.path, body: volume, subject: `persistentvolume/${volumeName(claim)}`, level: "basic" }, { step: "save", volume: created });
}

function failed(turn: Turn, key: string, object: KubeObject, error: string): void {
  const name = classOf(object as PersistentVolumeClaim);
  turn.event({ object, type: "Warning", reason: "ProvisioningFailed", message: `failed to provision volume with StorageClass "${name}": ${error}` });
  turn.ctx.explain({ text: `external-provisioner gets no volume for claim ${object.metadata.name ?? ""}`, why: error, level: "basic", subject: subjectOf(key) });
  turn.backOff(key, error);
}

function beginDelete(turn: Turn, key: string): void {
  const volume = turn.get<PersistentVolume>(volumes, key.slice(7));
  if (!volume || !shouldDelete(volume)) return turn.drop(key);
  const attached = turn.list<VolumeAttachment>(attachments).find((attachment) => attachment.spec.source.persistentVolumeName === volume.metadata.name);
  if (attached) return deleteFailed(turn, key, volume, `persistentvolume ${volume.metadata.name ?? ""} is still attached to node ${attached.spec.nodeName}`);
  turn.ctx.explain({ text: `external-provisioner has the CSI driver delete the disk of ${volume.metadata.name ?? ""}`.slice(0, 138), why: "Its claim is gone and the reclaim policy is Delete", level: "basic", subject: subjectOf(key), status: `deleting ${key.slice(7)}` });
  turn.rpc(key, { method: "DeleteVolume", body: { volume_id: volume.spec.csi?.volumeHandle ?? "" } }, subjectOf(key), { step: "DeleteVolume", since: turn.ctx.now });
}

function deleteFailed(turn: Turn, key: string, volume: PersistentVolume, error: string): void {
  turn.event({ object: volume, type: "Warning", reason: "VolumeFailedDelete", message: error });
  turn.backOff(key, error);
}

function answered(turn: Turn, key: string, job: ProvisionerJob, answer: SidecarAnswer): void {
  if (key.startsWith("volume:")) return deleteAnswered(turn, key, job, answer);
  const claim = turn.get<PersistentVolumeClaim>(claims, key.slice(6));
  const storageClass = claim && turn.get<StorageClass>(classes, classOf(claim));
  // Simplified: upstream deletes a volume again whose claim has gone meanwhile.
  if (!claim || !storageClass) return turn.drop(key);
  if (job.step === "CreateVolume") {
    if (answer.error !== undefined || !answer.csi?.volume) return failed(turn, key, claim, answer.error ?? "");
    return save(turn, key, claim, storageClass, answer.csi.volume);
  }
  if (answer.error !== undefined && answer.status !== 409) return turn.backOff(key, answer.error);
  turn.event({ object: claim, type: "Normal", reason: "ProvisioningSucceeded", message: `Successfully provisioned volume ${volumeName(claim)}` });
  turn.ctx.explain({ text: `external-provisioner is done with claim ${claim.metadata.name ?? ""}`, subject: subjectOf(key), status: "idle" });
  turn.drop(key);
}

function deleteAnswered(turn: Turn, key: string, job: ProvisionerJob, answer: SidecarAnswer): void {
  const name = key.slice(7);
  const volume = turn.get<PersistentVolume>(volumes, name);
  if (!volume || answer.status === 404) return turn.drop(key);
  const path = `${volumes.path}/${name}`;
  if (answer.error !== undefined) return job.step === "DeleteVolume" ? deleteFailed(turn, key, volume, answer.error) : turn.backOff(key, answer.error);
  if (job.step === "DeleteVolume") return turn.api(key, { method: "DELETE", path, subject: subjectOf(key) }, { step: "delete" });
  if (job.step === "delete") {
    const { finalizers = [], resourceVersion } = (answer.object ?? volume).metadata;
    const rest = finalizers.filter((finalizer) => finalizer !== FINALIZER);
    return turn.api(key, { method: "PATCH", path, contentType: "application/merge-patch+json", body: { metadata: { resourceVersion, finalizers: rest.length === 0 ? null : rest } }, subject: subjectOf(key) }, { step: "finalizer" });
  }
  turn.drop(key);
}

const SPEC = { id: PROVISIONER_ID, account: "csi-provisioner", watched: [classes, claims, volumes, attachments, csiNodes, nodes] };

export const externalProvisionerWatches = (): WatchSpec[] => sidecarWatches(SPEC);

/** Component external-provisioner: turns claims that name its driver into volumes, and released volumes into nothing. */
export const createExternalProvisioner = ({ world, machine }: { readonly world: World; readonly machine: string }): Component<SidecarState<ProvisionerJob>> =>
  createSidecar<ProvisionerJob>({ ...SPEC, eventSource: `${MILLIPOD_DRIVER}_csi-controller-0`, rpcTimeout: 10_000_000, changed, begin, answered }, world, machine);
