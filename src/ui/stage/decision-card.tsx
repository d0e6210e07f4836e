import type { JSX } from "react";
import type { Badge } from "./badges.ts";
import type { Rect } from "./layout.ts";
import { fit } from "./text-fit.ts";
import type { Verdicts } from "./use-stage.ts";

interface Props {
  readonly area: Rect;
  readonly verdicts: Verdicts;
}

/** The scheduler's decision where the chosen node will open: who is out and why, who is left, who wins. */
export function DecisionCard({ area, verdicts }: Props): JSX.Element | null {
  const all = [...verdicts.badges];
  if (all.length === 0) return null;
  const out = all.filter(([, badge]) => badge.kind === "out");
  const left = all.filter(([, badge]) => badge.kind !== "out").sort((a, b) => Number(b[1].text) - Number(a[1].text) || (a[0] < b[0] ? -1 : 1));
  const reasons = new Map<string, number>();
  for (const [, badge] of out) reasons.set(badge.text, (reasons.get(badge.text) ?? 0) + 1);
  const x = area.x + 14;
  const w = area.w - 28;
  const rows = [...reasons].slice(0, 8);
  const half = Math.ceil(rows.length / 2);
  const scoresY = area.y + 62 + half * 18;
  return (
    <g className="decision">
      <rect className="frame" x={area.x} y={area.y} width={area.w} height={area.h} rx={10} />
      <text className="name" x={x} y={area.y + 22}>
        {fit(`Which node for ${verdicts.pod}?`, w, 12, true)}
      </text>
      <text className="live" x={x} y={area.y + 42}>
        {`${all.length} filtered: ${out.length} out, ${left.length} left`}
      </text>
      {rows.map(([reason, count], i) => (
        <text key={reason} className="badge" x={x + (i >= half ? w / 2 : 0)} y={area.y + 60 + (i % half) * 18}>
          {fit(`✕ ${count} ${reason}`, w / 2 - 8, 11)}
        </text>
      ))}
      {left.slice(0, 6).map(([node, badge], i) => (
        <Score key={node} node={node} badge={badge} best={Number(left[0]?.[1].text)} x={x} y={scoresY + i * 24} w={w} />
      ))}
    </g>
  );
}

function Score({ node, badge, best, x, y, w }: { readonly node: string; readonly badge: Badge; readonly best: number; readonly x: number; readonly y: number; readonly w: number }): JSX.Element {
  const points = Number(badge.text);
  const bar = Number.isFinite(points) && best > 0 ? Math.max(2, (points / best) * (w - 150)) : 0;
  return (
    <g className={badge.kind}>
      <text className="label" x={x} y={y + 11}>
        {fit(node, 104, 11, badge.kind === "winner", true)}
      </text>
      <rect className="bar" x={x + 108} y={y + 1} width={bar} height={12} rx={3} />
      <text className="live" x={x + 114 + bar} y={y + 11}>
        {badge.kind === "winner" ? `${badge.text} ★` : badge.text}
      </text>
    </g>
  );
}
