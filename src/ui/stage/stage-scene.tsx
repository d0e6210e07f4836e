import { type JSX, memo, useMemo } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { nodeOf } from "../theme/components.ts";
import { ComponentBox } from "./component-box.tsx";
import { GATES, gateAt } from "./gates.ts";
import { DecisionCard } from "./decision-card.tsx";
import { curveBetween } from "./geometry.ts";
import type { Rect, StageLayout } from "./layout.ts";
import { type Cast, nodeState, objectLines, type PodView } from "./model.ts";
import { LensPods, NodeLens, NodeTile } from "./node-view.tsx";
import { spoken } from "./spoken.ts";
import { StageButton } from "./stage-button.tsx";
import { fit } from "./text-fit.ts";
import { useFaultAt, useRole, useStopped, useVerdicts } from "./use-stage.ts";

interface Props {
  readonly layout: StageLayout;
  readonly pods: readonly PodView[];
}

/** Planes, watches and opened nodes: what wires run over. */
export function StageGround({ layout, cast }: { readonly layout: StageLayout; readonly cast: Cast }): JSX.Element {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  return (
    <>
      <Planes layout={layout} nodes={cast.nodes.length} empty={layout.lenses.length === 0} />
      {index && layout.lenses.map((lens) => <NodeLens key={lens.node} lens={lens} state={nodeState(index, lens.node, now)} />)}
      <Watches layout={layout} cast={cast} />
    </>
  );
}

const NO_PODS: readonly PodView[] = [];

function groupByNode(pods: readonly PodView[]): ReadonlyMap<string, readonly PodView[]> {
  const groups = new Map<string, PodView[]>();
  for (const pod of pods) {
    if (pod.node === undefined) continue;
    const group = groups.get(pod.node);
    if (group) group.push(pod);
    else groups.set(pod.node, [pod]);
  }
  return groups;
}

const AFTER_NODES = new Set(["coredns", "webhook", "registry", "users", "ingress-nginx", "load-balancer"]);

/** Everything on the stage that does not move, over the wires: redrawn when a step or an object changes, not per frame. */
export function StageScene({ layout, pods }: Props): JSX.Element {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const pinned = useTimeline((state) => state.pinned);
  const hover = useTimeline((state) => state.hover);
  const activeId = useTimeline((state) => {
    const note = state.steps[state.stepIndex];
    return note === undefined || !state.index ? "" : state.index.trace.note(note).component;
  });
  const verdicts = useVerdicts();
  const { badges } = verdicts;
  const stopped = useStopped();
  const faultAt = useFaultAt(pods, stopped);
  const roleOf = useRole();
  const pinnedId = pinned?.kind === "component" ? pinned.id : undefined;
  const pinnedKey = pinned?.kind === "object" ? pinned.key : undefined;
  const hoverId = hover?.kind === "component" ? hover.id : undefined;
  const byNode = useMemo(() => groupByNode(pods), [pods]);
  if (!index) return <g />;
  const open = new Set(layout.lenses.map((lens) => lens.node));
  const box = ([id, rect]: readonly [string, Rect]): JSX.Element => (
    <ComponentBox key={id} id={id} rect={rect} status={index.statusAt(id, now) || roleOf(id)} pinned={pinnedId === id} hovered={hoverId === id} active={activeId === id} stopped={stopped.has(id)} fault={faultAt(id)}>
      {id === "kube-apiserver" && !layout.compact ? <Gates rect={rect} /> : undefined}
    </ComponentBox>
  );
  const boxes = [...layout.boxes].filter(([id]) => !layout.controllers.shown.includes(id));
  return (
    <>
      {boxes.filter(([id]) => nodeOf(id) === undefined && !AFTER_NODES.has(id)).map(box)}
      <Controllers layout={layout} activeId={activeId} pinnedId={pinnedId} stopped={stopped} />
      {boxes.filter(([id]) => nodeOf(id) !== undefined).map(box)}
      {layout.lenses.map((lens) => (
        <LensPods key={lens.node} lens={lens} pods={byNode.get(lens.node) ?? NO_PODS} pinnedKey={pinnedKey} faultAt={faultAt} />
      ))}
      {[...layout.tiles].map(([node, rect]) => (
        <NodeTile key={node} node={node} rect={rect} {...nodeState(index, node, now)} badge={layout.compact && open.size > 0 ? undefined : badges.get(node)} pods={byNode.get(node) ?? NO_PODS} dot={layout.dots} open={open.has(node)} pinned={pinnedKey === `/registry/minions/${node}`} fault={faultAt(`node:${node}`)} />
      ))}
      {boxes.filter(([id]) => AFTER_NODES.has(id)).map(box)}
      {layout.lenses.length === 0 && !layout.compact && <DecisionCard area={layout.lensArea} verdicts={verdicts} />}
      {layout.objects.w > 0 && <Objects rect={layout.objects} pinnedKey={pinnedKey} />}
    </>
  );
}

const Planes = memo(function Planes({ layout, nodes, empty }: { readonly layout: StageLayout; readonly nodes: number; readonly empty: boolean }): JSX.Element {
  const lens = layout.lensArea;
  return (
    <g className="planes">
      {layout.planes.map(({ id, title, rect }) => (
        <g key={id}>
          <rect x={rect.x} y={rect.y} width={rect.w} height={rect.h} rx={14} />
          <text x={rect.x + 12} y={rect.y + (layout.compact ? 14 : 18)}>
            {id === "nodes" ? `${nodes} ${nodes === 1 ? "node" : "nodes"}` : title}
          </text>
        </g>
      ))}
      {empty && (
        <g className="vacant">
          <rect x={lens.x} y={lens.y} width={lens.w} height={lens.h} rx={10} />
          <text x={lens.x + lens.w / 2} y={lens.y + lens.h / 2 - 6} textAnchor="middle">
            No new Pod has a node yet.
          </text>
          <text x={lens.x + lens.w / 2} y={lens.y + lens.h / 2 + 12} textAnchor="middle">
            The node that gets one opens here.
          </text>
        </g>
      )}
    </g>
  );
});

