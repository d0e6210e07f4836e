import { type ChapterRange, chapterUnderWay } from "../trace/chapters.ts";
import type { TimelineData } from "./types.ts";

/** The chapter that `t` belongs to, the same for every panel: the one under way; between chapters the one begun last; before all of them the first. */
export function chapterAt(chapters: readonly ChapterRange[], t: number): number {
  let past: ChapterRange | undefined;
  for (const chapter of chapters) if (chapter.from !== undefined && chapter.from <= t && chapter.from >= (past?.from ?? 0)) past = chapter;
  return chapterUnderWay(chapters, t) ?? past?.number ?? 1;
}

/** The time that is told: of the step shown, which may still be on its way, or of the playhead after it. */
export function toldAt({ now, stepTimes, stepIndex }: Pick<TimelineData, "now" | "stepTimes" | "stepIndex">): number {
  return stepIndex > 0 ? Math.max(now, stepTimes[stepIndex] ?? 0) : now;
}
