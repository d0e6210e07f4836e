import type { Trace } from "../trace/trace.ts";
import type { StateOf } from "./backend.ts";
import type { WaitView } from "./protocol-waits.ts";
import type { Asked, Source } from "./waits/asked.ts";
import { containerWaits } from "./waits/containers.ts";
import { jobWaits, queueWaits } from "./waits/controllers.ts";
import { endingWaits } from "./waits/endings.ts";
import { leaderWaits } from "./waits/leaders.ts";
import { leaseWaits, nodeWaits } from "./waits/nodes.ts";
import { probeWaits } from "./waits/probes.ts";
import { schedulingWaits } from "./waits/scheduling.ts";
import { timersAt } from "./waits/timers.ts";
import { volumeWaits } from "./waits/volumes.ts";

/** Sources, and whether they know of anything that has a weight. */
const SOURCES: readonly (readonly [source: Source, weighs: boolean])[] = [
  [containerWaits, true], [endingWaits, true], [volumeWaits, true], [probeWaits, true], [schedulingWaits, true], [nodeWaits, true], [jobWaits, true], [leaderWaits, true], [leaseWaits, false], [queueWaits, false],
];

/** A component's state is recomputed from the trace each time it is asked for; several sources read the same ones. */
function remembered(state: StateOf): StateOf {
  const known = new Map<string, unknown>();
  return (component) => {
    if (!known.has(component)) known.set(component, state(component));
    return known.get(component);
  };
}

/**
 * Every wait in force at a time: from the states of the components as they were then and the timers that were set then,
 * the weightiest first, of equals the one that ends first; of those that weigh at least `least`. Nothing of what comes
 * later is looked at.
 */
export function waitsAt(at: number, state: StateOf, trace: Trace, least = 0): readonly WaitView[] {
  const asked: Asked = { at, state: remembered(state), timers: timersAt(trace, at), components: trace.components };
  const waits = SOURCES.flatMap(([source, weighs]) => (weighs || least === 0 ? source(asked) : []));
  return waits.filter(({ weight }) => weight >= least).sort((a, b) => b.weight - a.weight || (a.until ?? Number.MAX_SAFE_INTEGER) - (b.until ?? Number.MAX_SAFE_INTEGER) || (a.id < b.id ? -1 : 1));
}
