// Models github.com/robfig/cron ParseStandard as kubernetes/pkg/util/parsers calls it: only its errors
import { goDurationError } from "../duration.ts";

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const FIELDS: readonly Bounds[] = [{ min: 0, max: 59 }, { min: 0, max: 23 }, { min: 1, max: 31 }, { min: 1, max: 12, names: MONTHS }, { min: 0, max: 6, names: DAYS }];
const DESCRIPTORS = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);
const EVERY = "@every ";

function parseNumber(text: string, bounds: Bounds): number | string {
  const named = bounds.names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + bounds.min;
  if (!/^[+-]?\d+$/.test(text)) return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  return Number(text) < 0 ? `negative number (${Number(text)}) not allowed: ${text}` : Number(text);
}

function rangeError(expression: string, bounds: Bounds): string | undefined {
  const parts = expression.split("/");
  const ends = (parts[0] ?? "").split("-");
  let start = bounds.min;
  let end = bounds.max;
  if (ends[0] !== "*" && ends[0] !== "?") {
    if (ends.length > 2) return `too many hyphens: ${expression}`;
    const from = parseNumber(ends[0] ?? "", bounds);
    const to = ends.length === 2 ? parseNumber(ends[1] ?? "", bounds) : from;
    if (typeof from === "string") return from;
    if (typeof to === "string") return to;
    start = from;
    end = ends.length === 1 && parts.length === 2 ? bounds.max : to;
  }
  if (parts.length > 2) return `too many slashes: ${expression}`;
  const step = parts.length === 2 ? parseNumber(parts[1] ?? "", { min: 0, max: 0 }) : 1;
  if (typeof step === "string") return step;
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${expression}`;
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return step === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** The parser's error text, or undefined for a valid five-field schedule or descriptor. */
export function cronScheduleError(schedule: string): string | undefined {
  let spec = schedule;
  if (/^(CRON_)?TZ=/.test(spec)) spec = spec.slice(spec.indexOf(" ") + 1).trim();
  if (spec === "") return "empty spec string";
  if (spec.startsWith(EVERY)) {
    const error = goDurationError(spec.slice(EVERY.length));
    return error === undefined ? undefined : `failed to parse duration ${spec}: ${error}`;
  }
  if (spec.startsWith("@")) return DESCRIPTORS.has(spec) ? undefined : `unrecognized descriptor: ${spec}`;
  const fields = spec.split(/\s+/).filter((f) => f !== "");
  if (fields.length !== FIELDS.length) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
  for (const [i, bounds] of FIELDS.entries()) {
    for (const expression of (fields[i] ?? "").split(",").filter((e) => e !== "")) {
      const error = rangeError(expression, bounds);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}
