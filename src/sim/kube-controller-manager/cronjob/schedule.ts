// Models github.com/robfig/cron/v3 (parser.go, spec.go): the schedules that CronJobs use
import { parseGoDuration } from "../../api/duration.ts";
import { EPOCH_SECONDS, SECOND } from "../../api/time.ts";
import type { Micros } from "../../kernel/types.ts";
import { type Civil, civilOf, daysOf, fromWall, loadZone, offsetAt, UTC, type Zone } from "./time-zones.ts";

/** Each field as the set of values that match. A day matches by both day fields, unless both are restricted: then by either. */
export interface Schedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  readonly anyDay: boolean;
  readonly anyWeekday: boolean;
  readonly zone: Zone;
  /** "@every": so many seconds after the last, whatever the clock says. */
  readonly every?: number;
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

const EVERY = "@every ";
const NONE: ReadonlySet<number> = new Set();

/** ParseStandard: five fields or a descriptor, behind an optional "TZ=ZONE ". Undefined when it does not parse. `zone` is spec.timeZone's. */
export function parseSchedule(text: string, zone: Zone = UTC): Schedule | undefined {
  const named = /^(?:CRON_)?TZ=(\S*)\s+(.*)$/.exec(text.trim());
  const place = named ? loadZone(named[1] ?? "") : zone;
  if (place === undefined) return undefined;
  const trimmed = (named?.[2] ?? text).trim();
  if (trimmed.startsWith(EVERY)) {
    const duration = parseGoDuration(trimmed.slice(EVERY.length));
    // Seconds are the least, and parts of them are cut off.
    return Number.isNaN(duration) ? undefined : { minutes: NONE, hours: NONE, days: NONE, months: NONE, weekdays: NONE, anyDay: true, anyWeekday: true, zone: place, every: Math.max(1, Math.floor(duration / SECOND)) };
  }
  const fields = (DESCRIPTORS.get(trimmed) ?? trimmed).split(/\s+/);
  const [m = "", h = "", d = "", mo = "", w = ""] = fields;
  const [minutes, hours, days, months, weekdays] = [field(m, MINUTE), field(h, HOUR), field(d, DAY), field(mo, MONTH), field(w, WEEKDAY)];
  if (fields.length !== 5 || !minutes || !hours || !days || !months || !weekdays) return undefined;
  const isAny = (part: string): boolean => part.split(",").some((entry) => /^[*?](?:\/0*1)?$/.test(entry));
  return { minutes, hours, days, months, weekdays, anyDay: isAny(d), anyWeekday: isAny(w), zone: place };
}

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
const SEARCH_YEARS = 5;

function dayMatches(schedule: Schedule, { day }: Civil, days: number): boolean {
  const byDay = schedule.days.has(day);
  const byWeekday = schedule.weekdays.has((((days + 4) % 7) + 7) % 7);
  return schedule.anyDay || schedule.anyWeekday ? byDay && byWeekday : byDay || byWeekday;
}

/** A moment as the zone's clock shows it. */
function wallOf(zone: Zone, at: number): Civil & { readonly days: number; readonly hour: number; readonly minute: number } {
  const wall = at + offsetAt(zone, at);
  const days = Math.floor(wall / DAY_SECONDS);
  const rest = wall - days * DAY_SECONDS;
  return { ...civilOf(days), days, hour: Math.floor(rest / HOUR_SECONDS), minute: Math.floor((rest % HOUR_SECONDS) / 60) };
}

/** Midnight of a day; where clocks are changed at midnight, the first moment of it. */
function midnight(zone: Zone, days: number): number {
  const at = fromWall(zone, days * DAY_SECONDS);
  const { hour } = wallOf(zone, at);
  return hour === 0 ? at : hour > 12 ? at + (24 - hour) * HOUR_SECONDS : at - hour * HOUR_SECONDS;
}

/** SpecSchedule.Next in Unix seconds, field by field as upstream walks them, so that the hours of a change of clocks come out alike. */
function nextSecond(schedule: Schedule, from: number): number | undefined {
  const { zone } = schedule;
  let at = from + 1;
  // The second field is 0.
  if (at % 60 !== 0) at += 60 - (((at % 60) + 60) % 60);
  const lastYear = wallOf(zone, from).year + SEARCH_YEARS;
  for (;;) {
    const wall = wallOf(zone, at);
    if (wall.year > lastYear) return undefined;
    if (!schedule.months.has(wall.month)) at = fromWall(zone, (wall.month === 12 ? daysOf(wall.year + 1, 1, 1) : daysOf(wall.year, wall.month + 1, 1)) * DAY_SECONDS);
    else if (!dayMatches(schedule, wall, wall.days)) at = midnight(zone, wall.days + 1);
    else if (!schedule.hours.has(wall.hour)) at += HOUR_SECONDS - ((((at + offsetAt(zone, at)) % HOUR_SECONDS) + HOUR_SECONDS) % HOUR_SECONDS);
    else if (!schedule.minutes.has(wall.minute)) at += 60;
    else return at;
  }
}

/** The first tick after `at` (simulated microseconds); undefined when there is none within five years. */
export function nextTick(schedule: Schedule, at: Micros): Micros | undefined {
  const second = Math.floor(at / SECOND) + EPOCH_SECONDS;
  const next = schedule.every === undefined ? nextSecond(schedule, second) : second + schedule.every;
  return next === undefined ? undefined : (next - EPOCH_SECONDS) * SECOND;
}
