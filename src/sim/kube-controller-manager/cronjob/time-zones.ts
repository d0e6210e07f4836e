// Models Go's time.LoadLocation over a part of the IANA time zone database
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

/** A day of the year at which clocks are changed: the n-th Sunday of a month (5: the last), at so many seconds. */
interface Turn {
  readonly month: number;
  readonly sunday: number;
  readonly seconds: number;
  /** What clock the seconds are of. */
  readonly clock: "utc" | "standard" | "wall";
}

interface Rule {
  readonly on: Turn;
  readonly off: Turn;
}

const turn = (month: number, sunday: number, hours: number, clock: Turn["clock"]): Turn => ({ month, sunday, seconds: hours * 3600, clock });
const EU: Rule = { on: turn(3, 5, 1, "utc"), off: turn(10, 5, 1, "utc") };
const US: Rule = { on: turn(3, 2, 2, "wall"), off: turn(11, 1, 2, "wall") };
const AU: Rule = { on: turn(10, 1, 2, "standard"), off: turn(4, 1, 2, "standard") };
const NZ: Rule = { on: turn(9, 5, 2, "standard"), off: turn(4, 1, 2, "standard") };
const RULES: Readonly<Record<string, Rule>> = { E: EU, U: US, A: AU, N: NZ };

// Standard offset in minutes, rule, names. Simplified: the rules in force since 2007; upstream knows each zone's whole history, and some 300 more.
const TABLE = `0 - UTC Etc/UTC Etc/GMT GMT Zulu Etc/Zulu Africa/Abidjan Africa/Accra Africa/Dakar Atlantic/Reykjavik
0 E Europe/London Europe/Dublin Europe/Lisbon GB WET
60 E Europe/Berlin Europe/Paris Europe/Madrid Europe/Rome Europe/Vienna Europe/Zurich Europe/Amsterdam Europe/Brussels Europe/Copenhagen Europe/Oslo Europe/Stockholm Europe/Prague Europe/Warsaw Europe/Budapest Europe/Belgrade Europe/Zagreb Europe/Ljubljana Europe/Luxembourg CET
120 E Europe/Athens Europe/Helsinki Europe/Kiev Europe/Kyiv Europe/Bucharest Europe/Sofia Europe/Vilnius Europe/Riga Europe/Tallinn EET
60 - Africa/Lagos Africa/Algiers Africa/Tunis Africa/Kinshasa
120 - Africa/Johannesburg Africa/Maputo Africa/Tripoli Africa/Khartoum Europe/Kaliningrad
180 - Europe/Moscow Europe/Istanbul Europe/Minsk Asia/Riyadh Asia/Baghdad Asia/Qatar Asia/Kuwait Africa/Nairobi Turkey
210 - Asia/Tehran
240 - Asia/Dubai Asia/Baku Asia/Tbilisi Asia/Yerevan Europe/Samara
270 - Asia/Kabul
300 - Asia/Karachi Asia/Tashkent Asia/Yekaterinburg
330 - Asia/Kolkata Asia/Calcutta Asia/Colombo
345 - Asia/Kathmandu
360 - Asia/Dhaka
390 - Asia/Yangon
420 - Asia/Bangkok Asia/Jakarta Asia/Ho_Chi_Minh Asia/Saigon Asia/Novosibirsk
480 - Asia/Shanghai Asia/Hong_Kong Asia/Singapore Asia/Taipei Asia/Manila Asia/Kuala_Lumpur Australia/Perth PRC Singapore
540 - Asia/Tokyo Asia/Seoul Japan ROK
570 A Australia/Adelaide
570 - Australia/Darwin
600 A Australia/Sydney Australia/Melbourne Australia/Hobart Australia/Canberra
600 - Australia/Brisbane Asia/Vladivostok
720 N Pacific/Auckland NZ
720 - Pacific/Fiji
-60 - Atlantic/Cape_Verde
-180 - America/Sao_Paulo America/Argentina/Buenos_Aires America/Buenos_Aires America/Montevideo America/Bahia
-210 U America/St_Johns
-240 U America/Halifax Atlantic/Bermuda
-240 - America/Caracas America/La_Paz America/Puerto_Rico America/Manaus
-300 U America/New_York America/Toronto America/Detroit US/Eastern EST5EDT
-300 - America/Bogota America/Lima America/Panama America/Jamaica EST
-360 U America/Chicago America/Winnipeg US/Central CST6CDT
-360 - America/Mexico_City America/Costa_Rica America/Guatemala America/Regina
-420 U America/Denver America/Edmonton US/Mountain MST7MDT
-420 - America/Phoenix US/Arizona MST
-480 U America/Los_Angeles America/Vancouver America/Tijuana US/Pacific PST8PDT
-540 U America/Anchorage US/Alaska
-600 - Pacific/Honolulu US/Hawaii HST`;

export interface Zone {
  readonly name: string;
  /** Seconds east of Greenwich without summer time. */
  readonly standard: number;
  readonly rule?: Rule;
}

const ZONES: ReadonlyMap<string, Zone> = new Map(
  TABLE.split("\n").flatMap((line) => {
    const [minutes = "", rule = "", ...names] = line.split(" ");
    const known = RULES[rule];
    return names.map((name) => [name, { name, standard: Number(minutes) * 60, ...(known === undefined ? {} : { rule: known }) }] as const);
  }),
);

export const UTC: Zone = { name: "UTC", standard: 0 };

/** LoadLocation; undefined for a name that is not known. "" is UTC. */
export const loadZone = (name: string): Zone | undefined => (name === "" ? UTC : ZONES.get(name));

const SUMMER = 3600;
const DAY = 86_400;

/** Unix seconds at which clocks are changed in a year; `before` is the offset in force until then. */
function instantOf({ month, sunday, seconds, clock }: Turn, year: number, standard: number, before: number): number {
  const first = daysOf(year, month, 1);
  const toSunday = (7 - ((((first + 4) % 7) + 7) % 7)) % 7;
  const nextMonth = month === 12 ? daysOf(year + 1, 1, 1) : daysOf(year, month + 1, 1);
  let day = first + toSunday + (sunday - 1) * 7;
  while (day >= nextMonth) day -= 7;
  return day * DAY + seconds - (clock === "utc" ? 0 : clock === "standard" ? standard : before);
}

/** Seconds east of Greenwich at a moment (Unix seconds). */
export function offsetAt({ standard, rule }: Zone, at: number): number {
  if (rule === undefined) return standard;
  const { year } = civilOf(Math.floor((at + standard) / DAY));
  const on = instantOf(rule.on, year, standard, standard);
  const off = instantOf(rule.off, year, standard, standard + SUMMER);
  const summer = on < off ? at >= on && at < off : at >= on || at < off;
  return summer ? standard + SUMMER : standard;
}

/** time.Date: the moment of a wall clock; of a time that does not exist or exists twice one of the two, as Go chooses. */
export function fromWall(zone: Zone, wall: number): number {
  const guess = offsetAt(zone, wall);
  if (guess === 0) return wall;
  const utc = wall - guess;
  const there = offsetAt(zone, utc);
  return there === guess ? utc : wall - there;
}
