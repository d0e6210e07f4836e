// Models kubernetes/pkg/controller/daemon/{daemon_controller,update}.go: a sync from answer to answer
import { labelSelectorAsSelector, type Selector } from "../../api/labels.ts";
import { SECOND } from "../../api/time.ts";
import type { Pod } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, bodyOf, isSuccess, messageOf, type Plan } from "../controller.ts";
import { aggregate, claimAnswered, type Claiming, nextClaim, startClaim } from "../controller-ref.ts";
import { creationsObserved, deletionsObserved, expectBoth, type Expectations, satisfied } from "../expectations.ts";
import { type ControllerRevision, createRevisionCall, deleteRevisionCall, getRevisionCall, isOfTemplate, REVISION_LABEL } from "../history/controller-history.ts";
import { createPodCall, creationEvents, deletePodCall, deletionEvents, isNamespaceTerminating, podFromTemplate } from "../pod-control.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { slowStartBatches } from "../slow-start.ts";
import { hashOf, readHistory, snapshot, surplusRevisions } from "./history.ts";
import { type FailedPods, podsShouldBeOnNodes } from "./manage.ts";
import { pinnedSpec } from "./node-eligibility.ts";
import { type DaemonSet, type DaemonSetStatus, daemonPods, GENERATION_LABEL, placementsOf, templateGeneration } from "./placement.ts";
import { rollingUpdate } from "./rolling-update.ts";
import { sameStatus, statusCall, statusOf } from "./status.ts";

/** At most so many creations and deletions in one go. */
const BURST = 250;

export interface Memory {
  readonly expectations: Expectations;
  readonly failed: FailedPods;
}

interface Work {
  readonly ds: DaemonSet;
  readonly key: string;
  readonly current: ControllerRevision;
  readonly old: readonly ControllerRevision[];
  /** Taken in this sync; the cache may not tell of it yet. */
  readonly adopted: readonly Pod[];
  /** All that was asked for before has been seen. */
  readonly manages: boolean;
  readonly error?: string;
}
/** Nodes that need a Pod and Pods that must go: for one on each node, or for the present template. */
interface Change extends Work {
  readonly phase: "manage" | "update";
  readonly nodes: readonly string[];
  readonly remove: readonly Pod[];
  readonly errors: readonly string[];
}

interface Snapshot {
  readonly step: "snapshot" | "exists" | "collision" | "collided";
  readonly ds: DaemonSet;
  readonly make: ControllerRevision;
  readonly old: readonly ControllerRevision[];
  readonly failure: string;
}
interface StatusData extends Work {
  readonly step: "status" | "read" | "again";
  readonly status: DaemonSetStatus;
}

/** Where a sync stands between two answers. Plain data. */
export type SyncData =
  | { readonly step: "histories"; readonly claiming: Claiming }
  | { readonly step: "writes"; readonly ds: DaemonSet; readonly current: ControllerRevision | undefined; readonly old: readonly ControllerRevision[] }
  | Snapshot
  | { readonly step: "claim"; readonly claiming: Claiming; readonly work: Work }
  | (Change & { readonly step: "create"; readonly batches: readonly number[]; readonly made: number })
  | (Change & { readonly step: "delete" })
  | (Work & { readonly step: "cleanup" })
  | StatusData;

type SyncPlan = Plan<SyncData, Memory>;
type SyncView = View<Memory>;

const podKey = (pod: Pod): string => `${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`;
const withEvents = (events: readonly EventToRecord[], plan: SyncPlan): SyncPlan => (events.length === 0 ? plan : { ...plan, events: [...events, ...(plan.events ?? [])] });
const selectorOf = (ds: DaemonSet): Selector => {
  const selector = labelSelectorAsSelector(ds.spec.selector);
  return typeof selector === "string" ? [] : selector;
};
const unreadable = (error: string): SyncPlan => ({ error: `failed to construct revisions of DaemonSet: ${error}` });

