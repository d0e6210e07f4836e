// Models kubernetes/pkg/controller/volume/attachdetach/reconciler/reconciler.go, statusupdater/node_status_updater.go and pkg/volume/csi/csi_attacher.go
import type { CSIDriver } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import type { Enqueue, Plan } from "../controller.ts";
import { collectionPath, pathOf } from "../resources.ts";
import { allowsMultiAttach } from "../../api/storage.ts";
import { type AttachDetachMemory, type Attachment, attachmentsOf, isHealthy, isOutOfService, nodeOf, podsUsing, type Target, targetOf, UNKNOWN, volumesToReport } from "./state.ts";

type V = View<AttachDetachMemory>;
type P = Plan<never, AttachDetachMemory>;

const LOOP: Micros = 100_000;
const PHASE: Micros = 37_000;
/** How long the volume on a node that does not unmount it is left alone. */
const MAX_WAIT_FOR_UNMOUNT: Micros = 360_000_000;
/** How long the controller waits for the driver's attacher. */
const ATTACH_TIMEOUT: Micros = 120_000_000;

/** How long until the reconciler's next round. It runs each 100 ms; here only rounds with something to do are run. */
export const nextRound = (now: Micros): Micros => LOOP - ((now + LOOP - PHASE) % LOOP);

const remember = (view: V, target: Target, change: Partial<Attachment>): AttachDetachMemory => ({ attachments: view.memory.attachments.set(target.key, { ...UNKNOWN, ...target.remembered, ...change }) });
const forget = (view: V, key: string): AttachDetachMemory => ({ attachments: view.memory.attachments.delete(key) });
const nameOf = (target: Target): string => target.volume.metadata.name ?? "";
const subjectOf = (target: Target): string => `persistentvolume/${nameOf(target)}`;
const note = (target: Target, text: string, why: string): Note => ({ text: text.slice(0, 138), why, level: "basic", subject: subjectOf(target), status: "idle" });
const toPods = (pods: readonly Pod[], type: EventToRecord["type"], reason: string, message: (pod: Pod) => string): EventToRecord[] => pods.map((pod) => ({ object: pod, type, reason, message: message(pod) }));
const again = (key: string, after: Micros): readonly Enqueue[] => [{ key, after }];

/** One volume on one node: attaches, waits, reports or detaches. "report:NODE" writes the node's status. */
export function reconcile(key: string, view: V): P {
  if (key.startsWith("report:")) return report(key.slice(7), view);
  const target = targetOf(key, view);
  if (!target) return view.memory.attachments.has(key) ? { memory: forget(view, key) } : {};
  const users = podsUsing(target.volume, view);
  const here = users.filter((pod) => pod.spec.nodeName === target.node);
  if (here.length === 0) return target.attachment ? detach(target, view) : gone(target, view);
  if (view.get<CSIDriver>("csidrivers", target.driver)?.spec.attachRequired === false) return {};
  return target.attachment ? watchAttachment(target, here, view) : attach(target, here, users, view);
}

/** Neither wanted nor attached: others may have waited for just that. */
const gone = (target: Target, view: V): P => (target.remembered ? { memory: forget(view, target.key) } : {});

function attach(target: Target, here: readonly Pod[], users: readonly Pod[], view: V): P {
  const others = attachmentsOf(nameOf(target), view).map((attachment) => attachment.spec.nodeName).filter((node) => node !== target.node);
  if (others.length > 0 && !allowsMultiAttach(target.volume)) return multiAttach(target, here, users.filter((pod) => others.includes(pod.spec.nodeName ?? "")), others, view);
  const body = { apiVersion: "storage.k8s.io/v1", kind: "VolumeAttachment", metadata: { name: target.attachmentName }, spec: { attacher: target.driver, nodeName: target.node, source: { persistentVolumeName: nameOf(target) } } };
  const call: ApiCall = { method: "POST", path: collectionPath("VolumeAttachment"), body, subject: `volumeattachment/${target.attachmentName}`, level: "basic" };
  return {
    batches: [[call]],
    memory: remember(view, target, { phase: "attaching", since: view.now, detachRequested: 0 }),
    notes: [note(target, `attachdetach-controller wants volume ${nameOf(target)} attached to ${target.node}`, "A Pod there needs it; a VolumeAttachment asks the driver's attacher for it")],
    enqueue: again(target.key, ATTACH_TIMEOUT),
  };
}

/** Told once: the volume is attached elsewhere and may only be attached to one node. */
function multiAttach(target: Target, here: readonly Pod[], elsewhere: readonly Pod[], nodes: readonly string[], view: V): P {
  if (target.remembered?.multiAttachReported) return {};
  const text = (pod: Pod): string => {
    if (elsewhere.length === 0) return "Volume is already exclusively attached to one node and can't be attached to another";
    const local = elsewhere.filter((other) => other.metadata.namespace === pod.metadata.namespace).map((other) => other.metadata.name ?? "");
    const foreign = elsewhere.length - local.length;
    if (local.length === 0) return `Volume is already used by ${foreign} pod(s) in different namespaces`;
    return `Volume is already used by pod(s) ${local.join(", ")}${foreign > 0 ? ` and ${foreign} pod(s) in different namespaces` : ""}`;
  };
  return {
    memory: remember(view, target, { multiAttachReported: true, since: view.now }),
    events: toPods(here, "Warning", "FailedAttachVolume", (pod) => `Multi-Attach error for volume "${nameOf(target)}" ${text(pod)}`),
    notes: [note(target, `attachdetach-controller cannot attach ${nameOf(target)} to ${target.node}: it is attached to ${nodes.join(", ")}`, "Its access mode allows one node at a time; it must be detached there first")],
  };
}

