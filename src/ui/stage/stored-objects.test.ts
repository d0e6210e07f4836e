import { expect, test } from "vitest";
import { createCluster } from "../../sim/cluster.ts";
import { Simulation } from "../../sim/kernel/simulation.ts";
import { TraceIndex } from "../../trace/trace-index.ts";
import { objectLines } from "./stored-objects.ts";

const TEMPLATE = "template: {metadata: {labels: {app: a}}, spec: {restartPolicy: RULE, containers: [{name: c, image: busybox, command: [sh, -c, sleep 2]}]}}";
const text = (apiVersion: string, kind: string, spec: string, rule = "Always"): string => `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a}, spec: {${spec}${TEMPLATE.replace("RULE", rule)}}}`;
const SELECTOR = "selector: {matchLabels: {app: a}}, ";

test.each([
  { name: "a DaemonSet", yaml: text("apps/v1", "DaemonSet", SELECTOR), at: 2.5, want: ["ds/a 3/3 ok"] },
  { name: "a StatefulSet", yaml: text("apps/v1", "StatefulSet", `serviceName: a, replicas: 2, ${SELECTOR}`), at: 1, want: ["sts/a 1/2 pending"] },
  { name: "a Deployment and its ReplicaSet", yaml: text("apps/v1", "Deployment", SELECTOR), at: 0.3, want: ["deploy/a 0/1 pending", "rs/a-N 0/1 pending"] },
  { name: "a Job at work", yaml: text("batch/v1", "Job", "completions: 3, ", "Never"), at: 1, want: ["job/a 0/3 pending"] },
  { name: "a Job that is done", yaml: text("batch/v1", "Job", "", "Never"), at: 10, want: ["job/a Complete ok"] },
  { name: "a CronJob between its times", yaml: `{apiVersion: batch/v1, kind: CronJob, metadata: {name: a}, spec: {schedule: "0 0 1 1 *", jobTemplate: {spec: {${TEMPLATE.replace("RULE", "Never")}}}}}`, at: 5, want: ["cj/a waits ok"] },
  { name: "a claim that nobody uses, and a budget without Pods", yaml: "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}\n---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a}, spec: {minAvailable: 1, selector: {matchLabels: {app: x}}}}", at: 2, want: ["pdb/a allows 0 pending", "pvc/a Pending pending"] },
])("what is stored: $name", ({ yaml, at, want }) => {
  const cluster = createCluster({ world: "three-nodes", seed: 1, profile: "quiet", inputs: [{ at: 0, type: "command", argv: ["apply", "-f", "a.yaml"], files: { "a.yaml": yaml } }] });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(at * 1_000_000);
  const lines = objectLines(new TraceIndex(sim.trace, cluster.base), at * 1_000_000);
  expect(lines.filter(({ text: it }) => !it.startsWith("pod/")).map(({ text: it, detail, look }) => `${it.replace(/-[0-9a-z]{8,10}$/, "-N")} ${detail} ${look}`)).toEqual(want);
});
