import { expect, test } from "vitest";
import type { Component } from "../kernel/types.ts";
import { createControllerManager } from "../kube-controller-manager/controller-manager.ts";
import { namespaceObject } from "../testdata/controller-cluster.ts";
import { at, miniCluster, type MiniInput, write } from "../testdata/mini-cluster.ts";
import type { Lease } from "./leader-election.ts";

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const LEASE = `${LEASES}/kube-controller-manager`;

/** Two managers without controllers, in a world that has no lease yet. */
function cluster(inputs: readonly MiniInput[], refuse?: NonNullable<Parameters<typeof miniCluster>[4]>["refuse"]) {
  const ids = ["kcm-a", "kcm-b"];
  const m = miniCluster((world) => ids.map((id) => createControllerManager({ world, id, machine: id, controllers: [] }) as Component), [], [namespaceObject("kube-system")], inputs, refuse === undefined ? {} : { refuse });
  const spec = () => m.list<Lease>("Lease")[0]?.spec;
  return { ...m, spec, holder: () => spec()?.holderIdentity?.split("_")[0], until: (seconds: number) => m.sim.run(seconds * 1_000_000), told: () => m.events().map((text) => text.replace(/_[0-9a-f-]{36}/, "")) };
}

test("the first makes the lease and renews it each two seconds; the other only reads it", () => {
  const m = cluster([]);
  m.until(20);
  expect(m.spec()).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 0, acquireTime: expect.stringMatching(/^2026-01-01T00:00:00\.0\d{5}Z$/), renewTime: expect.stringMatching(/^2026-01-01T00:00:1[89]\.\d{6}Z$/) });
  expect(m.told()).toEqual(["LeaderElection: kcm-a became leader"]);
  // Both ask and find none; the second comes too late.
  expect(m.requests(/POST .*leases/).length).toBe(2);
  expect(m.requests(/PUT .*leases/).length).toBe(9);
  // It waits 2 to 4.4 s between two looks.
  const looks = m.requests(/GET .*leases/).length - 2;
  expect(looks >= 5 && looks <= 10).toBe(true);
});

test("who does not see a renewal for fifteen seconds takes the lease, and counts the transition", () => {
  const m = cluster([at(10, { type: "stop", component: "kcm-a", how: "process" })]);
  m.until(23);
  expect(m.holder()).toBe("kcm-a");
  m.until(32);
  expect([m.holder(), m.spec()?.leaseTransitions]).toEqual(["kcm-b", 1]);
  expect(m.told()).toEqual(["LeaderElection: kcm-a became leader", "LeaderElection: kcm-b became leader"]);
});

test("a lease that nobody holds is free at once", () => {
  const m = cluster([at(10, { type: "stop", component: "kcm-a", how: "process" }), at(10, write("PATCH", LEASE, { spec: { holderIdentity: "", leaseDurationSeconds: 1 } }))]);
  m.until(14.6);
  expect([m.holder(), m.spec()?.leaseTransitions]).toEqual(["kcm-b", 1]);
});

test("a change of the Lease that leaves its record alone does not prolong it", () => {
  const touch = Array.from({ length: 8 }, (_, i) => at(12 + 2 * i, write("PATCH", LEASE, { metadata: { labels: { n: String(i) } } })));
  const m = cluster([at(10, { type: "stop", component: "kcm-a", how: "process" }), ...touch]);
  m.until(32);
  expect(m.holder()).toBe("kcm-b");
});

test("a leader that cannot renew for ten seconds ends, and comes back as another", () => {
  const m = cluster([], (request, state) => (request.method === "PUT" && request.path === LEASE && state.requests.filter((text) => text === `PUT ${LEASE}`).length > 3 ? { status: 500, reason: "InternalError", message: "no" } : undefined));
  // Four renewals go well, the round that begins at 10 s does not.
  m.until(19.9);
  expect(m.notes(/could not renew/)).toEqual([]);
  m.until(22);
  expect(m.notes(/could not renew its lease within 10 s and exits/).length).toBe(1);
  expect(m.notes(/kcm-a starts and asks for the lease/).length).toBe(2);
});
