// Models kubernetes/pkg/controller/statefulset/{stateful_set,stateful_set_control,stateful_pod_control}.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { Pod, PodTemplateSpec } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Component, Note } from "../../kernel/types.ts";
import { byController, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { type ControllerRevision, createRevisionCall, hashOfRevision, HISTORY_LABEL, renumberCall, surplusRevisions, updateRevision } from "../history/controller-history.ts";
import { adoptersOf, claimPlan, createPodCall, deletePodCall } from "../pod-control.ts";
import { controllerOf, isPodTerminal } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { claimOwnerCalls, missingClaims } from "./claims.ts";
import { isAvailable, isCondemned, isCreatedAndReady, isHealthy, isTerminating, newStatefulPod, ordinalOf, replicasOf, revisionOf, startOf, type StatefulSet } from "./identity.ts";

const ID = "statefulset-controller";
const RESOURCES = ["statefulsets", "pods", "controllerrevisions", "persistentvolumeclaims"] as const;

type Status = NonNullable<StatefulSet["status"]>;
type SyncData = { readonly step: "revision" | "cleanup" | "status" } | { readonly step: "pods"; readonly set: StatefulSet; readonly pods: readonly Pod[]; readonly said: readonly Said[]; readonly current: string; readonly update: string };

/** What each call does. */
interface Said {
  readonly verb: "create" | "delete" | "claim" | "owner";
  readonly pod: string;
  readonly claim?: string;
  /** The revision of the Pod that is made or deleted. */
  readonly revision?: string;
}

interface Revisions {
  readonly current: string;
  readonly update: string;
  readonly template: (revision: string) => PodTemplateSpec;
}

function sync(key: string, view: View): Plan<SyncData> {
  const set = view.get<StatefulSet>("statefulsets", key);
  if (!set || set.metadata.deletionTimestamp !== undefined) return {};
  const revisions = view.byIndex<ControllerRevision>("revisionsByOwner", set.metadata.uid ?? "");
  const wanted = updateRevision(set, revisions, HISTORY_LABEL);
  if (!wanted.found) return { batches: [[createRevisionCall(wanted.make)]], next: { step: "revision" }, enqueue: [{ key }] };
  const renumber = renumberCall(wanted.found, revisions);
  if (renumber) return { batches: [[renumber]], next: { step: "revision" }, enqueue: [{ key }] };
  const update = wanted.found.metadata.name ?? "";
  const current = revisions.find((entry) => entry.metadata.name === set.status?.currentRevision);
  const names: Revisions = {
    current: current?.metadata.name ?? update,
    update,
    template: (name) => (revisions.find((entry) => entry.metadata.name === name)?.data as { spec?: { template?: PodTemplateSpec } } | undefined)?.spec?.template ?? set.spec.template,
  };
  return claimPlan(set, set.spec.selector, key, view, { accepts: (pod) => ordinalOf(set, pod) >= 0 }) ?? manage(set, names, view);
}

/** One sync: at most one step in order (OrderedReady), or all at once (Parallel). */
function manage(set: StatefulSet, revisions: Revisions, view: View): Plan<SyncData> {
  const pods = view.byIndex<Pod>("podsByOwner", set.metadata.uid ?? "").filter((pod) => ordinalOf(set, pod) >= 0);
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const parallel = set.spec.podManagementPolicy === "Parallel";
  const first = startOf(set);
  const calls: ApiCall[] = [];
  const said: Said[] = [];
  let blocked = false;
  for (let ordinal = first; ordinal < first + replicasOf(set) && !blocked; ordinal++) {
    const pod = byOrdinal.get(ordinal);
    if (!pod) {
      createPod(set, ordinal, revisions, view, calls, said);
      blocked = !parallel;
    } else if (isPodTerminal(pod)) {
      if (!isTerminating(pod)) deletePod(pod, calls, said);
      blocked = !parallel;
    } else if (!parallel && (isTerminating(pod) || !isCreatedAndReady(pod) || !isAvailable(set, pod, view.now))) blocked = true;
  }
  const condemned = pods.filter((pod) => isCondemned(set, ordinalOf(set, pod))).sort((a, b) => ordinalOf(set, b) - ordinalOf(set, a));
  for (const pod of [...condemned, ...pods.filter((entry) => !condemned.includes(entry) && !isTerminating(entry))]) {
    for (const call of claimOwnerCalls(set, pod, view)) {
      calls.push(call);
      said.push({ verb: "owner", pod: pod.metadata.name ?? "" });
    }
  }
  if (!blocked) scaleDown(pods, condemned, parallel, calls, said);
  if (!blocked && !said.some((entry) => entry.verb !== "owner") && condemned.length === 0) rollOut(set, byOrdinal, revisions, view, calls, said);
  if (calls.length === 0) return finish(set, pods, revisions, view);
  const told = said.filter((entry) => entry.verb !== "owner");
  const note: Note = { text: `statefulset-controller ${told.length === 0 ? "sets the owners of claims" : told.map((entry) => `${entry.verb === "delete" ? "deletes" : "creates"} ${entry.claim ?? entry.pod}`).slice(0, 3).join(", ")}`, why: parallel ? "podManagementPolicy Parallel: no waiting" : "one Pod at a time, in order of the ordinals", level: "basic", subject: subjectOf(set) };
  return { batches: calls.map((call) => [call]), notes: [note], next: { step: "pods", set, pods, said, current: revisions.current, update: revisions.update } };
}

function createPod(set: StatefulSet, ordinal: number, revisions: Revisions, view: View, calls: ApiCall[], said: Said[]): void {
  const partition = startOf(set) + (set.spec.updateStrategy?.rollingUpdate?.partition ?? 0);
  // Below the partition, or as long as the current revision has not that many Pods, the old template is used.
  const old = revisions.current !== revisions.update && set.spec.updateStrategy?.type !== "OnDelete" && ordinal < partition;
  const revision = old ? revisions.current : revisions.update;
  const pod = newStatefulPod(set, ordinal, revisions.template(revision), revision);
  const name = pod.metadata.name ?? "";
  for (const claim of missingClaims(set, ordinal, view)) {
    calls.push(claim.call);
    said.push({ verb: "claim", pod: name, claim: claim.name });
  }
  calls.push(createPodCall(pod));
  said.push({ verb: "create", pod: name, revision });
}

function deletePod(pod: Pod, calls: ApiCall[], said: Said[]): void {
  calls.push(deletePodCall(pod));
  said.push({ verb: "delete", pod: pod.metadata.name ?? "", revision: revisionOf(pod) });
}

/** Highest ordinal first, one at a time, and only while all others are healthy. */
function scaleDown(pods: readonly Pod[], condemned: readonly Pod[], parallel: boolean, calls: ApiCall[], said: Said[]): void {
  const unhealthy = pods.filter((pod) => !isHealthy(pod));
  for (const pod of condemned) {
    if (isTerminating(pod)) {
      if (!parallel) return;
      continue;
    }
    if (!parallel && unhealthy.some((other) => other !== pod && !condemned.slice(condemned.indexOf(pod)).includes(other))) return;
    deletePod(pod, calls, said);
    if (!parallel) return;
  }
}

/** Rolling update: from the highest ordinal down to the partition, each waits until the one before is available. */
function rollOut(set: StatefulSet, byOrdinal: ReadonlyMap<number, Pod>, revisions: Revisions, view: View, calls: ApiCall[], said: Said[]): void {
  if (set.spec.updateStrategy?.type === "OnDelete") return;
  const partition = startOf(set) + (set.spec.updateStrategy?.rollingUpdate?.partition ?? 0);
  for (let ordinal = startOf(set) + replicasOf(set) - 1; ordinal >= partition; ordinal--) {
    const pod = byOrdinal.get(ordinal);
    if (!pod) return;
    if (revisionOf(pod) !== revisions.update && !isTerminating(pod)) {
      deletePod(pod, calls, said);
      return;
    }
    if (!isHealthy(pod) || !isAvailable(set, pod, view.now)) return;
  }
}

function resume(_key: string, data: SyncData, answers: readonly Answer[], view: View): Plan<SyncData> {
  const failed = answers.find((answer) => answer.sent && !isSuccess(answer) && answer.status !== 404 && !(answer.status === 409 && data.step !== "status"));
  if (data.step !== "pods") return failed ? { error: messageOf(failed) } : {};
  const { set } = data;
  const name = set.metadata.name ?? "";
  const events = data.said.flatMap((entry, i): EventToRecord[] => {
    const answer = answers[i];
    if (!answer?.sent || entry.verb === "owner") return [];
    const ok = isSuccess(answer);
    const outcome = ok ? "success" : `failed error: ${messageOf(answer)}`;
    const reason = `${ok ? "Successful" : "Failed"}${entry.verb === "delete" ? "Delete" : "Create"}`;
    const message = entry.verb === "claim" ? `Create Claim ${entry.claim ?? ""} Pod ${entry.pod} in StatefulSet ${name} ${outcome}` : `${entry.verb === "create" ? "Create" : "Delete"} Pod ${entry.pod} in StatefulSet ${name} ${ok ? "successful" : outcome}`;
    return [{ object: set, type: ok ? "Normal" : "Warning", reason, message }];
  });
  if (failed) return { events, error: messageOf(failed) };
  const revisions: Revisions = { current: data.current, update: data.update, template: () => set.spec.template };
  return { ...finish(set, data.pods, revisions, view, data.said.filter((_, i) => answers[i] !== undefined && isSuccess(answers[i]))), events };
}

/** What was just made or deleted counts at once, though no watch has told of it yet. */
function counting(status: Status, done: readonly Said[]): Status {
  let { replicas = 0, currentReplicas = 0, updatedReplicas = 0 } = status;
  for (const { verb, revision } of done) {
    if (verb !== "create" && verb !== "delete") continue;
    const by = verb === "create" ? 1 : -1;
    if (verb === "create") replicas++;
    if (revision === status.currentRevision) currentReplicas += by;
    if (revision === status.updateRevision) updatedReplicas += by;
  }
  const { currentReplicas: _current, updatedReplicas: _updated, ...rest } = status;
  return { ...rest, replicas, ...(currentReplicas === 0 ? {} : { currentReplicas }), ...(updatedReplicas === 0 ? {} : { updatedReplicas }) };
}

function statusOf(set: StatefulSet, pods: readonly Pod[], revisions: Revisions, view: View): Status {
  const live = pods.filter((pod) => !isTerminating(pod));
  const ready = pods.filter(isCreatedAndReady).length;
  const available = pods.filter((pod) => isAvailable(set, pod, view.now)).length;
  const updated = live.filter((pod) => revisionOf(pod) === revisions.update).length;
  // Once all Pods are of the update revision and ready, it is the current one.
  const done = updated === pods.length && updated === replicasOf(set) && ready === pods.length;
  const current = done ? revisions.update : revisions.current;
  const ofCurrent = live.filter((pod) => revisionOf(pod) === current).length;
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: pods.length,
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    ...(ofCurrent === 0 ? {} : { currentReplicas: ofCurrent }),
    ...(updated === 0 ? {} : { updatedReplicas: updated }),
    availableReplicas: available,
    currentRevision: current,
    updateRevision: revisions.update,
    collisionCount: set.status?.collisionCount ?? 0,
  };
}

