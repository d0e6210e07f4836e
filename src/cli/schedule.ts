import { formatTable } from "../sim/api/tabwriter.ts";
import type { KubeObject, Pod } from "../sim/api/types.ts";
import { defaultConfig, loadConfig, profileFor } from "../sim/kube-scheduler/config/load.ts";
import type { Profile } from "../sim/kube-scheduler/config/types.ts";
import type { Decision } from "../sim/kube-scheduler/decision.ts";
import { pointsOf } from "../sim/kube-scheduler/plugins/registry.ts";
import { schedulePod } from "../sim/kube-scheduler/schedule-pod.ts";
import { emptySnapshot } from "../sim/kube-scheduler/snapshot.ts";
import { firstText, matrixOf, sentenceOf } from "../trace/decision.ts";
import type { Args } from "./args.ts";
import { snapshotOfObjects, storedPod } from "./cluster-objects.ts";
import { schedulerConfigOf } from "./commands/recipe-flags.ts";
import { type Io, OK, UsageError } from "./io.ts";
import { choosePod, readObjects } from "./schedule-input.ts";

export interface ScheduleJson {
  readonly selected: string | null;
  readonly feasible: readonly string[];
  readonly filter: Readonly<Record<string, { readonly plugin: string; readonly reasons: readonly string[]; readonly code: string }>>;
  readonly score: Readonly<Record<string, { readonly total: number; readonly plugins: Readonly<Record<string, { readonly raw: number; readonly normalized: number; readonly weight: number; readonly weighted: number }>> }>>;
  /** The text of the Scheduled or FailedScheduling event. */
  readonly event: string;
  /** Victims as namespace/name. */
  readonly preemption: { readonly node: string; readonly victims: readonly string[] } | null;
  /** Enough to do the arithmetic by hand: what the inspector shows. */
  readonly explain: {
    readonly profile: string;
    readonly filters: readonly string[];
    readonly idleFilters: readonly string[];
    readonly scores: readonly { readonly plugin: string; readonly weight: number; readonly normalize: string; readonly nodes: Decision["scores"][number]["nodes"] }[];
    readonly sentence: readonly { readonly text: string; readonly from: readonly string[] }[];
    readonly candidates: readonly { readonly node: string; readonly victims: readonly string[]; readonly ranks: Readonly<Record<string, number>> }[];
  };
}

/** Rejections of all nodes, those included that were never looked at. */
function rejections(decision: Decision, nodes: readonly string[]): ScheduleJson["filter"] {
  const filter: Record<string, ScheduleJson["filter"][string]> = {};
  for (const { node, plugin, reasons, code } of decision.rejected) filter[node] = { plugin, reasons, code };
  const early = decision.preFilter.find((r) => r.code !== "Success" && r.code !== "Skip") ?? decision.preFilter.find((r) => r.nodeNames);
  if (decision.unseen.reasons.length === 0 || !early) return filter;
  for (const node of nodes) if (!filter[node] && !decision.feasible.includes(node)) filter[node] = { plugin: early.plugin, reasons: decision.unseen.reasons, code: "UnschedulableAndUnresolvable" };
  return filter;
}

const victimName = (victim: { readonly namespace: string; readonly name: string }): string => `${victim.namespace}/${victim.name}`;

function explainJson(decision: Decision): ScheduleJson["explain"] {
  const { plugins, idle } = matrixOf(decision);
  const { preemption } = decision;
  return {
    profile: decision.profile,
    filters: plugins,
    idleFilters: idle,
    scores: decision.scores.filter((s) => !s.skipped).map(({ plugin, weight, normalize, nodes }) => ({ plugin, weight, normalize, nodes })),
    sentence: sentenceOf(decision) ?? [],
    candidates: (preemption?.candidates ?? []).map((c) => ({ node: c.node, victims: c.victims.map(victimName), ranks: Object.fromEntries(c.ranks.map((rank, i) => [preemption?.criteria[i] ?? "", rank])) })),
  };
}

