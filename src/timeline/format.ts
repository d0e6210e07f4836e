const THIN = " ";

/** A duration or time for marks: three significant figures and a unit ("40 µs", "2.11 s"). */
export function shortTime(micros: number): string {
  const size = Math.abs(micros);
  if (size < 1000) return `${Math.round(micros)}${THIN}µs`;
  if (size < 1e6) return `${figures(micros / 1000)}${THIN}ms`;
  if (size < 120e6) return `${figures(micros / 1e6)}${THIN}s`;
  const seconds = Math.round(micros / 1e6);
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)}${THIN}h ${Math.round((seconds % 3600) / 60)}${THIN}min`;
  return `${Math.floor(seconds / 60)}${THIN}min ${seconds % 60}${THIN}s`;
}

function figures(value: number): string {
  const size = Math.abs(value);
  const text = value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

const HOUR = 3600e6;

/** "5:02:02.974" from the first hour on: seconds alone would say nothing. */
function hours(micros: number, decimals: number): string {
  const [whole = "", part] = (micros / 1e6).toFixed(decimals).split(".");
  const seconds = Number(whole);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${part === undefined ? "" : `.${part}`}`;
}

/** The clock: full precision, "2.114388 s". */
export function clockTime(micros: number): string {
  if (micros >= HOUR) return hours(micros, 6);
  return `${(micros / 1e6).toFixed(6)} s`;
}

/** The caption's time: "2.114 s". */
export function captionTime(micros: number): string {
  if (micros >= HOUR) return hours(micros, 3);
  return `${(micros / 1e6).toFixed(3)} s`;
}

const UNITS: Readonly<Record<string, number>> = { us: 1, "µs": 1, "μs": 1, ms: 1000, s: 1e6, m: 60e6, min: 60e6, h: 3600e6, "": 1e6 };

/** Reads "2.114388 s", "50ms", "1m30s", "5:02:02.97" or "+1s" (from `now`) as microseconds; undefined if it is none of these. */
export function parseTime(text: string, now = 0): number | undefined {
  const trimmed = text.trim().replaceAll(/\s+/g, "");
  const relative = trimmed.startsWith("+") || trimmed.startsWith("-");
  const body = (relative ? trimmed.slice(1) : trimmed).replace(/^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/, "$1h$2m$3s");
  const parts = [...body.matchAll(/(\d+(?:\.\d+)?|\.\d+)([a-zµμ]*)/gi)];
  if (parts.length === 0 || parts.map((part) => part[0]).join("") !== body) return undefined;
  let micros = 0;
  for (const [, number, unit] of parts) {
    const factor = UNITS[(unit ?? "").toLowerCase()];
    if (factor === undefined) return undefined;
    micros += Number(number) * factor;
  }
  const sign = trimmed.startsWith("-") ? -1 : 1;
  return Math.max(0, Math.round(relative ? now + sign * micros : micros));
}

/** A tick's label: as many decimals as tell it from its neighbour `step` microseconds away. */
export function tickTime(micros: number, step: number): string {
  const [unit, size] = Math.abs(micros) < 1000 ? (["µs", 1] as const) : Math.abs(micros) < 1e6 ? (["ms", 1000] as const) : (["s", 1e6] as const);
  const decimals = Math.max(0, Math.ceil(-Math.log10(Math.max(1, step) / size) - 1e-9));
  if (micros >= HOUR) return hours(micros, Math.min(6, decimals));
  return `${(micros / size).toFixed(Math.min(6, decimals))}${THIN}${unit}`;
}
