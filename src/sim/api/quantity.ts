// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/api/resource/{quantity,suffix}.go
import type { Quantity } from "./types.ts";

export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";
/** Exact amount in billionths (the finest unit upstream keeps) and how to print it. */
export interface ParsedQuantity {
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

export const FORMAT_ERROR = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX_ERROR = "unable to parse quantity's suffix";

const DECIMAL: ReadonlyMap<string, number> = new Map([["n", -9], ["u", -6], ["m", -3], ["", 0], ["k", 3], ["M", 6], ["G", 9], ["T", 12], ["P", 15], ["E", 18]]);
const BINARY: ReadonlyMap<string, number> = new Map([["Ki", 10], ["Mi", 20], ["Gi", 30], ["Ti", 40], ["Pi", 50], ["Ei", 60]]);
const DECIMAL_BY_EXPONENT: ReadonlyMap<number, string> = new Map([...DECIMAL].map(([suffix, exponent]) => [exponent, suffix]));
const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const BILLION = 1_000_000_000n;
const MAX = 9_223_372_036_854_775_807n;
// Chosen: exponents beyond this are refused before a huge integer is built.
const EXPONENT_LIMIT = 100;

const tenTo = (n: number): bigint => 10n ** BigInt(n);
const abs = (n: bigint): bigint => (n < 0n ? -n : n);

interface Suffix {
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function interpretSuffix(text: string): Suffix | undefined {
  const decimal = DECIMAL.get(text);
  if (decimal !== undefined) return { exponent: decimal, format: "DecimalSI" };
  const binary = BINARY.get(text);
  if (binary !== undefined) return { exponent: binary, format: "BinarySI" };
  const exponent = /^[eE]([+-]?\d+)$/.exec(text);
  if (!exponent || Math.abs(Number(exponent[1])) > EXPONENT_LIMIT) return undefined;
  return { exponent: Number(exponent[1]), format: "DecimalExponent" };
}

function parse(text: string): ParsedQuantity | string {
  const m = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/.exec(text);
  if (!m || text === "") return FORMAT_ERROR;
  const whole = m[2] ?? "";
  const fraction = m[3] ?? "";
  const stripped = whole.replace(/^0+/, "");
  // Upstream's scanner calls a missing number zero: "Mi" and "." are quantities.
  const suffix = interpretSuffix(m[4] ?? "");
  if (!suffix) return SUFFIX_ERROR;
  const digits = BigInt(`0${stripped}${fraction}`);
  let numerator = digits;
  let scale = 9 - fraction.length;
  if (suffix.format === "BinarySI") numerator <<= BigInt(suffix.exponent);
  else scale += suffix.exponent;
  let nano = scale >= 0 ? numerator * tenTo(scale) : numerator / tenTo(-scale);
  // A non-zero amount is rounded up to the finest unit: who asks for something gets something.
  if (scale < 0 && nano * tenTo(-scale) !== numerator) nano += 1n;
  let format = suffix.format;
  if (format === "BinarySI") {
    if (nano > MAX * BILLION) nano = MAX * BILLION;
    if (nano > 0n && nano < BILLION) format = "DecimalSI";
  }
  return { nano: m[1] === "-" ? -nano : nano, format };
}

const cache = new Map<string, ParsedQuantity | string>();
const CACHE_LIMIT = 5_000;

/** Parses a quantity; the error text (upstream's) when it is none. Results are shared: a quantity is immutable. */
export function parseQuantity(quantity: Quantity): ParsedQuantity | string {
  const text = typeof quantity === "number" ? String(quantity) : quantity;
  let parsed = cache.get(text);
  if (parsed === undefined) {
    if (cache.size >= CACHE_LIMIT) cache.clear();
    parsed = parse(text);
    cache.set(text, parsed);
  }
  return parsed;
}

const ZERO: ParsedQuantity = { nano: 0n, format: "DecimalSI" };

/** For quantities that passed decoding: an unreadable or missing one counts as zero. */
export function toQuantity(quantity: Quantity | undefined): ParsedQuantity {
  if (quantity === undefined) return ZERO;
  const parsed = parseQuantity(quantity);
  return typeof parsed === "string" ? ZERO : parsed;
}

function decimalText(nano: bigint, format: "DecimalSI" | "DecimalExponent"): string {
  let number = nano;
  let exponent = -9;
  while (number % 1000n === 0n && (format === "DecimalExponent" || exponent < 18)) {
    number /= 1000n;
    exponent += 3;
  }
  if (format === "DecimalExponent") return exponent === 0 ? String(number) : `${number}e${exponent}`;
  return `${number}${DECIMAL_BY_EXPONENT.get(exponent) ?? ""}`;
}

/** Canonical text: the largest unit that needs no fraction. */
export function formatQuantity(quantity: ParsedQuantity): string {
  const { nano, format } = quantity;
  if (nano === 0n) return "0";
  if (format !== "BinarySI") return decimalText(nano, format);
  // Small and fractional amounts would lose precision in powers of 1024.
  if (abs(nano) < 1024n * BILLION || nano % BILLION !== 0n) return decimalText(nano, "DecimalSI");
  let number = nano / BILLION;
  let power = 0;
  while (number % 1024n === 0n && power < 6) {
    number /= 1024n;
    power += 1;
  }
  return `${number}${BINARY_SUFFIXES[power] ?? ""}`;
}

/** What the API server stores for a written quantity; the text itself when it cannot be parsed. */
export function canonicalQuantity(quantity: Quantity): string {
  const parsed = parseQuantity(quantity);
  return typeof parsed === "string" ? String(quantity) : formatQuantity(parsed);
}

/** Integer division that rounds away from zero, as Value() and MilliValue() do. */
function scaled(nano: bigint, unit: bigint): number {
  const quotient = nano / unit;
  const rest = nano % unit;
  // Upstream rounds up, towards positive infinity for positive and away from zero for negative amounts.
  return Number(rest === 0n ? quotient : quotient + (nano < 0n ? -1n : 1n));
}

const values = new Map<Quantity, number>();
const milliValueMemo = new Map<Quantity, number>();

function memo(store: Map<Quantity, number>, quantity: Quantity, unit: bigint): number {
  let n = store.get(quantity);
  if (n === undefined) {
    if (store.size >= CACHE_LIMIT) store.clear();
    n = scaled(toQuantity(quantity).nano, unit);
    store.set(quantity, n);
  }
  return n;
}

/** Whole units (bytes, cores), rounded up. */
export const value = (quantity: Quantity | undefined): number => (quantity === undefined ? 0 : memo(values, quantity, BILLION));

/** Thousandths, rounded up: "100m" of cpu is 100. */
export const milliValue = (quantity: Quantity | undefined): number => (quantity === undefined ? 0 : memo(milliValueMemo, quantity, 1_000_000n));

export function compareQuantity(a: Quantity | undefined, b: Quantity | undefined): -1 | 0 | 1 {
  const x = toQuantity(a).nano;
  const y = toQuantity(b).nano;
  if (x === y) return 0;
  return x < y ? -1 : 1;
}

/** Sum in the format of the first operand, unless that is zero. */
export function addQuantity(a: Quantity | undefined, b: Quantity | undefined): string {
  const x = toQuantity(a);
  const y = toQuantity(b);
  return formatQuantity({ nano: x.nano + y.nano, format: x.nano === 0n ? y.format : x.format });
}

export function subQuantity(a: Quantity | undefined, b: Quantity | undefined): string {
  const x = toQuantity(a);
  const y = toQuantity(b);
  return formatQuantity({ nano: x.nano - y.nano, format: x.nano === 0n ? y.format : x.format });
}

/** Rounds up to thousandths: how defaulting stores cpu and every other request finer than 1m. */
export function roundUpToMilli(quantity: Quantity): string {
  const { nano, format } = toQuantity(quantity);
  const rest = nano % 1_000_000n;
  if (rest === 0n) return formatQuantity({ nano, format });
  return formatQuantity({ nano: nano - rest + (nano < 0n ? -1_000_000n : 1_000_000n), format });
}

/** Text of a plain number in the given format. */
export const quantityFromValue = (units: number, format: QuantityFormat = "DecimalSI"): string => formatQuantity({ nano: BigInt(units) * BILLION, format });
