// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/{time,micro_time}.go

/** Integer microseconds. As a point in time: since the run's epoch. */
export type Micros = number;

export const MILLISECOND: Micros = 1_000;
export const SECOND: Micros = 1_000_000;
export const MINUTE: Micros = 60 * SECOND;

/** Simulated time 0 in Unix seconds: 2026-01-01T00:00:00Z. The only wall clock in the simulation. */
export const EPOCH_SECONDS = 1_767_225_600;

const pad = (value: number, width: number): string => String(value).padStart(width, "0");

/** Days since 1970-01-01 to a civil date, by arithmetic alone: `Date` is not allowed in the simulation. */
function civil(days: number): { year: number; month: number; day: number } {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const doe = z - era * 146_097;
  const yoe = Math.floor((doe - Math.floor(doe / 1_460) + Math.floor(doe / 36_524) - Math.floor(doe / 146_096)) / 365);
  const doy = doe - (365 * yoe + Math.floor(yoe / 4) - Math.floor(yoe / 100));
  const mp = Math.floor((5 * doy + 2) / 153);
  const month = mp < 10 ? mp + 3 : mp - 9;
  return { year: yoe + era * 400 + (month <= 2 ? 1 : 0), month, day: doy - Math.floor((153 * mp + 2) / 5) + 1 };
}

function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yoe = y - era * 400;
  const doy = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146_097 + yoe * 365 + Math.floor(yoe / 4) - Math.floor(yoe / 100) + doy - 719_468;
}

function dateTime(unixSeconds: number): string {
  const days = Math.floor(unixSeconds / 86_400);
  const rest = unixSeconds - days * 86_400;
  const { year, month, day } = civil(days);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${pad(Math.floor(rest / 3600), 2)}:${pad(Math.floor(rest / 60) % 60, 2)}:${pad(rest % 60, 2)}`;
}

let cachedSecond = Number.NaN;
let cachedText = "";

/** metav1.Time: whole seconds, truncated ("2026-01-01T00:00:00Z"). `at` is simulated time in microseconds. */
export function rfc3339(at: Micros): string {
  const second = EPOCH_SECONDS + Math.floor(at / SECOND);
  if (second !== cachedSecond) {
    cachedSecond = second;
    cachedText = `${dateTime(second)}Z`;
  }
  return cachedText;
}

/** metav1.MicroTime ("2026-01-01T00:00:00.000123Z"): leases and events.k8s.io. */
export function rfc3339Micro(at: Micros): string {
  const second = Math.floor(at / SECOND);
  return `${dateTime(EPOCH_SECONDS + second)}.${pad(at - second * SECOND, 6)}Z`;
}

/** Texts of late: all times of one second are the same text, read again with every object that carries it. */
const parsed = new Map<string, Micros>();
const REMEMBERED = 1_000;

/** Simulated microseconds of an RFC 3339 text in UTC or with an offset; NaN if it is none. */
export function parseRfc3339(text: string): Micros {
  let at = parsed.get(text);
  if (at === undefined) {
    at = readRfc3339(text);
    if (parsed.size >= REMEMBERED) parsed.clear();
    parsed.set(text, at);
  }
  return at;
}

function readRfc3339(text: string): Micros {
  const m = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|z|[+-]\d\d:\d\d)$/.exec(text);
  if (!m) return Number.NaN;
  const n = (i: number): number => Number(m[i]);
  const zone = m[8] ?? "Z";
  const offset = zone === "Z" || zone === "z" ? 0 : (zone.startsWith("-") ? -1 : 1) * (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(4, 6)) * 60);
  const seconds = daysFromCivil(n(1), n(2), n(3)) * 86_400 + n(4) * 3600 + n(5) * 60 + n(6) - offset;
  return (seconds - EPOCH_SECONDS) * SECOND + Number((m[7] ?? "").padEnd(6, "0").slice(0, 6));
}
