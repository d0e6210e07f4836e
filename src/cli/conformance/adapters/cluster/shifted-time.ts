import { EPOCH_SECONDS } from "../../../../sim/api/time.ts";

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const RFC3339 = /\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z/g;
const RFC1123 = /\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000/g;

const two = (value: number): string => String(value).padStart(2, "0");

function rfc1123(date: Date): string {
  return `${WEEKDAYS[date.getUTCDay()]}, ${two(date.getUTCDate())} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`;
}

/**
 * Moves every absolute time in recorded texts and objects so that `start` (Unix seconds) becomes the simulation's
 * epoch: recordings were made at another date than the simulated one.
 */
export function shifter(start: number): { text(value: string): string; object(value: unknown): unknown } {
  const by = EPOCH_SECONDS - start;
  const moved = (time: string): Date => new Date(Date.parse(time) + by * 1_000);
  const text = (value: string): string =>
    value
      .replaceAll(RFC3339, (_, whole: string, fraction: string | undefined) => `${moved(`${whole}Z`).toISOString().slice(0, 19)}${fraction ?? ""}Z`)
      .replaceAll(RFC1123, (time) => rfc1123(moved(time)));
  const object = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(object);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, object(inner)]));
  };
  return { text, object };
}
