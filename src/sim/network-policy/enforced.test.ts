import { expect, test } from "vitest";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { RunInput } from "../scenarios/recipe.ts";

const client = (name: string, app: string, command: string): string => `
---
apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {app: ${app}}}
spec: {containers: [{name: c, image: "busybox:1.37", command: [sh, -c, "sleep 5; ${command}; echo ${name} $?; sleep 1000"]}]}`;
const MANIFEST = `
apiVersion: v1
kind: Pod
metadata: {name: db, labels: {app: db}}
spec: {containers: [{name: r, image: "redis:8", ports: [{containerPort: 6379}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: db}
spec: {selector: {app: db}, ports: [{port: 6379}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress: [{from: [{podSelector: {matchLabels: {app: web}}}], ports: [{port: 6379}]}]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: shut}
spec: {podSelector: {matchLabels: {app: shut}}, policyTypes: [Egress]}${client("web", "web", "nc -zw3 db 6379")}${client("other", "other", "nc -zw3 db 6379")}${client("shut", "shut", "wget -qT3 -O- http://example.org")}`;

function logs(world: string): readonly string[] {
  const input: RunInput = { at: 0, type: "command", argv: ["apply", "-f", "a.yaml"], files: { "a.yaml": MANIFEST } };
  const cluster = createCluster({ world, seed: 1, profile: "quiet", inputs: [input] });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(20_000_000);
  return sim.trace.logs.map(({ line }) => line).filter((line) => /^(?:web|other|shut) \d/.test(line)).sort();
}

test("with Calico a Pod that no rule names waits in vain, and one that may not leave finds no name", () => expect(logs("three-nodes-calico")).toEqual(["other 1", "shut 1", "web 0"]));
test("the bridge plugin enforces nothing", () => expect(logs("three-nodes")).toEqual(["other 0", "shut 0", "web 0"]));
