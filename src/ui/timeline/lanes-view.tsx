import { type JSX, type PointerEvent, useEffect, useRef, useState } from "react";
import { captionTime, shortTime } from "../../timeline/format.ts";
import { addPainter } from "../../timeline/frames.ts";
import { useTimeline } from "../../timeline/store.ts";
import { FAMILIES, FAMILY_TITLES, type Family } from "../theme/components.ts";
import { FamilyIcon } from "../widgets/icons.tsx";
import { openPanel } from "../widgets/open-panel.ts";
import { drawLanes, type Frame, gapLabels, readPalette, unitAt } from "./draw.ts";
import { type Lanes, marksBetween, nearestNote } from "./lanes.ts";
import { useScrub } from "./use-scrub.ts";
import { useElementSize } from "./use-element-size.ts";
import { useView, zoomed } from "./view.ts";
import styles from "./timeline.module.css";

const LEFT = 104;
const AXIS_HEIGHT = 22;
const MIN_LANE = 13;
const SNAP_PX = 6;

/** One lane per family of components: messages as bars, sentences as ticks. */
export function LanesView({ lanes, ghost, themeKey }: { readonly lanes: Lanes; readonly ghost: Lanes | undefined; readonly themeKey: string }): JSX.Element {
  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useElementSize(area);
  const scale = useTimeline((state) => state.scale);
  const run = useTimeline((state) => state.run);
  const picked = useTimeline((state) => (state.hover?.kind === "hop" ? state.hover.id : state.pinned?.kind === "hop" ? state.pinned.id : -1));
  const loop = useTimeline((state) => state.loop);
  const { x0, x1, show } = useView();
  const [tip, setTip] = useState<{ x: number; y: number; text: string }>();
  const comparing = useTimeline((state) => state.comparing) && ghost !== undefined;
  const rows = FAMILIES.length + (ghost && !comparing ? 1 : 0);
  const laneHeight = Math.max(MIN_LANE, Math.floor((height - AXIS_HEIGHT) / rows));
  const frame: Frame = { width, height: AXIS_HEIGHT + rows * laneHeight, left: LEFT, axisHeight: AXIS_HEIGHT, laneHeight, families: FAMILIES, ghost: ghost === undefined ? "none" : comparing ? "each" : "own" };
  const view = { x0, x1 };

  useEffect(() => {
    show(0, scale.length, scale);
  }, [scale, show]);

  useEffect(() => {
    if (canvas.current && width > 0) drawLanes(canvas.current, frame, { lanes, ghost, forkAt: run?.forkAt, axis: scale, view: { x0, x1 }, palette: readPalette(), picked, loop });
  });

  useWheel(area, frame, view);
  const at = (event: PointerEvent): number => scale.toT(unitAt(frame, view, event.clientX - (area.current?.getBoundingClientRect().left ?? 0)));
  const under = (event: PointerEvent): { note?: number; hop?: number } => {
    const box = area.current?.getBoundingClientRect();
    if (!box) return {};
    const family = FAMILIES[Math.floor((event.clientY - box.top + (area.current?.scrollTop ?? 0) - AXIS_HEIGHT) / laneHeight)];
    const px = event.clientX - box.left;
    if (family === undefined || px < LEFT) return {};
    return pick(lanes, family, scale.toT(unitAt(frame, view, px - SNAP_PX)), scale.toT(unitAt(frame, view, px)), scale.toT(unitAt(frame, view, px + SNAP_PX)));
  };
  const scrub = useScrub(at, (event) => {
    const found = under(event);
    const { seekNote, pin } = useTimeline.getState();
    if (found.note !== undefined) {
      seekNote(found.note);
      pin({ kind: "note", id: found.note });
    } else if (found.hop !== undefined) pin({ kind: "hop", id: found.hop });
  });
  const hoverAt = (event: PointerEvent): void => {
    const found = under(event);
    const { index, setHover } = useTimeline.getState();
    const box = area.current?.getBoundingClientRect();
    if (!index || !box || (found.note === undefined && found.hop === undefined)) {
      setTip(undefined);
      setHover(undefined);
      return;
    }
    setHover(found.note === undefined ? { kind: "hop", id: found.hop ?? -1 } : { kind: "note", id: found.note });
    setTip({ x: event.clientX - box.left, y: event.clientY - box.top, text: describe(index.trace, found) });
  };
  // Where it scrolls, the keyboard must get at it.
  const scrolls = height > 0 && frame.height > height;
  return (
    <div
      ref={area}
      className={styles["lanes"]}
      {...(scrolls ? { role: "group", "aria-label": "Lanes", tabIndex: 0 } : {})}
      {...scrub}
      onPointerMove={(event) => {
        scrub.onPointerMove(event);
        if (event.buttons === 0) hoverAt(event);
      }}
      onPointerLeave={() => {
        setTip(undefined);
        useTimeline.getState().setHover(undefined);
      }}
    >
      <canvas ref={canvas} style={{ width: frame.width, height: frame.height }} aria-hidden="true" data-theme-key={themeKey} />
      <LaneNames frame={frame} />
      {comparing && <p className={styles["pair"]}>with it / without</p>}
      <Gaps frame={frame} />
      <PlayheadLine frame={frame} />
      {tip && (
        <div className={styles["tip"]} style={{ left: Math.min(tip.x + 12, width - 280), top: Math.max(0, tip.y - 34) }}>
          {tip.text}
        </div>
      )}
    </div>
  );
}

