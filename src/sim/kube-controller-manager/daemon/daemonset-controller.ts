// Models kubernetes/pkg/controller/daemon/{daemon_controller,update}.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { scaledValue } from "../../api/int-or-string.ts";
import type { IntOrString, KubeObject, LabelSelector, Node, Pod, PodTemplateSpec } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component, Note } from "../../kernel/types.ts";
import { byController, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { type ControllerRevision, createRevisionCall, renumberCall, REVISION_LABEL, surplusRevisions, updateRevision } from "../history/controller-history.ts";
import { createPodCall, creationEvents, deletePodCall, deletionEvents, isNamespaceTerminating, podFromTemplate } from "../pod-control.ts";
import { controllerOf, isPodAvailable, isPodReady, isPodTerminal } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { slowStartBatches } from "../slow-start.ts";
import { nodeShouldRun, pinnedSpec } from "./node-eligibility.ts";

const ID = "daemonset-controller";
const RESOURCES = ["daemonsets", "pods", "nodes", "controllerrevisions"] as const;
const BURST = 250;

export interface DaemonSet extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString } };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
  };
  readonly status?: Readonly<Record<string, number>>;
}

type SyncData =
  | { readonly step: "revision" | "cleanup" }
  | { readonly step: "create"; readonly pods: readonly Pod[]; readonly batches: readonly number[]; readonly ds: DaemonSet; readonly hash: string }
  | { readonly step: "delete"; readonly names: readonly string[]; readonly ds: DaemonSet; readonly hash: string };

function handle(change: Change, resource: string, view: View): Handled<unknown> {
  const { object } = change;
  if (resource === "daemonsets") return { keys: [{ key: objectKey(object) }] };
  if (resource === "nodes") {
    // Heartbeats concern nobody; labels and taints may concern every set.
    if (change.type === "update" && change.old.spec === object.spec && change.old.metadata.labels === object.metadata.labels) return {};
    return { keys: view.list<DaemonSet>("daemonsets").map((ds) => ({ key: objectKey(ds) })) };
  }
  const owner = controllerOf(object);
  return owner?.kind === "DaemonSet" ? { keys: [{ key: `${object.metadata.namespace ?? ""}/${owner.name}` }] } : {};
}

function sync(key: string, view: View): Plan<SyncData> {
  const ds = view.get<DaemonSet>("daemonsets", key);
  if (!ds || ds.metadata.deletionTimestamp !== undefined) return {};
  const revisions = view.byIndex<ControllerRevision>("revisionsByOwner", ds.metadata.uid ?? "");
  const current = updateRevision(ds, revisions, REVISION_LABEL, { "deprecated.daemonset.template.generation": String(ds.metadata.generation ?? 1) });
  if (!current.found) return { batches: [[createRevisionCall(current.make)]], next: { step: "revision" }, enqueue: [{ key }] };
  const renumber = renumberCall(current.found, revisions);
  if (renumber) return { batches: [[renumber]], next: { step: "revision" }, enqueue: [{ key }] };
  return manage(ds, current.hash, view);
}

/** The node that a Pod runs on or is pinned to. */
function nodeOfPod(pod: Pod): string {
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return pod.spec.nodeName ?? terms?.[0]?.matchFields?.[0]?.values?.[0] ?? "";
}

interface Placement {
  readonly node: Node;
  readonly shouldRun: boolean;
  readonly shouldContinue: boolean;
  readonly pods: readonly Pod[];
}

function placements(ds: DaemonSet, view: View): readonly Placement[] {
  const pods = view.byIndex<Pod>("podsByOwner", ds.metadata.uid ?? "");
  return view.list<Node>("nodes").map((node) => ({ node, ...nodeShouldRun(ds.spec.template.spec, node), pods: pods.filter((pod) => nodeOfPod(pod) === node.metadata.name) }));
}

