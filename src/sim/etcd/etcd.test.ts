import { describe, expect, test } from "vitest";
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { Action, Component, Input, Message } from "../kernel/types.ts";
import { LATENCIES } from "../latencies/registry.ts";
import { createEtcdMember } from "./member.ts";
import type { MemberState } from "./member-state.ts";
import type { EtcdClientMessage, EtcdError, EtcdRangeResponse, EtcdTxnResponse, EtcdWatchResponse } from "./messages.ts";
import { applyTxn, compact, eventsSince, storeOf } from "./mvcc/store.ts";

const IDS = ["etcd-0", "etcd-1", "etcd-2"];
const pod = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", resourceVersion: "100" } });
const world: World = { name: "t", seed: 1, objects: [pod("old")], resourceVersion: "100", nodes: [], watches: [], clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10" };

interface ClientState {
  readonly asked: Readonly<Record<string, number>>;
  readonly got: readonly { readonly at: number; readonly asked: number; readonly message: EtcdClientMessage }[];
}
type Ask = Message & { readonly type: "ask"; readonly member: string; readonly what: Message };
type Op = Input & ({ readonly do: "ask"; readonly member: string; readonly what: Message } | { readonly do: "stop" | "start"; readonly id: string; readonly how?: "process" | "machine" });

const client: Component<ClientState> = {
  id: "client", machine: "m", init: () => ({ asked: {}, got: [] }),
  step(state, message, ctx) {
    if (message.type === "ask") {
      const ask = message as Ask;
      const id = ctx.send(ask.member, ask.what, { protocol: "gRPC", latency: 100, verb: "x" });
      return { ...state, asked: { ...state.asked, [`m${id}`]: ctx.now } };
    }
    if (message.type === "start") return state;
    const answer = message as EtcdTxnResponse;
    return { ...state, got: [...state.got, { at: ctx.now, asked: state.asked[`m${answer.request}`] ?? -1, message: message as EtcdClientMessage }] };
  },
};

function run(ops: readonly Op[], until: number, seed = 1): Simulation {
  const sim = Simulation.create({
    seed, profile: "quiet", latencies: LATENCIES,
    components: [client, ...IDS.map((id) => createEtcdMember({ world, id, peers: IDS }))],
    resolve: (input): Action[] => {
      const op = input as Op;
      if (op.do === "ask") return [{ type: "deliver", to: "client", message: { type: "ask", member: op.member, what: op.what } as Ask, verb: "ask" }];
      return op.do === "stop" ? [{ type: "stop", component: op.id, how: op.how ?? "process" }] : [{ type: "start", component: op.id }];
    },
  }, ops);
  sim.run(until);
  return sim;
}

const put = (at: number, name: string, member = "etcd-0", modRevision = 0): Op => ({ at, type: "op", do: "ask", member, what: { type: "etcd.txn.request", key: `/registry/pods/default/${name}`, modRevision, value: pod(name), subject: `pod/default/${name}`, level: "basic" } as Message });
const get = (at: number, key: string, member = "etcd-0"): Op => ({ at, type: "op", do: "ask", member, what: { type: "etcd.range.request", key } as Message });
const stop = (at: number, id: string, how: "process" | "machine" = "process"): Op => ({ at, type: "op", do: "stop", id, how });
const start = (at: number, id: string): Op => ({ at, type: "op", do: "start", id });
const member = (sim: Simulation, id: string): MemberState => sim.stateAt(id, sim.now) as MemberState;
const got = (sim: Simulation): ClientState["got"] => (sim.stateAt("client", sim.now) as ClientState).got;
const names = (sim: Simulation, id: string): string[] => member(sim, id).store.keys.keys().sort();

describe("mvcc", () => {
  test("compares mod_revision, counts revisions, keeps history until compaction", () => {
    const txn = { type: "etcd.txn.request", key: "/registry/pods/default/a", subject: "", level: "basic" } as const;
    const s0 = storeOf(world);
    const s1 = applyTxn(s0, { ...txn, modRevision: 0, value: pod("a") });
    expect(s1).toMatchObject({ succeeded: true, verb: "create", kv: { modRevision: 101, version: 1 } });
    expect(applyTxn(s1.store, { ...txn, modRevision: 0, value: pod("a") })).toMatchObject({ succeeded: false, kv: { modRevision: 101 } });
    const s2 = applyTxn(s1.store, { ...txn, modRevision: 101, value: pod("a") });
    expect(s2.kv).toMatchObject({ createRevision: 101, modRevision: 102, version: 2 });
    const s3 = applyTxn(s2.store, { ...txn, modRevision: 102 });
    expect(s3).toMatchObject({ verb: "delete", event: { type: "DELETE", kv: { modRevision: 103 } } });
    expect(eventsSince(s3.store, "/registry/pods/", 102)?.map((e) => e.type)).toEqual(["PUT", "DELETE"]);
    expect(eventsSince(compact(s3.store, 103), "/registry/pods/", 102)).toBeUndefined();
  });
});

describe("three members", () => {
  test("a write is answered after a majority has it on disk, in about 2.1 ms", () => {
    const sim = run([put(1_000_000, "a")], 1_500_000);
    const [answer] = got(sim);
    expect(answer?.message).toMatchObject({ type: "etcd.txn.response", succeeded: true, revision: 101 });
    expect((answer?.at ?? 0) - 1_000_000).toBeGreaterThan(1_900);
    expect((answer?.at ?? 0) - 1_000_000).toBeLessThan(2_400);
    for (const id of IDS) expect(names(sim, id)).toContain("/registry/pods/default/a");
    expect(sim.trace.revisions).toHaveLength(1);
  });

  test("without a majority nothing commits: the write fails after 7 s, the leader steps down", () => {
    const sim = run([stop(900_000, "etcd-1"), stop(900_000, "etcd-2"), put(1_000_000, "a"), get(1_000_000, "/registry/pods/default/old")], 9_000_000);
    const answers = got(sim);
    expect(answers.map((a) => (a.message as EtcdError).message)).toEqual(["etcdserver: request timed out", "etcdserver: request timed out"]);
    expect((answers[0]?.at ?? 0) - 1_000_000).toBeGreaterThanOrEqual(7_000_000);
    expect((answers[0]?.at ?? 0) - 1_000_000).toBeLessThan(7_010_000);
    expect(member(sim, "etcd-0").raft.role).not.toBe("leader");
    expect(names(sim, "etcd-0")).not.toContain("/registry/pods/default/a");
  });

  test("one follower down changes nothing for writers", () => {
    const sim = run([stop(900_000, "etcd-2", "machine"), put(1_000_000, "a")], 1_500_000);
    expect((got(sim)[0]?.at ?? 0) - 1_000_000).toBeLessThan(2_400);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("a dead leader is replaced after 1 to 2 s and no acknowledged write is lost (seed %i)", (seed) => {
    const ops: Op[] = [];
    for (let i = 0; i < 400; i++) ops.push(put(1_000_000 + i * 10_000, `p${i}`, "etcd-1"));
    ops.push(stop(2_000_500, "etcd-0"));
    const sim = run(ops.sort((a, b) => a.at - b.at), 14_000_000, seed);
    const ok = got(sim).filter((g) => g.message.type === "etcd.txn.response");
    const failed = got(sim).filter((g) => g.message.type === "etcd.error");
    const times = ok.map((g) => g.at);
    const gap = Math.max(...times.map((t, i) => (i === 0 ? 0 : t - (times[i - 1] ?? 0))));
    expect(gap).toBeGreaterThan(850_000);
    expect(gap).toBeLessThan(1_950_000);
    expect(ok.length + failed.length).toBe(400);
    expect(failed.length).toBeGreaterThan(50);
    for (const f of failed) {
      expect(f.at - f.asked).toBeGreaterThanOrEqual(7_000_000);
      expect(f.at - f.asked).toBeLessThan(7_010_000);
      expect((f.message as EtcdError).message).toMatch(/^etcdserver: request timed out(, possibly due to previous leader failure)?$/);
    }
    const leader = IDS.find((id) => id !== "etcd-0" && member(sim, id).raft.role === "leader");
    expect(leader).toBeDefined();
    for (const { message } of ok) expect(member(sim, leader ?? "").store.keys.has((message as EtcdTxnResponse).kv?.key ?? "")).toBe(true);
    for (const id of ["etcd-1", "etcd-2"]) expect(member(sim, id).store.revision).toBe(100 + ok.length);
  });

  test("a read during the leaderless time waits and then succeeds", () => {
    const sim = run([stop(2_000_000, "etcd-0"), get(2_100_000, "/registry/pods/default/old", "etcd-1")], 6_000_000);
    const [answer] = got(sim);
    expect(answer?.message).toMatchObject({ kvs: [{ key: "/registry/pods/default/old" }] } satisfies Partial<Record<keyof EtcdRangeResponse, unknown>>);
    expect((answer?.at ?? 0) - 2_100_000).toBeGreaterThan(700_000);
  });

  test.each([["etcd-0"], ["etcd-2"]])("%s restarts from its disk and catches up by log", (id) => {
    const sim = run([put(500_000, "a"), stop(1_000_000, id), put(4_000_000, "b", "etcd-1"), start(5_000_000, id), put(5_500_000, "c", "etcd-1")], 8_000_000);
    expect(names(sim, id)).toEqual(["a", "b", "c", "old"].map((n) => `/registry/pods/default/${n}`));
    expect(member(sim, id).raft).toMatchObject({ role: "follower" });
  });

  test("two restarted members lose nothing that was acknowledged", () => {
    const sim = run([put(500_000, "a"), stop(1_000_000, "etcd-1"), stop(1_000_000, "etcd-2"), start(4_000_000, "etcd-1"), start(4_000_000, "etcd-2"), put(9_000_000, "b", "etcd-2")], 12_000_000);
    expect(member(sim, "etcd-0").raft.role).toBe("leader");
    for (const id of IDS) expect(names(sim, id)).toEqual(["a", "b", "old"].map((n) => `/registry/pods/default/${n}`));
  });

  test("all three members die and come back with what they had on disk", () => {
    const all = (at: number, what: typeof stop): Op[] => IDS.map((id) => what(at, id));
    const sim = run([put(500_000, "a"), ...all(1_000_000, stop), ...all(4_000_000, start), put(9_000_000, "b", "etcd-2")], 12_000_000);
    for (const id of IDS) expect(names(sim, id)).toEqual(["a", "b", "old"].map((n) => `/registry/pods/default/${n}`));
  });

  test("a watch gets each revision once and in order, also from the past", () => {
    const watch = (at: number, from: number): Op => ({ at, type: "op", do: "ask", member: "etcd-0", what: { type: "etcd.watch.request", watches: [{ id: "pods", prefix: "/registry/pods/", startRevision: from }] } as Message });
    const sim = run([put(500_000, "a"), put(600_000, "b"), watch(700_000, 102), put(800_000, "c"), put(800_001, "d")], 1_000_000);
    const events = got(sim).flatMap((g) => (g.message.type === "etcd.watch.response" ? (g.message as EtcdWatchResponse).events.map((e) => e.kv.modRevision) : []));
    expect(events).toEqual([102, 103, 104]);
  });

  test("a quiet second costs 50 events", () => {
    const sim = run([], 2_000_000);
    const one = sim.trace.eventCount;
    sim.run(3_000_000);
    expect(sim.trace.eventCount - one).toBeLessThan(55);
  });
});
