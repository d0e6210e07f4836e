// Models a node's own clock: what is wrong with it is in every time that the node writes, and in none that others write
import { rfc3339 } from "../api/time.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Micros } from "../kernel/types.ts";
import type { Turn } from "./turn.ts";

/** From an instant on the clock is so far ahead (behind, if negative). */
export interface ClockStep {
  readonly from: Micros;
  readonly ahead: Micros;
}

export const RIGHT_CLOCK: readonly ClockStep[] = [];

/** What the clock shows, or showed, at an instant. Durations are measured by a monotonic clock, which nobody sets. */
export function wallClock(clock: readonly ClockStep[], at: Micros): Micros {
  for (let i = clock.length - 1; i >= 0; i--) {
    const step = clock[i];
    if (step !== undefined && step.from <= at) return at + step.ahead;
  }
  return at;
}

/** The fault "clock.skew" sets the node's clock; its end sets it right. */
export function setClock(turn: Turn, { on, params }: FaultMessage): void {
  const micros = Number(params["seconds"]) * 1_000_000;
  const ahead = !on ? 0 : params["direction"] === "behind" ? -micros : micros;
  turn.set({ clock: [...turn.state.clock, { from: turn.now, ahead }] });
  const { name } = turn.config.node;
  turn.explain(`The clock of ${name} now says ${rfc3339(turn.wall())}`, undefined, { why: "every time that the kubelet writes is taken from it: Leases, conditions, container states, Events", level: "basic" });
}
