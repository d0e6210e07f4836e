import type { Axis } from "../../timeline/axis.ts";
import type { Loop } from "../../timeline/bookmarks.ts";
import { tickTime } from "../../timeline/format.ts";
import { FAMILIES, type Family } from "../theme/components.ts";
import { type Lanes, marksBetween } from "./lanes.ts";
import type { View } from "./view.ts";

/** Colours as the theme has them now: canvases must ask again when it changes. */
export interface Palette {
  readonly ink: string;
  readonly ink2: string;
  readonly hairline: string;
  readonly control: string;
  readonly surface: string;
  readonly raised: string;
  readonly fail: string;
  readonly accent: string;
  readonly hues: Readonly<Record<Family, string>>;
}

let known: { readonly sign: string; readonly palette: Palette } | undefined;

/** Reads the theme's colours; asked for with each drawing, so what was read is kept until the theme changes. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const sign = `${style.getPropertyValue("--ink")}${style.getPropertyValue("--canvas")}${style.getPropertyValue("--hue-kubectl")}`;
  if (known?.sign === sign) return known.palette;
  const palette = paletteOf(style);
  known = { sign, palette };
  return palette;
}

function paletteOf(style: CSSStyleDeclaration): Palette {
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: token("ink"),
    ink2: token("ink-2"),
    hairline: token("hairline"),
    control: token("control"),
    surface: token("surface"),
    raised: token("raised"),
    fail: token("fail"),
    accent: token("accent"),
    hues: Object.fromEntries(FAMILIES.map((family) => [family, token(`hue-${family}`)])) as Record<Family, string>,
  };
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Room for lane names at the left. */
  readonly left: number;
  readonly axisHeight: number;
  readonly laneHeight: number;
  readonly families: readonly Family[];
  /** Where the other run is drawn: nowhere, in a lane of its own, or in the lower half of each lane. */
  readonly ghost: "none" | "own" | "each";
}

export interface Scene {
  readonly lanes: Lanes;
  readonly ghost: Lanes | undefined;
  readonly forkAt: number | undefined;
  readonly axis: Axis;
  readonly view: View;
  readonly palette: Palette;
  readonly picked: number;
  readonly loop: Loop | undefined;
}

/** Least distance between tick labels (px). */
const TICK_GAP = 14;
const GAP_LABEL_PX = 54;
/** Bars wider than this say what they are, in lanes high enough for it. */
const LABEL_PX = 64;
const LABEL_LANE = 24;
/** Marks narrower than this merge into ticks of this width. */
const MERGE_PX = 2;

export function xOf(frame: Frame, view: View, x: number): number {
  return frame.left + ((x - view.x0) / (view.x1 - view.x0)) * (frame.width - frame.left);
}

export function unitAt(frame: Frame, view: View, px: number): number {
  return view.x0 + ((px - frame.left) / Math.max(1, frame.width - frame.left)) * (view.x1 - view.x0);
}

/** Draws the static part: axis, gaps, lanes and their marks. The playhead is a layer of its own. */
export function drawLanes(canvas: HTMLCanvasElement, frame: Frame, scene: Scene): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(frame.width * ratio);
  canvas.height = Math.round(frame.height * ratio);
  const g = canvas.getContext("2d");
  if (!g) return;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, frame.width, frame.height);
  g.font = "11px system-ui, sans-serif";
  g.textBaseline = "middle";
  if (scene.loop) drawLoop(g, frame, scene, scene.loop);
  drawGaps(g, frame, scene);
  drawTicks(g, frame, scene);
  frame.families.forEach((family, i) => {
    const y = frame.axisHeight + i * frame.laneHeight;
    g.fillStyle = scene.palette.hairline;
    g.fillRect(0, y, frame.width, 1);
    const half = { ...frame, laneHeight: frame.laneHeight / 2 };
    drawLane(g, frame.ghost === "each" ? half : frame, scene, scene.lanes, family, y, false);
    if (frame.ghost === "each" && scene.ghost) drawLane(g, half, scene, scene.ghost, family, y + half.laneHeight, true);
  });
  if (frame.ghost === "own" && scene.ghost) drawGhost(g, frame, scene, scene.ghost);
  drawInputs(g, frame, scene);
}

function drawLoop(g: CanvasRenderingContext2D, frame: Frame, { axis, view, palette }: Scene, { from, to }: Loop): void {
  const a = Math.max(frame.left, xOf(frame, view, axis.toX(from)));
  const b = Math.min(frame.width, xOf(frame, view, axis.toX(to)));
  if (b <= a) return;
  g.globalAlpha = 0.1;
  g.fillStyle = palette.accent;
  g.fillRect(a, 0, b - a, frame.height);
  g.globalAlpha = 1;
  g.fillRect(a, 0, b - a, 2);
}

