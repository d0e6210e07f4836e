import { describe, expect, test } from "vitest";
import type { KubeObject, LabelSelector, Node, NodeSelectorTerm, Pod, PodAffinityTerm } from "../api/types.ts";
import type { Decision } from "./decision.ts";
import { listersOf } from "./listers.ts";
import { schedulePod } from "./schedule-pod.ts";
import { snapshotOf } from "./snapshot.ts";

/** Random worlds are judged twice: by the scheduler, and here by the plainest reading of each hard rule. */

type Rand = (n: number) => number;
const randFrom = (seed: number): Rand => {
  let s = seed * 2_654_435_761 + 12_345;
  return (n) => {
    s = (Math.imul(s, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((s / 0x8000_0000) * n);
  };
};
const pick = <T>(r: Rand, list: readonly T[]): T => list[r(list.length)] as T;
const maybe = (r: Rand, percent: number): boolean => r(100) < percent;

const ZONES = ["a", "b", "c"];
const APPS = ["web", "db", "cache"];
const KEYS = ["zone", "kubernetes.io/hostname", "rack"];

function selector(r: Rand): LabelSelector {
  if (maybe(r, 60)) return { matchLabels: { app: pick(r, APPS) } };
  if (maybe(r, 60)) return { matchExpressions: [{ key: "app", operator: pick(r, ["In", "NotIn"] as const), values: [pick(r, APPS), pick(r, APPS)] }] };
  return { matchExpressions: [{ key: "tier", operator: pick(r, ["Exists", "DoesNotExist"] as const) }] };
}
const term = (r: Rand): PodAffinityTerm => ({ topologyKey: pick(r, KEYS), labelSelector: selector(r), ...(maybe(r, 20) ? { namespaces: ["default", "other"] } : maybe(r, 15) ? { namespaceSelector: { matchLabels: { team: "x" } } } : {}) });

function node(r: Rand, i: number): Node {
  const labels: Record<string, string> = { "kubernetes.io/hostname": `n${i}`, ...(maybe(r, 85) ? { zone: pick(r, ZONES) } : {}), ...(maybe(r, 60) ? { rack: `r${r(4)}` } : {}), ...(maybe(r, 40) ? { disk: "ssd", gen: String(r(5)) } : {}) };
  const taints = [...(maybe(r, 20) ? [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }] : []), ...(maybe(r, 15) ? [{ key: "flaky", effect: pick(r, ["NoExecute", "PreferNoSchedule"]) }] : [])];
  return { apiVersion: "v1", kind: "Node", metadata: { name: `n${i}`, labels }, spec: { ...(taints.length > 0 ? { taints } : {}), ...(maybe(r, 8) ? { unschedulable: true } : {}) }, status: { allocatable: { cpu: `${1 + r(4)}`, memory: `${2 + r(6)}Gi`, pods: `${3 + r(5)}`, ...(maybe(r, 30) ? { "example.com/gpu": `${1 + r(2)}` } : {}) }, images: maybe(r, 50) ? [{ names: ["x:latest"], sizeBytes: 500_000_000 }] : [] } };
}

function basic(r: Rand, name: string, priority: number): Pod {
  const requests = { ...(maybe(r, 80) ? { cpu: `${100 * (1 + r(14))}m` } : {}), ...(maybe(r, 70) ? { memory: `${256 * (1 + r(10))}Mi` } : {}), ...(maybe(r, 15) ? { "example.com/gpu": "1" } : {}) };
  const labels: Record<string, string> = { app: pick(r, APPS), ...(maybe(r, 50) ? { tier: "front" } : {}) };
  return { apiVersion: "v1", kind: "Pod", metadata: { name, uid: name, namespace: maybe(r, 80) ? "default" : "other", labels }, spec: { priority, containers: [{ name: "c", image: "x", resources: { requests }, ...(maybe(r, 20) ? { ports: [{ containerPort: 80, hostPort: 8080 + r(2), ...(maybe(r, 30) ? { hostIP: "10.0.0.1" } : {}) }] } : {}) }] } };
}

function incoming(r: Rand): Pod {
  const pod = basic(r, "incoming", pick(r, [0, 50, 100]));
  const required = maybe(r, 25) ? [{ matchExpressions: [{ key: pick(r, ["disk", "gen", "zone"]), operator: pick(r, ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]), values: ["2"] }] }, ...(maybe(r, 40) ? [{ matchExpressions: [{ key: "disk", operator: "In", values: ["ssd"] }] }] : [])] : undefined;
  const affinity = {
    ...(required ? { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: required } } } : {}),
    ...(maybe(r, 20) ? { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(r)], preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 + r(100), podAffinityTerm: term(r) }] } } : {}),
    ...(maybe(r, 25) ? { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(r)] } } : {}),
  };
  const spread = { maxSkew: 1 + r(2), topologyKey: pick(r, KEYS), whenUnsatisfiable: pick(r, ["DoNotSchedule", "ScheduleAnyway"] as const), labelSelector: selector(r), ...(maybe(r, 20) ? { minDomains: 1 + r(4) } : {}), ...(maybe(r, 20) ? { nodeTaintsPolicy: "Honor" } : {}), ...(maybe(r, 20) ? { nodeAffinityPolicy: "Ignore" } : {}) };
  const tolerations = [...(maybe(r, 30) ? [{ key: "dedicated", operator: "Equal", value: "gpu", effect: "NoSchedule" }] : []), ...(maybe(r, 10) ? [{ operator: "Exists" }] : [])];
  return { ...pod, spec: { ...pod.spec, affinity, tolerations, ...(maybe(r, 15) ? { nodeSelector: { disk: "ssd" } } : {}), ...(maybe(r, 30) ? { topologySpreadConstraints: maybe(r, 30) ? [spread, { ...spread, topologyKey: "zone", maxSkew: 1 }] : [spread] } : {}) } } as Pod;
}

