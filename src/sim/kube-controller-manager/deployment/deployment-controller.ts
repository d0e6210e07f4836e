// Models kubernetes/pkg/controller/deployment/deployment_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { Deployment, Pod, ReplicaSet } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import { byController, type View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, type Plan, watchesOf } from "../controller.ts";
import { controllerOf, isPodTerminal } from "../pods.ts";
import { findNewReplicaSet } from "./replica-sets.ts";
import { absorb, advance, isScalingEvent, type Mode, type Work } from "./sync-steps.ts";

const ID = "deployment-controller";
const RESOURCES = ["deployments", "replicasets", "pods"] as const;

/** Key of the Deployment that manages a ReplicaSet. */
function deploymentOf(rs: ReplicaSet | undefined): string | undefined {
  const owner = rs && controllerOf(rs);
  return owner?.kind === "Deployment" ? `${rs?.metadata.namespace ?? ""}/${owner.name}` : undefined;
}

function handle(change: Change, resource: string, view: View): Handled<unknown> {
  if (resource === "deployments") return { keys: [{ key: objectKey(change.object) }] };
  if (resource === "replicasets") {
    const key = deploymentOf(change.object as ReplicaSet);
    return key === undefined ? {} : { keys: [{ key }] };
  }
  // Pods matter to Recreate only: the last old one must be gone.
  if (change.type !== "delete") return {};
  const owner = controllerOf(change.object);
  const rs = owner?.kind === "ReplicaSet" ? view.get<ReplicaSet>("replicasets", `${change.object.metadata.namespace ?? ""}/${owner.name}`) : undefined;
  const key = deploymentOf(rs);
  return key !== undefined && view.get<Deployment>("deployments", key)?.spec.strategy?.type === "Recreate" ? { keys: [{ key }] } : {};
}

function modeOf(d: Deployment, sets: readonly ReplicaSet[]): Mode {
  if (d.metadata.deletionTimestamp !== undefined) return "status";
  if (d.spec.paused || isScalingEvent(d, sets)) return "scale";
  return d.spec.strategy?.type === "Recreate" ? "Recreate" : "RollingUpdate";
}

function sync(key: string, view: View): Plan<Work> {
  const d = view.get<Deployment>("deployments", key);
  if (!d) return {};
  const selector = d.spec.selector;
  if (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0) {
    return { events: [{ object: d, type: "Warning", reason: "SelectingAll", message: "This deployment is selecting all pods. A non-empty selector is required." }] };
  }
  // Simplified: upstream also adopts ReplicaSets without an owner that match the selector.
  const sets = view.byIndex<ReplicaSet>("setsByOwner", d.metadata.uid ?? "");
  const mode = modeOf(d, sets);
  const newRS = mode === "Recreate" ? findNewReplicaSet(d, sets) : undefined;
  const oldPodsRunning = mode === "Recreate" && sets.some((rs) => rs !== newRS && view.byIndex<Pod>("podsByOwner", rs.metadata.uid ?? "").some((pod) => !isPodTerminal(pod)));
  return advance({ step: mode === "status" ? "status" : "pause", mode, d, sets, scaled: [], scalings: [], afterScaling: "status", oldPodsRunning, wrote: false, created: false }, key, view.now);
}

/** Turns a Deployment into ReplicaSets: creates the new one, moves replicas over within surge and unavailability, keeps history. */
export const createDeploymentController = (config: ControllerConfig): Component<ControllerState<Work>> =>
  createController<Work, unknown>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      indexers: { setsByOwner: byController("replicasets"), podsByOwner: byController("pods") },
      workers: 5,
      maxRetries: 15,
      latency: "deployment.sync",
      memory: undefined,
      handle,
      sync,
      resume: (key, work, answers, view) => absorb(work, key, answers, view.now),
    },
    config,
  );

export const deploymentWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
