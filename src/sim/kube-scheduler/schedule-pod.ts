// Models kubernetes/pkg/scheduler/schedule_one.go (schedulePod, findNodesThatFitPod, prioritizeNodes)
import type { ResourceClaim } from "../api/resource-claims.ts";
import type { Pod } from "../api/types.ts";
import { type Batching, nodeHint } from "./batch.ts";
import { defaultProfile } from "./config/load.ts";
import type { Profile } from "./config/types.ts";
import type { Candidate, Decision, FilterResult, PluginScores, PostFilterResult, PreemptionResult, PreFilterResult, Total, VictimRef } from "./decision.ts";
import { type Diagnosis, fitErrorMessage, NO_NODES } from "./fit-error.ts";
import { type Cycle, CycleState, isRejected, type NodeStatuses, type Plugin, type Status, success, unresolvable, type Victims } from "./framework.ts";
import { numFeasibleNodesToFind, selectHost } from "./host-selection.ts";
import { namespaceOf, type NodeInfo, podInfoOf, podKey, priorityOf } from "./node-info.ts";
import { claimsOn } from "./plugins/dynamic-resources.ts";
import { pointsOf } from "./plugins/registry.ts";
import { CRITERIA } from "./preemption.ts";
import { runFiltersWithNominated } from "./run-filters.ts";
import { getNode, type Snapshot } from "./snapshot.ts";

const NEVER_LOOKED_AT: Status = { code: "UnschedulableAndUnresolvable", reasons: [] };

interface PreFiltered {
  readonly status: Status;
  readonly results: readonly PreFilterResult[];
  readonly nodeNames?: ReadonlySet<string>;
  /** Plugins that named nodes, sorted. */
  readonly naming: readonly string[];
}

const describe = (plugin: Plugin, status: Status, nodeNames?: ReadonlySet<string>): PreFilterResult => ({
  plugin: plugin.name,
  code: status.code,
  reasons: status.reasons,
  ...(nodeNames ? { nodeNames: [...nodeNames].sort() } : {}),
});

const intersect = (a: ReadonlySet<string> | undefined, b: ReadonlySet<string>): ReadonlySet<string> => (a ? new Set([...a].filter((name) => b.has(name))) : b);

/** RunPreFilterPlugins: stops at the first unresolvable rejection; narrows the nodes to those that all plugins name. */
function runPreFilters(cycle: Cycle): PreFiltered {
  const results: PreFilterResult[] = [];
  const naming: string[] = [];
  let nodeNames: ReadonlySet<string> | undefined;
  let remembered: Status = success;
  for (const plugin of cycle.points.preFilter) {
    if (!plugin.preFilter) continue;
    const outcome = plugin.preFilter(cycle);
    const { status } = outcome;
    results.push(describe(plugin, status, outcome.nodeNames));
    if (status.code === "Skip") {
      cycle.state.skipFilter.add(plugin.name);
      continue;
    }
    if (status.code === "Unschedulable") {
      remembered = { ...status, plugin: plugin.name };
      continue;
    }
    if (status.code === "Error") return { status: { code: "Error", plugin: plugin.name, reasons: [`running PreFilter plugin "${plugin.name}": ${status.reasons.join(", ")}`] }, results, naming: [] };
    if (status.code !== "Success") return { status: { ...status, plugin: plugin.name }, results, naming: [] };
    if (!outcome.nodeNames) continue;
    naming.push(plugin.name);
    nodeNames = intersect(nodeNames, outcome.nodeNames);
    if (nodeNames.size === 0) {
      naming.sort();
      const message = naming.length === 1 ? `node(s) didn't satisfy plugin ${naming[0] ?? ""}` : `node(s) didn't satisfy plugin(s) [${naming.join(" ")}] simultaneously`;
      return { status: unresolvable(message), results, naming };
    }
  }
  return { status: remembered, results, naming: naming.sort(), ...(nodeNames ? { nodeNames } : {}) };
}

interface Filtered {
  readonly feasible: readonly NodeInfo[];
  readonly byNode: ReadonlyMap<string, Status>;
  readonly error?: Status;
}

