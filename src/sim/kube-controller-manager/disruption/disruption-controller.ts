// Models kubernetes/pkg/controller/disruption/disruption.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { matchesLabelSelector } from "../../api/labels.ts";
import { parseRfc3339, rfc3339 } from "../../api/time.ts";
import type { Condition, Pod } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import { byNamespace, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { isPodTerminal } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { type BudgetStatus, budgetStatus, countHealthy, expectation, failedStatus, needsScale, type PodDisruptionBudget, selectorString, stillDisrupted } from "./budget.ts";
import { type Asked, questionAnswered, questionCall, type ScaleQuestion, sumOfScales } from "./scale.ts";

const ID = "disruption-controller";
const RESOURCES = ["poddisruptionbudgets", "pods", "replicationcontrollers", "deployments", "replicasets", "statefulsets"] as const;
/** A Pod that was to be disrupted so long ago, and is still there, is not any more. */
const STALE_DISRUPTION: Micros = 120_000_000;
/** What comes to be looked at again is added rate limited: the first time so much later. */
const RATE_LIMIT: Micros = 5_000;
/** Keys of Pods whose condition may be stale stand beside those of budgets. */
const STALE = "pod ";

/** A sync between two answers. Plain data. */
export type SyncData =
  | { readonly step: "scale"; readonly pdb: PodDisruptionBudget; readonly pods: readonly Pod[]; readonly asked: Asked; readonly question: ScaleQuestion }
  | { readonly step: "status"; readonly pdb: PodDisruptionBudget; readonly recheck?: Micros };

type SyncPlan = Plan<SyncData>;

function handle(change: Change, resource: string, view: View): Handled<unknown> {
  if (resource === "poddisruptionbudgets") return { keys: [{ key: objectKey(change.object) }] };
  if (resource !== "pods") return {};
  const pod = change.object as Pod;
  const wait = change.type === "delete" ? undefined : staleIn(pod, view.now);
  const stale = wait === undefined ? [] : [{ key: `${STALE}${objectKey(pod)}`, after: wait }];
  const budgets = view.byIndex<PodDisruptionBudget>("budgetsByNamespace", pod.metadata.namespace ?? "").filter((pdb) => matchesLabelSelector(pdb.spec?.selector, pod.metadata.labels));
  const pdb = budgets[budgets.length > 1 ? view.rand(`budget/${objectKey(pod)}/${view.now}`, 0) % budgets.length : 0];
  if (pdb === undefined) return stale.length === 0 ? {} : { keys: stale };
  return { keys: [{ key: objectKey(pdb) }, ...stale], ...(budgets.length > 1 ? { events: [several(pod, pdb)] } : {}) };
}

const several = (pod: Pod, pdb: PodDisruptionBudget): EventToRecord => ({ object: pod, type: "Warning", reason: "MultiplePodDisruptionBudgets", message: `Pod "${pod.metadata.namespace ?? ""}"/"${pod.metadata.name ?? ""}" matches multiple PodDisruptionBudgets.  Chose "${pdb.metadata.name ?? ""}" arbitrarily.` });

/** nonTerminatingPodHasStaleDisruptionCondition: in how long the Pod's DisruptionTarget condition is stale; undefined when it cannot be. */
function staleIn({ metadata, status }: Pod, now: Micros): Micros | undefined {
  const condition = metadata.deletionTimestamp === undefined ? status?.conditions?.find((entry) => entry.type === "DisruptionTarget") : undefined;
  if (condition?.status !== "True" || condition.reason === "TerminationByKubelet" || status?.phase === "Succeeded" || status?.phase === "Failed") return undefined;
  return Math.max(0, parseRfc3339(condition.lastTransitionTime ?? "") + STALE_DISRUPTION - now);
}

function syncStale(key: string, view: View): SyncPlan {
  const pod = view.get<Pod>("pods", key);
  const wait = pod === undefined || isPodTerminal(pod) ? undefined : staleIn(pod, view.now);
  if (pod === undefined || wait === undefined) return {};
  if (wait > 0) return { enqueue: [{ key: `${STALE}${key}`, after: wait }] };
  const { generation } = pod.metadata;
  const cleared: Condition = { type: "DisruptionTarget", ...(generation === undefined ? {} : { observedGeneration: generation }), status: "False", lastTransitionTime: rfc3339(view.now) };
  const conditions = (pod.status?.conditions ?? []).map((entry) => (entry.type === "DisruptionTarget" ? cleared : entry));
  const note: Note = { text: `disruption-controller takes back that ${pod.metadata.name ?? ""} is to be disrupted`, why: "it was announced two minutes ago, and nobody has deleted the Pod", subject: subjectOf(pod) };
  return { batches: [[{ method: "PUT", path: `${objectPath(pod)}/status`, body: { ...pod, status: { ...pod.status, conditions } }, subject: subjectOf(pod) }]], notes: [note] };
}

function sync(key: string, view: View): SyncPlan {
  if (key.startsWith(STALE)) return syncStale(key.slice(STALE.length), view);
  const pdb = view.get<PodDisruptionBudget>("poddisruptionbudgets", key);
  if (!pdb) return {};
  const pods = view.byIndex<Pod>("podsByNamespace", pdb.metadata.namespace ?? "").filter((pod) => matchesLabelSelector(pdb.spec?.selector, pod.metadata.labels));
  const none: EventToRecord[] = pods.length === 0 ? [{ object: pdb, type: "Normal", reason: "NoPods", message: "No matching pods found" }] : [];
  const plan = count(pdb, pods, {}, view);
  return none.length === 0 ? plan : { ...plan, events: [...none, ...(plan.events ?? [])] };
}

/** trySync, from the number of Pods that there should be. */
function count(pdb: PodDisruptionBudget, pods: readonly Pod[], asked: Asked, view: View): SyncPlan {
  const scale = needsScale(pdb) ? sumOfScales(pods, asked, view) : { total: 0, unmanaged: false };
  if (typeof scale === "string") {
    const told: EventToRecord = { object: pdb, type: "Warning", reason: "CalculateExpectedPodCountFailed", message: `Failed to calculate the number of expected pods: ${scale}` };
    return { ...failSafe(pdb, scale, view), events: [told] };
  }
  if ("about" in scale) return ask({ step: "scale", pdb, pods, asked, question: scale });
  const events: EventToRecord[] = [];
  if (scale.unmanaged) {
    events.push({ object: pdb, type: "Warning", reason: "UnmanagedPods", message: `Pods selected by this PodDisruptionBudget (selector: ${selectorString(pdb.spec?.selector)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.` });
  }
  const { disrupted, recheck, late } = stillDisrupted(pods, pdb.status, view.now);
  const namespace = pdb.metadata.namespace ?? "";
  for (const pod of late) events.push({ object: pod, type: "Warning", reason: "NotDeleted", message: `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't` });
  const status = budgetStatus(pdb, countHealthy(pods, disrupted), expectation(pdb, pods.length, scale.total), disrupted, view.now);
  const after = recheck === undefined ? {} : { recheck: recheck - view.now + RATE_LIMIT };
  if (status === pdb.status) return { events, ...again(pdb, after.recheck) };
  const note: Note = { text: `disruption-controller allows ${status.disruptionsAllowed ?? 0} disruption${status.disruptionsAllowed === 1 ? "" : "s"} under ${pdb.metadata.name ?? ""}`, why: `${status.currentHealthy ?? 0} Pods are healthy, ${status.desiredHealthy ?? 0} must be`, subject: subjectOf(pdb) };
  return { ...write(pdb, status), events, notes: [note], next: { step: "status", pdb, ...after } };
}

const ask = (data: SyncData & { readonly step: "scale" }): SyncPlan => ({ batches: [[questionCall(data.question, data.pdb.metadata.namespace ?? "")]], next: data });
const again = (pdb: PodDisruptionBudget, after: Micros | undefined): SyncPlan => (after === undefined ? {} : { enqueue: [{ key: objectKey(pdb), after }] });
const write = (pdb: PodDisruptionBudget, status: BudgetStatus): SyncPlan => ({ batches: [[{ method: "PUT", path: `${objectPath(pdb)}/status`, body: { ...pdb, status }, subject: subjectOf(pdb) }]] });

/** When the number of Pods is unknown nothing may be disrupted. */
const failSafe = (pdb: PodDisruptionBudget, error: string, view: View): SyncPlan => write(pdb, failedStatus(pdb, error, view.now));

function resume(_key: string, data: SyncData, [answer = { status: 0, sent: false }]: readonly Answer[], view: View): SyncPlan {
  if (data.step === "scale") {
    const next = questionAnswered(data.question, data.asked, answer);
    return "about" in next ? ask({ ...data, question: next as ScaleQuestion }) : count(data.pdb, data.pods, next, view);
  }
  if (isSuccess(answer)) return again(data.pdb, data.recheck);
  // A conflict is only a matter of trying again; of anything else the budget tells.
  return answer.status === 409 ? { error: messageOf(answer) } : failSafe(data.pdb, messageOf(answer), view);
}

/** Keeps count of how many Pods a PodDisruptionBudget lets go at once. */
export const createDisruptionController = (config: ControllerConfig): Component<ControllerState<SyncData>> =>
  createController<SyncData, unknown>(
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
      resume,
    },
    config,
  );

export const disruptionWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
