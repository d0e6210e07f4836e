import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Node, Pod } from "../api/types.ts";
import { deleteNode, deletePod, emptySnapshot, getNode, imageOnNode, setNode, setPod, snapshotOf, type Snapshot } from "./snapshot.ts";

const node = (name: string, zone?: string, images: readonly string[] = []): Node => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, labels: zone ? { "topology.kubernetes.io/zone": zone } : {} },
  status: { allocatable: { cpu: "4" }, images: images.map((image) => ({ names: [image], sizeBytes: 100 })) },
});
const pod = (name: string, on: string, cpu = "1"): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name, uid: name }, spec: { nodeName: on, containers: [{ name: "c", resources: { requests: { cpu } } }] } });
const names = (s: Snapshot): string[] => s.nodes.map((n) => n.name);

describe("node order", () => {
  test("goes round the zones, in order of arrival", () => {
    const all = snapshotOf([node("a1", "a"), node("a2", "a"), node("b1", "b"), node("x"), node("a3", "a"), node("b2", "b")], []);
    expect(names(all)).toEqual(["a1", "b1", "x", "a2", "b2", "a3"]);
  });

  test("a node that changes zones goes to the end of its new one", () => {
    const before = snapshotOf([node("a1", "a"), node("a2", "a"), node("b1", "b")], []);
    expect(names(setNode(before, node("a1", "b")))).toEqual(["a2", "b1", "a1"]);
  });
});

describe("Pods", () => {
  test("are counted once, updated in place, and taken off", () => {
    const one = setPod(snapshotOf([node("n")], []), pod("p", "n", "1"));
    expect(getNode(one, "n")?.requested["cpu"]).toBe(1000);
    const two = setPod(one, pod("p", "n", "2"));
    expect(getNode(two, "n")?.requested["cpu"]).toBe(2000);
    expect(getNode(deletePod(two, pod("p", "n")), "n")?.requested["cpu"]).toBe(0);
    expect(getNode(one, "n")?.requested["cpu"]).toBe(1000);
  });

  test("of a node that is not known yet wait for it", () => {
    const early = setPod(emptySnapshot, pod("p", "n"));
    expect(getNode(setNode(early, node("n")), "n")?.pods).toHaveLength(1);
    expect(deleteNode(setNode(early, node("n")), "n").orphans).toHaveLength(1);
  });
});

test("an image counts the nodes that have it", () => {
  const s = setNode(snapshotOf([node("a", undefined, ["x:1"]), node("b")], []), node("c", undefined, ["x:1"]));
  expect(imageOnNode(s, s.nodes[0]?.node as Node, "x:1")?.numNodes).toBe(2);
  expect(imageOnNode(s, s.nodes[1]?.node as Node, "x:1")).toBeUndefined();
});

test("incremental updates end where a rebuild does", () => {
  const op = fc.record({ what: fc.constantFrom("setPod", "deletePod", "setNode"), n: fc.integer({ min: 0, max: 3 }), p: fc.integer({ min: 0, max: 5 }), cpu: fc.integer({ min: 1, max: 3 }) });
  fc.assert(
    fc.property(fc.array(op, { maxLength: 40 }), (ops) => {
      const nodes = new Map<string, Node>();
      const pods = new Map<string, Pod>();
      let s = emptySnapshot;
      for (const { what, n, p, cpu } of ops) {
        const current = pods.get(`p${p}`);
        if (what === "setNode") {
          nodes.set(`n${n}`, node(`n${n}`, `z${n % 2}`));
          s = setNode(s, nodes.get(`n${n}`) as Node);
        } else if (what === "setPod") {
          pods.set(`p${p}`, pod(`p${p}`, current?.spec.nodeName ?? `n${n}`, String(cpu)));
          s = setPod(s, pods.get(`p${p}`) as Pod);
        } else if (current) {
          pods.delete(`p${p}`);
          s = deletePod(s, current);
        }
      }
      const full = snapshotOf([...nodes.values()], [...pods.values()]);
      expect(names(s)).toEqual(names(full));
      for (const info of full.nodes) {
        const mine = getNode(s, info.name);
        expect(mine?.requested["cpu"] ?? 0).toBe(info.requested["cpu"] ?? 0);
        expect(mine?.nonZeroMemory).toBe(info.nonZeroMemory);
        expect(mine?.pods.map((x) => x.key).sort()).toEqual(info.pods.map((x) => x.key).sort());
      }
    }),
  );
});
