import { type Awaited, awaitedText, isAwaited, type Moment } from "../trace/moment.ts";
import type { Hit } from "../trace/breakpoint.ts";
import type { RunInput } from "../worker/protocol.ts";
import { captionTime, shortTime } from "./format.ts";
import { laterInputs } from "./later-inputs.ts";
import { session, useTimeline } from "./store.ts";
import type { FaultParams } from "./types.ts";

/** How far behind the playhead a moment is looked for (microseconds). */
const FARTHEST = 600_000_000;

/** A fault as the reader asks for it. */
export interface Asked {
  readonly id: string;
  readonly params: FaultParams;
  readonly begins: Moment;
  readonly ends?: Moment;
}

/** A fault with its times, and what was seen at those that had to be looked for. */
export interface Timed {
  readonly at: number;
  readonly until?: number;
  readonly seen: readonly string[];
}

const never = (moment: Awaited, after: number): string => `${awaitedText(moment)}: that does not come within ${shortTime(FARTHEST)} after ${captionTime(after)}.`;

/**
 * Finds the times of a fault: its beginning in the run that is shown, from the playhead on, and its end in the run that it makes.
 * The log of the new run holds these times, so that a link replays it. A sentence if one of them does not come.
 */
export async function timesOf({ id, params, begins, ends }: Asked, now: number): Promise<Timed | string> {
  const { run, catalogue } = useTimeline.getState();
  if (!run) return "No run is loaded yet.";
  const seen: string[] = [];
  const find = async (moment: Awaited, at: number, inputs: readonly RunInput[]): Promise<Hit | undefined> => {
    const hit = await session.call({ type: "moment", run: run.id, at, inputs, moment, after: at, limit: at + FARTHEST });
    if (hit) seen.push(hit.what);
    return hit;
  };
  const coming = (at: number): readonly RunInput[] => run.recipe.inputs.filter((input) => input.at > at);
  let at = begins.kind === "time" ? begins.at : begins.kind === "after" ? now + begins.delay : 0;
  if (isAwaited(begins)) {
    const hit = await find(begins, now, coming(now));
    if (!hit) return never(begins, now);
    at = hit.at;
  }
  if (!ends) return { at, seen };
  if (!isAwaited(ends)) {
    const until = ends.kind === "time" ? ends.at : at + ends.delay;
    return until > at ? { at, until, seen } : `It begins at ${captionTime(at)}: it must end after that.`;
  }
  const fault: RunInput = { at, type: "fault", id, params };
  const scripted = catalogue?.samples.flatMap(({ after }) => after ?? []) ?? [];
  const hit = await find(ends, at, [fault, ...laterInputs(run.recipe.inputs, at, [fault], scripted)]);
  return hit ? { at, until: hit.at, seen } : never(ends, at);
}
