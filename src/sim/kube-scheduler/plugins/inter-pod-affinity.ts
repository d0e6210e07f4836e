// Models kubernetes/pkg/scheduler/framework/plugins/interpodaffinity/{filtering,scoring}.go
import { type Cycle, MAX_NODE_SCORE, type Normalized, type Plugin, skip, type StateKey, success, unresolvable, unschedulable } from "../framework.ts";
import { namespaceLabels } from "../listers.ts";
import { type AffinityTerm, labelsOf, namespaceOf, type NodeInfo, type PodInfo, termMatches, type WeightedAffinityTerm } from "../node-info.ts";
import { podsWithAffinity, type Snapshot } from "../snapshot.ts";

/** Numbers by (topology key, value), the two joined by a character that no label can hold. */
type Pairs = ReadonlyMap<string, number>;

interface Counts {
  /** Existing Pods that match all of the incoming Pod's affinity terms. */
  readonly affinity: Pairs;
  /** Existing Pods that match an anti-affinity term of the incoming Pod. */
  readonly antiAffinity: Pairs;
  /** Anti-affinity terms of existing Pods that the incoming Pod matches. */
  readonly existingAntiAffinity: Pairs;
}

const countsKey: StateKey<Counts> = { name: "PreFilterInterPodAffinity" };
/** How many Pods count with which weight in each pair: for a reader their sum alone would fall from the sky. */
type Tallies = ReadonlyMap<string, ReadonlyMap<number, number>>;

const scoresKey: StateKey<Tallies> = { name: "PreScoreInterPodAffinity" };

const pairKey = (key: string, value: string): string => `${key}\n${value}`;

function addPair(pairs: Map<string, number>, { node }: NodeInfo, topologyKey: string, n: number): void {
  const value = labelsOf(node)[topologyKey];
  if (value === undefined) return;
  const key = pairKey(topologyKey, value);
  const sum = (pairs.get(key) ?? 0) + n;
  if (sum === 0) pairs.delete(key);
  else pairs.set(key, sum);
}

const matches = (term: AffinityTerm, info: PodInfo, snapshot: Snapshot): boolean => termMatches(term, info.pod, namespaceLabels(snapshot.listers, namespaceOf(info.pod)));

const matchesAll = (terms: readonly AffinityTerm[], info: PodInfo, snapshot: Snapshot): boolean => terms.length > 0 && terms.every((t) => matches(t, info, snapshot));

interface MutableCounts {
  readonly affinity: Map<string, number>;
  readonly antiAffinity: Map<string, number>;
  readonly existingAntiAffinity: Map<string, number>;
}

function countPod(counts: MutableCounts, { podInfo, snapshot }: Cycle, existing: PodInfo, node: NodeInfo, n: number): void {
  for (const t of existing.requiredAntiAffinity) if (matches(t, podInfo, snapshot)) addPair(counts.existingAntiAffinity, node, t.topologyKey, n);
  if (matchesAll(podInfo.requiredAffinity, existing, snapshot)) for (const t of podInfo.requiredAffinity) addPair(counts.affinity, node, t.topologyKey, n);
  for (const t of podInfo.requiredAntiAffinity) if (matches(t, existing, snapshot)) addPair(counts.antiAffinity, node, t.topologyKey, n);
}

function updateWithPod(cycle: Cycle, other: PodInfo, node: NodeInfo, n: number): void {
  const counts = cycle.state.read(countsKey);
  if (!counts) return;
  const copy = { affinity: new Map(counts.affinity), antiAffinity: new Map(counts.antiAffinity), existingAntiAffinity: new Map(counts.existingAntiAffinity) };
  countPod(copy, cycle, other, node, n);
  cycle.state.write(countsKey, copy);
}

const countAt = (pairs: Pairs, { node }: NodeInfo, topologyKey: string): number => {
  const value = labelsOf(node)[topologyKey];
  return value === undefined ? 0 : (pairs.get(pairKey(topologyKey, value)) ?? 0);
};

function satisfiesAffinity({ podInfo, snapshot }: Cycle, counts: Counts, node: NodeInfo): boolean {
  const terms = podInfo.requiredAffinity;
  if (terms.some((t) => labelsOf(node.node)[t.topologyKey] === undefined)) return false;
  if (terms.every((t) => countAt(counts.affinity, node, t.topologyKey) > 0)) return true;
  // The first Pod of a group that wants to be near its own kind may go anywhere.
  return counts.affinity.size === 0 && matchesAll(terms, podInfo, snapshot);
}

const hasPreferences = ({ podInfo }: Cycle): boolean => podInfo.preferredAffinity.length + podInfo.preferredAntiAffinity.length > 0;

type MutableTallies = Map<string, Map<number, number>>;

function tally(tallies: MutableTallies, { node }: NodeInfo, topologyKey: string, weight: number): void {
  const value = labelsOf(node)[topologyKey];
  if (value === undefined) return;
  const key = pairKey(topologyKey, value);
  const counts = tallies.get(key) ?? new Map<number, number>();
  tallies.set(key, counts.set(weight, (counts.get(weight) ?? 0) + 1));
}

function scoreTerms(pairs: MutableTallies, terms: readonly WeightedAffinityTerm[], info: PodInfo, snapshot: Snapshot, node: NodeInfo, sign: number): void {
  for (const t of terms) if (matches(t, info, snapshot)) tally(pairs, node, t.topologyKey, sign * t.weight);
}

