import { type ChapterRange, chapterUnderWay } from "../trace/chapters.ts";
import { FIRST_TURNING_POINT } from "../trace/turning-points.ts";
import type { TimelineData } from "./types.ts";

/** The chapter that `t` belongs to, the same for every panel: the one under way; between chapters the one begun last; before all of them the first. */
export function chapterAt(chapters: readonly ChapterRange[], t: number): number {
  let past: ChapterRange | undefined;
  for (const chapter of chapters) if (chapter.from !== undefined && chapter.from <= t && chapter.from >= (past?.from ?? 0)) past = chapter;
  return chapterUnderWay(chapters, t) ?? past?.number ?? 1;
}

/** What a chapter is called by: its number, or, of a turning point, a letter. */
export const chapterMark = (number: number): string => (number < FIRST_TURNING_POINT ? String(number) : String.fromCharCode("a".charCodeAt(0) + number - FIRST_TURNING_POINT));

/** The same where there is little room: "Chapter 5", "Turn c". */
export const chapterWord = (number: number): string => `${number < FIRST_TURNING_POINT ? "Chapter" : "Turn"} ${chapterMark(number)}`;

/** "Chapter 5", "Turning point c". */
export const chapterName = (number: number): string => `${number < FIRST_TURNING_POINT ? "Chapter" : "Turning point"} ${chapterMark(number)}`;

/** The time that is told: of the step shown, which may still be on its way, or of the playhead after it. */
export function toldAt({ now, stepTimes, stepIndex }: Pick<TimelineData, "now" | "stepTimes" | "stepIndex">): number {
  return stepIndex > 0 ? Math.max(now, stepTimes[stepIndex] ?? 0) : now;
}
