import type { JSX } from "react";
import { Bolt } from "./bolt.tsx";
import { CapsuleWaits } from "./lazy-waits.tsx";
import type { Rect } from "./layout.ts";
import type { PodView } from "./model.ts";
import { StageButton } from "./stage-button.tsx";
import { usePlaceWaits } from "./stage-waits.ts";
import { fit, widthOf } from "./text-fit.ts";

interface Props {
  readonly pod: PodView;
  readonly rect: Rect;
  readonly pinned: boolean;
  readonly fault: string | undefined;
}

const SIGN: Readonly<Record<string, string>> = { ready: "M-4 0-1 3 4-3.500", failed: "M-3.500-3.500 3.500 3.500M3.500-3.500-3.500 3.500", pending: "M-3-4H3L-3 4H3Z", terminating: "M-4 0H4", done: "M-4 0-1 3 4-3.500" };

/** What a countdown wants beside the containers: a ring, figures and the rung; and the least beside a name. */
const COUNTDOWN = 120;
const SHORT_COUNTDOWN = 66;

/** A Pod: dashed while pending, striped while it is made, solid when it runs, with a check when it is Ready. */
export function PodCapsule({ pod, rect, pinned, fault }: Props): JSX.Element {
  const { x, y, w, h } = rect;
  const tiny = h < 22 || w < 60;
  const waits = usePlaceWaits(pod.key);
  const counts = waits?.wait !== undefined && !tiny;
  // A countdown needs the room of a container at least.
  const room = tiny ? 0 : Math.max(0, Math.floor((w - (counts ? COUNTDOWN : 20)) / 62));
  const shown = h >= 44 ? pod.containers.slice(0, room) : [];
  const end = w - (SIGN[pod.look] === undefined ? 12 : 28);
  const name = fit(pod.name, counts && h < 44 ? end - 18 - SHORT_COUNTDOWN : w - 34, 12, true, true);
  return (
    <StageButton id={pod.key} name={`Pod ${pod.name}, ${pod.status}${pod.look === "ready" ? ", ready" : ""}${pod.restarts > 0 ? `, ${pod.restarts} restarts` : ""}${waits === undefined || waits.said === "" ? "" : `, ${waits.said}`}${fault === undefined ? "" : `, fault: ${fault}`}`} className={`pod ${pod.look}${pinned ? " pinned" : ""}`}>
      <rect className="capsule" x={x} y={y} width={w} height={h} rx={tiny ? Math.min(w, h) / 3 : 12} />
      {!tiny && (
        <>
          <text className="name" x={x + 10} y={y + 15}>
            {name}
          </text>
          {h >= 32 && (
            <text className="live" x={x + 10} y={y + 28}>
              {fit(pod.restarts > 0 ? `${pod.status} · restarts ${pod.restarts}` : pod.look === "ready" ? "Running, Ready" : pod.status, w - 16, 11)}
            </text>
          )}
          {SIGN[pod.look] !== undefined && <path className="sign" d={SIGN[pod.look]} transform={`translate(${x + w - 14} ${y + 12})`} />}
          {shown.map((container, i) => (
            <g key={container.name} className={`container ${container.look}`}>
              <rect x={x + 10 + i * 62} y={y + h - 20} width={58} height={14} rx={3} />
              <text x={x + 39 + i * 62} y={y + h - 9.5} textAnchor="middle">
                {fit(container.name, 54, 11)}
              </text>
            </g>
          ))}
        </>
      )}
      {waits && !tiny && <CapsuleWaits id={pod.key} rect={rect} line={h >= 44 ? { x: x + 12 + shown.length * 62, y: y + h - 13, room: w - 22 - shown.length * 62 } : { x: x + end, y: y + 11, room: end - 18 - widthOf(name, 12, true), end: true }} />}
      {fault !== undefined && <Bolt x={x + w - 4} y={y + 4} title={`Fault: ${fault}`} />}
    </StageButton>
  );
}

const ROOMY = { w: 250, h: 58 };

/** A grid for `count` capsules in an area, with the columns that leave each the most room; squares when there are many. */
export function capsuleGrid(count: number, area: Rect): Rect[] {
  if (count === 0) return [];
  let best = { columns: 1, w: 0, h: 0, score: -1 };
  for (let columns = 1; columns <= count; columns++) {
    const gap = count > 12 ? 3 : 6;
    const w = Math.min(ROOMY.w, (area.w - gap * (columns - 1)) / columns);
    const h = Math.min(ROOMY.h, (area.h - gap * (Math.ceil(count / columns) - 1)) / Math.ceil(count / columns));
    const score = Math.min(w / 3, h);
    if (score > best.score) best = { columns, w, h, score };
  }
  const gap = count > 12 ? 3 : 6;
  return Array.from({ length: count }, (_, i) => ({ x: area.x + (i % best.columns) * (best.w + gap), y: area.y + Math.floor(i / best.columns) * (best.h + gap), w: best.w, h: best.h }));
}
