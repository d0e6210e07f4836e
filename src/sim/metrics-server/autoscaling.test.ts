import { expect, test } from "vitest";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { RunInput } from "../scenarios/recipe.ts";

const WORKLOAD = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: php-apache}
spec:
  selector: {matchLabels: {run: php-apache}}
  template:
    metadata: {labels: {run: php-apache}}
    spec:
      containers:
      - {name: php-apache, image: registry.k8s.io/hpa-example, ports: [{containerPort: 80}], resources: {limits: {cpu: 500m}, requests: {cpu: 200m}}}
---
apiVersion: v1
kind: Service
metadata: {name: php-apache}
spec: {ports: [{port: 80}], selector: {run: php-apache}}
`;
const LOAD = `
apiVersion: v1
kind: Pod
metadata: {name: load}
spec: {containers: [{name: load, image: "busybox:1.28", command: [/bin/sh, -c, "while sleep 0.01; do wget -q -O- http://php-apache; done"]}]}
`;
const apply = (seconds: number, text: string): RunInput => ({ at: seconds * 1_000_000, type: "command", argv: ["apply", "-f", "a.yaml"], files: { "a.yaml": text } });
const kubectl = (seconds: number, words: string): RunInput => ({ at: seconds * 1_000_000, type: "command", argv: words.split(" "), files: {} });

function run(world: string, until: number, ...inputs: RunInput[]) {
  const cluster = createCluster({ world, seed: 1, profile: "quiet", inputs });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(until * 1_000_000);
  const said: string[] = [];
  for (let i = 0; i < sim.trace.noteCount; i++) {
    const text = sim.trace.strings.text(sim.trace.notes.text.get(i));
    if (text.startsWith("kubectl prints: ")) said.push(text.slice("kubectl prints: ".length));
  }
  const events = new Map<string, string>();
  for (const { object } of sim.trace.revisions) {
    const event = object as { readonly kind?: string; readonly reason?: string; readonly message?: string; readonly metadata: { readonly name?: string } } | undefined;
    if (event?.kind === "Event") events.set(event.metadata.name ?? "", `${event.reason ?? ""}: ${event.message ?? ""}`);
  }
  return { said, events: [...events.values()], lines: sim.trace.logs.map((entry) => entry.line) };
}

test("under load the target grows, without it shrinks after five minutes; top shows what was measured", () => {
  const { events, lines } = run("three-nodes-metrics", 900, apply(0, WORKLOAD), kubectl(5, "autoscale deployment php-apache --cpu=50% --min=1 --max=10"), apply(20, LOAD), kubectl(100, "top pod php"), kubectl(101, "top node"), kubectl(400, "delete pod load --now --wait=false"));
  const sizes = events.filter((text) => text.startsWith("SuccessfulRescale"));
  expect(sizes[0]).toMatch(/^SuccessfulRescale: New size: [34]; reason: cpu resource utilization \(percentage of request\) above target$/);
  expect(sizes.at(-1)).toBe("SuccessfulRescale: New size: 1; reason: All metrics below target");
  expect(lines.join("\n")).toContain("podmetrics.metrics.k8s.io \"default/php\" not found");
  expect(lines.join("\n")).toMatch(/worker-node-02 +\d+m +\d+% +\d+Mi +\d+%/);
});

test("without a metrics server the autoscaler says so and kubectl top has nothing to ask", () => {
  const { said, events } = run("three-nodes", 40, apply(0, WORKLOAD), kubectl(5, "autoscale deployment php-apache --cpu=50% --max=10"), kubectl(30, "top pod"));
  expect(said.at(-1)).toBe("error: Metrics API not available");
  expect(events).toContain("FailedGetResourceMetric: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)");
});
