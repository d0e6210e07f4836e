// Models kubernetes/pkg/controller/replicaset/replica_set.go and replication/{replication_controller,conversion}.go, a wrapper around it
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { labelSelectorAsSelector, matches, type Selector, selectorFromSet } from "../../api/labels.ts";
import { SECOND } from "../../api/time.ts";
import type { Pod, ReplicaSet } from "../../api/types.ts";
import type { World } from "../../api/world.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import { byController, byNamespace, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, isSuccess, messageOf, lazyWatchesOf, type Plan, watchesOf } from "../controller.ts";
import { aggregate, claimAnswered, type Claiming, nextClaim, startClaim } from "../controller-ref.ts";
import { creationsObserved, deletionsObserved, expectCreations, expectDeletions, type Expectations, NO_EXPECTATIONS, satisfied } from "../expectations.ts";
import { createPodCall, creationEvents, deletePodCall, deletionEvents, isNamespaceTerminating, podFromTemplate } from "../pod-control.ts";
import { controllerOf, isPodActive, isPodReady, isPodTerminal, readySince } from "../pods.ts";
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
  readonly step: "status" | "read" | "again";
  readonly rs: ReplicaSet;
  readonly status: ReplicaSetStatus;
  readonly pods: readonly Pod[];
  readonly error?: string;
}

/** What one sync works on: the Pods that count, and how many more are on their way out. */
interface Seen {
  readonly rs: ReplicaSet;
  readonly pods: readonly Pod[];
  readonly terminating: number;
}

/** Where a sync stands between two answers. Plain data. */
export type SyncData =
  | { readonly step: "claim"; readonly claiming: Claiming; readonly terminating: number; readonly manages: boolean }
  | StatusData
  | { readonly step: "create"; readonly seen: Seen; readonly batches: readonly number[]; readonly missing: number }
  | { readonly step: "delete"; readonly seen: Seen; readonly names: readonly string[] };

const speaker = (rs: ReplicaSet): string => (rs.kind === "ReplicaSet" ? REPLICA_SETS : REPLICATION_CONTROLLERS).id;

const replicasOf = (rs: ReplicaSet): number => rs.spec.replicas ?? 1;

/** A ReplicationController's selector is a plain set of labels. */
function selectorOf(rs: ReplicaSet): Selector | string {
  if (rs.kind === "ReplicaSet") return labelSelectorAsSelector(rs.spec.selector);
  return selectorFromSet(rs.spec.selector as unknown as Readonly<Record<string, string>> | undefined);
}

const podKey = (pod: Pod): string => `${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`;

/** The set that a Pod says controls it, if that is in the cache. */
function ownerOf({ kind, resources }: Flavour, pod: Pod, view: View<Expectations>): ReplicaSet | undefined {
  const reference = controllerOf(pod);
  const rs = reference?.kind === kind ? view.get<ReplicaSet>(resources[0], `${pod.metadata.namespace ?? ""}/${reference.name}`) : undefined;
  return rs?.metadata.uid === reference?.uid ? rs : undefined;
}

function handle(flavour: Flavour, change: Change, resource: string, view: View<Expectations>): Handled<Expectations> {
  if (resource === flavour.resources[0]) {
    const key = objectKey(change.object);
    const another = change.type === "delete" || (change.type === "update" && change.old.metadata.uid !== change.object.metadata.uid);
    return { keys: [{ key }], ...(another && view.memory.has(key) ? { memory: view.memory.delete(key) } : {}) };
  }
  const pod = change.object as Pod;
  const rs = ownerOf(flavour, pod, view);
  const key = rs && objectKey(rs);
  if (change.type === "delete" || pod.metadata.deletionTimestamp !== undefined) return key === undefined ? {} : { keys: [{ key }], memory: deletionsObserved(view.memory, key, [podKey(pod)]) };
  if (change.type === "add") return key === undefined ? orphan(flavour, pod, view) : { keys: [{ key }], memory: creationsObserved(view.memory, key) };
  const old = change.old as Pod;
  const before = controllerOf(old);
  const moved = before?.uid !== controllerOf(pod)?.uid;
  const left = moved ? ownerOf(flavour, old, view) : undefined;
  const lost: readonly Enqueue[] = left === undefined ? [] : [{ key: objectKey(left) }];
  if (rs === undefined || key === undefined) return { keys: [...lost, ...(moved || !sameTexts(old.metadata.labels, pod.metadata.labels) ? (orphan(flavour, pod, view).keys ?? []) : [])] };
  const wait = rs.spec.minReadySeconds ?? 0;
  return { keys: [...lost, { key }, ...(wait > 0 && !isPodReady(old) && isPodReady(pod) ? [{ key, after: wait * SECOND }] : [])] };
}

