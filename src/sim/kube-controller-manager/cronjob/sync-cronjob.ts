// Models kubernetes/pkg/controller/cronjob/cronjob_controllerv2.go (sync, cleanupFinishedJobs, syncCronJob) as steps between the API server's answers
import { objectKey } from "../../api/http.ts";
import { rfc3339 } from "../../api/time.ts";
import type { ObjectReference } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Level, Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, bodyOf, isSuccess, messageOf, type Plan } from "../controller.ts";
import { isNamespaceTerminating } from "../pod-control.ts";
import { controllerOf } from "../pods.ts";
import { collectionPath, objectPath, pathOf, subjectOf } from "../resources.ts";
import { dueAt, scheduleOf } from "./due.ts";
import { activeOf, byStartTime, type ChildJob, type CronJob, endOf, nameOf, withoutActive } from "./types.ts";
import type { Schedule } from "./schedule.ts";
import { jobFromTemplate, jobNameAt, localTime, mostRecentScheduleTime, rfc1123, untilNextTick } from "./utils.ts";

/** What the next answer will be about. */
type Asked =
  | { readonly step: "cleanup" | "replace"; readonly job: ChildJob }
  | { readonly step: "child"; readonly job: ChildJob }
  | { readonly step: "missing" | "active"; readonly reference: ObjectReference }
  | { readonly step: "create" | "exists" | "status" };

/** Where a sync stands between two answers. Plain data. */
export interface CronWork {
  readonly asked: Asked;
  /** As its status shall be. */
  readonly cronJob: CronJob;
  /** The cache was older than the server: what is found out on the fresh object is not what will be written. */
  readonly written?: CronJob;
  readonly dirty: boolean;
  readonly jobs: readonly ChildJob[];
  readonly cleanup: readonly ChildJob[];
  readonly children: readonly ChildJob[];
  readonly references: readonly ObjectReference[];
  readonly now: Micros;
  readonly scheduled: Micros;
  readonly givenUp: GivenUp;
  /** What follows a written status: another look, or an error that came before it. */
  readonly wake?: Micros;
  readonly error?: string;
}

/** By uid: the last tick that was said to be too late, so that it is said once. */
export type GivenUp = Readonly<Record<string, Micros>>;
export type CronPlan = Plan<CronWork, GivenUp>;

const event = (cronJob: CronJob, type: "Normal" | "Warning", reason: string, message: string): EventToRecord => ({ object: cronJob, type, reason, message });
const told = (events: readonly EventToRecord[], plan: CronPlan): CronPlan => (events.length === 0 ? plan : { ...plan, events: [...events, ...(plan.events ?? [])] });
const ask = (work: CronWork, asked: Asked, call: ApiCall): CronPlan => ({ batches: [[call]], next: { ...work, asked } });

