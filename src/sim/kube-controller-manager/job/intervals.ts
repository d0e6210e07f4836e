// Models kubernetes/pkg/controller/job/indexed_job_utils.go (orderedIntervals)

/** Indexes as ranges, both ends included, in rising order: a Job of a million indexes is as cheap as one of three. */
export type Intervals = readonly (readonly [first: number, last: number])[];

const atoi = (text: string | undefined): number | undefined => (text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined);

/** "0-2,4", without what is not below `completions`. What is no number is passed over. */
export function parseIntervals(text: string | undefined, completions: number): Intervals {
  const found: [number, number][] = [];
  if (text === undefined || text === "") return found;
  for (const part of text.split(",")) {
    const [from, to] = part.split("-");
    const first = atoi(from);
    if (first === undefined) continue;
    if (first >= completions) break;
    const last = to === undefined ? first : atoi(to);
    if (last === undefined) continue;
    const end = Math.min(last, completions - 1);
    const before = found.at(-1);
    if (before?.[1] === first - 1) before[1] = end;
    else found.push([first, end]);
  }
  return found;
}

/** Runs of three and more are shortened, two stay apart ("0,1"). */
export const formatIntervals = (intervals: Intervals): string => intervals.map(([first, last]) => (last === first ? `${first}` : `${first}${last === first + 1 ? "," : "-"}${last}`)).join(",");

/** Both sets of indexes as one. */
export function mergeIntervals(a: Intervals, b: Intervals): Intervals {
  if (b.length === 0) return a;
  const merged: [number, number][] = [];
  for (const [first, last] of [...a, ...b].sort((x, y) => x[0] - y[0])) {
    const before = merged.at(-1);
    if (before === undefined || first > before[1] + 1) merged.push([first, last]);
    else before[1] = Math.max(before[1], last);
  }
  return merged;
}

/** Single indexes, in any order, as ranges. */
export const intervalsOf = (indexes: readonly number[]): Intervals => mergeIntervals([], indexes.map((index) => [index, index] as const));

export const totalOf = (intervals: Intervals): number => intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0);

export const hasIndex = (intervals: Intervals, index: number): boolean => intervals.some(([first, last]) => first <= index && index <= last);

/** How many indexes are in both. */
export const overlapOf = (a: Intervals, b: Intervals): number =>
  a.reduce((sum, [first, last]) => sum + b.reduce((inner, [from, to]) => inner + Math.max(0, Math.min(last, to) - Math.max(first, from) + 1), 0), 0);

/** The lowest indexes that are not taken. */
export function firstPending(taken: Intervals, completions: number, count: number): readonly number[] {
  const found: number[] = [];
  let candidate = 0;
  for (const [first, last] of [...taken, [completions, completions] as const]) {
    for (; candidate < first && candidate < completions && found.length < count; candidate++) found.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return found;
}
