import { describe, expect, test } from "vitest";
import { PMap } from "../kernel/pmap.ts";
import type { WorldView } from "../kernel/types.ts";
import { completeParams, parseParams } from "./params.ts";
import { FAULTS, faultById } from "./registry.ts";
import { expandInputs, resolveInput, type SimInput } from "./resolve.ts";

const MACHINES: Record<string, string> = {
  kubectl: "workstation", "kube-apiserver": "cp", webhook: "cp", "kube-scheduler": "cp", registry: "internet", "etcd-0": "etcd-0", "etcd-1": "etcd-1", "etcd-2": "etcd-2",
  "kubelet@worker-node-03": "worker-node-03", "containerd@worker-node-03": "worker-node-03", "cni@worker-node-03": "worker-node-03", "process@worker-node-03": "worker-node-03", "cni@worker-node-04": "worker-node-04", "process@worker-node-04": "worker-node-04", "kube-proxy@worker-node-05": "worker-node-05",
};

const bound = (createRevision: number, nodeName?: string): { createRevision: number; value: { spec: { nodeName?: string } } } => ({ createRevision, value: { spec: nodeName === undefined ? {} : { nodeName } } });
/** What worker-node-03 holds is the newest Pod that has a node; a newer one waits for the scheduler. */
const keys = PMap.from([
  ["/registry/pods/default/new", bound(30, "worker-node-03")],
  ["/registry/pods/default/old", bound(20, "worker-node-04")],
  ["/registry/pods/default/pending", bound(40)],
  ["/registry/minions/worker-node-04", bound(50)],
]);
const member = (role: string, term: number) => ({ raft: { role, term }, store: { keys } });
const STEADY = { "etcd-0": member("follower", 3), "etcd-1": member("leader", 3), "etcd-2": member("follower", 3) };

function view(states: Record<string, unknown> = STEADY): WorldView {
  return { now: 1_000, components: Object.keys(MACHINES), machineOf: (id) => MACHINES[id] ?? "", stateOf: (id) => states[id] };
}

const targets = (input: SimInput, states?: Record<string, unknown>): string[] =>
  resolveInput(input, view(states)).flatMap((action) => (action.type === "deliver" ? [`to ${action.to}`] : action.type === "stop" || action.type === "start" ? [`${action.type} ${action.component}`] : []));

const begin = (id: string, params = {}): SimInput => ({ at: 1_000, type: "fault.begin", id, params });
const end = (id: string, params = {}): SimInput => ({ at: 2_000, type: "fault.end", id, params });

test.each([
  { name: "a fault inside one component", input: begin("image.not-found"), want: ["to registry", "to containerd@worker-node-03"] },
  { name: "a webhook that denies registers itself", input: begin("admission.webhook-denies"), want: ["to webhook"] },
  { name: "an application may run on any node", input: begin("app.crash"), want: ["to process@worker-node-03", "to process@worker-node-04"] },
  { name: "addresses run out on one node", input: begin("cni.ip-exhausted", { node: "worker-node-04" }), want: ["to cni@worker-node-04"] },
  { name: "an unknown node: nothing", input: begin("cni.ip-exhausted", { node: "nowhere" }), want: [] },
  { name: "a dead machine takes all its components", input: begin("node.crash"), want: ["stop kubelet@worker-node-03", "stop containerd@worker-node-03", "stop cni@worker-node-03", "stop process@worker-node-03"] },
  { name: "and they all come back", input: end("node.crash", { node: "worker-node-03" }), want: ["start kubelet@worker-node-03", "start containerd@worker-node-03", "start cni@worker-node-03", "start process@worker-node-03"] },
  { name: "a node that is named", input: begin("node.crash", { node: "worker-node-04" }), want: ["stop cni@worker-node-04", "stop process@worker-node-04"] },
  { name: "the newest Pod may have moved: every machine comes back", input: end("node.crash"), want: ["kubelet@worker-node-03", "containerd@worker-node-03", "cni@worker-node-03", "process@worker-node-03", "cni@worker-node-04", "process@worker-node-04", "kube-proxy@worker-node-05"].map((id) => `start ${id}`) },
  { name: "addresses run out everywhere", input: begin("cni.ip-exhausted"), want: ["to cni@worker-node-03", "to cni@worker-node-04"] },
  { name: "a stopped kubelet", input: begin("kubelet.stopped", { node: "worker-node-03" }), want: ["stop kubelet@worker-node-03"] },
  { name: "and its start", input: end("kubelet.stopped"), want: ["start kubelet@worker-node-03"] },
  { name: "a runtime that is down", input: begin("cri.down"), want: ["stop containerd@worker-node-03"] },
  { name: "a network configuration that is gone", input: begin("cni.not-ready"), want: ["to containerd@worker-node-03"] },
  { name: "a manifest on a node", input: begin("kubelet.static-pod", { node: "worker-node-03" }), want: ["to kubelet@worker-node-03"] },
  { name: "a named etcd member", input: begin("etcd.leader-crash", { member: "etcd-2" }), want: ["stop etcd-2"] },
  { name: "an unknown fault", input: begin("moon.falls"), want: [] },
])("$name", ({ input, want }) => {
  expect(targets(input)).toEqual(want);
});

