// Models kubernetes/pkg/kubelet/volumemanager/volume_manager.go (WaitForUnmount) and pkg/volume/csi/csi_mounter.go (TearDownAt)
import type { CsiResponse } from "../csi/messages.ts";
import type { Message } from "../kernel/types.ts";
import { csiCall, leaveDevice } from "./devices.ts";
import type { VolumeState } from "./state.ts";
import type { StepResult } from "./step.ts";
import type { Turn } from "./turn.ts";
import { LOOP_PERIOD, putVolume } from "./volume-state.ts";

type Claimed = VolumeState & { readonly claim: NonNullable<VolumeState["claim"]> };
const claimed = (turn: Turn, uid: string): readonly (readonly [string, Claimed])[] => Object.entries(turn.worker(uid)?.volumes ?? {}).flatMap(([name, volume]) => (volume.claim && (volume.claim.device !== "" || volume.claim.handle !== undefined) ? [[name, volume as Claimed] as const] : []));

/** SyncTerminatedPod waits until the reconciler has unmounted what was mounted for the Pod from disks. */
export function unpublishVolumes(turn: Turn, uid: string): StepResult {
  if (claimed(turn, uid).length === 0) return "next";
  const populated = turn.nextTick("populator", LOOP_PERIOD, turn.now + 1);
  turn.sleep(uid, turn.nextTick("reconciler", LOOP_PERIOD, populated) - turn.now);
  return "wait";
}

export function volumesUnpublished(turn: Turn, uid: string, message: Message): StepResult {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!worker || !run) return { error: "", cancelled: true };
  if (message.type === "net.error") return { error: "the CSI plugin does not answer" };
  if (message.type === "csi.response") {
    const { error, request } = message as CsiResponse;
    if (error !== undefined) return { error };
    for (const [name, volume] of claimed(turn, uid)) if (volume.pending === request) leave(turn, uid, name, volume);
    return claimed(turn, uid).length === 0 ? "next" : "wait";
  }
  for (const [name, volume] of claimed(turn, uid)) {
    if (volume.state !== "mounted" && volume.state !== "publishing") {
      leave(turn, uid, name, volume);
      continue;
    }
    const handle = volume.claim.handle ?? turn.state.devices.get(volume.claim.device)?.handle ?? "";
    const pending = csiCall(turn, { method: "NodeUnpublishVolume", body: { volume_id: handle, target_path: volume.claim.target } }, { for: "run", uid, n: run.n }, `pod/${worker.key}`);
    putVolume(turn, uid, name, { pending });
  }
  return claimed(turn, uid).length === 0 ? "next" : "wait";
}

function leave(turn: Turn, uid: string, name: string, volume: Claimed): void {
  const { [name]: _, ...volumes } = turn.worker(uid)?.volumes ?? {};
  turn.update(uid, { volumes });
  leaveDevice(turn, volume.claim.device, { uid, name });
}
