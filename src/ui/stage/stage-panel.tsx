import { select, zoom as createZoom, zoomIdentity, type ZoomBehavior } from "d3";
import { type JSX, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { addPainter, requestFrame } from "../../timeline/frames.ts";
import { hopOfNote } from "../../timeline/steps.ts";
import { useTimeline } from "../../timeline/store.ts";
import { Icon } from "../widgets/icons.tsx";
import { Internals } from "./internals.tsx";
import { WaitsFeed } from "./lazy-waits.tsx";
import { Marks } from "./marks.ts";
import { StageContext } from "./stage-context.ts";
import { StageGround, StageScene } from "./stage-scene.tsx";
import { useStage } from "./use-stage.ts";
import styles from "./stage.module.css";
import "./stage.css";

const ZOOM_LIMITS: [number, number] = [0.5, 6];
const ZOOM_STEP = 1.4;
/** Steps from the one shown on whose hops are drawn in any case. */
const TOLD = 4;

/** The cluster, with every message in flight: what is drawn is a function of the trace and t. */
export function StagePanel({ compact = false }: { readonly compact?: boolean }): JSX.Element {
  const { layout, cast, pods } = useStage(compact);
  const index = useTimeline((state) => state.index);
  const detail = useTimeline((state) => state.detail);
  const stepIndex = useTimeline((state) => state.stepIndex);
  const steps = useTimeline((state) => state.steps);
  const reducedMotion = useTimeline((state) => state.reducedMotion);
  const toggleNode = useTimeline((state) => state.toggleNode);
  const pin = useTimeline((state) => state.pin);
  const [inside, setInside] = useState<string>();
  const [focused, setFocused] = useState("kubectl");
  const svg = useRef<SVGSVGElement>(null);
  const camera = useRef<SVGGElement>(null);
  const edgeLayer = useRef<SVGGElement>(null);
  const tokenLayer = useRef<SVGGElement>(null);
  const marks = useRef<Marks>(undefined);
  const { percent, zoomBy, fit } = useCamera(svg, camera, layout.width, layout.height);

  useEffect(() => {
    if (!edgeLayer.current || !tokenLayer.current) return;
    const edges = edgeLayer.current;
    const tokens = tokenLayer.current;
    const drawn = new Marks(edges, tokens);
    marks.current = drawn;
    const remove = addPainter((t, wall) => drawn.paint(t, wall));
    const onClick = (event: MouseEvent): void => {
      const hop = drawn.hopOf(event.target);
      if (hop !== undefined) pin({ kind: "hop", id: hop });
    };
    tokens.addEventListener("click", onClick);
    return () => {
      remove();
      tokens.removeEventListener("click", onClick);
      edges.replaceChildren();
      tokens.replaceChildren();
    };
  }, [pin]);

  useEffect(() => {
    if (!index || !marks.current) return;
    const note = steps[stepIndex];
    marks.current.reducedMotion = reducedMotion;
    const told = [...steps.subarray(Math.max(0, stepIndex), stepIndex + TOLD)].map((id) => hopOfNote(index, id)).filter((hop) => hop >= 0);
    marks.current.show(index, layout, detail, note === undefined ? -1 : hopOfNote(index, note), told);
    requestFrame();
  }, [index, layout, detail, steps, stepIndex, reducedMotion]);

  const picked = useTimeline((state) => (state.hover?.kind === "hop" ? state.hover.id : state.pinned?.kind === "hop" ? state.pinned.id : -1));
  useEffect(() => {
    marks.current?.pick(picked);
    requestFrame();
  }, [picked]);

  const open = useCallback(
    (id: string) => {
      if (id.startsWith("node:")) toggleNode(id.slice(5));
      else if (!id.startsWith("/")) setInside(id);
    },
    [toggleNode],
  );
  const actions = useMemo(() => ({ open, focused, focus: setFocused }), [open, focused]);

  useStageKeys(svg);

  return (
    <section id="stage" aria-label="Stage" tabIndex={-1} data-keys="stage" className={styles["panel"]}>
      <StageContext value={actions}>
        <svg
          ref={svg}
          className={`stage ${styles["svg"]}`}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          preserveAspectRatio="xMidYMid meet"
          aria-label="Cluster"
        >
          <defs>
            <pattern id="stripes" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="8" height="8" className="stripe-ground" />
              <rect width="3.500" height="8" className="stripe" />
            </pattern>
            <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" markerUnits="userSpaceOnUse">
              <path d="M0 0.500 7.500 4 0 7.500z" fill="context-stroke" />
            </marker>
          </defs>
          <g ref={camera}>
            <StageGround layout={layout} cast={cast} />
            <g ref={edgeLayer} className="edges" aria-hidden="true" />
            <StageScene layout={layout} pods={pods} />
            <g ref={tokenLayer} className="tokens" aria-hidden="true" />
          </g>
        </svg>
      </StageContext>
      {inside !== undefined && (
        <Internals
          id={inside}
          onClose={() => {
            setInside(undefined);
            svg.current?.querySelector<SVGGElement>(`[data-stage-item="${CSS.escape(focused)}"]`)?.focus();
          }}
        />
      )}
      <WaitsFeed />
      <Readout />
      <div className={styles["tools"]}>
        <button type="button" className="button button-quiet" aria-label="Fit the stage" title="Fit (Shift+1)" data-stage-fit="" onClick={fit}>
          <Icon name="fit" />
        </button>
        <button type="button" className="button button-quiet" aria-label="Zoom the stage out" onClick={() => zoomBy(1 / ZOOM_STEP)}>
          <Icon name="minus" />
        </button>
        <span className={`tabular ${styles["percent"]}`}>{percent} %</span>
        <button type="button" className="button button-quiet" aria-label="Zoom the stage in" onClick={() => zoomBy(ZOOM_STEP)}>
          <Icon name="plus" />
        </button>
      </div>
    </section>
  );
}

/** Up and Down walk what is on the stage, in the order of the flow. */
function useStageKeys(svg: React.RefObject<SVGSVGElement | null>): void {
  useEffect(() => {
    const element = svg.current;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      const items = [...(element?.querySelectorAll<SVGGElement>("[data-stage-item]") ?? [])];
      const at = items.findIndex((item) => item === document.activeElement);
      const next = items[(at + (event.key === "ArrowDown" ? 1 : -1) + items.length) % items.length];
      if (!next) return;
      event.preventDefault();
      next.focus();
    };
    element?.addEventListener("keydown", onKeyDown);
    return () => element?.removeEventListener("keydown", onKeyDown);
  }, [svg]);
}

