// Models kubernetes/pkg/controller/replicaset/replica_set.go and replication/{replication_controller,conversion}.go, a wrapper around it
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { labelSelectorAsSelector, matches, type Selector, selectorFromSet } from "../../api/labels.ts";
import type { Pod, ReplicaSet } from "../../api/types.ts";
import type { World } from "../../api/world.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import { byController, byNamespace, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, lazyWatchesOf, type Plan, watchesOf } from "../controller.ts";
import { adoptionCalls, createPodCall, creationEvents, deletePodCall, deletionEvents, isNamespaceTerminating, podFromTemplate } from "../pod-control.ts";
import { controllerOf, isPodActive, isPodReady, readySince } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { slowStartBatches } from "../slow-start.ts";
import { podsToDelete } from "./ranking.ts";
import { calculateStatus, type Failure, type ReplicaSetStatus, sameStatus } from "./status.ts";

/** The two kinds that keep a number of Pods; all else is the same. */
interface Flavour {
  readonly id: string;
  readonly kind: "ReplicaSet" | "ReplicationController";
  readonly resources: readonly [string, "pods"];
}

const REPLICA_SETS: Flavour = { id: "replicaset-controller", kind: "ReplicaSet", resources: ["replicasets", "pods"] };
const REPLICATION_CONTROLLERS: Flavour = { id: "replication-controller", kind: "ReplicationController", resources: ["replicationcontrollers", "pods"] };
/** At most so many creations or deletions in one sync. */
const BURST = 500;

interface StatusData {
  readonly step: "status" | "refreshed";
  readonly status: ReplicaSetStatus;
  readonly path: string;
  readonly subject: string;
  readonly error?: string;
}

/** Where a sync stands between two answers. Plain data. */
export type SyncData =
  | { readonly step: "adopt" }
  | StatusData
  | { readonly step: "create"; readonly batches: readonly number[]; readonly pods: readonly Pod[]; readonly rs: ReplicaSet }
  | { readonly step: "delete"; readonly names: readonly string[]; readonly pods: readonly Pod[]; readonly rs: ReplicaSet };

const speaker = (rs: ReplicaSet): string => (rs.kind === "ReplicaSet" ? REPLICA_SETS : REPLICATION_CONTROLLERS).id;

const replicasOf = (rs: ReplicaSet): number => rs.spec.replicas ?? 1;

/** A ReplicationController's selector is a plain set of labels. */
function selectorOf(rs: ReplicaSet): Selector | string {
  if (rs.kind === "ReplicaSet") return labelSelectorAsSelector(rs.spec.selector);
  return selectorFromSet(rs.spec.selector as unknown as Readonly<Record<string, string>> | undefined);
}

function handle({ kind, resources }: Flavour, change: Change, resource: string, view: View): Handled<unknown> {
  if (resource === resources[0]) return { keys: [{ key: objectKey(change.object) }] };
  const pod = change.object as Pod;
  const namespace = pod.metadata.namespace ?? "";
  const owner = controllerOf(pod);
  const before = change.type === "update" ? controllerOf(change.old) : undefined;
  const lost = before?.kind === kind && before.uid !== owner?.uid ? [{ key: `${namespace}/${before.name}` }] : [];
  if (owner) return owner.kind === kind ? { keys: [...lost, { key: `${namespace}/${owner.name}` }] } : { keys: lost };
  if (change.type === "delete") return {};
  // A Pod without an owner concerns every set that could adopt it.
  const keys = view.byIndex<ReplicaSet>("setsByNamespace", namespace).filter((rs) => selects(rs, pod)).map((rs) => ({ key: objectKey(rs) }));
  return { keys: [...keys, ...lost] };
}

function selects(rs: ReplicaSet, pod: Pod): boolean {
  const selector = selectorOf(rs);
  return typeof selector !== "string" && selector.length > 0 && matches(selector, pod.metadata.labels);
}

