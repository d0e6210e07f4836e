import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { snapshotOfObjects, storedPod } from "../../cli/cluster-objects.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { schedulePod } from "./schedule-pod.ts";

const read = (name: string): string => readFileSync(new URL(`../scenarios/worlds/${name}`, import.meta.url), "utf8");
const objectsIn = (name: string): KubeObject[] => parseAllDocuments(read(name)).map((doc) => doc.toJS() as KubeObject);

interface Recorded {
  readonly pod: Pod;
  readonly node: string | null;
  readonly event: readonly (readonly [string, string])[];
  readonly weightedScores: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly total: Readonly<Record<string, number>>;
}

const objects = [...objectsIn("ten-nodes.yaml"), ...objectsIn("nginx.yaml").filter((o) => o.kind === "Service")];
const { cases } = JSON.parse(read("ten-nodes.recorded.json")) as { cases: Record<string, Recorded> };

describe("what kube-scheduler v1.36.2 decided in the ten-node world", () => {
  test.each(Object.entries(cases).filter(([name]) => name !== "gated"))("%s", (_name, want) => {
    const decision = schedulePod(snapshotOfObjects(objects), storedPod(want.pod, objects, "uid-1"));
    expect(decision.node).toBe(want.node ?? "");
    expect(decision.message).toBe(want.event[0]?.[1]);
    expect(Object.fromEntries(decision.totals.map((t) => [t.node, t.total]))).toEqual(want.total);
    for (const plugin of decision.scores) {
      for (const score of plugin.nodes) expect([plugin.plugin, score.node, score.weighted]).toEqual([plugin.plugin, score.node, want.weightedScores[score.node]?.[plugin.plugin] ?? 0]);
    }
  });

  test("a gated Pod is not let into the queue", async () => {
    const { schedulingGates } = await import("./plugins/scheduling-gates.ts");
    expect(cases["gated"]?.node).toBeNull();
    expect(schedulingGates.preEnqueue(storedPod(cases["gated"]?.pod as Pod, objects)).reasons[0]).toMatch(/^waiting for scheduling gates: \[/);
  });
});