/** findNodesThatPassFilters: from `start` on, round the list, until enough nodes fit. */
// Simplified: upstream looks at 16 nodes at a time, so the order among those that fit is arbitrary.
function runFilters(cycle: Cycle, nodes: readonly NodeInfo[], start: number): Filtered {
  // Without score plugins any node that fits is as good as another.
  const enough = cycle.points.score.length === 0 ? 1 : numFeasibleNodesToFind(nodes.length, cycle.args.percentageOfNodesToScore, cycle.args.profilePercentageOfNodesToScore);
  const feasible: NodeInfo[] = [];
  const byNode = new Map<string, Status>();
  for (let i = 0; i < nodes.length && feasible.length < enough; i += 1) {
    const node = nodes[(start + i) % nodes.length];
    if (!node) continue;
    const status = runFiltersWithNominated(cycle, node);
    if (status.code === "Error") return { feasible, byNode, error: status };
    if (status.code === "Success") feasible.push(node);
    else byNode.set(node.name, status);
  }
  return { feasible, byNode };
}

interface Found {
  readonly preFiltered: PreFiltered;
  readonly feasible: readonly NodeInfo[];
  readonly statuses: NodeStatuses;
  readonly nextStartNodeIndex: number;
  readonly error?: Status;
  readonly hint?: string;
  readonly first?: Decision["first"];
}

/** findNodesThatFitPod. */
function findNodes(cycle: Cycle, start: number, batching: Batching | undefined): Found {
  const { nodes } = cycle.snapshot;
  const preFiltered = runPreFilters(cycle);
  const none = { preFiltered, feasible: [], nextStartNodeIndex: start };
  if (preFiltered.status.code === "Error") return { ...none, statuses: { byNode: new Map(), absent: NEVER_LOOKED_AT }, error: preFiltered.status };
  if (preFiltered.status.code !== "Success") return { ...none, statuses: { byNode: new Map(), absent: preFiltered.status } };
  const byNode = new Map<string, Status>();
  const hint = batching ? nodeHint(cycle, batching) : "";
  const promised = cycle.pod.status?.nominatedNodeName ?? "";
  // Room was made there for this Pod, or one like it was told that it is next: the other nodes are looked at only if it does not fit.
  const wanted = promised || hint;
  const first = wanted === "" ? undefined : getNode(cycle.snapshot, wanted);
  const hinted = { ...(hint === "" ? {} : { hint }), ...(first ? { first: { node: first.name, why: promised === "" ? "alike" : "promised" } as const } : {}) };
  if (first) {
    const tried = runFilters(cycle, [first], 0);
    for (const [name, status] of tried.byNode) byNode.set(name, status);
    if (tried.feasible.length > 0) return { ...none, ...hinted, feasible: tried.feasible, statuses: { byNode, absent: NEVER_LOOKED_AT } };
  }
  const names = preFiltered.nodeNames;
  const looked = names ? [...names].sort().flatMap((name) => getNode(cycle.snapshot, name) ?? []) : nodes;
  const absent = names ? unresolvable(`node(s) didn't satisfy plugin(s) [${preFiltered.naming.join(" ")}]`) : NEVER_LOOKED_AT;
  const filtered = runFilters(cycle, looked, start);
  for (const [name, status] of filtered.byNode) byNode.set(name, status);
  const next = (start + filtered.feasible.length + byNode.size) % nodes.length;
  return { ...hinted, preFiltered, feasible: filtered.feasible, statuses: { byNode, absent }, nextStartNodeIndex: next, ...(filtered.error ? { error: filtered.error } : {}) };
}

/** RunPreScorePlugins and RunScorePlugins for one plugin. */
function scorePlugin(cycle: Cycle, plugin: Plugin, nodes: readonly NodeInfo[]): PluginScores | undefined {
  const { score } = plugin;
  const weight = cycle.weights[plugin.name] ?? 1;
  const status = (cycle.points.preScore.includes(plugin) ? plugin.preScore?.(cycle, nodes) : undefined) ?? success;
  if (status.code === "Skip") return { plugin: plugin.name, weight, skipped: true, normalize: "", nodes: [] };
  if (!score) return undefined;
  const scored = nodes.map((node) => score(cycle, node));
  const raw = scored.map((s) => s.raw);
  const normalized = plugin.normalize?.(cycle, nodes, raw);
  return {
    plugin: plugin.name,
    weight,
    skipped: false,
    normalize: normalized?.formula ?? "",
    nodes: scored.map((s, i) => {
      const value = normalized?.scores[i] ?? s.raw;
      return { node: nodes[i]?.name ?? "", raw: s.raw, formula: s.formula, inputs: s.inputs, normalized: value, weighted: value * weight };
    }),
  };
}

