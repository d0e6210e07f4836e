import { type JSX, type PointerEvent, useEffect, useRef } from "react";
import { CHAPTERS } from "../../content/chapters.ts";
import { chapterMark, chapterName } from "../../timeline/chapter.ts";
import { clockTime } from "../../timeline/format.ts";
import { addPainter } from "../../timeline/frames.ts";
import { useTimeline } from "../../timeline/store.ts";
import { useChapter } from "../../timeline/use-chapter.ts";
import type { Lanes } from "./lanes.ts";
import { readPalette } from "./draw.ts";
import { FAMILIES } from "../theme/components.ts";
import { useElementSize } from "./use-element-size.ts";
import { useView } from "./view.ts";
import styles from "./timeline.module.css";

const FLAG_PX = 22;

/** The whole run in one strip: where the chapters are, where the lanes' window is, and the playhead to drag. */
export function Overview({ lanes, brush }: { readonly lanes: Lanes | undefined; readonly brush: boolean }): JSX.Element {
  const track = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = useElementSize(track);
  const scale = useTimeline((state) => state.scale);
  const theme = useTimeline((state) => state.theme);
  const hits = useTimeline((state) => state.stopHits);
  useEffect(() => {
    if (canvas.current && lanes && width > 0) drawDensity(canvas.current, width, lanes, scale, hits);
  }, [lanes, width, scale, theme, hits]);
  const at = (event: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect();
    return box ? scale.toT(((event.clientX - box.left) / box.width) * scale.length) : 0;
  };
  const scrub = useScrub(at);
  return (
    <div className={styles["overview"]}>
      <Flags width={width} />
      <div ref={track} className={styles["track"]} {...scrub}>
        <canvas ref={canvas} aria-hidden="true" />
        {brush && <Window width={width} />}
        <Thumb width={width} />
      </div>
    </div>
  );
}

