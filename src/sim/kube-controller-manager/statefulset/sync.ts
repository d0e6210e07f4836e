// Models kubernetes/pkg/controller/statefulset/{stateful_set,stateful_set_control,stateful_set_status_updater}.go: a sync from answer to answer
import { labelSelectorAsSelector, matches } from "../../api/labels.ts";
import { SECOND } from "../../api/time.ts";
import type { Pod, PodTemplateSpec } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, bodyOf, isSuccess, messageOf, type Plan } from "../controller.ts";
import { aggregate, claimAnswered, type Claiming, nextClaim, startClaim } from "../controller-ref.ts";
import { type ControllerRevision, createRevisionCall, dataText, deleteRevisionCall, getRevisionCall, hashOfData, HISTORY_LABEL, isOfTemplate, newRevision, patchOf, sortRevisions, updateRevisionCall } from "../history/controller-history.ts";
import { isPodReady, readySince } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { isMemberOf, revisionOf, type StatefulSet } from "./identity.ts";
import { DEFAULT_BACKOFF, DEFAULT_RETRY, pauseBefore } from "./retry.ts";
import { advance, type Rounds, roundsAnswered, startRounds } from "./rounds.ts";
import { completed, isInconsistent, type Revisions, serialized, type StatefulSetStatus, statusOf } from "./status.ts";

interface Work {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  /** As listed when the sync began, oldest first. */
  readonly revisions: readonly ControllerRevision[];
  readonly now: Micros;
}
interface Named extends Work {
  readonly names: Revisions;
  readonly error?: string;
}
interface Finished extends Named {
  readonly status?: StatefulSetStatus;
}

/** Where a sync stands between two answers. Plain data. */
export type SyncData =
  | { readonly step: "adopt"; readonly claiming: Claiming }
  | { readonly step: "claim"; readonly claiming: Claiming }
  | (Work & { readonly step: "revision" | "exists"; readonly make: ControllerRevision; readonly collisions: number })
  | (Work & { readonly step: "renumber"; readonly found: ControllerRevision; readonly tries: number })
  | (Named & { readonly step: "rounds"; readonly rounds: Rounds })
  | (Finished & { readonly step: "status"; readonly tries: number })
  | (Finished & { readonly step: "truncate"; readonly left: readonly ControllerRevision[] });

type SyncPlan = Plan<SyncData>;

const withEvents = (events: readonly EventToRecord[], plan: SyncPlan): SyncPlan => (events.length === 0 ? plan : { ...plan, events: [...events, ...(plan.events ?? [])] });

/** Revisions that are the set's, or could become. */
function listRevisions(set: StatefulSet, view: View): { readonly owned: readonly ControllerRevision[]; readonly orphans: readonly ControllerRevision[] } {
  const selector = labelSelectorAsSelector(set.spec.selector);
  const of = (value: string): readonly ControllerRevision[] => view.byIndex<ControllerRevision>("revisionsByOwner", value).filter(({ metadata }) => typeof selector !== "string" && matches(selector, metadata.labels));
  return { owned: of(set.metadata.uid ?? ""), orphans: of(`orphan/${set.metadata.namespace ?? ""}`) };
}

/** One sync of a StatefulSet: revisions and Pods without an owner are adopted, then one step is made, then the status is written. */
export function syncStatefulSet(key: string, view: View): SyncPlan {
  const set = view.get<StatefulSet>("statefulsets", key);
  const selector = set && labelSelectorAsSelector(set.spec.selector);
  if (set === undefined || selector === undefined || typeof selector === "string") return {};
  const { orphans } = listRevisions(set, view);
  return adopt(startClaim(set, selector, [], orphans), view);
}

/** adoptOrphanRevisions. */
function adopt(claiming: Claiming, view: View): SyncPlan {
  const call = nextClaim(claiming);
  if (call !== undefined) return { batches: [[call]], next: { step: "adopt", claiming } };
  const error = aggregate(claiming.errors);
  if (error !== undefined) return { error };
  const set = claiming.owner as StatefulSet;
  const selector = labelSelectorAsSelector(set.spec.selector);
  const owned = view.byIndex<Pod>("podsByOwner", set.metadata.uid ?? "");
  const orphans = view.byIndex<Pod>("podsByOwner", `orphan/${set.metadata.namespace ?? ""}`);
  return claim(startClaim(set, typeof selector === "string" ? [] : selector, owned, orphans, undefined, (pod) => isMemberOf(set, pod as Pod)), view);
}