/** A Pod without an owner concerns every set that could adopt it. */
function orphan({ kind }: Flavour, pod: Pod, view: View<Expectations>): Handled<Expectations> {
  if (controllerOf(pod) !== undefined) return {};
  return { keys: view.byIndex<ReplicaSet>("setsByNamespace", pod.metadata.namespace ?? "").filter((rs) => rs.kind === kind && selects(rs, pod)).map((rs) => ({ key: objectKey(rs) })) };
}

const sameTexts = (a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean => a === b || (Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => a[name] === b[name]));

function selects(rs: ReplicaSet, pod: Pod): boolean {
  const selector = selectorOf(rs);
  return typeof selector !== "string" && selector.length > 0 && matches(selector, pod.metadata.labels);
}

function sync({ resources }: Flavour, key: string, view: View<Expectations>): Plan<SyncData, Expectations> {
  const rs = view.get<ReplicaSet>(resources[0], key);
  if (!rs) return view.memory.has(key) ? { memory: view.memory.delete(key) } : {};
  const selector = selectorOf(rs);
  if (typeof selector === "string") return {};
  const manages = satisfied(view.memory, key, view.now) && rs.metadata.deletionTimestamp === undefined;
  const owned = view.byIndex<Pod>("podsByOwner", rs.metadata.uid ?? "");
  const terminating = owned.filter((pod) => pod.metadata.deletionTimestamp !== undefined && !isPodTerminal(pod) && matches(selector, pod.metadata.labels)).length;
  const orphans = view.byIndex<Pod>("podsByOwner", `orphan/${rs.metadata.namespace ?? ""}`);
  // Only active Pods are claimed and released.
  return claim({ step: "claim", claiming: startClaim(rs, selector, owned.filter(isPodActive), orphans.filter(isPodActive)), terminating, manages }, key, view);
}

/** Asks for the next Pod that is taken or let go; then the number of Pods is looked at. */
function claim(data: SyncData & { readonly step: "claim" }, key: string, view: View<Expectations>): Plan<SyncData, Expectations> {
  const call = nextClaim(data.claiming);
  if (call !== undefined) return { batches: [[call]], next: data };
  const error = aggregate(data.claiming.errors);
  if (error !== undefined) return { error };
  const seen: Seen = { rs: data.claiming.owner as ReplicaSet, pods: data.claiming.claimed as readonly Pod[], terminating: data.terminating };
  return data.manages ? manage(seen, key, view) : finish(seen, undefined, true, view);
}

function manage(seen: Seen, key: string, view: View<Expectations>): Plan<SyncData, Expectations> {
  const { rs, pods } = seen;
  const diff = pods.length - replicasOf(rs);
  const name = rs.metadata.name ?? "";
  if (diff < 0) {
    const count = Math.min(-diff, BURST);
    const note: Note = { text: `${speaker(rs)} creates ${count} Pod${count === 1 ? "" : "s"} for ${rs.kind} ${name}`, why: `it has ${pods.length} active Pods and wants ${replicasOf(rs)}`, level: "basic", subject: subjectOf(rs) };
    return { ...createBatch(seen, slowStartBatches(count), count), memory: expectCreations(view.memory, key, count, view.now), notes: [note], latency: "replicaset.sync" };
  }
  if (diff === 0) return finish(seen, undefined, true, view);
  const chosen = podsToDelete(pods, relatedPods(rs, view), Math.min(diff, BURST), view.now);
  const note: Note = { text: `${speaker(rs)} deletes ${chosen.length} Pod${chosen.length === 1 ? "" : "s"} of ${rs.kind} ${name}`, why: `it has ${pods.length} active Pods and wants ${replicasOf(rs)}; not ready and younger ones go first`, level: "basic", subject: subjectOf(rs), data: { pods: chosen.map((pod) => pod.metadata.name) } };
  return { batches: [chosen.map(deletePodCall)], next: { step: "delete", names: chosen.map((pod) => pod.metadata.name ?? ""), seen }, memory: expectDeletions(view.memory, key, chosen.map(podKey), view.now), notes: [note], latency: "replicaset.sync" };
}

