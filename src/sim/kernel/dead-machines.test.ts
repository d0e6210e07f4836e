import { expect, test } from "vitest";
import { Simulation } from "./simulation.ts";
import type { Action, Component, Input, KernelConfig, Message, NetErrorMessage } from "./types.ts";

const S = 1_000_000;
type Heard = readonly string[];

/** Asks its server now and then, and writes down what it hears of it. */
const client = (id: string, machine: string): Component<Heard> => ({
  id, machine, connections: ["server"], init: () => [],
  step(state, message, ctx) {
    const at = `${Math.floor(ctx.now / S)} s`;
    switch (message.type) {
      case "start": case "tick":
        ctx.after(20 * S, { type: "tick" });
        ctx.send("server", { type: "echo.request" }, { protocol: "TCP", latency: 1000, verb: "ask" });
        return state;
      case "net.error": return [...state, `${at} ${(message as NetErrorMessage).reason}`];
      case "net.closed": return [...state, `${at} closed`];
      default: return [...state, `${at} answer`];
    }
  },
});
const server: Component<number> = {
  id: "server", machine: "m", init: () => 0,
  step(state, message, ctx) {
    if (message.type !== "echo.request") return state;
    ctx.send(ctx.from, { type: "echo.response", request: ctx.mail } as Message, { protocol: "TCP", latency: 1000, verb: "answer" });
    return state + 1;
  },
};
const acts: Readonly<Record<string, readonly Action[]>> = {
  off: [{ type: "stop", component: "server", how: "machine" }, { type: "stop", component: "beside", how: "machine" }],
  on: [{ type: "start", component: "server" }, { type: "start", component: "beside" }],
  restart: [{ type: "stop", component: "client", how: "process" }, { type: "start", component: "client" }],
};
const config: KernelConfig = { seed: 1, profile: "quiet", components: [client("client", "elsewhere"), client("beside", "m"), server], latencies: {}, hashing: true, resolve: ({ type }) => acts[type] ?? [] };
const heard = (until: number, ...inputs: readonly (readonly [number, string])[]): Simulation => {
  const sim = Simulation.create(config, inputs.map(([at, type]): Input => ({ at: at * S, type })));
  sim.run(until * S);
  return sim;
};

test.each([
  ["the machine stays off: the pings stay unanswered for 45 s, then each dial for 30 s", 100, [[5, "off"]], ["0 s answer", "50 s closed", "50 s timeout", "70 s timeout", "90 s timeout"]],
  ["it is up again soon: the connection from before is closed, and only once", 70, [[5, "off"], [15, "on"]], ["0 s answer", "15 s closed", "20 s answer", "40 s answer", "60 s answer"]],
  ["it is up again late: what was closed is closed once more, as a new process there knows nothing of it", 70, [[5, "off"], [55, "on"]], ["0 s answer", "50 s closed", "50 s timeout", "55 s closed", "60 s answer"]],
  ["a client that was restarted meanwhile has nothing to be told", 70, [[5, "off"], [10, "restart"]], ["40 s timeout", "60 s timeout"]],
] as const)("%s", (_, until, inputs, want) => {
  expect((heard(until, ...inputs).stateAt("client", until * S) as Heard).slice(0, want.length)).toEqual(want);
});

test("what dies with the machine hears nothing while it is off", () => {
  expect(heard(40, [5, "off"]).stateAt("beside", 40 * S)).toEqual(["0 s answer"]);
});

test.each([4, 5, 14, 15, 16, 49, 50, 51])("a fork at %i s has the parent's future", (t) => {
  const inputs = [[5, "off"], [55, "on"]] as const;
  const whole = heard(100, ...inputs);
  const child = whole.fork(t * S, inputs.filter(([at]) => at > t).map(([at, type]): Input => ({ at: at * S, type })));
  child.run(100 * S);
  expect([...child.trace.events.hash.view()]).toEqual([...whole.trace.events.hash.view()]);
});
