import { describe, expect, it } from "vitest";
import type { ChapterRange } from "../trace/chapters.ts";
import { chapterAt, toldAt } from "./chapter.ts";

const CHAPTERS: readonly ChapterRange[] = [
  { number: 1, from: 10, to: 20 },
  { number: 2, from: 20, to: 30 },
  { number: 3, missing: "refused" },
  { number: 9, from: 50, to: 90 },
  { number: 10, from: 60, to: 70 },
  { number: 11, from: 40, to: 50 },
  { number: 12, from: 100, to: 100 },
  { number: 13, from: 100, to: 120 },
];

describe("the chapter at a time", () => {
  it.each([
    [0, 1, "before all of them"],
    [15, 1, "inside"],
    [20, 2, "one ends as the next begins"],
    [35, 2, "between chapters, the one begun last"],
    [45, 11, "told out of order"],
    [50, 9, "the later-starting of two that touch"],
    [65, 10, "inside another"],
    [80, 9, "back in the one around it"],
    [95, 10, "after both, the one begun last"],
    [100, 13, "begun together, the higher number"],
  ])("at %i is %i: %s", (t, number) => {
    expect(chapterAt(CHAPTERS, t)).toBe(number);
  });

  it("is that of the step shown while the playhead is still on its way to it", () => {
    expect(toldAt({ now: 12, stepTimes: Float64Array.of(10, 20), stepIndex: 1 })).toBe(20);
    expect(toldAt({ now: 25, stepTimes: Float64Array.of(10, 20), stepIndex: 1 })).toBe(25);
    expect(toldAt({ now: 0, stepTimes: Float64Array.of(10, 20), stepIndex: 0 })).toBe(0);
  });
});
