import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import type { KubeEvent, KubeObject, Pod } from "../api/types.ts";
import type { Message } from "../kernel/types.ts";
import { backoffExpiration } from "./queue.ts";
import { getNode } from "./snapshot.ts";
import { Rig as AnyRig, stored, worldOf } from "./testdata/scheduler-rig.ts";

const read = (name: string): KubeObject[] => parseAllDocuments(readFileSync(new URL(`../scenarios/worlds/${name}`, import.meta.url), "utf8")).map((d) => d.toJS() as KubeObject);
const nodes = read("ten-nodes.yaml").filter((o) => o.kind === "Node").map((o) => stored(o, "1", false));
const bound = read("ten-nodes.yaml").filter((o) => o.kind === "Pod").map((o) => stored(o, "1"));
const [nginx, service] = read("nginx.yaml").map((o) => stored(o, "2")) as [Pod, KubeObject];
const world = worldOf([...nodes, ...bound, service]);
const pending = (name: string, change: (spec: Pod["spec"]) => Pod["spec"] = (spec) => spec): Pod => ({ ...nginx, metadata: { ...nginx.metadata, name, uid: `uid-${name}`, resourceVersion: "11" }, spec: change(nginx.spec) });

class Rig extends AnyRig {
  constructor(w = world, config?: string) {
    super(w, config);
  }
}

