import { keyedRandom } from "../kernel/random.ts";
import type { Ctx, Link, Message, Note } from "../kernel/types.ts";
import { LATENCIES } from "../latencies/registry.ts";

export interface Sent {
  readonly id: number;
  readonly to: string;
  readonly message: Message;
  readonly link: Link;
}

export interface Timer {
  readonly id: number;
  readonly at: number;
  readonly message: Message;
}

/** A context for testing one component alone: it records what the component does and the test plays the world. */
export interface FakeCtx extends Ctx {
  now: number;
  mail: number;
  from: string;
  sent: Sent[];
  timers: Timer[];
  notes: Note[];
}

export function fakeCtx(seed = 1, component = "test"): FakeCtx {
  let next = 1000;
  const ctx: FakeCtx = {
    now: 0,
    mail: 1,
    from: "test",
    sent: [],
    timers: [],
    notes: [],
    rand: (purpose, n) => keyedRandom(seed, component, purpose, n),
    latency: (segment) => LATENCIES[segment]?.median ?? 100,
    send(to, message, link) {
      ctx.sent.push({ id: next, to, message, link });
      return next++;
    },
    after(delay, message) {
      ctx.timers.push({ id: next, at: ctx.now + delay, message });
      return next++;
    },
    cancel(timer) {
      ctx.timers = ctx.timers.filter((entry) => entry.id !== timer);
    },
    explain: (note) => ctx.notes.push(note),
  };
  return ctx;
}
