// Models kubernetes/pkg/controller/deployment/deployment_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { labelSelectorAsSelector, matches } from "../../api/labels.ts";
import type { Deployment, Pod, ReplicaSet } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import { byController, byNamespace, type View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, type Plan, watchesOf } from "../controller.ts";
import { adoptionCalls } from "../pod-control.ts";
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
    const rs = change.object as ReplicaSet;
    const key = deploymentOf(rs);
    const before = change.type === "update" ? deploymentOf(change.old as ReplicaSet) : undefined;
    const lost = before === undefined || before === key ? [] : [{ key: before }];
    if (controllerOf(rs)) return { keys: key === undefined ? lost : [...lost, { key }] };
    // A ReplicaSet without an owner concerns every Deployment that could adopt it.
    const adopters = change.type === "delete" ? [] : view.byIndex<Deployment>("deploymentsByNamespace", rs.metadata.namespace ?? "").filter((d) => selects(d, rs));
    return { keys: [...lost, ...adopters.map((d) => ({ key: objectKey(d) }))] };
  }
  // Pods matter to Recreate only: the last old one must be gone.
  if (change.type !== "delete") return {};
  const owner = controllerOf(change.object);
  const rs = owner?.kind === "ReplicaSet" ? view.get<ReplicaSet>("replicasets", `${change.object.metadata.namespace ?? ""}/${owner.name}`) : undefined;
  const key = deploymentOf(rs);
  return key !== undefined && view.get<Deployment>("deployments", key)?.spec.strategy?.type === "Recreate" ? { keys: [{ key }] } : {};
}

function selects({ spec }: Deployment, rs: ReplicaSet): boolean {
  const selector = labelSelectorAsSelector(spec.selector);
  return typeof selector !== "string" && selector.length > 0 && matches(selector, rs.metadata.labels);
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
  const sets = view.byIndex<ReplicaSet>("setsByOwner", d.metadata.uid ?? "");
  const parsed = labelSelectorAsSelector(selector);
  const claims = typeof parsed === "string" ? [] : adoptionCalls(d, parsed, sets, view.byIndex<ReplicaSet>("setsByOwner", `orphan/${d.metadata.namespace ?? ""}`));
  // The cache tells of what was adopted or let go; the rest waits for the next sync.
  if (claims.length > 0) return { batches: [claims], enqueue: [{ key }] };
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
      indexers: { deploymentsByNamespace: byNamespace("deployments"), setsByOwner: byController("replicasets"), podsByOwner: byController("pods") },
      workers: 5,
      maxRetries: 15,
      latency: "deployment.sync",
      memory: undefined,
      handle,
      sync,
      resume: (key, work, answers, view) => absorb(work, key, answers, view.now, (name) => view.get<ReplicaSet>("replicasets", `${work.d.metadata.namespace ?? ""}/${name}`)),
    },
    config,
  );

export const deploymentWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
