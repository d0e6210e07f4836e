import { type JSX, memo } from "react";
import type { Badge } from "./badges.ts";
import { Bolt } from "./bolt.tsx";
import { PlaceWait } from "./lazy-waits.tsx";
import type { Lens, Rect } from "./layout.ts";
import type { NodeState, PodView } from "./model.ts";
import { capsuleGrid, PodCapsule } from "./pod-capsule.tsx";
import { StageButton } from "./stage-button.tsx";
import { usePlaceWaits } from "./stage-waits.ts";
import { fit, widthOf } from "./text-fit.ts";

/** The last two words of a long name ("node-03"): the first are the same for all. */
function shortNode(node: string, width: number): string {
  return fit(node, width, 11, true) === node ? node : node.split("-").slice(-2).join("-");
}

interface TileProps {
  readonly node: string;
  readonly rect: Rect;
  readonly ready: boolean;
  readonly cordoned: boolean;
  readonly badge: Badge | undefined;
  readonly pods: readonly PodView[];
  readonly dot: boolean;
  readonly open: boolean;
  readonly pinned: boolean;
  readonly fault: string | undefined;
}

/** A node without a part in the story: small, always at its place, with what the scheduler thinks of it. */
export const NodeTile = memo(function NodeTile({ node, rect, ready, cordoned, badge, pods, dot, open, pinned, fault }: TileProps): JSX.Element {
  const { x, y, w, h } = rect;
  const said = usePlaceWaits(`/registry/minions/${node}`)?.said ?? "";
  const marks = h < 30 ? Math.min(pods.length, 4) * 9 : 0;
  const word = !ready ? "NotReady" : cordoned ? "cordoned" : "Ready";
  const name = `${node}, ${word}${badge ? `, ${badge.kind === "out" ? "filtered out: " : ""}${badge.title}` : ""}${pods.length > 0 ? `, ${pods.length} new Pods` : ""}${said === "" ? "" : `, ${said}`}${fault === undefined ? "" : `, fault: ${fault}`}`;
  return (
    <StageButton id={`node:${node}`} name={name} className={`tile${ready ? "" : " not-ready"}${open ? " open" : ""}${pinned ? " pinned" : ""}${badge ? ` ${badge.kind}` : ""}`}>
      <rect className="frame" x={x} y={y} width={w} height={h} rx={dot ? 2 : 7} />
      {!dot && (
        <>
          <text className="name small" x={x + 7} y={h < 30 ? y + h / 2 + 4 : y + 13.5}>
            {h < 30 && badge ? fit(`${badge.kind === "out" ? "✕ " : badge.kind === "winner" ? "★ " : ""}${badge.text}`, w - 10, 11, true) : fit(shortNode(node, w - 9 - marks), w - 9 - marks, 11, true, true)}
          </text>
          {h < 30 ? null : badge ? (
            <text className="badge" x={x + 7} y={y + 27}>
              {badge.kind === "out" ? "✕ " : badge.kind === "winner" ? "★ " : ""}
              {fit(badge.text, w - 22, 11)}
            </text>
          ) : said !== "" && pods.length <= 3 ? (
            <PlaceWait id={`/registry/minions/${node}`} x={x + 7} y={y + 23} room={w - 12 - pods.length * 9} />
          ) : (
            <text className="live" x={x + 7} y={y + 27}>
              {pods.length > 3 ? `${pods.length} Pods` : word}
            </text>
          )}
          {pods.slice(0, 4).map((pod, i) => (
            <rect key={pod.key} className={`dot ${pod.look}`} x={x + w - 11 - i * 9} y={y + h - 11} width={7} height={7} rx={2.5} />
          ))}
        </>
      )}
      {fault !== undefined && <Bolt x={x + w - 6} y={y + 6} title={`Fault: ${fault}`} />}
    </StageButton>
  );
});

/** The frame of a node with a part in the story, grown so that its insides can be seen. */
export function NodeLens({ lens, state }: { readonly lens: Lens; readonly state: NodeState }): JSX.Element {
  const { x, y, w, h } = lens.rect;
  const top = y + (lens.dense ? 14 : 17);
  const node = `/registry/minions/${lens.node}`;
  const waits = usePlaceWaits(node)?.wait !== undefined;
  const word = state.ready ? "Ready" : "NotReady";
  return (
    <g className={`lens${state.ready ? "" : " not-ready"}`}>
      <rect className="frame" x={x} y={y} width={w} height={h} rx={10} />
      {lens.row ? (
        <text className="name small" x={x + 8} y={y + h / 2 + 4}>
          {shortNode(lens.node, lens.pods.x - x - 12)}
        </text>
      ) : (
        <>
          <text className="name" x={x + 10} y={top}>
            {lens.node}
          </text>
          <text className="live" x={x + w - 10} y={top} textAnchor="end">
            {state.zone === "" || waits ? "" : `${state.zone} · `}
            {word}
          </text>
          {waits && <PlaceWait id={node} x={x + 18 + widthOf(lens.node, 12, true)} y={top - 4} room={w - 34 - widthOf(lens.node, 12, true) - widthOf(word, 11, false)} />}
        </>
      )}
    </g>
  );
}

interface LensPodsProps {
  readonly lens: Lens;
  readonly pods: readonly PodView[];
  readonly pinnedKey: string | undefined;
  /** Title of the fault that acts on something of the stage, by its id. */
  readonly faultAt: (id: string) => string | undefined;
}

/** The Pods of an opened node, which are also its processes. */
export function LensPods({ lens, pods, pinnedKey, faultAt }: LensPodsProps): JSX.Element {
  const well = lens.pods;
  const area = lens.row ? well : { x: well.x + 6, y: well.y + (lens.dense ? 5 : 20), w: well.w - 12, h: well.h - (lens.dense ? 10 : 26) };
  const grid = capsuleGrid(pods.length, area);
  return (
    <g className="lens">
      {!lens.row && <rect className="well" x={well.x} y={well.y} width={well.w} height={well.h} rx={8} />}
      {!lens.dense && (
        <text className="caption" x={well.x + 8} y={well.y + 14}>
          {pods.length === 0 ? "no new Pods" : "Pods and their processes"}
        </text>
      )}
      {pods.map((pod, i) => {
        const place = grid[i];
        return place && <PodCapsule key={pod.key} pod={pod} rect={place} pinned={pinnedKey === pod.key} fault={faultAt(pod.key)} />;
      })}
    </g>
  );
}
