// Models kubernetes/pkg/kubelet/volumemanager/reconciler (volumes with a device), pkg/volume/util/operationexecutor and pkg/volume/csi
import type { HttpResponse } from "../api/http.ts";
import { attachmentName, MILLIPOD_DRIVER, type VolumeAttachment } from "../api/storage.ts";
import type { Node } from "../api/types.ts";
import type { CsiCall, CsiRequest, CsiResponse } from "../csi/messages.ts";
import type { MailId, Message } from "../kernel/types.ts";
import type { Device, Pending } from "./state.ts";
import type { Turn } from "./turn.ts";
import { changePermissions } from "./volume-ownership.ts";
import { LOOP_PERIOD, operationBackoff, putVolume } from "./volume-state.ts";

export interface ReconcileTimer extends Message {
  readonly type: "kubelet.reconcile";
}

type DevicePending = Extract<Pending, { for: "device" }>;

/** `READWRITE` of an access mode, in CSI's words. */
const MODES = { ReadWriteOnce: "SINGLE_NODE_WRITER", ReadOnlyMany: "MULTI_NODE_READER_ONLY", ReadWriteMany: "MULTI_NODE_MULTI_WRITER", ReadWriteOncePod: "SINGLE_NODE_SINGLE_WRITER" } as const;
const capability = (device: Device) => ({ mount: { fs_type: device.fsType }, access_mode: { mode: MODES[device.mode] } });

/** The reconciler's next round at or after `at`; it runs each 100 ms, here only when there is something to do. */
export function armReconcile(turn: Turn, at = turn.now + 1): void {
  const round = turn.nextTick("reconciler", LOOP_PERIOD, at);
  const armed = turn.state.reconcileAt;
  if (armed > turn.now && armed <= round) return;
  turn.set({ reconcileAt: round });
  turn.ctx.after(round - turn.now, { type: "kubelet.reconcile" } satisfies ReconcileTimer);
}

function put(turn: Turn, name: string, change: Partial<Device>): void {
  const device = turn.state.devices.get(name);
  if (device) turn.set({ devices: turn.state.devices.set(name, { ...device, ...change }) });
}

const userKey = (user: { readonly uid: string; readonly name: string }): string => `${user.uid}/${user.name}`;

/** A Pod's volume needs the device: the first one makes it wanted here. */
export function addDevice(turn: Turn, device: Device, user: { readonly uid: string; readonly name: string }): void {
  const known = turn.state.devices.get(device.name);
  const users = [...(known?.users ?? []).filter((other) => other !== userKey(user)), userKey(user)];
  turn.set({ devices: turn.state.devices.set(device.name, { ...(known ?? device), users }) });
  if (!known) turn.engine.volumesInUseChanged(turn);
}

/** The Pod does not use the device any more; without users it is unmounted from the node. */
export function leaveDevice(turn: Turn, name: string, user: { readonly uid: string; readonly name: string }): void {
  const device = turn.state.devices.get(name);
  if (!device) return;
  put(turn, name, { users: device.users.filter((other) => other !== userKey(user)) });
  armReconcile(turn);
}

/** node.status.volumesInUse: whatever must not be detached. */
export const volumesInUse = (turn: Turn): readonly string[] => turn.state.devices.values().filter((device) => device.attachRequired).map((device) => device.name).sort();

/** The Node changed: perhaps a volume is attached now. */
export function onNodeChange(turn: Turn): void {
  if (turn.state.devices.values().some((device) => device.state === "wanted")) armReconcile(turn);
}

/** One round: whatever can go on, does. */
export function reconcile(turn: Turn): void {
  turn.set({ reconcileAt: 0 });
  for (const [, device] of turn.state.devices.sorted()) {
    if (device.users.length === 0) {
      if (device.state === "staged") unstage(turn, device);
      else if (device.state === "wanted" || device.state === "attached") forget(turn, device);
      continue;
    }
    if (device.retryAt > turn.now) {
      armReconcile(turn, device.retryAt);
      continue;
    }
    if (device.state === "wanted") verifyAttached(turn, device);
    else if (device.state === "attached") waitForAttach(turn, device);
    else if (device.state === "staged") for (const user of device.users) publish(turn, device, user);
  }
}

