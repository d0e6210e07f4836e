import { expect, test } from "vitest";
import { PATIENCE } from "./cut-links.ts";
import { Simulation } from "./simulation.ts";
import type { Component, Input, KernelConfig, Message, NetErrorMessage } from "./types.ts";

const S = 1_000_000;
interface Ask extends Message {
  readonly type: "echo.request";
  readonly n: number;
}
type Heard = readonly string[];

/** Asks once every ten seconds, and writes down what comes back and when. */
const client: Component<Heard> = {
  id: "client", machine: "m1", connections: ["server"], init: () => [],
  step(state, message, ctx) {
    const at = `${Math.floor(ctx.now / S)} s`;
    switch (message.type) {
      case "start": case "tick":
        ctx.after(10 * S, { type: "tick" });
        ctx.send("server", { type: "echo.request", n: Math.round(ctx.now / S) } satisfies Ask, { protocol: "TCP", latency: 1000, verb: "ask" });
        return state;
      case "net.error": return [...state, `${at} ${(message as NetErrorMessage).reason}`];
      case "net.closed": return [...state, `${at} closed`];
      default: return [...state, `${at} answer ${(message as unknown as { n: number }).n}`];
    }
  },
};
const server: Component<number> = {
  id: "server", machine: "m2", init: () => 0,
  step(state, message, ctx) {
    if (message.type !== "echo.request") return state;
    ctx.send("client", { type: "echo.response", request: ctx.mail, n: (message as Ask).n } as Message, { protocol: "TCP", latency: 1000, verb: "answer" });
    return state + 1;
  },
};

const config: KernelConfig = {
  seed: 1, profile: "quiet", components: [client, server], latencies: {}, hashing: true,
  resolve: ({ type }) => (type === "cut" ? [{ type: "link", rule: { id: "cut", to: "machine:m2", cut: true } }, { type: "link", rule: { id: "cut", from: "machine:m2", cut: true } }] : [{ type: "unlink", id: "cut" }]),
};
const run = (until: number, inputs: readonly Input[]): Simulation => {
  const sim = Simulation.create(config, inputs);
  sim.run(until);
  return sim;
};
const cut = (from: number, to: number): readonly Input[] => [{ at: from * S, type: "cut" }, { at: to * S, type: "mend" }];

test("what was sent over a link that is whole again soon arrives late, in order, and nobody hears of it", () => {
  expect(run(41 * S, cut(5, 35)).stateAt("client", 41 * S)).toEqual(["0 s answer 0", "35 s answer 10", "35 s answer 20", "35 s answer 30", "40 s answer 40"]);
});

test("after the client's patience the connection is given up: waiting calls fail at once, later ones when the dialer gives up", () => {
  expect(run(125 * S, cut(5, 110)).stateAt("client", 125 * S)).toEqual([
    "0 s answer 0", "50 s closed", "50 s timeout", "50 s timeout", "50 s timeout", "50 s timeout",
    ...[50, 60, 70].map((at) => `${at + 30} s timeout`), "110 s timeout", "110 s answer 110", "120 s timeout", "120 s answer 120",
  ]);
  expect(PATIENCE).toBe(45 * S);
});

test.each([4, 6, 20, 49, 50, 51, 111])("a fork at %i s has the parent's future", (t) => {
  const whole = run(125 * S, cut(5, 110));
  const child = whole.fork(t * S, cut(5, 110).filter(({ at }) => at > t * S));
  child.run(125 * S);
  expect([...child.trace.events.hash.view()]).toEqual([...whole.trace.events.hash.view()]);
  expect(child.stateAt("client", 125 * S)).toEqual(whole.stateAt("client", 125 * S));
});
