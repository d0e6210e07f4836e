import { parseGoDuration } from "../sim/api/duration.ts";
import type { Micros } from "../sim/api/time.ts";
import { UsageError } from "./io.ts";

/** "12s", "1m30s", "500ms", or a plain number of seconds, as simulated microseconds from the run's beginning. */
export function parseTime(text: string): Micros {
  const at = /^\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * 1_000_000) : parseGoDuration(text);
  if (!Number.isFinite(at) || at < 0) throw new UsageError(`"${text}" is not a time: write 12s, 1m30s or 500ms`);
  return at;
}

/** Seconds with microseconds as decimals, for JSON. */
export const seconds = (at: Micros): number => at / 1_000_000;

/** "2.114388": seconds with all six decimals, for tables. */
export function secondsText(at: Micros): string {
  const text = String(at).padStart(7, "0");
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
}

/** "3.58 ms", "120 us", "12.5 s": a length of time in three significant figures. */
export function lengthText(length: Micros): string {
  if (length < 1_000) return `${length} us`;
  const [value, unit] = length < 1_000_000 ? [length / 1_000, "ms"] : [length / 1_000_000, "s"];
  return `${value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)} ${unit}`;
}
