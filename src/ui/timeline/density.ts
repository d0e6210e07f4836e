import type { Bookmark, Loop } from "../../timeline/bookmarks.ts";
import { FAMILIES } from "../theme/components.ts";
import { type Palette, readPalette } from "./draw.ts";
import type { Lanes } from "./lanes.ts";

const HEIGHT = 22;

interface Strip {
  readonly lanes: Lanes;
  readonly scale: { readonly length: number; toX(t: number): number; readonly gaps: readonly { readonly x0: number; readonly x1: number }[] };
  readonly hits: readonly { readonly at: number }[];
  readonly bookmarks: readonly Bookmark[];
  /** Times that the search has found. */
  readonly found: readonly number[];
  readonly loop: Loop | undefined;
}

/** The whole run as one strip of ticks, with the marks that the reader and the faults have set. */
export function drawDensity(canvas: HTMLCanvasElement, width: number, strip: Strip): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = HEIGHT * ratio;
  const g = canvas.getContext("2d");
  if (!g) return;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  const palette = readPalette();
  const { scale } = strip;
  const unit = (x: number): number => (x / scale.length) * width;
  const px = (t: number): number => unit(scale.toX(t));
  g.fillStyle = palette.raised;
  for (const gap of scale.gaps) g.fillRect(unit(gap.x0), 0, Math.max(1, unit(gap.x1) - unit(gap.x0)), HEIGHT);
  drawSteps(g, strip.lanes, palette, px);
  g.fillStyle = palette.accent;
  drawPosts(g, strip.hits.map(({ at }) => px(at)));
  drawFlags(g, strip.bookmarks.map(({ at }) => px(at)));
  drawFound(g, palette, strip.found.map(px));
  if (strip.loop) drawLoop(g, palette, px(strip.loop.from), px(strip.loop.to));
  drawFaults(g, palette, width, strip, px);
}

function drawSteps(g: CanvasRenderingContext2D, lanes: Lanes, palette: Palette, px: (t: number) => number): void {
  FAMILIES.forEach((family, i) => {
    g.fillStyle = palette.hues[family];
    let last = -2;
    for (const time of lanes.notes[family].times) {
      const x = Math.round(px(time));
      if (x <= last + 1) continue;
      last = x;
      g.fillRect(x, 2 + i * 2, 2, 3);
    }
  });
}

/** Breakpoints: posts that are wider at the foot. */
function drawPosts(g: CanvasRenderingContext2D, places: readonly number[]): void {
  let post = -4;
  for (const place of places) {
    const x = Math.round(place);
    if (x < post + 3) continue;
    post = x;
    g.fillRect(x, HEIGHT - 9, 1, 9);
    g.fillRect(x - 2, HEIGHT - 3, 5, 3);
  }
}

/** Bookmarks: pennants from the top. */
function drawFlags(g: CanvasRenderingContext2D, places: readonly number[]): void {
  for (const x of places) {
    g.fillRect(Math.round(x), 0, 1, HEIGHT);
    g.beginPath();
    g.moveTo(x, 0);
    g.lineTo(x + 7, 3.5);
    g.lineTo(x, 7);
    g.fill();
  }
}

/** What the search has found: rings, merged where they would lie on each other. */
function drawFound(g: CanvasRenderingContext2D, palette: Palette, places: readonly number[]): void {
  g.strokeStyle = palette.ink;
  g.lineWidth = 1.5;
  let last = -8;
  for (const x of places) {
    if (x < last + 6) continue;
    last = x;
    g.beginPath();
    g.arc(x, HEIGHT / 2, 4, 0, 2 * Math.PI);
    g.stroke();
  }
}

/** The loop: a bracket over its stretch. */
function drawLoop(g: CanvasRenderingContext2D, palette: Palette, from: number, to: number): void {
  g.strokeStyle = palette.accent;
  g.lineWidth = 2;
  g.beginPath();
  g.moveTo(from, 7);
  g.lineTo(from, 1);
  g.lineTo(to, 1);
  g.lineTo(to, 7);
  g.stroke();
}

function drawFaults(g: CanvasRenderingContext2D, palette: Palette, width: number, { lanes }: Strip, px: (t: number) => number): void {
  for (const input of lanes.inputs) {
    if (!input.verb.startsWith("fault")) continue;
    g.fillStyle = input.verb.endsWith("end") ? palette.ink2 : palette.fail;
    const x = Math.min(width - 3, Math.max(3, px(input.at)));
    g.fillRect(x - 1, 0, 2, HEIGHT);
    g.beginPath();
    g.moveTo(x - 5, 0);
    g.lineTo(x + 5, 0);
    g.lineTo(x, 8);
    g.fill();
  }
}
