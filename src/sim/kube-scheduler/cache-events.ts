// Models kubernetes/pkg/scheduler/eventhandlers.go
import type { Node, Pod } from "../api/types.ts";
import type { Change } from "../client-go/informer.ts";
import type { Ctx, Micros } from "../kernel/types.ts";
import { profileFor } from "./config/load.ts";
import { deepEqual } from "./deep-equal.ts";
import { getFrom, withObject } from "./listers.ts";
import { podInfoOf, podKey, priorityOf } from "./node-info.ts";
import { amount } from "./pod-requests.ts";
import { add, find, move, type QueueContext, remove, update } from "./queue.ts";
import type { ClusterEvent } from "./queueing-hints.ts";
import { nameOf, preempting, type SchedulerState, subjectOf } from "./scheduler-state.ts";
import { deleteNode, deletePod, setNode, setPod } from "./snapshot.ts";

const isAssigned = (pod: Pod): boolean => Boolean(pod.spec.nodeName);
/** Is the Pod for one of this scheduler's profiles? */
const isResponsible = (state: SchedulerState, pod: Pod): boolean => profileFor(state.queue.config, pod) !== undefined;

export const queueContext = (state: SchedulerState, now: Micros): QueueContext => ({ listers: state.snapshot.listers, preempting: preempting(state), now });

const moved = (state: SchedulerState, event: ClusterEvent, ctx: Ctx, which?: (pod: Pod) => boolean): SchedulerState => {
  const queue = move(state.queue, event, queueContext(state, ctx.now), which);
  return queue === state.queue ? state : { ...state, queue };
};

/** Who was promised a node keeps others of its own or lower priority away from there; these may come now. */
const roomFor = (pod: Pod) => (other: Pod): boolean => priorityOf(other) <= priorityOf(pod);

/**
 * addNominatedPod: a Pod that waits for victims to leave counts on its node for others of lower priority. `node` is what
 * the scheduler has decided ("" for none); without it the Pod's status says.
 */
export function withNominated(state: SchedulerState, pod: Pod, node?: string): SchedulerState {
  const key = podKey(pod);
  const { nominated } = state.snapshot;
  const on = node ?? pod.status?.nominatedNodeName ?? "";
  const known = nominated.some((p) => podKey(p) === key);
  if (!known && on === "") return state;
  const others = nominated.filter((p) => podKey(p) !== key);
  const entry = pod.status?.nominatedNodeName === on ? pod : { ...pod, status: { ...pod.status, nominatedNodeName: on } };
  return { ...state, snapshot: { ...state.snapshot, nominated: on === "" ? others : [...others, entry] } };
}

/** UpdateNominatedPod: an update from before the promise was written does not withdraw it. */
function updateNominated(state: SchedulerState, old: Pod, pod: Pod): SchedulerState {
  if (old.status?.nominatedNodeName || pod.status?.nominatedNodeName) return withNominated(state, pod);
  const known = state.snapshot.nominated.find((p) => podKey(p) === podKey(old));
  return known ? withNominated(state, pod, known.status?.nominatedNodeName ?? "") : state;
}

/** Takes an assumed Pod off its node again: the Binding failed or the Pod is gone. */
export function forget(state: SchedulerState, pod: Pod): SchedulerState {
  const assumed = state.assumed.find((p) => podKey(p) === podKey(pod));
  if (!assumed) return state;
  return { ...state, assumed: state.assumed.filter((p) => p !== assumed), snapshot: deletePod(state.snapshot, assumed) };
}

function assignedPodSet(state: SchedulerState, pod: Pod): SchedulerState {
  const assumed = state.assumed.find((p) => podKey(p) === podKey(pod));
  // Someone else bound it elsewhere: what was assumed was wrong.
  const before = assumed && assumed.spec.nodeName !== pod.spec.nodeName ? forget(state, pod) : state;
  const rest = before.assumed.filter((p) => podKey(p) !== podKey(pod));
  return { ...before, snapshot: setPod(before.snapshot, pod), assumed: rest.length === before.assumed.length ? before.assumed : rest };
}

