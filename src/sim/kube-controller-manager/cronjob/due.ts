// Models kubernetes/pkg/controller/cronjob/{cronjob_controllerv2,utils}.go (formatSchedule, nextScheduleTime): the schedule of a CronJob and its tick that is due
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Micros } from "../../kernel/types.ts";
import { parseSchedule, type Schedule, scheduleError } from "./schedule.ts";
import { loadZone } from "./time-zones.ts";
import type { CronJob } from "./types.ts";
import { mostRecentScheduleTime } from "./utils.ts";

interface Found {
  /** None while the CronJob is suspended, or its zone or schedule is of no use. */
  readonly schedule?: Schedule;
  readonly events: readonly EventToRecord[];
}

const warning = (cronJob: CronJob, reason: string, message: string): EventToRecord => ({ object: cronJob, type: "Warning", reason, message });

/** The schedule to go by, and what must be said of it. */
export function scheduleOf(cronJob: CronJob): Found {
  const { schedule: text, timeZone, suspend } = cronJob.spec;
  const zone = loadZone(timeZone ?? "");
  if (zone === undefined) return { events: [warning(cronJob, "UnknownTimeZone", `invalid timeZone: ${JSON.stringify(timeZone)}: unknown time zone ${timeZone ?? ""}`)] };
  if (suspend) return { events: [] };
  const unsupported = text.includes("TZ") ? [warning(cronJob, "UnsupportedSchedule", `CRON_TZ or TZ used in schedule ${JSON.stringify(text)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`)] : [];
  const error = scheduleError(text);
  const schedule = error === undefined ? parseSchedule(text, zone) : undefined;
  if (schedule === undefined) return { events: [...unsupported, warning(cronJob, "UnparseableSchedule", `unparseable schedule: ${JSON.stringify(text)} : ${error ?? ""}`)] };
  return { schedule, events: unsupported };
}

/** nextScheduleTime: the last tick that is not later than now; "never" for a schedule that cannot come. */
export function dueAt(cronJob: CronJob, schedule: Schedule, now: Micros): { readonly scheduled: Micros | "never" | undefined; readonly events: readonly EventToRecord[] } {
  const { mostRecent, missed, error } = mostRecentScheduleTime(cronJob, now, schedule, true);
  if (error !== undefined) return { scheduled: "never", events: [warning(cronJob, "InvalidSchedule", `invalid schedule: ${cronJob.spec.schedule} : ${error}`)] };
  if (mostRecent === undefined || mostRecent > now) return { scheduled: undefined, events: [] };
  const many = missed === "many" ? [warning(cronJob, "TooManyMissedTimes", "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew")] : [];
  return { scheduled: mostRecent, events: many };
}
