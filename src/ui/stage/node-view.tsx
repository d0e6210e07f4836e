import type { JSX } from "react";
import type { Badge } from "./badges.ts";
import type { Lens, Rect } from "./layout.ts";
import type { NodeState, PodView } from "./model.ts";
import { capsuleGrid, PodCapsule } from "./pod-capsule.tsx";
import { StageButton } from "./stage-button.tsx";
import { fit } from "./text-fit.ts";

interface TileProps {
  readonly node: string;
  readonly rect: Rect;
  readonly state: NodeState;
  readonly badge: Badge | undefined;
  readonly pods: readonly PodView[];
  readonly dot: boolean;
  readonly open: boolean;
  readonly pinned: boolean;
}

/** A node without a part in the story: small, always at its place, with what the scheduler thinks of it. */
export function NodeTile({ node, rect, state, badge, pods, dot, open, pinned }: TileProps): JSX.Element {
  const { x, y, w, h } = rect;
  const word = !state.ready ? "NotReady" : state.cordoned ? "cordoned" : "Ready";
  const name = `${node}, ${word}${badge ? `, ${badge.kind === "out" ? "filtered out: " : ""}${badge.title}` : ""}${pods.length > 0 ? `, ${pods.length} new Pods` : ""}`;
  return (
    <StageButton id={`node:${node}`} name={name} className={`tile${state.ready ? "" : " not-ready"}${open ? " open" : ""}${pinned ? " pinned" : ""}${badge ? ` ${badge.kind}` : ""}`}>
      <rect className="frame" x={x} y={y} width={w} height={h} rx={dot ? 2 : 7} />
      {!dot && (
        <>
          <text className="name small" x={x + 7} y={y + 14}>
            {fit(w < 76 ? node.replace(/^.*?-?(\w+-?\d+)$/, "$1") : node, w - 10, 11)}
          </text>
          {badge ? (
            <text className="badge" x={x + 7} y={y + 28}>
              {badge.kind === "out" ? "✕ " : badge.kind === "winner" ? "★ " : ""}
              {fit(badge.text, w - 22, 11)}
            </text>
          ) : (
            <text className="live" x={x + 7} y={y + 28}>
              {word}
            </text>
          )}
          {pods.slice(0, 6).map((pod, i) => (
            <rect key={pod.key} className={`dot ${pod.look}`} x={x + w - 11 - i * 9} y={y + h - 12} width={7} height={7} rx={2.5} />
          ))}
        </>
      )}
    </StageButton>
  );
}

interface LensProps {
  readonly lens: Lens;
  readonly state: NodeState;
  readonly pods: readonly PodView[];
  readonly pinnedKey: string | undefined;
}

/** A node with a part in the story, grown so that its insides can be seen. Its components are drawn by the stage. */
export function NodeLens({ lens, state, pods, pinnedKey }: LensProps): JSX.Element {
  const { x, y, w, h } = lens.rect;
  const area = { ...lens.pods, x: lens.pods.x + 6, y: lens.pods.y + (lens.dense ? 5 : 20), w: lens.pods.w - 12, h: lens.pods.h - (lens.dense ? 10 : 26) };
  const grid = capsuleGrid(pods.length, area);
  return (
    <g className={`lens${state.ready ? "" : " not-ready"}`}>
      <rect className="frame" x={x} y={y} width={w} height={h} rx={10} />
      <text className="name" x={x + 10} y={y + (lens.dense ? 14 : 18)}>
        {lens.node}
      </text>
      <text className="live" x={x + w - 10} y={y + (lens.dense ? 14 : 18)} textAnchor="end">
        {state.ready ? "Ready" : "NotReady"}
      </text>
      <rect className="well" x={lens.pods.x} y={lens.pods.y} width={lens.pods.w} height={lens.pods.h} rx={8} />
      {!lens.dense && (
        <text className="caption" x={lens.pods.x + 8} y={lens.pods.y + 14}>
          {pods.length === 0 ? "no new Pods yet" : "Pods and their processes"}
        </text>
      )}
      {pods.map((pod, i) => {
        const place = grid[i];
        return place && <PodCapsule key={pod.key} pod={pod} rect={place} pinned={pinnedKey === pod.key} />;
      })}
    </g>
  );
}
