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
  /** No room for processes: its name and its Pods in one row. */
  readonly row: boolean;
  /** Where the node's processes and Pods are drawn. */
  readonly pods: Rect;
}

/** The nodes of a zone, as dots in one box. */
export interface ZonePlace {
  readonly zone: string;
  readonly rect: Rect;
  readonly nodes: readonly string[];
  /** Where the i-th node's dot is; `size` wide and high. */
  readonly dots: { readonly size: number; readonly columns: number; readonly x: number; readonly y: number };
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
  /** Nodes that are too many for a tile each, by zone: then there are no tiles. */
  readonly zones: readonly ZonePlace[];
  /** Where lenses are, or will be. */
  readonly lensArea: Rect;
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
  /** The zone of a node, where there is one. */
  readonly zoneOf?: (node: string) => string;
}

const rect = (x: number, y: number, w: number, h: number): Rect => ({ x, y, w, h });
export const MAX_LENSES = 3;
/** More nodes than this are drawn by zone. */
const MAX_TILES = 60;
/** More zones than this are one. */
const MAX_ZONES = 6;
const ZONE_HEAD = 31;
const NODE_KINDS = ["kubelet", "kube-proxy", "containerd", "cni", "netfilter", "csi"];

const DESKTOP = {
  size: [724, 452] as const,
  planes: [
    { id: "workstation", title: "workstation", rect: rect(4, 4, 122, 84) },
    { id: "internet", title: "internet", rect: rect(4, 298, 122, 150) },
    { id: "control-plane", title: "control plane", rect: rect(134, 4, 280, 286) },
    { id: "desired", title: "stored and served", rect: rect(134, 298, 280, 150) },
    { id: "nodes", title: "nodes", rect: rect(422, 4, 298, 444) },
  ],
  fixed: {
    kubectl: rect(11, 26, 108, 54),
    "kube-apiserver": rect(142, 26, 264, 86),
    "etcd-0": rect(142, 118, 84, 54),
    "etcd-1": rect(232, 118, 84, 54),
    "etcd-2": rect(322, 118, 84, 54),
    "kube-scheduler": rect(142, 180, 152, 102),
    coredns: rect(142, 320, 102, 54),
    webhook: rect(142, 382, 102, 54),
    registry: rect(11, 320, 108, 56),
    users: rect(11, 384, 108, 56),
  } as Readonly<Record<string, Rect>>,
  controllers: rect(300, 180, 106, 102),
  rows: 5,
  objects: rect(252, 320, 154, 120),
  lens: rect(429, 26, 284, 256),
  tiles: { area: rect(429, 290, 284, 152), columns: 3 },
};

const COMPACT = {
  size: [390, 298] as const,
  planes: [
    { id: "control-plane", title: "control plane", rect: rect(100, 2, 286, 126) },
    { id: "nodes", title: "nodes", rect: rect(4, 132, 382, 164) },
  ],
  fixed: {
    kubectl: rect(4, 20, 90, 38),
    registry: rect(4, 62, 90, 28),
    users: rect(4, 94, 90, 28),
    "kube-apiserver": rect(106, 20, 174, 50),
    "etcd-0": rect(288, 20, 92, 16),
    "etcd-1": rect(288, 37, 92, 16),
    "etcd-2": rect(288, 54, 92, 16),
    "kube-scheduler": rect(106, 76, 90, 46),
    coredns: rect(288, 76, 92, 21),
    webhook: rect(288, 101, 92, 21),
  } as Readonly<Record<string, Rect>>,
  controllers: rect(202, 76, 78, 46),
  rows: 0,
  objects: rect(0, 0, 0, 0),
  lens: rect(8, 150, 374, 82),
  tiles: { area: rect(8, 237, 374, 54), columns: 5 },
};

/** Components that not every cluster has, and whose boxes stand where theirs goes: it comes last. */
const GUESTS: readonly (readonly [string, readonly string[]])[] = [["load-balancer", ["registry", "users"]], ["ingress-nginx", ["coredns", "webhook"]]];

function makeRoom(hosts: readonly string[], guest: string, boxes: Map<string, Rect>): void {
  const places = hosts.flatMap((id) => boxes.get(id) ?? []);
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return;
  shareBox([...hosts.filter((id) => boxes.has(id)), guest], rect(first.x, first.y, first.w, last.y + last.h - first.y), boxes);
}

/** Lays the stage out by hand: no forces, nothing moves between runs. */
export function layoutStage(input: LayoutInput): StageLayout {
  const plan = input.compact ? COMPACT : DESKTOP;
  const known = new Set(input.components);
  const boxes = new Map<string, Rect>();
  for (const [id, place] of Object.entries(plan.fixed)) if (known.has(id)) boxes.set(id, place);
  widenAlone("etcd-0", ["etcd-1", "etcd-2"], plan.fixed, boxes);
  // Where a cloud or an Ingress controller takes part, its neighbours make room.
  for (const [guest, hosts] of GUESTS) if (known.has(guest)) makeRoom(hosts, guest, boxes);
  shareBox(input.components.filter((id) => kindOf(id) === "kube-scheduler"), plan.fixed["kube-scheduler"], boxes);

  const shown = input.controllers.slice(0, input.controllers.length > plan.rows ? Math.max(0, plan.rows - 1) : plan.rows);
  const folded = input.controllers.slice(shown.length);
  shown.forEach((id, i) => boxes.set(id, rect(plan.controllers.x + 6, plan.controllers.y + 18 + i * 15, plan.controllers.w - 12, 15)));

  const lenses = layoutLenses(input.open.slice(0, input.compact ? 1 : MAX_LENSES), plan.lens, input.compact, known, boxes);
  const byZone = input.nodes.length > MAX_TILES;
  const { tiles, dots } = byZone ? { tiles: new Map<string, Rect>(), dots: true } : layoutTiles(input.nodes, plan.tiles.area, plan.tiles.columns);
  const zones = byZone ? layoutZones(input, plan.tiles.area) : [];
  const zoneRects = new Map(zones.flatMap((zone) => zone.nodes.map((node) => [node, zone.rect] as const)));
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
    zones,
    lensArea: plan.lens,
    lenses,
    anchor(component) {
      const box = boxes.get(component);
      if (box) return box;
      // Servers outside have no box of their own.
      if (component === "internet") return plan.planes.find(({ id }) => id === "internet")?.rect ?? boxes.get("users");
      if (input.controllers.includes(component) || /-controller(@|$)/.test(component)) return plan.controllers;
      const node = nodeOf(component);
      if (node === undefined) return undefined;
      const lens = open.get(node);
      return lens ? (kindOf(component) === "process" ? lens.pods : lens.rect) : (tiles.get(node) ?? zoneRects.get(node));
    },
  };
}

