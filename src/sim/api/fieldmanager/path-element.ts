// Models sigs.k8s.io/structured-merge-diff/v6/fieldpath/{element,serialize-pe}.go

/**
 * One step of a path, in the form FieldsV1 has it: "f:name" a field, 'k:{"name":"web"}' an item by its keys,
 * 'v:"x"' an item of a set by its value, "i:0" an item by its position.
 */
export type PathElement = string;

export type Scalar = string | number | boolean | null;

export const field = (name: string): PathElement => `f:${name}`;

/** encoding/json's text, with its escapes for HTML. */
const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&]/g, (c) => (c === "<" ? "\\u003c" : c === ">" ? "\\u003e" : "\\u0026"));

/** `pairs` must be sorted by name. */
export const keyed = (pairs: readonly (readonly [string, Scalar])[]): PathElement => `k:{${pairs.map(([name, value]) => `${jsonText(name)}:${jsonText(value)}`).join(",")}}`;

export const valued = (value: Scalar): PathElement => `v:${jsonText(value)}`;

function compareScalars(a: unknown, b: unknown): number {
  const rank = (value: unknown): number => (typeof value === "number" ? 0 : typeof value === "string" ? 1 : typeof value === "boolean" ? 2 : 3);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareKeys(a: PathElement, b: PathElement): number {
  const left = Object.entries(JSON.parse(a.slice(2)) as Record<string, unknown>);
  const right = Object.entries(JSON.parse(b.slice(2)) as Record<string, unknown>);
  for (const [i, [name, value]] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    if (name !== other[0]) return name < other[0] ? -1 : 1;
    const order = compareScalars(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const KINDS = "fkvi";

/** Fields, then keys, then values, then positions; numbers among them by size. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  const [kind, other] = [KINDS.indexOf(a.charAt(0)), KINDS.indexOf(b.charAt(0))];
  if (kind !== other) return kind - other;
  if (a.startsWith("k:")) return compareKeys(a, b);
  if (a.startsWith("v:") || a.startsWith("i:")) return compareScalars(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As conflicts and errors print it: ".spec", '[name="web"]', '[="x"]', "[0]". */
export function pathElementText(element: PathElement): string {
  const rest = element.slice(2);
  switch (element.charAt(0)) {
    case "k":
      return `[${Object.entries(JSON.parse(rest) as Record<string, unknown>).map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(",")}]`;
    case "v":
      return `[=${JSON.stringify(JSON.parse(rest))}]`;
    case "i":
      return `[${rest}]`;
    default:
      return `.${rest}`;
  }
}

export const pathText = (path: readonly PathElement[]): string => path.map(pathElementText).join("");