interface World {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly objects: readonly KubeObject[];
  readonly pod: Pod;
}

function world(seed: number): World {
  const r = randFrom(seed);
  const nodes = Array.from({ length: 2 + r(7) }, (_, i) => node(r, i));
  const pods = nodes.flatMap((n, i) => Array.from({ length: r(5) }, (_, j): Pod => {
    const pod = basic(r, `p${i}-${j}`, pick(r, [0, 10, 100]));
    const affinity = maybe(r, 15) ? { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(r)] } } : undefined;
    return { ...pod, metadata: { ...pod.metadata, ...(maybe(r, 5) ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}) }, spec: { ...pod.spec, nodeName: n.metadata.name ?? "", ...(affinity ? { affinity } : {}) }, status: { phase: "Running", startTime: `2026-01-01T00:00:${10 + i}Z` } };
  }));
  const objects: KubeObject[] = [["default", {}], ["other", { team: "x" }]].map(([name, labels]) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } }) as KubeObject);
  return { nodes, pods, objects, pod: incoming(r) };
}

// The rules again, as plainly as they can be said.

const labels = (o: KubeObject): Readonly<Record<string, string>> => o.metadata.labels ?? {};
function selects(s: LabelSelector | undefined, of: Readonly<Record<string, string>>): boolean {
  if (!s) return false;
  if (Object.entries(s.matchLabels ?? {}).some(([k, v]) => of[k] !== v)) return false;
  return (s.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const value = of[key];
    if (operator === "In") return value !== undefined && values.includes(value);
    if (operator === "NotIn") return value === undefined || !values.includes(value);
    return (operator === "Exists") === (value !== undefined);
  });
}
const TEAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = { default: {}, other: { team: "x" } };
function matchesTerm(t: PodAffinityTerm, owner: Pod, other: Pod): boolean {
  const namespace = other.metadata.namespace ?? "";
  const own = !t.namespaces && !t.namespaceSelector;
  const inNamespace = own ? namespace === owner.metadata.namespace : (t.namespaces ?? []).includes(namespace) || (t.namespaceSelector !== undefined && selects(t.namespaceSelector, TEAMS[namespace] ?? {}));
  return inNamespace && selects(t.labelSelector, labels(other));
}
const tolerated = (pod: Pod, taint: { key: string; value?: string; effect: string }): boolean =>
  (pod.spec.tolerations ?? []).some((t) => (!t.effect || t.effect === taint.effect) && (!t.key || t.key === taint.key) && (t.operator === "Exists" || (t.value ?? "") === (taint.value ?? "")));
