// Models github.com/robfig/cron/v3 (parser.go, spec.go): the schedules that CronJobs use
import { parseGoDuration } from "../../api/duration.ts";
import { EPOCH_SECONDS, SECOND } from "../../api/time.ts";
import type { Micros } from "../../kernel/types.ts";
import { cronScheduleError } from "../../api/validation/cron-schedule.ts";
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
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

/** "*", "?", "5", "1-5", "*\/15", "6-16/4", "mon"; undefined when malformed. */
function range(text: string, bounds: Bounds): readonly number[] | undefined {
  const [base = "", stepText, ...more] = text.split("/");
  if (more.length > 0) return undefined;
  const step = stepText === undefined ? 1 : (numberOf(stepText, MINUTE) ?? 0);
  if (step < 1) return undefined;
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
  for (const part of text.split(",").filter((entry) => entry !== "")) {
    const found = range(part, bounds);
    if (!found) return undefined;
    values.push(...found);
  }
  return new Set(values);
}

const EVERY = "@every ";
const NONE: ReadonlySet<number> = new Set();

const ZONE_PREFIX = /^(?:CRON_)?TZ=/;

/** Why a schedule does not parse, in the parser's words; undefined when it does. */
export function scheduleError(text: string): string | undefined {
  if (!ZONE_PREFIX.test(text)) return cronScheduleError(text);
  const end = text.indexOf(" ");
  if (end < 0) return "invalid schedule format: runtime error: slice bounds out of range [:-1]";
  const zone = text.slice(text.indexOf("=") + 1, end);
  return loadZone(zone) === undefined ? `provided bad location ${zone}: unknown time zone ${zone}` : cronScheduleError(text);
}

/** ParseStandard: five fields or a descriptor, behind an optional "TZ=ZONE ". Undefined when it does not parse. `zone` is spec.timeZone's. */
export function parseSchedule(text: string, zone: Zone = UTC): Schedule | undefined {
  if (scheduleError(text) !== undefined) return undefined;
  const named = ZONE_PREFIX.test(text);
  const place = named ? loadZone(text.slice(text.indexOf("=") + 1, text.indexOf(" "))) : zone;
  if (place === undefined) return undefined;
  const trimmed = named ? text.slice(text.indexOf(" ")).trim() : text;
  if (trimmed.startsWith(EVERY)) {
    const duration = parseGoDuration(trimmed.slice(EVERY.length));
    // Seconds are the least, and parts of them are cut off.
    return { minutes: NONE, hours: NONE, days: NONE, months: NONE, weekdays: NONE, anyDay: true, anyWeekday: true, zone: place, every: Math.max(1, Math.floor(duration / SECOND)) };
  }
  const fields = (DESCRIPTORS.get(trimmed) ?? trimmed).trim().split(/\s+/);
  const [m = "", h = "", d = "", mo = "", w = ""] = fields;
  const [minutes, hours, days, months, weekdays] = [field(m, MINUTE), field(h, HOUR), field(d, DAY), field(mo, MONTH), field(w, WEEKDAY)];
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  const isAny = (part: string): boolean => part.split(",").some((entry) => /^[*?](?:-.*)?(?:\/\+?0*1)?$/.test(entry));
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

interface Wall extends Civil {
  readonly days: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** A moment as the zone's clock shows it. */
function wallOf(zone: Zone, at: number): Wall {
  const wall = at + offsetAt(zone, at);
  const days = Math.floor(wall / DAY_SECONDS);
  const rest = wall - days * DAY_SECONDS;
  return { ...civilOf(days), days, hour: Math.floor(rest / HOUR_SECONDS), minute: Math.floor((rest % HOUR_SECONDS) / 60), second: rest % 60 };
}

/** AddDate(0, 0, 1); where midnight does not exist that day, the first moment of it. */
function nextDay(zone: Zone, at: number, { days }: Wall): number {
  const clock = (at + offsetAt(zone, at)) % DAY_SECONDS;
  const next = fromWall(zone, (days + 1) * DAY_SECONDS + clock);
  const { hour } = wallOf(zone, next);
  return hour === 0 ? next : hour > 12 ? next + (24 - hour) * HOUR_SECONDS : next - hour * HOUR_SECONDS;
}

/** AddDate(0, 1, 0) of the first day of a month. */
function nextMonth(zone: Zone, at: number, { year, month }: Wall): number {
  const clock = (at + offsetAt(zone, at)) % DAY_SECONDS;
  return fromWall(zone, (month === 12 ? daysOf(year + 1, 1, 1) : daysOf(year, month + 1, 1)) * DAY_SECONDS + clock);
}

type Stage = 0 | 1 | 2 | 3 | 4;

/** One step forward in the field that does not match, and whether a field before it must be looked at again. */
function step(schedule: Schedule, stage: Stage, at: number, wall: Wall): { readonly at: number; readonly wrapped: boolean } {
  const { zone } = schedule;
  if (stage === 0) {
    const next = nextMonth(zone, at, wall);
    return { at: next, wrapped: wallOf(zone, next).month === 1 };
  }
  if (stage === 1) {
    const next = nextDay(zone, at, wall);
    return { at: next, wrapped: wallOf(zone, next).day === 1 };
  }
  const next = at + (stage === 2 ? HOUR_SECONDS : stage === 3 ? 60 : 1);
  const after = wallOf(zone, next);
  return { at: next, wrapped: (stage === 2 ? after.hour : stage === 3 ? after.minute : after.second) === 0 };
}

/** The first step of all begins at the start of its field. */
function startOf(zone: Zone, stage: Stage, at: number, { year, month, days, hour }: Wall): number {
  if (stage === 0) return fromWall(zone, daysOf(year, month, 1) * DAY_SECONDS);
  if (stage === 1) return fromWall(zone, days * DAY_SECONDS);
  if (stage === 2) return fromWall(zone, days * DAY_SECONDS + hour * HOUR_SECONDS);
  return stage === 3 ? at - (at % 60) : at;
}

function matchesField(schedule: Schedule, stage: Stage, wall: Wall): boolean {
  switch (stage) {
    case 0: return schedule.months.has(wall.month);
    case 1: return dayMatches(schedule, wall, wall.days);
    case 2: return schedule.hours.has(wall.hour);
    case 3: return schedule.minutes.has(wall.minute);
    case 4: return wall.second === 0;
  }
}

/** SpecSchedule.Next in Unix seconds, field by field as upstream walks them, so that the hours of a change of clocks come out alike. */
function nextSecond(schedule: Schedule, from: number): number | undefined {
  const { zone } = schedule;
  let at = from + 1;
  let added = false;
  const lastYear = wallOf(zone, at).year + SEARCH_YEARS;
  for (let stage = 0; stage <= 4; ) {
    const field = stage as Stage;
    let wall = wallOf(zone, at);
    if (field === 0 && wall.year > lastYear) return undefined;
    if (matchesField(schedule, field, wall)) {
      stage++;
      continue;
    }
    if (!added) {
      added = true;
      at = startOf(zone, field, at, wall);
      wall = wallOf(zone, at);
    }
    const stepped = step(schedule, field, at, wall);
    at = stepped.at;
    if (stepped.wrapped) stage = 0;
  }
  return at;
}

/** The first tick after `at` (simulated microseconds); undefined when there is none within five years. */
export function nextTick(schedule: Schedule, at: Micros): Micros | undefined {
  const second = Math.floor(at / SECOND) + EPOCH_SECONDS;
  const next = schedule.every === undefined ? nextSecond(schedule, second) : second + schedule.every;
  return next === undefined ? undefined : (next - EPOCH_SECONDS) * SECOND;
}