function totalsOf(nodes: readonly NodeInfo[], scores: readonly PluginScores[]): Total[] {
  return nodes.map((node, i) => ({ node: node.name, total: scores.reduce((sum, plugin) => sum + (plugin.nodes[i]?.weighted ?? 0), 0) }));
}

interface PostFiltered {
  readonly results: readonly PostFilterResult[];
  readonly message: string;
  readonly chosen?: Victims;
  readonly candidates: readonly Victims[];
  readonly clearsNomination: boolean;
  readonly deallocates?: ResourceClaim;
}

/** RunPostFilterPlugins: the first success ends it; otherwise all reasons are told. */
function runPostFilters(cycle: Cycle, statuses: NodeStatuses): PostFiltered {
  const reasons: string[] = [];
  let candidates: readonly Victims[] = [];
  let clearsNomination = false;
  let deallocates: ResourceClaim | undefined;
  const results: PostFilterResult[] = [];
  for (const plugin of cycle.points.postFilter) {
    const outcome = plugin.postFilter?.(cycle, statuses);
    if (!outcome) continue;
    candidates = outcome.candidates ?? candidates;
    clearsNomination ||= outcome.clearsNomination ?? false;
    deallocates ??= outcome.deallocates;
    const { status, chosen } = outcome;
    const given = deallocates ? { deallocates } : {};
    results.push({ plugin: plugin.name, code: status.code, reasons: status.reasons, nodes: [...(outcome.rejected ?? [])].map(([node, s]) => ({ node, reasons: s.reasons })) });
    if (status.code === "Success") return { results, message: "", candidates, clearsNomination: false, ...given, ...(chosen ? { chosen } : {}) };
    if (!isRejected(status) || status.code === "UnschedulableAndUnresolvable") return { results, message: status.reasons.join(", "), candidates, clearsNomination, ...given };
    reasons.push(...status.reasons);
  }
  return { results, message: reasons.join(", "), candidates, clearsNomination, ...(deallocates ? { deallocates } : {}) };
}

const victimRef = (pod: Pod): VictimRef => ({ namespace: namespaceOf(pod), name: pod.metadata.name ?? "", uid: podKey(pod), priority: priorityOf(pod) });
const candidateOf = (v: Victims): Candidate => ({ node: v.node, victims: v.pods.map(victimRef), numPDBViolations: v.numPDBViolations, ranks: CRITERIA.map((c) => c.score(v)) });
const preemptionOf = (chosen: Victims, candidates: readonly Victims[]): PreemptionResult => ({ node: chosen.node, victims: chosen.pods.map(victimRef), criteria: CRITERIA.map((c) => c.name), candidates: candidates.map(candidateOf) });

function blank(cycle: Cycle, profile: string, start: number): Decision {
  const { pod, snapshot, points } = cycle;
  return {
    pod: { namespace: namespaceOf(pod), name: pod.metadata.name ?? "", uid: podKey(pod) },
    profile,
    outcome: "unschedulable",
    node: "",
    message: NO_NODES,
    numNodes: snapshot.nodes.length,
    preFilter: [],
    filterOrder: points.filter.map((p) => p.name),
    skippedFilters: [],
    rejected: [],
    unseen: { nodes: [], reasons: [] },
    feasible: [],
    postFilter: [],
    scores: [],
    totals: [],
    ties: [],
    unschedulablePlugins: [],
    nextStartNodeIndex: start,
  };
}

function described(base: Decision, cycle: Cycle, found: Found): Decision {
  const { statuses, preFiltered } = found;
  const rejected: FilterResult[] = [...statuses.byNode].map(([node, s]) => ({ node, plugin: s.plugin ?? "", code: s.code, reasons: s.reasons, ...(s.detail === undefined ? {} : { detail: s.detail }) }));
  const seen = new Set([...statuses.byNode.keys(), ...found.feasible.map((n) => n.name)]);
  const own = preFiltered.status.plugin === undefined ? preFiltered.naming : [...preFiltered.naming, preFiltered.status.plugin];
  return {
    ...base,
    preFilter: preFiltered.results,
    skippedFilters: base.filterOrder.filter((name) => cycle.state.skipFilter.has(name)),
    rejected,
    unseen: { nodes: seen.size === base.numNodes ? [] : cycle.snapshot.nodes.flatMap((n) => (seen.has(n.name) ? [] : [n.name])), reasons: statuses.absent.reasons },
    feasible: found.feasible.map((n) => n.name),
    unschedulablePlugins: [...new Set([...own, ...rejected.map((r) => r.plugin)])].sort(),
    nextStartNodeIndex: found.nextStartNodeIndex,
    ...(found.hint === undefined ? {} : { hint: found.hint }),
    ...(found.first ? { first: found.first } : {}),
  };
}