function drawGaps(g: CanvasRenderingContext2D, frame: Frame, { axis, view, palette }: Scene): void {
  g.strokeStyle = palette.hairline;
  g.lineWidth = 1;
  for (const gap of axis.gaps) {
    if (gap.x1 < view.x0 || gap.x0 > view.x1) continue;
    const a = Math.max(frame.left, xOf(frame, view, gap.x0));
    const b = Math.min(frame.width, xOf(frame, view, gap.x1));
    if (b - a < 3) continue;
    g.save();
    g.beginPath();
    g.rect(a, frame.axisHeight, b - a, frame.height - frame.axisHeight);
    g.clip();
    g.beginPath();
    for (let x = a - frame.height; x < b; x += 7) {
      g.moveTo(x, frame.height);
      g.lineTo(x + frame.height, 0);
    }
    g.stroke();
    g.restore();
  }
}

function drawTicks(g: CanvasRenderingContext2D, frame: Frame, { axis, view, palette }: Scene): void {
  g.fillStyle = palette.ink2;
  g.textAlign = "center";
  const taken = gapLabels(frame, axis, view);
  let last = Number.NEGATIVE_INFINITY;
  for (const { t, step } of ticks(axis, view)) {
    const x = xOf(frame, view, axis.toX(t));
    const text = tickTime(t, step);
    const half = g.measureText(text).width / 2;
    if (x - half < frame.left || x + half > frame.width || x - half - last < TICK_GAP) continue;
    if (taken.some((gap) => x + half > gap.left - 4 && x - half < gap.left + gap.width + 4)) continue;
    last = x + half;
    g.fillRect(Math.round(x), frame.axisHeight - 3, 1, 3);
    g.fillText(text, x, frame.axisHeight / 2);
  }
}

/** Where the labels of compressed gaps are: in the axis row, in the middle of their gap. */
export function gapLabels(frame: Frame, axis: Axis, view: View): { readonly gap: Axis["gaps"][number]; readonly left: number; readonly width: number }[] {
  return axis.gaps.flatMap((gap) => {
    const a = Math.max(frame.left, xOf(frame, view, gap.x0));
    const b = Math.min(frame.width, xOf(frame, view, gap.x1));
    return b - a < GAP_LABEL_PX ? [] : [{ gap, left: (a + b - GAP_LABEL_PX) / 2, width: GAP_LABEL_PX }];
  });
}

const HOUR = 3600e6;
/** Steps that are round on a clock: 1, 2, 5, 10, 30 minutes, 1, 2, 6 hours. */
const MINUTES = [60e6, 120e6, 300e6, 600e6, 1800e6, 3600e6, 7200e6, 21_600e6] as const;

/** Round times within the view, each with its step: some for each stretch of it, because the axis is not linear. */
function ticks(axis: Axis, view: View): { t: number; step: number }[] {
  const found = new Map<number, number>();
  const pieces = 24;
  for (let i = 0; i <= pieces; i++) {
    const a = axis.toT(view.x0 + ((view.x1 - view.x0) * i) / pieces);
    const b = axis.toT(view.x0 + ((view.x1 - view.x0) * (i + 1)) / pieces);
    const span = Math.max(1, b - a);
    const decade = Math.max(1, 10 ** Math.floor(Math.log10(span)));
    for (const step of a >= HOUR && span >= MINUTES[0] ? MINUTES.toReversed() : [decade * 10, decade * 5, decade * 2, decade]) {
      const t = Math.ceil(a / step) * step;
      if (t > b) continue;
      if (!found.has(t)) found.set(t, step);
      break;
    }
  }
  return [...found].map(([t, step]) => ({ t, step })).sort((one, other) => one.t - other.t);
}

