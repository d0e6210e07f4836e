// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/duration/duration.go and Go's time.Duration
import { MILLISECOND, type Micros, SECOND } from "./time.ts";

const DAY_HOURS = 24;
const YEAR_HOURS = 24 * 365;

/** AGE columns: two or three significant figures, truncated. `d` in microseconds. */
export function humanDuration(d: Micros): string {
  const seconds = Math.trunc(d / SECOND);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  const pair = (major: string, minor: number, unit: string): string => (minor === 0 ? major : `${major}${minor}${unit}`);
  if (minutes < 10) return pair(`${minutes}m`, seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return pair(`${hours}h`, minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / DAY_HOURS);
  if (hours < DAY_HOURS * 8) return pair(`${days}d`, hours % DAY_HOURS, "h");
  if (hours < YEAR_HOURS * 2) return `${days}d`;
  const years = Math.trunc(hours / YEAR_HOURS);
  return hours < YEAR_HOURS * 8 ? pair(`${years}y`, days % 365, "d") : `${years}y`;
}

function fraction(value: number, digits: number): string {
  const text = String(value).padStart(digits, "0").replace(/0+$/, "");
  return text === "" ? "" : `.${text}`;
}

/** Go's Duration.String(): "5m0s", "1.5s", "20ms", "0s". `d` in microseconds. */
export function goDuration(d: Micros): string {
  if (d === 0) return "0s";
  if (d < 0) return `-${goDuration(-d)}`;
  if (d < MILLISECOND) return `${d}µs`;
  if (d < SECOND) return `${Math.trunc(d / MILLISECOND)}${fraction(d % MILLISECOND, 3)}ms`;
  const total = Math.trunc(d / SECOND);
  const seconds = `${total % 60}${fraction(d % SECOND, 6)}s`;
  if (total < 60) return seconds;
  const minutes = Math.trunc(total / 60);
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.trunc(minutes / 60)}h${minutes % 60}m${seconds}`;
}

const UNITS: ReadonlyMap<string, number> = new Map([["ns", 0.001], ["us", 1], ["µs", 1], ["ms", 1_000], ["s", SECOND], ["m", 60 * SECOND], ["h", 3600 * SECOND]]);

/** Go's time.ParseDuration in microseconds; NaN when it is none. */
export function parseGoDuration(text: string): Micros {
  const m = /^([+-]?)((?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/.exec(text);
  if (text === "0") return 0;
  if (!m) return Number.NaN;
  let total = 0;
  for (const part of text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g)) total += Number(part[1]) * (UNITS.get(part[2] ?? "") ?? 0);
  return Math.round(m[1] === "-" ? -total : total);
}

/** time.ParseDuration's error text; undefined when it is a duration. */
export function goDurationError(text: string): string | undefined {
  const quoted = JSON.stringify(text);
  const invalid = `time: invalid duration ${quoted}`;
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return undefined;
  if (rest === "") return invalid;
  while (rest !== "") {
    const [number = "", whole = "", part = ""] = /^(\d*)(?:\.(\d*))?/.exec(rest) ?? [];
    if (whole === "" && part === "") return invalid;
    rest = rest.slice(number.length);
    const [unit = ""] = /^[^.\d]*/.exec(rest) ?? [];
    if (unit === "") return `time: missing unit in duration ${quoted}`;
    if (!UNITS.has(unit)) return `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
    rest = rest.slice(unit.length);
  }
  return undefined;
}
