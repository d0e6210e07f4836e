import { type Level, PROTOCOLS } from "../../trace/model.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { familyOf, type Shape, shapeOf } from "../theme/components.ts";
import { type Curve, curveBetween, pointOn } from "./geometry.ts";
import type { StageLayout } from "./layout.ts";

export const MAX_TOKENS = 60;
/** With this many tokens or fewer, each says its verb. */
const MAX_LABELLED = 7;
const MAX_VERB = 22;
const MAX_EDGES = 80;
const GLOW_MS = 200;
const HOP = 0;
const OUTCOMES_LOST = 4;
const OUTCOMES_REFUSED = 3;

const SHAPES: Readonly<Record<Shape, string>> = {
  request: "M5.5 0A5.5 5.5 0 1 1-5.5 0 5.5 5.5 0 1 1 5.5 0Z",
  response: "M4.600 0A4.600 4.600 0 1 1-4.600 0 4.600 4.600 0 1 1 4.600 0Z",
  watch: "M0-6.500 6.500 0 0 6.500-6.500 0Z",
  bulk: "M-5-5H5V5H-5Z",
  failed: "M-4.500-4.500 4.500 4.500M4.500-4.500-4.500 4.500",
};

interface Token {
  readonly group: SVGGElement;
  readonly path: SVGPathElement;
  readonly count: SVGTextElement;
  hop: number;
  shape: string;
  family: string;
  text: string;
  visible: boolean;
}

interface Edge {
  readonly path: SVGPathElement;
  key: string;
  seen: number;
  carrying: boolean;
  strong: boolean;
}

const SVG = "http://www.w3.org/2000/svg";

/** Draws what moves: a fixed pool of marks that a frame places from t. React never sees them. */
export class Marks {
  private readonly tokens: Token[] = [];
  private readonly edges: Edge[] = [];
  private curves = new Map<number, Curve | null>();
  private layout: StageLayout | undefined;
  private index: TraceIndex | undefined;
  private detail: Level = "basic";
  /** Hop that led to the step shown: its way stays drawn while paused. */
  private current = -1;
  /** Hops of the steps shown and next: they are seen travelling at every detail level. */
  private told: readonly number[] = [];
  /** Hop that is hovered or pinned anywhere on the page: its way is drawn whenever it was. */
  private picked = -1;
  reducedMotion = false;

  constructor(edges: SVGGElement, tokens: SVGGElement) {
    for (let i = 0; i < MAX_EDGES; i++) {
      const path = document.createElementNS(SVG, "path");
      path.style.display = "none";
      edges.append(path);
      this.edges.push({ path, key: "", seen: Number.NEGATIVE_INFINITY, carrying: false, strong: false });
    }
    for (let i = 0; i < MAX_TOKENS; i++) {
      const group = document.createElementNS(SVG, "g");
      const path = document.createElementNS(SVG, "path");
      const count = document.createElementNS(SVG, "text");
      const hit = document.createElementNS(SVG, "circle");
      hit.setAttribute("r", "12");
      hit.setAttribute("class", "hit");
      count.setAttribute("y", "-9");
      group.append(hit, path, count);
      group.style.display = "none";
      tokens.append(group);
      this.tokens.push({ group, path, count, hop: -1, shape: "", family: "", text: "", visible: false });
    }
  }

  /** What to draw; called when the run, the layout or the step changes. */
  show(index: TraceIndex, layout: StageLayout, detail: Level, current: number, told: readonly number[]): void {
    if (layout !== this.layout || index.trace !== this.index?.trace) this.curves = new Map();
    this.layout = layout;
    this.index = index;
    this.detail = detail;
    this.current = current;
    this.told = told;
  }

  pick(hop: number): void {
    this.picked = hop;
  }

  /** The hop that a token element stands for. */
  hopOf(target: EventTarget | null): number | undefined {
    const token = this.tokens.find((one) => target instanceof Node && one.group.contains(target));
    return token && token.visible ? token.hop : undefined;
  }

  /** Places every mark for `t`. Returns true while an edge fades. */
  paint(t: number, wall: number): boolean {
    const { index, layout } = this;
    if (!index || !layout) return false;
    const { mail } = index.trace;
    const hops = index.inFlight(t, this.detail);
    for (const hop of this.told) if (mail.sentAt.get(hop) <= t && mail.dueAt.get(hop) > t && !hops.includes(hop)) hops.push(hop);
    const merged = hops.length > MAX_TOKENS;
    const counts = new Map<string, number>();
    for (const edge of this.edges) edge.carrying = false;
    let used = 0;
    for (const hop of hops) {
      const curve = this.curve(hop);
      if (!curve) continue;
      this.light(curve.d, wall, familyOf(index.trace.components[mail.from.get(hop)] ?? ""), false);
      if (merged) {
        const count = (counts.get(curve.d) ?? 0) + 1;
        counts.set(curve.d, count);
        if (count > 1) continue;
      }
      if (used >= MAX_TOKENS) continue;
      const sent = mail.sentAt.get(hop);
      const due = mail.dueAt.get(hop);
      this.place(this.tokens[used++] as Token, hop, curve, this.reducedMotion ? 1 : (t - sent) / Math.max(1, due - sent));
    }
    used = this.paintCurrent(t, wall, used);
    const picked = this.picked >= 0 ? this.curve(this.picked) : undefined;
    if (picked) this.light(picked.d, wall, familyOf(index.trace.components[mail.from.get(this.picked)] ?? ""), true);
    this.label(counts, used, hops.length <= MAX_LABELLED);
    for (let i = used; i < MAX_TOKENS; i++) hide(this.tokens[i] as Token);
    return this.fade(wall);
  }

