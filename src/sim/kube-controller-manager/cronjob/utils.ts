// Models kubernetes/pkg/controller/cronjob/utils.go
import { parseRfc3339, SECOND } from "../../api/time.ts";
import type { Micros } from "../../kernel/types.ts";
import { nextTick, type Schedule } from "./schedule.ts";

export interface CronJobLike {
  readonly metadata: { readonly creationTimestamp?: string };
  readonly spec: { readonly startingDeadlineSeconds?: number };
  readonly status?: { readonly lastScheduleTime?: string | null };
}

export interface MostRecent {
  readonly earliest: Micros;
  readonly mostRecent?: Micros;
  readonly missed: "none" | "few" | "many";
}

const MANY = 100;

/** The last tick that should have started a Job by `now`, and how many were missed before it. Simulated microseconds. */
export function mostRecentScheduleTime(cronJob: CronJobLike, now: Micros, schedule: Schedule, includeDeadline: boolean): MostRecent {
  let earliest = parseRfc3339(cronJob.status?.lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? "");
  const deadline = cronJob.spec.startingDeadlineSeconds;
  if (includeDeadline && deadline !== undefined && deadline !== null) earliest = Math.max(earliest, now - deadline * 1_000_000);
  const first = nextTick(schedule, earliest);
  if (first === undefined || now < first) return { earliest, missed: "none" };
  const second = nextTick(schedule, first);
  if (second === undefined || now < second) return { earliest, mostRecent: first, missed: "none" };
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
  const { earliest, mostRecent, missed } = mostRecentScheduleTime(cronJob, now, schedule, false);
  const from = mostRecent ?? (missed === "none" ? earliest : now);
  return Math.max(0, (nextTick(schedule, from) ?? now) + NEXT_SCHEDULE_DELTA - now);
}

/** `<cronjob>-<scheduled Unix time in minutes>`. */
export const jobName = (cronJob: string, unixSeconds: number): string => `${cronJob}-${Math.floor(unixSeconds / 60)}`;
