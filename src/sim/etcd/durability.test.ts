// Nothing acknowledged is ever lost: members are killed, paused and cut off at random times, and everything is checked.
import { describe, expect, test } from "vitest";
import { keyedRandom } from "../kernel/random.ts";
import type { Simulation } from "../kernel/simulation.ts";
import { act, answers, get, keysOf, memberAt, MEMBERS, type Op, put, runEtcd } from "../testdata/etcd-cluster.ts";
import type { EtcdRangeResponse, EtcdTxnRequest, EtcdTxnResponse } from "./messages.ts";
import type { MemberState } from "./member-state.ts";
import { termOf } from "./raft/log.ts";

/** `MILLIPOD_SEEDS=5000 npx vitest run durability` tries more. */
const SEEDS = Number(process.env["MILLIPOD_SEEDS"] ?? 2_000);
const BATCH = 100;
const HORIZON = 8_000_000;
const END = 20_000_000;

/** Trouble and writes of one seed: what happens is drawn, so a failing seed can be run again alone. */
function story(seed: number): Op[] {
  let n = 0;
  const draw = (below: number): number => keyedRandom(seed, "durability", "op", n++) % below;
  const member = (): string => MEMBERS[draw(3)] ?? "etcd-0";
  const ops: Op[] = [];
  for (let i = 0; i < 30; i++) ops.push(put(1_000 + draw(HORIZON), i % 3 === 0 ? "hot" : `p${i}`, member()));
  for (let i = 0; i < 8; i++) ops.push(get(1_000 + draw(HORIZON), "/registry/pods/default/hot", member()));
  const troubles = 1 + draw(5);
  for (let i = 0; i < troubles; i++) {
    const id = member();
    const at = 1_000 + draw(HORIZON - 2_000_000);
    const until = at + 1_000 + draw(3_000_000);
    const rule = `cut-${i}`;
    const kind = draw(5);
    if (kind === 0) ops.push(act(at, { type: "stop", component: id, how: "process" }), act(until, { type: "start", component: id }));
    if (kind === 1) ops.push(act(at, { type: "stop", component: id, how: "machine" }), act(until, { type: "start", component: id }));
    if (kind === 2) ops.push(act(at, { type: "pause", component: id }), act(until, { type: "resume", component: id }));
    // One direction or both: a half-open link is worse than a dead one.
    if (kind >= 3) ops.push(act(at, { type: "link", rule: { id: rule, from: id, drop: true } }, ...(kind === 3 ? [{ type: "link", rule: { id: rule, to: id, drop: true } } as const] : [])), act(until, { type: "unlink", id: rule }));
  }
  for (const id of MEMBERS) ops.push(act(HORIZON + 3_500_000, { type: "resume", component: id }, { type: "start", component: id }));
  return ops.sort((a, b) => a.at - b.at);
}

/** Committed entries that both still have in their logs are the same. */
function sameCommitted(one: MemberState, other: MemberState): void {
  expect(one.raft.commit).toBe(other.raft.commit);
  for (let index = Math.max(one.raft.log.first, other.raft.log.first); index <= one.raft.commit; index++) expect(termOf(one.raft.log, index), `term of entry ${index}`).toBe(termOf(other.raft.log, index));
}

function check(sim: Simulation): void {
  const acknowledged = answers(sim).filter(({ message }) => message.type === "etcd.txn.response" && message.succeeded);
  const revisions = acknowledged.map(({ message }) => (message as EtcdTxnResponse).revision);
  expect(new Set(revisions).size, "each acknowledged write has a revision of its own").toBe(revisions.length);
  const [first = "etcd-0"] = MEMBERS;
  for (const id of MEMBERS) {
    const { store } = memberAt(sim, id);
    for (const { what, message } of acknowledged) {
      const { key } = what as EtcdTxnRequest;
      const kv = store.keys.get(key);
      expect(kv?.modRevision ?? 0, `${key}, acknowledged at revision ${(message as EtcdTxnResponse).revision}, is on ${id}`).toBeGreaterThanOrEqual((message as EtcdTxnResponse).kv?.modRevision ?? 1);
    }
    expect(store.revision, `${id} has every revision`).toBe(memberAt(sim, first).store.revision);
    expect(keysOf(sim, id)).toEqual(keysOf(sim, first));
    sameCommitted(memberAt(sim, id), memberAt(sim, first));
  }
  // Linearizable: a read that began after a write was acknowledged knows of it.
  for (const read of answers(sim)) {
    if (read.message.type !== "etcd.range.response") continue;
    const before = acknowledged.filter((write) => write.at <= read.asked).map(({ message }) => (message as EtcdTxnResponse).revision);
    expect((read.message as EtcdRangeResponse).revision, `read at ${read.asked}`).toBeGreaterThanOrEqual(Math.max(100, ...before));
  }
}

/** At most one leader a term, ever. */
function checkTerms(sim: Simulation): void {
  const leaders = new Map<string, string>();
  for (let id = 0; id < sim.trace.noteCount; id++) {
    const match = /^(etcd-\d) becomes leader of (term \d+)/.exec(sim.trace.note(id).text);
    if (match === null) continue;
    const [, member = "", term = ""] = match;
    expect(leaders.get(term) ?? member, `leaders of ${term}`).toBe(member);
    leaders.set(term, member);
  }
}

describe("nothing acknowledged is lost", () => {
  const batches = Array.from({ length: Math.ceil(SEEDS / BATCH) }, (_, i) => i * BATCH);
  test.each(batches)("seeds from %i", (from) => {
    for (let seed = from; seed < Math.min(from + BATCH, SEEDS); seed++) {
      const sim = runEtcd(story(seed), END, seed, seed % 2 === 0 ? "quiet" : "busy");
      try {
        check(sim);
        checkTerms(sim);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  });
});
