import { expect, test } from "vitest";
import type { EtcdMemberView } from "../../../worker/protocol.ts";
import { lacking, leaderOf, raftRows } from "./raft-rows.ts";

const member = (id: string, change: Partial<EtcdMemberView> & { readonly terms: readonly number[] }): EtcdMemberView => {
  const { terms, ...rest } = change;
  const first = 11;
  return {
    id, role: "follower", term: 2, leader: "etcd-0", first, last: first + terms.length - 1, stable: first + terms.length - 1, syncing: 0, commit: 10, applied: 10,
    entries: terms.map((term, i) => ({ index: first + i, term, writes: `put ${id}/${first + i}` })),
    revision: 1, compacted: 0, keys: 0, size: 0, quota: 1, noSpace: false, leases: [], pending: [], watches: 0, lastHeard: 0, electionTimeout: 0, progress: [], ...rest,
  };
};

const MEMBERS = [member("etcd-0", { role: "leader", terms: [2, 2, 2, 2], stable: 13, commit: 12, applied: 11 }), member("etcd-1", { terms: [2, 2, 2], commit: 11, applied: 11 }), member("etcd-2", { terms: [2, 1], applied: 10 })];

test("each entry has a stage at every member, newest first", () => {
  expect(raftRows(MEMBERS, 10).map(({ index, stages }) => [index, ...stages])).toEqual([
    [14, "in memory", "lacks it", "lacks it"],
    [13, "on disk", "on disk", "lacks it"],
    [12, "committed", "on disk", "other entry"],
    [11, "applied", "applied", "on disk"],
  ]);
});

test("the commit line is the furthest that anyone knows", () => expect(raftRows(MEMBERS, 10).map(({ committed }) => committed)).toEqual([false, false, true, true]));
test("the leader's entry counts where logs differ", () => expect(raftRows(MEMBERS, 10)[2]).toMatchObject({ term: 2, writes: "put etcd-0/12" }));
test("without a leader the highest term counts", () => expect(raftRows([member("etcd-1", { terms: [1] }), member("etcd-2", { terms: [3] })], 10)[0]).toMatchObject({ term: 3, stages: ["other entry", "on disk"] }));
test("a limit cuts the oldest", () => expect(raftRows(MEMBERS, 1).map(({ index }) => index)).toEqual([14]));
test("what is only in a snapshot", () => expect(raftRows([member("etcd-0", { terms: [2] }), member("etcd-1", { terms: [], first: 20, last: 20 })], 1)[0]?.stages).toEqual(["on disk", "in snapshot"]));
test("who lacks what", () => expect(lacking(MEMBERS)).toEqual(["etcd-1 lacks entry 14", "etcd-2 lacks entries 13 to 14"]));
test("a deposed leader does not lead", () => expect(leaderOf([member("etcd-0", { role: "leader", term: 2, terms: [] }), member("etcd-1", { role: "leader", term: 3, terms: [] })])?.id).toBe("etcd-1"));
