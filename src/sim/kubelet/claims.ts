// Models kubernetes/pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go (createVolumeSpec, getPVCExtractPV, getPVSpec)
import type { HttpResponse } from "../api/http.ts";
import { type CSIDriver, type CSIVolumeSource, globalMountPath, type PersistentVolume, type PersistentVolumeClaim, podMountPath, uniqueVolumeName } from "../api/storage.ts";
import type { Message, Micros } from "../kernel/types.ts";
import { addDevice, armReconcile } from "./devices.ts";
import type { Pending, VolumeState } from "./state.ts";
import { podRef, type Turn } from "./turn.ts";
import { LOOP_PERIOD, putVolume, volumeMounted, wakeAtPoll } from "./volume-state.ts";

export interface ClaimTimer extends Message {
  readonly type: "kubelet.claim";
  readonly uid: string;
  readonly volume: string;
  readonly what: "resolve" | "mounted";
}

type ClaimPending = Extract<Pending, { for: "claim" }>;

// Simplified: upstream tries again at each round of the populator.
const RETRY: Micros = 1_000_000;

export const NEW_CLAIM: VolumeState = { kind: "persistentVolumeClaim", state: "resolving", pending: 0, error: "", failures: 0, mountedAt: 0, objects: [] };

const volumeNamed = (turn: Turn, uid: string, name: string) => turn.worker(uid)?.pod.spec.volumes?.find((volume) => volume.name === name);

/** The claim that a volume names, or the one that is made for it: "POD-VOLUME". */
function claimNameOf(turn: Turn, uid: string, name: string): string {
  const volume = volumeNamed(turn, uid, name);
  return volume?.ephemeral ? `${turn.worker(uid)?.pod.metadata.name ?? ""}-${name}` : (volume?.persistentVolumeClaim?.claimName ?? "");
}

/** The populator asks the API server which volume the claim stands for. */
export function resolveClaim(turn: Turn, uid: string, name: string): void {
  const worker = turn.worker(uid);
  const namespace = worker?.pod.metadata.namespace ?? "";
  const claim = claimNameOf(turn, uid, name);
  if (!worker || claim === "" || worker.phase !== "syncing" || !["resolving", "unresolved"].includes(worker.volumes[name]?.state ?? "")) return;
  putVolume(turn, uid, name, { state: "resolving" });
  turn.api({ method: "GET", path: `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${claim}`, subject: `persistentvolumeclaim/${namespace}/${claim}` }, { for: "claim", uid, volume: name, what: "claim" });
}

function failed(turn: Turn, uid: string, name: string, error: string, whole?: string): void {
  const worker = turn.worker(uid);
  if (!worker) return;
  putVolume(turn, uid, name, { state: "unresolved", error: whole ?? `error processing PVC ${worker.pod.metadata.namespace ?? ""}/${claimNameOf(turn, uid, name)}: ${error}` });
  turn.explain(`The kubelet cannot tell what volume ${name} is: ${error}`.slice(0, 138), worker.pod, { level: "basic" });
  wakeAtPoll(turn, uid);
  turn.ctx.after(turn.nextTick("populator", LOOP_PERIOD, turn.now + RETRY) - turn.now, { type: "kubelet.claim", uid, volume: name, what: "resolve" } satisfies ClaimTimer);
}

export function onClaimTimer(turn: Turn, { uid, volume, what }: ClaimTimer): void {
  if (what === "resolve") return resolveClaim(turn, uid, volume);
  if (turn.worker(uid)?.volumes[volume]?.state === "publishing") volumeMounted(turn, uid, volume);
}

export function onClaimAnswer(turn: Turn, pending: ClaimPending, message: Message): void {
  const { uid, volume: name, what } = pending;
  if (turn.worker(uid)?.volumes[name]?.state !== "resolving") return;
  const response = message.type === "http.response" ? (message as HttpResponse) : undefined;
  const error = response === undefined ? "the API server cannot be reached" : response.status === 200 ? undefined : ((response.body as { readonly message?: string } | undefined)?.message ?? `status ${response.status}`);
  if (what === "claim") {
    if (error !== undefined) return failed(turn, uid, name, `failed to fetch PVC from API server: ${error}`);
    return claimRead(turn, uid, name, response?.body as PersistentVolumeClaim);
  }
  if (what === "volume") {
    if (error !== undefined) return failed(turn, uid, name, `failed to fetch PV ${pending.expect} from API server: ${error}`);
    return volumeRead(turn, uid, name, response?.body as PersistentVolume, pending.uidOfClaim);
  }
  // Without a CSIDriver object the volume must be attached.
  const driver = response?.status === 200 ? (response.body as CSIDriver) : undefined;
  if (pending.source) csiFound(turn, uid, name, pending.source, driver?.spec.attachRequired ?? true);
}