/** The decision in the shape that other programs may rely on (design/headless.md). */
export function scheduleJson(decision: Decision, nodes: readonly string[]): ScheduleJson {
  const score: Record<string, ScheduleJson["score"][string]> = {};
  for (const { node, total } of decision.totals) {
    const plugins = decision.scores.flatMap((s) => s.nodes.filter((n) => n.node === node).map((n) => [s.plugin, { raw: n.raw, normalized: n.normalized, weight: s.weight, weighted: n.weighted }] as const));
    score[node] = { total, plugins: Object.fromEntries(plugins) };
  }
  const { preemption } = decision;
  return {
    selected: decision.node === "" ? null : decision.node,
    feasible: decision.feasible,
    filter: rejections(decision, nodes),
    score,
    event: decision.message,
    preemption: preemption ? { node: preemption.node, victims: preemption.victims.map(victimName) } : null,
    explain: explainJson(decision),
  };
}

const table = (names: readonly string[], rows: readonly (readonly string[])[]): string => formatTable(names.map((name) => ({ name, priority: 0 })), rows, false);

const SIGNS = { pass: "+", reject: "X", "not reached": "" } as const;

/** Nodes against filters; a column has the filter's number. */
function matrixText(decision: Decision, rejected: ScheduleJson["filter"]): string {
  const { plugins, rows, idle } = matrixOf(decision);
  const verdict = (row: (typeof rows)[number]): readonly string[] => {
    const found = rejected[row.node];
    return found ? [found.plugin, found.code] : ["-", row.reason === "" ? "Success" : ""];
  };
  const legend = plugins.map((plugin, i) => `${i + 1} ${plugin}`).join(", ");
  const idleLine = idle.length > 0 ? `Nothing to check for this Pod: ${idle.join(", ")}\n` : "";
  const cells = rows.map((row) => [row.node, ...verdict(row), ...row.cells.map((cell) => SIGNS[cell]), row.reason === "" ? "fits" : `${row.reason}${row.detail === "" ? "" : ` (${row.detail})`}`]);
  return `Filters in their order: ${legend || "none"}\n${idleLine}${table(["NODE", "REJECTED BY", "CODE", ...plugins.map((_, i) => String(i + 1)), "REASON"], cells)}`;
}

function scoreText(decision: Decision): string {
  const scored = decision.scores.filter((s) => !s.skipped);
  const skipped = decision.scores.filter((s) => s.skipped).map((s) => s.plugin);
  const byTotal = decision.totals.toSorted((a, b) => b.total - a.total);
  const of = (plugin: (typeof scored)[number], node: string) => plugin.nodes.find((n) => n.node === node);
  const cell = (plugin: (typeof scored)[number], node: string): string => {
    const found = of(plugin, node);
    return found ? `${found.raw} > ${found.normalized} x ${plugin.weight} = ${found.weighted}` : "";
  };
  const rows = byTotal.map(({ node, total }) => [node, ...scored.map((s) => cell(s, node)), String(total)]);
  const arithmetic = scored.flatMap((s) => [
    `  ${s.plugin}, weight ${s.weight}${s.normalize === "" ? ", taken as it is" : `, normalised: ${s.normalize}`}`,
    ...s.nodes.map((n) => `    ${n.node}: ${n.formula}${inputsText(n.inputs)}`),
  ]);
  const sums = byTotal.map(({ node, total }) => `  ${node}: ${scored.map((s) => of(s, node)?.weighted ?? 0).join(" + ") || "0"} = ${total}`);
  const skippedLine = skipped.length > 0 ? `Skipped, nothing to compare: ${skipped.join(", ")}\n` : "";
  return `Scores: raw > normalised x weight = points\n${table(["NODE", ...scored.map((s) => s.plugin), "TOTAL"], rows)}${skippedLine}\nHow the raw scores came about:\n${arithmetic.join("\n")}\n\nTotals, in the order of the columns:\n${sums.join("\n")}\n`;
}

const inputsText = (inputs: Readonly<Record<string, number | string>>): string => {
  const parts = Object.entries(inputs).map(([name, value]) => `${name} ${value}`);
  return parts.length > 0 ? ` (${parts.join(", ")})` : "";
};

