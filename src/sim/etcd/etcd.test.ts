import { describe, expect, test } from "vitest";
import type { Message } from "../kernel/types.ts";
import { act, answers as got, etcdWorld as world, get, keysOf as names, memberAt as member, MEMBERS as IDS, type Op, pod, put, runEtcd as run, start, stop, watch } from "../testdata/etcd-cluster.ts";
import type { EtcdError, EtcdLeaseGrantResponse, EtcdRangeResponse, EtcdTxnResponse, EtcdWatchResponse } from "./messages.ts";
import { applyTxn, compact, eventsSince, storeOf } from "./mvcc/store.ts";

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

describe("leases, quota and limits", () => {
  const ask = (at: number, what: Message, member = "etcd-0"): Op => ({ at, type: "op", do: "ask", member, what });
  const grant = (at: number, ttl: number): Op => ask(at, { type: "etcd.lease-grant.request", ttl } as Message);
  const leased = (at: number, name: string, lease: number): Op => ask(at, { type: "etcd.txn.request", key: `/registry/events/default/${name}`, modRevision: 0, value: pod(name), lease, subject: name, level: "source" } as Message);
  const fault = (at: number, on: boolean): Op => act(at, ...IDS.map((to) => ({ type: "deliver", to, message: { type: "fault", id: "etcd.no-space", on, params: {} } as Message, verb: "fault" }) as const));
  const lease = ({ message }: { readonly message: Message }): number => (message as EtcdLeaseGrantResponse).id;

  test("keys go with their lease, all in one revision, and watchers are told", () => {
    const id = lease(got(run([grant(100_000, 10)], 200_000))[0] as { message: Message });
    const sim = run([grant(100_000, 10), leased(200_000, "a", id), leased(300_000, "b", id), watch(400_000, 101), put(500_000, "c")], 12_000_000);
    expect(names(sim, "etcd-2")).toEqual(["/registry/pods/default/c", "/registry/pods/default/old"]);
    expect(member(sim, "etcd-1").store.revision).toBe(104);
    expect(member(sim, "etcd-1").store.leases.size).toBe(0);
    const gone = sim.trace.revisions.filter(({ verb }) => verb === "delete");
    expect(gone.map(({ revision, key }) => `${revision} ${key}`)).toEqual(["104 /registry/events/default/a", "104 /registry/events/default/b"]);
  });

  test("a new leader gives a lease its whole time again", () => {
    const id = lease(got(run([grant(100_000, 10)], 200_000))[0] as { message: Message });
    const ops = [grant(100_000, 10), leased(200_000, "a", id), stop(8_000_000, "etcd-0")];
    expect(names(run(ops, 15_000_000), "etcd-1")).toContain("/registry/events/default/a");
    expect(names(run(ops, 22_000_000), "etcd-1")).not.toContain("/registry/events/default/a");
  });

  test("a full database raises NOSPACE on all members: puts fail, deletes and reads go on, until it is cleared", () => {
    const drop = ask(3_000_000, { type: "etcd.txn.request", key: "/registry/pods/default/old", modRevision: 100, subject: "old", level: "basic" } as Message, "etcd-1");
    const sim = run([fault(1_000_000, true), put(2_000_000, "a"), put(2_500_000, "b", "etcd-1"), drop, get(3_500_000, "/registry/pods/default/old"), fault(4_000_000, false), put(5_000_000, "c", "etcd-2")], 6_000_000);
    expect(got(sim).map(({ message }) => (message.type === "etcd.error" ? message.message : message.type))).toEqual([
      "etcdserver: mvcc: database space exceeded", "etcdserver: mvcc: database space exceeded", "etcd.txn.response", "etcd.range.response", "etcd.txn.response",
    ]);
    expect(names(sim, "etcd-0")).toEqual(["/registry/pods/default/c"]);
  });

  test("a request of more than 1.5 MiB is refused", () => {
    const value = { ...pod("big"), metadata: { ...pod("big").metadata, annotations: { text: "x".repeat(1_600_000) } } };
    const sim = run([ask(1_000_000, { type: "etcd.txn.request", key: "/registry/pods/default/big", modRevision: 0, value, subject: "big", level: "basic" } as Message)], 2_000_000);
    expect(got(sim)[0]?.message).toMatchObject({ type: "etcd.error", message: "etcdserver: request is too large" });
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
