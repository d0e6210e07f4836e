import { expect, test } from "vitest";
import { CRON, cronObject, dropJob, endJob, jobOf, runCron } from "../../testdata/cron-cluster.ts";
import type { FakeApiConfig } from "../../testdata/fake-apiserver.ts";
import { at, type MiniInput, write } from "../../testdata/mini-cluster.ts";
import type { KubeObject } from "../../api/types.ts";

/** The name of the Job that is due so many minutes after the start. */
const due = (minutes: number): string => `tick-${29_453_760 + minutes}`;
const { metadata } = cronObject({});
const bornAt = (creationTimestamp: string): Partial<KubeObject> => ({ metadata: { ...metadata, creationTimestamp } });

/** The first two requests of a kind fail. */
function refusing(method: string): Partial<FakeApiConfig> {
  let seen = 0;
  return { refuse: (request) => (request.method === method && request.path.includes("/jobs") && ++seen <= 2 ? { status: 403, reason: "Forbidden", message: "no" } : undefined) };
}
const UNSUPPORTED = 'UnsupportedSchedule: CRON_TZ or TZ used in schedule "TZ=Asia/Tokyo 1 9 * * *" is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

interface Case {
  readonly name: string;
  readonly objects: readonly KubeObject[];
  readonly inputs?: readonly MiniInput[];
  readonly until: number;
  readonly config?: Partial<FakeApiConfig>;
  readonly events: readonly string[];
  readonly requests: readonly string[];
  readonly status?: object;
}