  /** The step's own hop, once it has arrived: its way and its mark at the end of it. */
  private paintCurrent(t: number, wall: number, used: number): number {
    const { current, index } = this;
    if (current < 0 || !index || used >= MAX_TOKENS) return used;
    const due = index.trace.mail.dueAt.get(current);
    if (due > t) return used;
    const curve = this.curve(current);
    if (!curve) return used;
    this.light(curve.d, wall, familyOf(index.trace.components[index.trace.mail.from.get(current)] ?? ""), true);
    this.place(this.tokens[used] as Token, current, curve, 1);
    return used + 1;
  }

  private curve(hop: number): Curve | undefined {
    const { index, layout } = this;
    if (!index || !layout) return undefined;
    const { mail, components } = index.trace;
    const key = mail.from.get(hop) * 65536 + mail.to.get(hop);
    let curve = this.curves.get(key);
    if (curve === undefined) {
      const from = layout.anchor(components[mail.from.get(hop)] ?? "");
      const to = layout.anchor(components[mail.to.get(hop)] ?? "");
      curve = (from && to && from !== to && curveBetween(from, to)) || null;
      this.curves.set(key, curve);
    }
    return curve ?? undefined;
  }

  private place(token: Token, hop: number, curve: Curve, share: number): void {
    const trace = this.index?.trace;
    if (!trace) return;
    if (token.hop !== hop || !token.visible) {
      const { mail } = trace;
      const outcome = mail.outcome.get(hop);
      const toCaller = mail.cause.get(hop) >= 0 && mail.kind.get(mail.cause.get(hop)) === HOP && mail.from.get(mail.cause.get(hop)) === mail.to.get(hop);
      const shape = shapeOf(PROTOCOLS[mail.protocol.get(hop)] ?? "local", trace.strings.text(mail.verb.get(hop)), mail.status.get(hop), outcome === OUTCOMES_LOST ? "lost" : outcome === OUTCOMES_REFUSED ? "refused" : "", toCaller);
      const family = familyOf(trace.components[mail.from.get(hop)] ?? "");
      if (token.shape !== shape) token.path.setAttribute("d", SHAPES[shape]);
      if (token.shape !== shape || token.family !== family) token.path.setAttribute("class", `token ${shape} hue-${family}`);
      if (token.text !== "") token.count.textContent = "";
      if (!token.visible) token.group.style.display = "";
      token.hop = hop;
      token.shape = shape;
      token.family = family;
      token.text = "";
      token.visible = true;
    }
    const { x, y } = pointOn(curve, Math.min(1, Math.max(0, share)));
    token.group.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }

  private label(counts: ReadonlyMap<string, number>, used: number, verbs: boolean): void {
    const trace = this.index?.trace;
    for (let i = 0; i < used; i++) {
      const token = this.tokens[i] as Token;
      const count = counts.size === 0 ? 1 : (counts.get(this.curve(token.hop)?.d ?? "") ?? 1);
      const text = count > 1 ? `×${count}` : verbs && trace ? trace.strings.text(trace.mail.verb.get(token.hop)) : "";
      if (token.text !== text) token.count.textContent = text.length > MAX_VERB ? `${text.slice(0, MAX_VERB)}…` : text;
      token.text = text;
    }
  }

  private light(d: string, wall: number, family: string, strong: boolean): void {
    let free: Edge | undefined;
    for (const edge of this.edges) {
      if (edge.key === d) {
        edge.seen = wall;
        edge.carrying = true;
        if (edge.strong !== strong) edge.path.setAttribute("class", `edge${strong ? " strong" : ""} hue-${family}`);
        edge.strong = strong;
        return;
      }
      if (!free || edge.seen < free.seen) free = edge;
    }
    if (!free) return;
    free.key = d;
    free.strong = strong;
    free.seen = wall;
    free.carrying = true;
    free.path.setAttribute("d", d);
    free.path.setAttribute("class", `edge${strong ? " strong" : ""} hue-${family}`);
    free.path.style.display = "";
    free.path.style.opacity = "1";
  }

  private fade(wall: number): boolean {
    let fading = false;
    for (const edge of this.edges) {
      if (edge.key === "") continue;
      if (edge.carrying) {
        edge.path.style.opacity = "1";
        continue;
      }
      const left = 1 - (wall - edge.seen) / GLOW_MS;
      if (left <= 0 || this.reducedMotion) {
        edge.key = "";
        edge.seen = Number.NEGATIVE_INFINITY;
        edge.path.style.display = "none";
      } else {
        edge.path.style.opacity = left.toFixed(2);
        fading = true;
      }
    }
    return fading;
  }
}

function hide(token: Token): void {
  if (!token.visible) return;
  token.visible = false;
  token.hop = -1;
  token.group.style.display = "none";
}
