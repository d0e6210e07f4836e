import { describe, expect, test } from "vitest";
import { curveBetween, pointOn } from "./geometry.ts";
import { spoken } from "./spoken.ts";
import { type LayoutInput, layoutStage, type Rect } from "./layout.ts";

const nodes = ["control-plane-01", ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `worker-node-0${n}`)];
const kinds = ["kubelet", "containerd", "cni", "process", "kube-proxy", "netfilter"];
const input = (over: Partial<LayoutInput> = {}): LayoutInput => ({
  components: ["kubectl", "kube-apiserver", "etcd-0", "etcd-1", "etcd-2", "kube-scheduler", "registry", "coredns", "users", "webhook", ...nodes.flatMap((node) => kinds.map((kind) => `${kind}@${node}`))],
  nodes,
  open: [],
  controllers: ["deployment-controller", "replicaset-controller", "endpointslice-controller"],
  compact: false,
  ...over,
});
const overlap = (a: Rect, b: Rect): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe("layout", () => {
  test.each([
    { name: "no node open", over: {} },
    { name: "one node open", over: { open: ["worker-node-03"] } },
    { name: "three nodes open", over: { open: ["worker-node-03", "worker-node-01", "worker-node-02"] } },
    { name: "phone", over: { compact: true, open: ["worker-node-03"] } },
    { name: "phone, three nodes open", over: { compact: true, open: ["worker-node-03", "worker-node-01", "worker-node-02"] } },
    { name: "two schedulers", over: { components: ["kube-scheduler", "kube-scheduler@control-plane-02"], controllers: ["kube-controller-manager@control-plane-02"] } },
    { name: "many controllers", over: { controllers: Array.from({ length: 11 }, (_, i) => `c${i}-controller`) } },
  ])("boxes do not overlap and stay on the stage: $name", ({ over }) => {
    const layout = layoutStage(input(over));
    const rects = [...layout.boxes.values(), ...layout.tiles.values(), ...layout.lenses.map((lens) => lens.pods)];
    rects.forEach((a, i) => {
      expect(Math.min(a.w, a.h)).toBeGreaterThan(0);
      expect(a.x).toBeGreaterThanOrEqual(0);
      expect(a.y).toBeGreaterThanOrEqual(0);
      expect(a.x + a.w).toBeLessThanOrEqual(layout.width);
      expect(a.y + a.h).toBeLessThanOrEqual(layout.height);
      for (const b of rects.slice(i + 1)) expect(overlap(a, b), `${JSON.stringify(a)} ${JSON.stringify(b)}`).toBe(false);
    });
  });

  test("control plane boxes do not move when a node opens", () => {
    const before = layoutStage(input());
    const after = layoutStage(input({ open: ["worker-node-03"] }));
    for (const [id, place] of before.boxes) expect(after.boxes.get(id)).toEqual(place);
    expect(after.tiles).toEqual(before.tiles);
  });

  test("a component of a closed node is its tile, of an open one its box", () => {
    expect(layoutStage(input()).anchor("kubelet@worker-node-03")).toEqual(layoutStage(input()).tiles.get("worker-node-03"));
    const open = layoutStage(input({ open: ["worker-node-03"] }));
    expect(open.anchor("kubelet@worker-node-03")).toEqual(open.boxes.get("kubelet@worker-node-03"));
    expect(open.anchor("process@worker-node-03")).toEqual(open.lenses[0]?.pods);
    expect(open.anchor("nobody")).toBeUndefined();
  });

  test("replicas of the control plane have boxes there, not on their node's tile", () => {
    const base = input();
    const layout = layoutStage(input({ components: [...base.components, "kube-scheduler@worker-node-03"], controllers: [...base.controllers, "kube-controller-manager@worker-node-03"] }));
    const [first, second] = [layout.boxes.get("kube-scheduler"), layout.boxes.get("kube-scheduler@worker-node-03")];
    expect([first?.x, first?.w, first?.h]).toEqual([second?.x, second?.w, second?.h]);
    expect(layout.anchor("kube-scheduler@worker-node-03")).toEqual(second);
    expect(layout.anchor("kube-controller-manager@worker-node-03")).toEqual(layout.boxes.get("kube-controller-manager@worker-node-03"));
    expect(layout.anchor("job-controller@worker-node-03")).toEqual(layout.controllers.rect);
  });

  test("a thousand nodes fit as dots", () => {
    const many = Array.from({ length: 1000 }, (_, i) => `node-${i}`);
    const layout = layoutStage(input({ nodes: many }));
    expect(layout.dots).toBe(true);
    expect(layout.tiles.size).toBe(0);
    const zones = (count: number) => layoutStage(input({ nodes: many, zoneOf: (node) => `z${Number(node.slice(5)) % count}` })).zones;
    expect(zones(3).map(({ zone, nodes: own }) => [zone, own.length])).toEqual([["z0", 334], ["z1", 333], ["z2", 333]]);
    // More zones than there is room for are one.
    expect(zones(9).map(({ zone, nodes: own }) => [zone, own.length])).toEqual([["", 1000]]);
    for (const { rect, dots, nodes: own } of [...zones(1), ...zones(3), ...zones(6)]) {
      expect(dots.size).toBeGreaterThan(2);
      expect(dots.x + dots.columns * dots.size).toBeLessThanOrEqual(rect.x + rect.w);
      expect(dots.y + Math.ceil(own.length / dots.columns) * dots.size).toBeLessThanOrEqual(rect.y + rect.h);
    }
    expect(layoutStage(input({ nodes: many })).anchor("kubelet@node-7")).toEqual(zones(1)[0]?.rect);
  });
});

describe("names", () => {
  test.each([
    { status: "", want: "idle" },
    { status: "apply -f nginx.yaml", want: "submit -f nginx.yaml" },
    { status: "deleting default/web", want: "remove default/web" },
    { status: "scoring default/web, 3 nodes left", want: "scoring default/web, 3 nodes left" },
  ])("of \"$status\"", ({ status, want }) => expect(spoken(status)).toBe(want));
});

describe("curves", () => {
  const a: Rect = { x: 0, y: 0, w: 100, h: 40 };
  const b: Rect = { x: 300, y: 0, w: 100, h: 40 };
  test("run from border to border, and back on the other side", () => {
    const there = curveBetween(a, b);
    const back = curveBetween(b, a);
    expect(there?.x0).toBeCloseTo(100, 0);
    expect(there?.x1).toBeCloseTo(300, 0);
    expect(Math.sign((there?.cy ?? 0) - 20)).toBe(-Math.sign((back?.cy ?? 0) - 20));
    expect(there && pointOn(there, 0)).toEqual({ x: there?.x0, y: there?.y0 });
  });
  test("start outside of a wide box, however near the other is", () => {
    const curve = curveBetween({ x: 142, y: 26, w: 264, h: 90 }, { x: 11, y: 26, w: 108, h: 54 });
    expect(curve?.x0).toBeCloseTo(142, 0);
    expect(curve?.x1).toBeCloseTo(119, 0);
  });
  test("a box to itself has no curve", () => expect(curveBetween(a, a)).toBeUndefined());
});