/** One sync of a DaemonSet: its revisions, one Pod on each node, the rolling update, old revisions, its status. */
export function syncDaemonSet(key: string, view: SyncView): SyncPlan {
  const ds = view.get<DaemonSet>("daemonsets", key);
  const { expectations } = view.memory;
  if (ds === undefined) return expectations.has(key) ? { memory: { ...view.memory, expectations: expectations.delete(key) } } : {};
  if (selectorOf(ds).length === 0) return { events: [{ object: ds, type: "Warning", reason: "SelectingAll", message: "This daemon set is selecting all pods. A non-empty selector is required." }] };
  if (ds.metadata.deletionTimestamp !== undefined) return {};
  const of = (value: string): readonly ControllerRevision[] => view.byIndex<ControllerRevision>("revisionsByOwner", value);
  return histories(startClaim(ds, selectorOf(ds), of(ds.metadata.uid ?? ""), of(`orphan/${ds.metadata.namespace ?? ""}`)), key, view);
}

/** controlledHistories, then constructHistory. */
function histories(claiming: Claiming, key: string, view: SyncView): SyncPlan {
  const call = nextClaim(claiming);
  if (call !== undefined) return { batches: [[call]], next: { step: "histories", claiming } };
  const error = aggregate(claiming.errors);
  if (error !== undefined) return unreadable(error);
  const ds = claiming.owner as DaemonSet;
  const { calls, ...history } = readHistory(ds, claiming.claimed as readonly ControllerRevision[], daemonPods(ds, [], view));
  if (calls.length > 0) return { batches: calls.map((write) => [write]), next: { step: "writes", ds, ...history } };
  return withHistory(ds, history.current, history.old, key, view);
}

function withHistory(ds: DaemonSet, current: ControllerRevision | undefined, old: readonly ControllerRevision[], key: string, view: SyncView): SyncPlan {
  if (current === undefined) {
    const make = snapshot(ds, old);
    return { batches: [[createRevisionCall(make)]], next: { step: "snapshot", ds, make, old, failure: "" } };
  }
  const owned = view.byIndex<Pod>("podsByOwner", ds.metadata.uid ?? "");
  const orphans = view.byIndex<Pod>("podsByOwner", `orphan/${ds.metadata.namespace ?? ""}`);
  const manages = satisfied(view.memory.expectations, key, view.now);
  return claim({ step: "claim", claiming: startClaim(ds, selectorOf(ds), owned, orphans), work: { ds, key, current, old, adopted: [], manages } }, view);
}

/** A name that another template has taken: the count of collisions is raised, and the next sync makes another name. */
function snapshotAnswered(data: Snapshot, answer: Answer, key: string, view: SyncView): SyncPlan {
  const { ds, make, old, failure } = data;
  const body = bodyOf(answer);
  if (data.step === "collided") return unreadable(body === undefined ? messageOf(answer) : failure);
  if (data.step === "snapshot" && body === undefined && answer.status === 409) return { batches: [[getRevisionCall(make)]], next: { ...data, step: "exists", failure: messageOf(answer) } };
  if (body === undefined) return unreadable(messageOf(answer));
  if (data.step === "snapshot" || (data.step === "exists" && isOfTemplate(ds, body as ControllerRevision))) return withHistory(ds, body as ControllerRevision, old, key, view);
  if (data.step === "exists") return { batches: [[{ method: "GET", path: objectPath(ds), subject: subjectOf(ds) }]], next: { ...data, step: "collision" } };
  const fresh = body as DaemonSet;
  const [known, count] = [ds.status?.collisionCount, fresh.status?.collisionCount];
  if (known !== count) return unreadable(`found a stale collision count (${known ?? 0}, expected ${count ?? 0}) of DaemonSet "${ds.metadata.name ?? ""}" while processing; will retry until it is updated`);
  return { batches: [[{ method: "PUT", path: `${objectPath(ds)}/status`, body: { ...fresh, status: { ...fresh.status, collisionCount: (count ?? 0) + 1 } }, subject: subjectOf(ds) }]], next: { ...data, step: "collided" } };
}

function claim(data: SyncData & { readonly step: "claim" }, view: SyncView): SyncPlan {
  const { claiming } = data;
  const call = nextClaim(claiming);
  if (call !== undefined) return { batches: [[call]], next: data };
  const work: Work = { ...data.work, adopted: claiming.claimed as readonly Pod[] };
  const error = aggregate(claiming.errors);
  if (error !== undefined) return finish({ ...work, error: `couldn't get node to daemon pod mapping for daemon set "${work.ds.metadata.name ?? ""}": ${error}` }, view);
  return work.manages ? manage(work, view) : finish(work, view);
}