describe("etcd.leader-crash", () => {
  const afterElection = { ...STEADY, "etcd-2": member("leader", 4) };

  test("stops who leads now", () => {
    expect(targets(begin("etcd.leader-crash"))).toEqual(["stop etcd-1"]);
  });
  test("a second crash stops the new leader, not the dead one", () => {
    expect(targets(begin("etcd.leader-crash"), afterElection)).toEqual(["stop etcd-2"]);
  });
  test("its end restarts the one that crashed, not its successor", () => {
    expect(targets(end("etcd.leader-crash"), afterElection)).toEqual(["start etcd-1"]);
  });
});

test("a command is delivered to kubectl under a session of its own", () => {
  const command = (argv: string[]) => ({ at: 5, type: "command" as const, argv, files: {} });
  const actions = expandInputs([command(["get", "pods"]), command(["get", "nodes"])]).map((input) => resolveInput(input, view())[0]);
  expect(actions[0]).toMatchObject({ type: "deliver", to: "kubectl", message: { type: "kubectl.run", argv: ["get", "pods"], session: 5000 } });
  expect(actions[1]).toMatchObject({ message: { argv: ["get", "nodes"], session: 5001 } });
});

test("every fault marks its begin and its end, with complete parameters in its message", () => {
  for (const fault of FAULTS) {
    for (const input of [begin(fault.id), end(fault.id)]) {
      const actions = resolveInput(input, view());
      expect(actions[0], fault.id).toMatchObject({ type: "note", note: { text: expect.stringContaining(`Fault ${fault.id} `), level: "basic" } });
      expect(actions.length, fault.id).toBeGreaterThan(1);
      for (const action of actions) if (action.type === "deliver" && action.message.type === "fault") expect(action.message).toMatchObject({ id: fault.id, params: completeParams(fault, {}) });
    }
  }
});

test("inputs run in order of time, an end before a begin at the same instant", () => {
  const expanded = expandInputs([
    { at: 9, type: "fault", id: "node.crash", params: {} },
    { at: 0, type: "command", argv: ["apply"], files: {} },
    { at: 3, type: "fault", id: "image.not-found", params: {}, until: 9 },
  ]);
  expect(expanded.map((input) => `${input.at} ${input.type}`)).toEqual(["0 command", "3 fault.begin", "9 fault.end", "9 fault.begin"]);
});

test.each([
  { id: "app.crash", given: [["exitCode", "3"], ["pod", "web"]] as const, want: { exitCode: 3, pod: "web" } },
  { id: "app.crash", given: [["exitCode", "three"]] as const, want: 'parameter exitCode of fault app.crash cannot be "three": a whole number' },
  { id: "etcd.leader-crash", given: [["member", "etcd-9"]] as const, want: 'parameter member of fault etcd.leader-crash cannot be "etcd-9": one of leader, etcd-0, etcd-1, etcd-2' },
  { id: "node.crash", given: [["nod", "x"]] as const, want: 'fault node.crash has no parameter "nod"; it has node' },
])("parameters as typed: $given", ({ id, given, want }) => {
  const fault = faultById(id);
  expect(fault && parseParams(fault, given)).toEqual(want);
});