function sync({ resources }: Flavour, key: string, view: View): Plan<SyncData> {
  const rs = view.get<ReplicaSet>(resources[0], key);
  if (!rs) return {};
  const selector = selectorOf(rs);
  if (typeof selector === "string") return {};
  const pods = view.byIndex<Pod>("podsByOwner", rs.metadata.uid ?? "");
  const orphans = view.byIndex<Pod>("podsByOwner", `orphan/${rs.metadata.namespace ?? ""}`);
  // Only active Pods are claimed and released.
  const adoption = adoptionCalls(rs, selector, pods.filter(isPodActive), orphans.filter(isPodActive));
  // The answers make new Pods of ours; the cache tells of them, so the rest waits for the next sync.
  if (adoption.length > 0) return { batches: [adoption], next: { step: "adopt" }, enqueue: [{ key }] };
  return rs.metadata.deletionTimestamp === undefined ? manage(rs, pods, view) : finish(rs, pods, undefined, true, view);
}

function manage(rs: ReplicaSet, pods: readonly Pod[], view: View): Plan<SyncData> {
  const active = pods.filter(isPodActive);
  const diff = active.length - replicasOf(rs);
  const name = rs.metadata.name ?? "";
  if (diff < 0) {
    const count = Math.min(-diff, BURST);
    const note: Note = { text: `${speaker(rs)} creates ${count} Pod${count === 1 ? "" : "s"} for ${rs.kind} ${name}`, why: `it has ${active.length} active Pods and wants ${replicasOf(rs)}`, level: "basic", subject: subjectOf(rs) };
    return { ...createBatch(rs, pods, slowStartBatches(count)), notes: [note], latency: "replicaset.sync" };
  }
  if (diff === 0) return finish(rs, pods, undefined, true, view);
  const chosen = podsToDelete(active, relatedPods(rs, view), Math.min(diff, BURST), view.now);
  const note: Note = { text: `${speaker(rs)} deletes ${chosen.length} Pod${chosen.length === 1 ? "" : "s"} of ${rs.kind} ${name}`, why: `it has ${active.length} active Pods and wants ${replicasOf(rs)}; not ready and younger ones go first`, level: "basic", subject: subjectOf(rs), data: { pods: chosen.map((pod) => pod.metadata.name) } };
  return { batches: [chosen.map(deletePodCall)], next: { step: "delete", names: chosen.map((pod) => pod.metadata.name ?? ""), pods, rs }, notes: [note], latency: "replicaset.sync" };
}

function createBatch(rs: ReplicaSet, pods: readonly Pod[], batches: readonly number[]): Plan<SyncData> {
  const [size = 0, ...rest] = batches;
  const pod = podFromTemplate(rs, rs.spec.template);
  return { batches: [Array.from({ length: size }, () => createPodCall(pod))], next: { step: "create", batches: rest, pods, rs } };
}

/** Active Pods of all ReplicaSets of the same Deployment. */
function relatedPods(rs: ReplicaSet, view: View): readonly Pod[] {
  const owner = controllerOf(rs);
  const sets = owner ? view.byIndex<ReplicaSet>("setsByOwner", owner.uid) : [rs];
  return sets.flatMap((set) => view.byIndex<Pod>("podsByOwner", set.metadata.uid ?? ""));
}

function resume(_key: string, data: SyncData, answers: readonly Answer[], view: View): Plan<SyncData> {
  if (data.step === "adopt") return answers.every((answer) => isSuccess(answer) || answer.status === 404) ? {} : { error: messageOf(answers.find((answer) => !isSuccess(answer)) ?? { status: 0, sent: false }) };
  if ("status" in data) return statusAnswered(data, answers[0]);
  const { rs, pods } = data;
  if (data.step === "delete") {
    const failed = answers.find((answer) => !isSuccess(answer) && answer.status !== 404);
    return withEvents(deletionEvents(rs, data.names, answers), finish(rs, pods, failed && { reason: "FailedDelete", message: messageOf(failed) }, false, view));
  }
  const events = creationEvents(rs, answers);
  const failed = answers.find((answer) => !isSuccess(answer));
  if (failed && !isNamespaceTerminating(failed)) return withEvents(events, finish(rs, pods, { reason: "FailedCreate", message: messageOf(failed) }, false, view));
  if (failed || data.batches.length === 0) return withEvents(events, finish(rs, pods, undefined, false, view));
  return withEvents(events, { ...createBatch(rs, pods, data.batches), latency: "replicaset.next-batch" });
}

const withEvents = (events: readonly EventToRecord[], plan: Plan<SyncData>): Plan<SyncData> => (events.length === 0 ? plan : { ...plan, events: [...events, ...(plan.events ?? [])] });

