import type { Trace } from "../trace/trace.ts";
import type { StateOf } from "./backend.ts";
import type { WaitView } from "./protocol-waits.ts";
import type { Asked, Source } from "./waits/asked.ts";
import { containerWaits } from "./waits/containers.ts";
import { controllerWaits } from "./waits/controllers.ts";
import { endingWaits } from "./waits/endings.ts";
import { leaderWaits } from "./waits/leaders.ts";
import { nodeWaits } from "./waits/nodes.ts";
import { probeWaits } from "./waits/probes.ts";
import { schedulingWaits } from "./waits/scheduling.ts";
import { timersAt } from "./waits/timers.ts";
import { volumeWaits } from "./waits/volumes.ts";

const SOURCES: readonly Source[] = [containerWaits, endingWaits, volumeWaits, probeWaits, schedulingWaits, nodeWaits, leaderWaits, controllerWaits];

/**
 * Every wait in force at a time: from the states of the components as they were then and the timers that were set then,
 * the weightiest first, of equals the one that ends first. Nothing of what comes later is looked at.
 */
export function waitsAt(at: number, state: StateOf, trace: Trace): readonly WaitView[] {
  const asked: Asked = { at, state, timers: timersAt(trace, at), components: trace.components };
  return SOURCES.flatMap((source) => source(asked)).sort((a, b) => b.weight - a.weight || (a.until ?? Number.MAX_SAFE_INTEGER) - (b.until ?? Number.MAX_SAFE_INTEGER) || (a.id < b.id ? -1 : 1));
}