function createBatch(seen: Seen, batches: readonly number[], missing: number): Plan<SyncData, Expectations> {
  const [size = 0, ...rest] = batches;
  const pod = podFromTemplate(seen.rs, seen.rs.spec.template);
  return { batches: [Array.from({ length: size }, () => createPodCall(pod))], next: { step: "create", batches: rest, missing, seen } };
}

/** Pods of all sets of the same owner: on a node with more of them a Pod is easier to spare. A set without an owner knows of none. */
function relatedPods(rs: ReplicaSet, view: View<Expectations>): readonly Pod[] {
  const owner = controllerOf(rs);
  return owner === undefined ? [] : view.byIndex<ReplicaSet>("setsByOwner", owner.uid).flatMap((set) => view.byIndex<Pod>("podsByOwner", set.metadata.uid ?? ""));
}

function resume(key: string, data: SyncData, answers: readonly Answer[], view: View<Expectations>): Plan<SyncData, Expectations> {
  if (data.step === "claim") return claim({ ...data, claiming: claimAnswered(data.claiming, answers[0]) }, key, view);
  if ("status" in data) return statusAnswered(key, data, answers[0], view);
  const { seen } = data;
  if (data.step === "delete") {
    const failed = answers.find((answer) => !isSuccess(answer) && answer.status !== 404);
    const unseen = data.names.filter((_, i) => !isSuccess(answers[i] ?? { status: 0, sent: false })).map((name) => `${seen.rs.metadata.namespace ?? ""}/${name}`);
    return { ...withEvents(deletionEvents(seen.rs, data.names, answers), finish(seen, failed && { reason: "FailedDelete", message: `unable to delete pods: ${messageOf(failed)}` }, false, view)), memory: deletionsObserved(view.memory, key, unseen) };
  }
  const events = creationEvents(seen.rs, answers);
  // In a namespace that is going every creation fails: that is no error, and nobody is told.
  const fine = (answer: Answer): boolean => isSuccess(answer) || isNamespaceTerminating(answer);
  const missing = data.missing - answers.filter(fine).length;
  const failed = answers.find((answer) => !fine(answer));
  if (failed) return { ...withEvents(events, finish(seen, { reason: "FailedCreate", message: messageOf(failed) }, false, view)), memory: creationsObserved(view.memory, key, missing) };
  return withEvents(events, data.batches.length === 0 ? finish(seen, undefined, false, view) : { ...createBatch(seen, data.batches, missing), latency: "replicaset.next-batch" });
}

const withEvents = (events: readonly EventToRecord[], plan: Plan<SyncData, Expectations>): Plan<SyncData, Expectations> => (events.length === 0 ? plan : { ...plan, events: [...events, ...(plan.events ?? [])] });

/** Writes the status if it changed; a failure to create or delete is kept in it and fails the sync. */
function finish({ rs, pods, terminating }: Seen, failure: Failure | undefined, first: boolean, view: View<Expectations>): Plan<SyncData, Expectations> {
  const status = calculateStatus(rs, pods, terminating, failure, view.now);
  const data: StatusData = { step: "status", rs, status, pods, ...(failure ? { error: failure.message } : {}) };
  if (sameStatus(rs, status)) return written(objectKey(rs), data, view);
  const note: Note = { text: `${speaker(rs)} writes status of ${rs.metadata.name ?? ""}: ${status.readyReplicas ?? 0}/${replicasOf(rs)} ready`, why: "counts of its Pods changed", subject: subjectOf(rs) };
  return { batches: [[statusCall(rs, status)]], next: data, notes: [note], ...(first ? { latency: "replicaset.status" } : {}) };
}

