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
const BEND = 0.16;

/** The curve from border to border of two boxes; it bends to its left, so that there and back differ. */
export function curveBetween(from: Rect, to: Rect): Curve | undefined {
  const a = { x: from.x + from.w / 2, y: from.y + from.h / 2 };
  const b = { x: to.x + to.w / 2, y: to.y + to.h / 2 };
  if (Math.hypot(b.x - a.x, b.y - a.y) < 1) return undefined;
  const start = border(from, b.x, b.y);
  const end = border(to, a.x, a.y);
  const length = Math.max(1, Math.hypot(end.x - start.x, end.y - start.y));
  const bend = Math.min(MAX_BEND, length * BEND);
  const cx = (start.x + end.x) / 2 + ((end.y - start.y) / length) * bend;
  const cy = (start.y + end.y) / 2 - ((end.x - start.x) / length) * bend;
  return { x0: start.x, y0: start.y, cx, cy, x1: end.x, y1: end.y, d: `M${f(start.x)} ${f(start.y)}Q${f(cx)} ${f(cy)} ${f(end.x)} ${f(end.y)}` };
}

/** Where the line from a box's centre towards (x, y), a point outside, leaves it. */
function border(box: Rect, x: number, y: number): { x: number; y: number } {
  const mx = box.x + box.w / 2;
  const my = box.y + box.h / 2;
  const dx = x - mx;
  const dy = y - my;
  const k = 1 / Math.max(Math.abs(dx) / (box.w / 2), Math.abs(dy) / (box.h / 2), 1);
  return { x: mx + dx * k, y: my + dy * k };
}

/** The point at share `p` (0 to 1) of the curve. */
export function pointOn(curve: Curve, p: number): { x: number; y: number } {
  const q = 1 - p;
  return { x: q * q * curve.x0 + 2 * q * p * curve.cx + p * p * curve.x1, y: q * q * curve.y0 + 2 * q * p * curve.cy + p * p * curve.y1 };
}

const f = (value: number): string => value.toFixed(1);
