/** Structural equality of plain data; absent, undefined and null are the same: a merge patch cannot tell them apart. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b || ((a ?? undefined) === undefined && (b ?? undefined) === undefined)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(left)) if (!deepEqual(left[key], right[key])) return false;
  for (const key of Object.keys(right)) if (left[key] === undefined && !deepEqual(undefined, right[key])) return false;
  return true;
}