function manage(ds: DaemonSet, hash: string, view: View): Plan<SyncData> {
  const places = placements(ds, view);
  const missing = places.filter((place) => place.shouldRun && place.pods.length === 0).slice(0, BURST);
  const unwanted = places.flatMap((place) => {
    const live = place.pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
    if (!place.shouldContinue) return live;
    // Finished daemons are made anew; of several on one node the oldest stays.
    const finished = live.filter(isPodTerminal);
    const running = live.filter((pod) => !isPodTerminal(pod)).sort((a, b) => ((a.metadata.creationTimestamp ?? "") < (b.metadata.creationTimestamp ?? "") ? -1 : 1));
    return [...finished, ...running.slice(1)];
  });
  if (unwanted.length > 0) return deletion(ds, hash, unwanted, "they do not belong on their node, have ended, or are one too many");
  if (missing.length > 0) return creation(ds, hash, missing);
  return rollingUpdate(ds, hash, places, view);
}

function creation(ds: DaemonSet, hash: string, missing: readonly Placement[]): Plan<SyncData> {
  const pods = missing.map(({ node }): Pod => {
    const base = podFromTemplate(ds, ds.spec.template);
    return { ...base, metadata: { ...base.metadata, labels: { ...base.metadata.labels, [REVISION_LABEL]: hash, "pod-template-generation": String(ds.metadata.generation ?? 1) } }, spec: pinnedSpec(base.spec, node.metadata.name ?? "") };
  });
  const note: Note = { text: `daemonset-controller creates ${pods.length} Pods of ${ds.metadata.name ?? ""}, each pinned to its node`, why: "these nodes are eligible and have none", level: "basic", subject: subjectOf(ds) };
  return { ...createBatch(ds, hash, pods, slowStartBatches(pods.length)), notes: [note] };
}

function createBatch(ds: DaemonSet, hash: string, pods: readonly Pod[], batches: readonly number[]): Plan<SyncData> {
  const [size = 0, ...rest] = batches;
  return { batches: [pods.slice(0, size).map(createPodCall)], next: { step: "create", pods: pods.slice(size), batches: rest, ds, hash } };
}

function deletion(ds: DaemonSet, hash: string, pods: readonly Pod[], why: string): Plan<SyncData> {
  const note: Note = { text: `daemonset-controller deletes ${pods.length} Pods of ${ds.metadata.name ?? ""}`, why, level: "basic", subject: subjectOf(ds) };
  return { batches: [pods.map(deletePodCall)], notes: [note], next: { step: "delete", names: pods.map((pod) => pod.metadata.name ?? ""), ds, hash } };
}

/** Replaces Pods of older templates, at most maxUnavailable nodes at a time. Simplified: no maxSurge. */
function rollingUpdate(ds: DaemonSet, hash: string, places: readonly Placement[], view: View): Plan<SyncData> {
  const strategy = ds.spec.updateStrategy;
  if (strategy?.type === "OnDelete") return finish(ds, hash, view);
  const wanted = places.filter((place) => place.shouldRun);
  const limit = Math.max(1, scaledValue(strategy?.rollingUpdate?.maxUnavailable ?? 1, wanted.length, true) ?? 1);
  const isOld = (pod: Pod): boolean => pod.metadata.labels?.[REVISION_LABEL] !== hash;
  const available = (pod: Pod): boolean => pod.metadata.deletionTimestamp === undefined && isPodAvailable(pod, ds.spec.minReadySeconds ?? 0, view.now);
  let unavailable = wanted.filter((place) => !place.pods.some(available)).length;
  const chosen: Pod[] = [];
  for (const pod of wanted.flatMap((place) => place.pods)) if (isOld(pod) && !available(pod) && pod.metadata.deletionTimestamp === undefined) chosen.push(pod);
  for (const pod of wanted.flatMap((place) => place.pods)) {
    if (!isOld(pod) || !available(pod) || unavailable >= limit) continue;
    chosen.push(pod);
    unavailable++;
  }
  return chosen.length > 0 ? deletion(ds, hash, chosen, "their template is an older one; maxUnavailable lets so many go at a time") : finish(ds, hash, view);
}

