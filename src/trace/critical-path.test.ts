import { describe, expect, test } from "vitest";
import { createCluster } from "../sim/cluster.ts";
import { Simulation } from "../sim/kernel/simulation.ts";
import type { RunRecipe } from "../sim/scenarios/recipe.ts";
import { budgets, criticalPath, goalOf, stretches } from "./critical-path.ts";
import { TraceIndex } from "./trace-index.ts";

const S = 1_000_000;

function run(manifest: string, more: Partial<RunRecipe> = {}, until = 30): TraceIndex {
  const cluster = createCluster({ world: "three-nodes", seed: 1, profile: "quiet", inputs: [{ at: S, type: "command", argv: ["apply", "-f", "a.yaml"], files: { "a.yaml": manifest } }], ...more });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(until * S);
  return new TraceIndex(sim.trace, cluster.base);
}

const pod = (container: string, spec = ""): string => `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {${spec} containers: [{name: c, ${container}}]}}`;
const P = "/registry/pods/default/p";

describe("the critical path", () => {
  const index = run(pod("image: nginx, readinessProbe: {httpGet: {path: /, port: 80}, periodSeconds: 1}"));
  const goal = goalOf(index, P);
  const path = criticalPath(index, goal?.mail ?? -1);

  test("leads from the user's action to the moment at which Ready is stored, without a gap", () => {
    expect(goal?.kind).toBe("Ready");
    expect(path[0]).toMatchObject({ from: S, budget: "user" });
    expect(path.at(-1)?.to).toBe(goal?.at);
    for (const [i, segment] of path.entries()) if (i > 0) expect(segment.from).toBe(path[i - 1]?.to);
  });

  test("its budgets add up to all of it", () => {
    const sums = budgets(path);
    expect(sums.reduce((sum, [, micros]) => sum + micros, 0)).toBe((goal?.at ?? 0) - S);
    expect(sums.map(([budget]) => budget)).toEqual(expect.arrayContaining(["pull", "runtime", "etcd", "api", "scheduler", "kubelet", "volumes", "network", "kubectl", "wire"]));
    expect(stretches(path).reduce((sum, { segments }) => sum + segments.length, 0)).toBe(path.length);
  });

  test("a slow registry makes the pull longer by as much as it is slower", () => {
    const slow = run(pod("image: nginx, readinessProbe: {httpGet: {path: /, port: 80}, periodSeconds: 1}"), { slowdowns: { registry: 300 } });
    const pull = (of: TraceIndex): number => budgets(criticalPath(of, goalOf(of, P)?.mail ?? -1)).find(([budget]) => budget === "pull")?.[1] ?? 0;
    expect(pull(slow) / pull(index)).toBeCloseTo(3, 1);
  });
});

test.each([
  { name: "a Pod that fits nowhere", manifest: pod("image: nginx, resources: {requests: {cpu: 99}}"), want: ["failed", "Unschedulable"] },
  { name: "an image that does not exist", manifest: pod("image: ngnix"), want: ["failed", "ErrImagePull"] },
  { name: "a command that fails", manifest: pod("image: busybox, command: [sh, -c, exit 3]", "restartPolicy: Never,"), want: ["failed", "Error"] },
  { name: "one that is still on its way", manifest: pod("image: nginx"), until: 1.5, want: ["waiting", "Pending"] },
])("what became of it: $name", ({ manifest, until, want }) => {
  const goal = goalOf(run(manifest, {}, until), P);
  expect([goal?.kind, goal?.reason]).toEqual(want);
});

test("a Pod that the run did not make has none", () => {
  expect(goalOf(run(pod("image: nginx")), "/registry/pods/default/other")).toBeUndefined();
});