function drawLane(g: CanvasRenderingContext2D, frame: Frame, { axis, view, palette, picked }: Scene, lanes: Lanes, family: Family, y: number, ghost: boolean): void {
  const h = frame.ghost === "each" ? Math.max(3, frame.laneHeight - 4) : ghost ? frame.laneHeight - 8 : Math.min(10, frame.laneHeight - 8);
  const top = y + (frame.laneHeight - h) / 2;
  const hue = palette.hues[family];
  const from = axis.toT(view.x0) - 1;
  const to = axis.toT(view.x1) + 1;
  g.fillStyle = hue;
  let reach = Number.NEGATIVE_INFINITY;
  g.globalAlpha = ghost ? 0.35 : 0.8;
  for (const mark of marksBetween(lanes.hops[family], from, to, lanes.longest)) {
    if (mark.failed) continue;
    const a = Math.max(frame.left, xOf(frame, view, axis.toX(mark.from)));
    const b = xOf(frame, view, axis.toX(mark.to));
    if (b < frame.left || (b <= reach && b - a < MERGE_PX)) continue;
    const width = Math.max(MERGE_PX, b - a);
    reach = a + width;
    g.fillRect(a, top + h / 4, width, h / 2);
    if (width > LABEL_PX && frame.laneHeight >= LABEL_LANE && !ghost) label(g, lanes, mark.hop, a, width, top, palette.ink2);
  }
  g.globalAlpha = ghost ? 0.5 : 1;
  let lastTick = Number.NEGATIVE_INFINITY;
  for (const time of lanes.notes[family].times) {
    if (time < from || time > to) continue;
    const x = xOf(frame, view, axis.toX(time));
    if (x - lastTick < 1.5) continue;
    lastTick = x;
    g.fillRect(Math.round(x) - 1, top - 1, 2, h + 2);
  }
  g.globalAlpha = 1;
  for (const mark of lanes.hops[family]) {
    if (mark.hop === picked && !ghost) ring(g, xOf(frame, view, axis.toX(mark.from)), xOf(frame, view, axis.toX(mark.to)), top - 3, h + 6, palette.accent);
    if (mark.failed && mark.to >= from && mark.from <= to) cross(g, xOf(frame, view, axis.toX(mark.to)), y + frame.laneHeight / 2, palette.fail);
  }
}

function label(g: CanvasRenderingContext2D, lanes: Lanes, hop: number, x: number, width: number, top: number, ink: string): void {
  const text = lanes.labels(hop);
  if (text === "") return;
  g.save();
  g.beginPath();
  g.rect(x, top - 12, width - 4, 24);
  g.clip();
  g.globalAlpha = 1;
  g.textAlign = "left";
  g.fillStyle = ink;
  g.fillText(text, x + 4, top - 4);
  g.restore();
}

function ring(g: CanvasRenderingContext2D, a: number, b: number, y: number, h: number, colour: string): void {
  g.strokeStyle = colour;
  g.lineWidth = 2;
  g.strokeRect(a - 2, y, Math.max(4, b - a) + 4, h);
}

function cross(g: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  g.strokeStyle = colour;
  g.lineWidth = 2;
  g.beginPath();
  g.moveTo(x - 3.5, y - 3.5);
  g.lineTo(x + 3.5, y + 3.5);
  g.moveTo(x + 3.5, y - 3.5);
  g.lineTo(x - 3.5, y + 3.5);
  g.stroke();
}

/** The parent's future: all its notes in one lane, and where the two part. */
function drawGhost(g: CanvasRenderingContext2D, frame: Frame, scene: Scene, ghost: Lanes): void {
  const y = frame.axisHeight + frame.families.length * frame.laneHeight;
  g.fillStyle = scene.palette.hairline;
  g.fillRect(0, y, frame.width, 1);
  for (const family of frame.families) drawLane(g, frame, scene, ghost, family, y, true);
  if (scene.forkAt === undefined) return;
  const x = xOf(frame, scene.view, scene.axis.toX(scene.forkAt));
  if (x < frame.left) return;
  g.strokeStyle = scene.palette.ink2;
  g.setLineDash([3, 3]);
  g.lineWidth = 1;
  g.beginPath();
  g.moveTo(x + 0.5, frame.axisHeight);
  g.lineTo(x + 0.5, y + frame.laneHeight);
  g.stroke();
  g.setLineDash([]);
}

/** Bolts where faults begin and end, over all lanes. */
function drawInputs(g: CanvasRenderingContext2D, frame: Frame, { lanes, axis, view, palette }: Scene): void {
  for (const input of lanes.inputs) {
    if (!input.verb.startsWith("fault")) continue;
    const x = xOf(frame, view, axis.toX(input.at));
    if (x < frame.left) continue;
    const ends = input.verb.endsWith("end");
    g.fillStyle = ends ? palette.ink2 : palette.fail;
    g.globalAlpha = 0.6;
    g.fillRect(Math.round(x) - 0.5, frame.axisHeight - 6, 1.5, frame.height - frame.axisHeight + 6);
    g.globalAlpha = 1;
    // At the left edge the mark stays whole.
    const cx = Math.max(x, frame.left + 9);
    const cy = frame.axisHeight - 9;
    g.beginPath();
    g.arc(cx, cy, 8, 0, 2 * Math.PI);
    g.fill();
    g.fillStyle = palette.surface;
    g.beginPath();
    for (const [dx, dy] of [[1, -6], [-4, 1], [-0.5, 1], [-1, 6], [4.5, -2], [0.8, -2]] as const) g.lineTo(cx + dx, cy + dy);
    g.fill();
  }
}
