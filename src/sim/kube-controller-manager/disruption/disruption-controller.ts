// Models kubernetes/pkg/controller/disruption/disruption.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { matchesLabelSelector } from "../../api/labels.ts";
import type { KubeObject, Pod, ReplicaSet } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component, Note } from "../../kernel/types.ts";
import { byNamespace, type View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, type Plan, watchesOf } from "../controller.ts";
import { controllerOf } from "../pods.ts";
import { objectPath, resourceOfKind, subjectOf } from "../resources.ts";
import { type BudgetStatus, budgetStatus, countHealthy, disruptionAllowed, expectation, needsScale, type PodDisruptionBudget, selectorString, stillDisrupted } from "./budget.ts";

const ID = "disruption-controller";
const RESOURCES = ["poddisruptionbudgets", "pods", "replicationcontrollers", "deployments", "replicasets", "statefulsets"] as const;

/** Budgets of the Pod's namespace that select it, now or before the change. */
function handle(change: Change, resource: string, view: View): Handled<unknown> {
  if (resource === "poddisruptionbudgets") return change.type === "delete" ? {} : { keys: [{ key: objectKey(change.object) }] };
  if (resource !== "pods") return {};
  const budgets = view.byIndex<PodDisruptionBudget>("budgetsByNamespace", change.object.metadata.namespace ?? "");
  if (budgets.length === 0) return {};
  const labels = change.type === "update" ? [change.object.metadata.labels, change.old.metadata.labels] : [change.object.metadata.labels];
  const found = budgets.filter((pdb) => labels.some((set) => matchesLabelSelector(pdb.spec?.selector, set)));
  return { keys: found.map((pdb) => ({ key: objectKey(pdb) })) };
}

type Scaled = KubeObject & { readonly spec?: { readonly replicas?: number } };

/** The object that scales a Pod: its ReplicaSet's Deployment, or its own controller. Undefined for what has no scale. */
function scalerOf(pod: Pod, view: View): Scaled | undefined {
  const owner = controllerOf(pod);
  const resource = owner && resourceOfKind(owner.kind)?.resource;
  if (!owner || !["replicasets", "statefulsets", "replicationcontrollers"].includes(resource ?? "")) return undefined;
  const namespace = pod.metadata.namespace ?? "";
  const direct = view.get<Scaled>(resource ?? "", `${namespace}/${owner.name}`);
  if (direct?.metadata.uid !== owner.uid) return undefined;
  const above = controllerOf(direct as ReplicaSet);
  return above?.kind === "Deployment" ? view.get<Scaled>("deployments", `${namespace}/${above.name}`) : direct;
}

interface Scale {
  readonly total: number;
  readonly unmanaged: boolean;
  readonly error?: string;
}

/** What the controllers of the Pods want in sum, each counted once. */
function scaleOf(pods: readonly Pod[], view: View): Scale {
  const scales = new Map<string, number>();
  let unmanaged = false;
  for (const pod of pods) {
    if (!controllerOf(pod)) {
      unmanaged = true;
      continue;
    }
    const scaler = scalerOf(pod, view);
    if (!scaler) return { total: 0, unmanaged, error: `found no controllers for pod "${pod.metadata.name ?? ""}"` };
    scales.set(scaler.metadata.uid ?? "", scaler.spec?.replicas ?? 1);
  }
  return { total: [...scales.values()].reduce((sum, scale) => sum + scale, 0), unmanaged };
}

const write = (pdb: PodDisruptionBudget, status: BudgetStatus): Plan => ({ batches: [[{ method: "PUT", path: `${objectPath(pdb)}/status`, body: { ...pdb, status }, subject: subjectOf(pdb) }]] });

function sync(key: string, view: View): Plan {
  const pdb = view.get<PodDisruptionBudget>("poddisruptionbudgets", key);
  if (!pdb) return {};
  const pods = view.byIndex<Pod>("podsByNamespace", pdb.metadata.namespace ?? "").filter((pod) => matchesLabelSelector(pdb.spec?.selector, pod.metadata.labels));
  const events: EventToRecord[] = pods.length === 0 ? [{ object: pdb, type: "Normal", reason: "NoPods", message: "No matching pods found" }] : [];
  const scale: Scale = needsScale(pdb) ? scaleOf(pods, view) : { total: 0, unmanaged: false };
  if (scale.error !== undefined) return failSafe(pdb, scale.error, events, view);
  if (scale.unmanaged) {
    events.push({ object: pdb, type: "Warning", reason: "UnmanagedPods", message: `Pods selected by this PodDisruptionBudget (selector: ${selectorString(pdb.spec?.selector)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.` });
  }
  const { disrupted, recheck, late } = stillDisrupted(pods, pdb.status, view.now);
  const namespace = pdb.metadata.namespace ?? "";
  for (const pod of late) events.push({ object: pod, type: "Warning", reason: "NotDeleted", message: `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't` });
  const status = budgetStatus(pdb, countHealthy(pods, disrupted), expectation(pdb, pods.length, scale.total), disrupted, view.now);
  const enqueue = recheck === undefined ? {} : { enqueue: [{ key, after: Math.max(1, recheck - view.now) }] };
  if (status === pdb.status) return { events, ...enqueue };
  const note: Note = { text: `disruption-controller allows ${status.disruptionsAllowed ?? 0} disruption${status.disruptionsAllowed === 1 ? "" : "s"} under ${pdb.metadata.name ?? ""}`, why: `${status.currentHealthy ?? 0} Pods are healthy, ${status.desiredHealthy ?? 0} must be`, subject: subjectOf(pdb) };
  return { ...write(pdb, status), events, notes: [note], ...enqueue };
}

/** When the number of Pods is unknown nothing may be disrupted. */
function failSafe(pdb: PodDisruptionBudget, error: string, events: readonly EventToRecord[], view: View): Plan {
  const told: EventToRecord[] = [...events, { object: pdb, type: "Warning", reason: "CalculateExpectedPodCountFailed", message: `Failed to calculate the number of expected pods: ${error}` }];
  const old = pdb.status ?? {};
  const conditions = disruptionAllowed(old.conditions, false, "SyncFailed", error, old.observedGeneration ?? 0, view.now);
  if (conditions === old.conditions && old.disruptionsAllowed === 0) return { events: told };
  return { ...write(pdb, { ...old, disruptionsAllowed: 0, conditions }), events: told };
}

/** Keeps count of how many Pods a PodDisruptionBudget lets go at once. */
export const createDisruptionController = (config: ControllerConfig): Component<ControllerState> =>
  createController<unknown, unknown>(
    {
      id: ID,
      account: ID,
      eventSource: "controllermanager",
      resources: RESOURCES,
      indexers: { budgetsByNamespace: byNamespace("poddisruptionbudgets"), podsByNamespace: byNamespace("pods") },
      workers: 1,
      latency: "controller.sync",
      memory: undefined,
      handle,
      sync,
    },
    config,
  );

export const disruptionWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
