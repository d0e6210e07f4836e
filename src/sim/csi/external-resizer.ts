// Models kubernetes-csi/external-resizer pkg/controller/{controller,expand_and_recover,resize_status}.go
import { objectKey, type WatchSpec } from "../api/http.ts";
import { compareQuantity, value } from "../api/quantity.ts";
import { MILLIPOD_DRIVER, type PersistentVolume, type PersistentVolumeClaim } from "../api/storage.ts";
import { rfc3339 } from "../api/time.ts";
import type { Quantity } from "../api/types.ts";
import type { World } from "../api/world.ts";
import type { Change } from "../client-go/informer.ts";
import type { Component } from "../kernel/types.ts";
import { capability } from "./capability.ts";
import { createSidecar, type Job, type SidecarAnswer, type SidecarState, sidecarWatches, type SidecarTurn, WATCHED } from "./sidecar.ts";

export interface ResizerJob extends Job<"queued" | "mark" | "ControllerExpandVolume" | "capacity" | "finish" | "mark error"> {
  readonly size?: Quantity;
  /** The last try ended for certain: the next one may ask for another size. */
  readonly final?: boolean;
  readonly error?: string;
}

type Turn = SidecarTurn<ResizerJob>;
type Claim = PersistentVolumeClaim;

const { claims, volumes } = WATCHED;
const QUEUED: ResizerJob = { step: "queued", failures: 0, waits: -1, since: 0 };
const NAME = `external-resizer ${MILLIPOD_DRIVER}`;
/** MergeResizeConditionsOfPVC: what begins or ends takes the place of all of these, an error is added to them. */
const RESIZE_CONDITIONS = ["Resizing", "FileSystemResizePending", "ControllerResizeError", "NodeResizeError"];

const wanted = (claim: Claim): Quantity | undefined => claim.spec.resources?.requests?.["storage"];
const subjectOf = (claim: Claim): string => `persistentvolumeclaim/${objectKey(claim)}`;

/** pvcNeedResize: bound, and larger wanted than it is. */
const needsResize = (claim: Claim): boolean => claim.status?.phase === "Bound" && (claim.spec.volumeName ?? "") !== "" && compareQuantity(wanted(claim), claim.status.capacity?.["storage"]) > 0;

/** pvCanBeExpanded: a volume of this driver that is the claim's own. */
function volumeOf(turn: Turn, claim: Claim): PersistentVolume | undefined {
  const volume = turn.get<PersistentVolume>(volumes, claim.spec.volumeName ?? "");
  return volume?.spec.csi?.driver === MILLIPOD_DRIVER && volume.spec.claimRef?.uid === claim.metadata.uid ? volume : undefined;
}

function changed(turn: Turn, change: Change, kind: string): void {
  if (kind !== "PersistentVolumeClaim") return;
  const claim = change.object as Claim;
  const key = objectKey(claim);
  if (change.type === "delete") return turn.drop(key);
  if (change.type === "update" && compareQuantity(wanted(claim), wanted(change.old as Claim)) <= 0) return;
  const job = turn.job(key);
  if (needsResize(claim) && (job === undefined || job.step === "backoff")) turn.enqueue(key, job ?? QUEUED);
}

/** What is asked of the driver now: a size that was begun is finished first, unless the driver has refused it for good. */
function sizeFor(claim: Claim, volume: PersistentVolume, job: ResizerJob): Quantity | undefined {
  const begun = claim.status?.allocatedResources?.["storage"];
  const grown = compareQuantity(volume.spec.capacity?.["storage"], wanted(claim)) >= 0;
  const open = claim.status?.allocatedResourceStatuses?.["storage"] === "ControllerResizeInProgress";
  return grown || (open && job.final !== true) ? (begun ?? wanted(claim)) : wanted(claim);
}

function withCondition(turn: Turn, claim: Claim, type?: string): readonly object[] {
  const gone = (claim.status?.conditions ?? []).filter((entry) => RESIZE_CONDITIONS.includes(entry.type) && entry.type !== type).map((entry) => ({ type: entry.type, $patch: "delete" }));
  return type === undefined ? gone : [{ type, status: "True", lastTransitionTime: rfc3339(turn.ctx.now) }, ...gone];
}

function patchStatus(turn: Turn, key: string, claim: Claim, status: object, change: Partial<ResizerJob>): void {
  const { namespace = "", name = "", resourceVersion } = claim.metadata;
  turn.api(key, { method: "PATCH", path: `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}/status`, contentType: "application/strategic-merge-patch+json", body: { metadata: { resourceVersion }, status }, subject: subjectOf(claim) }, change);
}

function begin(turn: Turn, key: string): void {
  const claim = turn.get<Claim>(claims, key);
  const job = turn.job(key);
  const volume = claim && volumeOf(turn, claim);
  const size = claim && volume && job && needsResize(claim) ? sizeFor(claim, volume, job) : undefined;
  if (claim === undefined || size === undefined) return turn.drop(key);
  const known = compareQuantity(claim.status?.allocatedResources?.["storage"], size) === 0;
  const begun = known ? {} : { allocatedResources: { storage: size }, allocatedResourceStatuses: { storage: "ControllerResizeInProgress" } };
  patchStatus(turn, key, claim, { conditions: withCondition(turn, claim, "Resizing"), ...begun }, { step: "mark", size, since: turn.ctx.now });
}