function unschedulableDecision(base: Decision, cycle: Cycle, found: Found): Decision {
  const post = runPostFilters(cycle, found.statuses);
  const { status } = found.preFiltered;
  const diagnosis: Diagnosis = {
    numAllNodes: base.numNodes,
    preFilterMessage: status.code === "Success" ? "" : status.reasons.join(", "),
    postFilterMessage: post.message,
    statuses: found.statuses,
  };
  const clears = post.clearsNomination || cycle.points.postFilter.length === 0;
  return { ...base, message: fitErrorMessage(diagnosis), postFilter: post.results, ...(post.chosen ? { preemption: preemptionOf(post.chosen, post.candidates) } : {}), ...(post.deallocates ? { deallocates: post.deallocates } : {}), ...(clears ? clearing(cycle) : {}) };
}

/** A promise from before is withdrawn when no node is worth waiting for, and after any error. */
const clearing = ({ pod }: Cycle): Pick<Decision, "clearsNomination"> => (pod.status?.nominatedNodeName ? { clearsNomination: true } : {});

/**
 * One scheduling cycle without effects: which node, and why. `startNodeIndex` is where the search begins (the result's
 * `nextStartNodeIndex` is for the next cycle), `draw` a random number for what upstream leaves to chance,
 * `batching` what was left of the Pod before. Node names in
 * the result are in the order in which nodes were looked at.
 */
export function schedulePod(snapshot: Snapshot, pod: Pod, profile: Profile = defaultProfile, startNodeIndex = 0, draw = 0, batching?: Batching): Decision {
  const { args, weights } = profile;
  const cycle: Cycle = { pod, podInfo: podInfoOf(pod), snapshot, args, state: new CycleState(), points: pointsOf(profile), weights, draw };
  const start = snapshot.nodes.length === 0 ? 0 : startNodeIndex % snapshot.nodes.length;
  const empty = blank(cycle, profile.schedulerName, start);
  if (snapshot.nodes.length === 0) return { ...empty, ...clearing(cycle) };
  const found = findNodes(cycle, start, batching);
  const base = described(empty, cycle, found);
  if (found.error) {
    const { plugin = "", reasons } = found.error;
    const text = reasons.join(", ");
    return { ...base, ...clearing(cycle), outcome: "error", feasible: [], message: found.preFiltered.status.code === "Error" ? text : `running "${plugin}" filter plugin: ${text}` };
  }
  if (found.feasible.length === 0) return unschedulableDecision(base, cycle, found);
  const claims = (node: string): Pick<Decision, "claims"> => {
    const all = claimsOn(cycle, node);
    return all.length > 0 ? { claims: all } : {};
  };
  const scheduled = (node: string): string => `Successfully assigned ${base.pod.namespace}/${base.pod.name} to ${node}`;
  const only = found.feasible[0];
  if (found.feasible.length === 1 && only) return { ...base, outcome: "scheduled", node: only.name, message: scheduled(only.name), ties: [only.name], ...claims(only.name) };
  // PreScore of all plugins comes before any Score; as no plugin reads another's notes, one after the other is the same.
  const scores = cycle.points.score.flatMap((plugin) => scorePlugin(cycle, plugin, found.feasible) ?? []);
  const totals = totalsOf(found.feasible, scores);
  const best = totals.reduce((m, t) => Math.max(m, t.total), 0);
  const node = selectHost(totals.map((t) => ({ name: t.node, totalScore: t.total, randomizer: 0 }))) ?? "";
  return { ...base, outcome: "scheduled", node, message: scheduled(node), scores, totals, ties: totals.filter((t) => t.total === best).map((t) => t.node), ...claims(node) };
}
