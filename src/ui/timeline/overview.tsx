import { type JSX, type PointerEvent, useEffect, useRef } from "react";
import { CHAPTERS } from "../../content/chapters.ts";
import { chapterMark, chapterName } from "../../timeline/chapter.ts";
import { clockTime } from "../../timeline/format.ts";
import { addPainter } from "../../timeline/frames.ts";
import { useTimeline } from "../../timeline/store.ts";
import { useChapter } from "../../timeline/use-chapter.ts";
import { drawDensity } from "./density.ts";
import type { Lanes } from "./lanes.ts";
import { useScrub } from "./use-scrub.ts";
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
  const bookmarks = useTimeline((state) => state.bookmarks);
  const found = useTimeline((state) => state.found);
  const loop = useTimeline((state) => state.loop);
  useEffect(() => {
    if (canvas.current && lanes && width > 0) drawDensity(canvas.current, width, { lanes, scale, hits, bookmarks, found, loop });
  }, [lanes, width, scale, theme, hits, bookmarks, found, loop]);
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
