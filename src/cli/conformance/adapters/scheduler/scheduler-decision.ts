import type { KubeObject, Pod } from "../../../../sim/api/types.ts";
import type { Decision } from "../../../../sim/kube-scheduler/decision.ts";
import { defaultProfile } from "../../../../sim/kube-scheduler/config/load.ts";
import { listersOf } from "../../../../sim/kube-scheduler/listers.ts";
import { pointsOf } from "../../../../sim/kube-scheduler/plugins/registry.ts";
import { schedulePod } from "../../../../sim/kube-scheduler/schedule-pod.ts";
import { snapshotOfObjects, storedPod } from "../../../cluster-objects.ts";
import type { Adapter } from "../../adapter.ts";

const PREEMPTOR_UID = "<uid of incoming pod>";

export interface SchedulerDecisionInput {
  readonly objects: readonly KubeObject[];
  readonly pod: Pod;
}

/** What a run of the real scheduler leaves behind, as far as the recordings tell it. */
export interface SchedulerDecisionOutput {
  readonly outcome: string;
  readonly node: string | null;
  readonly ties: readonly string[];
  readonly feasible: readonly string[];
  readonly pluginScores: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly totals: Readonly<Record<string, number>>;
  readonly podScheduledCondition: Readonly<Record<string, string>> | null;
  readonly nominatedNodeName: string | null;
  readonly events: readonly { readonly reason: string; readonly message: string; readonly name: string }[];
  readonly victims: readonly string[];
}

const nothing = (outcome: string, node: string | null = null): SchedulerDecisionOutput => ({
  outcome, node, ties: [], feasible: [], pluginScores: {}, totals: {}, podScheduledCondition: null, nominatedNodeName: null, events: [], victims: [],
});

function scoresByNode({ scores, totals }: Decision): Record<string, Record<string, number>> {
  const byNode: Record<string, Record<string, number>> = {};
  for (const { node } of totals) byNode[node] = {};
  for (const plugin of scores) for (const score of plugin.nodes) (byNode[score.node] ??= {})[plugin.plugin] = score.weighted;
  return byNode;
}

function output(decision: Decision): SchedulerDecisionOutput {
  const { preemption, pod, message } = decision;
  const scheduled = decision.outcome === "scheduled";
  const reason = decision.outcome === "error" ? "SchedulerError" : "Unschedulable";
  const preempted = (preemption?.victims ?? []).map((v) => ({ reason: "Preempted", message: `Preempted by pod ${PREEMPTOR_UID} on node ${preemption?.node ?? ""}`, name: v.name }));
  return {
    outcome: scheduled ? "scheduled" : preemption ? "preemption" : "unschedulable",
    node: scheduled ? decision.node : null,
    ties: decision.ties,
    feasible: [...decision.feasible].sort(),
    pluginScores: scoresByNode(decision),
    totals: Object.fromEntries(decision.totals.map((t) => [t.node, t.total])),
    podScheduledCondition: scheduled ? { type: "PodScheduled", status: "True" } : { type: "PodScheduled", status: "False", reason, message },
    nominatedNodeName: preemption?.node ?? null,
    events: [{ reason: scheduled ? "Scheduled" : "FailedScheduling", message, name: pod.name }, ...preempted],
    victims: (preemption?.victims ?? []).map((v) => `${v.namespace}/${v.name}`).sort(),
  };
}

/** Runs one decision on a world of objects: what the scheduler process would do with the Pod once it is stored. */
export function decide({ objects, pod }: SchedulerDecisionInput): SchedulerDecisionOutput {
  const stored = storedPod(pod, objects, PREEMPTOR_UID);
  if (stored.spec.nodeName) return nothing("bypass", stored.spec.nodeName);
  if ((stored.spec.schedulerName ?? "default-scheduler") !== "default-scheduler") return nothing("not-mine");
  if (pointsOf(defaultProfile).preEnqueue.some((p) => (p.preEnqueue?.(stored, { listers: listersOf(objects), preempting: [] }).code ?? "Success") !== "Success")) {
    const condition = { type: "PodScheduled", status: "False", reason: "SchedulingGated", message: "Scheduling is blocked due to non-empty scheduling gates" };
    return { ...nothing("gated"), podScheduledCondition: condition };
  }
  return output(schedulePod(snapshotOfObjects(objects), stored));
}