function forget(turn: Turn, device: Device): void {
  turn.set({ devices: turn.state.devices.delete(device.name) });
  turn.engine.volumesInUseChanged(turn);
}

const lists = (node: Node | undefined, name: string): boolean => node?.status?.volumesAttached?.some((volume) => volume.name === name) ?? false;

/** VerifyControllerAttachedVolume: reported in use, attached by what is known of the Node, and then asked for certain. */
function verifyAttached(turn: Turn, device: Device): void {
  if (!device.attachRequired) {
    put(turn, device.name, { state: "attached" });
    return armReconcile(turn);
  }
  const node = turn.state.node.store.get(turn.config.node.name) as Node | undefined;
  if (!node?.status?.volumesInUse?.includes(device.name) || !lists(node, device.name)) return;
  put(turn, device.name, { state: "checking" });
  turn.api({ method: "GET", path: `/api/v1/nodes/${turn.config.node.name}`, subject: `node/${turn.config.node.name}` }, { for: "device", device: device.name, what: "node" });
}

function waitForAttach(turn: Turn, device: Device): void {
  if (!device.attachRequired) return stage(turn, device);
  const name = attachmentName(device.handle, device.driver, turn.config.node.name);
  put(turn, device.name, { state: "checking" });
  turn.api({ method: "GET", path: `/apis/storage.k8s.io/v1/volumeattachments/${name}`, subject: `volumeattachment/${name}` }, { for: "device", device: device.name, what: "attachment" });
}

/** One gRPC call to this node's plugin. */
export function csiCall(turn: Turn, csi: CsiCall, pending: Pending, subject: string): MailId {
  const mail = turn.ctx.send(`csi@${turn.config.node.name}`, { type: "csi.request", csi } satisfies CsiRequest, { protocol: "gRPC", latency: turn.ctx.latency("link.unix", `${csi.method} ${turn.now}`), verb: csi.method, subject, level: "basic" });
  turn.expect(mail, pending);
  return mail;
}

function stage(turn: Turn, device: Device): void {
  if (device.driver !== MILLIPOD_DRIVER) return mountFailed(turn, device, "attached", `MountVolume.MountDevice failed for volume "${device.volume}" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ${device.driver} not found in the list of registered CSI drivers`);
  put(turn, device.name, { state: "staging" });
  turn.ctx.explain({ text: `The kubelet asks csi@${turn.config.node.name} to mount ${device.volume} on the node`.slice(0, 138), why: "The disk is attached; NodeStageVolume mounts it once for all Pods of this node", level: "basic", subject: device.subject, status: `staging ${device.volume}` });
  csiCall(turn, { method: "NodeStageVolume", body: { volume_id: device.handle, staging_target_path: device.path, volume_capability: capability(device), volume_context: device.attributes } }, { for: "device", device: device.name, what: "stage" }, device.subject);
}

function publish(turn: Turn, device: Device, user: string): void {
  const at = user.indexOf("/");
  const uid = user.slice(0, at);
  const name = user.slice(at + 1);
  const state = turn.worker(uid)?.volumes[name];
  if (state?.state !== "desired" || !state.claim) return;
  if (device.mode === "ReadWriteOncePod" && device.users.some((other) => !other.startsWith(`${uid}/`) && isMounted(turn, other))) return setUpFailed(turn, device, uid, "volume uses the ReadWriteOncePod access mode and is already in use by another pod");
  putVolume(turn, uid, name, { state: "publishing" });
  csiCall(turn, { method: "NodePublishVolume", body: { volume_id: device.handle, staging_target_path: device.path, target_path: state.claim.target, volume_capability: capability(device), readonly: state.claim.readOnly } }, { for: "device", device: device.name, what: "publish", user }, `pod/${turn.worker(uid)?.key ?? ""}`);
}

