// Models kubernetes/staging/src/k8s.io/apiserver/pkg/cel/library/lists.go and cel-go ext/{lists,sets}.go
import { type CelLibrary, isTimestamp } from "../types.ts";

class SetsNamespace {}
class ListsNamespace {}

type List = readonly unknown[];

/** Equality of CEL values; ints and doubles compare by value. */
export function celEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if ((typeof a === "bigint" && typeof b === "number") || (typeof a === "number" && typeof b === "bigint")) return Number(a) === Number(b);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => celEqual(item, b[i]));
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(b)) return false;
  if (isTimestamp(a)) return isTimestamp(b) && a.getTime() === b.getTime();
  const x = entriesOf(a);
  const y = entriesOf(b);
  if (x === undefined || y === undefined) return String(a) === String(b);
  return x.size === y.size && [...x].every(([key, value]) => y.has(key) && celEqual(value, y.get(key)));
}

export function entriesOf(value: object): ReadonlyMap<unknown, unknown> | undefined {
  if (value instanceof Map) return value;
  return Object.getPrototypeOf(value) === Object.prototype ? new Map(Object.entries(value)) : undefined;
}

function compare(a: unknown, b: unknown): number {
  const x = a as number;
  const y = b as number;
  return x < y ? -1 : x > y ? 1 : 0;
}

function extreme(list: List, sign: number, name: string): unknown {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, item) => (compare(item, best) * sign > 0 ? item : best));
}

function sum(list: List): unknown {
  const [first] = list;
  if (first === undefined) return 0n;
  if (typeof first === "bigint") return (list as readonly bigint[]).reduce((total, n) => total + n, 0n);
  if (typeof first === "number") return (list as readonly number[]).reduce((total, n) => total + n, 0);
  throw new Error("no such overload");
}

const position = (list: List, item: unknown): bigint => BigInt(list.findIndex((other) => celEqual(other, item)));
const lastPosition = (list: List, item: unknown): bigint => BigInt(list.findLastIndex((other) => celEqual(other, item)));
const includes = (list: List, item: unknown): boolean => list.some((other) => celEqual(other, item));
const contains = (list: List, sub: List): boolean => sub.every((item) => includes(list, item));

function flatten(list: List, depth: number): List {
  return list.flatMap((item) => (Array.isArray(item) && depth > 0 ? flatten(item, depth - 1) : [item]));
}

function slice(list: List, from: bigint, to: bigint): List {
  const start = Number(from);
  const end = Number(to);
  if (start < 0 || end < 0) throw new Error(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end) throw new Error(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (end > list.length) throw new Error(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  return list.slice(start, end);
}

/** Functions of lists, and of lists as sets. */
export const listsLibrary: CelLibrary = {
  namespaces: [["sets", "SetsNamespace", SetsNamespace], ["lists", "ListsNamespace", ListsNamespace]],
  functions: [
    ["list<T>.isSorted(): bool", (list: List) => list.every((item, i) => i === 0 || compare(list[i - 1], item) <= 0)],
    ["list<T>.sum(): T", sum],
    ["list<T>.min(): T", (list: List) => extreme(list, -1, "min")],
    ["list<T>.max(): T", (list: List) => extreme(list, 1, "max")],
    ["list<T>.indexOf(T): int", position],
    ["list<T>.lastIndexOf(T): int", lastPosition],
    ["list<T>.distinct(): list<T>", (list: List) => list.filter((item, i) => position(list, item) === BigInt(i))],
    ["list<T>.reverse(): list<T>", (list: List) => list.toReversed()],
    ["list<T>.sort(): list<T>", (list: List) => list.toSorted(compare)],
    ["list<T>.flatten(): list<dyn>", (list: List) => flatten(list, 1)],
    ["list<T>.flatten(int): list<dyn>", (list: List, depth: bigint) => flatten(list, Number(depth))],
    ["list<T>.slice(int, int): list<T>", slice],
    ["ListsNamespace.range(int): list<int>", (_: unknown, n: bigint) => Array.from({ length: Number(n) }, (_item, i) => BigInt(i))],
    ["SetsNamespace.contains(list, list): bool", (_: unknown, a: List, b: List) => contains(a, b)],
    ["SetsNamespace.equivalent(list, list): bool", (_: unknown, a: List, b: List) => contains(a, b) && contains(b, a)],
    ["SetsNamespace.intersects(list, list): bool", (_: unknown, a: List, b: List) => b.some((item) => includes(a, item))],
  ],
};
