import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { parseAllDocuments, stringify } from "yaml";
import type { Node } from "../../api/types.ts";
import { objectsOf } from "../../api/world.ts";
import { createCluster } from "../../cluster.ts";
import { Simulation } from "../../kernel/simulation.ts";
import { SAMPLES } from "../samples.ts";
import { tenNodes } from "./ten-nodes.ts";
import { worldNode } from "./world-file.ts";

const shared = new URL("../../../../../shared/worlds/", import.meta.url);

test.skipIf(!existsSync(shared))("the default world and sample are those of the recordings", () => {
  const read = (file: string): unknown[] => parseAllDocuments(readFileSync(new URL(file, shared), "utf8")).map((document) => document.toJS());
  const recorded = read("ten-nodes.yaml");
  // The recording's container of a world Pod lists the same facts; only empty specs differ in writing.
  expect(tenNodes.objects).toEqual(recorded);
  const sample = parseAllDocuments(SAMPLES[0]?.text ?? "").map((document) => document.toJS());
  expect(sample).toEqual(read("nginx.yaml"));
});

describe("a cluster of a thousand nodes", () => {
  const nodes = Array.from({ length: 1000 }, (_, i) => worldNode({ name: `node-${String(i).padStart(4, "0")}`, cpu: "16", memory: "64Gi", zone: `eu-west-1${"abc"[i % 3]}` }));
  const { world } = createCluster({ world: stringify({ kind: "List", items: nodes }), seed: 1, profile: "quiet", inputs: [] });
  const octets = (text: string): number[] => text.split(/[./]/).slice(0, 4).map(Number);

  it("has as many address ranges and addresses, each valid and none twice", () => {
    for (const key of ["podCIDR", "address"] as const) {
      const all = world.nodes.map((node) => node[key]);
      expect(new Set(all).size).toBe(1000);
      for (const text of all) expect(octets(text).every((octet) => octet >= 0 && octet <= 255), text).toBe(true);
    }
    expect(world.podCIDR).toBe("10.128.0.0/9");
  });

  it("tells its kubelets to cache longer", () => {
    expect(new Set(objectsOf<Node>(world, "Node").map(({ metadata }) => metadata.annotations?.["node.alpha.kubernetes.io/ttl"]))).toEqual(new Set(["30"]));
  });

  it("has a clock of its own that runs: nothing is refused in its first seconds", () => {
    const cluster = createCluster({ world: stringify({ kind: "List", items: nodes.slice(0, 300) }), seed: 1, profile: "quiet", inputs: [] });
    const sim = Simulation.create(cluster.config, cluster.inputs);
    sim.run(2_000_000);
    expect((sim.trace.payloads as readonly { readonly type?: string; readonly status?: number }[]).filter(({ type, status = 0 }) => type === "http.response" && status >= 400)).toEqual([]);
  });
});
