import { describe, expect, test } from "vitest";
import { PMap } from "./pmap.ts";
import { KERNEL } from "./context.ts";
import { Simulation } from "./simulation.ts";
import type { Component, Ctx, Input, KernelConfig, Message } from "./types.ts";

interface Ball extends Message {
  readonly type: "ball.request";
  readonly hits: number;
}
interface State {
  readonly hits: number;
  readonly log: PMap<number>;
  readonly errors: number;
}

function player(id: string, other: string, machine: string): Component<State> {
  return {
    id,
    machine,
    connections: [other],
    init: () => ({ hits: 0, log: PMap.empty(), errors: 0 }),
    step(state, message, ctx) {
      if (message.type === "start") {
        if (id === "a") serve(ctx, other, 0);
        return state;
      }
      if (message.type === "net.error" || message.type === "net.closed") {
        if (message.type === "net.error") ctx.after(50_000, { type: "again" });
        return { ...state, errors: state.errors + 1 };
      }
      if (message.type === "again") {
        serve(ctx, other, 0);
        return state;
      }
      const { hits } = message as Ball;
      const idle = ctx.after(10_000_000, { type: "again" });
      ctx.cancel(idle);
      if (hits % 7 === 0) ctx.explain({ text: `${id} hits`, status: `hit ${hits}` });
      serve(ctx, other, hits + 1);
      return { ...state, hits: hits + 1, log: state.log.set(String(hits % 50), ctx.now) };
    },
  };
}

function serve(ctx: Ctx, to: string, hits: number): void {
  ctx.send(to, { type: "ball.request", hits } satisfies Ball, { protocol: "TCP", latency: 500 + (ctx.rand("lag", hits) % 1000), verb: "hit" });
}

type TestInput = Input & { readonly do: "stop" | "start" | "crash" | "slow" | "mend" | "pause" | "resume" };

const config = (over: Partial<KernelConfig> = {}): KernelConfig => ({
  seed: 7,
  profile: "quiet",
  components: [player("a", "b", "m1"), player("b", "a", "m2")],
  latencies: {},
  hashing: true,
  resolve: (input) => {
    switch ((input as TestInput).do) {
      case "stop":
        return [{ type: "stop", component: "b", how: "process" }];
      case "crash":
        return [{ type: "stop", component: "b", how: "machine" }];
      case "pause":
      case "resume":
        return [{ type: (input as TestInput).do as "pause" | "resume", component: "b" }];
      case "start":
        return [{ type: "start", component: "b" }, { type: "deliver", to: "a", message: { type: "again" }, verb: "go" }];
      case "slow":
        return [{ type: "link", rule: { id: "slow", from: "machine:m1", delay: 5_000 } }];
      default:
        return [{ type: "unlink", id: "slow" }];
    }
  },
  ...over,
});

const INPUTS: readonly TestInput[] = [
  { at: 40_000, type: "x", do: "slow" },
  { at: 90_000, type: "x", do: "mend" },
  { at: 100_000, type: "x", do: "pause" },
  { at: 120_000, type: "x", do: "resume" },
  { at: 150_000, type: "x", do: "stop" },
  { at: 260_000, type: "x", do: "start" },
];

function summary(sim: Simulation): unknown {
  const { trace } = sim;
  return {
    hashes: [...trace.events.hash.view()],
    mail: Array.from({ length: trace.mailCount }, (_, id) => ({ ...trace.hop(id), payload: trace.payloads[id] })),
    notes: Array.from({ length: trace.noteCount }, (_, id) => trace.note(id)),
  };
}