/** Pointer down pauses and moves the playhead; release resumes if it was playing. */
export function useScrub(at: (event: PointerEvent) => number, onTap?: (event: PointerEvent) => boolean): { onPointerDown: (event: PointerEvent) => void; onPointerMove: (event: PointerEvent) => void; onPointerUp: (event: PointerEvent) => void; onPointerCancel: (event: PointerEvent) => void } {
  const drag = useRef<{ resume: boolean; x: number; moved: boolean } | undefined>(undefined);
  const end = (event: PointerEvent): void => {
    const held = drag.current;
    drag.current = undefined;
    if (!held) return;
    const { setDragging, play } = useTimeline.getState();
    setDragging(false);
    if (!held.moved) onTap?.(event);
    if (held.resume) play();
  };
  return {
    onPointerDown(event) {
      if (event.button !== 0 || (event.target as Element).closest("[data-no-scrub]")) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const { playing, setDragging, seek } = useTimeline.getState();
      drag.current = { resume: playing, x: event.clientX, moved: false };
      setDragging(true);
      seek(at(event));
    },
    onPointerMove(event) {
      if (!drag.current) return;
      if (Math.abs(event.clientX - drag.current.x) > 3) drag.current.moved = true;
      if (drag.current.moved) useTimeline.getState().seek(at(event));
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

function Thumb({ width }: { readonly width: number }): JSX.Element {
  const thumb = useRef<HTMLDivElement>(null);
  const stepIndex = useTimeline((state) => state.stepIndex);
  const steps = useTimeline((state) => state.steps);
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const scale = useTimeline((state) => state.scale);
  useEffect(
    () =>
      addPainter((t) => {
        if (thumb.current) thumb.current.style.transform = `translateX(${((scale.toX(t) / scale.length) * width).toFixed(1)}px)`;
      }),
    [scale, width],
  );
  const note = steps[stepIndex];
  const text = note === undefined || !index ? "" : `, ${index.trace.note(note).text}`;
  return (
    <div
      ref={thumb}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its keys move by steps, not by equal amounts
      role="slider"
      tabIndex={0}
      aria-label="Playhead"
      aria-orientation="horizontal"
      aria-valuemin={steps.length === 0 ? 0 : 1}
      aria-valuemax={steps.length}
      aria-valuenow={stepIndex + 1}
      aria-valuetext={`step ${stepIndex + 1} of ${steps.length}, ${clockTime(now)}${text}`}
      className={styles["thumb"]}
    >
      <span />
    </div>
  );
}

function Flags({ width }: { readonly width: number }): JSX.Element {
  const chapters = useTimeline((state) => state.chapters);
  const scale = useTimeline((state) => state.scale);
  const current = useChapter();
  const seekChapter = useTimeline((state) => state.seekChapter);
  const reached = chapters.flatMap((chapter) => (chapter.from === undefined ? [] : [{ number: chapter.number, from: chapter.from, title: chapter.title ?? CHAPTERS.find(({ number }) => number === chapter.number)?.title ?? "" }])).sort((a, b) => a.from - b.from || a.number - b.number);
  const places = placeFlags(
    reached.map(({ from }) => (scale.toX(from) / scale.length) * width),
    width,
  );
  return (
    <nav className={styles["flags"]} aria-label="Chapters on the timeline">
      {reached.map(({ number, title }, i) => (
        <button key={number} type="button" style={{ left: places[i] }} aria-current={number === current ? "step" : undefined} aria-label={`${chapterName(number)}: ${title}`} title={`${chapterMark(number)} ${title}`} onClick={() => seekChapter(number)}>
          {chapterMark(number)}
        </button>
      ))}
    </nav>
  );
}

/** Flags that would lie on each other are pushed apart, and back from the right edge. */
function placeFlags(wanted: readonly number[], width: number): number[] {
  const room = FLAG_PX + 2;
  const places: number[] = [];
  for (const [i, x] of wanted.entries()) places.push(Math.min(Math.max(x, (places.at(-1) ?? -room) + room), width - (wanted.length - i) * room));
  return places;
}

/** The lanes' window; its edges can be dragged, and the arrow keys move them. */
function Window({ width }: { readonly width: number }): JSX.Element | null {
  const { x0, x1, show } = useView();
  const scale = useTimeline((state) => state.scale);
  const drag = useRef<{ edge: "start" | "end"; box: DOMRect } | undefined>(undefined);
  if (x1 - x0 >= scale.length - 1e-6) return null;
  const left = (x0 / scale.length) * width;
  const right = (x1 / scale.length) * width;
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (!drag.current) return;
    const x = ((event.clientX - drag.current.box.left) / drag.current.box.width) * scale.length;
    if (drag.current.edge === "start") show(Math.min(x, x1 - 0.05), x1, scale);
    else show(x0, Math.max(x, x0 + 0.05), scale);
  };
  return (
    <div className={styles["window"]} style={{ left, width: Math.max(4, right - left) }} aria-hidden="true">
      {(["start", "end"] as const).map((edge) => (
        <div
          key={edge}
          data-no-scrub=""
          data-edge={edge}
          onPointerDown={(event) => {
            const box = event.currentTarget.closest(`.${styles["track"]}`)?.getBoundingClientRect();
            if (!box) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            drag.current = { edge, box };
          }}
          onPointerMove={move}
          onPointerUp={() => {
            drag.current = undefined;
          }}
        />
      ))}
    </div>
  );
}

const HEIGHT = 22;

function drawDensity(canvas: HTMLCanvasElement, width: number, lanes: Lanes, scale: { length: number; toX(t: number): number; gaps: readonly { x0: number; x1: number }[] }, hits: readonly { readonly at: number }[]): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = HEIGHT * ratio;
  const g = canvas.getContext("2d");
  if (!g) return;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  const palette = readPalette();
  const px = (x: number): number => (x / scale.length) * width;
  g.fillStyle = palette.raised;
  for (const gap of scale.gaps) g.fillRect(px(gap.x0), 0, Math.max(1, px(gap.x1) - px(gap.x0)), HEIGHT);
  FAMILIES.forEach((family, i) => {
    g.fillStyle = palette.hues[family];
    let last = -2;
    for (const time of lanes.notes[family].times) {
      const x = Math.round(px(scale.toX(time)));
      if (x <= last + 1) continue;
      last = x;
      g.fillRect(x, 2 + i * 2, 2, 3);
    }
  });
  // Breakpoints: posts that are wider at the foot.
  g.fillStyle = palette.accent;
  let post = -4;
  for (const { at } of hits) {
    const x = Math.round(px(scale.toX(at)));
    if (x < post + 3) continue;
    post = x;
    g.fillRect(x, HEIGHT - 9, 1, 9);
    g.fillRect(x - 2, HEIGHT - 3, 5, 3);
  }
  for (const input of lanes.inputs) {
    if (!input.verb.startsWith("fault")) continue;
    g.fillStyle = input.verb.endsWith("end") ? palette.ink2 : palette.fail;
    const x = Math.min(width - 3, Math.max(3, px(scale.toX(input.at))));
    g.fillRect(x - 1, 0, 2, HEIGHT);
    g.beginPath();
    g.moveTo(x - 5, 0);
    g.lineTo(x + 5, 0);
    g.lineTo(x, 8);
    g.fill();
  }
}
