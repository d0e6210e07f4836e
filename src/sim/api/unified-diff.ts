// Models github.com/pmezard/go-difflib (Python's difflib): the unified diffs in refusals of Pod updates

interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}
interface Opcode {
  readonly tag: "equal" | "replace" | "delete" | "insert";
  readonly a1: number;
  readonly a2: number;
  readonly b1: number;
  readonly b2: number;
}

/** Lines that make up more than 1 % of a long text match anything and are not used to find matches. */
const POPULAR_FROM = 200;

function positions(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const at = new Map<string, number[]>();
  for (const [i, line] of b.entries()) at.set(line, [...(at.get(line) ?? []), i]);
  if (b.length >= POPULAR_FROM) for (const [line, list] of at) if (list.length > Math.floor(b.length / 100) + 1) at.delete(line);
  return at;
}

function longestMatch(a: readonly string[], b: readonly string[], at: ReadonlyMap<string, readonly number[]>, alo: number, ahi: number, blo: number, bhi: number): Match {
  let best: Match = { a: alo, b: blo, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = alo; i < ahi; i++) {
    const next = new Map<number, number>();
    for (const j of at.get(a[i] ?? "") ?? []) {
      if (j < blo) continue;
      if (j >= bhi) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: x, b: y, size } = best;
  while (x > alo && y > blo && a[x - 1] === b[y - 1]) {
    x -= 1;
    y -= 1;
    size += 1;
  }
  while (x + size < ahi && y + size < bhi && a[x + size] === b[y + size]) size += 1;
  return { a: x, b: y, size };
}

function matchingBlocks(a: readonly string[], b: readonly string[]): Match[] {
  const at = positions(b);
  const found: Match[] = [];
  const queue: (readonly [number, number, number, number])[] = [[0, a.length, 0, b.length]];
  for (let range = queue.pop(); range !== undefined; range = queue.pop()) {
    const [alo, ahi, blo, bhi] = range;
    const m = longestMatch(a, b, at, alo, ahi, blo, bhi);
    if (m.size === 0) continue;
    found.push(m);
    if (alo < m.a && blo < m.b) queue.push([alo, m.a, blo, m.b]);
    if (m.a + m.size < ahi && m.b + m.size < bhi) queue.push([m.a + m.size, ahi, m.b + m.size, bhi]);
  }
  return [...found.sort((x, y) => x.a - y.a), { a: a.length, b: b.length, size: 0 }];
}

function opcodes(a: readonly string[], b: readonly string[]): Opcode[] {
  const out: Opcode[] = [];
  let i = 0;
  let j = 0;
  for (const m of matchingBlocks(a, b)) {
    const tag = i < m.a && j < m.b ? "replace" : i < m.a ? "delete" : j < m.b ? "insert" : undefined;
    if (tag) out.push({ tag, a1: i, a2: m.a, b1: j, b2: m.b });
    i = m.a + m.size;
    j = m.b + m.size;
    if (m.size > 0) out.push({ tag: "equal", a1: m.a, a2: i, b1: m.b, b2: j });
  }
  return out;
}

function grouped(codes: readonly Opcode[], context: number): Opcode[][] {
  const groups: Opcode[][] = [];
  let group: Opcode[] = [];
  for (const [i, code] of codes.entries()) {
    let { a1, a2, b1, b2 } = code;
    if (code.tag === "equal") {
      if (i === 0) [a1, b1] = [Math.max(a1, a2 - context), Math.max(b1, b2 - context)];
      if (i === codes.length - 1) [a2, b2] = [Math.min(a2, a1 + context), Math.min(b2, b1 + context)];
      else if (i > 0 && a2 - a1 > 2 * context) {
        group.push({ ...code, a2: a1 + context, b2: b1 + context });
        groups.push(group);
        group = [];
        [a1, b1] = [a2 - context, b2 - context];
      }
    }
    group.push({ tag: code.tag, a1, a2, b1, b2 });
  }
  if (group.some((code) => code.tag !== "equal")) groups.push(group);
  return groups;
}

function range(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** A unified diff without file names, "" for equal texts. Every line ends in a newline. */
export function unifiedDiff(before: string, after: string, context = 3): string {
  const a = before.split("\n").map((line) => `${line}\n`);
  const b = after.split("\n").map((line) => `${line}\n`);
  let out = "";
  for (const group of grouped(opcodes(a, b), context)) {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) continue;
    out += `@@ -${range(first.a1, last.a2)} +${range(first.b1, last.b2)} @@\n`;
    for (const { tag, a1, a2, b1, b2 } of group) {
      if (tag === "equal") out += a.slice(a1, a2).map((line) => ` ${line}`).join("");
      if (tag === "replace" || tag === "delete") out += a.slice(a1, a2).map((line) => `-${line}`).join("");
      if (tag === "replace" || tag === "insert") out += b.slice(b1, b2).map((line) => `+${line}`).join("");
    }
  }
  return out;
}