function expand(turn: Turn, key: string, claim: Claim, volume: PersistentVolume, size: Quantity): void {
  const { csi } = volume.spec;
  turn.event({ object: claim, type: "Normal", reason: "Resizing", message: `External resizer is resizing volume ${volume.metadata.name ?? ""}` });
  turn.ctx.explain({ text: `external-resizer asks the CSI driver to grow the disk of claim ${claim.metadata.name ?? ""} to ${String(size)}`.slice(0, 138), why: "The claim asks for more than it has", level: "basic", subject: subjectOf(claim), status: `resizing ${key}` });
  turn.rpc(key, { method: "ControllerExpandVolume", body: { volume_id: csi?.volumeHandle ?? "", capacity_range: { required_bytes: value(size) }, volume_capability: capability(volume.spec.accessModes?.[0] ?? "ReadWriteOnce", csi?.fsType) } }, subjectOf(claim), { step: "ControllerExpandVolume" });
}

function answered(turn: Turn, key: string, job: ResizerJob, answer: SidecarAnswer): void {
  const claim = turn.get<Claim>(claims, key);
  const volume = claim && volumeOf(turn, claim);
  const { size } = job;
  if (!claim || !volume || size === undefined) return turn.drop(key);
  const fresh = answer.object?.kind === "PersistentVolumeClaim" ? (answer.object as Claim) : claim;
  if (job.step === "ControllerExpandVolume" && answer.error !== undefined) return refused(turn, key, claim, volume, answer.error);
  if (answer.error !== undefined) return failed(turn, key, claim, job.step === "capacity" ? `error updating pv "${volume.metadata.name ?? ""}" by resizer: ${answer.error}` : answer.error, job.step === "capacity");
  switch (job.step) {
    case "mark": return expand(turn, key, fresh, volume, size);
    case "ControllerExpandVolume":
      return turn.api(key, { method: "PATCH", path: `${volumes.path}/${volume.metadata.name ?? ""}`, contentType: "application/strategic-merge-patch+json", body: { metadata: { resourceVersion: volume.metadata.resourceVersion }, spec: { capacity: { storage: size } } }, subject: `persistentvolume/${volume.metadata.name ?? ""}`, level: "basic" }, { step: "capacity", final: false });
    case "capacity":
      return patchStatus(turn, key, claim, { capacity: { storage: size }, conditions: withCondition(turn, claim), allocatedResourceStatuses: null }, { step: "finish" });
    case "mark error": return failed(turn, key, fresh, job.error ?? "", true);
    default: return finished(turn, key, fresh);
  }
}

function finished(turn: Turn, key: string, claim: Claim): void {
  turn.event({ object: claim, type: "Normal", reason: "VolumeResizeSuccessful", message: "Resize volume succeeded" });
  turn.ctx.explain({ text: `external-resizer is done with claim ${claim.metadata.name ?? ""}`, subject: subjectOf(claim), status: "idle" });
  turn.drop(key);
  // More may be wanted by now.
  if (needsResize(claim)) turn.enqueue(key, QUEUED);
}

/** The driver said no. What ends for certain is told in a condition; what may yet come is asked for again as it was. */
function refused(turn: Turn, key: string, claim: Claim, volume: PersistentVolume, error: string): void {
  const final = !/code = (DeadlineExceeded|Unavailable|Aborted|Canceled)/.test(error);
  const text = `resize volume "${volume.metadata.name ?? ""}" by resizer "${MILLIPOD_DRIVER}" failed: ${error}`;
  if (!final) return failed(turn, key, claim, text, true);
  const condition = { type: "ControllerResizeError", status: "True", lastTransitionTime: rfc3339(turn.ctx.now), message: `failed to expand pvc with ${error}` };
  patchStatus(turn, key, claim, { conditions: [condition] }, { step: "mark error", error: text, final: true });
}

function failed(turn: Turn, key: string, claim: Claim, error: string, told: boolean): void {
  if (told) {
    turn.event({ object: claim, type: "Warning", reason: "VolumeResizeFailed", message: error });
    turn.ctx.explain({ text: `external-resizer cannot grow claim ${claim.metadata.name ?? ""}`, why: error, level: "basic", subject: subjectOf(claim) });
  }
  turn.backOff(key, error);
}

const SPEC = { id: "external-resizer", account: "csi-resizer", watched: [claims, volumes] };

export const externalResizerWatches = (): WatchSpec[] => sidecarWatches(SPEC);

/**
 * Component external-resizer: has the driver grow the disks of claims that ask for more.
 * Simplified: this driver's disks carry their file systems themselves; upstream's kubelet grows those of others when a Pod mounts them.
 */
export const createExternalResizer = ({ world, machine }: { readonly world: World; readonly machine: string }): Component<SidecarState<ResizerJob>> =>
  createSidecar<ResizerJob>({ ...SPEC, eventSource: NAME, rpcTimeout: 10_000_000, changed, begin, answered }, world, machine);
