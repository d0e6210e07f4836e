import { NOTE_KINDS } from "../../trace/model.ts";
import { upperBound } from "../../trace/trace.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { kindOf } from "../theme/components.ts";

const DECISION = NOTE_KINDS.indexOf("decision");

/** The part of a scheduling decision that the stage draws. */
interface Decision {
  readonly pod?: { readonly namespace: string; readonly name: string };
  readonly node: string;
  readonly rejected: readonly { readonly node: string; readonly plugin: string; readonly reasons: readonly string[] }[];
  readonly feasible: readonly string[];
  readonly totals: readonly { readonly node: string; readonly total: number }[];
}

export interface Badge {
  readonly text: string;
  readonly kind: "out" | "fits" | "score" | "winner";
  /** The reason in full. */
  readonly title: string;
}

export function isDecision(data: unknown): data is Decision {
  const decision = data as Partial<Decision> | undefined;
  return Array.isArray(decision?.rejected) && Array.isArray(decision.feasible) && Array.isArray(decision.totals);
}

/** The schedulers' decision notes of a run, in order of time. */
export function decisionNotes(index: TraceIndex): { readonly ids: readonly number[]; readonly times: readonly number[] } {
  const { notes, components, noteCount } = index.trace;
  const schedulers = new Set(components.flatMap((id, i) => (kindOf(id) === "kube-scheduler" ? [i] : [])));
  const ids: number[] = [];
  for (let id = 0; id < noteCount; id++) if (notes.kind.get(id) === DECISION && schedulers.has(notes.component.get(id))) ids.push(id);
  return { ids, times: ids.map((id) => notes.at.get(id)) };
}

/** The last decision at or before `t`, as long as its Pod has not begun to run. */
export function decisionAt(index: TraceIndex, decisions: ReturnType<typeof decisionNotes>, t: number): number | undefined {
  const note = decisions.ids[upperBound(decisions.times, t) - 1];
  if (note === undefined) return undefined;
  const subject = index.trace.note(note).subject.split("/");
  const pod = index.objectAt(`/registry/pods/${subject[1] ?? ""}/${subject[2] ?? ""}`, t)?.object as { status?: { phase?: string } } | undefined;
  return pod?.status?.phase === "Pending" || pod?.status?.phase === undefined ? note : undefined;
}

const SHORT: Readonly<Record<string, string>> = {
  NodeUnschedulable: "cordoned",
  NodeAffinity: "label",
  NodeName: "other node",
  NodePorts: "port",
  VolumeBinding: "volume",
  VolumeZone: "zone",
  PodTopologySpread: "spread",
  InterPodAffinity: "affinity",
};

/** "cpu" for "Insufficient cpu", "disk" for a disk-pressure taint: one word for a tile. */
export function shortReason(plugin: string, reasons: readonly string[]): string {
  const reason = reasons[0] ?? "";
  const lacking = /Insufficient ([\w./-]+)/.exec(reason)?.[1];
  if (lacking !== undefined) return lacking.split("/").at(-1) ?? lacking;
  if (/Too many pods/.test(reason)) return "pods";
  const pressure = /(disk|memory|pid)-pressure/.exec(reason)?.[1];
  if (pressure !== undefined) return `${pressure} pressure`;
  if (/not-ready|unreachable/.test(reason)) return "not ready";
  if (plugin === "TaintToleration") return "taint";
  return SHORT[plugin] ?? plugin;
}

/** What the scheduler thought of each node: out and why, fits, or its score. `scored` once it has compared them. */
export function badgesOf(decision: Decision, scored: boolean): Map<string, Badge> {
  const badges = new Map<string, Badge>();
  for (const { node, plugin, reasons } of decision.rejected) badges.set(node, { text: shortReason(plugin, reasons), kind: "out", title: `${plugin}: ${reasons.join(", ")}` });
  for (const node of decision.feasible) badges.set(node, { text: "fits", kind: "fits", title: "passed every filter" });
  if (scored) for (const { node, total } of decision.totals) badges.set(node, { text: String(total), kind: node === decision.node ? "winner" : "score", title: `${total} points` });
  return badges;
}
