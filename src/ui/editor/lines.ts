/** Number of lines that differ between two texts, by their longest common prefix and suffix and the lines between. */
export function changedLines(before: string, after: string): number {
  if (before === after) return 0;
  const a = before.split("\n");
  const b = after.split("\n");
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const old = a.slice(start, a.length - end);
  const now = b.slice(start, b.length - end);
  if (old.length !== now.length) return Math.max(old.length, now.length);
  return now.filter((line, i) => line !== old[i]).length;
}

/** 1-based line and column of an offset. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Offset of a 1-based line and column in a text; the text's end if it has no such line. */
export function offsetOf(text: string, line: number, column: number): number {
  let from = 0;
  for (let i = 1; i < line; i++) {
    const next = text.indexOf("\n", from);
    if (next < 0) return text.length;
    from = next + 1;
  }
  const end = text.indexOf("\n", from);
  return Math.min(from + Math.max(0, column - 1), end < 0 ? text.length : end);
}
