import { expect, test } from "vitest";
import { TraceIndex } from "../../trace/trace-index.ts";
import type { KubeObject } from "../api/types.ts";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { RunInput } from "./recipe.ts";

const command = (seconds: number, ...argv: string[]): RunInput => ({ at: seconds * 1_000_000, type: "command", argv, files: {} });

/** "name owner-is-the-node" of each Lease at a second. */
function leases(seconds: number, ...inputs: RunInput[]): string[] {
  const cluster = createCluster({ world: "three-nodes", seed: 1, profile: "quiet", inputs });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(seconds * 1_000_000);
  const index = new TraceIndex(sim.trace, cluster.base);
  const at = (prefix: string): KubeObject[] => index.objectsAt(prefix, seconds * 1_000_000).map(({ object }) => object as KubeObject);
  const nodes = new Map(at("/registry/minions/").map(({ metadata }) => [metadata.name, metadata.uid]));
  return at("/registry/leases/kube-node-lease/").map(({ metadata }) => `${metadata.name} ${nodes.get(metadata.name) === metadata.ownerReferences?.[0]?.uid}`);
}

test("the garbage collector takes the Lease of a Node that was deleted, and its kubelet makes none without the Node", () => {
  expect(leases(40, command(5, "delete", "node", "worker-node-02"))).toEqual(["control-plane-01 true", "worker-node-01 true", "worker-node-03 true"]);
});

test("a Lease that was deleted is made anew, owned by its Node", () => {
  expect(leases(40, command(5, "delete", "lease", "-n", "kube-node-lease", "worker-node-02"))).toEqual(["control-plane-01 true", "worker-node-01 true", "worker-node-02 true", "worker-node-03 true"]);
});