function watchAttachment(target: Target, here: readonly Pod[], view: V): P {
  const { attachment, remembered } = target;
  // Being detached: a new one follows when it is gone.
  if (attachment?.metadata.deletionTimestamp !== undefined) return {};
  if (attachment?.status?.attached === true) return attached(target, here, view);
  const error = attachment?.status?.attachError;
  const fail = (message: string): EventToRecord[] => toPods(here, "Warning", "FailedAttachVolume", () => `AttachVolume.Attach failed for volume "${nameOf(target)}" : ${message}`);
  if (error && error.time !== remembered?.errorTime) return { memory: remember(view, target, { errorTime: error.time ?? "", since: view.now }), events: fail(error.message ?? ""), enqueue: again(target.key, ATTACH_TIMEOUT), notes: [note(target, `Volume ${nameOf(target)} could not be attached to ${target.node}`, error.message ?? "")] };
  const since = remembered?.since ?? view.now;
  if (view.now - since < ATTACH_TIMEOUT) return remembered ? {} : { memory: remember(view, target, { since }), enqueue: again(target.key, ATTACH_TIMEOUT) };
  return { memory: remember(view, target, { since: view.now }), events: fail(`timed out waiting for external-attacher of ${target.driver} CSI driver to attach volume ${target.handle}`), enqueue: again(target.key, ATTACH_TIMEOUT) };
}

function attached(target: Target, here: readonly Pod[], view: V): P {
  const known = nodeOf(target.node, view)?.status?.volumesAttached?.some((volume) => volume.name === target.uniqueName) ?? false;
  if (target.remembered?.phase === "attached") return target.remembered.detachRequested === 0 ? {} : { memory: remember(view, target, { detachRequested: 0 }) };
  return {
    memory: remember(view, target, { phase: "attached", since: view.now, detachRequested: 0, multiAttachReported: false }),
    ...(known ? {} : {
      events: toPods(here, "Normal", "SuccessfulAttachVolume", () => `AttachVolume.Attach succeeded for volume "${nameOf(target)}" `),
      notes: [note(target, `Volume ${nameOf(target)} is attached to ${target.node}`, "The kubelet there learns it from node.status.volumesAttached")],
    }),
    enqueue: again(`report:${target.node}`, nextRound(view.now)),
  };
}

function detach(target: Target, view: V): P {
  const { attachment } = target;
  if (!attachment || attachment.metadata.deletionTimestamp !== undefined) return target.remembered?.phase === "detaching" ? {} : { memory: remember(view, target, { phase: "detaching" }) };
  const node = nodeOf(target.node, view);
  const requested = target.remembered?.detachRequested || view.now;
  const mounted = node?.status?.volumesInUse?.includes(target.uniqueName) ?? false;
  const overdue = view.now - requested >= MAX_WAIT_FOR_UNMOUNT;
  const force = overdue && !isHealthy(node);
  if (mounted && !force && !isOutOfService(node)) {
    const first = target.remembered?.detachRequested ? {} : { memory: remember(view, target, { detachRequested: requested }), enqueue: again(target.key, MAX_WAIT_FOR_UNMOUNT) };
    return { ...first, ...(target.remembered?.detachRequested ? {} : { notes: [note(target, `attachdetach-controller waits for ${target.node} to unmount ${nameOf(target)}`, "node.status.volumesInUse still lists it: detached now, data could be lost; a node that is not Ready gets 6 minutes")] }) };
  }
  const report = reportCall(target.node, view, nameOf(target));
  const remove: ApiCall = { method: "DELETE", path: pathOf("VolumeAttachment", undefined, target.attachmentName), subject: `volumeattachment/${target.attachmentName}`, level: "basic" };
  return {
    batches: [...(report ? [[report]] : []), [remove]],
    memory: remember(view, target, { phase: "detaching", since: view.now }),
    notes: [note(target, `attachdetach-controller detaches volume ${nameOf(target)} from ${target.node}${force ? " by force" : ""}`, force ? "The node is not Ready and has not unmounted it for 6 minutes" : "No Pod needs it there, and the node has unmounted it")],
  };
}

/** The write to node.status.volumesAttached; undefined if it is right already. */
function reportCall(name: string, view: V, except = ""): ApiCall | undefined {
  const node = nodeOf(name, view);
  if (!node) return undefined;
  const wanted = volumesToReport(name, view, except);
  const now = node.status?.volumesAttached ?? [];
  if (wanted.length === now.length && wanted.every((volume) => now.some((other) => other.name === volume.name))) return undefined;
  return { method: "PATCH", path: `${pathOf("Node", undefined, name)}/status`, contentType: "application/strategic-merge-patch+json", body: { status: { volumesAttached: wanted.length === 0 ? null : wanted } }, subject: `node/${name}` };
}

function report(node: string, view: V): P {
  const call = reportCall(node, view);
  return call ? { batches: [[call]] } : {};
}
