import { PMap } from "../sim/kernel/pmap.ts";

/** More values than any panel shows: a state that is larger is cut, and says so. */
const MAX_VALUES = 200_000;
const CUT = "… (cut: too large to show)";

/** A component's state as plain data for the page: persistent maps become objects with sorted keys. */
export function toPlain(value: unknown): unknown {
  return convert(value, { left: MAX_VALUES });
}

function convert(value: unknown, budget: { left: number }): unknown {
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (budget.left-- <= 0) return CUT;
  if (Array.isArray(value)) return value.map((item) => convert(item, budget));
  if (value instanceof PMap) return fromEntries(value.sorted(), budget);
  if (value instanceof Map) return fromEntries([...value.entries()].map(([key, item]) => [String(key), item] as const).sort(byKey), budget);
  if (value instanceof Set) return [...value].map((item) => convert(item, budget));
  return fromEntries(Object.entries(value), budget);
}

function fromEntries(entries: readonly (readonly [string, unknown])[], budget: { left: number }): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [key, item] of entries) plain[key] = convert(item, budget);
  return plain;
}

const byKey = (a: readonly [string, unknown], b: readonly [string, unknown]): number => (a[0] < b[0] ? -1 : 1);
