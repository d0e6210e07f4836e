import { create } from "zustand";
import type { WaitView } from "../../worker/protocol.ts";

/** What waits at one place of the stage: the weightiest of it, in words for its name, and probes on their way. */
export interface PlaceWaits {
  readonly wait?: WaitView;
  /** "back-off 20 s, 18 s left, rung 2 of 6"; "" without a wait. */
  readonly said: string;
  readonly probes: readonly WaitView[];
}

interface StageWaits {
  /** By an object's key in the store, or a component's id. A place keeps its object while what it says is the same. */
  readonly places: ReadonlyMap<string, PlaceWaits>;
}

/** Filled by `waits/waits-feed.tsx`, which comes after the page. */
export const useStageWaits = create<StageWaits>()(() => ({ places: new Map() }));

/** What waits at a place; it renders only who asks for this place. */
export const usePlaceWaits = (id: string): PlaceWaits | undefined => useStageWaits((state) => state.places.get(id));
