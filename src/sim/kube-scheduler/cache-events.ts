// Models kubernetes/pkg/scheduler/eventhandlers.go
import type { KubeObject, Node, Pod } from "../api/types.ts";
import type { Change } from "../client-go/informer.ts";
import type { Ctx } from "../kernel/types.ts";
import { profileFor } from "./config/load.ts";
import { deepEqual } from "./deep-equal.ts";
import { type Listers, listerOf } from "./listers.ts";
import { podKey } from "./node-info.ts";
import { add, done, move, remove, update } from "./queue.ts";
import type { ClusterEvent } from "./queueing-hints.ts";
import { nameOf, preempting, type SchedulerState, subjectOf } from "./scheduler-state.ts";
import { deleteNode, deletePod, setNode, setPod } from "./snapshot.ts";

const isAssigned = (pod: Pod): boolean => Boolean(pod.spec.nodeName);
/** Is the Pod for one of this scheduler's profiles? */
const isResponsible = (state: SchedulerState, pod: Pod): boolean => profileFor(state.queue.config, pod) !== undefined;
const isTerminal = (pod: Pod): boolean => pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";

const moved = (state: SchedulerState, event: ClusterEvent, ctx: Ctx): SchedulerState => {
  const queue = move(state.queue, event, state.snapshot.listers, ctx.now, preempting(state));
  return queue === state.queue ? state : { ...state, queue };
};

/** A Pod that waits for victims to leave counts on its nominated node for others of lower priority. */
export function withNominated(state: SchedulerState, pod: Pod): SchedulerState {
  const key = podKey(pod);
  const { nominated } = state.snapshot;
  const wants = !isAssigned(pod) && Boolean(pod.status?.nominatedNodeName);
  const known = nominated.find((p) => podKey(p) === key);
  if (known === undefined && !wants) return state;
  const others = nominated.filter((p) => podKey(p) !== key);
  return { ...state, snapshot: { ...state.snapshot, nominated: wants ? [...others, pod] : others } };
}

const withoutNominated = (state: SchedulerState, pod: Pod): SchedulerState => {
  const nominated = state.snapshot.nominated.filter((p) => podKey(p) !== podKey(pod));
  return nominated.length === state.snapshot.nominated.length ? state : { ...state, snapshot: { ...state.snapshot, nominated } };
};

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

/** PodSchedulingPropertiesChange for a Pod on a node: labels, or requests that became smaller. */
const mattersToOthers = (old: Pod, pod: Pod): boolean =>
  !deepEqual(old.metadata.labels, pod.metadata.labels) || (old.spec !== pod.spec && !deepEqual(old.spec.containers.map((c) => c.resources), pod.spec.containers.map((c) => c.resources)));

function onAssignedPod(state: SchedulerState, change: Change, pod: Pod, ctx: Ctx): SchedulerState {
  const old = change.old as Pod | undefined;
  if (change.type === "delete" || isTerminal(pod)) {
    const forgotten = forget(state, pod);
    const snapshot = deletePod(forgotten.snapshot, pod);
    // Already gone: a finished Pod's later changes free nothing more.
    if (snapshot === state.snapshot) return state;
    const queue = remove(done(forgotten.queue, podKey(pod)), podKey(pod));
    return moved({ ...forgotten, snapshot, queue }, { resource: "AssignedPod", change: "delete", object: pod }, ctx);
  }
  const set = withoutNominated(assignedPodSet(state, pod), pod);
  if (old && isAssigned(old)) return mattersToOthers(old, pod) ? moved(set, { resource: "AssignedPod", change: "update", object: pod, old }, ctx) : set;
  const queue = remove(set.queue, podKey(pod));
  return moved({ ...set, queue }, { resource: "AssignedPod", change: "add", object: pod }, ctx);
}

function onUnassignedPod(state: SchedulerState, change: Change, pod: Pod, ctx: Ctx): SchedulerState {
  if (!isResponsible(state, pod)) return state;
  const key = podKey(pod);
  if (change.type === "delete" || isTerminal(pod)) {
    const gone = forget(withoutNominated({ ...state, queue: remove(state.queue, key) }, pod), pod);
    const freed = gone.assumed !== state.assumed || Boolean(pod.status?.nominatedNodeName);
    return freed ? moved(gone, { resource: "AssignedPod", change: "delete", object: pod }, ctx) : gone;
  }
  // What becomes of an assumed Pod is its binding cycle's matter; it counts on its node already.
  if (change.type === "update" && state.assumed.some((p) => podKey(p) === key)) return state;
  const next = withNominated(state, pod);
  if (change.type === "add") {
    ctx.explain({
      text: `kube-scheduler sees ${nameOf(pod)} without a node and queues it`,
      why: "its watch delivered a Pod with an empty spec.nodeName; nobody called it",
      subject: subjectOf(pod),
      level: "basic",
    });
    return { ...next, queue: add(next.queue, pod, ctx.now) };
  }
  return { ...next, queue: update(next.queue, change.old as Pod, pod, next.snapshot.listers, ctx.now) };
}

/** NodeSchedulingPropertiesChange: heartbeats and other status changes are of no interest to waiting Pods. */
function nodeChanged(old: Node, node: Node): boolean {
  const states = (n: Node): unknown => (n.status?.conditions ?? []).map((c) => [c.type, c.status]);
  return !(
    deepEqual(old.metadata.labels, node.metadata.labels) &&
    deepEqual(old.spec, node.spec) &&
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
};

const sameKey = (a: KubeObject, b: KubeObject): boolean => a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace;

function onListed(state: SchedulerState, change: Change, ctx: Ctx): SchedulerState {
  const { object, old } = change;
  const name = listerOf(object.kind);
  if (name === undefined) return state;
  // Only a new generation changes the selector of a ReplicaSet or StatefulSet; their status changes all the time.
  if ((object.kind === "ReplicaSet" || object.kind === "StatefulSet") && old && old.metadata.generation === object.metadata.generation) return state;
  const list: readonly KubeObject[] = state.snapshot.listers[name];
  const at = list.findIndex((o) => sameKey(o, object));
  const changed = change.type === "delete" ? list.filter((_, i) => i !== at) : at < 0 ? [...list, object] : list.with(at, object);
  const listers = { ...state.snapshot.listers, [name]: changed } as Listers;
  const next = { ...state, snapshot: { ...state.snapshot, listers } };
  const resource = WAKING[object.kind];
  return resource === undefined ? next : moved(next, { resource, change: change.type, object, ...(old ? { old } : {}) }, ctx);
}

/** What one change in an informer's store means for cache and queue. */
export function onChange(state: SchedulerState, change: Change, ctx: Ctx): SchedulerState {
  if (change.object.kind === "Node") return onNode(state, change, ctx);
  if (change.object.kind !== "Pod") return onListed(state, change, ctx);
  const pod = change.object as Pod;
  return isAssigned(pod) ? onAssignedPod(state, change, pod, ctx) : onUnassignedPod(state, change, pod, ctx);
}