const sumOf = (counts: ReadonlyMap<number, number>): number => [...counts].reduce((sum, [weight, n]) => sum + n * weight, 0);

/** Upstream tells "nothing matched" from "matches that cancel out": only the former skips the plugin. */
function anythingMatched({ podInfo, snapshot, args }: Cycle, existing: PodInfo, node: NodeInfo): boolean {
  const labels = labelsOf(node.node);
  const hits = (terms: readonly AffinityTerm[], info: PodInfo): boolean => terms.some((t) => labels[t.topologyKey] !== undefined && matches(t, info, snapshot));
  return (
    hits(podInfo.preferredAffinity, existing) ||
    hits(podInfo.preferredAntiAffinity, existing) ||
    (args.hardPodAffinityWeight > 0 && hits(existing.requiredAffinity, podInfo)) ||
    hits(existing.preferredAffinity, podInfo) ||
    hits(existing.preferredAntiAffinity, podInfo)
  );
}

function scorePod(pairs: MutableTallies, { podInfo, snapshot, args }: Cycle, existing: PodInfo, node: NodeInfo): void {
  scoreTerms(pairs, podInfo.preferredAffinity, existing, snapshot, node, 1);
  scoreTerms(pairs, podInfo.preferredAntiAffinity, existing, snapshot, node, -1);
  const hard = existing.requiredAffinity.map((t) => ({ ...t, weight: args.hardPodAffinityWeight }));
  scoreTerms(pairs, hard, podInfo, snapshot, node, 1);
  scoreTerms(pairs, existing.preferredAffinity, podInfo, snapshot, node, 1);
  scoreTerms(pairs, existing.preferredAntiAffinity, podInfo, snapshot, node, -1);
}

/** Pods near or away from other Pods, in both directions: what the incoming one wants and what existing ones want of it. */
export const interPodAffinity = {
  name: "InterPodAffinity",

  preFilter(cycle) {
    const { podInfo, snapshot, state } = cycle;
    const counts = { affinity: new Map<string, number>(), antiAffinity: new Map<string, number>(), existingAntiAffinity: new Map<string, number>() };
    const own = podInfo.requiredAffinity.length + podInfo.requiredAntiAffinity.length > 0;
    for (const node of snapshot.nodes) for (const existing of own ? node.pods : podsWithAffinity(node)) countPod(counts, cycle, existing, node, 1);
    if (!own && counts.existingAntiAffinity.size === 0) return { status: skip };
    state.write(countsKey, counts);
    return { status: success };
  },

  addPod: (cycle, added, node) => updateWithPod(cycle, added, node, 1),
  removePod: (cycle, removed, node) => updateWithPod(cycle, removed, node, -1),

  filter(cycle, node) {
    const counts = cycle.state.read(countsKey);
    if (!counts) return success;
    if (!satisfiesAffinity(cycle, counts, node)) return unresolvable("node(s) didn't match pod affinity rules");
    if (cycle.podInfo.requiredAntiAffinity.some((t) => countAt(counts.antiAffinity, node, t.topologyKey) > 0)) return unschedulable("node(s) didn't match pod anti-affinity rules");
    const labels = labelsOf(node.node);
    if (counts.existingAntiAffinity.size > 0 && Object.keys(labels).some((key) => countAt(counts.existingAntiAffinity, node, key) > 0)) {
      return unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");
    }
    return success;
  },

  preScore(cycle) {
    const { args, snapshot, state } = cycle;
    const own = hasPreferences(cycle);
    if (args.ignorePreferredTermsOfExistingPods && !own) return skip;
    const pairs: MutableTallies = new Map();
    let matched = false;
    for (const node of snapshot.nodes) {
      for (const existing of own ? node.pods : podsWithAffinity(node)) {
        if (!anythingMatched(cycle, existing, node)) continue;
        matched = true;
        scorePod(pairs, cycle, existing, node);
      }
    }
    if (!matched) return skip;
    state.write(scoresKey, pairs);
    return success;
  },

  score({ state }, info) {
    const pairs: Tallies = state.read(scoresKey) ?? new Map();
    const labels = labelsOf(info.node);
    const inputs: Record<string, number> = {};
    const parts: string[] = [];
    let raw = 0;
    for (const key of Object.keys(labels)) {
      const counts = pairs.get(pairKey(key, labels[key] ?? ""));
      if (counts === undefined) continue;
      raw += sumOf(counts);
      parts.push(...[...counts].map(([weight, n]) => `${n} × ${weight < 0 ? `(${weight})` : weight}`));
      inputs[`${key}=${labels[key] ?? ""}`] = sumOf(counts);
    }
    return { raw, formula: parts.length === 0 ? "no term matches a Pod around here: 0" : `matching Pods × the term's weight, over the node's labels: ${parts.join(" + ")} = ${raw}`, inputs };
  },

  normalize(_cycle, _nodes, raw): Normalized {
    const max = raw.reduce((m, s) => Math.max(m, s), Number.MIN_SAFE_INTEGER);
    const min = raw.reduce((m, s) => Math.min(m, s), Number.MAX_SAFE_INTEGER);
    const spread = max - min;
    if (spread <= 0) return { scores: raw.map(() => 0), formula: "all equal: 0 for all" };
    return { scores: raw.map((s) => Math.trunc(MAX_NODE_SCORE * ((s - min) / spread))), formula: `100 × (raw - ${min}) / (${max} - ${min})` };
  },
} satisfies Plugin;