/** Nobody polls: thin dotted lines are the watches that stay open all the time. */
const Watches = memo(function Watches({ layout, cast }: { readonly layout: StageLayout; readonly cast: Cast }): JSX.Element {
  const lines = useMemo(() => {
    const server = layout.boxes.get("kube-apiserver");
    const found = new Set<string>();
    if (!server) return found;
    for (const id of cast.watchers) {
      const anchor = layout.anchor(id);
      const curve = anchor && anchor !== server ? curveBetween(server, anchor) : undefined;
      if (curve) found.add(curve.d);
    }
    return found;
  }, [layout, cast]);
  return (
    <g className="watches" aria-hidden="true">
      {[...lines].map((d) => (
        <path key={d} d={d} />
      ))}
    </g>
  );
});

function Gates({ rect }: { readonly rect: Rect }): JSX.Element {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const { at, stopped } = index ? gateAt(index, now) : { at: -1, stopped: false };
  const w = 19;
  const x0 = rect.x + 13;
  const y = rect.y + rect.h - 41;
  return (
    <g className="gates">
      <line x1={x0} x2={x0 + (w + 5) * GATES.length} y1={y + 8} y2={y + 8} />
      {GATES.map((gate, i) => (
        <rect key={gate.name} x={x0 + i * (w + 5)} y={y} width={w} height={16} rx={3} className={i < at ? "passed" : i === at ? (stopped ? "stopped" : "current") : ""}>
          <title>{gate.name}</title>
        </rect>
      ))}
      <text className="live" x={x0} y={y + 31}>
        {at < 0 ? "every request passes these gates" : `${stopped ? "stopped at " : ""}${GATES[at]?.name ?? ""}`}
      </text>
    </g>
  );
}

function Controllers({ layout, activeId, pinnedId, stopped }: { readonly layout: StageLayout; readonly activeId: string; readonly pinnedId: string | undefined; readonly stopped: ReadonlySet<string> }): JSX.Element {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const { rect, shown, folded } = layout.controllers;
  return (
    <g className="controllers">
      <rect className="frame" x={rect.x} y={rect.y} width={rect.w} height={rect.h} rx={10} />
      <text className={rect.w < 100 ? "name small" : "name"} x={rect.x + (rect.w < 100 ? 5 : 10)} y={rect.y + 14}>
        controllers
      </text>
      {shown.map((id) => {
        const place = layout.boxes.get(id);
        if (!place) return null;
        const live = stopped.has(id) ? "stopped" : (index?.statusAt(id, now) ?? "");
        const busy = live !== "" && live !== "idle";
        return (
          <StageButton key={id} id={id} name={`${id}, ${spoken(live)}`} className={`row${activeId === id ? " active" : ""}${pinnedId === id ? " pinned" : ""}`}>
            <rect x={place.x} y={place.y} width={place.w} height={place.h} rx={4} />
            <circle cx={place.x + 7} cy={place.y + 7.5} r={3} className={busy ? "busy" : ""} />
            <text x={place.x + 15} y={place.y + 11.5}>
              {fit(id.replace(/-controller(?=@|$)/, ""), place.w - 16, 11)}
            </text>
          </StageButton>
        );
      })}
      {folded.length > 0 && (
        <text className="live" x={rect.x + (rect.w < 100 ? 5 : 21)} y={rect.y + 18 + shown.length * 15 + 11.5}>
          {shown.length === 0 ? `${folded.length} running` : `and ${folded.length} more`}
        </text>
      )}
    </g>
  );
}

const MAX_LINES = 5;

function Objects({ rect, pinnedKey }: { readonly rect: Rect; readonly pinnedKey: string | undefined }): JSX.Element {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  const lines = useMemo(() => (index ? objectLines(index, now) : []), [index, now]);
  return (
    <g className="objects">
      <rect className="frame" x={rect.x} y={rect.y} width={rect.w} height={rect.h} rx={10} />
      <text className="name small" x={rect.x + 10} y={rect.y + 15}>
        new objects
      </text>
      {lines.length === 0 && (
        <text className="live" x={rect.x + 10} y={rect.y + 34}>
          none yet
        </text>
      )}
      {lines.slice(0, MAX_LINES).map((line, i) => (
        <StageButton key={line.key} id={line.key} name={`${line.text}, ${line.detail}`} className={`object ${line.look}${pinnedKey === line.key ? " pinned" : ""}`}>
          <rect x={rect.x + 6} y={rect.y + 21 + i * 19} width={rect.w - 12} height={17} rx={5} />
          <text className="label" x={rect.x + 12} y={rect.y + 33.5 + i * 19}>
            {fit(line.text, 78, 11)}
          </text>
          <text className="live" x={rect.x + rect.w - 12} y={rect.y + 33.5 + i * 19} textAnchor="end">
            {fit(line.detail.replace(" ready", ""), 48, 11)}
          </text>
        </StageButton>
      ))}
      {lines.length > MAX_LINES && (
        <text className="live" x={rect.x + rect.w - 12} y={rect.y + 15} textAnchor="end">
          +{lines.length - MAX_LINES}
        </text>
      )}
    </g>
  );
}