function pick(lanes: Lanes, family: Family, from: number, t: number, to: number): { note?: number; hop?: number } {
  const note = nearestNote(lanes.notes[family], t, Math.max(to - t, t - from));
  if (note !== undefined) return { note };
  const mark = marksBetween(lanes.hops[family], from, to, lanes.longest).findLast((one) => one.from <= to && one.to >= from);
  return mark ? { hop: mark.hop } : {};
}

function describe(trace: { note(id: number): { at: number; text: string }; hop(id: number): { verb: string; from: string; to: string; sentAt: number; dueAt: number; subject: string } }, found: { note?: number; hop?: number }): string {
  if (found.note !== undefined) {
    const note = trace.note(found.note);
    return `${captionTime(note.at)}  ${note.text}`;
  }
  const hop = trace.hop(found.hop ?? 0);
  return `${hop.verb} ${hop.subject}  ${hop.from} → ${hop.to}, ${shortTime(hop.dueAt - hop.sentAt)}`;
}

function LaneNames({ frame }: { readonly frame: Frame }): JSX.Element {
  const forkedFrom = useTimeline((state) => state.runs.find((run) => run.id === state.run?.parent)?.title);
  return (
    <ul className={styles["names"]} style={{ paddingTop: frame.axisHeight }}>
      {FAMILIES.map((family) => (
        <li key={family} style={{ height: frame.laneHeight }}>
          <button type="button" data-no-scrub="" aria-label={`Search the events of ${FAMILY_TITLES[family]}`} title="Search the events of this lane" onClick={() => openPanel("Events", `lane:${family}`)}>
            <FamilyIcon family={family} />
            {FAMILY_TITLES[family]}
          </button>
        </li>
      ))}
      {frame.ghost === "own" && (
        <li style={{ height: frame.laneHeight }} title={forkedFrom}>
          without it
        </li>
      )}
    </ul>
  );
}

/** Gaps where much time takes little room say how much; pressing one gives it room. */
function Gaps({ frame }: { readonly frame: Frame }): JSX.Element {
  const scale = useTimeline((state) => state.scale);
  const expanded = useTimeline((state) => state.expandedGaps);
  const toggleGap = useTimeline((state) => state.toggleGap);
  const { x0, x1 } = useView();
  return (
    <div className={styles["gaps"]}>
      {gapLabels(frame, scale, { x0, x1 }).map(({ gap, left, width }) => {
        const open = expanded.has(gap.from);
        return (
          <button key={gap.from} type="button" data-no-scrub="" aria-expanded={open} aria-label={`${shortTime(gap.to - gap.from)} of compressed time`} title={open ? "Show compressed" : "Give this gap room"} style={{ left, width, top: 2 }} onClick={() => toggleGap(gap.from)}>
            {shortTime(gap.to - gap.from)}
          </button>
        );
      })}
    </div>
  );
}

function PlayheadLine({ frame }: { readonly frame: Frame }): JSX.Element {
  const line = useRef<HTMLDivElement>(null);
  const { left, width } = frame;
  const scale = useTimeline((state) => state.scale);
  const { x0, x1 } = useView();
  useEffect(
    () =>
      addPainter((t) => {
        const x = scale.toX(t);
        const { playing } = useTimeline.getState();
        // While it plays, the window goes along page by page.
        if (playing && (x > x1 || x < x0)) useView.getState().show(x - (x1 - x0) * 0.1, x + (x1 - x0) * 0.9, scale);
        if (!line.current) return;
        const px = left + ((x - x0) / (x1 - x0)) * (width - left);
        line.current.style.transform = `translateX(${px.toFixed(1)}px)`;
        line.current.style.visibility = px < left - 1 || px > width ? "hidden" : "";
      }),
    [scale, x0, x1, left, width],
  );
  return <div ref={line} className={styles["line"]} style={{ height: frame.height }} />;
}

/** Ctrl or Cmd and the wheel zooms, a horizontal wheel pans; a plain wheel scrolls as everywhere. */
function useWheel(area: React.RefObject<HTMLElement | null>, frame: Frame, view: { x0: number; x1: number }): void {
  const latest = useRef({ frame, view });
  useEffect(() => {
    latest.current = { frame, view };
  });
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      const { frame: at, view: now } = latest.current;
      const { scale } = useTimeline.getState();
      const share = Math.max(0, (event.clientX - element.getBoundingClientRect().left - at.left) / Math.max(1, at.width - at.left));
      if (event.ctrlKey || event.metaKey) {
        const next = zoomed(now, Math.exp(-event.deltaY * 0.01), share);
        useView.getState().show(next.x0, next.x1, scale);
      } else if (event.deltaX !== 0 || event.shiftKey) {
        const by = ((event.deltaX || event.deltaY) / Math.max(1, at.width - at.left)) * (now.x1 - now.x0);
        useView.getState().show(now.x0 + by, now.x1 + by, scale);
      } else return;
      event.preventDefault();
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [area]);
}
