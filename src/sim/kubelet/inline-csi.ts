// Models kubernetes/pkg/volume/csi/csi_mounter.go (SetUpAt, TearDownAt) for volumes that a Pod spells out itself
import type { HttpResponse } from "../api/http.ts";
import { sha256 } from "../api/sha256.ts";
import { type CSIDriver, MILLIPOD_DRIVER, podMountPath } from "../api/storage.ts";
import type { CsiResponse } from "../csi/messages.ts";
import type { Message } from "../kernel/types.ts";
import { csiCall } from "./devices.ts";
import { podRef, type Turn } from "./turn.ts";
import { putVolume } from "./volume-state.ts";

const sourceOf = (turn: Turn, uid: string, name: string): Readonly<Record<string, unknown>> => turn.worker(uid)?.pod.spec.volumes?.find((volume) => volume.name === name)?.csi ?? {};
const driverOf = (turn: Turn, uid: string, name: string): string => String(sourceOf(turn, uid, name)["driver"] ?? "");

/** Asks whether the driver makes volumes for one Pod; the error if there is no such driver on this node. */
export function beginInlineVolume(turn: Turn, uid: string, name: string): string | undefined {
  const driver = driverOf(turn, uid, name);
  if (driver !== MILLIPOD_DRIVER) return `kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name ${driver} not found in the list of registered CSI drivers`;
  turn.api({ method: "GET", path: `/apis/storage.k8s.io/v1/csidrivers/${driver}`, subject: `csidriver/${driver}` }, { for: "volume", uid, volume: name, object: "csidriver" });
  return undefined;
}

/** The driver is known: "" once the volume is there, its error, or nothing while the driver works. */
export function inlineVolumeAnswered(turn: Turn, uid: string, name: string, message: Message): string | undefined {
  const worker = turn.worker(uid);
  if (message.type === "csi.response") return (message as CsiResponse).error ?? "";
  const driver = driverOf(turn, uid, name);
  if (!worker || message.type !== "http.response") return "the API server cannot be reached";
  const found = (message as HttpResponse).status === 200 ? ((message as HttpResponse).body as CSIDriver) : undefined;
  const prefix = "kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: volume mode \"Ephemeral\" not supported by driver";
  if (!found) return `${prefix} ${driver} (no CSIDriver object)`;
  const modes = found.spec.volumeLifecycleModes ?? ["Persistent"];
  if (!modes.includes("Ephemeral")) return `${prefix} ${driver} (only supports ${JSON.stringify(modes)})`;
  const target = podMountPath(uid, name);
  const handle = `csi-${sha256(`${uid}${name}`).map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const source = sourceOf(turn, uid, name);
  const readonly = source["readOnly"] === true;
  putVolume(turn, uid, name, { claim: { volume: name, device: "", path: target, target, readOnly: readonly, handle } });
  turn.explain(`The kubelet asks the driver ${driver} for a volume for this Pod alone: ${name}`, worker.pod, { level: "basic", why: "An inline CSI volume: no claim, no attaching, no staging; it goes with the Pod" });
  const volume_context = { ...(source["volumeAttributes"] as Readonly<Record<string, string>> | undefined), "csi.storage.k8s.io/ephemeral": "true" };
  csiCall(turn, { method: "NodePublishVolume", body: { volume_id: handle, staging_target_path: "", target_path: target, volume_capability: { mount: { fs_type: String(source["fsType"] ?? "") }, access_mode: { mode: "SINGLE_NODE_WRITER" } }, readonly, volume_context } }, { for: "volume", uid, volume: name, object: "publish" }, podRef(worker.pod));
  return undefined;
}
