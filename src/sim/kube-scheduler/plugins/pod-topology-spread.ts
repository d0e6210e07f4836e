// Models kubernetes/pkg/scheduler/framework/plugins/podtopologyspread/{plugin,filtering,scoring}.go
import { type Cycle, MAX_NODE_SCORE, type Normalized, type Plugin, skip, type Scored, type StateKey, success, unresolvable, unschedulable } from "../framework.ts";
import { ln } from "../ln.ts";
import { labelsOf, namespaceOf, type NodeInfo, type PodInfo } from "../node-info.ts";
import { matchesSelector } from "../selector.ts";
import { type Constraint, constraintsOf, countMatching, hasAllKeys, HOSTNAME, isSystemDefaulted, nodeCounts } from "../topology-spread.ts";

const REASON = "node(s) didn't match pod topology spread constraints";

/** One hard constraint with the number of matching Pods in each of its domains. */
interface Spread {
  readonly constraint: Constraint;
  readonly counts: ReadonlyMap<string, number>;
}

interface SoftSpread extends Spread {
  readonly size: number;
  readonly weight: number;
}

interface PreScore {
  readonly spreads: readonly SoftSpread[];
  readonly ignored: ReadonlySet<string>;
}

const hardKey: StateKey<readonly Spread[]> = { name: "PreFilterPodTopologySpread" };
const softKey: StateKey<PreScore> = { name: "PreScorePodTopologySpread" };

/** The smallest domain; 0 while there are fewer domains than minDomains. */
function minimum({ constraint, counts }: Spread): number {
  if (counts.size < constraint.minDomains) return 0;
  // No domain at all: upstream starts from the largest int32.
  let min = 0x7fffffff;
  for (const count of counts.values()) if (count < min) min = count;
  return min;
}

/** A Pod comes to or leaves a node in a preemption dry run. */
function updateWithPod({ pod, state }: Cycle, { pod: other }: PodInfo, { node }: NodeInfo, delta: number): void {
  const spreads = state.read(hardKey);
  if (!spreads || namespaceOf(other) !== namespaceOf(pod)) return;
  const constraints = spreads.map((s) => s.constraint);
  if (!hasAllKeys(node, constraints)) return;
  const updated = spreads.map((spread) => {
    const { constraint, counts } = spread;
    if (!matchesSelector(constraint.selector, labelsOf(other)) || !nodeCounts(constraint, pod, node)) return spread;
    const domain = labelsOf(node)[constraint.topologyKey] ?? "";
    return { constraint, counts: new Map(counts).set(domain, (counts.get(domain) ?? 0) + delta) };
  });
  state.write(hardKey, updated);
}

function countDomains({ pod, snapshot }: Cycle, constraints: readonly Constraint[]): Spread[] {
  const all = constraints.map(() => new Map<string, number>());
  for (const info of snapshot.nodes) {
    if (!hasAllKeys(info.node, constraints)) continue;
    constraints.forEach((constraint, i) => {
      if (!nodeCounts(constraint, pod, info.node)) return;
      const domain = labelsOf(info.node)[constraint.topologyKey] ?? "";
      const counts = all[i];
      counts?.set(domain, (counts.get(domain) ?? 0) + countMatching(info, constraint.selector, namespaceOf(pod)));
    });
  }
  return constraints.map((constraint, i) => ({ constraint, counts: all[i] ?? new Map() }));
}

/** The domains of the candidates and what a Pod in one of them weighs: ln(number of domains + 2). */
function softSpreads(cycle: Cycle, nodes: readonly NodeInfo[], constraints: readonly Constraint[], ignored: ReadonlySet<string>): SoftSpread[] {
  const { pod, snapshot } = cycle;
  const requireAll = !isSystemDefaulted(pod, cycle.args);
  return constraints.map((constraint) => {
    const counts = new Map<string, number>();
    if (constraint.topologyKey !== HOSTNAME) {
      for (const { name, node } of nodes) if (!ignored.has(name)) counts.set(labelsOf(node)[constraint.topologyKey] ?? "", 0);
      for (const info of snapshot.nodes) {
        if ((requireAll && !hasAllKeys(info.node, constraints)) || !nodeCounts(constraint, pod, info.node)) continue;
        const domain = labelsOf(info.node)[constraint.topologyKey] ?? "";
        const count = counts.get(domain);
        if (count !== undefined) counts.set(domain, count + countMatching(info, constraint.selector, namespaceOf(pod)));
      }
    }
    const size = constraint.topologyKey === HOSTNAME ? nodes.length - ignored.size : counts.size;
    return { constraint, counts, size, weight: ln(size + 2) };
  });
}