function claim(claiming: Claiming, view: View): SyncPlan {
  const call = nextClaim(claiming);
  if (call !== undefined) return { batches: [[call]], next: { step: "claim", claiming } };
  const error = aggregate(claiming.errors);
  if (error !== undefined) return { error };
  const set = claiming.owner as StatefulSet;
  const { owned, orphans } = listRevisions(set, view);
  const work: Work = { set, pods: claiming.claimed as readonly Pod[], revisions: sortRevisions([...owned, ...orphans]), now: view.now };
  return updateRevision(work, set.status?.collisionCount ?? 0, view);
}

/** getStatefulSetRevisions: an equal revision is used, and made the newest if it is not; else one is created. */
function updateRevision(work: Work, collisions: number, view: View): SyncPlan {
  const { set, revisions } = work;
  const last = revisions.at(-1);
  const found = revisions.findLast((revision) => isOfTemplate(set, revision));
  if (found !== undefined && last !== undefined && dataText(found.data) === dataText(last.data)) return withRevision(work, last, collisions, view);
  const next = (last?.revision ?? 0) + 1;
  if (found !== undefined) return renumber({ ...work, step: "renumber", found: { ...found, revision: next }, tries: 0 });
  const make = newRevision(set, HISTORY_LABEL, hashOfData(patchOf(set), collisions), next);
  return { batches: [[createRevisionCall(make)]], next: { ...work, step: "revision", make, collisions } };
}

function renumber(data: SyncData & { readonly step: "renumber" }): SyncPlan {
  return { batches: [[updateRevisionCall(data.found)]], next: data };
}

function renumbered(data: SyncData & { readonly step: "renumber" }, answer: Answer, view: View): SyncPlan {
  const { found, tries } = data;
  if (isSuccess(answer)) return withRevision(data, found, data.set.status?.collisionCount ?? 0, view);
  const wait = answer.status === 409 ? pauseBefore(DEFAULT_BACKOFF, tries, found.metadata.uid ?? "", view) : undefined;
  if (wait === undefined) return truncate({ ...data, names: { current: "", update: "", collisions: 0 }, error: messageOf(answer) });
  const fresh = view.get<ControllerRevision>("controllerrevisions", `${found.metadata.namespace ?? ""}/${found.metadata.name ?? ""}`);
  const next = { ...data, found: { ...(fresh ?? found), revision: found.revision ?? 0 }, tries: tries + 1 };
  return { ...renumber(next), wait };
}

/** CreateControllerRevision: a name that is taken by another template changes with the count of collisions. */
function revisionAnswered(data: SyncData & { readonly step: "revision" | "exists" }, answer: Answer, view: View): SyncPlan {
  const { set, make, collisions } = data;
  const body = bodyOf(answer) as ControllerRevision | undefined;
  if (data.step === "revision" && body !== undefined) return withRevision(data, body, collisions, view);
  if (data.step === "revision" && answer.status === 409) return { batches: [[getRevisionCall(make)]], next: { ...data, step: "exists" } };
  if (body === undefined) return truncate({ ...data, names: { current: "", update: "", collisions }, error: messageOf(answer) });
  if (dataText(body.data) === dataText(make.data)) return withRevision(data, body, collisions, view);
  const again = newRevision(set, HISTORY_LABEL, hashOfData(make.data, collisions + 1), make.revision ?? 0);
  // Only the name changes: the label keeps the first hash.
  const next = { ...make, metadata: { ...make.metadata, name: again.metadata.name ?? "" } };
  return { batches: [[createRevisionCall(next)]], next: { ...data, step: "revision", make: next, collisions: collisions + 1 } };
}

function withRevision({ set, pods, revisions, now }: Work, update: ControllerRevision, collisions: number, view: View): SyncPlan {
  const current = revisions.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
  const names: Revisions = { current: current.metadata.name ?? "", update: update.metadata.name ?? "", collisions };
  const work: Named = { set, pods, revisions, now, names };
  if (set.metadata.deletionTimestamp !== undefined) return writeStatus({ ...work, status: completed(set, statusOf(set, pods, names, now)) });
  const template = (current.data as { readonly spec?: { readonly template?: PodTemplateSpec } } | undefined)?.spec?.template ?? set.spec.template;
  const { $patch: _, ...plain } = template as PodTemplateSpec & { readonly $patch?: string };
  return rounds(work, startRounds(set, pods, { current: names.current, update: names.update, template: plain }, view), [], view);
}

