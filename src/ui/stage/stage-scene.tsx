import { type JSX, memo, useMemo } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { nodeOf } from "../theme/components.ts";
import { ComponentBox } from "./component-box.tsx";
import { GATES, gateAt } from "./gates.ts";
import { ControllersBox } from "./controllers-box.tsx";
import { DecisionCard } from "./decision-card.tsx";
import { curveBetween } from "./geometry.ts";
import type { Rect, StageLayout } from "./layout.ts";
import { type Cast, nodeState, type PodView } from "./model.ts";
import { LensPods, NodeLens, NodeTile } from "./node-view.tsx";
import { ObjectsBox } from "./objects-box.tsx";
import { ZoneTile } from "./zone-tile.tsx";
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
      <ControllersBox layout={layout} activeId={activeId} pinnedId={pinnedId} stopped={stopped} />
      {boxes.filter(([id]) => nodeOf(id) !== undefined).map(box)}
      {layout.lenses.map((lens) => (
        <LensPods key={lens.node} lens={lens} pods={byNode.get(lens.node) ?? NO_PODS} pinnedKey={pinnedKey} faultAt={faultAt} />
      ))}
      {[...layout.tiles].map(([node, rect]) => (
        <NodeTile key={node} node={node} rect={rect} {...nodeState(index, node, now)} badge={layout.compact && open.size > 0 ? undefined : badges.get(node)} pods={byNode.get(node) ?? NO_PODS} dot={layout.dots} open={open.has(node)} pinned={pinnedKey === `/registry/minions/${node}`} fault={faultAt(`node:${node}`)} />
      ))}
      {layout.zones.map((place) => (
        <ZoneTile key={place.zone} place={place} index={index} now={now} byNode={byNode} badges={badges} />
      ))}
      {boxes.filter(([id]) => AFTER_NODES.has(id)).map(box)}
      {layout.lenses.length === 0 && !layout.compact && <DecisionCard area={layout.lensArea} verdicts={verdicts} />}
      {layout.objects.w > 0 && <ObjectsBox rect={layout.objects} pinnedKey={pinnedKey} />}
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
