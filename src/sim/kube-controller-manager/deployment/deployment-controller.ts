// Models kubernetes/pkg/controller/deployment/deployment_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { labelSelectorAsSelector, matches } from "../../api/labels.ts";
import type { Deployment, Pod, ReplicaSet } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import { byController, byNamespace, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Handled, type Plan, watchesOf } from "../controller.ts";
import { aggregate, claimAnswered, type Claiming, nextClaim, startClaim } from "../controller-ref.ts";
import { controllerOf, isPodTerminal } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { sameAnnotations } from "./replica-sets.ts";
import { absorb, advance, firstWork } from "./sync-steps.ts";
import type { Work } from "./work.ts";

const ID = "deployment-controller";
const RESOURCES = ["deployments", "replicasets", "pods"] as const;

/** A claim of ReplicaSets, or the sync that follows it. */
type Data = Work | { readonly claiming: Claiming };

/** The Deployment that an object says controls it, if that is in the cache. */
function deploymentOf(rs: ReplicaSet | undefined, view: View): Deployment | undefined {
  const owner = rs && controllerOf(rs);
  const d = owner?.kind === "Deployment" ? view.get<Deployment>("deployments", `${rs?.metadata.namespace ?? ""}/${owner.name}`) : undefined;
  return d?.metadata.uid === owner?.uid ? d : undefined;
}

const keysOf = (deployments: readonly (Deployment | undefined)[]): Handled<unknown> => ({ keys: deployments.flatMap((d) => (d === undefined ? [] : [{ key: objectKey(d) }])) });

function handle(change: Change, resource: string, view: View): Handled<unknown> {
  if (resource === "deployments") return { keys: [{ key: objectKey(change.object) }] };
  if (resource === "pods") return change.type === "delete" ? podDeleted(change.object as Pod, view) : {};
  const rs = change.object as ReplicaSet;
  if (change.type === "delete" || (change.type === "add" && rs.metadata.deletionTimestamp !== undefined)) return keysOf([deploymentOf(rs, view)]);
  const old = change.type === "update" ? (change.old as ReplicaSet) : undefined;
  const moved = old !== undefined && controllerOf(old)?.uid !== controllerOf(rs)?.uid;
  const lost = moved ? [deploymentOf(old, view)] : [];
  if (controllerOf(rs)) return keysOf([...lost, deploymentOf(rs, view)]);
  // A ReplicaSet without an owner concerns every Deployment that could adopt it, when it is new to them.
  if (old !== undefined && !moved && sameAnnotations(old.metadata.labels, rs.metadata.labels ?? {})) return {};
  return keysOf([...lost, ...view.byIndex<Deployment>("deploymentsByNamespace", rs.metadata.namespace ?? "").filter((d) => selects(d, rs))]);
}

/** Pods matter to Recreate only: the last of them must be gone. */
function podDeleted(pod: Pod, view: View): Handled<unknown> {
  const owner = controllerOf(pod);
  const rs = owner?.kind === "ReplicaSet" ? view.get<ReplicaSet>("replicasets", `${pod.metadata.namespace ?? ""}/${owner.name}`) : undefined;
  const d = rs?.metadata.uid === owner?.uid ? deploymentOf(rs, view) : undefined;
  if (d?.spec.strategy?.type !== "Recreate") return {};
  const left = view.byIndex<ReplicaSet>("setsByOwner", d.metadata.uid ?? "").some((set) => view.byIndex<Pod>("podsByOwner", set.metadata.uid ?? "").length > 0);
  return left ? {} : keysOf([d]);
}

function selects({ spec }: Deployment, rs: ReplicaSet): boolean {
  const selector = labelSelectorAsSelector(spec.selector);
  return typeof selector !== "string" && selector.length > 0 && matches(selector, rs.metadata.labels);
}

function sync(key: string, view: View): Plan<Data> {
  const d = view.get<Deployment>("deployments", key);
  if (!d) return {};
  const { selector } = d.spec;
  if (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0) return selectsAll(d);
  const parsed = labelSelectorAsSelector(selector);
  if (typeof parsed === "string") return { error: `deployment ${key} has invalid label selector: ${parsed}` };
  return claim(startClaim(d, parsed, view.byIndex<ReplicaSet>("setsByOwner", d.metadata.uid ?? ""), view.byIndex<ReplicaSet>("setsByOwner", `orphan/${d.metadata.namespace ?? ""}`)), key, view);
}

function selectsAll(d: Deployment): Plan<Data> {
  const generation = d.metadata.generation ?? 0;
  const status = { ...d.status, observedGeneration: generation };
  const events = [{ object: d, type: "Warning", reason: "SelectingAll", message: "This deployment is selecting all pods. A non-empty selector is required." }] as const;
  return (d.status?.observedGeneration ?? 0) < generation ? { events, batches: [[{ method: "PUT", path: `${objectPath(d)}/status`, body: { ...d, status }, subject: subjectOf(d) }]] } : { events };
}

/** Takes and lets go of ReplicaSets one by one, then looks at them. */
function claim(claiming: Claiming, key: string, view: View): Plan<Data> {
  const call = nextClaim(claiming);
  if (call !== undefined) return { batches: [[call]], next: { claiming } };
  const error = aggregate(claiming.errors);
  if (error !== undefined) return { error };
  const d = claiming.owner as Deployment;
  const sets = claiming.claimed as readonly ReplicaSet[];
  const alive = (rs: ReplicaSet): boolean => view.byIndex<Pod>("podsByOwner", rs.metadata.uid ?? "").some((pod) => !isPodTerminal(pod));
  const running = d.spec.strategy?.type === "Recreate" ? sets.filter(alive).map((rs) => rs.metadata.uid ?? "") : [];
  return advance(firstWork(d, sets, running), key, view.now);
}

const NO_ANSWER: Answer = { status: 0, sent: false };

function resume(key: string, data: Data, [answer = NO_ANSWER]: readonly Answer[], view: View): Plan<Data> {
  if ("claiming" in data) return claim(claimAnswered(data.claiming, answer), key, view);
  return absorb(data, key, answer, view.now, (name) => view.get<ReplicaSet>("replicasets", `${data.d.metadata.namespace ?? ""}/${name}`));
}

/** Turns a Deployment into ReplicaSets: creates the new one, moves replicas over within surge and unavailability, keeps history. */
export const createDeploymentController = (config: ControllerConfig): Component<ControllerState<Data>> =>
  createController<Data, unknown>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      indexers: { deploymentsByNamespace: byNamespace("deployments"), setsByOwner: byController("replicasets"), podsByOwner: byController("pods") },
      workers: 5,
      maxRetries: 15,
      // It works with what its cache has: a write too early is refused as a conflict and tried again.
      consistent: [],
      latency: "deployment.sync",
      memory: undefined,
      handle,
      sync,
      resume,
    },
    config,
  );

export const deploymentWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
