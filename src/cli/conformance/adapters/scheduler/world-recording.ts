import type { Condition, KubeObject, Pod } from "../../../../sim/api/types.ts";
import { findWorld } from "../../../../sim/scenarios/custom-world.ts";
import type { Adapter } from "../../adapter.ts";
import { decide, type SchedulerDecisionOutput } from "./scheduler-decision.ts";

interface WorldInput {
  readonly world: string;
  readonly pod: Pod;
}

interface Recorded {
  readonly node: string | null;
  readonly event: readonly (readonly [string, string])[];
  readonly conditions: readonly Condition[];
  readonly weightedScores: SchedulerDecisionOutput["pluginScores"];
  readonly total: Readonly<Record<string, number>>;
}

// The recording was made with the Service of nginx.yaml in the cluster.
const SERVICE: KubeObject = { apiVersion: "v1", kind: "Service", metadata: { name: "nginx", namespace: "default" }, spec: { selector: { app: "nginx" }, ports: [{ port: 80, targetPort: 80 }] } };

function run(input: unknown): Recorded {
  const { world, pod } = input as WorldInput;
  const result = decide({ objects: [...findWorld(world).objects, SERVICE], pod });
  return {
    node: result.node,
    event: result.events.map((e) => [e.reason, e.message]),
    conditions: result.podScheduledCondition ? [result.podScheduledCondition as unknown as Condition] : [],
    weightedScores: result.pluginScores,
    total: result.totals,
  };
}

function difference(actual: unknown, expect: unknown): string | undefined {
  const [got, want] = [actual as Recorded, expect as Recorded];
  const told = (what: string, a: unknown, b: unknown): string | undefined => (JSON.stringify(a) === JSON.stringify(b) ? undefined : `${what}: want ${JSON.stringify(b)}, got ${JSON.stringify(a)}`);
  const scores = (s: Recorded["weightedScores"]): unknown => Object.keys(s).sort().map((node) => [node, Object.entries(s[node] ?? {}).filter(([, n]) => n !== 0).sort(([a], [b]) => (a < b ? -1 : 1))]);
  const totals = (t: Recorded["total"]): unknown => Object.entries(t).sort(([a], [b]) => (a < b ? -1 : 1));
  const conditions = (c: Recorded["conditions"]): unknown => c.map(({ type, status, reason, message }) => [type, status, reason, message]);
  return (
    told("node", got.node, want.node) ??
    told("event", got.event, want.event) ??
    told("conditions", conditions(got.conditions), conditions(want.conditions)) ??
    told("weightedScores", scores(got.weightedScores), scores(want.weightedScores)) ??
    told("total", totals(got.total), totals(want.total))
  );
}

export const worldRecording = { kind: "world-recording", run, compare: difference } satisfies Adapter;
