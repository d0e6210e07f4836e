import { describe, expect, test } from "vitest";
import type { ChapterRange } from "../../trace/chapters.ts";
import type { Milestone } from "../../content/figures.ts";
import { chapterAt } from "./chapter-view.tsx";
import { sorted, type TimelineRow, toCsv } from "./ms-timeline.ts";
import { fillCommand } from "./names.ts";

describe("chapterAt", () => {
  // Chapter 11 happens before 9 and 10, and overlaps nothing.
  const ranges: ChapterRange[] = [
    { number: 1, from: 0, to: 10 },
    { number: 8, from: 10, to: 20 },
    { number: 11, from: 20, to: 300 },
    { number: 9, from: 300, to: 400 },
    { number: 15, missing: "nothing broke" },
  ];
  test.each([
    { t: -5, want: 1 },
    { t: 0, want: 1 },
    { t: 25, want: 11 },
    { t: 300, want: 9 },
    { t: 9999, want: 9 },
  ])("at $t it is $want", ({ t, want }) => expect(chapterAt(ranges, t)).toBe(want));
});

describe("the millisecond timeline", () => {
  const milestone = (what: string): Milestone => ({ id: what, what, find: { note: {} }, kind: "measured", source: "", measured: { min: 1, median: 2, max: 3 } });
  const row = (what: string, component: string, start: number, at: number): TimelineRow => ({ milestone: milestone(what), component, start, at, duration: at - start, cumulative: at - 100, mail: -1, note: -1 });
  const rows = [row("first", "b", 0, 100), row("slow, very", "a", 100, 5_100), row("last", "a", 5_100, 5_200)];
  test.each([
    { by: "start", want: ["first", "slow, very", "last"] },
    { by: "duration", want: ["slow, very", "first", "last"] },
    { by: "component", want: ["slow, very", "last", "first"] },
  ] as const)("sorts by $by", ({ by, want }) => expect(sorted(rows, by).map((one) => one.milestone.what)).toEqual(want));
  test("exports with quoted commas", () => expect(toCsv(rows).split("\n")[2]).toBe('"slow, very",a,0.100,5.000,5.000,measured,2'));
});

test.each([
  { command: "describe pod POD", names: { POD: "nginx" }, want: ["describe", "pod", "nginx"] },
  { command: "describe node NODE", names: {}, want: ["describe", "node", "NODE"] },
  { command: "get pods", names: { POD: "x" }, want: ["get", "pods"] },
])("$command", ({ command, names, want }) => expect(fillCommand(command, names)).toEqual(want));