function rounds(work: Named, start: Rounds, told: readonly EventToRecord[], view: View): SyncPlan {
  const step = advance(start, view);
  const events = [...told, ...step.events];
  if (step.calls.length > 0) return withEvents(events, { batches: [step.calls], ...(step.wait === undefined ? {} : { wait: step.wait }), notes: step.notes, next: { ...work, step: "rounds", rounds: step.rounds } });
  const { replicas, condemned, replaced, error } = step.rounds;
  const status = statusOf(work.set, [...replicas, ...condemned], work.names, work.now);
  const counted = { ...status, currentReplicas: (status.currentReplicas ?? 0) - replaced };
  return withEvents(events, writeStatus({ ...work, status: completed(work.set, counted), ...(error === undefined ? {} : { error }) }));
}

function statusCall(set: StatefulSet, status: StatefulSetStatus): ApiCall {
  return { method: "PUT", path: `${objectPath(set)}/status`, body: { ...set, status: serialized(status) }, subject: subjectOf(set) };
}

/** updateStatefulSetStatus: only what has changed is written. */
function writeStatus(work: Finished): SyncPlan {
  const { set, status } = work;
  if (status === undefined || !isInconsistent(set, status)) return truncate(work);
  const note: Note = { text: `statefulset-controller writes status of ${set.metadata.name ?? ""}: ${status.readyReplicas ?? 0}/${set.spec.replicas ?? 1} ready`, why: "counts of its Pods or its revisions changed", subject: subjectOf(set) };
  return { batches: [[statusCall(set, status)]], notes: [note], next: { ...work, step: "status", tries: 0 } };
}

/** A conflict is tried again with the set as the cache has it by then. */
function statusAnswered(data: SyncData & { readonly step: "status" }, answer: Answer, view: View): SyncPlan {
  const { set, status, tries } = data;
  if (isSuccess(answer) || status === undefined) return truncate(data);
  const wait = answer.status === 409 ? pauseBefore(DEFAULT_RETRY, tries, set.metadata.uid ?? "", view) : undefined;
  if (wait === undefined) return truncate({ ...data, error: data.error ?? messageOf(answer) });
  const fresh = view.get<StatefulSet>("statefulsets", `${set.metadata.namespace ?? ""}/${set.metadata.name ?? ""}`) ?? set;
  return { batches: [[statusCall(fresh, status)]], wait, next: { ...data, tries: tries + 1 } };
}

/** truncateHistory: revisions beyond the limit that no Pod uses go, oldest first. */
function truncate(work: Finished): SyncPlan {
  const { set, pods, revisions, names } = work;
  const live = new Set([names.current, names.update, ...pods.map(revisionOf)]);
  const history = revisions.filter(({ metadata }) => !live.has(metadata.name ?? ""));
  const limit = set.spec.revisionHistoryLimit ?? 10;
  return deleteNext(work, limit < 0 ? [] : history.slice(0, Math.max(0, history.length - limit)));
}

function deleteNext(work: Finished, [first, ...left]: readonly ControllerRevision[]): SyncPlan {
  return first === undefined ? end(work) : { batches: [[deleteRevisionCall(first)]], next: { ...work, step: "truncate", left } };
}

function end({ set, pods, now, status, error }: Finished): SyncPlan {
  if (error !== undefined) return { error };
  const seconds = set.spec.minReadySeconds ?? 0;
  if (seconds === 0 || status === undefined || (status.readyReplicas ?? 0) === (status.availableReplicas ?? 0)) return {};
  // FindMinNextPodAvailabilityCheck: the first of the ready Pods that becomes available by time alone.
  const waits = pods.filter(isPodReady).flatMap((pod) => {
    const since = readySince(pod);
    return since === undefined || since + seconds * SECOND <= now ? [] : [since + seconds * SECOND - now];
  });
  return { enqueue: [{ key: `${set.metadata.namespace ?? ""}/${set.metadata.name ?? ""}`, after: waits.length === 0 ? seconds * SECOND : Math.min(...waits) }] };
}

/** Goes on with a sync when its last requests are answered. */
export function resumeStatefulSet(_key: string, data: SyncData, answers: readonly Answer[], view: View): SyncPlan {
  const answer = answers[0] ?? { status: 0, sent: false };
  switch (data.step) {
    case "adopt":
      return adopt(claimAnswered(data.claiming, answer), view);
    case "claim":
      return claim(claimAnswered(data.claiming, answer), view);
    case "revision":
    case "exists":
      return revisionAnswered(data, answer, view);
    case "renumber":
      return renumbered(data, answer, view);
    case "rounds": {
      const { rounds: next, events } = roundsAnswered(data.rounds, answers, view);
      return rounds(data, next, events, view);
    }
    case "status":
      return statusAnswered(data, answer, view);
    case "truncate":
      return isSuccess(answer) ? deleteNext(data, data.left) : end({ ...data, error: aggregate([...(data.error === undefined ? [] : [data.error]), messageOf(answer)]) ?? "" });
  }
}
