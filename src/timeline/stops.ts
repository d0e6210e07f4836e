import type { TraceIndex } from "../trace/trace-index.ts";
import { playhead } from "./playhead.ts";
import type { GetTimeline, SetTimeline, TimelineActions } from "./types.ts";

/** A breakpoint as the reader typed or set it. */
export interface Stop {
  readonly text: string;
  /** An unticked one is kept, and stops nothing. */
  readonly on: boolean;
}

/** A time in the run at which a breakpoint begins to hold (microseconds), and what was seen. */
export interface StopHit {
  readonly at: number;
  readonly what: string;
  readonly text: string;
}

/** How far ahead of the simulated end a stop is looked for, and in what portions (microseconds). */
const FARTHEST = 3_600_000_000;
const PORTION = 60_000_000;

/** The first hit after a time. Hits are in order. */
export const nextHit = (hits: readonly StopHit[], after: number): StopHit | undefined => hits.find(({ at }) => at > after);

/** The conditions are read and found by a part of the page that comes when the first one is set. */
const finder = async (): Promise<typeof import("../trace/breakpoint.ts")> => import("../trace/breakpoint.ts");

/** Every hit of the conditions that are on, in order of time. */
async function hitsIn(index: TraceIndex, stops: readonly Stop[]): Promise<StopHit[]> {
  const on = stops.filter((stop) => stop.on);
  if (on.length === 0) return [];
  const { hitsOf, parseBreakpoint } = await finder();
  return on
    .flatMap(({ text }) => {
      const breakpoint = parseBreakpoint(text);
      return typeof breakpoint === "string" ? [] : hitsOf(index, breakpoint).map((hit): StopHit => ({ ...hit, text }));
    })
    .sort((a, b) => a.at - b.at);
}

type StopActions = Pick<TimelineActions, "addStop" | "removeStop" | "toggleStop" | "runToStop" | "findStops">;

/** Breakpoints: playing stops where one begins to hold. */
export function createStopActions(set: SetTimeline, get: GetTimeline): StopActions {
  const change = async (stops: readonly Stop[]): Promise<void> => {
    set({ stops, stopped: undefined as never });
    await actions.findStops();
  };
  const actions: StopActions = {
    async addStop(text) {
      const trimmed = text.trim();
      const breakpoint = (await finder()).parseBreakpoint(trimmed);
      if (typeof breakpoint === "string") return breakpoint;
      const { stops } = get();
      await change([...stops.filter((stop) => stop.text !== trimmed), { text: trimmed, on: true }]);
      return undefined;
    },
    removeStop: async (text) => change(get().stops.filter((stop) => stop.text !== text)),
    toggleStop: async (text) => change(get().stops.map((stop) => (stop.text === text ? { ...stop, on: !stop.on } : stop))),
    async findStops() {
      const { index, stops } = get();
      const stopHits = index ? await hitsIn(index, stops) : [];
      // Another run, or more of it, has come meanwhile: its own search is under way.
      if (get().index === index && get().stops === stops) set({ stopHits });
    },
    async runToStop() {
      const from = playhead.get();
      for (;;) {
        await actions.findStops();
        const hit = nextHit(get().stopHits, from);
        const { run } = get();
        if (hit) {
          get().seek(hit.at);
          set({ stopped: hit });
          return;
        }
        if (!run || run.until - from >= FARTHEST || !get().stops.some(({ on }) => on)) break;
        const before = run.until;
        await get().extend(before + PORTION);
        // Cancelled, or it failed.
        if ((get().run?.until ?? 0) <= before) break;
      }
      get().showToast("Nothing of it happens within the next hour");
    },
  };
  return actions;
}