/** Writes the status if it changed; a failure to create or delete is kept in it and fails the sync. */
function finish(rs: ReplicaSet, pods: readonly Pod[], failure: Failure | undefined, first: boolean, view: View): Plan<SyncData> {
  const status = calculateStatus(rs, pods, failure, view.now);
  const recheck = availabilityCheck(rs, status, pods, view.now);
  const base: Plan<SyncData> = { ...(failure ? { error: failure.message } : {}), ...(recheck === undefined ? {} : { enqueue: [{ key: objectKey(rs), after: recheck }] }) };
  if (sameStatus(rs.status, status)) return base;
  const note: Note = { text: `${speaker(rs)} writes status of ${rs.metadata.name ?? ""}: ${status.readyReplicas ?? 0}/${replicasOf(rs)} ready`, why: "counts of its Pods changed", subject: subjectOf(rs) };
  const again: StatusData = { step: "status", status, path: objectPath(rs), subject: subjectOf(rs), ...(failure ? { error: failure.message } : {}) };
  const { error: _later, ...now } = base;
  return { ...now, batches: [[statusCall(rs, status)]], next: again, notes: [note], ...(first ? { latency: "replicaset.status" } : {}) };
}

/** A conflict is tried once more on the object as it is now (statusUpdateRetries 1). */
function statusAnswered(data: StatusData, answer: Answer | undefined): Plan<SyncData> {
  const rest: Plan<SyncData> = data.error === undefined ? {} : { error: data.error };
  if (answer === undefined || answer.status === 404) return rest;
  if (answer.status === 409 && data.step === "status") return { batches: [[{ method: "GET", path: data.path, subject: data.subject }]], next: { ...data, step: "refreshed" } };
  if (!isSuccess(answer)) return { error: messageOf(answer) };
  if (data.step === "status") return rest;
  const rs = answer.body as ReplicaSet;
  return { ...rest, batches: [[statusCall(rs, data.status)]] };
}

const statusCall = (rs: ReplicaSet, status: ReplicaSetStatus): ApiCall => ({ method: "PUT", path: `${objectPath(rs)}/status`, body: { ...rs, status }, subject: subjectOf(rs) });

/** FindMinNextPodAvailabilityCheck: ready Pods become available by time alone, the next of them then. */
function availabilityCheck(rs: ReplicaSet, status: ReplicaSetStatus, pods: readonly Pod[], now: Micros): Micros | undefined {
  const seconds = rs.spec.minReadySeconds ?? 0;
  if (seconds === 0 || (status.readyReplicas ?? 0) === (status.availableReplicas ?? 0)) return undefined;
  const waits = pods.filter((pod) => isPodActive(pod) && isPodReady(pod)).flatMap((pod) => {
    const since = readySince(pod);
    return since === undefined || since + seconds * 1_000_000 <= now ? [] : [since + seconds * 1_000_000 - now];
  });
  return waits.length === 0 ? seconds * 1_000_000 : Math.min(...waits);
}

const create = (flavour: Flavour, config: ControllerConfig): Component<ControllerState<SyncData>> =>
  createController<SyncData, unknown>(
    {
      id: flavour.id,
      account: flavour.id,
      resources: flavour.resources,
      ...(flavour === REPLICATION_CONTROLLERS ? { lazy: true as const } : {}),
      indexers: { podsByOwner: byController("pods"), setsByOwner: byController(flavour.resources[0]), setsByNamespace: byNamespace(flavour.resources[0]) },
      workers: 5,
      latency: "replicaset.sync",
      memory: undefined,
      handle: (change, resource, view) => handle(flavour, change, resource, view),
      sync: (key, view) => sync(flavour, key, view),
      resume,
    },
    config,
  );

/** Keeps the number of Pods of each ReplicaSet. */
export const createReplicaSetController = (config: ControllerConfig): Component<ControllerState<SyncData>> => create(REPLICA_SETS, config);

/** Keeps the number of Pods of each ReplicationController. */
export const createReplicationController = (config: ControllerConfig): Component<ControllerState<SyncData>> => create(REPLICATION_CONTROLLERS, config);

export const replicaSetWatches = (): WatchSpec[] => watchesOf(REPLICA_SETS.id, REPLICA_SETS.resources);
export const replicationControllerWatches = (world?: World): WatchSpec[] => lazyWatchesOf(REPLICATION_CONTROLLERS.id, REPLICATION_CONTROLLERS.resources, world);