const hardTaints = (n: Node) => (n.spec?.taints ?? []).filter((t) => t.effect !== "PreferNoSchedule");
function onNode(t: NodeSelectorTerm, n: Node): boolean {
  return (t.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const value = labels(n)[key];
    if (operator === "Gt" || operator === "Lt") return value !== undefined && /^\d+$/.test(value) && (operator === "Gt" ? Number(value) > Number(values[0]) : Number(value) < Number(values[0]));
    return selects({ matchExpressions: [{ key, operator: operator as "In", values }] }, labels(n));
  });
}
const affine = (pod: Pod, n: Node): boolean => {
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return Object.entries(pod.spec.nodeSelector ?? {}).every(([k, v]) => labels(n)[k] === v) && (!terms || terms.some((t) => onNode(t, n)));
};
const number = (text: string | number | undefined): number => {
  const [, digits = "0", unit = ""] = /^(\d+)(\w*)$/.exec(String(text ?? "0")) ?? [];
  return Number(digits) * ({ m: 0.001, Mi: 2 ** 20, Gi: 2 ** 30 }[unit] ?? 1);
};
const asks = (p: Pod, name: string): number => number(p.spec.containers[0]?.resources?.requests?.[name]);
const clash = (a: Pod, b: Pod): boolean =>
  (a.spec.containers[0]?.ports ?? []).some((x) => (b.spec.containers[0]?.ports ?? []).some((y) => x.hostPort === y.hostPort && (!x.hostIP || !y.hostIP || x.hostIP === y.hostIP)));

