// Models kubernetes/pkg/controller/cronjob/cronjob_controllerv2.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { EPOCH_SECONDS, rfc3339 } from "../../api/time.ts";
import type { Condition, KubeObject, ObjectMeta, ObjectReference } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import { byController, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { ownerReferenceTo, controllerOf } from "../pods.ts";
import { collectionPath, objectPath, subjectOf } from "../resources.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";
import { loadZone, offsetAt } from "./time-zones.ts";
import { jobName, mostRecentScheduleTime, untilNextTick } from "./utils.ts";

const ID = "cronjob-controller";
const RESOURCES = ["cronjobs", "jobs"] as const;

interface CronJob extends KubeObject {
  readonly spec: {
    readonly schedule: string;
    readonly timeZone?: string;
    readonly startingDeadlineSeconds?: number;
    readonly concurrencyPolicy?: string;
    readonly suspend?: boolean;
    readonly jobTemplate: { readonly metadata?: ObjectMeta; readonly spec: unknown };
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
  };
  readonly status?: { readonly active?: readonly ObjectReference[]; readonly lastScheduleTime?: string; readonly lastSuccessfulTime?: string };
}

type ChildJob = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[]; readonly completionTime?: string } };
type CronStatus = NonNullable<CronJob["status"]>;
interface SyncData {
  readonly step: "create" | "status";
  readonly cronJob: CronJob;
  readonly status: CronStatus;
  readonly scheduled?: Micros;
  readonly deleted: readonly string[];
  /** Told after the deletions. */
  readonly told: readonly EventToRecord[];
  readonly wake: Micros;
}

const endOf = (job: ChildJob): string | undefined => job.status?.conditions?.find((entry) => (entry.type === "Complete" || entry.type === "Failed") && entry.status === "True")?.type;
const nameOf = (object: KubeObject): string => object.metadata.name ?? "";

const DAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Go's RFC1123Z: "Thu, 01 Jan 2026 00:01:00 +0000". */
function rfc1123z(at: Micros): string {
  const text = rfc3339(at);
  const days = Math.floor((Math.floor(at / 1_000_000) + EPOCH_SECONDS) / 86_400);
  return `${DAYS[((days % 7) + 7) % 7] ?? ""}, ${text.slice(8, 10)} ${MONTHS[Number(text.slice(5, 7)) - 1] ?? ""} ${text.slice(0, 4)} ${text.slice(11, 19)} +0000`;
}

/** Job references that are still active, the time of the last success, and what is to be told about ended ones. */
function bookkeeping(cronJob: CronJob, jobs: readonly ChildJob[], surplus: readonly ChildJob[]): { readonly status: CronStatus; readonly events: readonly EventToRecord[] } {
  const events: EventToRecord[] = [];
  let lastSuccessfulTime = cronJob.status?.lastSuccessfulTime;
  for (const job of jobs) {
    if (endOf(job) !== undefined || surplus.includes(job) || (cronJob.status?.active ?? []).some((reference) => reference.uid === job.metadata.uid)) continue;
    events.push({ object: cronJob, type: "Warning", reason: "UnexpectedJob", message: `Saw a job that the controller did not create or forgot: ${nameOf(job)}` });
  }
  for (const { status } of jobs.filter((entry) => endOf(entry) === "Complete")) {
    if (status?.completionTime !== undefined && (lastSuccessfulTime === undefined || status.completionTime > lastSuccessfulTime)) lastSuccessfulTime = status.completionTime;
  }
  const active = (cronJob.status?.active ?? []).filter((reference) => {
    // What is cleaned up leaves the list without a word.
    if (surplus.some((entry) => entry.metadata.uid === reference.uid)) return false;
    const job = jobs.find((entry) => entry.metadata.uid === reference.uid);
    if (!job) {
      events.push({ object: cronJob, type: "Normal", reason: "MissingJob", message: `Active job went missing: ${reference.name ?? ""}` });
      return false;
    }
    const end = endOf(job);
    if (end === undefined) return true;
    events.push({ object: cronJob, type: "Normal", reason: "SawCompletedJob", message: `Saw completed job: ${nameOf(job)}, condition: ${end}` });
    return false;
  });
  const { active: _, ...rest } = cronJob.status ?? {};
  return { status: { ...rest, ...(active.length > 0 ? { active } : {}), ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }) }, events };
}

