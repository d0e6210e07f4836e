// Models Go's time.LoadLocation and time.Time over the IANA time zone database
import { TIME_ZONE_RULE_OF, TIME_ZONE_RULES } from "../../api/schema/time-zone-rules.generated.ts";
import { timeZoneNames } from "../../api/validation/time-zone.ts";

/** Civil dates as days counted from 1970-01-01 (Howard Hinnant's days_from_civil). */
export function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yoe = y - era * 400;
  const doy = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + yoe * 365 + Math.floor(yoe / 4) - Math.floor(yoe / 100) + doy - 719_468;
}

export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** civil_from_days. */
export function civilOf(days: number): Civil {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const doe = z - era * 146_097;
  const yoe = Math.floor((doe - Math.floor(doe / 1_460) + Math.floor(doe / 36_524) - Math.floor(doe / 146_096)) / 365);
  const doy = doe - (365 * yoe + Math.floor(yoe / 4) - Math.floor(yoe / 100));
  const mp = Math.floor((5 * doy + 2) / 153);
  const month = mp < 10 ? mp + 3 : mp - 9;
  return { year: yoe + era * 400 + (month <= 2 ? 1 : 0), month, day: doy - Math.floor((153 * mp + 2) / 5) + 1 };
}

/** A day of the year at which clocks are changed: the n-th weekday (Sunday is 0) of a month (5: the last), at so many seconds of the clock in force until then. */
interface Turn {
  readonly month: number;
  readonly week: number;
  readonly weekday: number;
  readonly seconds: number;
}

export interface Zone {
  readonly name: string;
  /** Seconds east of Greenwich without summer time. */
  readonly standard: number;
  readonly summer?: { readonly offset: number; readonly on: Turn; readonly off: Turn };
  /** Unix seconds at which clocks go back by an hour and forth again, in turn. */
  readonly changes?: readonly number[];
}

export const UTC: Zone = { name: "UTC", standard: 0 };

const HOUR = 3600;
const DAY = 86_400;

/** "-3:30", "2": hours as seconds. */
function secondsOf(text: string): number {
  const [hours = "0", minutes = "0"] = text.split(":");
  return (text.startsWith("-") ? -1 : 1) * (Math.abs(Number(hours)) * HOUR + Number(minutes) * 60);
}

function turnOf(text: string): Turn {
  const [date = "", time = "2"] = text.slice(1).split("/");
  const [month = 1, week = 1, weekday = 0] = date.split(".").map(Number);
  return { month, week, weekday, seconds: secondsOf(time) };
}

function zoneOf(name: string, rule: string): Zone {
  const [clock = "", ...hours] = rule.split(" ");
  const [west = "", summer = "", on, off] = clock.replace("/", ",").split(",");
  const standard = 0 - secondsOf(west);
  if (hours.length > 0) return { name, standard, changes: hours.map((hour) => Number(hour) * HOUR) };
  return on === undefined || off === undefined ? { name, standard } : { name, standard, summer: { offset: summer === "" ? standard + HOUR : 0 - secondsOf(summer), on: turnOf(on), off: turnOf(off) } };
}

const FIRST = "0".charCodeAt(0);
/** Characters that stand for no rule, as they would need to be escaped. */
const LEFT_OUT = ["\\", "`"].map((character) => character.charCodeAt(0));

let zones: ReadonlyMap<string, Zone> | undefined;

/** Made when the first one is asked for: most clusters have no CronJob. */
function allZones(): ReadonlyMap<string, Zone> {
  const rules = TIME_ZONE_RULES.split("\n");
  return new Map(timeZoneNames().map((name, i) => {
    const code = TIME_ZONE_RULE_OF.charCodeAt(i);
    return [name, zoneOf(name, rules[code - FIRST - LEFT_OUT.filter((other) => other < code).length] ?? "0")] as const;
  }));
}

/** LoadLocation; undefined for a name that is not known. "" is UTC. */
export function loadZone(name: string): Zone | undefined {
  if (name === "") return UTC;
  zones ??= allZones();
  return zones.get(name);
}

/** Unix seconds at which clocks are changed in a year; `offset` is in force until then. */
function instantOf({ month, week, weekday, seconds }: Turn, year: number, offset: number): number {
  const first = daysOf(year, month, 1);
  const nextMonth = month === 12 ? daysOf(year + 1, 1, 1) : daysOf(year, month + 1, 1);
  let day = first + ((((weekday - first - 4) % 7) + 7) % 7) + (week - 1) * 7;
  while (day >= nextMonth) day -= 7;
  return day * DAY + seconds - offset;
}

/** Seconds east of Greenwich at a moment (Unix seconds). */
export function offsetAt({ standard, summer, changes }: Zone, at: number): number {
  if (changes !== undefined) return standard - (changes.filter((change) => change <= at).length % 2) * HOUR;
  if (summer === undefined) return standard;
  const { year } = civilOf(Math.floor((at + standard) / DAY));
  const on = instantOf(summer.on, year, standard);
  const off = instantOf(summer.off, year, summer.offset);
  const isSummer = on < off ? at >= on && at < off : at >= on || at < off;
  return isSummer ? summer.offset : standard;
}

/** time.Date: the moment of a wall clock; of a time that does not exist or exists twice one of the two, as Go chooses. */
export function fromWall(zone: Zone, wall: number): number {
  const guess = offsetAt(zone, wall);
  if (guess === 0) return wall;
  const utc = wall - guess;
  const there = offsetAt(zone, utc);
  return there === guess ? utc : wall - there;
}
