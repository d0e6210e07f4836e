// Models kubernetes/pkg/controller/volume/attachdetach/attach_detach_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { claimKeysOf, type PersistentVolume, type PersistentVolumeClaim, type VolumeAttachment } from "../../api/storage.ts";
import type { Node, Pod } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, watchesOf } from "../controller.ts";
import { nextRound, reconcile } from "./reconcile.ts";
import { type AttachDetachMemory, attachmentsOf, isPodTerminated, podsUsing, volumesOf } from "./state.ts";

const ID = "attachdetach-controller";
const RESOURCES = ["pods", "nodes", "persistentvolumeclaims", "persistentvolumes", "volumeattachments", "csidrivers"] as const;

type V = View<AttachDetachMemory>;

/** Which volumes on which nodes a change concerns: "node/volume". */
function concerned(change: Change, resource: string, view: V): readonly string[] {
  const { object } = change;
  switch (resource) {
    case "pods": {
      const pod = object as Pod;
      if (!pod.spec.nodeName || (change.type === "update" && (change.old as Pod).spec.nodeName && isPodTerminated(change.old as Pod) === isPodTerminated(pod))) return [];
      return volumesOf(pod, view).map((volume) => `${pod.spec.nodeName ?? ""}/${volume}`);
    }
    case "nodes": {
      const node = object as Node;
      const before = change.type === "update" ? (change.old as Node) : undefined;
      if (before && before.status?.volumesInUse === node.status?.volumesInUse && before.spec?.taints === node.spec?.taints) return [];
      return view.byIndex<VolumeAttachment>("attachmentsByNode", objectKey(node)).map((attachment) => `${objectKey(node)}/${attachment.spec.source.persistentVolumeName ?? ""}`);
    }
    case "persistentvolumeclaims": {
      const volume = (object as PersistentVolumeClaim).spec.volumeName;
      return volume ? nodesOf(volume, view).map((node) => `${node}/${volume}`) : [];
    }
    case "persistentvolumes":
      return nodesOf(objectKey(object), view).map((node) => `${node}/${objectKey(object)}`);
    case "volumeattachments": {
      const { spec } = object as VolumeAttachment;
      const volume = spec.source.persistentVolumeName ?? "";
      return [...new Set([spec.nodeName, ...nodesOf(volume, view)])].map((node) => `${node}/${volume}`);
    }
    default:
      return [];
  }
}

/** Nodes where a volume is wanted or attached. */
function nodesOf(name: string, view: V): readonly string[] {
  const volume = view.get<PersistentVolume>("persistentvolumes", name);
  const wanted = volume ? podsUsing(volume, view).map((pod) => pod.spec.nodeName ?? "") : [];
  return [...new Set([...wanted, ...attachmentsOf(name, view).map((attachment) => attachment.spec.nodeName)])];
}

function handle(change: Change, resource: string, view: V): Handled<AttachDetachMemory> {
  if (resource === "pods" && claimKeysOf(change.object as Pod).length === 0) return {};
  const keys = concerned(change, resource, view);
  if (keys.length === 0) return {};
  const after = nextRound(view.now);
  return { keys: keys.map((key) => ({ key, after })) };
}

/** Attaches volumes to the nodes where Pods need them, through VolumeAttachments, and detaches them. */
export const createAttachDetachController = (config: ControllerConfig): Component<ControllerState<never, AttachDetachMemory>> =>
  createController<never, AttachDetachMemory>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      indexers: {
        podsByClaim: { resource: "pods", values: (object) => claimKeysOf(object as Pod) },
        attachmentsByNode: { resource: "volumeattachments", values: (object) => [(object as VolumeAttachment).spec.nodeName] },
        attachmentsByVolume: { resource: "volumeattachments", values: (object) => [(object as VolumeAttachment).spec.source.persistentVolumeName ?? ""] },
      },
      workers: 10,
      latency: "attachdetach.sync",
      memory: { attachments: PMap.empty() },
      handle,
      sync: reconcile,
    },
    config,
  );

export const attachDetachWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