/** Rounds half away from zero, as Go's math.Round; scores are never negative. */
const round = (x: number): number => Math.floor(x + 0.5);

/** Spreads Pods over zones, hosts or any other label. */
export const podTopologySpread = {
  name: "PodTopologySpread",

  preFilter(cycle) {
    const constraints = constraintsOf(cycle.pod, cycle.snapshot.listers, "DoNotSchedule", cycle.args);
    if (constraints.length === 0) return { status: skip };
    cycle.state.write(hardKey, countDomains(cycle, constraints));
    return { status: success };
  },

  addPod: (cycle, added, node) => updateWithPod(cycle, added, node, 1),
  removePod: (cycle, removed, node) => updateWithPod(cycle, removed, node, -1),

  filter({ pod, state }, { node }) {
    for (const spread of state.read(hardKey) ?? []) {
      const { constraint, counts } = spread;
      const domain = labelsOf(node)[constraint.topologyKey];
      if (domain === undefined) return { ...unresolvable(`${REASON} (missing required label)`), detail: `no label ${constraint.topologyKey}` };
      const self = matchesSelector(constraint.selector, labelsOf(pod)) ? 1 : 0;
      const count = counts.get(domain) ?? 0;
      const least = minimum(spread);
      if (count + self - least > constraint.maxSkew) return { ...unschedulable(REASON), detail: `${constraint.topologyKey}=${domain}: ${count} + ${self} - the fewest ${least} = ${count + self - least} > maxSkew ${constraint.maxSkew}` };
    }
    return success;
  },

  preScore(cycle, nodes) {
    const constraints = constraintsOf(cycle.pod, cycle.snapshot.listers, "ScheduleAnyway", cycle.args);
    if (cycle.snapshot.nodes.length === 0 || constraints.length === 0) return skip;
    // System defaults do not ask for all keys: nodes without a zone still spread by host.
    const ignored = new Set(isSystemDefaulted(cycle.pod, cycle.args) ? [] : nodes.filter(({ node }) => !hasAllKeys(node, constraints)).map((n) => n.name));
    cycle.state.write(softKey, { spreads: softSpreads(cycle, nodes, constraints, ignored), ignored });
    return success;
  },

  score({ pod, state }, info): Scored {
    const { spreads, ignored } = state.read(softKey) ?? { spreads: [], ignored: new Set<string>() };
    if (ignored.has(info.name)) return { raw: 0, formula: "a topology label is missing: ignored", inputs: {} };
    const inputs: Record<string, number> = {};
    const parts: string[] = [];
    let score = 0;
    for (const { constraint, counts, size, weight } of spreads) {
      const { topologyKey, maxSkew, selector } = constraint;
      const domain = labelsOf(info.node)[topologyKey];
      if (domain === undefined) continue;
      const count = topologyKey === HOSTNAME ? countMatching(info, selector, namespaceOf(pod)) : (counts.get(domain) ?? 0);
      score += count * weight + (maxSkew - 1);
      parts.push(`${count} × ln(${size} + 2) [${Math.round(weight * 1e6) / 1e6}] + (${maxSkew} - 1)`);
      inputs[`Pods in ${topologyKey}=${domain}`] = count;
      inputs[`domains of ${topologyKey}`] = size;
    }
    const raw = round(score);
    return { raw, formula: `round(${parts.join(" + ") || "0"}) = ${raw}`, inputs };
  },

  normalize({ state }, nodes, raw): Normalized {
    const ignored = state.read(softKey)?.ignored ?? new Set<string>();
    const counted = raw.filter((_, i) => !ignored.has(nodes[i]?.name ?? ""));
    const max = counted.reduce((m, s) => Math.max(m, s), 0);
    const min = counted.reduce((m, s) => Math.min(m, s), Number.MAX_SAFE_INTEGER);
    const scores = raw.map((s, i) => {
      if (ignored.has(nodes[i]?.name ?? "")) return 0;
      return max === 0 ? MAX_NODE_SCORE : Math.floor((MAX_NODE_SCORE * (max + min - s)) / max);
    });
    return { scores, formula: max === 0 ? "max = 0: 100 for all" : `100 × (${max} + ${min} - raw) / ${max}` };
  },
} satisfies Plugin;