interface Expected {
  readonly outcome: string;
  readonly node: string | null;
  readonly tie?: boolean;
  readonly topNodes?: readonly string[];
  readonly feasible?: readonly string[];
  readonly totals?: Readonly<Record<string, number>>;
  readonly pluginScores?: SchedulerDecisionOutput["pluginScores"];
  readonly podScheduledCondition: SchedulerDecisionOutput["podScheduledCondition"];
  readonly nominatedNodeName: string | null;
  readonly events: readonly { readonly reason: string; readonly message: string; readonly regarding: { readonly name: string } }[];
  readonly victims: readonly { readonly namespace: string; readonly name: string }[];
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A plugin that is absent counts as 0, and so does one that is there with 0. */
function sameScores(a: SchedulerDecisionOutput["pluginScores"], b: SchedulerDecisionOutput["pluginScores"]): boolean {
  if (!same(Object.keys(a).sort(), Object.keys(b).sort())) return false;
  return Object.keys(a).every((node) => {
    const [x, y] = [a[node] ?? {}, b[node] ?? {}];
    return [...Object.keys(x), ...Object.keys(y)].every((plugin) => (x[plugin] ?? 0) === (y[plugin] ?? 0));
  });
}

const eventLines = (events: readonly { readonly reason: string; readonly message: string; readonly name: string }[]): string[] => events.map((e) => `${e.name} ${e.reason} ${e.message}`).sort();

/** The first thing in which a decision differs from what was recorded; undefined if nothing does. Among tied nodes any is right. */
export function difference(actual: SchedulerDecisionOutput, expect: Expected): string | undefined {
  const tied = expect.tie === true && actual.node !== null && (expect.topNodes ?? []).includes(actual.node);
  const untied = (text: string): string => (tied && actual.node !== null ? text.replaceAll(actual.node, "NODE") : text);
  const expectUntied = (text: string): string => (tied && expect.node !== null ? text.replaceAll(expect.node, "NODE") : text);
  const events = expect.events.map((e) => ({ reason: e.reason, message: e.message, name: e.regarding.name }));
  const checks: readonly (readonly [string, unknown, unknown])[] = [
    ["outcome", actual.outcome, expect.outcome],
    ["node", tied ? expect.node : actual.node, expect.node],
    ["feasible", expect.feasible === undefined ? undefined : actual.feasible, expect.feasible],
    ["condition", actual.podScheduledCondition, expect.podScheduledCondition],
    ["nominated", actual.nominatedNodeName, expect.nominatedNodeName],
    ["events", eventLines(actual.events).map(untied), eventLines(events).map(expectUntied)],
    ["victims", actual.victims, expect.victims.map((v) => `${v.namespace}/${v.name}`).sort()],
  ];
  for (const [what, got, want] of checks) if (!same(got, want)) return `${what}: want ${JSON.stringify(want)}, got ${JSON.stringify(got)}`;
  if (expect.pluginScores && !sameScores(actual.pluginScores, expect.pluginScores)) return `pluginScores: want ${JSON.stringify(expect.pluginScores)}, got ${JSON.stringify(actual.pluginScores)}`;
  if (expect.totals && Object.keys(expect.totals).some((n) => actual.totals[n] !== expect.totals?.[n])) return `totals: want ${JSON.stringify(expect.totals)}, got ${JSON.stringify(actual.totals)}`;
  return undefined;
}

export const adapter = {
  kind: "scheduler-decision",
  run: (input) => decide(input as SchedulerDecisionInput),
  compare: (actual, expect) => difference(actual as SchedulerDecisionOutput, expect as Expected),
} satisfies Adapter;