/** PodSchedulingPropertiesChange for a Pod on a node: labels, or requests that became smaller, be it by a resize that the kubelet has done. */
function mattersToOthers(old: Pod, pod: Pod): boolean {
  if (!deepEqual(old.metadata.labels, pod.metadata.labels)) return true;
  const [before, after] = [podInfoOf(old).requests, podInfoOf(pod).requests];
  return Object.keys(before).some((name) => amount(before, name) > amount(after, name));
}

function onAssignedPod(state: SchedulerState, change: Change, pod: Pod, ctx: Ctx): SchedulerState {
  const old = change.old as Pod | undefined;
  if (change.type === "delete") {
    const forgotten = forget(state, pod);
    return moved({ ...forgotten, snapshot: deletePod(forgotten.snapshot, pod) }, { resource: "AssignedPod", change: "delete", object: pod }, ctx);
  }
  const set = assignedPodSet(state, pod);
  if (old && isAssigned(old)) return mattersToOthers(old, pod) ? moved(set, { resource: "AssignedPod", change: "update", object: pod, old }, ctx) : set;
  const added = moved(set, { resource: "AssignedPod", change: "add", object: pod }, ctx);
  return withNominated({ ...added, queue: remove(added.queue, podKey(pod)) }, pod, "");
}

/** handleAssumedPodDeletion: its room is free at once; its binding cycle goes on and will find out. */
function assumedPodGone(state: SchedulerState, assumed: Pod, ctx: Ctx): SchedulerState {
  return moved(forget(state, assumed), { resource: "AssignedPod", change: "delete", object: assumed }, ctx);
}

function unassignedPodDeleted(state: SchedulerState, pod: Pod, ctx: Ctx): SchedulerState {
  const gone = withNominated({ ...state, queue: remove(state.queue, podKey(pod)) }, pod, "");
  const assumed = state.assumed.find((p) => podKey(p) === podKey(pod));
  if (assumed) return assumedPodGone(gone, assumed, ctx);
  return pod.status?.nominatedNodeName ? moved(gone, { resource: "AssignedPod", change: "delete", object: pod }, ctx, roomFor(pod)) : gone;
}

function unassignedPodUpdated(state: SchedulerState, old: Pod, pod: Pod, ctx: Ctx): SchedulerState {
  if (old.metadata.resourceVersion === pod.metadata.resourceVersion) return state;
  const key = podKey(pod);
  const assumed = state.assumed.find((p) => podKey(p) === key);
  // What becomes of an assumed Pod is its binding cycle's matter; it counts on its node already.
  if (assumed) return pod.metadata.deletionTimestamp && !old.metadata.deletionTimestamp ? assumedPodGone(state, assumed, ctx) : state;
  const next = { ...state, queue: update(state.queue, old, pod, queueContext(state, ctx.now)) };
  const told = state.queue.inFlight.some((p) => p.key === key) ? next : updateNominated(next, old, pod);
  const promised = old.status?.nominatedNodeName;
  return promised && promised !== pod.status?.nominatedNodeName ? moved(told, { resource: "AssignedPod", change: "delete", object: old }, ctx, roomFor(old)) : told;
}

function onUnassignedPod(state: SchedulerState, change: Change, pod: Pod, ctx: Ctx): SchedulerState {
  if (!isResponsible(state, pod)) return state;
  if (change.type === "delete") return unassignedPodDeleted(state, pod, ctx);
  if (change.type === "update") return unassignedPodUpdated(state, change.old as Pod, pod, ctx);
  ctx.explain({
    text: `kube-scheduler sees ${nameOf(pod)} without a node and queues it`,
    why: "its watch delivered a Pod with an empty spec.nodeName; nobody called it",
    subject: subjectOf(pod),
    level: "basic",
  });
  const next = { ...state, queue: add(state.queue, pod, queueContext(state, ctx.now)) };
  // A gated Pod is promised nothing yet.
  return find(next.queue, podKey(pod))?.gated === "" ? withNominated(next, pod) : next;
}

