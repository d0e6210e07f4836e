import { nodesOf, readStream } from "../api/go-yaml/document-stream.ts";
import type { YamlNode } from "../api/go-yaml/parser.ts";

const DEFAULT_PERIOD = 10;
const GATES = new Set(["readinessProbe", "startupProbe"]);

interface Probe {
  /** Offset of the mapping's first character in the text. */
  readonly start: number;
  /** Of the first key, before which a new one may stand. */
  readonly first: number;
  readonly flow: boolean;
  /** Where the period's number stands, if it is given. */
  readonly period?: { readonly pos: number; readonly text: string };
}

function probesIn(node: YamlNode | undefined, offset: number, text: string): Probe[] {
  if (node === undefined || node.kind === "scalar" || node.kind === "alias") return [];
  if (node.kind === "sequence") return node.children.flatMap((child) => probesIn(child, offset, text));
  return node.children.flatMap((key, i) => {
    const value = i % 2 === 0 ? node.children[i + 1] : undefined;
    if (value === undefined) return [];
    if (!GATES.has(key.value) || value.kind !== "mapping") return probesIn(value, offset, text);
    const at = value.children.findIndex((child, j) => j % 2 === 0 && child.value === "periodSeconds");
    const given = at < 0 ? undefined : value.children[at + 1];
    const start = offset + value.pos;
    const first = value.children[0] === undefined ? start : offset + value.children[0].pos;
    return [{ start, first, flow: text[start] === "{", ...(given?.plain === true ? { period: { pos: offset + given.pos, text: given.value } } : {}) }];
  });
}

const probesOf = (text: string): Probe[] => readStream(text).documents.flatMap((document) => (document.value === null ? [] : probesIn(nodesOf(document), document.pos, text)));

/** How often a manifest's readiness and startup probes are tried, in seconds: the first of them. Undefined if it has none. */
export function probePeriod(text: string): number | undefined {
  const [probe] = probesOf(text);
  return probe && Number(probe.period?.text ?? DEFAULT_PERIOD);
}

/** The manifest with another period for its readiness and startup probes; nothing else of the text is touched. */
export function withProbePeriod(text: string, seconds: number): string {
  let changed = text;
  for (const { first, flow, period } of probesOf(text).reverse()) {
    if (period) changed = changed.slice(0, period.pos) + seconds + changed.slice(period.pos + period.text.length);
    else {
      const lineStart = changed.lastIndexOf("\n", first - 1) + 1;
      const added = flow ? `periodSeconds: ${seconds}, ` : `periodSeconds: ${seconds}\n${" ".repeat(first - lineStart)}`;
      changed = changed.slice(0, first) + added + changed.slice(first);
    }
  }
  return changed;
}