function resume(_key: string, data: SyncData, answers: readonly Answer[], view: View): Plan<SyncData> {
  const failed = answers.find((answer) => answer.sent && !isSuccess(answer) && answer.status !== 404 && answer.status !== 409);
  if (!("ds" in data)) return failed ? { error: messageOf(failed) } : {};
  if (data.step === "delete") return { ...finish(data.ds, data.hash, view), events: deletionEvents(data.ds, data.names, answers) };
  const events = creationEvents(data.ds, answers);
  if (failed) return isNamespaceTerminating(failed) ? { events } : { events, error: messageOf(failed) };
  if (data.batches.length > 0) return { ...createBatch(data.ds, data.hash, data.pods, data.batches), events };
  return { ...finish(data.ds, data.hash, view), events };
}

function finish(ds: DaemonSet, hash: string, view: View): Plan<SyncData> {
  const places = placements(ds, view);
  const wanted = places.filter((place) => place.shouldRun);
  const scheduled = wanted.filter((place) => place.pods.length > 0);
  const first = (place: Placement): Pod | undefined => place.pods.find((pod) => pod.metadata.deletionTimestamp === undefined) ?? place.pods[0];
  const count = (test: (pod: Pod) => boolean): number => scheduled.filter((place) => {
    const pod = first(place);
    return pod !== undefined && test(pod);
  }).length;
  const numberAvailable = count((pod) => isPodAvailable(pod, ds.spec.minReadySeconds ?? 0, view.now));
  const updated = count((pod) => pod.metadata.labels?.[REVISION_LABEL] === hash);
  const unavailable = wanted.length - numberAvailable;
  const status: Record<string, number> = {
    currentNumberScheduled: scheduled.length,
    numberMisscheduled: places.filter((place) => !place.shouldRun && place.pods.length > 0).length,
    desiredNumberScheduled: wanted.length,
    numberReady: count(isPodReady),
    observedGeneration: ds.metadata.generation ?? 0,
    ...(updated === 0 ? {} : { updatedNumberScheduled: updated }),
    ...(numberAvailable === 0 ? {} : { numberAvailable }),
    ...(unavailable === 0 ? {} : { numberUnavailable: unavailable }),
  };
  const keys = new Set([...Object.keys(status), ...Object.keys(ds.status ?? {})]);
  if (![...keys].some((key) => key !== "conditions" && key !== "collisionCount" && (status[key] ?? 0) !== (ds.status?.[key] ?? 0))) return cleanup(ds, view);
  const body = { ...ds, status: { ...status, ...(ds.status?.["collisionCount"] === undefined ? {} : { collisionCount: ds.status["collisionCount"] }) } };
  return { batches: [[{ method: "PUT", path: `${objectPath(ds)}/status`, body, subject: subjectOf(ds) }]] };
}

function cleanup(ds: DaemonSet, view: View): Plan<SyncData> {
  const revisions = view.byIndex<ControllerRevision>("revisionsByOwner", ds.metadata.uid ?? "");
  const live = new Set(view.byIndex<Pod>("podsByOwner", ds.metadata.uid ?? "").map((pod) => pod.metadata.labels?.[REVISION_LABEL] ?? ""));
  live.add(updateRevision(ds, revisions, REVISION_LABEL).hash);
  const calls: readonly ApiCall[] = surplusRevisions(revisions, live, ds.spec.revisionHistoryLimit ?? 10);
  return calls.length === 0 ? {} : { batches: [calls], next: { step: "cleanup" } };
}

/** Keeps one Pod on every eligible node. */
export const createDaemonSetController = (config: ControllerConfig): Component<ControllerState<SyncData>> =>
  createController<SyncData, unknown>(
    {
      id: ID,
      account: "daemon-set-controller",
      resources: RESOURCES,
      indexers: { podsByOwner: byController("pods"), revisionsByOwner: byController("controllerrevisions") },
      workers: 2,
      latency: "controller.sync",
      memory: undefined,
      handle,
      sync,
      resume,
    },
    config,
  );

export const daemonSetWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