/** NodeSchedulingPropertiesChange: heartbeats and other status changes are of no interest to waiting Pods. */
function nodeChanged(old: Node, node: Node): boolean {
  const states = (n: Node): unknown => Object.fromEntries((n.status?.conditions ?? []).map((c) => [c.type, c.status]));
  return !(
    deepEqual(old.metadata.labels, node.metadata.labels) &&
    deepEqual(old.metadata.annotations, node.metadata.annotations) &&
    deepEqual(old.spec?.taints, node.spec?.taints) &&
    !(old.spec?.unschedulable && !node.spec?.unschedulable) &&
    deepEqual(old.status?.allocatable, node.status?.allocatable) &&
    deepEqual(old.status?.declaredFeatures, node.status?.declaredFeatures) &&
    deepEqual(states(old), states(node))
  );
}

function onNode(state: SchedulerState, change: Change, ctx: Ctx): SchedulerState {
  const node = change.object as Node;
  const event: ClusterEvent = { resource: "Node", change: change.type, object: node, ...(change.old ? { old: change.old } : {}) };
  if (change.type === "delete") return moved({ ...state, snapshot: deleteNode(state.snapshot, node.metadata.name ?? "") }, event, ctx);
  const next = { ...state, snapshot: setNode(state.snapshot, node) };
  return change.old && !nodeChanged(change.old as Node, node) ? next : moved(next, event, ctx);
}

const WAKING: Readonly<Record<string, ClusterEvent["resource"]>> = {
  PersistentVolumeClaim: "PersistentVolumeClaim",
  PersistentVolume: "PersistentVolume",
  StorageClass: "StorageClass",
  CSINode: "CSINode",
  CSIDriver: "CSIDriver",
  CSIStorageCapacity: "CSIStorageCapacity",
  VolumeAttachment: "VolumeAttachment",
  ResourceClaim: "ResourceClaim",
  ResourceSlice: "ResourceSlice",
  DeviceClass: "DeviceClass",
};

function onListed(state: SchedulerState, change: Change, ctx: Ctx): SchedulerState {
  const { object } = change;
  const isClaim = object.kind === "ResourceClaim";
  const known = isClaim ? getFrom(state.snapshot.listers.resourceClaims, object.metadata.namespace ?? "", object.metadata.name ?? "") : undefined;
  // What the scheduler wrote itself it knows already.
  if (known && change.type !== "delete" && Number(known.metadata.resourceVersion ?? 0) >= Number(object.metadata.resourceVersion ?? 0)) return state;
  const old = isClaim ? known : change.old;
  // Only a new generation changes the selector of a ReplicaSet or StatefulSet; their status changes all the time.
  if ((object.kind === "ReplicaSet" || object.kind === "StatefulSet") && old && old.metadata.generation === object.metadata.generation) return state;
  const listers = withObject(state.snapshot.listers, object, change.type === "delete");
  const next = { ...state, snapshot: { ...state.snapshot, listers } };
  const resource = WAKING[object.kind];
  return resource === undefined ? next : moved(next, { resource, change: isClaim && !old && change.type === "update" ? "add" : change.type, object, ...(old ? { old } : {}) }, ctx);
}

/** What one change in an informer's store means for cache and queue. */
export function onChange(state: SchedulerState, change: Change, ctx: Ctx): SchedulerState {
  if (change.object.kind === "Node") return onNode(state, change, ctx);
  if (change.object.kind !== "Pod") return onListed(state, change, ctx);
  const pod = change.object as Pod;
  return isAssigned(pod) ? onAssignedPod(state, change, pod, ctx) : onUnassignedPod(state, change, pod, ctx);
}
