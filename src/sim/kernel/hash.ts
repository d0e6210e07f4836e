import { PMap } from "./pmap.ts";
import { fnv1a, mix } from "./random.ts";

const known = new WeakMap<object, number>();

const combine = (hash: number, value: number): number => mix(Math.imul(hash, 31) + value);

function hashObject(value: object): number {
  if (value instanceof PMap) {
    // Order-free sum: a trie's shape depends on its history, its meaning does not.
    let sum = value.size;
    for (const [key, entry] of value.entries()) sum = (sum + combine(fnv1a(key), structuralHash(entry))) | 0;
    return sum;
  }
  if (Array.isArray(value)) return value.reduce<number>((hash, entry) => combine(hash, structuralHash(entry)), 17);
  if (value instanceof Map || value instanceof Set) return structuralHash([...value]);
  let sum = 3;
  for (const [key, entry] of Object.entries(value)) if (entry !== undefined) sum = (sum + combine(fnv1a(key), structuralHash(entry))) | 0;
  return sum;
}

/** A 32-bit hash of plain immutable data. Unchanged parts are remembered by identity, so only what changed is read. */
export function structuralHash(value: unknown): number {
  switch (typeof value) {
    case "string":
      return fnv1a(value);
    case "number":
      return Number.isInteger(value) && Math.abs(value) < 0x7fffffff ? mix(value) : fnv1a(String(value));
    case "object": {
      if (value === null) return 5;
      let hash = known.get(value);
      if (hash === undefined) {
        hash = hashObject(value) | 0;
        known.set(value, hash);
      }
      return hash;
    }
    default:
      return fnv1a(String(value));
  }
}

export { combine as combineHash };