/** Ended Jobs beyond the history limits, oldest first. */
function surplusJobs(cronJob: CronJob, jobs: readonly ChildJob[]): readonly ChildJob[] {
  const beyond = (type: string, limit: number): readonly ChildJob[] => {
    const ended = jobs.filter((job) => endOf(job) === type).sort((a, b) => ((a.metadata.creationTimestamp ?? "") < (b.metadata.creationTimestamp ?? "") ? -1 : 1));
    return ended.slice(0, Math.max(0, ended.length - limit));
  };
  return [...beyond("Complete", cronJob.spec.successfulJobsHistoryLimit ?? 3), ...beyond("Failed", cronJob.spec.failedJobsHistoryLimit ?? 1)];
}

const deleteJob = (job: KubeObject): ApiCall => ({ method: "DELETE", path: objectPath(job), body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" }, subject: subjectOf(job) });

/** By CronJob: the last start that was said to be given up, so that it is said once. */
type Told = Readonly<Record<string, Micros>>;

/** A start that the deadline has made impossible. Upstream passes over it in silence; a reader wants to know. */
function givenUp(cronJob: CronJob, schedule: Schedule, view: View<Told>): { readonly notes: readonly Note[]; readonly memory?: Told } {
  const deadline = cronJob.spec.startingDeadlineSeconds;
  const uid = cronJob.metadata.uid ?? "";
  if (deadline === undefined || cronJob.spec.suspend) return { notes: [] };
  const { mostRecent } = mostRecentScheduleTime(cronJob, view.now, schedule, false);
  if (mostRecent === undefined || mostRecent + deadline * 1_000_000 >= view.now || view.memory[uid] === mostRecent) return { notes: [] };
  const note: Note = { text: `cronjob-controller gives up the start of ${timeOfDay(cronJob, mostRecent)} of ${nameOf(cronJob)}`, why: `it is more than ${deadline} s late (startingDeadlineSeconds); no event tells of it`, level: "basic", subject: subjectOf(cronJob) };
  return { notes: [note], memory: { ...view.memory, [uid]: mostRecent } };
}

/** "21:30", by the CronJob's clock. */
const timeOfDay = (cronJob: CronJob, at: Micros): string => localTime(cronJob.spec.timeZone ?? "", at).slice(11, 16);

const heldBack = (cronJob: CronJob, at: Micros): Note => ({ text: `cronjob-controller does not start the Job of ${timeOfDay(cronJob, at)}: the one before still runs`, why: "concurrencyPolicy Forbid: never two at once", level: "basic", subject: subjectOf(cronJob) });

function sync(key: string, view: View<Told>): Plan<SyncData, Told> {
  const cronJob = view.get<CronJob>("cronjobs", key);
  if (!cronJob || cronJob.metadata.deletionTimestamp !== undefined) return {};
  const jobs = view.byIndex<ChildJob>("jobsByOwner", cronJob.metadata.uid ?? "");
  const surplus = surplusJobs(cronJob, jobs);
  const { status, events } = bookkeeping(cronJob, jobs, surplus);
  const { timeZone = "" } = cronJob.spec;
  const zone = loadZone(timeZone);
  const schedule = zone && parseSchedule(cronJob.spec.schedule, zone);
  if (!schedule) {
    const wrong: EventToRecord = zone
      ? { object: cronJob, type: "Warning", reason: "UnparseableSchedule", message: `unparseable schedule: "${cronJob.spec.schedule}"` }
      : { object: cronJob, type: "Warning", reason: "UnknownTimeZone", message: `invalid timeZone: "${timeZone}": unknown time zone ${timeZone}` };
    return { events: [...events, wrong] };
  }
  // A Job that is started now counts as the last one when the next wake-up is reckoned.
  const wake = untilNextTick({ ...cronJob, status }, view.now, schedule);
  const due = cronJob.spec.suspend ? undefined : dueTick(cronJob, status, schedule, view.now);
  const base: SyncData = { step: "status", cronJob, status, deleted: surplus.map(nameOf), told: [...events, ...(due?.events ?? [])], wake };
  const late = givenUp(cronJob, schedule, view);
  const replaced = due?.start && cronJob.spec.concurrencyPolicy === "Replace" ? jobs.filter((job) => endOf(job) === undefined) : [];
  const removals = [...surplus, ...replaced].map(deleteJob);
  if (!due?.start || due.scheduled === undefined) return { ...finishPlan(base, removals), ...late, notes: [...late.notes, ...(due?.scheduled === undefined ? [] : [heldBack(cronJob, due.scheduled)])] };
  const job = makeJob(cronJob, due.scheduled);
  const note: Note = { text: `cronjob-controller creates Job ${nameOf(job)}`, why: `the schedule "${cronJob.spec.schedule}" was due at ${localTime(timeZone, due.scheduled)}`, level: "basic", subject: subjectOf(cronJob) };
  const kept = replaced.length > 0 ? { ...status, active: [] } : status;
  const next: SyncData = { ...base, step: "create", status: kept, scheduled: due.scheduled, deleted: [...base.deleted, ...replaced.map(nameOf)] };
  return { notes: [note], batches: [...removals.map((call) => [call]), [{ method: "POST", path: collectionPath("Job", cronJob.metadata.namespace), body: job, subject: `job/${cronJob.metadata.namespace ?? ""}/${nameOf(job)}` }]], next };
}

/** Whether a Job must start for the most recent tick, and what is to be told. */
function dueTick(cronJob: CronJob, status: CronStatus, schedule: Schedule, now: Micros): { readonly start: boolean; readonly scheduled?: Micros; readonly events: readonly EventToRecord[] } {
  const recent = mostRecentScheduleTime(cronJob, now, schedule, true);
  const events: EventToRecord[] = [];
  if (recent.missed === "many") events.push({ object: cronJob, type: "Warning", reason: "TooManyMissedTimes", message: "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew" });
  const scheduled = recent.mostRecent;
  if (scheduled === undefined || cronJob.status?.lastScheduleTime === rfc3339(scheduled)) return { start: false, events };
  const deadline = cronJob.spec.startingDeadlineSeconds;
  if (deadline !== undefined && scheduled + deadline * 1_000_000 < now) {
    events.push({ object: cronJob, type: "Warning", reason: "MissSchedule", message: `Missed scheduled time to start a job: ${rfc1123z(scheduled)}` });
    return { start: false, events };
  }
  if (cronJob.spec.concurrencyPolicy === "Forbid" && (status.active ?? []).length > 0) {
    events.push({ object: cronJob, type: "Normal", reason: "JobAlreadyActive", message: "Not starting job because prior execution is running and concurrency policy is Forbid" });
    return { start: false, scheduled, events };
  }
  return { start: true, scheduled, events };
}

/** RFC 3339 by the zone's clock: "2026-01-01T01:00:00+01:00". */
function localTime(timeZone: string, at: Micros): string {
  const zone = loadZone(timeZone);
  const offset = zone === undefined ? 0 : offsetAt(zone, Math.floor(at / 1_000_000) + EPOCH_SECONDS);
  if (offset === 0) return rfc3339(at);
  const minutes = Math.abs(offset) / 60;
  const two = (n: number): string => String(Math.floor(n)).padStart(2, "0");
  return `${rfc3339(at + offset * 1_000_000).slice(0, -1)}${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

function makeJob(cronJob: CronJob, scheduled: Micros): KubeObject {
  const { labels, annotations } = cronJob.spec.jobTemplate.metadata ?? {};
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: jobName(nameOf(cronJob), Math.floor(scheduled / 1_000_000) + EPOCH_SECONDS),
      namespace: cronJob.metadata.namespace ?? "",
      ...(labels === undefined ? {} : { labels }),
      annotations: { ...annotations, "batch.kubernetes.io/cronjob-scheduled-timestamp": localTime(cronJob.spec.timeZone ?? "", scheduled) },
      ownerReferences: [ownerReferenceTo(cronJob)],
    },
    spec: cronJob.spec.jobTemplate.spec,
  };
}

const sameStatus = (a: CronStatus | undefined, b: CronStatus): boolean => (a?.active ?? []).length === (b.active ?? []).length && a?.lastScheduleTime === b.lastScheduleTime && a?.lastSuccessfulTime === b.lastSuccessfulTime;

function finishPlan(data: SyncData, removals: readonly ApiCall[]): Plan<SyncData, Told> {
  const { cronJob, status, told } = data;
  const write: ApiCall[] = sameStatus(cronJob.status, status) ? [] : [{ method: "PUT", path: `${objectPath(cronJob)}/status`, body: { ...cronJob, status }, subject: subjectOf(cronJob) }];
  const enqueue = cronJob.spec.suspend ? [] : [{ key: objectKey(cronJob), after: data.wake }];
  if (removals.length + write.length === 0) return { events: told, enqueue };
  return { enqueue, batches: [...removals.map((call) => [call]), write], next: { ...data, step: "status" } };
}

function resume(_key: string, data: SyncData, answers: readonly Answer[], view: View<Told>): Plan<SyncData, Told> {
  const { cronJob } = data;
  const events: EventToRecord[] = data.deleted.flatMap((name, i): EventToRecord[] => (answers[i] && isSuccess(answers[i]) ? [{ object: cronJob, type: "Normal", reason: "SuccessfulDelete", message: `Deleted job ${name}` }] : []));
  events.push(...data.told);
  const failed = answers.find((answer) => answer.sent && !isSuccess(answer) && answer.status !== 404);
  if (data.step === "status") return failed ? { error: messageOf(failed), events } : { events };
  const made = answers.at(-1);
  const job = made && isSuccess(made) ? (made.body as KubeObject) : undefined;
  if (!job || data.scheduled === undefined) return failed ? { events: [...events, { object: cronJob, type: "Warning", reason: "FailedCreate", message: `Error creating job: ${messageOf(failed)}` }], error: messageOf(failed) } : { events };
  events.push({ object: cronJob, type: "Normal", reason: "SuccessfulCreate", message: `Created job ${nameOf(job)}` });
  const reference: ObjectReference = { kind: "Job", namespace: job.metadata.namespace ?? "", name: nameOf(job), uid: job.metadata.uid ?? "", apiVersion: "batch/v1", resourceVersion: job.metadata.resourceVersion ?? "" };
  const status: CronStatus = { ...data.status, active: [...(data.status.active ?? []), reference], lastScheduleTime: rfc3339(data.scheduled) };
  const latest = view.get<CronJob>("cronjobs", objectKey(cronJob)) ?? cronJob;
  const plan = finishPlan({ ...data, cronJob: latest, status, deleted: [], told: [] }, []);
  return { ...plan, events };
}

/** Starts Jobs by a schedule. */
export const createCronJobController = (config: ControllerConfig): Component<ControllerState<SyncData, Told>> =>
  createController<SyncData, Told>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      indexers: { jobsByOwner: byController("jobs") },
      workers: 5,
      latency: "controller.sync",
      memory: {},
      handle(change, resource) {
        if (resource === "cronjobs") return change.type === "update" && change.old.spec === change.object.spec ? {} : { keys: [{ key: objectKey(change.object) }] };
        const owner = controllerOf(change.object);
        return owner?.kind === "CronJob" ? { keys: [{ key: `${change.object.metadata.namespace ?? ""}/${owner.name}` }] } : {};
      },
      sync,
      resume,
    },
    config,
  );

export const cronJobWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
