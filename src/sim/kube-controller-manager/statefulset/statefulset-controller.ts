// Models kubernetes/pkg/controller/statefulset/stateful_set.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { SECOND } from "../../api/time.ts";
import type { Pod } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import { byController, byNamespace, type View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, watchesOf } from "../controller.ts";
import { adoptersOf } from "../pod-control.ts";
import { controllerOf, isPodReady } from "../pods.ts";
import type { StatefulSet } from "./identity.ts";
import { resumeStatefulSet, type SyncData, syncStatefulSet } from "./sync.ts";

const ID = "statefulset-controller";
const RESOURCES = ["statefulsets", "pods", "controllerrevisions", "persistentvolumeclaims"] as const;

/** The set that a Pod says controls it, if that is in the cache. */
function ownerOf(pod: Pod, view: View): StatefulSet | undefined {
  const reference = controllerOf(pod);
  const set = reference?.kind === "StatefulSet" ? view.get<StatefulSet>("statefulsets", `${pod.metadata.namespace ?? ""}/${reference.name}`) : undefined;
  return set?.metadata.uid === reference?.uid ? set : undefined;
}

const orphan = (pod: Pod, view: View): readonly Enqueue[] => (controllerOf(pod) === undefined ? adoptersOf(pod, view.byIndex<StatefulSet>("setsByNamespace", pod.metadata.namespace ?? "")) : []);
const keyOf = (set: StatefulSet | undefined): readonly Enqueue[] => (set === undefined ? [] : [{ key: objectKey(set) }]);
const sameTexts = (a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean => a === b || (Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => a[name] === b[name]));

function handle(change: Change, resource: string, view: View): Handled<unknown> {
  if (resource === "statefulsets") return { keys: [{ key: objectKey(change.object) }] };
  if (resource !== "pods") return {};
  const pod = change.object as Pod;
  const set = ownerOf(pod, view);
  if (change.type === "delete") return { keys: keyOf(set) };
  if (change.type === "add") return { keys: pod.metadata.deletionTimestamp !== undefined || controllerOf(pod) !== undefined ? keyOf(set) : orphan(pod, view) };
  const old = change.old as Pod;
  const moved = controllerOf(old)?.uid !== controllerOf(pod)?.uid;
  const lost = moved ? keyOf(ownerOf(old, view)) : [];
  if (set === undefined) return { keys: [...lost, ...(moved || !sameTexts(old.metadata.labels, pod.metadata.labels) ? orphan(pod, view) : [])] };
  const wait = set.spec.minReadySeconds ?? 0;
  return { keys: [...lost, ...keyOf(set), ...(wait > 0 && !isPodReady(old) && isPodReady(pod) ? [{ key: objectKey(set), after: wait * SECOND }] : [])] };
}

/** Keeps numbered Pods with stable names and claims. */
export const createStatefulSetController = (config: ControllerConfig): Component<ControllerState<SyncData>> =>
  createController<SyncData, unknown>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      indexers: { podsByOwner: byController("pods"), revisionsByOwner: byController("controllerrevisions"), setsByNamespace: byNamespace("statefulsets") },
      workers: 5,
      latency: "controller.sync",
      consistent: ["statefulsets", "pods", "persistentvolumeclaims"],
      memory: undefined,
      handle,
      sync: syncStatefulSet,
      resume: resumeStatefulSet,
    },
    config,
  );

export const statefulSetWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
