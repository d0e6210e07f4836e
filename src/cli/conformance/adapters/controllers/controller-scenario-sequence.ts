/** At most so many writes of a status in a row are taken as merged with the one after them. */
const MERGED = 2;

/** Length of the longest common subsequence of a[i..] and b[j..], for every i and j. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly (readonly number[])[] {
  const lengths: number[][] = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i] ?? [];
    for (let j = b.length - 1; j >= 0; j--) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  return lengths;
}

/**
 * Whether two sequences of states tell the same: beginning and end are the same, and in between a write of one may be
 * missing in the other, which merged it with the next. `racy`: recorded runs of the scenario
 * differed; then each may have merged another.
 */
export function sameUpToMerging(a: readonly string[], b: readonly string[], racy = false): boolean {
  if (a[0] !== b[0] || a.at(-1) !== b.at(-1)) return false;
  const lengths = commonLengths(a, b);
  let [i, j, missingInB, missingInA] = [0, 0, 0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      [i, j, missingInB, missingInA] = [i + 1, j + 1, 0, 0];
      continue;
    }
    if (i < a.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) [i, missingInB] = [i + 1, missingInB + 1];
    else [j, missingInA] = [j + 1, missingInA + 1];
    if (missingInA > MERGED || missingInB > MERGED || (!racy && missingInA > 0 && missingInB > 0)) return false;
  }
  return true;
}
