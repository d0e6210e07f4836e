// Models the errors of Go's time.Parse for the layouts of metav1.Time and metav1.MicroTime (src/time/format.go)

const RFC3339 = "2006-01-02T15:04:05Z07:00";
const RFC3339_MICRO = "2006-01-02T15:04:05.000000Z07:00";

interface Parsed {
  readonly value: string;
  /** The number read, for the range check. */
  readonly number?: number;
}
type Read = (value: string) => Parsed | undefined;
/** A piece of the layout: its text, how to read it, and its range ("" when there is none). */
type Chunk = readonly [text: string, read: Read, range: string, low: number, high: number];

const digits = (fixed: boolean): Read => (value) => {
  const text = (fixed ? /^\d\d/ : /^\d\d?/).exec(value)?.[0];
  return text === undefined ? undefined : { value: value.slice(text.length), number: Number(text) };
};
const year: Read = (value) => (/^\d{4}/.test(value) ? { value: value.slice(4), number: Number(value.slice(0, 4)) } : undefined);
const seconds = (fraction: boolean): Read => (value) => {
  const read = digits(true)(value);
  return read === undefined || fraction ? read : { ...read, value: read.value.replace(/^[.,]\d+/, "") };
};
const micros: Read = (value) => (/^[.,]\d{6}/.test(value) ? { value: value.slice(7) } : undefined);
const zone: Read = (value) => (value.startsWith("Z") ? { value: value.slice(1) } : /^[+-]\d\d:\d\d/.test(value) ? { value: value.slice(6) } : undefined);
const literal = (text: string): Chunk => [text, (value) => (value.startsWith(text) ? { value: value.slice(text.length) } : undefined), "", 0, 0];

const chunks = (micro: boolean): readonly Chunk[] => [
  ["2006", year, "", 0, 0], literal("-"), ["01", digits(true), "month", 1, 12], literal("-"), ["02", digits(true), "", 0, 0], literal("T"),
  ["15", digits(false), "hour", 0, 23], literal(":"), ["04", digits(true), "minute", 0, 59], literal(":"), ["05", seconds(micro), "second", 0, 59],
  ...(micro ? [[".000000", micros, "", 0, 0] as const] : []), ["Z07:00", zone, "", 0, 0],
];
const CHUNKS = { plain: chunks(false), micro: chunks(true) };

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const daysIn = (month: number, ofYear: number): number => (month === 2 && ofYear % 4 === 0 && (ofYear % 100 !== 0 || ofYear % 400 === 0) ? 29 : (LENGTHS[month - 1] ?? 31));

/** The error of time.Parse, undefined when the text is a time. `micro` asks for six digits of a second's fraction. */
export function timeError(text: string, micro: boolean): string | undefined {
  const head = `parsing time ${JSON.stringify(text)}`;
  let value = text;
  const numbers: number[] = [];
  for (const [element, read, range, low, high] of micro ? CHUNKS.micro : CHUNKS.plain) {
    const parsed = read(value);
    if (parsed === undefined) return `${head} as "${micro ? RFC3339_MICRO : RFC3339}": cannot parse ${JSON.stringify(value)} as ${JSON.stringify(element)}`;
    const { number } = parsed;
    if (range !== "" && number !== undefined && (number < low || number > high)) return `${head}: ${range} out of range`;
    if (number !== undefined) numbers.push(number);
    ({ value } = parsed);
  }
  if (value !== "") return `${head}: extra text: ${JSON.stringify(value)}`;
  const [ofYear = 0, month = 0, day = 0] = numbers;
  return day < 1 || day > daysIn(month, ofYear) ? `${head}: day out of range` : undefined;
}
