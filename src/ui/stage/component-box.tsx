import { type JSX, memo, type ReactNode } from "react";
import { FAMILY_PATHS } from "../widgets/icons.tsx";
import { familyOf, kindOf } from "../theme/components.ts";
import { Bolt } from "./bolt.tsx";
import { PlaceWait } from "./lazy-waits.tsx";
import type { Rect } from "./layout.ts";
import { fit, wrap } from "./text-fit.ts";
import { spoken } from "./spoken.ts";
import { StageButton } from "./stage-button.tsx";
import { usePlaceWaits } from "./stage-waits.ts";

const SHORT: Readonly<Record<string, string>> = { "kube-scheduler": "scheduler", containerd: "cri", "kube-proxy": "proxy", netfilter: "nft", "load-balancer": "balancer", "ingress-nginx": "ingress" };

/** The scheduler of the control plane's second machine, where there is no live line to tell it from the first. */
const replicaOf = (id: string): string | undefined => (id.startsWith("kube-scheduler@") ? `sched. ${/\d+$/.exec(id)?.[0] ?? "2"}` : undefined);

interface Props {
  readonly id: string;
  readonly rect: Rect;
  /** Its live line. */
  readonly status: string;
  readonly pinned: boolean;
  readonly hovered: boolean;
  readonly active: boolean;
  readonly stopped: boolean;
  /** Title of a fault that acts here. */
  readonly fault: string | undefined;
  readonly children?: ReactNode;
}

/** A component: its hue, mark and name, and one live line of what it does. */
export const ComponentBox = memo(function ComponentBox({ id, rect, status, pinned, hovered, active, stopped, fault, children }: Props): JSX.Element {
  const family = familyOf(id);
  const kind = kindOf(id);
  const dense = rect.h < 36;
  const { x, y, w, h } = rect;
  const label = fit(kind, w - 32, 11, true) === kind ? kind : (SHORT[kind] ?? kind);
  // Without room for mark and name, the name.
  const narrow = w < 100 && fit(label, w - 32, 11, true) !== label;
  const said = usePlaceWaits(id)?.said ?? "";
  const live = stopped ? "stopped" : status;
  const lines = dense ? [] : wrap(live === "" ? "idle" : live, w - 20, 11, children !== undefined || h < 50 ? 1 : h >= 90 ? 4 : 2);
  return (
    <StageButton id={id} name={`${kind === id ? id : id.replace("@", " on ")}, ${spoken(live)}${said === "" ? "" : `, ${said}`}${fault === undefined ? "" : `, fault: ${fault}`}`} className={`box hue-${family}${active ? " active" : ""}${pinned ? " pinned" : ""}${hovered ? " hovered" : ""}${stopped ? " stopped" : ""}`}>
      <rect className="frame" x={x} y={y} width={w} height={h} rx={dense ? 5 : 10} />
      {!dense && <path className="band" d={`M${x + 10} ${y}H${x + 7}A7 7 0 0 0 ${x} ${y + 10}V${y + h - 10}A7 7 0 0 0 ${x + 7} ${y + h}h1V${y}Z`} />}
      {dense ? (
        <>
          {w > 62 && <path className="mark" d={FAMILY_PATHS[family]} transform={`translate(${x + 5} ${y + h / 2 - 6}) scale(0.75)`} />}
          <text className="name small" x={w > 62 ? x + 20 : x + w / 2} y={y + h / 2 + 4} textAnchor={w > 62 ? "start" : "middle"}>
            {fit(replicaOf(id) ?? SHORT[kind] ?? kind, w > 62 ? w - 22 : w - 2, 11, true)}
          </text>
        </>
      ) : (
        <>
          {!narrow && <path className="mark" d={FAMILY_PATHS[family]} transform={`translate(${x + 13} ${y + 6}) scale(0.82)`} />}
          <text className={w < 112 ? "name small" : "name"} x={x + (narrow ? 13 : 29)} y={y + 17}>
            {narrow ? fit(kind.replace(/^kube-/, ""), w - 16, 11, true) : fit(label, w - 32, w < 112 ? 11 : 12, true)}
          </text>
          {lines.map((line, i) => (
            <text key={i} className="live" x={x + 13} y={y + 32 + i * 13}>
              {line}
            </text>
          ))}
        </>
      )}
      {children}
      {said !== "" && h >= 60 && <PlaceWait id={id} x={x + 14} y={y + h - 14} room={w - 20} named />}
      {fault !== undefined && <Bolt x={x + w - 4} y={y + 4} title={`Fault: ${fault}`} />}
    </StageButton>
  );
});