describe("Simulation", () => {
  test("is a pure function of seed and inputs", () => {
    const one = Simulation.create(config(), INPUTS);
    const two = Simulation.create(config(), INPUTS);
    one.run(500_000);
    while (!two.run(500_000, 3));
    expect(summary(two)).toEqual(summary(one));
    expect(one.trace.eventCount).toBeGreaterThan(200);
  });

  test("another seed gives another history", () => {
    const one = Simulation.create(config(), INPUTS);
    const two = Simulation.create(config({ seed: 8 }), INPUTS);
    one.run(500_000);
    two.run(500_000);
    expect([...two.trace.events.hash.view()]).not.toEqual([...one.trace.events.hash.view()]);
  });

  test("a stopped process refuses, its peers learn of it, and it starts with an empty memory", () => {
    const sim = Simulation.create(config(), INPUTS);
    sim.run(259_999);
    expect((sim.stateAt("a", 259_999) as State).errors).toBeGreaterThan(0);
    expect(sim.stateAt(KERNEL, 200_000)).toMatchObject({ stopped: { b: "process" } });
    sim.run(500_000);
    expect((sim.stateAt("b", 260_000) as State).log.size).toBe(0);
    expect((sim.stateAt("b", 500_000) as State).log.size).toBeGreaterThan(0);
  });

  test("a dead machine answers nothing", () => {
    const sim = Simulation.create(config(), [{ at: 10_000, type: "x", do: "crash" } as TestInput]);
    sim.run(500_000);
    expect((sim.stateAt("a", 500_000) as State).errors).toBe(0);
    expect(sim.trace.hop(sim.trace.mailCount - 2).outcome).toBe("lost");
  });

  test("a paused process refuses nobody and handles late what came meanwhile", () => {
    const sim = Simulation.create(config(), [{ at: 10_000, type: "x", do: "pause" }, { at: 60_000, type: "x", do: "resume" }] as TestInput[]);
    sim.run(500_000);
    const hits = (t: number): number => (sim.stateAt("b", t) as State).hits;
    expect(hits(59_999)).toBe(hits(10_000));
    expect(hits(60_000)).toBe(hits(10_000) + 2);
    expect((sim.stateAt("a", 500_000) as State).errors).toBe(0);
    expect(hits(500_000)).toBeGreaterThan(hits(60_000) + 100);
  });

  test("what waits for a paused process dies with it", () => {
    const sim = Simulation.create(config(), [{ at: 10_000, type: "x", do: "pause" }, { at: 60_000, type: "x", do: "stop" }, { at: 80_000, type: "x", do: "start" }] as TestInput[]);
    sim.run(500_000);
    const waited = Array.from({ length: sim.trace.mailCount }, (_, id) => sim.trace.hop(id)).filter((hop) => hop.to === "b" && hop.outcome === "cancelled" && hop.kind !== "timer" && hop.dueAt <= 60_000);
    expect(waited).toHaveLength(1);
    expect((sim.stateAt("b", 500_000) as State).hits).toBeGreaterThan(0);
  });

  test.each([0, 1, 39_999, 105_000, 119_999, 120_000, 40_000, 123_456, 151_000, 259_000, 300_000, 500_000])("a fork at %i without new inputs has the parent's future", (t) => {
    const parent = Simulation.create(config(), INPUTS);
    parent.run(500_000);
    const before = summary(parent);
    const child = parent.fork(t, INPUTS.filter((input) => input.at > t));
    child.run(500_000);
    expect(summary(child)).toEqual(before);
    expect(summary(parent)).toEqual(before);
  });

  test("a fork with an input equals a run that had it from the start", () => {
    const parent = Simulation.create(config(), []);
    parent.run(500_000);
    const child = parent.fork(150_000, INPUTS.slice(4));
    child.run(500_000);
    const straight = Simulation.create(config(), INPUTS.slice(4));
    straight.run(500_000);
    expect(summary(child)).toEqual(summary(straight));
  });

  test.each([1, 2, 64])("keeping every %i-th state gives the same state at every event", (keepEvery) => {
    const full = Simulation.create(config(), INPUTS);
    const sparse = Simulation.create(config({ keepEvery }), INPUTS);
    full.run(500_000);
    sparse.run(500_000);
    for (let event = 0; event < full.trace.eventCount; event += 11) {
      for (const id of ["a", "b"]) {
        const want = full.stateAtEvent(id, event) as State;
        const got = sparse.stateAtEvent(id, event) as State;
        expect({ ...got, log: got.log.sorted() }).toEqual({ ...want, log: want.log.sorted() });
      }
    }
  });
});
