import { type JSX, useMemo } from "react";
import type { TraceIndex } from "../../trace/trace-index.ts";
import type { Badge } from "./badges.ts";
import type { ZonePlace } from "./layout.ts";
import { nodeState, type PodView } from "./model.ts";
import { selectionOf, StageButton } from "./stage-button.tsx";
import { fit } from "./text-fit.ts";

interface Props {
  readonly place: ZonePlace;
  readonly index: TraceIndex;
  readonly now: number;
  readonly byNode: ReadonlyMap<string, readonly PodView[]>;
  readonly badges: ReadonlyMap<string, Badge>;
}

/** How a node's dot is drawn: what is worth seeing first. */
const LOOKS = ["down", "winner", "failed", "busy", "used", "out", "fits", "idle"] as const;
type Look = (typeof LOOKS)[number];

function lookOf(index: TraceIndex, node: string, now: number, pods: readonly PodView[], badge: Badge | undefined): Look {
  if (!nodeState(index, node, now).ready) return "down";
  if (badge?.kind === "winner") return "winner";
  if (pods.some(({ look }) => look === "failed")) return "failed";
  if (pods.some(({ look }) => look !== "ready" && look !== "done")) return "busy";
  if (pods.length > 0) return "used";
  if (badge?.kind === "out") return "out";
  return badge === undefined ? "idle" : "fits";
}

/** Where the i-th dot is, a little smaller than its cell. */
function square({ dots: { x, y, size, columns } }: ZonePlace, i: number): string {
  const side = size * 0.72;
  const left = x + (i % columns) * size;
  const top = y + Math.floor(i / columns) * size;
  return `M${left.toFixed(1)} ${top.toFixed(1)}h${side.toFixed(1)}v${side.toFixed(1)}h-${side.toFixed(1)}z`;
}

/** The nodes of a zone where there are too many for a tile each: a dot for each, and in words how many are what. */
export function ZoneTile({ place, index, now, byNode, badges }: Props): JSX.Element {
  const { zone, rect, nodes, dots } = place;
  const looks = useMemo(() => nodes.map((node) => lookOf(index, node, now, byNode.get(node) ?? [], badges.get(node))), [nodes, index, now, byNode, badges]);
  const count = (look: Look): number => looks.reduce((sum, one) => sum + (one === look ? 1 : 0), 0);
  const pods = nodes.reduce((sum, node) => sum + (byNode.get(node)?.length ?? 0), 0);
  const down = count("down");
  const out = count("out");
  const words = [...(down > 0 ? [`${down} NotReady`] : []), ...(pods > 0 ? [`${pods} new ${pods === 1 ? "Pod" : "Pods"}`] : out > 0 ? [`${out} filtered out`] : down === 0 ? ["all Ready"] : [])].join(", ");
  const title = zone === "" ? "all nodes" : zone;
  // The first of the most telling: what Enter opens.
  const chosen = LOOKS.flatMap((look) => (looks.includes(look) ? [nodes[looks.indexOf(look)] ?? ""] : []))[0] ?? nodes[0] ?? "";
  const nodeAt = (at: { readonly x: number; readonly y: number } | undefined): string => {
    const column = at === undefined ? -1 : Math.floor((at.x - dots.x) / dots.size);
    const row = at === undefined ? -1 : Math.floor((at.y - dots.y) / dots.size);
    return (column >= 0 && column < dots.columns && row >= 0 ? nodes[row * dots.columns + column] : undefined) ?? chosen;
  };
  return (
    <StageButton id={`zone:${zone}`} name={`${title}, ${nodes.length} nodes, ${words}; Enter shows ${chosen}`} className="tile zone" choose={(at) => selectionOf(`node:${nodeAt(at)}`)}>
      <rect className="frame" x={rect.x} y={rect.y} width={rect.w} height={rect.h} rx={7} />
      <text className="name small" x={rect.x + 7} y={rect.y + 13}>
        {fit(`${title} · ${nodes.length}`, rect.w - 12, 11, true)}
      </text>
      {dots.y - rect.y > 20 && (
        <text className="live" x={rect.x + 7} y={rect.y + 26}>
          {fit(words, rect.w - 12, 11)}
        </text>
      )}
      {LOOKS.filter((look) => looks.includes(look)).map((look) => (
        <path key={look} className={`nodes ${look}`} d={nodes.flatMap((_, i) => (looks[i] === look ? [square(place, i)] : [])).join("")} />
      ))}
    </StageButton>
  );
}