/** One on each node that should have one, no more. */
function manage(work: Work, view: SyncView): SyncPlan {
  const { ds, key, current } = work;
  const changes = podsShouldBeOnNodes(ds, hashOf(current), placementsOf(ds, daemonPods(ds, work.adopted, view), view), view.memory.failed, view.now);
  const plan = syncNodes({ ...work, phase: "manage", nodes: changes.create.slice(0, BURST), remove: changes.remove.slice(0, BURST), errors: [] }, { ...view.memory, failed: changes.failed }, view);
  return withEvents(changes.events, { ...plan, enqueue: [...(plan.enqueue ?? []), ...(changes.after === undefined ? [] : [{ key, after: changes.after }])] });
}

/** The rolling update, when nothing is expected any more. */
function update(work: Work, memory: Memory, view: SyncView): SyncPlan {
  const { ds, key, current } = work;
  if (!satisfied(memory.expectations, key, view.now) || ds.spec.updateStrategy?.type === "OnDelete") return cleanup(work, memory, view);
  const step = rollingUpdate(ds, hashOf(current), placementsOf(ds, daemonPods(ds, work.adopted, view), view), view.now);
  if (step.error !== undefined) return { ...finish({ ...work, error: step.error }, view), memory };
  return syncNodes({ ...work, phase: "update", nodes: step.create.slice(0, BURST), remove: step.remove.slice(0, BURST), errors: [] }, memory, view);
}

/** syncNodes: makes Pods in growing batches, then deletes others, all at once. */
function syncNodes(change: Change, memory: Memory, view: SyncView): SyncPlan {
  const { ds, key, nodes, remove, phase } = change;
  const next: Memory = { ...memory, expectations: expectBoth(memory.expectations, key, nodes.length, remove.map(podKey), view.now) };
  const why = phase === "manage" ? "one on each eligible node, no more" : "their template is an older one; maxUnavailable and maxSurge set the pace";
  const note = (verb: string, count: number, how: string): Note[] => (count === 0 ? [] : [{ text: `daemonset-controller ${verb} ${count} Pod${count === 1 ? "" : "s"} of ${ds.metadata.name ?? ""}${how}`, why, level: "basic", subject: subjectOf(ds) }]);
  const notes = [...note("creates", nodes.length, ", each pinned to its node"), ...note("deletes", remove.length, "")];
  const plan = create({ ...change, step: "create", batches: slowStartBatches(nodes.length), made: 0 }, next, view);
  return { ...plan, memory: plan.memory ?? next, notes: [...notes, ...(plan.notes ?? [])] };
}

function create(data: SyncData & { readonly step: "create" }, memory: Memory, view: SyncView): SyncPlan {
  const [size, ...batches] = data.batches;
  if (size === undefined) return remove(data, memory, view);
  const pods = data.nodes.slice(data.made, data.made + size).map((node) => podFor(data.ds, hashOf(data.current), node));
  return { batches: [pods.map(createPodCall)], next: { ...data, batches, made: data.made + size } };
}

function remove(change: Change, memory: Memory, view: SyncView): SyncPlan {
  return change.remove.length === 0 ? changed(change, memory, view) : { batches: [change.remove.map(deletePodCall)], next: { ...change, step: "delete" } };
}

function changed({ phase, nodes: _nodes, remove: _remove, errors, ...work }: Change, memory: Memory, view: SyncView): SyncPlan {
  const error = aggregate(errors);
  if (error !== undefined) return { ...finish({ ...work, error }, view), memory };
  return phase === "manage" ? update(work, memory, view) : cleanup(work, memory, view);
}

function podFor(ds: DaemonSet, hash: string, node: string): Pod {
  const base = podFromTemplate(ds, ds.spec.template);
  const generation = templateGeneration(ds);
  const labels = { ...base.metadata.labels, ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }), [REVISION_LABEL]: hash };
  return { ...base, metadata: { ...base.metadata, labels }, spec: pinnedSpec(base.spec, node) };
}

/** A batch in which one failed is the last. In a namespace that is going every creation fails: that is no error. */
function created(data: SyncData & { readonly step: "create" }, answers: readonly Answer[], view: SyncView): SyncPlan {
  const failures = answers.filter((answer) => !isSuccess(answer) && !isNamespaceTerminating(answer));
  const skipped = failures.length === 0 ? 0 : data.nodes.length - data.made;
  const memory = { ...view.memory, expectations: creationsObserved(view.memory.expectations, data.key, failures.length + skipped) };
  const next = { ...data, batches: failures.length === 0 ? data.batches : [], errors: [...data.errors, ...failures.map(messageOf)] };
  const plan = create(next, memory, view);
  return withEvents(creationEvents(data.ds, answers), { ...plan, memory: plan.memory ?? memory });
}

