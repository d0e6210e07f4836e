// Models kubernetes/pkg/controller/daemon/daemon_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component, Note } from "../../kernel/types.ts";
import { byController, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { type ControllerRevision, createRevisionCall, renumberCall, REVISION_LABEL, surplusRevisions, updateRevision } from "../history/controller-history.ts";
import { adoptersOf, claimPlan, createPodCall, creationEvents, deletePodCall, deletionEvents, isNamespaceTerminating, podFromTemplate } from "../pod-control.ts";
import { controllerOf, isPodAvailable, isPodReady } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { slowStartBatches } from "../slow-start.ts";
import { type FailedPods, podsShouldBeOnNodes } from "./manage.ts";
import { pinnedSpec } from "./node-eligibility.ts";
import { type DaemonSet, GENERATION_LABEL, isUpdated, type Placement, placementsOf, TEMPLATE_GENERATION } from "./placement.ts";
import { rollingUpdate } from "./rolling-update.ts";

const ID = "daemonset-controller";
const RESOURCES = ["daemonsets", "pods", "nodes", "controllerrevisions"] as const;
const BURST = 250;

type SyncData = { readonly step: "revision" | "cleanup" } | { readonly step: "nodes"; readonly created: number; readonly names: readonly string[]; readonly ds: DaemonSet; readonly hash: string };
type DaemonPlan = Plan<SyncData, FailedPods>;

function handle(change: Change, resource: string, view: View<FailedPods>): Handled<FailedPods> {
  const { object } = change;
  if (resource === "daemonsets") return { keys: [{ key: objectKey(object) }] };
  if (resource === "nodes") {
    // Heartbeats concern nobody; labels and taints may concern every set.
    if (change.type === "update" && change.old.spec === object.spec && change.old.metadata.labels === object.metadata.labels) return {};
    return { keys: view.list<DaemonSet>("daemonsets").map((ds) => ({ key: objectKey(ds) })) };
  }
  const owner = controllerOf(object);
  if (owner === undefined && resource === "pods" && change.type !== "delete") return { keys: adoptersOf(object, view.list<DaemonSet>("daemonsets")) };
  return owner?.kind === "DaemonSet" ? { keys: [{ key: `${object.metadata.namespace ?? ""}/${owner.name}` }] } : {};
}

function sync(key: string, view: View<FailedPods>): DaemonPlan {
  const ds = view.get<DaemonSet>("daemonsets", key);
  if (!ds || ds.metadata.deletionTimestamp !== undefined) return {};
  const revisions = view.byIndex<ControllerRevision>("revisionsByOwner", ds.metadata.uid ?? "");
  const current = updateRevision(ds, revisions, REVISION_LABEL, ds.metadata.annotations);
  if (!current.found) return { batches: [[createRevisionCall(current.make)]], next: { step: "revision" }, enqueue: [{ key }] };
  const renumber = renumberCall(current.found, revisions);
  if (renumber) return { batches: [[renumber]], next: { step: "revision" }, enqueue: [{ key }] };
  const claims = claimPlan(ds, ds.spec.selector, key, view);
  if (claims) return claims;
  const places = placementsOf(ds, view);
  const changes = podsShouldBeOnNodes(ds, current.hash, places, view.memory, view.now);
  const again = changes.after === undefined ? {} : { enqueue: [{ key, after: changes.after }] };
  const memory = changes.failed === view.memory ? {} : { memory: changes.failed };
  if (changes.create.length + changes.remove.length > 0) return { ...syncNodes(ds, current.hash, changes.create, changes.remove, "one on each eligible node, no more"), events: changes.events, ...memory, ...again };
  const step = ds.spec.updateStrategy?.type === "OnDelete" ? { create: [], remove: [] } : rollingUpdate(ds, current.hash, places, view.now);
  const plan = step.create.length + step.remove.length > 0 ? syncNodes(ds, current.hash, step.create, step.remove, "their template is an older one; maxUnavailable and maxSurge set the pace") : finish(ds, current.hash, view);
  return { ...plan, ...memory, ...again };
}

/** Makes Pods for nodes and deletes others, at most so many of each. */
function syncNodes(ds: DaemonSet, hash: string, nodes: readonly string[], surplus: readonly Pod[], why: string): DaemonPlan {
  const pods = nodes.slice(0, BURST).map((node) => podFor(ds, hash, node));
  const remove = surplus.slice(0, BURST);
  let offset = 0;
  const batches: ApiCall[][] = slowStartBatches(pods.length).map((size) => pods.slice(offset, (offset += size)).map(createPodCall));
  const notes: Note[] = [];
  if (pods.length > 0) notes.push({ text: `daemonset-controller creates ${pods.length} Pod${pods.length === 1 ? "" : "s"} of ${ds.metadata.name ?? ""}, each pinned to its node`, why, level: "basic", subject: subjectOf(ds) });
  if (remove.length > 0) notes.push({ text: `daemonset-controller deletes ${remove.length} Pod${remove.length === 1 ? "" : "s"} of ${ds.metadata.name ?? ""}`, why, level: "basic", subject: subjectOf(ds) });
  return { batches: [...batches, remove.map(deletePodCall)], notes, next: { step: "nodes", created: pods.length, names: remove.map((pod) => pod.metadata.name ?? ""), ds, hash } };
}

function podFor(ds: DaemonSet, hash: string, node: string): Pod {
  const base = podFromTemplate(ds, ds.spec.template);
  const generation = ds.metadata.annotations?.[TEMPLATE_GENERATION];
  const labels = { ...base.metadata.labels, [REVISION_LABEL]: hash, ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }) };
  return { ...base, metadata: { ...base.metadata, labels }, spec: pinnedSpec(base.spec, node) };
}