const CASES: readonly Case[] = [
  { name: "Allow: a Job a tick, the end of one is seen", objects: [cronObject({})], inputs: [at(90, endJob(due(1), "Complete", "2026-01-01T00:01:30Z"))], until: 130, events: ["60.1 SuccessfulCreate: Created job tick-+1", "90.0 SawCompletedJob: Saw completed job: tick-+1, condition: Complete", "120.1 SuccessfulCreate: Created job tick-+2"], requests: ["POST jobs", "PUT cronjobs/tick/status", "PUT jobs/tick-+1/status", "PUT cronjobs/tick/status", "POST jobs", "PUT cronjobs/tick/status"], status: { lastScheduleTime: "2026-01-01T00:02:00Z", lastSuccessfulTime: "2026-01-01T00:01:30Z", active: [{ name: due(2) }] } },
  { name: "a failed Job is no success", objects: [cronObject({})], inputs: [at(90, endJob(due(1), "Failed"))], until: 100, events: ["60.1 SuccessfulCreate: Created job tick-+1", "90.0 SawCompletedJob: Saw completed job: tick-+1, condition: Failed"], requests: ["POST jobs", "PUT cronjobs/tick/status", "PUT jobs/tick-+1/status", "PUT cronjobs/tick/status"], status: { lastScheduleTime: "2026-01-01T00:01:00Z" } },
  { name: "Forbid: the tick waits for the Job that runs", objects: [cronObject({ concurrencyPolicy: "Forbid" })], inputs: [at(150, endJob(due(1), "Complete"))], until: 170, events: ["60.1 SuccessfulCreate: Created job tick-+1", "120.1 JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid", "150.0 SawCompletedJob: Saw completed job: tick-+1, condition: Complete", "150.0 SuccessfulCreate: Created job tick-+2"], requests: ["POST jobs", "PUT cronjobs/tick/status", "PUT jobs/tick-+1/status", "POST jobs", "PUT cronjobs/tick/status"] },
  { name: "Replace: the Job that runs goes first", objects: [cronObject({ concurrencyPolicy: "Replace" })], until: 130, events: ["60.1 SuccessfulCreate: Created job tick-+1", "120.1 SuccessfulDelete: Deleted job tick-+1", "120.1 SuccessfulCreate: Created job tick-+2"], requests: ["POST jobs", "PUT cronjobs/tick/status", "GET jobs/tick-+1", "DELETE jobs/tick-+1", "POST jobs", "PUT cronjobs/tick/status"], status: { active: [{ name: due(2) }] } },
  { name: "Replace: a Job that cannot be deleted holds up the next, tried again 5 ms and then ever longer after", objects: [cronObject({ concurrencyPolicy: "Replace" })], until: 130, config: refusing("DELETE"), events: ["60.1 SuccessfulCreate: Created job tick-+1", "120.1 FailedDelete: Deleted job: no", "120.1 FailedDelete: Deleted job: no", "120.1 SuccessfulDelete: Deleted job tick-+1", "120.1 SuccessfulCreate: Created job tick-+2"], requests: ["POST jobs", "PUT cronjobs/tick/status", "GET jobs/tick-+1", "DELETE jobs/tick-+1", "GET jobs/tick-+1", "DELETE jobs/tick-+1", "GET jobs/tick-+1", "DELETE jobs/tick-+1", "POST jobs", "PUT cronjobs/tick/status"] },
  { name: "Replace: a Job that cannot be read", objects: [cronObject({ concurrencyPolicy: "Replace" })], until: 130, config: refusing("GET"), events: ["60.1 SuccessfulCreate: Created job tick-+1", "120.1 FailedGet: Get job: no", "120.1 FailedGet: Get job: no", "120.1 SuccessfulDelete: Deleted job tick-+1", "120.1 SuccessfulCreate: Created job tick-+2"], requests: ["POST jobs", "PUT cronjobs/tick/status", "GET jobs/tick-+1", "GET jobs/tick-+1", "GET jobs/tick-+1", "DELETE jobs/tick-+1", "POST jobs", "PUT cronjobs/tick/status"] },
  { name: "a Job that somebody deleted", objects: [cronObject({})], inputs: [at(70, dropJob(due(1)))], until: 80, events: ["60.1 SuccessfulCreate: Created job tick-+1", "70.0 MissingJob: Active job went missing: tick-+1"], requests: ["POST jobs", "PUT cronjobs/tick/status", "DELETE jobs/tick-+1", "GET jobs/tick-+1", "PUT cronjobs/tick/status"] },
  { name: "the Job is there already, this one's own: it counts as started", objects: [cronObject({}), jobOf(due(1))], until: 80, events: ["0.0 UnexpectedJob: Saw a job that the controller did not create or forgot: tick-+1", "60.1 UnexpectedJob: Saw a job that the controller did not create or forgot: tick-+1"], requests: ["GET cronjobs/tick", "GET cronjobs/tick", "POST jobs", "GET jobs/tick-+1", "PUT cronjobs/tick/status"], status: { active: [{ name: due(1) }], lastScheduleTime: "2026-01-01T00:01:00Z" } },
  { name: "the Job is there already, somebody else's: it is left alone", objects: [cronObject({}), { ...jobOf(due(1)), metadata: { name: due(1), namespace: "default", uid: "other" } }], until: 80, events: [], requests: ["POST jobs", "GET jobs/tick-+1"], status: {} },
  { name: "a Job of an earlier CronJob of that name counts as a child", objects: [cronObject({}), jobOf("old", { owner: "earlier" })], until: 5, events: ["0.0 UnexpectedJob: Saw a job that the controller did not create or forgot: old"], requests: ["GET cronjobs/tick"] },
  { name: "one missed tick within the deadline", objects: [cronObject({ startingDeadlineSeconds: 10 }, bornAt("2025-12-31T23:00:30Z"))], until: 20, events: ["0.0 SuccessfulCreate: Created job tick-+0"], requests: ["POST jobs", "PUT cronjobs/tick/status"] },
  { name: "more than a hundred missed ticks: the last one starts, with a word", objects: [cronObject({}, bornAt("2025-12-31T20:00:30Z"))], until: 5, events: ["0.0 TooManyMissedTimes: too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew", "0.0 SuccessfulCreate: Created job tick-+0"], requests: ["POST jobs", "PUT cronjobs/tick/status"] },
  { name: "a day that never comes", objects: [cronObject({ schedule: "59 23 31 2 *" })], until: 5, events: ["0.0 InvalidSchedule: invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second"], requests: [] },
  { name: "a schedule that does not parse", objects: [cronObject({ schedule: "60 * * * *" })], until: 5, events: ['0.0 UnparseableSchedule: unparseable schedule: "60 * * * *" : end of range (60) above maximum (59): 60'], requests: [] },
  { name: "a zone within the schedule", objects: [cronObject({ schedule: "TZ=Asia/Tokyo 1 9 * * *" })], until: 70, events: [`0.0 ${UNSUPPORTED}`, `60.1 ${UNSUPPORTED}`, "60.1 SuccessfulCreate: Created job tick-+1", `60.1 ${UNSUPPORTED}`], requests: ["POST jobs", "PUT cronjobs/tick/status"] },
  { name: "a zone that nobody knows", objects: [cronObject({ timeZone: "Mars/Base" })], until: 70, events: ['0.0 UnknownTimeZone: invalid timeZone: "Mars/Base": unknown time zone Mars/Base'], requests: [] },
  { name: "suspended, then resumed: the last tick starts late", objects: [cronObject({ suspend: true })], inputs: [at(150, write("PATCH", CRON, { spec: { suspend: false } }))], until: 160, events: ["150.0 SuccessfulCreate: Created job tick-+2"], requests: ["PATCH cronjobs/tick", "POST jobs", "PUT cronjobs/tick/status"] },
  { name: "history: those that started first go, ended or failed by their own limit", objects: [cronObject({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 }), jobOf("a", { end: "Complete", second: 20 }), jobOf("b", { end: "Complete", second: 10 }), jobOf("c", { end: "Failed", second: 5 })], until: 5, events: ["0.0 SuccessfulDelete: Deleted job b", "0.0 SuccessfulDelete: Deleted job c"], requests: ["DELETE jobs/b", "DELETE jobs/c", "PUT cronjobs/tick/status"], status: { lastSuccessfulTime: "2026-01-01T00:00:20Z" } },
  { name: "history that cannot be deleted", objects: [cronObject({ failedJobsHistoryLimit: 0 }), jobOf("c", { end: "Failed", second: 5 })], until: 5, config: refusing("DELETE"), events: ["0.0 FailedDelete: Deleted job: no"], requests: ["DELETE jobs/c"] },
  { name: "another schedule: its next tick, not at once", objects: [cronObject({ schedule: "0 5 * * *" })], inputs: [at(10, write("PATCH", CRON, { spec: { schedule: "*/2 * * * *" } }))], until: 130, events: ["120.1 SuccessfulCreate: Created job tick-+2"], requests: ["PATCH cronjobs/tick", "POST jobs", "PUT cronjobs/tick/status"] },
  { name: "@every counts from the last start", objects: [cronObject({ schedule: "@every 45s" })], until: 95, events: ["45.1 SuccessfulCreate: Created job tick-+0", "90.1 SuccessfulCreate: Created job tick-+1"], requests: ["POST jobs", "PUT cronjobs/tick/status", "POST jobs", "PUT cronjobs/tick/status"] },
  { name: "refused: told each time", objects: [cronObject({})], until: 70, config: refusing("POST"), events: ["60.1 FailedCreate: Error creating job: no", "60.1 FailedCreate: Error creating job: no", "60.1 SuccessfulCreate: Created job tick-+1"], requests: ["POST jobs", "POST jobs", "POST jobs", "PUT cronjobs/tick/status"] },
  { name: "in a namespace that is going nothing is told", objects: [cronObject({})], inputs: [at(30, write("DELETE", "/api/v1/namespaces/default", {}))], until: 60.11, events: [], requests: ["DELETE /api/v1/namespaces/default", "POST jobs"] },
  { name: "being deleted itself", objects: [cronObject({}, { metadata: { ...metadata, finalizers: ["x/y"], deletionTimestamp: "2026-01-01T00:00:00Z" } })], until: 130, events: [], requests: [] },
];

test.each(CASES)("$name", ({ objects, inputs = [], until, config = {}, events, requests, status }) => {
  const run = runCron(objects, inputs, until, config);
  expect([run.events, run.requests]).toEqual([events, requests]);
  if (status !== undefined) expect(run.status).toMatchObject(status);
});

test.each([
  [undefined, "2026-01-01T00:01:00Z"],
  ["Europe/Berlin", "2026-01-01T01:01:00+01:00"],
  ["America/St_Johns", "2025-12-31T20:31:00-03:30"],
])("a Job of zone %s carries its tick by that clock, labels and annotations of the template, and its owner", (timeZone, text) => {
  const [job] = runCron([cronObject({ schedule: "1-59 * * * *", ...(timeZone === undefined ? {} : { timeZone }), ...(timeZone === "America/St_Johns" ? { schedule: "31 20 * * *" } : {}) })], [], 61).jobs;
  expect(job?.metadata).toMatchObject({ name: due(1), labels: { of: "tick" }, annotations: { "batch.kubernetes.io/cronjob-scheduled-timestamp": text }, ownerReferences: [{ kind: "CronJob", name: "tick", uid: "c", controller: true, blockOwnerDeletion: true }] });
});
