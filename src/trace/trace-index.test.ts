import { describe, expect, test } from "vitest";
import { Simulation } from "../sim/kernel/simulation.ts";
import type { Component, Message } from "../sim/kernel/types.ts";
import { applyBatch, START_CURSOR, takeBatch } from "./batch.ts";
import { Trace } from "./trace.ts";
import { TraceIndex } from "./trace-index.ts";

interface Ping extends Message {
  readonly type: "ping";
  readonly n: number;
}

const writer = (id: string, other: string): Component<number> => ({
  id,
  machine: id,
  init: () => 0,
  step(count, message, ctx) {
    if (message.type === "start") {
      if (id === "a") ctx.send(other, { type: "ping", n: 0 } satisfies Ping, { protocol: "HTTPS", latency: 100, verb: "GET", level: "basic" });
      return count;
    }
    const { n } = message as Ping;
    ctx.explain({ text: `${id} wrote ${n}`, status: n > 3 ? "busy" : "calm", level: n % 2 === 0 ? "basic" : "source", kind: "revision", revision: n === 5 ? { revision: n, key: "/k", verb: "delete" } : { revision: n, key: "/k", verb: "update", object: { n } } });
    if (n < 8) ctx.send(other, { type: "ping", n: n + 1 } satisfies Ping, { protocol: "HTTPS", latency: 100, verb: "GET", level: "basic" });
    return count + 1;
  },
});

function run(): Trace {
  const sim = Simulation.create({ seed: 1, profile: "quiet", components: [writer("a", "b"), writer("b", "a")], latencies: {}, resolve: () => [] });
  sim.run(10_000);
  return sim.trace;
}

describe("TraceIndex", () => {
  const index = new TraceIndex(run(), [{ revision: 0, key: "/k", verb: "create", object: { n: -1 } }]);

  test.each([
    { t: 0, want: 1 },
    { t: 99, want: 1 },
    { t: 850, want: 1 },
    { t: 900, want: 0 },
  ])("hops in flight at $t", ({ t, want }) => expect(index.inFlight(t, "source").length).toBe(want));

  test.each([
    { t: 50, want: { n: -1 } },
    { t: 100, want: { n: 0 } },
    { t: 599, want: { n: 4 } },
    { t: 600, want: undefined },
    { t: 700, want: { n: 6 } },
  ])("the object at $t", ({ t, want }) => expect(index.objectAt("/k", t)?.object).toEqual(want));

  test("a component's live line is the last one it gave", () => {
    expect(index.statusAt("b", 99)).toBe("");
    expect(index.statusAt("b", 300)).toBe("calm");
    expect(index.statusAt("b", 900)).toBe("busy");
  });

  test("steps obey the detail level", () => {
    expect(index.steps("basic").length).toBe(5);
    expect(index.steps("source").length).toBe(9);
  });

  test("causes lead back to the beginning, consequences forward", () => {
    const last = index.trace.mailCount - 1;
    const chain = index.causesOf(last);
    expect(chain.length).toBe(10);
    expect(index.consequencesOf(chain[1] as number)).toEqual([last]);
  });
});

test("batches carry a trace whole, whatever the cuts", () => {
  const sim = Simulation.create({ seed: 1, profile: "quiet", components: [writer("a", "b"), writer("b", "a")], latencies: {}, resolve: () => [] });
  const copy = new Trace();
  let cursor = START_CURSOR;
  for (let until = 0; until <= 1000; until += 130) {
    sim.run(until);
    const taken = takeBatch(sim.trace, cursor);
    applyBatch(copy, structuredClone(taken.batch));
    cursor = taken.cursor;
  }
  const rows = (trace: Trace): unknown => ({ hops: Array.from({ length: trace.mailCount }, (_, id) => trace.hop(id)), notes: Array.from({ length: trace.noteCount }, (_, id) => trace.note(id)), revisions: trace.revisions });
  expect(rows(copy)).toEqual(rows(sim.trace));
});