function resume(_key: string, data: SyncData, answers: readonly Answer[], view: View<FailedPods>): DaemonPlan {
  const failed = answers.find((answer) => answer.sent && !isSuccess(answer) && answer.status !== 404 && answer.status !== 409);
  if (data.step !== "nodes") return failed ? { error: messageOf(failed) } : {};
  const { ds, hash, created, names } = data;
  const events = [...creationEvents(ds, answers.slice(0, created)), ...deletionEvents(ds, names, answers.slice(created))];
  const plan = { ...finish(ds, hash, view), events };
  return failed && !isNamespaceTerminating(failed) ? { ...plan, error: messageOf(failed) } : plan;
}

function statusOf(ds: DaemonSet, hash: string, places: readonly Placement[], view: View<FailedPods>): Readonly<Record<string, number>> {
  const wanted = places.filter((place) => place.shouldRun);
  const firsts = wanted.flatMap((place) => place.pods.slice(0, 1));
  const numberAvailable = firsts.filter((pod) => isPodAvailable(pod, ds.spec.minReadySeconds ?? 0, view.now)).length;
  const updated = firsts.filter((pod) => isUpdated(pod, ds, hash)).length;
  const unavailable = wanted.length - numberAvailable;
  return {
    currentNumberScheduled: firsts.length,
    numberMisscheduled: places.filter((place) => !place.shouldRun && place.pods.length > 0).length,
    desiredNumberScheduled: wanted.length,
    numberReady: firsts.filter(isPodReady).length,
    observedGeneration: ds.metadata.generation ?? 0,
    ...(updated === 0 ? {} : { updatedNumberScheduled: updated }),
    ...(numberAvailable === 0 ? {} : { numberAvailable }),
    ...(unavailable === 0 ? {} : { numberUnavailable: unavailable }),
  };
}

function finish(ds: DaemonSet, hash: string, view: View<FailedPods>): DaemonPlan {
  const status = statusOf(ds, hash, placementsOf(ds, view), view);
  const recheck = (ds.spec.minReadySeconds ?? 0) > 0 && status["numberReady"] !== (status["numberAvailable"] ?? 0) ? { enqueue: [{ key: objectKey(ds), after: (ds.spec.minReadySeconds ?? 0) * 1_000_000 }] } : {};
  const keys = new Set([...Object.keys(status), ...Object.keys(ds.status ?? {})]);
  if (![...keys].some((key) => key !== "conditions" && key !== "collisionCount" && (status[key] ?? 0) !== (ds.status?.[key] ?? 0))) return { ...cleanup(ds, view), ...recheck };
  const body = { ...ds, status: { ...status, ...(ds.status?.["collisionCount"] === undefined ? {} : { collisionCount: ds.status["collisionCount"] }) } };
  return { batches: [[{ method: "PUT", path: `${objectPath(ds)}/status`, body, subject: subjectOf(ds) }]], ...recheck };
}

function cleanup(ds: DaemonSet, view: View<FailedPods>): DaemonPlan {
  const revisions = view.byIndex<ControllerRevision>("revisionsByOwner", ds.metadata.uid ?? "");
  const live = new Set(view.byIndex<Pod>("podsByOwner", ds.metadata.uid ?? "").map((pod) => pod.metadata.labels?.[REVISION_LABEL] ?? ""));
  live.add(updateRevision(ds, revisions, REVISION_LABEL).hash);
  const calls: readonly ApiCall[] = surplusRevisions(revisions, live, ds.spec.revisionHistoryLimit ?? 10);
  return calls.length === 0 ? {} : { batches: [calls], next: { step: "cleanup" } };
}

/** Keeps one Pod on every eligible node. */
export const createDaemonSetController = (config: ControllerConfig): Component<ControllerState<SyncData, FailedPods>> =>
  createController<SyncData, FailedPods>(
    {
      id: ID,
      account: "daemon-set-controller",
      resources: RESOURCES,
      indexers: { podsByOwner: byController("pods"), revisionsByOwner: byController("controllerrevisions") },
      workers: 2,
      latency: "controller.sync",
      memory: {},
      handle,
      sync,
      resume,
    },
    config,
  );

export const daemonSetWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
