import { expect, test } from "vitest";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { RunInput } from "./recipe.ts";

const deployment = (name: string): string => `{apiVersion: apps/v1, kind: Deployment, metadata: {name: ${name}}, spec: {replicas: 2, selector: {matchLabels: {app: ${name}}}, template: {metadata: {labels: {app: ${name}}}, spec: {containers: [{name: c, image: nginx}]}}}}`;
const apply = (seconds: number, name: string): RunInput => ({ at: seconds * 1_000_000, type: "command", argv: ["apply", "-f", "a.yaml"], files: { "a.yaml": deployment(name) } });
const fault = (id: string, from: number, until?: number): RunInput => ({ at: from * 1_000_000, ...(until === undefined ? {} : { until: until * 1_000_000 }), type: "fault", id, params: {} });

interface Stored {
  readonly kind?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly spec?: { readonly nodeName?: string; readonly holderIdentity?: string; readonly leaseTransitions?: number };
}

function run(world: string, until: number, ...inputs: RunInput[]) {
  const cluster = createCluster({ world, seed: 1, profile: "quiet", inputs });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(until * 1_000_000);
  const objects = new Map<string, Stored>();
  for (const { key, object } of sim.trace.revisions) if (object) objects.set(key, object as Stored);
  const all = [...objects.values()];
  const writers = new Set<string>();
  for (let i = 0; i < sim.trace.mailCount; i++) {
    const verb = sim.trace.strings.text(sim.trace.mail.verb.get(i));
    if (verb !== "POST" && verb !== "PUT" && verb !== "PATCH") continue;
    writers.add(sim.trace.components[sim.trace.mail.from.get(i)] ?? "");
  }
  return {
    pods: all.filter(({ kind }) => kind === "Pod").map(({ spec }) => spec?.nodeName ?? ""),
    lease: (name: string) => all.find(({ kind, metadata }) => kind === "Lease" && metadata.name === name)?.spec,
    events: all.filter(({ kind, reason }) => kind === "Event" && reason === "LeaderElection").map(({ message }) => (message ?? "").replace(/_[0-9a-f-]{36}/, "")),
    writers,
  };
}

test("one replica renews the lease that it has held all along", () => {
  const { lease, events } = run("three-nodes", 30, apply(1, "web"));
  expect(lease("kube-scheduler")).toMatchObject({ leaseTransitions: 0 });
  expect(lease("kube-scheduler")?.holderIdentity).toMatch(/^control-plane-01_[0-9a-f-]{36}$/);
  expect(events).toEqual([]);
});

test("the second replicas do nothing while the first lead", () => {
  const { writers, pods } = run("highly-available", 40, apply(1, "web"));
  expect(pods.filter((node) => node !== "").length).toBe(2);
  expect([...writers].filter((id) => id.includes("@control-plane-02") && !id.startsWith("kubelet@") && !id.startsWith("kube-proxy@"))).toEqual([]);
});

test("a scheduler that died is replaced after its lease has run out", () => {
  const before = run("highly-available", 14, fault("scheduler.down", 2), apply(3, "web"));
  expect(before.pods.length).toBe(2);
  expect(before.pods.filter((node) => node !== "")).toEqual([]);
  const after = run("highly-available", 26, fault("scheduler.down", 2), apply(3, "web"));
  expect(after.pods.filter((node) => node !== "").length).toBe(2);
  expect(after.events).toEqual(["control-plane-02 became leader"]);
  expect(after.lease("kube-scheduler")).toMatchObject({ leaseTransitions: 1 });
});

test("a controller manager that died is replaced with all its controllers; back again, it waits", () => {
  const inputs = [fault("controller-manager.down", 2, 30), apply(3, "web"), apply(40, "api")];
  expect(run("highly-available", 14, ...inputs).pods).toEqual([]);
  const after = run("highly-available", 60, ...inputs);
  expect(after.pods.filter((node) => node !== "").length).toBe(4);
  expect(after.events).toEqual(["control-plane-02 became leader"]);
  expect(after.lease("kube-controller-manager")?.holderIdentity).toMatch(/^control-plane-02_/);
});

test("alone and started anew, a controller manager waits for its own old lease", () => {
  const inputs = [fault("controller-manager.down", 2, 4), apply(5, "web")];
  expect(run("three-nodes", 17, ...inputs).pods).toEqual([]);
  const after = run("three-nodes", 30, ...inputs);
  expect(after.pods.filter((node) => node !== "").length).toBe(2);
  expect(after.events).toEqual(["control-plane-01 became leader"]);
});

test("leaders that cannot renew for ten seconds exit, and lead again when the store is back", () => {
  const after = run("three-nodes", 90, fault("etcd.quorum-lost", 5, 30), apply(60, "web"));
  expect(after.pods.filter((node) => node !== "").length).toBe(2);
  expect(after.events.filter((text) => text === "control-plane-01 became leader").length).toBe(2);
});

test("a server that has one of everything elects nobody, and each part comes back by itself", () => {
  const { lease, pods, events } = run("small-server", 60, apply(1, "web"), fault("controller-manager.down", 5, 8), fault("scheduler.down", 5, 9), apply(6, "api"), fault("etcd.quorum-lost", 15, 18), apply(22, "late"));
  expect([lease("kube-scheduler"), lease("kube-controller-manager"), events]).toEqual([undefined, undefined, []]);
  expect(pods).toEqual(Array.from({ length: 6 }, () => "small-server"));
});
