// Models kubernetes/staging/src/k8s.io/cli-runtime/pkg/printers (GetNewTabWriter: minwidth 6, tabwidth 4, padding 3)

export interface TableColumn {
  readonly name: string;
  /** 0 is always shown, more than 0 only with -o wide. */
  readonly priority: number;
}

const MIN_WIDTH = 6;
const PADDING = 3;

const characters = (text: string): number => [...text].length;

/**
 * Aligns rows as kubectl does: columns are padded by 3 spaces, the last one not at all. Newline-terminated. `remembered` are the widths of
 * what the same writer printed before; it is brought up to date.
 */
export function formatTable(columns: readonly TableColumn[], rows: readonly (readonly string[])[], wide: boolean, headers = true, remembered: number[] = []): string {
  const shown = columns.flatMap((column, index) => (wide || column.priority === 0 ? [index] : []));
  const lines = rows.map((row) => shown.map((index) => (row[index] ?? "").replace(/[\n\r\f].*$/s, "...")));
  if (headers) lines.unshift(shown.map((index) => (columns[index]?.name ?? "").toUpperCase()));
  const widths = shown.map((_, i) => {
    const longest = lines.reduce((width, line) => Math.max(width, characters(line[i] ?? "")), 0);
    return Math.max(longest + PADDING, MIN_WIDTH, remembered[i] ?? 0);
  });
  remembered.splice(0, widths.length, ...widths);
  const pad = (cell: string, i: number, last: boolean): string => (last ? cell : cell + " ".repeat(Math.max(0, (widths[i] ?? 0) - characters(cell))));
  return lines.map((line) => `${line.map((cell, i) => pad(cell, i, i === line.length - 1)).join("")}\n`).join("");
}