const FIELDS = ["observedGeneration", "replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"] as const;

function finish(set: StatefulSet, pods: readonly Pod[], revisions: Revisions, view: View, done: readonly Said[] = []): Plan<SyncData> {
  const found = statusOf(set, pods, revisions, view);
  const status = done.length === 0 ? found : counting(found, done);
  const same = FIELDS.every((field) => (set.status?.[field] ?? 0) === (status[field] ?? 0)) && set.status?.currentRevision === status.currentRevision && set.status?.updateRevision === status.updateRevision;
  if (!same) return { batches: [[{ method: "PUT", path: `${objectPath(set)}/status`, body: { ...set, status }, subject: subjectOf(set) }]], next: { step: "status" } };
  const kept = view.byIndex<ControllerRevision>("revisionsByOwner", set.metadata.uid ?? "");
  const live = new Set(kept.filter((entry) => [status.currentRevision, status.updateRevision, ...pods.map(revisionOf)].includes(entry.metadata.name)).map(hashOfRevision));
  const calls = surplusRevisions(kept, live, set.spec.revisionHistoryLimit ?? 10);
  return calls.length === 0 ? {} : { batches: [calls], next: { step: "cleanup" } };
}

/** Keeps numbered Pods with stable names and claims. */
export const createStatefulSetController = (config: ControllerConfig): Component<ControllerState<SyncData>> =>
  createController<SyncData, unknown>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      indexers: { podsByOwner: byController("pods"), revisionsByOwner: byController("controllerrevisions") },
      workers: 5,
      latency: "controller.sync",
      memory: undefined,
      handle(change, resource, view) {
        if (resource === "statefulsets") return { keys: [{ key: objectKey(change.object) }] };
        if (resource !== "pods") return {};
        const owner = controllerOf(change.object);
        if (owner === undefined && change.type !== "delete") return { keys: adoptersOf(change.object, view.list<StatefulSet>("statefulsets")) };
        return owner?.kind === "StatefulSet" ? { keys: [{ key: `${change.object.metadata.namespace ?? ""}/${owner.name}` }] } : {};
      },
      sync,
      resume,
    },
    config,
  );

export const statefulSetWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
