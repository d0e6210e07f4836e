import { kindOf, nodeOf } from "../theme/components.ts";

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A box with a frame and a title: where things run. */
export interface Plane {
  readonly id: string;
  readonly title: string;
  readonly rect: Rect;
}

export interface Lens {
  readonly node: string;
  readonly rect: Rect;
  /** Only room for short names, no live lines. */
  readonly dense: boolean;
  /** Where the node's processes and Pods are drawn. */
  readonly pods: Rect;
}

/** Where everything is. The same component is always at the same place; nodes with a part in the story get a lens. */
export interface StageLayout {
  readonly width: number;
  readonly height: number;
  readonly compact: boolean;
  readonly planes: readonly Plane[];
  /** Boxes that are drawn, by component id, in flow order. */
  readonly boxes: ReadonlyMap<string, Rect>;
  readonly controllers: { readonly rect: Rect; readonly shown: readonly string[]; readonly folded: readonly string[] };
  readonly objects: Rect;
  readonly tiles: ReadonlyMap<string, Rect>;
  /** Tiles too small for text: many nodes. */
  readonly dots: boolean;
  readonly lenses: readonly Lens[];
  /** Where a message from or to a component starts or ends; undefined if it is not on the stage. */
  anchor(component: string): Rect | undefined;
}

export interface LayoutInput {
  readonly components: readonly string[];
  readonly nodes: readonly string[];
  /** Nodes to open, most interesting first. */
  readonly open: readonly string[];
  /** Controllers that have a part, in order. */
  readonly controllers: readonly string[];
  readonly compact: boolean;
}

const rect = (x: number, y: number, w: number, h: number): Rect => ({ x, y, w, h });
export const MAX_LENSES = 3;
const NODE_KINDS = ["kubelet", "kube-proxy", "containerd", "cni", "netfilter", "csi"];

const DESKTOP = {
  size: [760, 520] as const,
  planes: [
    { id: "workstation", title: "workstation", rect: rect(8, 8, 130, 96) },
    { id: "internet", title: "internet", rect: rect(8, 346, 130, 166) },
    { id: "control-plane", title: "control plane", rect: rect(152, 8, 290, 326) },
    { id: "desired", title: "stored and served", rect: rect(152, 346, 290, 166) },
    { id: "nodes", title: "nodes", rect: rect(456, 8, 296, 504) },
  ],
  fixed: {
    kubectl: rect(18, 36, 110, 56),
    "kube-apiserver": rect(164, 36, 266, 100),
    "etcd-0": rect(164, 158, 82, 46),
    "etcd-1": rect(256, 158, 82, 46),
    "etcd-2": rect(348, 158, 82, 46),
    "kube-scheduler": rect(164, 226, 122, 96),
    coredns: rect(164, 374, 110, 46),
    webhook: rect(164, 430, 110, 46),
    registry: rect(18, 374, 110, 52),
    users: rect(18, 446, 110, 52),
  } as Readonly<Record<string, Rect>>,
  controllers: rect(298, 226, 132, 96),
  rows: 5,
  objects: rect(286, 374, 144, 128),
  lens: rect(464, 34, 280, 294),
  tiles: { area: rect(464, 338, 280, 166), columns: 3 },
};

const COMPACT = {
  size: [390, 420] as const,
  planes: [
    { id: "control-plane", title: "control plane", rect: rect(102, 4, 284, 148) },
    { id: "nodes", title: "nodes", rect: rect(4, 160, 382, 256) },
  ],
  fixed: {
    kubectl: rect(6, 22, 88, 40),
    registry: rect(6, 68, 88, 38),
    users: rect(6, 112, 88, 38),
    "kube-apiserver": rect(110, 22, 176, 62),
    "etcd-0": rect(296, 22, 82, 18),
    "etcd-1": rect(296, 44, 82, 18),
    "etcd-2": rect(296, 66, 82, 18),
    "kube-scheduler": rect(110, 96, 92, 46),
    coredns: rect(296, 96, 82, 20),
    webhook: rect(296, 122, 82, 20),
  } as Readonly<Record<string, Rect>>,
  controllers: rect(210, 96, 78, 46),
  rows: 0,
  objects: rect(0, 0, 0, 0),
  lens: rect(10, 182, 370, 150),
  tiles: { area: rect(10, 338, 370, 72), columns: 5 },
};