/** A member of etcd that is alone has the room of all. */
function widenAlone(id: string, others: readonly string[], fixed: Readonly<Record<string, Rect>>, boxes: Map<string, Rect>): void {
  const place = boxes.get(id);
  const last = fixed[others.at(-1) ?? ""];
  if (place === undefined || last === undefined || others.some((other) => boxes.has(other))) return;
  boxes.set(id, rect(place.x, place.y, last.x + last.w - place.x, last.y + last.h - place.y));
}

/** One box above the other, the first control-plane node's on top. */
function shareBox(ids: readonly string[], place: Rect | undefined, boxes: Map<string, Rect>): void {
  if (place === undefined) return;
  const gap = 4;
  const h = (place.h - gap * (ids.length - 1)) / ids.length;
  ids.forEach((id, i) => boxes.set(id, rect(place.x, place.y + i * (h + gap), place.w, h)));
}

/** The room of a node's name in a row. */
const ROW_NAME = 82;

function layoutLenses(open: readonly string[], area: Rect, compact: boolean, known: ReadonlySet<string>, boxes: Map<string, Rect>): Lens[] {
  const row = compact && open.length > 1;
  const gap = row ? 3 : 6;
  const h = open.length === 0 ? area.h : (area.h - gap * (open.length - 1)) / open.length;
  return open.map((node, i): Lens => {
    const frame = rect(area.x, area.y + i * (h + gap), area.w, h);
    const kinds = NODE_KINDS.filter((kind) => known.has(`${kind}@${node}`));
    const dense = compact || open.length > 1;
    if (row) return { node, rect: frame, dense, row, pods: rect(frame.x + ROW_NAME, frame.y + 1.5, frame.w - ROW_NAME - 3, frame.h - 3) };
    const pods = dense ? denseBoxes(node, kinds, frame, boxes) : wideBoxes(node, kinds, frame, boxes);
    return { node, rect: frame, dense, row, pods };
  });
}

function wideBoxes(node: string, kinds: readonly string[], frame: Rect, boxes: Map<string, Rect>): Rect {
  const first = kinds.slice(0, 2);
  const second = kinds.slice(2);
  const place = (list: readonly string[], y: number, h: number): void => {
    const unit = (frame.w - 16 - 6 * (list.length - 1)) / list.reduce((sum, kind) => sum + kind.length + 5, 0);
    let x = frame.x + 8;
    for (const kind of list) {
      const w = unit * (kind.length + 5);
      boxes.set(`${kind}@${node}`, rect(x, y, w, h));
      x += w + 6;
    }
  };
  place(first, frame.y + 24, 52);
  place(second, frame.y + 81, 50);
  return rect(frame.x + 8, frame.y + 136, frame.w - 16, frame.h - 143);
}

function denseBoxes(node: string, kinds: readonly string[], frame: Rect, boxes: Map<string, Rect>): Rect {
  const w = (frame.w - 12 - 4 * (kinds.length - 1)) / Math.max(1, kinds.length);
  kinds.forEach((kind, i) => boxes.set(`${kind}@${node}`, rect(frame.x + 6 + i * (w + 4), frame.y + 18, w, 22)));
  return rect(frame.x + 6, frame.y + 43, frame.w - 12, frame.h - 48);
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

/** One box a zone, side by side; within it a dot a node, in the order of the world. */
function layoutZones({ nodes, zoneOf = () => "", compact }: LayoutInput, area: Rect): ZonePlace[] {
  const groups = new Map<string, string[]>();
  for (const node of nodes) {
    const zone = zoneOf(node);
    const group = groups.get(zone);
    if (group) group.push(node);
    else groups.set(zone, [node]);
  }
  const zones = groups.size > MAX_ZONES ? [["", [...nodes]] as const] : [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const gap = 5;
  const w = (area.w - gap * (zones.length - 1)) / zones.length;
  const head = compact ? 16 : ZONE_HEAD;
  return zones.map(([zone, group], i): ZonePlace => {
    const place = rect(area.x + i * (w + gap), area.y, w, area.h);
    const inner = { w: w - 12, h: area.h - head - 6 };
    const columns = Math.max(1, Math.ceil(Math.sqrt((group.length * inner.w) / inner.h)));
    const rows = Math.ceil(group.length / columns);
    return { zone, rect: place, nodes: group, dots: { size: Math.min(10, inner.w / columns, inner.h / rows), columns, x: place.x + 6, y: place.y + head } };
  });
}
