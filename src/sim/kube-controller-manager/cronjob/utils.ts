// Models kubernetes/pkg/controller/cronjob/utils.go
import { parseRfc3339 } from "../../api/time.ts";
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
  const gap = second - first;
  const count = Math.floor((now - first) / gap) + 1;
  return { earliest, mostRecent: lastTickBefore(schedule, first, now, gap), missed: count > MANY ? "many" : "few" };
}

/** Looks back from `now` in growing steps, so that years of missed minutes cost little. */
function lastTickBefore(schedule: Schedule, first: Micros, now: Micros, gap: Micros): Micros {
  let tick = first;
  for (let back = 2 * gap; ; back *= 2) {
    const from = Math.max(first, now - back);
    const found = from === first ? first : nextTick(schedule, from - 1);
    if (found !== undefined && found <= now) {
      tick = found;
      break;
    }
  }
  for (let next = nextTick(schedule, tick); next !== undefined && next <= now; next = nextTick(schedule, next)) tick = next;
  return tick;
}

/** `<cronjob>-<scheduled Unix time in minutes>`. */
export const jobName = (cronJob: string, unixSeconds: number): string => `${cronJob}-${Math.floor(unixSeconds / 60)}`;
