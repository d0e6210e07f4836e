// Models kubernetes/pkg/controller/volume/attachdetach/attach_detach_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { claimKeysOf, type PersistentVolumeClaim, type VolumeAttachment } from "../../api/storage.ts";
import type { Node, Pod } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Micros } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, watchesOf } from "../controller.ts";
import { isPodTerminated } from "../pods.ts";
import { reconcile, resume } from "./reconcile.ts";
import { type AttachDetachMemory, isReady, NONE, nodesOf, targetOf, volumesOf } from "./state.ts";
import { nextRound, type Work } from "./transitions.ts";

const ID = "attachdetach-controller";
const RESOURCES = ["pods", "nodes", "persistentvolumeclaims", "persistentvolumes", "volumeattachments", "csidrivers"] as const;

/** ReconcilerSyncLoopPeriod */
const VERIFY_PERIOD: Micros = 60_000_000;

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
      if (before && before.status?.volumesInUse === node.status?.volumesInUse && before.spec?.taints === node.spec?.taints && isReady(before) === isReady(node)) return [];
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

function handle(change: Change, resource: string, view: V): Handled<AttachDetachMemory> {
  if (resource === "pods" && claimKeysOf(change.object as Pod).length === 0) return {};
  const keys = concerned(change, resource, view);
  const memory = resource === "nodes" ? withInUse(change.object as Node, view.memory) : view.memory;
  if (keys.length === 0) return memory === view.memory ? {} : { memory };
  const after = nextRound(view.now);
  return { memory, keys: keys.map((key) => ({ key, after })) };
}

/** SetVolumesMountedByNode: also of a node that is deleted, as its last status said. */
function withInUse(node: Node, memory: AttachDetachMemory): AttachDetachMemory {
  const mounted = node.status?.volumesInUse;
  const known = memory.inUse.get(objectKey(node));
  if (mounted === known || ((mounted?.length ?? 0) === 0 && known === undefined)) return memory;
  return { ...memory, inUse: memory.inUse.set(objectKey(node), mounted ?? []) };
}

/** VerifyVolumesAreAttached: what has lost its VolumeAttachment is not attached, whatever was believed. */
function verify(view: V): Handled<AttachDetachMemory> {
  let { memory } = view;
  const keys: Enqueue[] = [];
  for (const [key, { state, operation }] of memory.attachments.sorted()) {
    const target = state === "attached" && operation === undefined ? targetOf(key, view) : undefined;
    if (target === undefined || target.attachment?.status?.attached === true) continue;
    memory = { ...memory, attachments: memory.attachments.set(key, NONE) };
    keys.push({ key, after: nextRound(view.now) }, { key: `report:${target.node}`, after: nextRound(view.now) });
  }
  return keys.length === 0 ? {} : { memory, keys };
}

/** Attaches volumes to the nodes where Pods need them, through VolumeAttachments, and detaches them. */
export const createAttachDetachController = (config: ControllerConfig): Component<ControllerState<Work, AttachDetachMemory>> =>
  createController<Work, AttachDetachMemory>(
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
      memory: { attachments: PMap.empty(), inUse: PMap.empty() },
      tickers: [{ name: "verify", period: VERIFY_PERIOD, first: VERIFY_PERIOD }],
      handle,
      sync: reconcile,
      resume,
      tick: (_name, view) => verify(view),
    },
    config,
  );

export const attachDetachWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