function claimRead(turn: Turn, uid: string, name: string, claim: PersistentVolumeClaim): void {
  const expect = claim.spec.volumeName ?? "";
  if (claim.metadata.deletionTimestamp !== undefined) return failed(turn, uid, name, "PVC is being deleted");
  if (claim.status?.phase !== "Bound") return failed(turn, uid, name, "PVC is not bound");
  if (expect === "") return failed(turn, uid, name, "PVC has empty pvc.Spec.VolumeName");
  const worker = turn.worker(uid);
  if (worker && volumeNamed(turn, uid, name)?.ephemeral && !(claim.metadata.ownerReferences ?? []).some((owner) => owner.controller === true && owner.uid === uid)) {
    const error = `PVC ${claim.metadata.namespace ?? ""}/${claim.metadata.name ?? ""} was not created for pod ${worker.key} (pod is not owner)`;
    return failed(turn, uid, name, error, error);
  }
  turn.api({ method: "GET", path: `/api/v1/persistentvolumes/${expect}`, subject: `persistentvolume/${expect}` }, { for: "claim", uid, volume: name, what: "volume", expect, uidOfClaim: claim.metadata.uid ?? "" });
}

function volumeRead(turn: Turn, uid: string, name: string, volume: PersistentVolume, claimUid: string): void {
  const volumeName = volume.metadata.name ?? "";
  const ref = volume.spec.claimRef;
  if (!ref) return failed(turn, uid, name, `found PV object ${volumeName} but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`);
  if (ref.uid !== claimUid) return failed(turn, uid, name, `found PV object ${volumeName} but its pv.Spec.ClaimRef.UID ${ref.uid ?? ""} does not point to claim.UID ${claimUid}`);
  const { csi, hostPath, local, nfs } = volume.spec;
  // Simplified: what an NFS server holds is seen per node.
  const path = hostPath?.path ?? local?.path ?? (nfs ? `/nfs/${nfs.server}${nfs.path}` : undefined);
  if (csi) {
    const source = { volume: volumeName, csi, mode: volume.spec.accessModes?.[0] ?? "ReadWriteOnce" };
    // Simplified: upstream reads CSIDrivers from an informer.
    turn.api({ method: "GET", path: `/apis/storage.k8s.io/v1/csidrivers/${csi.driver}`, subject: `csidriver/${csi.driver}` }, { for: "claim", uid, volume: name, what: "driver", expect: "", uidOfClaim: "", source });
    return;
  }
  if (path === undefined) return failed(turn, uid, name, `no volume plugin matched for volume ${volumeName}`);
  putVolume(turn, uid, name, { state: "publishing", claim: { volume: volumeName, device: "", path, target: "", readOnly: readOnlyOf(turn, uid, name) } });
  turn.ctx.after(turn.ctx.latency("kubelet.volume-setup", `${uid}/${name}`), { type: "kubelet.claim", uid, volume: name, what: "mounted" } satisfies ClaimTimer);
}

const readOnlyOf = (turn: Turn, uid: string, name: string): boolean => volumeNamed(turn, uid, name)?.persistentVolumeClaim?.readOnly ?? false;

export interface CsiSource {
  readonly volume: string;
  readonly csi: CSIVolumeSource;
  readonly mode: NonNullable<PersistentVolume["spec"]["accessModes"]>[number];
}

function csiFound(turn: Turn, uid: string, name: string, { volume, csi, mode }: CsiSource, attachRequired: boolean): void {
  const worker = turn.worker(uid);
  if (!worker) return;
  const device = uniqueVolumeName(csi.driver, csi.volumeHandle);
  const path = globalMountPath(csi.driver, csi.volumeHandle);
  putVolume(turn, uid, name, { state: "desired", claim: { volume, device, path, target: podMountPath(uid, volume), readOnly: readOnlyOf(turn, uid, name) || (csi.readOnly ?? false) } });
  addDevice(turn, { name: device, volume, driver: csi.driver, handle: csi.volumeHandle, fsType: csi.fsType ?? "ext4", attributes: csi.volumeAttributes ?? {}, mode, attachRequired, path, state: "wanted", users: [], failures: 0, retryAt: 0, subject: podRef(worker.pod) }, { uid, name });
  turn.explain(`The kubelet waits until volume ${volume} is attached to this node`.slice(0, 138), worker.pod, { level: "basic", why: "It reports the volume as in use with its node status, every 10 s, and goes on when node.status.volumesAttached lists it", status: `waiting for ${volume}` });
  armReconcile(turn);
}
