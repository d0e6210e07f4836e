import { describe, expect, test } from "vitest";
import type { Milestone } from "../../content/figures.ts";
import { sorted, type TimelineRow, toCsv } from "./ms-timeline.ts";
import { fillCommand } from "./names.ts";

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
