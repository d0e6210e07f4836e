// Models kubernetes/pkg/controller/volume/attachdetach/cache/{actual,desired}_state_of_world.go
import { attachmentName, claimKeysOf, type PersistentVolume, type PersistentVolumeClaim, uniqueVolumeName, type VolumeAttachment } from "../../api/storage.ts";
import type { Node, Pod } from "../../api/types.ts";
import type { PMap } from "../../kernel/pmap.ts";
import type { Micros } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { isPodTerminated } from "../pods.ts";

/** An operation on a volume that waits for the driver's attacher, looking ever less often. */
export interface Operation {
  readonly kind: "attach" | "detach";
  readonly since: Micros;
  readonly looks: number;
  /** When it looks again; 0 while its requests are out. */
  readonly at: Micros;
}

/** What the controller remembers of one volume on one node: its actual state of the world. */
export interface Attachment {
  readonly state: "none" | "attached" | "uncertain";
  readonly operation?: Operation;
  /** The operation failed: when, and how long it is not tried again. */
  readonly failed?: { readonly kind: Operation["kind"]; readonly at: Micros; readonly wait: Micros };
  /** When it was first seen that no Pod needs the volume there any more; 0: needed. */
  readonly detachRequested: Micros;
  readonly multiAttachReported: boolean;
}

export interface AttachDetachMemory {
  /** By "node/volume". */
  readonly attachments: PMap<Attachment>;
  /** By node: what is mounted there, as its status said last; what was added since counts as mounted until the status says otherwise. */
  readonly inUse: PMap<readonly string[]>;
}

type V = View<AttachDetachMemory>;

export interface Target {
  readonly key: string;
  readonly node: string;
  readonly volume: PersistentVolume;
  readonly driver: string;
  readonly handle: string;
  /** As in node.status. */
  readonly uniqueName: string;
  readonly attachment: VolumeAttachment | undefined;
  readonly attachmentName: string;
  readonly remembered: Attachment;
}

/** Volumes that a Pod on a node needs there: those its claims are bound to. */
export const volumesOf = (pod: Pod, view: V): readonly string[] =>
  claimKeysOf(pod).flatMap((key) => {
    const name = view.get<PersistentVolumeClaim>("persistentvolumeclaims", key)?.spec.volumeName;
    return name ? [name] : [];
  });

/** Resolves "node/volume"; undefined if the volume is none that is attached through CSI. */
export function targetOf(key: string, view: V): Target | undefined {
  const at = key.indexOf("/");
  const node = key.slice(0, at);
  const volume = view.get<PersistentVolume>("persistentvolumes", key.slice(at + 1));
  const csi = volume?.spec.csi;
  if (!volume || !csi) return undefined;
  const name = attachmentName(csi.volumeHandle, csi.driver, node);
  return {
    key, node, volume, driver: csi.driver, handle: csi.volumeHandle, uniqueName: uniqueVolumeName(csi.driver, csi.volumeHandle), attachmentName: name,
    attachment: view.get<VolumeAttachment>("volumeattachments", name), remembered: stateOf(node, volume, view),
  };
}

/** Pods that need the volume, with their nodes. A Pod that has ended needs nothing. */
export function podsUsing(volume: PersistentVolume, view: V): readonly Pod[] {
  const ref = volume.spec.claimRef;
  if (!ref) return [];
  const claim = view.get<PersistentVolumeClaim>("persistentvolumeclaims", `${ref.namespace ?? ""}/${ref.name ?? ""}`);
  if (claim?.spec.volumeName !== volume.metadata.name) return [];
  return view.byIndex<Pod>("podsByClaim", `${ref.namespace ?? ""}/${ref.name ?? ""}`).filter((pod) => pod.spec.nodeName && !isPodTerminated(pod));
}

export const attachmentsOf = (volume: string, view: V): readonly VolumeAttachment[] => view.byIndex<VolumeAttachment>("attachmentsByVolume", volume);

export const NONE: Attachment = { state: "none", detachRequested: 0, multiAttachReported: false };

/** What is known of a volume on a node. A controller that has just begun believes the node's status, and is uncertain of other VolumeAttachments. */
export function stateOf(node: string, volume: PersistentVolume, view: V): Attachment {
  const known = view.memory.attachments.get(`${node}/${volume.metadata.name ?? ""}`);
  const csi = volume.spec.csi;
  if (known !== undefined || csi === undefined) return known ?? NONE;
  if (nodeOf(node, view)?.status?.volumesAttached?.some((entry) => entry.name === uniqueVolumeName(csi.driver, csi.volumeHandle))) return { ...NONE, state: "attached" };
  return view.get<VolumeAttachment>("volumeattachments", attachmentName(csi.volumeHandle, csi.driver, node)) === undefined ? NONE : { ...NONE, state: "uncertain" };
}

/** node.status.volumesAttached as it should be: what is attached and not about to be detached. */
export function volumesToReport(node: string, view: V, except = ""): readonly { readonly name: string; readonly devicePath: string }[] {
  return view.byIndex<VolumeAttachment>("attachmentsByNode", node)
    .flatMap((attachment) => {
      const name = attachment.spec.source.persistentVolumeName ?? "";
      const volume = view.get<PersistentVolume>("persistentvolumes", name);
      const csi = volume?.spec.csi;
      if (volume === undefined || csi === undefined || name === except) return [];
      const { state, operation } = stateOf(node, volume, view);
      return state === "attached" && operation?.kind !== "detach" ? [{ name: uniqueVolumeName(csi.driver, csi.volumeHandle), devicePath: "" }] : [];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Nodes where a volume is wanted, attached, or has just been. */
export function nodesOf(name: string, view: V): readonly string[] {
  const volume = view.get<PersistentVolume>("persistentvolumes", name);
  const wanted = volume ? podsUsing(volume, view).map((pod) => pod.spec.nodeName ?? "") : [];
  const known = view.memory.attachments.keys().filter((key) => key.slice(key.indexOf("/") + 1) === name).map((key) => key.slice(0, key.indexOf("/")));
  return [...new Set([...wanted, ...attachmentsOf(name, view).map((attachment) => attachment.spec.nodeName), ...known])].sort();
}

export const nodeOf = (name: string, view: V): Node | undefined => view.get<Node>("nodes", name);
export const isReady = (node: Node | undefined): boolean => node?.status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") ?? false;
export const isOutOfService = (node: Node | undefined): boolean => node?.spec?.taints?.some((taint) => taint.key === "node.kubernetes.io/out-of-service") ?? false;
