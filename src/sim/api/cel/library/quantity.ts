// Models kubernetes/staging/src/k8s.io/apiserver/pkg/cel/library/{quantity,semverlib}.go
import { formatQuantity, type ParsedQuantity, parseQuantity } from "../../quantity.ts";
import type { CelLibrary } from "../types.ts";

const BILLION = 1_000_000_000n;

export class CelQuantity {
  readonly parsed: ParsedQuantity;
  constructor(parsed: ParsedQuantity) {
    this.parsed = parsed;
  }
  toString(): string {
    return formatQuantity(this.parsed);
  }
}

/** The quantity of a text; throws upstream's words when it is none. */
export function celQuantity(text: string): CelQuantity {
  const parsed = parseQuantity(text);
  if (typeof parsed === "string") throw new Error(parsed);
  return new CelQuantity(parsed);
}

const compareBig = (a: bigint, b: bigint): bigint => (a < b ? -1n : a > b ? 1n : 0n);
const compare = (a: CelQuantity, b: CelQuantity): bigint => compareBig(a.parsed.nano, b.parsed.nano);
const plus = (a: CelQuantity, nano: bigint): CelQuantity => new CelQuantity({ nano: a.parsed.nano + nano, format: a.parsed.format });

function whole(q: CelQuantity): bigint {
  if (q.parsed.nano % BILLION !== 0n) throw new Error("cannot convert value to integer");
  return q.parsed.nano / BILLION;
}

class CelSemver {
  readonly numbers: readonly bigint[];
  readonly pre: readonly string[];
  constructor(numbers: readonly bigint[], pre: readonly string[]) {
    this.numbers = numbers;
    this.pre = pre;
  }
}

const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** "v1.0" becomes "1.0.0": a leading v, missing parts and leading zeros are forgiven. */
function normalize(text: string): string {
  const [, numbers = "", tail = ""] = /^v?([\d.]+)(.*)$/.exec(text) ?? [];
  const parts = numbers.split(".").map((part) => part.replace(/^0+(?=\d)/, ""));
  while (parts.length < 3) parts.push("0");
  return parts.join(".") + tail;
}

function semver(text: string, loose: boolean): CelSemver | undefined {
  const m = SEMVER.exec(loose ? normalize(text) : text);
  return m === null ? undefined : new CelSemver([m[1], m[2], m[3]].map((n) => BigInt(n ?? 0)), m[4] === undefined ? [] : m[4].split("."));
}

function asSemver(text: string, loose: boolean): CelSemver {
  const version = semver(text, loose);
  if (version === undefined) throw new Error("No Major.Minor.Patch elements found");
  return version;
}

function comparePart(a: string, b: string): bigint {
  const [x, y] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (x && y) return compareBig(BigInt(a), BigInt(b));
  if (x !== y) return x ? -1n : 1n;
  return a < b ? -1n : a > b ? 1n : 0n;
}

function compareVersions(a: CelSemver, b: CelSemver): bigint {
  for (const [i, n] of a.numbers.entries()) {
    const order = compareBig(n, b.numbers[i] ?? 0n);
    if (order !== 0n) return order;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return compareBig(BigInt(b.pre.length), BigInt(a.pre.length));
  for (const [i, part] of a.pre.entries()) {
    const other = b.pre[i];
    const order = other === undefined ? 1n : comparePart(part, other);
    if (order !== 0n) return order;
  }
  return a.pre.length < b.pre.length ? -1n : 0n;
}

const part = (i: number) => (v: CelSemver): bigint => v.numbers[i] ?? 0n;

/** Quantities and semantic versions. */
export const quantityLibrary: CelLibrary = {
  classes: [["kubernetes.Quantity", CelQuantity], ["kubernetes.Semver", CelSemver]],
  functions: [
    ["quantity(string): kubernetes.Quantity", celQuantity],
    ["isQuantity(string): bool", (text: string) => typeof parseQuantity(text) !== "string"],
    ["kubernetes.Quantity.sign(): int", (q: CelQuantity) => compareBig(q.parsed.nano, 0n)],
    ["kubernetes.Quantity.isInteger(): bool", (q: CelQuantity) => q.parsed.nano % BILLION === 0n],
    ["kubernetes.Quantity.asInteger(): int", whole],
    ["kubernetes.Quantity.asApproximateFloat(): double", (q: CelQuantity) => Number(q.parsed.nano) / 1e9],
    ["kubernetes.Quantity.compareTo(kubernetes.Quantity): int", compare],
    ["kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool", (a: CelQuantity, b: CelQuantity) => compare(a, b) > 0n],
    ["kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool", (a: CelQuantity, b: CelQuantity) => compare(a, b) < 0n],
    ["kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity", (a: CelQuantity, b: CelQuantity) => plus(a, b.parsed.nano)],
    ["kubernetes.Quantity.add(int): kubernetes.Quantity", (a: CelQuantity, n: bigint) => plus(a, n * BILLION)],
    ["kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity", (a: CelQuantity, b: CelQuantity) => plus(a, -b.parsed.nano)],
    ["kubernetes.Quantity.sub(int): kubernetes.Quantity", (a: CelQuantity, n: bigint) => plus(a, -n * BILLION)],
    ["semver(string): kubernetes.Semver", (text: string) => asSemver(text, false)],
    ["semver(string, bool): kubernetes.Semver", asSemver],
    ["isSemver(string): bool", (text: string) => semver(text, false) !== undefined],
    ["isSemver(string, bool): bool", (text: string, loose: boolean) => semver(text, loose) !== undefined],
    ["kubernetes.Semver.major(): int", part(0)],
    ["kubernetes.Semver.minor(): int", part(1)],
    ["kubernetes.Semver.patch(): int", part(2)],
    ["kubernetes.Semver.compareTo(kubernetes.Semver): int", compareVersions],
    ["kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool", (a: CelSemver, b: CelSemver) => compareVersions(a, b) > 0n],
    ["kubernetes.Semver.isLessThan(kubernetes.Semver): bool", (a: CelSemver, b: CelSemver) => compareVersions(a, b) < 0n],
  ],
};
