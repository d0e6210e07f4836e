import { useEffect } from "react";
import { client } from "../../../timeline/client.ts";
import { useTimeline } from "../../../timeline/store.ts";
import type { WaitView } from "../../../worker/protocol.ts";
import { useAsked } from "../../widgets/use-asked.ts";
import { type PlaceWaits, useStageWaits } from "../stage-waits.ts";
import { saidText } from "../../widgets/wait-words.ts";

/** Waits of at least this weight are asked for: probes and all that has a countdown. */
const LEAST_WEIGHT = 2;
const COUNTDOWN_WEIGHT = 4;
const NONE: readonly WaitView[] = [];

/** Which places of the stage show a wait: what it is about, and for Pods without a node their scheduler. */
const placesOf = (wait: WaitView): readonly string[] => (wait.kind === "scheduler-backoff" || wait.kind === "unschedulable" || wait.kind === "gate" ? [wait.about, wait.component] : [wait.about]);

/** The weightiest wait of each place, and its probes. Waits come in order of weight. */
export function placesAt(waits: readonly WaitView[], t: number, isNew: (pod: string) => boolean): Map<string, PlaceWaits> {
  const places = new Map<string, { wait?: WaitView; said: string; probes: WaitView[] }>();
  for (const wait of waits) {
    if (wait.about.startsWith("/registry/pods/") && !isNew(wait.about)) continue;
    for (const id of placesOf(wait)) {
      const place = places.get(id) ?? { said: "", probes: [] };
      places.set(id, place);
      if (wait.kind === "probe" || wait.kind === "initial-delay") place.probes.push(wait);
      else if (place.wait === undefined && wait.weight >= COUNTDOWN_WEIGHT) Object.assign(place, { wait, said: saidText(wait, t) });
    }
  }
  return places;
}

const same = (a: WaitView | undefined, b: WaitView | undefined): boolean => a?.id === b?.id && a?.until === b?.until && a?.rung === b?.rung && a?.since === b?.since;

const sameProbes = (a: readonly WaitView[], b: readonly WaitView[]): boolean => a.length === b.length && a.every((wait, i) => same(wait, b[i]));

const samePlace = (a: PlaceWaits, b: PlaceWaits): boolean => a.said === b.said && same(a.wait, b.wait) && sameProbes(a.probes, b.probes);

/** Asks the worker what waits at the playhead, and tells the stage's places what concerns them. Draws nothing. */
export function WaitsFeed(): null {
  const run = useTimeline((state) => state.run?.id);
  const now = useTimeline((state) => state.now);
  const index = useTimeline((state) => state.index);
  // The run may be simulated on just now, and not have come this far.
  const known = useTimeline((state) => state.run !== undefined && state.run.until >= state.now);
  const asked = useAsked(`${run ?? ""}/${now}/${known}`, async () => (!known ? { now, waits: NONE } : { now, waits: await client.waits(now, LEAST_WEIGHT) }));
  const { value } = asked;
  useEffect(() => {
    if (!value) return;
    const { places } = useStageWaits.getState();
    const next = placesAt(value.waits, value.now, (pod) => Number.isFinite(index?.versionsOf(pod)[0]?.at ?? Number.NEGATIVE_INFINITY));
    let changed = next.size !== places.size;
    for (const [id, place] of next) {
      const before = places.get(id);
      if (before && samePlace(before, place)) next.set(id, before);
      else changed = true;
    }
    if (changed) useStageWaits.setState({ places: next });
  }, [value, index]);
  useEffect(() => () => useStageWaits.setState({ places: new Map() }), []);
  return null;
}
