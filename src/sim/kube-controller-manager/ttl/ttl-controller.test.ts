// Models kubernetes/pkg/controller/ttl/ttl_controller_test.go: its situations, seen through the API alone
import { expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import type { Component } from "../../kernel/types.ts";
import { at, miniCluster, type MiniInput, nodeObject, write } from "../../testdata/mini-cluster.ts";
import { createTTLController, ttlWatches } from "./ttl-controller.ts";

const TTL = "node.alpha.kubernetes.io/ttl";
const named = (i: number): string => `n${String(i).padStart(4, "0")}`;
const annotated = (i: number, seconds: string): KubeObject => ({ ...nodeObject(named(i)), metadata: { ...nodeObject(named(i)).metadata, annotations: { [TTL]: seconds } } });
const nodes = (count: number, seconds: string): KubeObject[] => Array.from({ length: count }, (_, i) => annotated(i, seconds));
const run = (objects: readonly KubeObject[], inputs: readonly MiniInput[]) => {
  const m = miniCluster((world) => [createTTLController({ world }) as Component], ttlWatches(), objects, inputs);
  m.sim.run(3_000_000);
  return { ttl: (i: number) => m.list("Node").find((node) => node.metadata.name === named(i))?.metadata.annotations?.[TTL], patches: m.requests(/^PATCH/) };
};
const add = (i: number): MiniInput => at(1, write("POST", "/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: named(i) } }));

test.each([
  { name: "a few", count: 3, want: "0" },
  { name: "a hundred: the last of the first range", count: 99, want: "0" },
  { name: "more than a hundred", count: 100, want: "15" },
])("a new node in a cluster of $name", ({ count, want }) => {
  const m = run(nodes(count, "0"), [add(count)]);
  expect([m.ttl(count), m.patches.at(-1)]).toEqual([want, `PATCH /api/v1/nodes/${named(count)}`]);
});

test("the ranges overlap: 95 of 101 nodes are as many as before, 89 are fewer", () => {
  const leave = (count: number): MiniInput => at(1, ...Array.from({ length: count }, (_, i) => write("DELETE", `/api/v1/nodes/${named(100 - i)}`)));
  const touch = at(2, write("PATCH", `/api/v1/nodes/${named(0)}`, { metadata: { labels: { a: "b" } } }));
  expect(run(nodes(101, "15"), [leave(6), touch]).ttl(0)).toBe("15");
  expect(run(nodes(101, "15"), [leave(12), touch]).ttl(0)).toBe("0");
});

test("other nodes follow with their next status, a node that has it right is left alone", () => {
  const m = run(nodes(100, "0"), [add(100), at(2, write("PATCH", `/api/v1/nodes/${named(5)}/status`, { status: { a: 1 } }))]);
  expect([m.ttl(4), m.ttl(5), m.patches.filter((text) => text.endsWith(named(5)))]).toEqual(["0", "15", [`PATCH /api/v1/nodes/${named(5)}`]]);
});
