import type { KubeObject, Node, Pod } from "../../../../sim/api/types.ts";
import { defaultArgs, type SchedulerArgs, type ScoringStrategy } from "../../../../sim/kube-scheduler/args.ts";
import { type Cycle, CycleState, type Status, success } from "../../../../sim/kube-scheduler/framework.ts";
import { listersOf } from "../../../../sim/kube-scheduler/listers.ts";
import { type NodeInfo, podInfoOf } from "../../../../sim/kube-scheduler/node-info.ts";
import { defaultProfile } from "../../../../sim/kube-scheduler/config/load.ts";
import type { Points } from "../../../../sim/kube-scheduler/framework.ts";
import { pluginNamed, pointsOf } from "../../../../sim/kube-scheduler/plugins/registry.ts";
import { getNode, snapshotOf } from "../../../../sim/kube-scheduler/snapshot.ts";

/** The input of upstream's unit tests of one plugin. Objects come as the tests make them: without API defaults. */
export interface PluginCase {
  readonly plugin: string;
  readonly filters?: readonly string[];
  readonly args?: Partial<SchedulerArgs>;
  readonly scoringStrategy?: ScoringStrategy;
  readonly resources?: SchedulerArgs["balancedResources"];
  readonly nodes?: readonly Node[];
  readonly candidateNodes?: readonly Node[];
  readonly filteredOutNodes?: readonly Node[];
  readonly existingPods?: readonly Pod[];
  readonly pod: Pod;
  readonly [objects: string]: unknown;
}

const LISTS: readonly (readonly [string, string])[] = [
  ["namespaces", "Namespace"],
  ["services", "Service"],
  ["replicationControllers", "ReplicationController"],
  ["replicaSets", "ReplicaSet"],
  ["statefulSets", "StatefulSet"],
  ["persistentVolumeClaims", "PersistentVolumeClaim"],
  ["persistentVolumes", "PersistentVolume"],
  ["storageClasses", "StorageClass"],
  ["csiNodes", "CSINode"],
  ["podDisruptionBudgets", "PodDisruptionBudget"],
];

function argsOf(c: PluginCase): SchedulerArgs {
  return {
    ...defaultArgs,
    ...c.args,
    ...(c.scoringStrategy ? { scoringStrategy: c.scoringStrategy } : {}),
    ...(c.resources ? { balancedResources: c.resources } : {}),
  };
}

// The tests leave out what the type demands.
const complete = <T extends KubeObject>(object: T): T => ({ ...object, spec: object.spec ?? {} });

export function cycleOf(c: PluginCase, names: readonly string[] = [c.plugin]): Cycle {
  const objects = LISTS.flatMap(([list, kind]) => ((c[list] as readonly KubeObject[] | undefined) ?? []).map((o) => ({ ...complete(o), kind })));
  const nodes = [...(c.candidateNodes ?? []), ...(c.filteredOutNodes ?? []), ...(c.nodes ?? [])];
  const pod = complete(c.pod);
  return {
    pod,
    podInfo: podInfoOf(pod),
    snapshot: snapshotOf(nodes, (c.existingPods ?? []).map(complete), listersOf(objects)),
    args: argsOf(c),
    state: new CycleState(),
    points: Object.fromEntries(Object.entries(pointsOf(defaultProfile)).map(([point, plugins]) => [point, plugins.filter((p) => names.includes(p.name))])) as unknown as Points,
    weights: defaultProfile.weights,
    draw: 0,
  };
}

/** Nodes in the order of the case. */
export const nodesOf = (c: PluginCase, cycle: Cycle): NodeInfo[] => (c.candidateNodes ?? c.nodes ?? []).flatMap((n) => getNode(cycle.snapshot, n.metadata.name ?? "") ?? []);

/** Runs PreFilter of the cycle's plugins; the first answer that is neither success nor skip. */
export function preFilter(cycle: Cycle): Status {
  let last: Status = { code: "Success", reasons: [] };
  for (const plugin of cycle.points.preFilter) {
    const outcome = plugin.preFilter?.(cycle);
    if (!outcome) continue;
    if (outcome.status.code === "Skip") cycle.state.skipFilter.add(plugin.name);
    else if (outcome.status.code !== "Success") return outcome.status;
    last = outcome.status;
  }
  return last;
}

const shown = ({ code, reasons }: Status): { code: string; reasons: readonly string[] } => ({ code, reasons });

export function runFilterCase(input: unknown): unknown {
  const c = input as PluginCase;
  const cycle = cycleOf(c);
  const status = preFilter(cycle);
  const filter = status.code === "Skip" ? undefined : pluginNamed(c.plugin)?.filter;
  const results: Record<string, unknown> = {};
  for (const node of nodesOf(c, cycle)) {
    const passed = filter?.(cycle, node) ?? success;
    results[node.name] = shown(status.code === "Success" || status.code === "Skip" ? passed : status);
  }
  return { results, preFilter: status.code };
}

export function runScoreCase(input: unknown): unknown {
  const c = input as PluginCase;
  const cycle = cycleOf(c);
  const plugin = pluginNamed(c.plugin);
  const nodes = nodesOf(c, cycle);
  const code = plugin?.preScore?.(cycle, nodes).code ?? "Success";
  const raw = code === "Skip" ? nodes.map(() => 0) : nodes.map((node) => plugin?.score?.(cycle, node).raw ?? 0);
  const normalized = code === "Skip" ? raw : (plugin?.normalize?.(cycle, nodes, raw).scores ?? raw);
  const named = (scores: readonly number[]): Record<string, number> => Object.fromEntries(nodes.map((node, i) => [node.name, scores[i] ?? 0]));
  return { scores: named(raw), normalizedScores: named(normalized), preScore: code };
}

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, k === "reasons" && Array.isArray(v) ? [...v].sort() : sortKeys(v)]));
};

/** A case asks for some of what its run yields. The order of a node's reasons has no meaning: upstream's come from a map. */
export function compareAsked(actual: unknown, expect: unknown): string | undefined {
  for (const [key, want] of Object.entries(expect as Record<string, unknown>)) {
    const got = (actual as Record<string, unknown>)[key];
    if (JSON.stringify(sortKeys(got)) !== JSON.stringify(sortKeys(want))) return `${key}: want ${JSON.stringify(want)}, got ${JSON.stringify(got)}`;
  }
  return undefined;
}