describe("one Pod", () => {
  test("is decided, assumed and bound in the measured time", () => {
    const rig = new Rig();
    rig.watch("ADDED", pending("nginx"));
    expect(rig.ctx.notes[0]?.text).toBe("kube-scheduler sees default/nginx without a node and queues it");
    rig.run(150);
    expect(rig.state.cycle?.step).toBe("filter");
    rig.run(20_000);
    const [post] = rig.requests("POST", "/binding");
    expect(post?.request.path).toBe("/api/v1/namespaces/default/pods/nginx/binding");
    expect(post?.request.body).toMatchObject({ kind: "Binding", target: { kind: "Node", name: "worker-node-03" } });
    // saw -> attempt 0.14 ms, attempt -> binding attempt 0.26 ms, binding attempt -> POST sent 0.26 ms (0.12 ms on the link).
    expect(rig.ctx.now).toBe(140 + 260 + 260);
    expect(rig.state.assumed.map((p) => p.spec.nodeName)).toEqual(["worker-node-03"]);
    rig.bindAll();
    expect(rig.state.assumed).toEqual([]);
    expect(rig.state.bindings).toEqual([]);
    expect(rig.state.queue.inFlight).toEqual([]);
    expect(getNode(rig.state.snapshot, "worker-node-03")?.pods.some((p) => p.pod.metadata.name === "nginx")).toBe(true);
    const [event] = rig.requests("POST", "/events");
    expect(event?.request.path).toBe("/apis/events.k8s.io/v1/namespaces/default/events");
    expect(event?.request.body as KubeEvent).toMatchObject({ reason: "Scheduled", action: "Binding", note: "Successfully assigned default/nginx to worker-node-03", type: "Normal" });
    expect(rig.state.attempts[0]?.decision.totals.find((t) => t.node === "worker-node-03")?.total).toBe(659);
  });

  test("notes are short enough to read", () => {
    const rig = new Rig();
    rig.watch("ADDED", pending("nginx"));
    rig.run(20_000);
    rig.bindAll();
    for (const note of rig.ctx.notes) expect(note.text.length).toBeLessThanOrEqual(140);
    expect(rig.ctx.notes.filter((n) => n.kind === "decision")).toHaveLength(2);
  });

  test("that fits nowhere gets an event and a condition, and is tried again when a node changes to fit", () => {
    const rig = new Rig();
    rig.watch("ADDED", pending("nvme", (spec) => ({ ...spec, nodeSelector: { disktype: "nvme" } })));
    rig.run(20_000);
    const message = "0/10 nodes are available: 1 node(s) were unschedulable, 3 node(s) had untolerated taint(s), 6 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/10 nodes are available: 10 Preemption is not helpful for scheduling.";
    expect(rig.requests("POST", "/events")[0]?.request.body).toMatchObject({ reason: "FailedScheduling", action: "Scheduling", type: "Warning", note: message });
    expect(rig.requests("PATCH", "/status")[0]?.request.body).toMatchObject({ status: { conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }] } });
    expect(rig.state.queue.unschedulablePods).toHaveLength(1);
    const node = nodes.find((n) => n.metadata.name === "worker-node-01") as KubeObject;
    rig.watch("MODIFIED", { ...node, metadata: { ...node.metadata, resourceVersion: "12", annotations: { a: "b" } } });
    expect(rig.state.queue.unschedulablePods).toHaveLength(1);
    rig.watch("MODIFIED", { ...node, metadata: { ...node.metadata, resourceVersion: "13", labels: { ...node.metadata.labels, disktype: "nvme" } } });
    expect(rig.state.queue.unschedulablePods).toHaveLength(0);
    rig.run(900_000);
    expect(rig.requests("POST", "/binding")[0]?.request.body).toMatchObject({ target: { name: "worker-node-01" } });
  });

  test("whose Binding is refused is forgotten and tried again after a back-off", () => {
    const rig = new Rig();
    rig.watch("ADDED", pending("nginx"));
    rig.run(20_000);
    const [post] = rig.requests("POST", "/binding");
    rig.answer(post?.id ?? 0, 500, { kind: "Status", message: "etcdserver: request timed out" });
    expect(rig.state.assumed).toEqual([]);
    expect(rig.state.queue.podErrorBackoffQ).toHaveLength(1);
    expect(rig.requests("PATCH", "/status")[0]?.request.body).toMatchObject({ status: { conditions: [{ reason: "SchedulerError", message: 'running Bind plugin "DefaultBinder": etcdserver: request timed out' }] } });
    rig.run(1_999_999);
    expect(rig.requests("POST", "/binding")).toHaveLength(1);
    rig.run(2_020_000);
    expect(rig.requests("POST", "/binding")).toHaveLength(2);
  });

  test("with gates stays out of activeQ until they are removed", () => {
    const rig = new Rig();
    const gated = pending("gated", (spec) => ({ ...spec, schedulingGates: [{ name: "a" }, { name: "b" }] }));
    rig.watch("ADDED", gated);
    rig.run(60_000_000);
    expect(rig.state.queue.unschedulablePods[0]?.gated).toBe("waiting for scheduling gates: [a b]");
    expect(rig.ctx.sent).toEqual([]);
    rig.watch("MODIFIED", { ...pending("gated"), metadata: { ...gated.metadata, resourceVersion: "12" } });
    rig.run(61_000_000);
    expect(rig.requests("POST", "/binding")).toHaveLength(1);
  });
});

describe("many Pods", () => {
  test("each sees those before it as placed", () => {
    const rig = new Rig();
    for (let i = 0; i < 50; i += 1) rig.watch("ADDED", pending(`web-${i}`));
    rig.run(50_000_000);
    rig.bindAll();
    expect(rig.requests("POST", "/binding")).toHaveLength(50);
    const cpu = getNode(rig.state.snapshot, "worker-node-03")?.requested["cpu"] ?? 0;
    expect(cpu).toBeLessThanOrEqual(getNode(rig.state.snapshot, "worker-node-03")?.allocatable["cpu"] ?? 0);
  });
});

