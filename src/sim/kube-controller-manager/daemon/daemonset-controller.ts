// Models kubernetes/pkg/controller/daemon/daemon_controller.go: whom a change concerns
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { SECOND } from "../../api/time.ts";
import type { KubeObject, Node, Pod, Taint } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import { byController, byNamespace, type View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, watchesOf } from "../controller.ts";
import { creationsObserved, deletionsObserved, NO_EXPECTATIONS } from "../expectations.ts";
import { adoptersOf } from "../pod-control.ts";
import { controllerOf, isPodReady } from "../pods.ts";
import { nodeShouldRun } from "./node-eligibility.ts";
import type { DaemonSet } from "./placement.ts";
import { type Memory, resumeDaemonSet, type SyncData, syncDaemonSet } from "./sync.ts";

const ID = "daemonset-controller";
const RESOURCES = ["daemonsets", "pods", "nodes", "controllerrevisions"] as const;

type Keys = readonly Enqueue[];

/** The set that an object says controls it, if that is in the cache. */
function ownerOf(object: KubeObject, view: View<Memory>): DaemonSet | undefined {
  const reference = controllerOf(object);
  const ds = reference?.kind === "DaemonSet" ? view.get<DaemonSet>("daemonsets", `${object.metadata.namespace ?? ""}/${reference.name}`) : undefined;
  return ds?.metadata.uid === reference?.uid ? ds : undefined;
}

const keyOf = (ds: DaemonSet | undefined): Keys => (ds === undefined ? [] : [{ key: objectKey(ds) }]);
const orphan = (object: KubeObject, view: View<Memory>): Keys => (controllerOf(object) === undefined ? adoptersOf(object, view.byIndex<DaemonSet>("setsByNamespace", object.metadata.namespace ?? "")) : []);
const sameTexts = (a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean => a === b || (Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => a[name] === b[name]));

/** The owner before and after an update, or those who could adopt what has none now. */
function moved(old: KubeObject, object: KubeObject, view: View<Memory>): Keys {
  const changed = controllerOf(old)?.uid !== controllerOf(object)?.uid;
  const lost = changed ? keyOf(ownerOf(old, view)) : [];
  if (controllerOf(object) !== undefined) return [...lost, ...keyOf(ownerOf(object, view))];
  return [...lost, ...(changed || !sameTexts(old.metadata.labels, object.metadata.labels) ? orphan(object, view) : [])];
}

function handleRevision(change: Change, view: View<Memory>): Keys {
  const { object } = change;
  if (change.type === "update") return moved(change.old, object, view);
  if (change.type === "add" && object.metadata.deletionTimestamp === undefined) return orphan(object, view);
  return keyOf(ownerOf(object, view));
}

function handlePod(change: Change, view: View<Memory>): Handled<Memory> {
  const pod = change.object as Pod;
  const ds = ownerOf(pod, view);
  const key = ds && objectKey(ds);
  const { expectations } = view.memory;
  if (change.type === "delete" || pod.metadata.deletionTimestamp !== undefined) return key === undefined ? {} : { keys: [{ key }], memory: { ...view.memory, expectations: deletionsObserved(expectations, key, [objectKey(pod)]) } };
  if (change.type === "add") return key === undefined ? { keys: orphan(pod, view) } : { keys: [{ key }], memory: { ...view.memory, expectations: creationsObserved(expectations, key) } };
  const keys = moved(change.old, pod, view);
  const wait = ds?.spec.minReadySeconds ?? 0;
  // A second more, since clocks of machines differ.
  return { keys: key !== undefined && wait > 0 && !isPodReady(change.old as Pod) && isPodReady(pod) ? [...keys, { key, after: (wait + 1) * SECOND }] : keys };
}

const sameTaints = (a: readonly Taint[] = [], b: readonly Taint[] = []): boolean => a === b || (a.length === b.length && a.every((taint, i) => taint.key === b[i]?.key && taint.value === b[i]?.value && taint.effect === b[i]?.effect && taint.timeAdded === b[i]?.timeAdded));

/** syncNodeUpdate: the sets for which a node's labels and taints make a difference. Heartbeats concern nobody. */
function handleNode(change: Change, view: View<Memory>): Keys {
  const node = change.object as Node;
  if (change.type === "delete") return [];
  if (change.type === "update" && sameTexts(change.old.metadata.labels, node.metadata.labels) && sameTaints((change.old as Node).spec?.taints, node.spec?.taints)) return [];
  return view.list<DaemonSet>("daemonsets").filter((ds) => {
    const { shouldRun, shouldContinue } = nodeShouldRun(ds.spec.template.spec, node);
    const scheduled = view.byIndex<Pod>("podsByOwner", ds.metadata.uid ?? "").some((pod) => pod.spec.nodeName === node.metadata.name);
    return scheduled ? !shouldContinue || (ds.status?.numberMisscheduled ?? 0) > 0 : shouldRun;
  }).map((ds) => ({ key: objectKey(ds) }));
}

function handle(change: Change, resource: string, view: View<Memory>): Handled<Memory> {
  if (resource === "nodes") return { keys: handleNode(change, view) };
  if (resource === "controllerrevisions") return { keys: handleRevision(change, view) };
  if (resource === "pods") return handlePod(change, view);
  const key = objectKey(change.object);
  const another = change.type === "delete" || (change.type === "update" && change.old.metadata.uid !== change.object.metadata.uid);
  const { expectations } = view.memory;
  return { keys: [{ key }], ...(another && expectations.has(key) ? { memory: { ...view.memory, expectations: expectations.delete(key) } } : {}) };
}

/** Keeps one Pod on every eligible node. */
export const createDaemonSetController = (config: ControllerConfig): Component<ControllerState<SyncData, Memory>> =>
  createController<SyncData, Memory>(
    {
      id: ID,
      account: "daemon-set-controller",
      resources: RESOURCES,
      indexers: { podsByOwner: byController("pods"), revisionsByOwner: byController("controllerrevisions"), setsByNamespace: byNamespace("daemonsets") },
      workers: 2,
      latency: "controller.sync",
      consistent: ["daemonsets", "pods"],
      memory: { expectations: NO_EXPECTATIONS, failed: {} },
      handle,
      sync: syncDaemonSet,
      resume: resumeDaemonSet,
    },
    config,
  );

export const daemonSetWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
