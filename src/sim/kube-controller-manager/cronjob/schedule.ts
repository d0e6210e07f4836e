// Models github.com/robfig/cron/v3 (parser.go, spec.go): the schedules that CronJobs use
import { EPOCH_SECONDS, SECOND } from "../../api/time.ts";
import type { Micros } from "../../kernel/types.ts";

/** Each field as the set of values that match. A day matches by both day fields, unless both are restricted: then by either. */
export interface Schedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  readonly anyDay: boolean;
  readonly anyWeekday: boolean;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const MONTH_NAMES = ["", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAY_NAMES = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MINUTE: Bounds = { min: 0, max: 59, names: [] };
const HOUR: Bounds = { min: 0, max: 23, names: [] };
const DAY: Bounds = { min: 1, max: 31, names: [] };
const MONTH: Bounds = { min: 1, max: 12, names: MONTH_NAMES };
const WEEKDAY: Bounds = { min: 0, max: 6, names: DAY_NAMES };

const DESCRIPTORS: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"], ["@annually", "0 0 1 1 *"], ["@monthly", "0 0 1 * *"], ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"], ["@midnight", "0 0 * * *"], ["@hourly", "0 * * * *"],
]);

function numberOf(text: string, bounds: Bounds): number | undefined {
  const named = bounds.names.indexOf(text.toLowerCase());
  if (text !== "" && named >= 0) return named;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** "*", "?", "5", "1-5", "*\/15", "6-16/4", "mon"; undefined when malformed. */
function range(text: string, bounds: Bounds): readonly number[] | undefined {
  const [base = "", stepText, ...more] = text.split("/");
  if (more.length > 0) return undefined;
  const step = stepText === undefined ? 1 : Number(stepText);
  if (!Number.isInteger(step) || step < 1) return undefined;
  let low: number | undefined = bounds.min;
  let high: number | undefined = bounds.max;
  if (base !== "*" && base !== "?") {
    const [from = "", to, ...rest] = base.split("-");
    if (rest.length > 0) return undefined;
    low = numberOf(from, bounds);
    high = to === undefined ? (stepText === undefined ? low : bounds.max) : numberOf(to, bounds);
  }
  if (low === undefined || high === undefined || low < bounds.min || high > bounds.max || low > high) return undefined;
  const values: number[] = [];
  for (let value = low; value <= high; value += step) values.push(value);
  return values;
}

function field(text: string, bounds: Bounds): ReadonlySet<number> | undefined {
  const values: number[] = [];
  for (const part of text.split(",")) {
    const found = range(part, bounds);
    if (!found) return undefined;
    values.push(...found);
  }
  return new Set(values);
}

/** ParseStandard: five fields or a descriptor. Undefined when it does not parse. Simplified: UTC only, no "@every". */
export function parseSchedule(text: string): Schedule | undefined {
  const trimmed = text.trim().replace(/^(CRON_)?TZ=(UTC|Etc\/UTC)\s+/, "");
  const fields = (DESCRIPTORS.get(trimmed) ?? trimmed).split(/\s+/);
  const [m = "", h = "", d = "", mo = "", w = ""] = fields;
  const [minutes, hours, days, months, weekdays] = [field(m, MINUTE), field(h, HOUR), field(d, DAY), field(mo, MONTH), field(w, WEEKDAY)];
  if (fields.length !== 5 || !minutes || !hours || !days || !months || !weekdays) return undefined;
  const isAny = (part: string): boolean => /^[*?]/.test(part);
  return { minutes, hours, days, months, weekdays, anyDay: isAny(d), anyWeekday: isAny(w) };
}

const DAY_SECONDS = 86_400;
const SEARCH_DAYS = 366 * 5;

/** Month and day of the month of a day counted from 1970-01-01 (Howard Hinnant's civil_from_days). */
function civil(days: number): { readonly month: number; readonly day: number } {
  const z = days + 719_468;
  const doe = z - Math.floor(z / 146_097) * 146_097;
  const yoe = Math.floor((doe - Math.floor(doe / 1_460) + Math.floor(doe / 36_524) - Math.floor(doe / 146_096)) / 365);
  const doy = doe - (365 * yoe + Math.floor(yoe / 4) - Math.floor(yoe / 100));
  const mp = Math.floor((5 * doy + 2) / 153);
  return { month: mp < 10 ? mp + 3 : mp - 9, day: doy - Math.floor((153 * mp + 2) / 5) + 1 };
}

function dayMatches(schedule: Schedule, days: number): boolean {
  const { month, day } = civil(days);
  if (!schedule.months.has(month)) return false;
  const byDay = schedule.days.has(day);
  const byWeekday = schedule.weekdays.has((((days + 4) % 7) + 7) % 7);
  return schedule.anyDay || schedule.anyWeekday ? byDay && byWeekday : byDay || byWeekday;
}

/** The first tick after `at` (simulated microseconds); undefined when there is none within five years. */
export function nextTick(schedule: Schedule, at: Micros): Micros | undefined {
  const start = Math.floor((Math.floor(at / SECOND) + EPOCH_SECONDS) / 60) * 60 + 60;
  const firstDay = Math.floor(start / DAY_SECONDS);
  for (let days = firstDay; days < firstDay + SEARCH_DAYS; days++) {
    if (!dayMatches(schedule, days)) continue;
    const from = days === firstDay ? start - days * DAY_SECONDS : 0;
    for (let hour = Math.floor(from / 3600); hour < 24; hour++) {
      if (!schedule.hours.has(hour)) continue;
      for (let minute = hour === Math.floor(from / 3600) ? Math.floor((from % 3600) / 60) : 0; minute < 60; minute++) {
        if (schedule.minutes.has(minute)) return (days * DAY_SECONDS + hour * 3600 + minute * 60 - EPOCH_SECONDS) * SECOND;
      }
    }
  }
  return undefined;
}