describe("preemption", () => {
  test("evicts victims, nominates the node and places the Pod once they are gone", () => {
    const node: KubeObject = { ...stored({ apiVersion: "v1", kind: "Node", metadata: { name: "n1", labels: {} }, spec: {}, status: { allocatable: { cpu: "1", memory: "1Gi", pods: "10" } } } as KubeObject, "1", false) };
    const low: Pod = { ...pending("low", () => ({ nodeName: "n1", priority: 1, containers: [{ name: "c", resources: { requests: { cpu: "800m" } } }] })), status: { phase: "Running" } };
    const rig = new Rig({ ...world, objects: [node, low] });
    rig.watch("ADDED", pending("high", () => ({ priority: 100, containers: [{ name: "c", resources: { requests: { cpu: "500m" } } }] })));
    rig.run(20_000);
    expect(rig.requests("PATCH", "/pods/high/status")[0]?.request.body).toMatchObject({ status: { nominatedNodeName: "n1", conditions: [{ message: "0/1 nodes are available: 1 Insufficient cpu." }] } });
    const [condition] = rig.requests("PATCH", "/pods/low/status");
    expect(condition?.request.body).toMatchObject({ status: { conditions: [{ type: "DisruptionTarget", reason: "PreemptionByScheduler", message: "default-scheduler: preempting to accommodate a higher priority pod" }] } });
    rig.answer(condition?.id ?? 0, 200);
    const [remove] = rig.requests("DELETE", "/pods/low");
    rig.answer(remove?.id ?? 0, 200);
    expect(rig.requests("POST", "/events").map((e) => (e.request.body as KubeEvent).note)).toContain("Preempted by pod uid-high on node n1");
    rig.watch("DELETED", low);
    rig.run(900_000);
    expect(rig.requests("POST", "/binding")[0]?.request.body).toMatchObject({ target: { name: "n1" } });
  });
});

describe("preemption of several Pods", () => {
  test("leaves the last for the end, and its deletion wakes the preemptor", () => {
    const node: KubeObject = stored({ apiVersion: "v1", kind: "Node", metadata: { name: "n1", labels: {} }, spec: {}, status: { allocatable: { cpu: "1", memory: "1Gi", pods: "10" } } } as KubeObject, "1", false);
    const low = (name: string): Pod => ({ ...pending(name, () => ({ nodeName: "n1", priority: 1, containers: [{ name: "c", resources: { requests: { cpu: "400m" } } }] })), status: { phase: "Running" } });
    const rig = new Rig({ ...world, objects: [node, low("a"), low("b")] });
    rig.watch("ADDED", pending("high", () => ({ priority: 100, containers: [{ name: "c", resources: { requests: { cpu: "900m" } } }] })));
    rig.run(20_000);
    const evict = (name: string): void => {
      rig.answer(rig.requests("PATCH", `/pods/${name}/status`)[0]?.id ?? 0, 200);
      rig.answer(rig.requests("DELETE", `/pods/${name}`)[0]?.id ?? 0, 200);
    };
    const [first, last] = rig.requests("PATCH", "/pods/a/status").length > 0 ? ["a", "b"] : ["b", "a"];
    expect(rig.requests("PATCH", `/pods/${last}/status`)).toEqual([]);
    evict(first);
    rig.watch("DELETED", low(first));
    // Still busy with the last victim: trying again now would only pick victims anew.
    expect(rig.state.queue.activeQ.length + rig.state.queue.podBackoffQ.length).toBe(0);
    evict(last);
    expect(rig.state.preemptions).toEqual([]);
    rig.watch("DELETED", low(last));
    rig.run(900_000);
    expect(rig.requests("POST", "/binding")[0]?.request.body).toMatchObject({ target: { name: "n1" } });
  });

  test("that fails tries the Pod again", () => {
    const node: KubeObject = stored({ apiVersion: "v1", kind: "Node", metadata: { name: "n1", labels: {} }, spec: {}, status: { allocatable: { cpu: "1", memory: "1Gi", pods: "10" } } } as KubeObject, "1", false);
    const low: Pod = { ...pending("low", () => ({ nodeName: "n1", priority: 1, containers: [{ name: "c", resources: { requests: { cpu: "800m" } } }] })), status: { phase: "Running" } };
    const rig = new Rig({ ...world, objects: [node, low] });
    rig.watch("ADDED", pending("high", () => ({ priority: 100, containers: [{ name: "c", resources: { requests: { cpu: "500m" } } }] })));
    rig.run(20_000);
    rig.answer(rig.requests("PATCH", "/pods/low/status")[0]?.id ?? 0, 500);
    rig.run(40_000);
    expect(rig.requests("PATCH", "/pods/low/status")).toHaveLength(2);
  });
});