function deleted(data: SyncData & { readonly step: "delete" }, answers: readonly Answer[], view: SyncView): SyncPlan {
  const { step: _, ...change } = data;
  const names = change.remove.map((pod) => pod.metadata.name ?? "");
  const unseen = change.remove.filter((_pod, i) => !isSuccess(answers[i] ?? { status: 0, sent: false })).map(podKey);
  const errors = answers.filter((answer) => !isSuccess(answer) && answer.status !== 404).map(messageOf);
  const memory = { ...view.memory, expectations: deletionsObserved(view.memory.expectations, change.key, unseen) };
  const plan = changed({ ...change, errors: [...change.errors, ...errors] }, memory, view);
  return withEvents(deletionEvents(change.ds, names, answers), { ...plan, memory: plan.memory ?? memory });
}

function cleanup(work: Work, memory: Memory, view: SyncView): SyncPlan {
  const surplus = surplusRevisions(work.ds, work.old, daemonPods(work.ds, work.adopted, view));
  if (surplus.length === 0) return { ...finish(work, view), memory };
  return { batches: surplus.map((revision) => [deleteRevisionCall(revision)]), next: { ...work, step: "cleanup" }, memory };
}

/** Writes the status as it is by now, whatever came before. */
function finish(work: Work, view: SyncView): SyncPlan {
  const { ds, current, manages } = work;
  const status = statusOf(ds, hashOf(current), placementsOf(ds, daemonPods(ds, work.adopted, view), view), manages, view.now);
  if (sameStatus(ds, status)) return end(work, status);
  const note: Note = { text: `daemonset-controller writes status of ${ds.metadata.name ?? ""}: ${status.numberReady ?? 0}/${status.desiredNumberScheduled ?? 0} ready`, why: "counts of its nodes or Pods changed", subject: subjectOf(ds) };
  return { batches: [[statusCall(ds, status)]], notes: [note], next: { ...work, step: "status", status } };
}

/** A write that failed is tried once more on the object as it is now (StatusUpdateRetries 1). */
function statusAnswered(data: StatusData, answer: Answer): SyncPlan {
  const { ds, status, step } = data;
  const body = bodyOf(answer);
  if (step === "read" && body !== undefined) return { batches: [[statusCall(body as DaemonSet, status)]], next: { ...data, step: "again" } };
  if (body !== undefined) return end(data, status);
  if (step === "status") return { batches: [[{ method: "GET", path: objectPath(ds), subject: subjectOf(ds) }]], next: { ...data, step: "read" } };
  return { error: data.error ?? `error storing status for daemon set: ${messageOf(answer)}` };
}

function end({ ds, key, error }: Work, status: DaemonSetStatus): SyncPlan {
  const seconds = ds.spec.minReadySeconds ?? 0;
  const again = seconds > 0 && status.numberReady !== status.numberAvailable ? { enqueue: [{ key, after: seconds * SECOND }] } : {};
  return { ...again, ...(error === undefined ? {} : { error }) };
}

/** Goes on with a sync when its last requests are answered. */
export function resumeDaemonSet(key: string, data: SyncData, answers: readonly Answer[], view: SyncView): SyncPlan {
  const answer = answers[0] ?? { status: 0, sent: false };
  switch (data.step) {
    case "histories":
      return histories(claimAnswered(data.claiming, answer), key, view);
    case "writes": {
      const failure = answers.find((entry) => entry.sent && !isSuccess(entry));
      return failure === undefined ? withHistory(data.ds, data.current, data.old, key, view) : unreadable(messageOf(failure));
    }
    case "snapshot":
    case "exists":
    case "collision":
    case "collided":
      return snapshotAnswered(data, answer, key, view);
    case "claim":
      return claim({ ...data, claiming: claimAnswered(data.claiming, answer) }, view);
    case "create":
      return created(data, answers, view);
    case "delete":
      return deleted(data, answers, view);
    case "cleanup": {
      const failure = answers.find((entry) => entry.sent && !isSuccess(entry));
      return finish(failure === undefined ? data : { ...data, error: `failed to clean up revisions of DaemonSet: ${messageOf(failure)}` }, view);
    }
    default:
      return statusAnswered(data, answer);
  }
}
