import type { Happening } from "./happenings.ts";
import { MACHINE, sameWait, type Waits } from "./waits.ts";

/** Each container of a Pod is killed by its own goroutine: their order in a recording is chance. */
function withoutRaces(events: readonly Happening[]): readonly Happening[] {
  const killing = (event: Happening): boolean => event.text.includes(" Killing ");
  const from = events.findIndex(killing);
  const to = events.findLastIndex(killing);
  if (from < 0 || !events.slice(from, to + 1).every(killing)) return events;
  return [...events.slice(0, from), ...events.slice(from, to + 1).sort((a, b) => (a.text < b.text ? -1 : 1)), ...events.slice(to + 1)];
}

const reasonOf = (event: Happening): string => event.text.split(" ")[1] ?? "";

/**
 * The first probe of a container races with its program's listen(): on a busy machine it fails, or times out, before
 * the program is up. Such an Unhealthy within a probe period of Started is chance.
 */
function startupRace(event: Happening, events: readonly Happening[], { probePeriod }: Waits): boolean {
  if (!event.text.includes("Readiness probe failed") || event.seen.length > 1) return false;
  const [at = 0] = event.seen;
  return events.some((other) => reasonOf(other) === "Started" && other.seen.some((start) => at >= start && at - start <= probePeriod + MACHINE));
}

/** How often these are repeated depends on what else woke the worker or the prober in between. */
const OFTEN = new Set(["BackOff", "Unhealthy", "FailedScheduling", "FailedMount", "NetworkNotReady", "FailedCreatePodSandBox", "FailedKillPod"]);

interface Sighting {
  readonly event: number;
  readonly nth: number;
  readonly at: number;
}

/** The difference in order, texts or times between the Events of one object, if any. `actions`: when something was done. */
export function differentEvents(object: string, recorded: readonly Happening[], happened: readonly Happening[], actions: readonly number[], waits: Waits): string | undefined {
  const allWanted = withoutRaces(recorded);
  const found = withoutRaces(happened).filter((event, _, all) => !startupRace(event, all, waits) || allWanted.some((other) => other.text === event.text));
  const wanted = allWanted.filter((event, _, all) => !startupRace(event, all, waits) || found.some((other) => other.text === event.text));
  const at = wanted.findIndex((event, i) => event.text !== found[i]?.text);
  if (at >= 0) return `event ${at + 1} of ${object}: expected "${wanted[at]?.text}", got ${found[at] === undefined ? "none" : `"${found[at].text}"`}`;
  return differentTimes(object, wanted, found, actions, waits);
}

function differentTimes(object: string, wanted: readonly Happening[], found: readonly Happening[], actions: readonly number[], waits: Waits): string | undefined {
  const sightings = wanted.flatMap(({ seen }, event) => seen.map((at, nth): Sighting => ({ event, nth, at }))).sort((a, b) => a.at - b.at);
  const timeOf = ({ event, nth }: Sighting): number | undefined => found[event]?.seen[nth];
  let before: Sighting | undefined;
  for (const sighting of sightings) {
    const event = wanted[sighting.event];
    if (!event) continue;
    const reason = reasonOf(event);
    const got = timeOf(sighting);
    // Of what is repeated by chance only the first sight has a time of its own.
    if (OFTEN.has(reason) && sighting.nth > 0) continue;
    if (got === undefined) return `${reason} of ${object}: seen ${event.seen.length} times in the recording, here ${found[sighting.event]?.seen.length ?? 0}`;
    const done = actions.findLast((action) => action <= sighting.at) ?? 0;
    const from = before !== undefined && before.at > done ? before : undefined;
    const want = sighting.at - (from?.at ?? done);
    const mine = got - ((from === undefined ? done : timeOf(from)) ?? done);
    if (!sameWait(reason, want, mine, waits)) return `${reason} ${sighting.nth + 1} of ${object} came after ${(want / 1_000).toFixed(1)} s in the recording, here after ${(mine / 1_000).toFixed(1)} s`;
    before = sighting;
  }
  return differentCounts(object, wanted, found);
}

function differentCounts(object: string, wanted: readonly Happening[], found: readonly Happening[]): string | undefined {
  for (const [i, { seen, text }] of wanted.entries()) {
    const got = found[i]?.seen.length ?? 0;
    if (got < Math.floor(seen.length / 2)) return `${text.slice(0, 60)} of ${object}: seen ${seen.length} times in the recording, here ${got}`;
  }
  return undefined;
}

/** What happened within the recording's window, and was not recorded. */
export function unexpectedEvent(object: string, recorded: readonly Happening[], happened: readonly Happening[], until: number, waits: Waits): string | undefined {
  const inTime = happened.filter((event) => (event.seen[0] ?? 0) < until && !startupRace(event, happened, waits));
  const known = recorded.filter((event) => !startupRace(event, recorded, waits)).length;
  const extra = inTime[known];
  return extra === undefined ? undefined : `event ${known + 1} of ${object}: expected none, got "${extra.text}"`;
}