const deleteCall = (job: ChildJob): ApiCall => ({ method: "DELETE", path: objectPath(job), body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" }, subject: subjectOf(job) });
const getJobCall = (namespace: string | undefined, name: string): ApiCall => ({ method: "GET", path: pathOf("Job", namespace, name), subject: `job/${namespace ?? ""}/${name}` });

/** Ended Jobs beyond the history limits, oldest first, successful ones before failed ones. */
function surplus({ spec }: CronJob, jobs: readonly ChildJob[]): readonly ChildJob[] {
  const beyond = (type: string, limit: number | undefined): readonly ChildJob[] => {
    const ended = jobs.filter((job) => endOf(job) === type).sort(byStartTime);
    return limit === undefined ? [] : ended.slice(0, Math.max(0, ended.length - limit));
  };
  return [...beyond("Complete", spec.successfulJobsHistoryLimit), ...beyond("Failed", spec.failedJobsHistoryLimit)];
}

/** One sync of a CronJob; its Jobs are all that name it as their controller. */
export function syncCronJob(key: string, view: View<GivenUp>): CronPlan {
  const cronJob = view.get<CronJob>("cronjobs", key);
  if (!cronJob) return {};
  const jobs = view.byIndex<ChildJob>("jobsByOwnerName", key);
  return cleanUp({ asked: { step: "status" }, cronJob, dirty: false, jobs, cleanup: surplus(cronJob, jobs), children: jobs, references: [], now: view.now, scheduled: 0, givenUp: view.memory }, view);
}

function cleanUp(work: CronWork, view: View<GivenUp>): CronPlan {
  const [job, ...cleanup] = work.cleanup;
  return job ? ask({ ...work, cleanup }, { step: "cleanup", job }, deleteCall(job)) : lookAtChildren({ ...work, now: view.now });
}

/** deleteJob: the Job, and its place among the active ones. */
function deleted(work: CronWork, job: ChildJob, answer: Answer): { readonly work: CronWork; readonly events: readonly EventToRecord[] } {
  const { cronJob } = work;
  if (!isSuccess(answer)) return { work, events: [event(cronJob, "Warning", "FailedDelete", `Deleted job: ${messageOf(answer)}`)] };
  return { work: { ...work, cronJob: withoutActive(cronJob, job.metadata.uid), dirty: true }, events: [event(cronJob, "Normal", "SuccessfulDelete", `Deleted job ${nameOf(job)}`)] };
}

/** What has ended leaves the active ones; what runs and is not among them may be in a status that the cache does not have yet. */
function lookAtChildren(start: CronWork): CronPlan {
  const events: EventToRecord[] = [];
  let work = start;
  for (let [job, ...children] = work.children; job; [job, ...children] = work.children) {
    work = { ...work, children };
    const found = activeOf(work.cronJob).some((reference) => reference.uid === job?.metadata.uid);
    const end = endOf(job);
    if (end === undefined && !found) return told(events, ask(work, { step: "child", job }, { method: "GET", path: objectPath(work.cronJob), subject: subjectOf(work.cronJob) }));
    if (end === undefined) continue;
    if (found) {
      work = { ...work, cronJob: withoutActive(work.cronJob, job.metadata.uid), dirty: true };
      events.push(event(work.cronJob, "Normal", "SawCompletedJob", `Saw completed job: ${nameOf(job)}, condition: ${end}`));
    }
    const last = work.cronJob.status?.lastSuccessfulTime;
    const time = job.status?.completionTime;
    if (end === "Complete" && time !== undefined && (last === undefined || time > last)) work = { ...work, cronJob: { ...work.cronJob, status: { ...work.cronJob.status, lastSuccessfulTime: time } }, dirty: true };
  }
  const known = new Set(work.jobs.map((job) => job.metadata.uid));
  return told(events, lookForMissing({ ...work, references: activeOf(work.cronJob).filter((reference) => !known.has(reference.uid)) }));
}

/** Active Jobs that the cache does not have: the server is asked before they are given up. */
function lookForMissing(work: CronWork): CronPlan {
  const [reference, ...references] = work.references;
  if (reference) return ask({ ...work, references }, { step: "missing", reference }, getJobCall(reference.namespace, reference.name ?? ""));
  return decide(work);
}

/** Whether a Job must start for the most recent tick. */
function decide(work: CronWork): CronPlan {
  const { cronJob, now } = work;
  if (cronJob.metadata.deletionTimestamp !== undefined) return finish(work);
  const { schedule, events } = scheduleOf(cronJob);
  if (schedule === undefined) return told(events, finish(work));
  const again = (cron: CronJob): Micros => untilNextTick(cron, now, schedule);
  const { scheduled, events: more } = dueAt(cronJob, schedule, now);
  const all = [...events, ...more];
  if (scheduled === "never") return told(all, finish(work));
  if (scheduled === undefined) return told(all, waiting(work, schedule, again(cronJob)));
  const { startingDeadlineSeconds: deadline, concurrencyPolicy } = cronJob.spec;
  if (deadline !== undefined && scheduled + deadline * 1_000_000 < now) return told([...all, event(cronJob, "Warning", "MissSchedule", `Missed scheduled time to start a job: ${rfc1123(scheduled)}`)], finish(work, again(cronJob)));
  const name = jobNameAt(cronJob, scheduled);
  if (activeOf(cronJob).some((reference) => reference.name === name) || cronJob.status?.lastScheduleTime === rfc3339(scheduled)) return told(all, finish(work, again(cronJob)));
  if (concurrencyPolicy === "Forbid" && activeOf(cronJob).length > 0) return told([...all, event(cronJob, "Normal", "JobAlreadyActive", "Not starting job because prior execution is running and concurrency policy is Forbid")], noted(`cronjob-controller does not start the Job of ${timeOfDay(cronJob, scheduled)}: the one before still runs`, `concurrencyPolicy is Forbid and ${activeOf(cronJob)[0]?.name ?? ""} still runs: it starts when that ends, if its tick is then still the last one, and not too late`, cronJob, finish(work, again(cronJob))));
  const next: CronWork = { ...work, scheduled, references: concurrencyPolicy === "Replace" ? activeOf(cronJob) : [] };
  return told(all, replace(next));
}

/** No tick is due. One that would be but for the deadline is lost; upstream passes over it in silence, a reader wants to know. */
function waiting(work: CronWork, schedule: Schedule, again: Micros): CronPlan {
  const { cronJob, now, givenUp } = work;
  const plan = finish(work, again);
  const { startingDeadlineSeconds: deadline } = cronJob.spec;
  const uid = cronJob.metadata.uid ?? "";
  const lost = deadline === undefined ? undefined : mostRecentScheduleTime(cronJob, now, schedule, false).mostRecent;
  if (lost === undefined || givenUp[uid] === lost) return noted(`cronjob-controller looks at CronJob ${nameOf(cronJob)} again in ${Math.round(again / 1_000_000)} s`, `no tick of "${cronJob.spec.schedule}" is due; 100 ms are added for clocks that differ`, cronJob, plan, "operator");
  const text = `cronjob-controller gives up the start of ${timeOfDay(cronJob, lost)} of CronJob ${nameOf(cronJob)}`;
  return { ...noted(text, `it is more than ${deadline ?? 0} s late (startingDeadlineSeconds); no Event tells of it`, cronJob, plan), memory: { ...givenUp, [uid]: lost } };
}

/** "21:30", by the CronJob's clock. */
const timeOfDay = (cronJob: CronJob, at: Micros): string => localTime(cronJob.spec.timeZone ?? "", at).slice(11, 16);

const noted = (text: string, why: string, cronJob: CronJob, plan: CronPlan, level: Level = "basic"): CronPlan => ({ ...plan, notes: [{ text, why, level, subject: subjectOf(cronJob) }, ...(plan.notes ?? [])] });

function replace(work: CronWork): CronPlan {
  const [reference, ...references] = work.references;
  if (reference) return ask({ ...work, references }, { step: "active", reference }, getJobCall(reference.namespace, reference.name ?? ""));
  const { cronJob, scheduled } = work;
  const job = jobFromTemplate(cronJob, scheduled);
  const note: Note = { text: `cronjob-controller creates Job ${nameOf(job)}`, why: `the schedule "${cronJob.spec.schedule}" was due at ${localTime(cronJob.spec.timeZone ?? "", scheduled)}`, level: "basic", subject: subjectOf(cronJob) };
  return { ...ask(work, { step: "create" }, { method: "POST", path: collectionPath("Job", cronJob.metadata.namespace), body: job, subject: subjectOf(job) }), notes: [note] };
}

/** The Job that was started counts as active, and its tick as done. */
function started(work: CronWork, job: ChildJob): CronPlan {
  const { cronJob, scheduled, now } = work;
  const reference: ObjectReference = { kind: "Job", namespace: job.metadata.namespace ?? "", name: nameOf(job), uid: job.metadata.uid ?? "", apiVersion: "batch/v1", resourceVersion: job.metadata.resourceVersion ?? "" };
  const next: CronJob = { ...cronJob, status: { ...cronJob.status, active: [...activeOf(cronJob), reference], lastScheduleTime: rfc3339(scheduled) } };
  const { schedule } = scheduleOf(next);
  return finish({ ...work, cronJob: next, dirty: true }, schedule && untilNextTick(next, now, schedule));
}

/** Writes the status if it changed; then the key waits for its next tick, or comes back after an error. */
function finish(work: CronWork, wake?: Micros, error?: string): CronPlan {
  const cronJob = work.written ?? work.cronJob;
  const end = { ...(wake === undefined ? {} : { wake }), ...(error === undefined ? {} : { error }) };
  if (!work.dirty) return ended(cronJob, end);
  return ask({ ...work, ...end }, { step: "status" }, { method: "PUT", path: `${objectPath(cronJob)}/status`, body: cronJob, subject: subjectOf(cronJob) });
}

const ended = (cronJob: CronJob, { wake, error }: Pick<CronWork, "wake" | "error">): CronPlan => ({ ...(wake === undefined ? {} : { enqueue: [{ key: objectKey(cronJob), after: wake }] }), ...(error === undefined ? {} : { error }) });

function onCreated(work: CronWork, answer: Answer): CronPlan {
  const { cronJob, scheduled } = work;
  const job = bodyOf(answer) as ChildJob | undefined;
  if (job) return told([event(cronJob, "Normal", "SuccessfulCreate", `Created job ${nameOf(job)}`)], started(work, job));
  if (isNamespaceTerminating(answer)) return finish(work, undefined, messageOf(answer));
  if (answer.status === 409) return ask(work, { step: "exists" }, getJobCall(cronJob.metadata.namespace, jobNameAt(cronJob, scheduled)));
  return told([event(cronJob, "Warning", "FailedCreate", `Error creating job: ${messageOf(answer)}`)], finish(work, undefined, messageOf(answer)));
}

/** The Job is there already: this controller's own, of which the status does not know, or somebody else's. */
function onExisting(work: CronWork, answer: Answer): CronPlan {
  const job = bodyOf(answer) as ChildJob | undefined;
  if (!job) return finish(work, undefined, messageOf(answer));
  const mine = controllerOf(job)?.uid === work.cronJob.metadata.uid;
  return !mine || activeOf(work.cronJob).some((reference) => reference.uid === job.metadata.uid) ? finish(work) : started(work, job);
}

function onChild(work: CronWork, job: ChildJob, answer: Answer): CronPlan {
  const fresh = bodyOf(answer) as CronJob | undefined;
  if (!fresh) return finish(work, undefined, messageOf(answer));
  if (activeOf(fresh).some((reference) => reference.uid === job.metadata.uid)) return lookAtChildren({ ...work, cronJob: fresh, written: work.written ?? work.cronJob });
  return told([event(work.cronJob, "Warning", "UnexpectedJob", `Saw a job that the controller did not create or forgot: ${nameOf(job)}`)], lookAtChildren(work));
}

function onActive(work: CronWork, answer: Answer): CronPlan {
  const job = bodyOf(answer) as ChildJob | undefined;
  if (job) return ask(work, { step: "replace", job }, deleteCall(job));
  return told([event(work.cronJob, "Warning", "FailedGet", `Get job: ${messageOf(answer)}`)], finish(work, undefined, messageOf(answer)));
}

/** Goes on with what the server answered. */
export function resumeCronJob(_key: string, work: CronWork, [answer = { status: 0, sent: false }]: readonly Answer[], view: View<GivenUp>): CronPlan {
  const { asked } = work;
  switch (asked.step) {
    case "cleanup": {
      const { work: next, events } = deleted(work, asked.job, answer);
      return told(events, cleanUp(next, view));
    }
    case "child":
      return onChild(work, asked.job, answer);
    case "missing":
      if (isSuccess(answer)) return lookForMissing(work);
      if (answer.status !== 404) return finish(work, undefined, messageOf(answer));
      return told([event(work.cronJob, "Normal", "MissingJob", `Active job went missing: ${asked.reference.name ?? ""}`)], lookForMissing({ ...work, cronJob: withoutActive(work.cronJob, asked.reference.uid), dirty: true }));
    case "active":
      return onActive(work, answer);
    case "replace": {
      const { work: next, events } = deleted(work, asked.job, answer);
      const { namespace = "" } = asked.job.metadata;
      return told(events, isSuccess(answer) ? replace(next) : finish(next, undefined, `could not replace job ${namespace}/${nameOf(asked.job)}`));
    }
    case "create":
      return onCreated(work, answer);
    case "exists":
      return onExisting(work, answer);
    case "status":
      // A write that failed brings the key back by its back-off alone.
      return isSuccess(answer) ? ended(work.cronJob, work) : { error: messageOf(answer) };
  }
}