describe("a restart", () => {
  test("lists everything before it decides", () => {
    const rig = new Rig();
    rig.step({ type: "start", cold: true } as Message);
    expect(rig.state.snapshot.nodes).toEqual([]);
    const lists = rig.requests("GET", "").filter(({ request }) => request.query?.["sendInitialEvents"] === "true");
    expect(lists).toHaveLength(18);
    const items = (kind: string): KubeObject[] => (kind === "/api/v1/pods" ? [...bound, pending("nginx")] : kind === "/api/v1/nodes" ? nodes : kind === "/api/v1/services" ? [service] : []);
    for (const { id, request } of lists) {
      expect(rig.ctx.timers.filter((t) => t.message.type === "scheduler.attempt")).toEqual([]);
      rig.answer(id, 200, undefined);
      const { stream } = request;
      for (const object of items(request.path)) rig.step({ type: "watch.event", stream, event: { type: "ADDED", object } } as Message);
      rig.step({ type: "watch.event", stream, event: { type: "BOOKMARK", object: { metadata: { resourceVersion: "20", annotations: { "k8s.io/initial-events-end": "true" } } } } } as unknown as Message);
    }
    rig.run(20_000);
    expect(rig.requests("POST", "/binding")[0]?.request.body).toMatchObject({ target: { name: "worker-node-03" } });
  });
});

describe("several profiles", () => {
  const config = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
podInitialBackoffSeconds: 3
podMaxBackoffSeconds: 4
profiles:
- schedulerName: default-scheduler
- schedulerName: packing
  pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated}}
  plugins:
    preEnqueue:
      disabled: [{name: SchedulingGates}]
    score:
      disabled: [{name: '*'}]
      enabled: [{name: NodeResourcesFit}]
`;

  test("each Pod by the profile it names, in whose name the events are", () => {
    const rig = new Rig(world, config);
    rig.watch("ADDED", pending("a"));
    rig.watch("ADDED", pending("b", (spec) => ({ ...spec, schedulerName: "packing" })));
    rig.watch("ADDED", pending("c", (spec) => ({ ...spec, schedulerName: "somebody-else" })));
    rig.run(100_000);
    rig.bindAll();
    expect(rig.state.attempts.map((a) => [a.decision.pod.name, a.decision.profile, a.decision.node])).toEqual([["a", "default-scheduler", "worker-node-03"], ["b", "packing", "worker-node-05"]]);
    expect(rig.requests("POST", "/events").map(({ request }) => (request.body as KubeEvent).reportingController)).toEqual(["default-scheduler", "packing"]);
    expect(rig.state.queue.unschedulablePods).toEqual([]);
  });

  test("gates keep a Pod out only if its profile asks for them", () => {
    const rig = new Rig(world, config);
    const gated = (name: string, schedulerName: string): Pod => pending(name, (spec) => ({ ...spec, schedulerName, schedulingGates: [{ name: "g" }] }));
    rig.watch("ADDED", gated("a", "default-scheduler"));
    rig.watch("ADDED", gated("b", "packing"));
    expect(rig.state.queue.unschedulablePods.map((q) => [q.pod.metadata.name, q.gated])).toEqual([["a", "waiting for scheduling gates: [g]"]]);
    expect(rig.state.queue.activeQ.map((q) => q.pod.metadata.name)).toEqual(["b"]);
  });

  test("back-off as configured", () => {
    const rig = new Rig(world, config);
    rig.watch("ADDED", pending("a"));
    rig.run(20_000);
    rig.answer(rig.requests("POST", "/binding")[0]?.id ?? 0, 500, { kind: "Status", message: "no" });
    const [waiting] = rig.state.queue.podErrorBackoffQ;
    expect(waiting && backoffExpiration(rig.state.queue.config, waiting)).toBe(3_000_000);
  });
});