function preemptionText({ preemption }: Decision): string[] {
  if (!preemption) return [];
  const rows = preemption.candidates.map((c) => [c.node, c.victims.map((v) => `${victimName(v)} (${v.priority})`).join(", "), ...c.ranks.map(String)]);
  const criteria = preemption.criteria.map((name, i) => `${i + 1} ${name}`).join(", ");
  return [`Preemption: ${preemption.victims.map(victimName).join(", ")} on ${preemption.node} must go\nThe highest number wins, the next column is asked only on ties: ${criteria}\n${table(["NODE", "VICTIMS (PRIORITY)", ...preemption.criteria.map((_, i) => String(i + 1))], rows)}`];
}

function sentenceText(decision: Decision): string[] {
  const parts = sentenceOf(decision);
  if (!parts) return [];
  const lines = parts.filter((part) => part.from.length > 0).map((part) => `  ${part.text.replace(/^[ ,]+/, "")}\n    from ${part.from.join(", ")}\n`);
  return [`How the sentence below is put together:\n${lines.join("")}`];
}

/** The decision for a reader at a terminal: what the inspector of the page shows. */
export function scheduleText(decision: Decision, nodes: readonly string[]): string {
  const parts = [`Pod ${decision.pod.namespace}/${decision.pod.name}, profile ${decision.profile}: ${decision.feasible.length} of ${nodes.length} nodes fit\n`, matrixText(decision, rejections(decision, nodes))];
  const first = firstText(decision);
  if (first !== "") parts.splice(1, 0, `${first}\n`);
  if (decision.totals.length > 0) parts.push(scoreText(decision));
  if (decision.ties.length > 1) parts.push(`Tied with the best total: ${decision.ties.join(", ")}; the first in the heap is taken\n`);
  parts.push(...preemptionText(decision), ...sentenceText(decision));
  parts.push(`${decision.outcome === "scheduled" ? "Scheduled" : "FailedScheduling"}: ${decision.message}\n`);
  return parts.join("\n");
}

/** `gate`: why the Pod would not even enter the queue; "" if it would. */
function decide(pod: Pod, objects: readonly KubeObject[], profile: Profile): { decision: Decision; nodes: string[]; gate: string } {
  const stored = storedPod(pod, objects, "pod-to-place");
  const snapshot = snapshotOfObjects(objects);
  const gates = pointsOf(profile).preEnqueue.flatMap((plugin) => plugin.preEnqueue?.(stored, { listers: snapshot.listers, preempting: [] }).reasons ?? []);
  const nodes = snapshot.nodes.map((n) => n.name).sort();
  // A gated Pod is never tried: no node is looked at.
  if (gates.length > 0) return { decision: { ...schedulePod(emptySnapshot, stored, profile), message: gates.join(", ") }, nodes, gate: gates.join(", ") };
  return { decision: schedulePod(snapshot, { ...stored, spec: { ...stored.spec, nodeName: "" } }, profile), nodes, gate: "" };
}

/** `millipod schedule -f CLUSTER -f POD [-o text|json]`: one decision, explained. CLUSTER may be a built-in world's name. */
export function runSchedule(args: Args, io: Io): number {
  const paths = [...args.all("--file").map(([path = ""]) => path), ...args.positional];
  const format = args.last("--output") ?? "text";
  if (format !== "text" && format !== "json") throw new UsageError(`-o ${format}: choose text or json`);
  if (paths.length === 0) throw new UsageError("give -f CLUSTER and -f POD");
  const { pod, objects } = choosePod(paths.map((path) => readObjects(path, io)));
  if (!objects.some((o) => o.kind === "Node")) throw new UsageError("no Node in the files: give the output of `kubectl get nodes,pods -A -o yaml`");
  const text = schedulerConfigOf(args, io);
  const config = text === undefined ? defaultConfig : loadConfig(text);
  const profile = profileFor(config, pod);
  if (!profile) throw new UsageError(`no profile for schedulerName ${JSON.stringify(pod.spec.schedulerName)}: this scheduler has ${config.profiles.map((p) => p.schedulerName).join(", ")}`);
  const { decision, nodes, gate } = decide(pod, objects, profile);
  const shown = gate === "" ? scheduleText(decision, nodes) : `Pod ${decision.pod.namespace}/${decision.pod.name} is not tried: ${gate}. No node is looked at and no event is written.\n`;
  io.out(format === "json" ? `${JSON.stringify(scheduleJson(decision, nodes), null, 2)}\n` : shown);
  return OK;
}