function isMounted(turn: Turn, user: string): boolean {
  const at = user.indexOf("/");
  return ["mounted", "publishing"].includes(turn.worker(user.slice(0, at))?.volumes[user.slice(at + 1)]?.state ?? "");
}

/** The volume cannot be mounted for one of its Pods: tried again after a back-off. */
function setUpFailed(turn: Turn, device: Device, uid: string, error: string): void {
  const pod = turn.worker(uid)?.pod;
  const text = `MountVolume.SetUp failed for volume "${device.volume}" : ${error}`;
  if (pod) {
    turn.event(pod, "Warning", "FailedMount", text);
    turn.explain(text.slice(0, 138), pod, { level: "basic" });
  }
  const retryAt = turn.now + operationBackoff(device.failures);
  put(turn, device.name, { failures: device.failures + 1, retryAt });
  armReconcile(turn, retryAt);
}

function unstage(turn: Turn, device: Device): void {
  put(turn, device.name, { state: "unstaging" });
  csiCall(turn, { method: "NodeUnstageVolume", body: { volume_id: device.handle, staging_target_path: device.path } }, { for: "device", device: device.name, what: "unstage" }, device.subject);
}

const errorOf = (message: Message): string => (message.type === "csi.response" ? ((message as CsiResponse).error ?? "") : 'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: connect: connection refused"');

function mountFailed(turn: Turn, device: Device, back: Device["state"], text: string): void {
  for (const user of device.users) {
    const pod = turn.worker(user.slice(0, user.indexOf("/")))?.pod;
    if (pod) turn.event(pod, "Warning", "FailedMount", text);
  }
  const retryAt = turn.now + operationBackoff(device.failures);
  put(turn, device.name, { state: back, failures: device.failures + 1, retryAt });
  turn.ctx.explain({ text: text.slice(0, 138), level: "basic", subject: device.subject });
  armReconcile(turn, retryAt);
}

export function onDeviceAnswer(turn: Turn, pending: DevicePending, message: Message): void {
  const device = turn.state.devices.get(pending.device);
  if (!device) return;
  const body = message.type === "http.response" && (message as HttpResponse).status === 200 ? (message as HttpResponse).body : undefined;
  switch (pending.what) {
    case "node":
      put(turn, device.name, { state: lists(body as Node | undefined, device.name) ? "attached" : "wanted" });
      return armReconcile(turn);
    case "attachment":
      if ((body as VolumeAttachment | undefined)?.status?.attached === true) return stage(turn, device);
      return mountFailed(turn, device, "wanted", `MountVolume.WaitForAttach failed for volume "${device.volume}" : volume ${device.handle} is not attached for volume attachment ${attachmentName(device.handle, device.driver, turn.config.node.name)}`);
    case "stage": {
      const error = errorOf(message);
      if (error !== "") return mountFailed(turn, device, "attached", `MountVolume.MountDevice failed for volume "${device.volume}" : ${error}`);
      put(turn, device.name, { state: "staged", failures: 0, retryAt: 0 });
      // MountDevice and SetUp are one operation.
      for (const user of device.users) publish(turn, device, user);
      if (device.users.length === 0) armReconcile(turn);
      return;
    }
    case "unstage": {
      if (errorOf(message) === "") return forget(turn, device);
      put(turn, device.name, { state: "staged", retryAt: turn.now + operationBackoff(device.failures), failures: device.failures + 1 });
      return armReconcile(turn, turn.now + operationBackoff(device.failures));
    }
    case "publish": return published(turn, device, pending.user ?? "", errorOf(message));
  }
}

function published(turn: Turn, device: Device, user: string, error: string): void {
  const at = user.indexOf("/");
  const uid = user.slice(0, at);
  const name = user.slice(at + 1);
  const worker = turn.worker(uid);
  if (!worker || worker.volumes[name]?.state !== "publishing") return;
  if (error === "") {
    put(turn, device.name, { failures: 0 });
    return changePermissions(turn, uid, name, device);
  }
  putVolume(turn, uid, name, { state: "desired", error });
  setUpFailed(turn, device, uid, error);
}