/** What the pointer or the focus is on, in full: labels on the stage are short. */
function Readout(): JSX.Element {
  const hover = useTimeline((state) => state.hover);
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  if (hover?.kind !== "component" || !index) return <div className={styles["legend"]} aria-hidden="true"><Legend /></div>;
  const live = index.statusAt(hover.id, now);
  return (
    <div className={styles["legend"]} aria-hidden="true">
      <strong>{hover.id}</strong> {live === "" ? "idle" : live}
    </div>
  );
}

function Legend(): JSX.Element {
  const items = [
    ["request", "M5 0A5 5 0 1 1-5 0 5 5 0 1 1 5 0Z"],
    ["response", "M4 0A4 4 0 1 1-4 0 4 4 0 1 1 4 0Z"],
    ["watch", "M0-5 5 0 0 5-5 0Z"],
    ["bulk", "M-4-4H4V4H-4Z"],
    ["failed", "M-3.500-3.500 3.500 3.500M3.500-3.500-3.500 3.500"],
  ] as const;
  return (
    <>
      {items.map(([name, d]) => (
        <span key={name}>
          <svg width="12" height="12" viewBox="-6 -6 12 12">
            <path d={d} className={`token ${name} legend`} />
          </svg>
          {name}
        </span>
      ))}
    </>
  );
}

/** Zoom and pan (ctrl or cmd and wheel, drag, pinch, buttons). The page's own scrolling is never taken. */
function useCamera(svg: React.RefObject<SVGSVGElement | null>, camera: React.RefObject<SVGGElement | null>, width: number, height: number): { percent: number; zoomBy: (k: number) => void; fit: () => void } {
  const [percent, setPercent] = useState(100);
  const behavior = useRef<ZoomBehavior<SVGSVGElement, unknown>>(undefined);
  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    let scale = 1;
    const selection = select(element);
    const zoom = createZoom<SVGSVGElement, unknown>()
      .scaleExtent(ZOOM_LIMITS)
      .extent([[0, 0], [width, height]])
      .translateExtent([[-width / 2, -height / 2], [width * 1.5, height * 1.5]])
      .filter((event: Event) => {
        if (event instanceof WheelEvent) return event.ctrlKey || event.metaKey;
        if (event.type === "dblclick") return false;
        // One finger scrolls the page until the stage is zoomed in.
        if (typeof TouchEvent !== "undefined" && event instanceof TouchEvent) return event.touches.length > 1 || scale > 1;
        return !(event instanceof MouseEvent) || event.button === 0;
      })
      .on("zoom", (event: { transform: { k: number; x: number; y: number } }) => {
        scale = event.transform.k;
        camera.current?.setAttribute("transform", `translate(${event.transform.x} ${event.transform.y}) scale(${event.transform.k})`);
        selection.style("touch-action", scale > 1 ? "none" : "pan-y");
        setPercent(Math.round(scale * 100));
      });
    behavior.current = zoom;
    selection.call(zoom);
    selection.style("touch-action", "pan-y");
    return () => {
      selection.on(".zoom", null);
    };
  }, [svg, camera, width, height]);
  const zoomBy = useCallback((k: number) => svg.current && behavior.current?.scaleBy(select(svg.current), k), [svg]);
  const fit = useCallback(() => svg.current && behavior.current?.transform(select(svg.current), zoomIdentity), [svg]);
  return { percent, zoomBy: (k) => void zoomBy(k), fit: () => void fit() };
}
