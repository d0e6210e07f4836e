// Models kubernetes/pkg/volume/volume_linux.go (VolumeOwnership.ChangePermissions, monitorProgress) for volumes of disks
import type { FaultMessage } from "../faults/messages.ts";
import type { Message, Micros } from "../kernel/types.ts";
import type { Device } from "./state.ts";
import type { Turn } from "./turn.ts";
import { volumeMounted } from "./volume-state.ts";

export interface OwnershipTimer extends Message {
  readonly type: "kubelet.ownership";
  readonly uid: string;
  readonly volume: string;
  readonly device: string;
  readonly since: Micros;
  readonly files: number;
  /** Set for the end of the walk, absent for a report of its progress. */
  readonly done?: number;
}

const FIRST_REPORT: Micros = 30_000_000;
const REPORT_PERIOD: Micros = 60_000_000;
const PER: number = 1000;

interface SecurityContext {
  readonly fsGroup?: number;
  readonly fsGroupChangePolicy?: string;
}

/**
 * The volume is published; before the Pod may use it, each of its files is given to the fsGroup. With a few files that
 * takes no time that shows. `uid`, `volume`: the Pod and its volume's name.
 */
export function changePermissions(turn: Turn, uid: string, volume: string, device: Device): void {
  const { files, owned } = turn.state.hardware;
  const context = turn.worker(uid)?.pod.spec.securityContext as SecurityContext | undefined;
  // Without a CSIDriver's word the policy is ReadWriteOnceWithFSType: disks that several nodes may write are left alone.
  const group = device.mode === "ReadWriteMany" || device.mode === "ReadOnlyMany" ? undefined : context?.fsGroup;
  const count = files !== undefined && (files.volume === "" || files.volume === device.volume) ? files.count : 0;
  const skip = context?.fsGroupChangePolicy === "OnRootMismatch" && owned.get(device.handle) === group;
  if (group === undefined || skip || count === 0) return walked(turn, uid, volume, device, group);
  const perThousand = turn.ctx.latency("kubelet.chown-1000-files", `${device.handle}/${turn.now}`);
  const whole = Math.ceil((count / PER) * perThousand);
  const timer = (after: Micros, done?: number): void => {
    turn.ctx.after(after, { type: "kubelet.ownership", uid, volume, device: device.name, since: turn.now, files: Math.floor((after / whole) * count), ...(done === undefined ? {} : { done }) } satisfies OwnershipTimer);
  };
  turn.ctx.explain({ text: `The kubelet gives the ${count} files of ${device.volume} to group ${group}, one by one`.slice(0, 138), why: "fsGroup with fsGroupChangePolicy Always, the default: owner and mode of every file are set at every mount; OnRootMismatch looks only at the root directory", level: "basic", subject: device.subject });
  for (let at = FIRST_REPORT; at < whole; at = at === FIRST_REPORT ? FIRST_REPORT + REPORT_PERIOD : at + REPORT_PERIOD) timer(at);
  timer(whole, group);
}

/** The root directory comes last: only a walk that went to its end leaves it with the group. */
function walked(turn: Turn, uid: string, volume: string, device: Device, group: number | undefined): void {
  const { hardware } = turn.state;
  if (group !== undefined && hardware.owned.get(device.handle) !== group) turn.set({ hardware: { ...hardware, owned: hardware.owned.set(device.handle, group) } });
  volumeMounted(turn, uid, volume);
}

/** A report of the walk falls due, or it has come to its end. */
export function onOwnershipTimer(turn: Turn, { uid, volume, device: name, files, since, done }: OwnershipTimer): void {
  const worker = turn.worker(uid);
  const device = turn.state.devices.get(name);
  // A kubelet that restarted, or a Pod that went, has begun anew or needs it no more.
  if (since < turn.state.startedAt || !worker || !device || worker.volumes[volume]?.state !== "publishing") return;
  if (done !== undefined) return walked(turn, uid, volume, device, done);
  const directory = `${uid}/volumes/kubernetes.io~csi/${device.volume}/mount`;
  const text = turn.now - since === FIRST_REPORT ? `Setting volume ownership for ${directory} is taking longer than expected, consider using OnRootMismatch - https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#configure-volume-permission-and-ownership-change-policy-for-pods` : `Setting volume ownership for ${directory}, processed ${files} files.`;
  turn.event(worker.pod, "Warning", "VolumePermissionChangeInProgress", text);
}

/** The fault "csi.many-files": what is stored on the disks that get mounted here from now on. */
export function onManyFiles(turn: Turn, { on, params }: FaultMessage): void {
  const files = on ? { volume: String(params["volume"] ?? ""), count: Math.max(0, Number(params["files"] ?? 0)) } : undefined;
  turn.set({ hardware: { ...turn.state.hardware, files } });
}
