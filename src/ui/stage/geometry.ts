import type { Rect } from "./layout.ts";

/** A quadratic curve between two boxes. */
export interface Curve {
  readonly x0: number;
  readonly y0: number;
  readonly cx: number;
  readonly cy: number;
  readonly x1: number;
  readonly y1: number;
  readonly d: string;
}

const MAX_BEND = 26;

/** The curve from box to box: it leaves and meets them at their borders, and bends to its left, so that there and back differ. */
export function curveBetween(from: Rect, to: Rect): Curve | undefined {
  const ax = from.x + from.w / 2;
  const ay = from.y + from.h / 2;
  const bx = to.x + to.w / 2;
  const by = to.y + to.h / 2;
  const length = Math.hypot(bx - ax, by - ay);
  if (length < 1) return undefined;
  const bend = Math.min(MAX_BEND, length * 0.1);
  const cx = (ax + bx) / 2 + ((by - ay) / length) * bend;
  const cy = (ay + by) / 2 - ((bx - ax) / length) * bend;
  const start = border(from, cx, cy);
  const end = border(to, cx, cy);
  return { x0: start.x, y0: start.y, cx, cy, x1: end.x, y1: end.y, d: `M${f(start.x)} ${f(start.y)}Q${f(cx)} ${f(cy)} ${f(end.x)} ${f(end.y)}` };
}

/** Where the line from a box's centre towards (x, y) leaves it. */
function border(box: Rect, x: number, y: number): { x: number; y: number } {
  const mx = box.x + box.w / 2;
  const my = box.y + box.h / 2;
  const dx = x - mx;
  const dy = y - my;
  const scale = 1 / Math.max(Math.abs(dx) / (box.w / 2), Math.abs(dy) / (box.h / 2), 1e-6);
  const k = Math.min(1, scale);
  return { x: mx + dx * k, y: my + dy * k };
}

/** The point at share `p` (0 to 1) of the curve. */
export function pointOn(curve: Curve, p: number): { x: number; y: number } {
  const q = 1 - p;
  return { x: q * q * curve.x0 + 2 * q * p * curve.cx + p * p * curve.x1, y: q * q * curve.y0 + 2 * q * p * curve.cy + p * p * curve.y1 };
}

const f = (value: number): string => value.toFixed(1);
