/** Where text cannot be measured (tests), the mean width of a character at 1 px size. */
const CHARACTER = 0.56;
const MAX_CACHE = 5000;

let context: CanvasRenderingContext2D | null | undefined;
let cache = new Map<string, string>();

/** Pixels that a text takes. */
export function widthOf(text: string, size: number, bold: boolean): number {
  if (context === undefined) context = typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
  if (!context) return text.length * size * CHARACTER;
  context.font = `${bold ? 600 : 400} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width;
}

/** The text, cut with an ellipsis if it would be wider than `width` px at `size` px. `end` keeps its end instead. */
export function fit(text: string, width: number, size: number, bold = false, end = false): string {
  const key = `${size}/${Math.round(width)}/${bold}/${end}/${text}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size > MAX_CACHE) cache = new Map();
  const fitted = measureFit(text, width, size, bold, end);
  cache.set(key, fitted);
  return fitted;
}

function measureFit(text: string, width: number, size: number, bold: boolean, end: boolean): string {
  if (widthOf(text, size, bold) <= width) return text;
  const cut = (length: number): string => (end ? `…${text.slice(text.length - length).replace(/^-/, "")}` : `${text.slice(0, length).trimEnd()}…`);
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOf(cut(middle), size, bold) <= width) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? "" : cut(low);
}

/** At most `lines` lines of words. */
export function wrap(text: string, width: number, size: number, lines: number): string[] {
  const wrapped: string[] = [];
  let rest = text.split(" ");
  while (rest.length > 0 && wrapped.length < lines) {
    if (wrapped.length === lines - 1) {
      wrapped.push(fit(rest.join(" "), width, size));
      break;
    }
    let count = 1;
    while (count < rest.length && widthOf(rest.slice(0, count + 1).join(" "), size, false) <= width) count++;
    wrapped.push(fit(rest.slice(0, count).join(" "), width, size));
    rest = rest.slice(count);
  }
  return wrapped;
}
