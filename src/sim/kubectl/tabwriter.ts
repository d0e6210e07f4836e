// Models Go's text/tabwriter as kubectl describe uses it: NewWriter(out, 0, 8, 2, ' ', 0)

const PADDING = 2;

function writeLines(lines: readonly (readonly string[])[], from: number, to: number, widths: readonly number[], out: string[]): void {
  for (let i = from; i < to; i++) {
    const cells = lines[i] ?? [];
    out.push(cells.map((cell, j) => (j < widths.length ? cell.padEnd(widths[j] ?? 0) : cell)).join(""));
  }
}

/** A column is a run of consecutive lines that have a tab-terminated cell there; each run has its own width. */
function format(lines: readonly (readonly string[])[], from: number, to: number, widths: number[], out: string[], padding: number): void {
  const column = widths.length;
  let start = from;
  for (let line = from; line < to; line++) {
    if (column >= (lines[line]?.length ?? 0) - 1) continue;
    writeLines(lines, start, line, widths, out);
    start = line;
    let width = 0;
    for (; line < to && column < (lines[line]?.length ?? 0) - 1; line++) width = Math.max(width, [...(lines[line]?.[column] ?? "")].length + padding);
    widths.push(width);
    format(lines, start, line, widths, out, padding);
    widths.pop();
    start = line;
  }
  writeLines(lines, start, to, widths, out);
}

/** Aligns tab-separated text. */
export function align(text: string, padding: number = PADDING): string {
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const lines = body.split("\n").map((line) => line.split("\t"));
  const out: string[] = [];
  format(lines, 0, lines.length, [], out, padding);
  return `${out.join("\n")}\n`;
}