/** Lays the stage out by hand: no forces, nothing moves between runs. */
export function layoutStage(input: LayoutInput): StageLayout {
  const plan = input.compact ? COMPACT : DESKTOP;
  const known = new Set(input.components);
  const boxes = new Map<string, Rect>();
  for (const [id, place] of Object.entries(plan.fixed)) if (known.has(id)) boxes.set(id, place);

  const shown = input.controllers.slice(0, input.controllers.length > plan.rows ? Math.max(0, plan.rows - 1) : plan.rows);
  const folded = input.controllers.slice(shown.length);
  shown.forEach((id, i) => boxes.set(id, rect(plan.controllers.x + 6, plan.controllers.y + 18 + i * 15, plan.controllers.w - 12, 15)));

  const lenses = layoutLenses(input.open.slice(0, MAX_LENSES), plan.lens, input.compact, known, boxes);
  const { tiles, dots } = layoutTiles(input.nodes, plan.tiles.area, plan.tiles.columns);
  const open = new Map(lenses.map((lens) => [lens.node, lens]));

  return {
    width: plan.size[0],
    height: plan.size[1],
    compact: input.compact,
    planes: plan.planes,
    boxes,
    controllers: { rect: plan.controllers, shown, folded },
    objects: plan.objects,
    tiles,
    dots,
    lenses,
    anchor(component) {
      const box = boxes.get(component);
      if (box) return box;
      const node = nodeOf(component);
      if (node !== undefined) {
        const lens = open.get(node);
        return lens ? (kindOf(component) === "process" ? lens.pods : lens.rect) : tiles.get(node);
      }
      return input.controllers.includes(component) || component.endsWith("-controller") ? plan.controllers : undefined;
    },
  };
}

function layoutLenses(open: readonly string[], area: Rect, compact: boolean, known: ReadonlySet<string>, boxes: Map<string, Rect>): Lens[] {
  const gap = 6;
  const h = open.length === 0 ? area.h : (area.h - gap * (open.length - 1)) / open.length;
  return open.map((node, i): Lens => {
    const frame = rect(area.x, area.y + i * (h + gap), area.w, h);
    const kinds = NODE_KINDS.filter((kind) => known.has(`${kind}@${node}`));
    const dense = compact || open.length > 1;
    const pods = dense ? denseBoxes(node, kinds, frame, boxes) : wideBoxes(node, kinds, frame, boxes);
    return { node, rect: frame, dense, pods };
  });
}

function wideBoxes(node: string, kinds: readonly string[], frame: Rect, boxes: Map<string, Rect>): Rect {
  const first = kinds.slice(0, 2);
  const second = kinds.slice(2);
  const place = (list: readonly string[], y: number, h: number): void => {
    const w = (frame.w - 16 - 8 * (list.length - 1)) / Math.max(1, list.length);
    list.forEach((kind, i) => boxes.set(`${kind}@${node}`, rect(frame.x + 8 + i * (w + 8), y, w, h)));
  };
  place(first, frame.y + 26, 50);
  place(second, frame.y + 86, 44);
  return rect(frame.x + 8, frame.y + 140, frame.w - 16, frame.h - 148);
}

function denseBoxes(node: string, kinds: readonly string[], frame: Rect, boxes: Map<string, Rect>): Rect {
  const w = (frame.w - 12 - 4 * (kinds.length - 1)) / Math.max(1, kinds.length);
  kinds.forEach((kind, i) => boxes.set(`${kind}@${node}`, rect(frame.x + 6 + i * (w + 4), frame.y + 20, w, 24)));
  return rect(frame.x + 6, frame.y + 50, frame.w - 12, frame.h - 56);
}

function layoutTiles(nodes: readonly string[], area: Rect, columns: number): { tiles: Map<string, Rect>; dots: boolean } {
  const dots = nodes.length > 15;
  const cols = dots ? Math.ceil(Math.sqrt((nodes.length * area.w) / area.h)) : nodes.length <= 3 ? Math.max(1, nodes.length) : columns;
  const rows = Math.max(1, Math.ceil(nodes.length / cols));
  const gap = dots ? 2 : 5;
  const w = (area.w - gap * (cols - 1)) / cols;
  const h = Math.min(44, (area.h - gap * (rows - 1)) / rows);
  return { dots, tiles: new Map(nodes.map((node, i) => [node, rect(area.x + (i % cols) * (w + gap), area.y + Math.floor(i / cols) * (h + gap), w, h)])) };
}
