import { type JSX, useEffect, useRef } from "react";
import { addPainter } from "../../../timeline/frames.ts";
import { useTimeline } from "../../../timeline/store.ts";
import type { WaitView } from "../../../worker/protocol.ts";
import { fit, widthOf } from "../text-fit.ts";
import { countdownForms, leftText } from "../../widgets/wait-words.ts";

const SIZE = 11;
const RADIUS = 5;
const AROUND = 2 * Math.PI * RADIUS;
/** From the ring's middle to the text, and what a ring takes to its left. */
const GAP = 10;

/** Of a text's length while it counts: its figures may grow no wider than this. */
const WIDEST_FIGURES = (text: string): string => text.replaceAll(/\d/g, "8");

interface Props {
  readonly wait: WaitView;
  /** Left end and middle of the line. */
  readonly x: number;
  readonly y: number;
  readonly room: number;
  /** Who waits, on a line of its own above, where it does not stand in its own place. */
  readonly who?: string;
  /** The line ends here instead of beginning here. */
  readonly end?: boolean;
}

/** While something plays with reduced motion, the time of the step shown: texts then change only at steps. */
function shownTime(t: number): number {
  const { reducedMotion, playing, stepTimes, stepIndex } = useTimeline.getState();
  return reducedMotion && playing ? (stepTimes[stepIndex] ?? t) : t;
}

/**
 * A ring that empties and what is left, in words: placed once by React, written by the frame loop as a function of t.
 * Outside of its wait's time it shows nothing.
 */
export function Countdown({ wait, x, y, room, who = "", end = false }: Props): JSX.Element | null {
  const group = useRef<SVGGElement>(null);
  const ring = useRef<SVGCircleElement>(null);
  const text = useRef<SVGTextElement>(null);
  const { since, until } = wait;
  const whole = until === undefined || since === undefined ? 0 : until - since;
  // The longest form whose widest text has room for as long as the wait lasts.
  const widest = countdownForms(wait, WIDEST_FIGURES(leftText(whole)));
  const form = widest.findIndex((one) => widthOf(one, SIZE, false) <= room - GAP - RADIUS);
  const width = GAP + RADIUS + widthOf(widest[form] ?? "", SIZE, false);

  useEffect(() => {
    if (until === undefined || since === undefined || form < 0) return undefined;
    let drawn = "";
    return addPainter((frame) => {
      const t = shownTime(frame);
      const here = t >= since && t < until;
      const said = here ? (countdownForms(wait, leftText(until - t))[form] ?? "") : "";
      if (here) ring.current?.setAttribute("stroke-dashoffset", (AROUND * (1 - (until - t) / whole)).toFixed(2));
      if (said === drawn) return;
      drawn = said;
      group.current?.setAttribute("visibility", here ? "visible" : "hidden");
      if (text.current) text.current.textContent = said;
    });
  }, [wait, since, until, whole, form]);

  if (form < 0 || until === undefined || since === undefined) return null;
  const left = end ? x - width : x;
  return (
    <g ref={group} className={`countdown ${wait.kind}`} visibility="hidden" aria-hidden="true">
      {who !== "" && (
        <text className="live" x={x} y={y - 10}>
          {fit(who, room, SIZE)}
        </text>
      )}
      <circle className="track" cx={left + RADIUS} cy={y} r={RADIUS} />
      <circle ref={ring} className="left" cx={left + RADIUS} cy={y} r={RADIUS} strokeDasharray={AROUND} transform={`rotate(-90 ${left + RADIUS} ${y})`} />
      <text ref={text} className="live" x={left + RADIUS + GAP} y={y + 4} />
    </g>
  );
}

/** A mark that moves along an edge as a probe's period passes, and is at its end when the probe asks. */
export function ProbeTick({ wait, x, y, width }: { readonly wait: WaitView; readonly x: number; readonly y: number; readonly width: number }): JSX.Element | null {
  const mark = useRef<SVGRectElement>(null);
  const { since, until } = wait;
  useEffect(() => {
    if (until === undefined || since === undefined) return undefined;
    return addPainter((frame) => {
      const t = shownTime(frame);
      const here = t >= since && t < until;
      mark.current?.setAttribute("visibility", here ? "visible" : "hidden");
      if (here) mark.current?.setAttribute("x", (x + ((t - since) / (until - since)) * width).toFixed(1));
    });
  }, [since, until, x, width]);
  if (until === undefined || since === undefined) return null;
  return <rect ref={mark} className="probe-tick" x={x} y={y - 2.5} width={2.5} height={5} rx={1} visibility="hidden" aria-hidden="true" />;
}
