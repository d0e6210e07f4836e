import type { TraceIndex } from "./trace-index.ts";

/** One of the fifteen chapters of the story as this run tells it: found by its hops and notes, never by fixed times. */
export interface ChapterRange {
  readonly number: number;
  /** Undefined if the run never gets there; `missing` then says why. */
  readonly from?: number;
  readonly to?: number;
  /** Step (note id) it opens on. */
  readonly note?: number;
  readonly missing?: string;
}

/** Finds the chapters of a run for one Pod (etcd key "/registry/pods/NS/NAME"), or for the first Pod that was created in it. */
export function chaptersOf(index: TraceIndex, podKey?: string): ChapterRange[] {
  void index;
  void podKey;
  return [];
}
