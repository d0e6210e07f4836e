import { describe, expect, test } from "vitest";
import { createCluster } from "../sim/cluster.ts";
import { Simulation } from "../sim/kernel/simulation.ts";
import { type Breakpoint, BREAKPOINT_EXAMPLES, hitsOf, parseBreakpoint } from "./breakpoint.ts";
import { TraceIndex } from "./trace-index.ts";

test.each([
  { text: "event FailedScheduling", want: { kind: "event", reason: "FailedScheduling", about: "" } },
  { text: "event BackOff on Pod/web", want: { kind: "event", reason: "BackOff", about: "Pod/web" } },
  { text: "pod/web Ready = False", want: { kind: "object", object: "pod/web", field: "Ready", op: "=", value: "False" } },
  { text: "deployment/web spec.replicas>=3", want: { kind: "object", object: "deployment/web", field: "spec.replicas", op: ">=", value: "3" } },
  { text: "revision 812", want: { kind: "revision", revision: 812 } },
  { text: "http 429", want: { kind: "http", status: 429 } },
  { text: "kubelet -> kube-apiserver PATCH", want: { kind: "hop", from: "kubelet", to: "kube-apiserver", verb: "PATCH" } },
  { text: 'kube-scheduler says "preempts"', want: { kind: "says", component: "kube-scheduler", text: "preempts" } },
])("$text", ({ text, want }) => expect(parseBreakpoint(text)).toEqual(want));

test("every example is understood, other words are not", () => {
  for (const example of BREAKPOINT_EXAMPLES) expect(typeof parseBreakpoint(example), example).toBe("object");
  expect(parseBreakpoint("stop please")).toMatch(/^not understood: write it like/);
});

describe("hits in a run", () => {
  const manifest = "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: c, image: busybox, command: [sh, -c, sleep 1; exit 1]}]}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: big}, spec: {containers: [{name: c, image: nginx, resources: {requests: {cpu: 99}}}]}}";
  const cluster = createCluster({ world: "three-nodes", seed: 1, profile: "quiet", inputs: [{ at: 0, type: "command", argv: ["apply", "-f", "a.yaml"], files: { "a.yaml": manifest } }, { at: 5_000_000, type: "command", argv: ["get", "pod", "nobody"], files: {} }] });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(60_000_000);
  const index = new TraceIndex(sim.trace, cluster.base);

  test.each([
    { text: "event FailedScheduling", count: 1, what: /^FailedScheduling: 0\/4 nodes are available/ },
    { text: "event FailedScheduling on Pod/web", count: 0 },
    { text: "pod/web restarts = 2", count: 1, what: /^web: restarts is 2$/ },
    { text: "pod/web restarts >= 2", count: 1 },
    { text: "pod PodScheduled = False", count: 1, what: /^big/ },
    { text: "pod/web status.phase = Running", count: 1 },
    { text: "node Ready = True", count: 0 },
    { text: "http 404", count: 3 },
    { text: "kubectl -> kube-apiserver POST", count: 2, what: /POST/ },
    { text: "kube-scheduler says finds no node", count: 1 },
    { text: "revision 1", count: 0 },
  ])("$text: $count", ({ text, count, what }) => {
    const hits = hitsOf(index, parseBreakpoint(text) as Breakpoint);
    expect(hits).toHaveLength(count);
    if (what) expect(hits[0]?.what).toMatch(what);
    for (const [i, hit] of hits.entries()) expect(hit.at).toBeGreaterThanOrEqual(hits[i - 1]?.at ?? 0);
  });
});
