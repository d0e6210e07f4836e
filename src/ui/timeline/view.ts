import { create } from "zustand";
import type { Axis } from "../../timeline/axis.ts";
import { playhead } from "../../timeline/playhead.ts";
import { useTimeline } from "../../timeline/store.ts";

/** The window on the axis, in axis units: what the lanes show. */
export interface View {
  readonly x0: number;
  readonly x1: number;
}

interface Zoom extends View {
  /** Shows [x0, x1], kept within the axis. */
  show(x0: number, x1: number, axis: Axis): void;
}

/** Microseconds per pixel are clamped: deeper zoom shows nothing more. */
const MIN_UNITS = 0.02;

export const useView = create<Zoom>()((set) => ({
  x0: 0,
  x1: 1,
  show(x0, x1, axis) {
    const width = Math.min(axis.length, Math.max(MIN_UNITS, x1 - x0));
    const start = Math.max(0, Math.min(axis.length - width, x0));
    set({ x0: start, x1: start + width });
  },
}));

/** The window after zooming by `factor` around a point at share `at` (0 to 1) of it. */
export function zoomed(view: View, factor: number, at: number): View {
  const width = (view.x1 - view.x0) / factor;
  const fixed = view.x0 + (view.x1 - view.x0) * at;
  return { x0: fixed - width * at, x1: fixed + width * (1 - at) };
}

const ZOOM = 1.5;
const PAN = 0.25;

/** Moves the window by the keyboard. */
export function moveView(how: "in" | "out" | "left" | "right" | "all"): void {
  const view = useView.getState();
  const { scale } = useTimeline.getState();
  const width = view.x1 - view.x0;
  // Zoom keeps the playhead where it is, if it can be seen.
  const share = (scale.toX(playhead.get()) - view.x0) / width;
  const next =
    how === "all" ? { x0: 0, x1: scale.length } : how === "left" || how === "right" ? { x0: view.x0 + width * (how === "left" ? -PAN : PAN), x1: view.x1 + width * (how === "left" ? -PAN : PAN) } : zoomed(view, how === "in" ? ZOOM : 1 / ZOOM, share >= 0 && share <= 1 ? share : 0.5);
  view.show(next.x0, next.x1, scale);
}

/** Puts a time (microseconds) into the middle of the window; where it is there already, the window closes in on it. */
export function centreOn(t: number): void {
  const { x0, x1, show } = useView.getState();
  const { scale } = useTimeline.getState();
  const x = scale.toX(t);
  const middle = (x0 + x1) / 2;
  const half = (x1 - x0) / 2 / (Math.abs(middle - x) < (x1 - x0) / 100 ? 2 * ZOOM : 1);
  show(x - half, x + half, scale);
}
