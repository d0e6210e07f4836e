// Models kubernetes/pkg/controller/cronjob/utils.go
import { EPOCH_SECONDS, parseRfc3339, rfc3339, SECOND } from "../../api/time.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { ownerReferenceTo } from "../pods.ts";
import { nextTick, type Schedule } from "./schedule.ts";
import { loadZone, offsetAt } from "./time-zones.ts";
import { type CronJob, nameOf } from "./types.ts";

export interface CronJobLike {
  readonly metadata: { readonly creationTimestamp?: string };
  readonly spec: { readonly startingDeadlineSeconds?: number };
  readonly status?: { readonly lastScheduleTime?: string | null };
}

export interface MostRecent {
  readonly earliest: Micros;
  readonly mostRecent?: Micros;
  readonly missed: "none" | "few" | "many";
  /** The schedule parses but never comes. */
  readonly error?: string;
}

const MANY = 100;
const NEVER = "time difference between two schedules is less than 1 second";

/** The last tick that should have started a Job by `now`, and how many were missed before it. Simulated microseconds. */
export function mostRecentScheduleTime(cronJob: CronJobLike, now: Micros, schedule: Schedule, includeDeadline: boolean): MostRecent {
  let earliest = parseRfc3339(cronJob.status?.lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? "");
  const deadline = cronJob.spec.startingDeadlineSeconds;
  if (includeDeadline && deadline !== undefined && deadline !== null) earliest = Math.max(earliest, now - deadline * 1_000_000);
  const first = nextTick(schedule, earliest);
  if (first !== undefined && now < first) return { earliest, missed: "none" };
  const second = first === undefined ? undefined : nextTick(schedule, first);
  if (first === undefined || second === undefined) return { earliest, missed: "none", error: NEVER };
  if (now < second) return { earliest, mostRecent: first, missed: "none" };
  const gap = Math.round((second - first) / SECOND);
  // As upstream: the number is a rough one, by the first gap, and the search begins one such gap before it.
  const count = Math.floor(Math.floor((now - first) / SECOND) / gap) + 1;
  const missed = count > MANY ? "many" : "few";
  let mostRecent: Micros | undefined;
  for (let tick = nextTick(schedule, first + (count - 2) * gap * SECOND); tick !== undefined && tick <= now; tick = nextTick(schedule, tick)) mostRecent = tick;
  return { earliest, ...(mostRecent === undefined ? {} : { mostRecent }), missed };
}

const NEXT_SCHEDULE_DELTA: Micros = 100_000;

/** nextScheduleTimeDuration: how long until the CronJob is looked at again; 100 ms after its next tick. */
export function untilNextTick(cronJob: CronJobLike, now: Micros, schedule: Schedule): Micros {
  const { earliest, mostRecent, missed, error } = mostRecentScheduleTime(cronJob, now, schedule, false);
  const from = mostRecent ?? (missed === "none" && error === undefined ? earliest : now);
  return Math.max(0, (nextTick(schedule, from) ?? now) + NEXT_SCHEDULE_DELTA - now);
}

/** `<cronjob>-<scheduled Unix time in minutes>`. */
export const jobName = (cronJob: string, unixSeconds: number): string => `${cronJob}-${Math.floor(unixSeconds / 60)}`;

export const jobNameAt = (cronJob: CronJob, scheduled: Micros): string => jobName(nameOf(cronJob), Math.floor(scheduled / SECOND) + EPOCH_SECONDS);

/** RFC 3339 by the zone's clock: "2026-01-01T01:00:00+01:00". */
export function localTime(timeZone: string, at: Micros): string {
  const zone = loadZone(timeZone);
  const offset = zone === undefined ? 0 : offsetAt(zone, Math.floor(at / SECOND) + EPOCH_SECONDS);
  if (offset === 0) return rfc3339(at);
  const minutes = Math.abs(offset) / 60;
  const two = (n: number): string => String(Math.floor(n)).padStart(2, "0");
  return `${rfc3339(at + offset * SECOND).slice(0, -1)}${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** getJobFromTemplate2: always the same name for a tick, so that no tick starts two Jobs. */
export function jobFromTemplate(cronJob: CronJob, scheduled: Micros): KubeObject {
  const { labels, annotations } = cronJob.spec.jobTemplate.metadata ?? {};
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: jobNameAt(cronJob, scheduled),
      namespace: cronJob.metadata.namespace ?? "",
      creationTimestamp: rfc3339(scheduled),
      ...(labels === undefined ? {} : { labels }),
      annotations: { ...annotations, "batch.kubernetes.io/cronjob-scheduled-timestamp": localTime(cronJob.spec.timeZone ?? "", scheduled) },
      ownerReferences: [ownerReferenceTo(cronJob)],
    },
    spec: cronJob.spec.jobTemplate.spec,
  };
}

const DAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Go's RFC1123Z in UTC, as upstream tells a missed time. */
export function rfc1123(at: Micros): string {
  const text = rfc3339(at);
  const days = Math.floor((Math.floor(at / SECOND) + EPOCH_SECONDS) / 86_400);
  return `${DAYS[((days % 7) + 7) % 7] ?? ""}, ${text.slice(8, 10)} ${MONTHS[Number(text.slice(5, 7)) - 1] ?? ""} ${text.slice(0, 4)} ${text.slice(11, 19)} +0000`;
}