/** A write that failed is tried once more on the object as it is now (statusUpdateRetries 1). */
function statusAnswered(key: string, data: StatusData, answer: Answer | undefined, view: View<Expectations>): Plan<SyncData, Expectations> {
  if (answer === undefined) return {};
  if (data.step === "read") return isSuccess(answer) ? { batches: [[statusCall(answer.body as ReplicaSet, data.status)]], next: { ...data, step: "again" } } : { error: messageOf(answer) };
  if (isSuccess(answer)) return written(key, data, view);
  return data.step === "again" ? { error: messageOf(answer) } : { batches: [[{ method: "GET", path: objectPath(data.rs), subject: subjectOf(data.rs) }]], next: { ...data, step: "read" } };
}

const statusCall = (rs: ReplicaSet, status: ReplicaSetStatus): ApiCall => ({ method: "PUT", path: `${objectPath(rs)}/status`, body: { ...rs, status }, subject: subjectOf(rs) });

/** The sync has come to its end: it failed if Pods could not be made or removed. */
function written(key: string, { rs, status, pods, error }: StatusData, view: View<Expectations>): Plan<SyncData, Expectations> {
  if (error !== undefined) return { error };
  const recheck = availabilityCheck(rs, status, pods, view.now);
  return recheck === undefined ? {} : { enqueue: [{ key, after: recheck }] };
}

/** FindMinNextPodAvailabilityCheck: ready Pods become available by time alone, the next of them then. */
function availabilityCheck(rs: ReplicaSet, status: ReplicaSetStatus, pods: readonly Pod[], now: Micros): Micros | undefined {
  const seconds = rs.spec.minReadySeconds ?? 0;
  if (seconds === 0 || (status.readyReplicas ?? 0) === (status.availableReplicas ?? 0)) return undefined;
  const waits = pods.filter((pod) => isPodReady(pod)).flatMap((pod) => {
    const since = readySince(pod);
    return since === undefined || since + seconds * SECOND <= now ? [] : [since + seconds * SECOND - now];
  });
  return waits.length === 0 ? seconds * SECOND : Math.min(...waits);
}

const create = (flavour: Flavour, config: ControllerConfig): Component<ControllerState<SyncData, Expectations>> =>
  createController<SyncData, Expectations>(
    {
      id: flavour.id,
      account: flavour.id,
      resources: flavour.resources,
      ...(flavour === REPLICATION_CONTROLLERS ? { lazy: true as const } : {}),
      indexers: { podsByOwner: byController("pods"), setsByOwner: byController(flavour.resources[0]), setsByNamespace: byNamespace(flavour.resources[0]) },
      workers: 5,
      latency: "replicaset.sync",
      // Only the newer kind waits for its own writes to come back.
      consistent: flavour === REPLICA_SETS ? flavour.resources : [],
      memory: NO_EXPECTATIONS,
      handle: (change, resource, view) => handle(flavour, change, resource, view),
      sync: (key, view) => sync(flavour, key, view),
      resume,
    },
    config,
  );

/** Keeps the number of Pods of each ReplicaSet. */
export const createReplicaSetController = (config: ControllerConfig): Component<ControllerState<SyncData, Expectations>> => create(REPLICA_SETS, config);

/** Keeps the number of Pods of each ReplicationController. */
export const createReplicationController = (config: ControllerConfig): Component<ControllerState<SyncData, Expectations>> => create(REPLICATION_CONTROLLERS, config);

export const replicaSetWatches = (): WatchSpec[] => watchesOf(REPLICA_SETS.id, REPLICA_SETS.resources);
export const replicationControllerWatches = (world?: World): WatchSpec[] => lazyWatchesOf(REPLICATION_CONTROLLERS.id, REPLICATION_CONTROLLERS.resources, world);