/** The plugins that would reject the Pod on the node, whatever came before them. */
function objections({ nodes, pods, pod }: World, n: Node): string[] {
  const name = n.metadata.name ?? "";
  const here = pods.filter((p) => p.spec.nodeName === name);
  const at = (p: Pod): Node | undefined => nodes.find((x) => x.metadata.name === p.spec.nodeName);
  const same = (key: string, other: Node | undefined): boolean => labels(n)[key] !== undefined && labels(other ?? n)[key] === labels(n)[key];
  const no: string[] = [];
  if (n.spec?.unschedulable && !tolerated(pod, { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" })) no.push("NodeUnschedulable");
  if (hardTaints(n).some((t) => !tolerated(pod, t))) no.push("TaintToleration");
  if (!affine(pod, n)) no.push("NodeAffinity");
  if (here.some((p) => clash(pod, p))) no.push("NodePorts");
  const full = ["cpu", "memory", "example.com/gpu"].some((res) => asks(pod, res) > 0 && here.reduce((sum, p) => sum + asks(p, res), asks(pod, res)) > number(n.status?.allocatable?.[res]) + 1e-9);
  if (full || here.length + 1 > number(n.status?.allocatable?.["pods"])) no.push("NodeResourcesFit");
  const constraints = (pod.spec.topologySpreadConstraints ?? []).filter((c) => c.whenUnsatisfiable === "DoNotSchedule");
  const skewed = constraints.some((c) => {
    const key = c.topologyKey;
    if (labels(n)[key] === undefined) return true;
    const counted = nodes.filter((x) => constraints.every((d) => labels(x)[d.topologyKey] !== undefined) && (c.nodeAffinityPolicy === "Ignore" || affine(pod, x)) && (c.nodeTaintsPolicy !== "Honor" || hardTaints(x).every((t) => tolerated(pod, t))));
    const domains = new Map<string, number>();
    for (const x of counted) {
      const matching = pods.filter((p) => p.spec.nodeName === x.metadata.name && !p.metadata.deletionTimestamp && p.metadata.namespace === pod.metadata.namespace && selects(c.labelSelector, labels(p))).length;
      domains.set(labels(x)[key] ?? "", (domains.get(labels(x)[key] ?? "") ?? 0) + matching);
    }
    const min = domains.size < (c.minDomains ?? 1) ? 0 : Math.min(...domains.values(), 2 ** 31 - 1);
    return (domains.get(labels(n)[key] ?? "") ?? 0) + (selects(c.labelSelector, labels(pod)) ? 1 : 0) - min > c.maxSkew;
  });
  if (skewed) no.push("PodTopologySpread");
  const wanted = pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const all = (p: Pod): boolean => wanted.every((t) => matchesTerm(t, pod, p));
  const near = wanted.every((t) => pods.some((p) => all(p) && same(t.topologyKey, at(p))));
  const first = !pods.some((p) => all(p) && wanted.some((t) => labels(at(p) ?? n)[t.topologyKey] !== undefined)) && all(pod);
  const lonely = wanted.length > 0 && !(wanted.every((t) => labels(n)[t.topologyKey] !== undefined) && (near || first));
  const shunned = (pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).some((t) => pods.some((p) => matchesTerm(t, pod, p) && same(t.topologyKey, at(p))));
  const shunning = pods.some((p) => (p.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).some((t) => matchesTerm(t, p, pod) && same(t.topologyKey, at(p))));
  if (lonely || shunned || shunning) no.push("InterPodAffinity");
  return no;
}

const decide = ({ nodes, pods, objects, pod }: World): Decision => schedulePod(snapshotOf(nodes, pods, listersOf(objects)), pod);

describe("random worlds", () => {
  test("each node is rejected by the first plugin that objects by the plain rules, or by none", () => {
    let rejections = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const w = world(seed);
      const decision = decide(w);
      for (const n of w.nodes) {
        const name = n.metadata.name ?? "";
        const got = decision.rejected.find((r) => r.node === name)?.plugin ?? "";
        const [want = ""] = objections(w, n);
        expect([seed, name, got]).toEqual([seed, name, want]);
        if (want !== "") rejections += 1;
      }
    }
    expect(rejections).toBeGreaterThan(300);
  });

  test("scores are whole, within 0 and 100, and add up; the best total wins", () => {
    let scored = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const { totals, scores, node: chosen, ties, outcome } = decide(world(seed));
      if (outcome !== "scheduled" || totals.length === 0) continue;
      scored += 1;
      for (const [i, { total }] of totals.entries()) {
        const parts = scores.filter((s) => !s.skipped).map((s) => ({ value: s.nodes[i]?.normalized ?? -1, weight: s.weight }));
        for (const { value } of parts) expect(Number.isInteger(value) && value >= 0 && value <= 100).toBe(true);
        expect(parts.reduce((sum, { value, weight }) => sum + value * weight, 0)).toBe(total);
      }
      const best = Math.max(...totals.map((t) => t.total));
      expect(totals.find((t) => t.node === chosen)?.total).toBe(best);
      expect(ties).toEqual(totals.filter((t) => t.total === best).map((t) => t.node));
    }
    expect(scored).toBeGreaterThan(30);
  });

  test("the sentence counts every reason of every node, sorted", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const w = world(seed);
      const { rejected, message, outcome } = decide(w);
      if (outcome === "scheduled") continue;
      const counts = new Map<string, number>();
      for (const reason of rejected.flatMap((r) => r.reasons)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      expect(message.startsWith(`0/${w.nodes.length} nodes are available: ${[...counts].map(([text, n]) => `${n} ${text}`).sort().join(", ")}.`)).toBe(true);
    }
  });

  test("victims are of lower priority, without them the Pod fits, and with any one of them it does not", () => {
    let preemptions = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const w = world(seed);
      const { preemption } = decide(w);
      if (!preemption) continue;
      preemptions += 1;
      for (const { node: name, victims } of preemption.candidates) {
        const n = w.nodes.find((x) => x.metadata.name === name) as Node;
        const gone = new Set(victims.map((v) => v.uid));
        const without = (keep: string): World => ({ ...w, pods: w.pods.filter((p) => !gone.has(p.metadata.uid ?? "") || p.metadata.uid === keep) });
        expect(victims.every((v) => v.priority < (w.pod.spec.priority ?? 0))).toBe(true);
        expect([seed, name, objections(without(""), n)]).toEqual([seed, name, []]);
        for (const v of victims) expect(objections(without(v.uid), n)).not.toEqual([]);
      }
    }
    expect(preemptions).toBeGreaterThan(5);
  });
});
